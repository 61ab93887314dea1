"""What a named fault of a simulated board is: its kind, its settings, one that is on, and a table of them.

Owns the forms of a setting and how a line that names a fault is read and said. Must not know which faults
there are (line_table.py, fault_table.py, tag_fault_table.py), what they do, or any game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import NamedTuple

BOTH = "both"
HOST = "host"
BOARD = "board"
ANY = "any"
OWN_SEED = -1  # the board's own


class FaultError(ValueError):
    """A fault that does not exist or cannot be set so; the text says what can."""


class Span(NamedTuple):
    """From `low` to `high`, both of them: chance picks. Written 20-800, or 300 for just that."""

    low: int
    high: int


Places = tuple[int, ...]
Setting = float | int | str | Span | Places


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One fault: what it does, its settings with defaults, and the setting that a bare number means."""

    text: str
    defaults: Mapping[str, Setting] = field(default_factory=dict)
    bare: str | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that is on. `settings` holds every setting of its kind; `seed` is -1 for the board's own."""

    name: str
    settings: Mapping[str, Setting]

    def whole(self, key: str) -> int:
        """A setting that is a whole number."""
        value = self.settings[key]
        if not isinstance(value, int | float):
            raise TypeError(f"{key} of {self.name} is no number")
        return int(value)

    def share(self, key: str) -> float:
        """A setting in percent, as a share of one."""
        value = self.settings[key]
        if not isinstance(value, int | float):
            raise TypeError(f"{key} of {self.name} is no number")
        return value / 100

    def drawn(self, key: str, rng: Random) -> int:
        """A number of a setting that is a span."""
        value = self.settings[key]
        if not isinstance(value, Span):
            raise TypeError(f"{key} of {self.name} is no span")
        return rng.randint(value.low, value.high)

    def word(self, key: str) -> str:
        """A setting that is a word."""
        return str(self.settings[key])

    @property
    def at(self) -> Places:
        """The places that it was told to hit; none: chance picks."""
        value = self.settings.get("at", ())
        return value if isinstance(value, tuple) else ()

    def hits(self, side: str) -> bool:
        """Whether bytes on their way to `side` ("host" or "board") are hit."""
        return self.settings["to"] in (side, BOTH)


_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"to": (HOST, BOARD, BOTH), "kind": ("random", "nul", "nonzero")}
)
_LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "percent": (0, 100),
        "seed": (OWN_SEED, 2**31),
        "ms": (0, 3_600_000),
        "every": (0, 3_600_000),
        "after": (0, 1_000_000),
        "n": (23, 517),  # what ATT allows
        "count": (1, 1000),
        "times": (0, 1000),
        "bytes": (1, 1_000_000),
    }
)


@dataclass(frozen=True, slots=True)
class FaultTable:
    """The faults of one kind of board.

    `words` are the settings that are one of some words, `limits` from where to where a number goes; both
    beside those that all boards have. `places` says what a tuple holds, and its first and last number.
    """

    kinds: Mapping[str, FaultKind]
    words: Mapping[str, tuple[str, ...]]
    limits: Mapping[str, tuple[float, float]]
    places: tuple[str, int, int]

    def parse(self, name: str, arguments: list[str]) -> Fault:
        """Read `NAME [KEY=VALUE ...]`, or a bare number for the main setting. FaultError."""
        kind = self.kinds.get(name)
        if kind is None:
            raise FaultError(f"no fault is called {name}; there are {self.explain_all()}")
        settings = dict(kind.defaults)
        for argument in arguments:
            key, equals, value = argument.partition("=")
            if not equals and kind.bare is not None:
                key, value = kind.bare, argument
            if key not in settings:
                can = ", ".join(settings) or "no settings"
                raise FaultError(f"{name} has no setting {key}; it has {can}")
            settings[key] = self._setting(key, value, settings[key])
        return Fault(name, MappingProxyType(settings))

    def explain_all(self) -> str:
        """Every fault with what it does, and its settings with their defaults, in one line."""
        return "; ".join(self.explain(name) for name in self.kinds)

    def explain(self, name: str) -> str:
        """What a fault does, and its settings with their defaults."""
        kind = self.kinds[name]
        settings = " ".join(
            f"{key}={say_setting(value) or ANY}" for key, value in kind.defaults.items() if _is_short(value)
        )
        return f"{name}: {kind.text}{f' ({settings})' if settings else ''}"

    def _setting(self, key: str, value: str, default: Setting) -> Setting:
        """Read a setting's value in the form of its default."""
        match default:
            case str():
                words = {**_WORDS, **self.words}.get(key)
                if words is not None and value not in words:
                    raise FaultError(f"{key}={value}: one of {', '.join(words)}")
                return value
            case Span():
                low, dash, high = value.partition("-")
                span = Span(int(self._number(key, low)), int(self._number(key, high if dash else low)))
                if span.low > span.high:
                    raise FaultError(f"{key}={value}: the lower number comes first")
                return span
            case tuple():
                return self._places(key, value)
            case float():
                return self._number(key, value, whole=False)
        return int(self._number(key, value))

    def _number(self, key: str, value: str, *, whole: bool = True) -> float:
        low, high = {**_LIMITS, **self.limits}[key]
        try:
            number = int(value) if whole else float(value)
        except ValueError:
            raise FaultError(f"{key}={value}: not a number") from None
        if not low <= number <= high:
            raise FaultError(f"{key}={value}: from {low:g} to {high:g}")
        return number

    def _places(self, key: str, value: str) -> Places:
        name, low, high = self.places
        words = value.split(",")
        if not all(word.isascii() and word.isdigit() and low <= int(word) <= high for word in words):
            raise FaultError(f"{key}={value}: {name} from {low} to {high}, with commas between them")
        return tuple(dict.fromkeys(map(int, words)))


def say_setting(value: Setting) -> str:
    """A setting's value as it is written."""
    match value:
        case Span(low, high):
            return f"{low}" if low == high else f"{low}-{high}"
        case tuple():
            return ",".join(map(str, value))
    return str(value)


def _is_short(value: Setting) -> bool:
    """Whether a setting has a place in a line: not a seed that is not set, nor a text of several lines."""
    return value != OWN_SEED and not (isinstance(value, str) and not value.isprintable())


def describe(fault: Fault) -> str:
    """The line that turns a fault on."""
    settings = [
        f"{key}={say_setting(value)}"
        for key, value in fault.settings.items()
        if _is_short(value) and value != ()
    ]
    return " ".join([fault.name, *settings])


def seed_of(fault: Fault, board_seed: int) -> str:
    """What a fault's random choices start from: its own seed, or the board's."""
    own = fault.settings.get("seed", OWN_SEED)
    return f"{fault.name} {board_seed if own == OWN_SEED else own}"
