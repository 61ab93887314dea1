"""The named faults of a simulated board, what can be set on each, and how a line that names one is read.

Owns names, settings, defaults and limits. Must not know what a fault does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

BOTH = "both"
HOST = "host"
BOARD = "board"

Setting = float | int | str


class FaultError(ValueError):
    """A fault that does not exist or cannot be set so; the text says what can."""


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One fault: its settings with defaults, and the setting that a bare number means."""

    text: str
    defaults: Mapping[str, Setting] = field(default_factory=dict)
    bare: str | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that is on. `settings` holds every setting of its kind; `seed` is None for the board's own."""

    name: str
    settings: Mapping[str, Setting]

    def whole(self, key: str) -> int:
        """A setting that is a whole number."""
        return int(self.settings[key])

    def hits(self, side: str) -> bool:
        """Whether bytes on their way to `side` ("host" or "board") are hit."""
        return self.settings["to"] in (side, BOTH)


_SEED = -1  # the board's own
_TEXT_BY_DEFAULT = "\r\nOptiboot 8.3 ready\r\n"
FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "drop": FaultKind("bytes vanish", {"percent": 1.0, "seed": _SEED, "to": BOTH}, "percent"),
        "flip": FaultKind("bytes change", {"percent": 1.0, "seed": _SEED, "to": BOTH}, "percent"),
        "insert": FaultKind("bytes appear", {"percent": 1.0, "seed": _SEED, "to": BOTH}, "percent"),
        "duplicate": FaultKind("frames come twice", {"percent": 10.0, "seed": _SEED, "to": BOTH}, "percent"),
        "reorder": FaultKind(
            "frames come after the next one", {"percent": 10.0, "seed": _SEED, "to": BOTH}, "percent"
        ),
        "mute": FaultKind("alive, but nothing arrives", {"to": HOST}),
        "deaf": FaultKind("neither hears nor speaks for a while, as after a reset", {"ms": 2000}, "ms"),
        "boot-text": FaultKind("prints text now and at each reset", {"text": _TEXT_BY_DEFAULT}),
        "reset-on-open": FaultKind("each opening of the port resets the board", {"ms": 2000}, "ms"),
        "cut": FaultKind(
            "the link closes after so many more bytes, for so long", {"after": 0, "ms": 500}, "ms"
        ),
        "mtu": FaultKind("leaves in chunks of n - 3 bytes", {"n": 23}, "n"),
        "cut-chunk": FaultKind("the next chunks lose their end", {"count": 1, "seed": _SEED}, "count"),
        "noise": FaultKind(
            "bytes of kind random, nul or nonzero appear now",
            {"bytes": 1000, "kind": "random", "seed": _SEED, "to": HOST},
            "bytes",
        ),
        "stale-snapshot": FaultKind("the next snapshots are the table of now", {"count": 1}, "count"),
        "slow-press": FaultKind("strong magnets read weak for so long on their way", {"ms": 60}, "ms"),
    }
)

_LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "percent": (0, 100),
        "seed": (_SEED, 2**31),
        "ms": (1, 3_600_000),
        "after": (0, 1_000_000),
        "n": (23, 517),  # what ATT allows
        "count": (1, 1000),
        "bytes": (1, 1_000_000),
    }
)
_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"to": (HOST, BOARD, BOTH), "kind": ("random", "nul", "nonzero")}
)


def parse_fault(name: str, arguments: list[str]) -> Fault:
    """Read `NAME [KEY=VALUE ...]`, or a bare number for the main setting. FaultError."""
    kind = FAULTS.get(name)
    if kind is None:
        raise FaultError(f"no fault is called {name}; there are {', '.join(FAULTS)}")
    settings = dict(kind.defaults)
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals and kind.bare is not None:
            key, value = kind.bare, argument
        if key not in settings:
            can = ", ".join(settings) or "no settings"
            raise FaultError(f"{name} has no setting {key}; it has {can}")
        settings[key] = _parse_setting(key, value, settings[key])
    return Fault(name, MappingProxyType(settings))


def _parse_setting(key: str, value: str, default: Setting) -> Setting:
    if isinstance(default, str):
        if key in _WORDS and value not in _WORDS[key]:
            raise FaultError(f"{key}={value}: one of {', '.join(_WORDS[key])}")
        return value
    low, high = _LIMITS[key]
    try:
        number = float(value) if isinstance(default, float) else int(value)
    except ValueError:
        raise FaultError(f"{key}={value}: not a number") from None
    if not low <= number <= high:
        raise FaultError(f"{key}={value}: from {low:g} to {high:g}")
    return number


def describe(fault: Fault) -> str:
    """The line that turns a fault on."""
    settings = [
        f"{key}={value}" for key, value in fault.settings.items() if value not in (_SEED, _TEXT_BY_DEFAULT)
    ]
    return " ".join([fault.name, *settings])


def seed_of(fault: Fault, board_seed: int) -> str:
    """What a fault's random choices start from: its own seed, or the board's."""
    own = fault.settings.get("seed", _SEED)
    return f"{fault.name} {board_seed if own == _SEED else own}"
