"""The lines that move pieces and break things on a simulated board, read into values.

Owns the syntax of every command and what is refused before it is tried. Must not know what lies on the table,
time, or how a command is done. Space and hole numbers are checked; whether something lies there is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import HOLES, SENSOR_COUNT, SPACE_COUNT
from tablewire.virtual.fault_kinds import Fault
from tablewire.virtual.fault_table import parse_fault
from tablewire.wire.messages import MagnetClass

LINE_MAX_BYTES = 4096  # all 165 spaces take 604; a longer line is a mistake and is not kept
DURATION_MAX_MS = 3_600_000  # an hour; longer is a slip of the finger
CHATTER_MAX_HZ = 500  # faster than any scan


class CommandError(ValueError):
    """A line that is no command; the text says what is wrong with it."""


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


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing, for a while."""

    ms: int


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast the board's time runs."""

    fast: bool


@dataclass(frozen=True, slots=True)
class FaultOn:
    """A fault begins."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class FaultOff:
    """A fault ends, or with `all` every one."""

    name: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A command that is one word: pause, resume, reset, unplug, plug, state, quit, faults, explain."""

    word: str


Command = (
    Place
    | Lift
    | Slide
    | Nudge
    | Press
    | Peg
    | SetMagnet
    | SetSensor
    | Wait
    | Speed
    | FaultOn
    | FaultOff
    | Plain
)

ALL = "all"
PLAIN_WORDS = ("pause", "resume", "reset", "unplug", "plug", "state", "quit")


def parse_command(line: str) -> Command:
    """Read one line. CommandError, or FaultError of a fault's settings."""
    if len(line.encode("utf-8", "replace")) > LINE_MAX_BYTES:
        raise CommandError(f"a line is at most {LINE_MAX_BYTES} bytes long")
    words = line.split()
    if not words:
        raise CommandError("an empty line")
    if words[0] in PLAIN_WORDS:
        _expect(len(words) == 1, f"{words[0]} stands alone")
        return Plain(words[0])
    parse = _PARSERS.get(words[0])
    if parse is None:
        raise CommandError(
            f"no command is called {words[0]}; there are {', '.join([*_PARSERS, *PLAIN_WORDS])}"
        )
    return parse(words[1:])


def _expect(condition: bool, text: str) -> None:
    if not condition:
        raise CommandError(text)


def _whole(word: str, name: str, low: int, high: int) -> int:
    # int() takes signs, underscores and other scripts' digits; a command does not.
    _expect(word.isascii() and word.isdigit() and len(word) <= 9, f"{name} {word}: not a whole number")
    number = int(word)
    _expect(low <= number <= high, f"{name} {word}: from {low} to {high}")
    return number


def _milliseconds(word: str) -> int:
    return _whole(word, "time", 0, DURATION_MAX_MS)


def _colour(word: str) -> PlayerColour:
    _expect(word in set(PlayerColour), f"no colour is called {word}; there are {', '.join(PlayerColour)}")
    return PlayerColour(word)


def _magnet(word: str) -> MagnetClass:
    return MagnetClass(_whole(word, "class", 0, max(MagnetClass)))


def _sensor(word: str) -> int:
    return _whole(word, "sensor", 0, SENSOR_COUNT - 1)


def _space(word: str) -> int:
    return _whole(word, "space", 1, SPACE_COUNT)


def _spaces(word: str) -> tuple[int, ...]:
    spaces = tuple(_space(one) for one in word.split(","))
    _expect(len(set(spaces)) == len(spaces), f"spaces {word}: one is named twice")
    return spaces


def _option(words: list[str], name: str, default: int) -> int:
    if not words:
        return default
    _expect(len(words) == 2 and words[0] == name, f"only `{name} MS` may follow, not {' '.join(words)}")
    return _milliseconds(words[1])


def _place(words: list[str]) -> Command:
    _expect(len(words) >= 2, "place COLOUR SPACES [over MS]")
    return Place(_colour(words[0]), _spaces(words[1]), _option(words[2:], "over", 0))


def _lift(words: list[str]) -> Command:
    _expect(len(words) >= 1, "lift SPACES [over MS]")
    return Lift(_spaces(words[0]), _option(words[1:], "over", 0))


def _slide(words: list[str]) -> Command:
    _expect(len(words) >= 3, "slide COLOUR FROM TO[,TO ...] [dwell MS]")
    path = (_space(words[1]), *(_space(one) for one in words[2].split(",")))
    for here, there in pairwise(path):
        _expect(here != there, f"space {there} follows itself")
    return Slide(_colour(words[0]), path, _option(words[3:], "dwell", 100))


def _nudge(words: list[str]) -> Command:
    _expect(len(words) == 2, "nudge SPACES MS")
    return Nudge(_spaces(words[0]), _milliseconds(words[1]))


def _press(words: list[str]) -> Command:
    _expect(len(words) == 1, "press SPACES")
    return Press(_spaces(words[0]))


def _peg(words: list[str]) -> Command:
    _expect(len(words) == 2, "peg COLOUR HOLE")
    hole = _whole(words[1], "hole", 0, HOLES[-1])
    _expect(hole in HOLES, f"hole {hole}: one of {', '.join(map(str, HOLES))}")
    return Peg(_colour(words[0]), hole)


def _set_magnet(words: list[str]) -> Command:
    _expect(len(words) == 2, "magnet SENSOR CLASS")
    return SetMagnet(_sensor(words[0]), _magnet(words[1]))


def _set_sensor(words: list[str]) -> Command:
    match words:
        case [sensor, "ok"]:
            return SetSensor(_sensor(sensor), "ok")
        case [sensor, "stuck", magnet]:
            return SetSensor(_sensor(sensor), "stuck", _magnet(magnet))
        case [sensor, "chatter", hz]:
            return SetSensor(_sensor(sensor), "chatter", _whole(hz, "frequency", 1, CHATTER_MAX_HZ))
    raise CommandError("sensor SENSOR ok | stuck CLASS | chatter HZ")


def _wait(words: list[str]) -> Command:
    _expect(len(words) == 1, "wait MS")
    return Wait(_milliseconds(words[0]))


def _speed(words: list[str]) -> Command:
    _expect(words in (["real"], ["fast"]), "speed real | fast")
    return Speed(words == ["fast"])


def _fault(words: list[str]) -> Command:
    _expect(len(words) >= 1, "fault NAME [KEY=VALUE ...] | off NAME | off all | list | help")
    if words == ["list"]:
        return Plain("faults")
    if words == ["help"]:
        return Plain("explain")
    if words[0] == "off":
        _expect(len(words) == 2, "fault off NAME | all")
        return FaultOff(ALL if words[1] == ALL else parse_fault(words[1], []).name)
    return FaultOn(parse_fault(words[0], words[1:]))


_PARSERS: MappingProxyType[str, Callable[[list[str]], Command]] = MappingProxyType(
    {
        "place": _place,
        "lift": _lift,
        "slide": _slide,
        "nudge": _nudge,
        "press": _press,
        "peg": _peg,
        "magnet": _set_magnet,
        "sensor": _set_sensor,
        "wait": _wait,
        "speed": _speed,
        "fault": _fault,
    }
)
