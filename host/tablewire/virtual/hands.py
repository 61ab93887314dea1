"""What a hand does to the magnets, step by step, for one command.

Owns the order and the times of the steps, and what a hand cannot do. Must not know sensors' readings, the
wire, or how time passes; chance is an argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tablewire.games.cirkis.wiring import HOLES, class_of, peg_sensor, sensor_of
from tablewire.virtual.commands import Command, Lift, Nudge, Peg, Place, SetMagnet, Slide
from tablewire.virtual.language import CommandError
from tablewire.virtual.magnets import Magnets
from tablewire.wire.messages import MagnetClass

PEG_TRAVEL_MS = 100  # from one hole to the next
PEG_MAGNET = MagnetClass.N_STRONG  # a peg is any magnet

EMPTY = MagnetClass.EMPTY


@dataclass(frozen=True, slots=True)
class Step:
    """After `after_ms`, this magnet lies over this sensor.

    One that is laid `gently` finds no room where another lies by then. `reads`: what its sensor reads of it
    when it does not sit well.
    """

    after_ms: int
    sensor: int
    magnet: MagnetClass
    gently: bool = False
    reads: MagnetClass | None = None

    def take(self, magnets: Magnets, now_ms: int) -> None:
        """Do it."""
        if self.gently and self.magnet and magnets[self.sensor]:
            return
        magnets.put(self.sensor, self.magnet, now_ms)
        if self.reads is not None:
            magnets.unseat(self.sensor, self.reads, now_ms)


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of one command, and when it is done."""

    steps: tuple[Step, ...]
    duration_ms: int


def plan(command: Command, magnets: Magnets, rng: Random) -> Plan | None:
    """What the hand will do, as the table lies now; None for a command that is no hand's.

    CommandError when a piece is to lie where one lies, or nothing lies where one is to be lifted.
    """
    match command:
        case Place(colour, spaces, over_ms):
            _expect_bare(spaces, magnets)
            times = _one_after_another(len(spaces), over_ms, rng)
            magnet = class_of(colour)
            steps = [Step(ms, sensor_of(space), magnet) for ms, space in zip(times, spaces, strict=True)]
            return Plan(tuple(steps), over_ms)
        case Lift(spaces, over_ms):
            expect_covered(spaces, magnets)
            times = _one_after_another(len(spaces), over_ms, rng)
            steps = [Step(ms, sensor_of(space), EMPTY) for ms, space in zip(times, spaces, strict=True)]
            return Plan(tuple(steps), over_ms)
        case Nudge(spaces, off_ms):
            expect_covered(spaces, magnets)
            sensors = [sensor_of(space) for space in spaces]
            off = [Step(0, sensor, EMPTY) for sensor in sensors]
            back = [Step(off_ms, sensor, magnets[sensor]) for sensor in sensors]
            return Plan((*off, *back), off_ms)
        case Slide():
            return _plan_slide(command, magnets)
        case Peg(colour, hole):
            target = peg_sensor(colour, hole)
            holes = (peg_sensor(colour, other) for other in HOLES)
            leaving = [
                Step(0, sensor, EMPTY) for sensor in holes if sensor != target and magnets[sensor] != EMPTY
            ]
            travel_ms = PEG_TRAVEL_MS if leaving else 0
            return Plan((*leaving, Step(travel_ms, target, PEG_MAGNET)), travel_ms)
        case SetMagnet(sensor, magnet):
            return Plan((Step(0, sensor, magnet),), 0)
        case _:
            return None


def _plan_slide(slide: Slide, magnets: Magnets) -> Plan:
    magnet = class_of(slide.colour)
    start, *rest = (sensor_of(space) for space in slide.path)
    if magnets[start] not in (EMPTY, magnet):
        raise CommandError(f"on space {slide.path[0]} lies a piece of another colour")
    _expect_bare(tuple(space for space in slide.path[1:] if space != slide.path[0]), magnets)
    steps = [Step(0, start, magnet)]
    before, at_ms = start, 0
    for sensor in rest:
        at_ms += slide.dwell_ms
        steps += [Step(at_ms, before, EMPTY), Step(at_ms, sensor, magnet)]
        before = sensor
    return Plan(tuple(steps), at_ms)


def _one_after_another(count: int, over_ms: int, rng: Random) -> list[int]:
    """When each of so many magnets moves: the first at once, the last after `over_ms`."""
    if count == 1:
        return [0]
    between = sorted(rng.randint(0, over_ms) for _ in range(count - 2))
    return [0, *between, over_ms]


def _expect_bare(spaces: tuple[int, ...], magnets: Magnets) -> None:
    covered = [str(space) for space in spaces if magnets[sensor_of(space)] != EMPTY]
    if covered:
        raise CommandError(f"a piece lies on {', '.join(covered)} already: lift it first")


def expect_covered(spaces: tuple[int, ...], magnets: Magnets) -> None:
    """Something lies on all of the spaces. CommandError, which names those that are bare."""
    bare = [str(space) for space in spaces if magnets[sensor_of(space)] == EMPTY]
    if bare:
        raise CommandError(f"nothing lies on {', '.join(bare)}")
