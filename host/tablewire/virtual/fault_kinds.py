"""What a named fault of a simulated board is: its kind, its settings, and one that is on.

Owns the forms of a setting and how one is read and said. Must not know which faults there are
(fault_table.py) nor what they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import SPACE_COUNT

BOTH = "both"
HOST = "host"
BOARD = "board"
ANY = "any"
NOTHING, WEAK = "nothing", "weak"
OWN_SEED = -1  # the board's own


class FaultError(ValueError):
    """A fault that does not exist or cannot be set so; the text says what can."""


class Span(NamedTuple):
    """From `low` to `high`, both of them: chance picks. Written 20-800, or 300 for just that."""

    low: int
    high: int


Spaces = tuple[int, ...]
Setting = float | int | str | Span | Spaces


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

    @property
    def at(self) -> Spaces:
        """The spaces that it was told to hit; none: chance picks."""
        value = self.settings.get("at", ())
        return value if isinstance(value, tuple) else ()

    @property
    def colour(self) -> PlayerColour | None:
        """The colour that it was told; None: whichever fits."""
        value = self.settings.get("colour", ANY)
        return None if value == ANY else PlayerColour(str(value))

    def hits(self, side: str) -> bool:
        """Whether bytes on their way to `side` ("host" or "board") are hit."""
        return self.settings["to"] in (side, BOTH)


_LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "percent": (0, 100),
        "floor": (0, 100),
        "seed": (OWN_SEED, 2**31),
        "ms": (0, 3_600_000),
        "every": (0, 3_600_000),
        "after": (0, 1_000_000),
        "n": (23, 517),  # what ATT allows
        "count": (1, 1000),
        "times": (0, 1000),
        "spaces": (1, 20),
        "over": (1, 20),
        "bytes": (1, 1_000_000),
        "hz": (1, 500),  # faster than any scan
    }
)
_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "to": (HOST, BOARD, BOTH),
        "kind": ("random", "nul", "nonzero"),
        "reads": (NOTHING, WEAK),
        "colour": (*PlayerColour, ANY),
    }
)


def parse_setting(key: str, value: str, default: Setting) -> Setting:
    """Read a setting's value in the form of its default. FaultError."""
    match default:
        case str():
            if key in _WORDS and value not in _WORDS[key]:
                raise FaultError(f"{key}={value}: one of {', '.join(_WORDS[key])}")
            return value
        case Span():
            low, dash, high = value.partition("-")
            span = Span(int(_number(key, low)), int(_number(key, high if dash else low)))
            if span.low > span.high:
                raise FaultError(f"{key}={value}: the lower number comes first")
            return span
        case tuple():
            return _spaces(key, value)
        case float():
            return _number(key, value, whole=False)
    return int(_number(key, value))


def _number(key: str, value: str, *, whole: bool = True) -> float:
    low, high = _LIMITS[key]
    try:
        number = int(value) if whole else float(value)
    except ValueError:
        raise FaultError(f"{key}={value}: not a number") from None
    if not low <= number <= high:
        raise FaultError(f"{key}={value}: from {low:g} to {high:g}")
    return number


def _spaces(key: str, value: str) -> Spaces:
    words = value.split(",")
    if not all(word.isascii() and word.isdigit() and 1 <= int(word) <= SPACE_COUNT for word in words):
        raise FaultError(f"{key}={value}: spaces from 1 to {SPACE_COUNT}, with commas between them")
    return tuple(dict.fromkeys(map(int, words)))


def say_setting(value: Setting) -> str:
    """A setting's value as it is written."""
    match value:
        case Span(low, high):
            return f"{low}" if low == high else f"{low}-{high}"
        case tuple():
            return ",".join(map(str, value))
    return str(value)
