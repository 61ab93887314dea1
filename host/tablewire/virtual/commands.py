"""The lines that move magnets on a simulated Cir*Kis board, read into values.

Owns the syntax of each of them and what is refused before it is tried. Must not know what lies on the table,
time, or how a command is done. Space and hole numbers are checked; whether something lies there is not. What
all boards take is in language.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import HOLES, SENSOR_COUNT, SPACE_COUNT
from tablewire.virtual.fault_table import TABLE
from tablewire.virtual.language import (
    CommandError,
    Language,
    Parser,
    SharedCommand,
    expect,
    milliseconds,
    option,
    whole,
)
from tablewire.wire.messages import MagnetClass

CHATTER_MAX_HZ = 500  # faster than any scan
_USAGES = MappingProxyType(
    {
        "place": "place COLOUR SPACES [over MS]",
        "lift": "lift SPACES [over MS]",
        "slide": "slide COLOUR FROM TO[,TO ...] [dwell MS]",
        "nudge": "nudge SPACES MS",
        "press": "press SPACES",
        "peg": "peg COLOUR HOLE",
        "magnet": "magnet SENSOR CLASS",
        "sensor": "sensor SENSOR ok | stuck CLASS | chatter HZ",
    }
)


@dataclass(frozen=True, slots=True)
class Place:
    """Magnets of one colour land, one after another within `over_ms`."""

    colour: PlayerColour
    spaces: tuple[int, ...]
    over_ms: int = 0


@dataclass(frozen=True, slots=True)
class Lift:
    """Whatever lies on the spaces leaves, one after another within `over_ms`."""

    spaces: tuple[int, ...]
    over_ms: int = 0


@dataclass(frozen=True, slots=True)
class Slide:
    """One magnet moves along `path`, `dwell_ms` on each space, and rests on the last."""

    colour: PlayerColour
    path: tuple[int, ...]
    dwell_ms: int = 100


@dataclass(frozen=True, slots=True)
class Nudge:
    """What lies on the spaces goes off and comes back after `off_ms`."""

    spaces: tuple[int, ...]
    off_ms: int


@dataclass(frozen=True, slots=True)
class Press:
    """What lies on the spaces is pressed down, so that it sits well."""

    spaces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Peg:
    """A player's peg leaves its hole and stands in another."""

    colour: PlayerColour
    hole: int


@dataclass(frozen=True, slots=True)
class SetMagnet:
    """One sensor gets this magnet."""

    sensor: int
    magnet: MagnetClass


@dataclass(frozen=True, slots=True)
class SetSensor:
    """One sensor works ("ok"), is "stuck" at a class, or has "chatter" at a frequency."""

    sensor: int
    mode: str
    value: int = 0


TableCommand = Place | Lift | Slide | Nudge | Press | Peg | SetMagnet | SetSensor
Command = TableCommand | SharedCommand


def _colour(word: str) -> PlayerColour:
    expect(word in set(PlayerColour), f"no colour is called {word}; there are {', '.join(PlayerColour)}")
    return PlayerColour(word)


def _magnet(word: str) -> MagnetClass:
    return MagnetClass(whole(word, "class", 0, max(MagnetClass)))


def _sensor(word: str) -> int:
    return whole(word, "sensor", 0, SENSOR_COUNT - 1)


def _space(word: str) -> int:
    return whole(word, "space", 1, SPACE_COUNT)


def _spaces(word: str) -> tuple[int, ...]:
    spaces = tuple(_space(one) for one in word.split(","))
    expect(len(set(spaces)) == len(spaces), f"spaces {word}: one is named twice")
    return spaces


def _place(words: list[str]) -> TableCommand:
    expect(len(words) >= 2, _USAGES["place"])
    return Place(_colour(words[0]), _spaces(words[1]), option(words[2:], "over", 0))


def _lift(words: list[str]) -> TableCommand:
    expect(len(words) >= 1, _USAGES["lift"])
    return Lift(_spaces(words[0]), option(words[1:], "over", 0))


def _slide(words: list[str]) -> TableCommand:
    expect(len(words) >= 3, _USAGES["slide"])
    path = (_space(words[1]), *(_space(one) for one in words[2].split(",")))
    for here, there in pairwise(path):
        expect(here != there, f"space {there} follows itself")
    return Slide(_colour(words[0]), path, option(words[3:], "dwell", 100))


def _nudge(words: list[str]) -> TableCommand:
    expect(len(words) == 2, _USAGES["nudge"])
    return Nudge(_spaces(words[0]), milliseconds(words[1]))


def _press(words: list[str]) -> TableCommand:
    expect(len(words) == 1, _USAGES["press"])
    return Press(_spaces(words[0]))


def _peg(words: list[str]) -> TableCommand:
    expect(len(words) == 2, _USAGES["peg"])
    hole = whole(words[1], "hole", 0, HOLES[-1])
    expect(hole in HOLES, f"hole {hole}: one of {', '.join(map(str, HOLES))}")
    return Peg(_colour(words[0]), hole)


def _set_magnet(words: list[str]) -> TableCommand:
    expect(len(words) == 2, _USAGES["magnet"])
    return SetMagnet(_sensor(words[0]), _magnet(words[1]))


def _set_sensor(words: list[str]) -> Command:
    match words:
        case [sensor, "ok"]:
            return SetSensor(_sensor(sensor), "ok")
        case [sensor, "stuck", magnet]:
            return SetSensor(_sensor(sensor), "stuck", _magnet(magnet))
        case [sensor, "chatter", hz]:
            return SetSensor(_sensor(sensor), "chatter", whole(hz, "frequency", 1, CHATTER_MAX_HZ))
    raise CommandError(_USAGES["sensor"])


_PARSERS: MappingProxyType[str, Parser] = MappingProxyType(
    {
        "place": _place,
        "lift": _lift,
        "slide": _slide,
        "nudge": _nudge,
        "press": _press,
        "peg": _peg,
        "magnet": _set_magnet,
        "sensor": _set_sensor,
    }
)

LANGUAGE = Language(_PARSERS, _USAGES, TABLE)


def parse_command(line: str) -> Command:
    """Read one line. CommandError, or FaultError of a fault's settings."""
    command: Command = LANGUAGE.parse(line)
    return command
