"""Sensor states -> landings, gaps and pegs of a Cir*Kis board, against the position of the game.

Owns what a sensor's state means for a space or a peg hole. Must not know whose turn it is, what is legal, or
how landings form pieces.

Position and table differ in three ways: a *landing* is a magnet on a space that the position has empty; a
*gap* is a space of the position that reads empty; a *stranger* is a magnet of another colour than the
position has there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablewire.board.lies import EMPTY, NEVER_MS, Lies, SensorState
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.tiling import SpaceId
from tablewire.games.cirkis.wiring import DEFAULT_MAGNETS, SPACE_COUNT, peg_of, space_of

WEAK_OF_POLE = {PlayerColour.RED: PlayerColour.PURPLE, PlayerColour.GREEN: PlayerColour.YELLOW}
"""The colour that a strong magnet of this colour reads as while it is not yet, or no longer, in its seat."""
STRONG_OF_POLE = {weak: strong for strong, weak in WEAK_OF_POLE.items()}
COLOURS = {int(magnet): colour for colour, magnet in DEFAULT_MAGNETS.items()}
"""By class; the wire lets no other class through, but EMPTY."""


@dataclass(frozen=True, slots=True)
class Landing:
    """A magnet of `colour` that came to `space` at `landed_ms`, and last came back, or came, at `came_ms`;
    `clear` while it blinks off, `rested` when it has lain still there before, `unseen` when a snapshot told
    that it had come."""

    space: SpaceId
    colour: PlayerColour
    landed_ms: int
    came_ms: int
    changed_ms: int
    clear: bool
    flickers: bool
    rested: bool
    unseen: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """A space of the position that has read empty since `cleared_ms`; `was`: the magnet that went from there.

    That one had landed at `landed_ms`.
    """

    space: SpaceId
    cleared_ms: int
    flickers: bool
    was: PlayerColour | None
    landed_ms: int


@dataclass(frozen=True, slots=True)
class Stranger:
    """A space of the position that reads another colour, since `changed_ms`.

    `was`: what its magnet is, when it is a strong one that reads weak; it landed at `landed_ms`.
    """

    space: SpaceId
    colour: PlayerColour
    changed_ms: int
    flickers: bool
    was: PlayerColour
    landed_ms: int


@dataclass(frozen=True, slots=True)
class Sensed:
    """Every difference between table and position, and the pegs, at `now_ms`.

    Of a masked sensor nothing is taken: neither that something lies there nor that nothing does.
    """

    now_ms: int
    landings: tuple[Landing, ...] = ()
    gaps: tuple[Gap, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    pegs: Mapping[PlayerColour, tuple[int, ...]] = field(default_factory=dict)
    flaky: tuple[SpaceId, ...] = ()
    masked: frozenset[SpaceId] = frozenset()
    masked_holes: frozenset[tuple[PlayerColour, int]] = frozenset()


def sense(lies: Lies, position: Mapping[SpaceId, PlayerColour], lift_first: Mapping[SpaceId, int]) -> Sensed:
    """Compare the table with the position.

    `lift_first` maps spaces to the table time at which whatever lay there stopped counting: its visit is no
    landing, until it has been lifted.
    """
    landings: list[Landing] = []
    gaps: list[Gap] = []
    strangers: list[Stranger] = []
    flaky: list[SpaceId] = []
    pegs: dict[PlayerColour, tuple[int, ...]] = {}
    now_ms, timing = lies.now_ms, lies.timing
    for index, sensor in enumerate(lies.sensors):
        found = space_of(index)
        if found is None:
            peg = peg_of(index)
            if peg is not None and sensor.cls != EMPTY and index not in lies.masked:
                pegs[peg[0]] = (*pegs.get(peg[0], ()), peg[1])
            continue
        space = SpaceId(found)
        if index in lies.masked or (sensor.last == EMPTY and space not in position):
            continue  # nobody believes it, or nothing ever lay there
        flickers = sensor.flickers(now_ms, timing)
        if sensor.chatters(now_ms, timing) or (flickers and space not in position):
            flaky.append(space)
        due = position.get(space)
        if due is not None:
            if sensor.cls == EMPTY:
                was = None if sensor.last == EMPTY else COLOURS[sensor.last]
                gaps.append(Gap(space, sensor.changed_ms, flickers, was, sensor.landed_ms))
            elif (colour := COLOURS[sensor.cls]) != due:
                was = COLOURS[sensor.last]
                strangers.append(Stranger(space, colour, sensor.changed_ms, flickers, was, sensor.landed_ms))
        elif _lies_or_blinks(lies, index) and not still_to_lift(lies, index, lift_first.get(space)):
            going = _is_going(lies, sensor)
            landings.append(
                Landing(
                    space,
                    COLOURS[sensor.last if going else sensor.cls],
                    sensor.landed_ms,
                    sensor.came_ms,
                    sensor.changed_ms,
                    going,
                    flickers,
                    sensor.rested,
                    sensor.unseen,
                )
            )
    # A lift counts at once when that colour has landed elsewhere since.
    newest_ms = _newest_landings(lies)
    alive = tuple(
        landing
        for landing in landings
        if not landing.clear
        or newest_ms.get(landing.colour, NEVER_MS) < landing.changed_ms - timing.overlap_ms
    )
    masked = frozenset(SpaceId(i + 1) for i in lies.masked if space_of(i) is not None)
    masked_holes = frozenset(peg for i in lies.masked if (peg := peg_of(i)) is not None)
    return Sensed(now_ms, alive, tuple(gaps), tuple(strangers), pegs, tuple(flaky), masked, masked_holes)


def colour_on(lies: Lies, space: SpaceId) -> PlayerColour | None:
    """What lies, or blinks, on a space; None when nothing does."""
    sensor = lies.sensors[space - 1] if space <= len(lies.sensors) else SensorState()
    return None if sensor.last == EMPTY else COLOURS[sensor.last]


def _is_going(lies: Lies, sensor: SensorState) -> bool:
    """Whether a magnet has gone, or is being lifted: a strong one reads weak for a moment before it goes."""
    moving = lies.now_ms - sensor.changed_ms < lies.timing.quiet_ms
    return sensor.cls == EMPTY or (sensor.cls != sensor.last and moving)


def still_to_lift(lies: Lies, index: int, marked_ms: int | None) -> bool:
    """Whether what was marked at `marked_ms` as not counting still lies, or blinks, on the sensor."""
    return (
        marked_ms is not None
        and index not in lies.masked
        and index < len(lies.sensors)
        and lies.sensors[index].landed_ms <= marked_ms
        and _lies_or_blinks(lies, index)
    )


def _lies_or_blinks(lies: Lies, index: int) -> bool:
    sensor = lies.sensors[index]
    if sensor.cls != EMPTY:
        return True
    return sensor.last != EMPTY and lies.now_ms - sensor.changed_ms < lies.timing.lift_ms


def _newest_landings(lies: Lies) -> dict[PlayerColour, int]:
    """When each colour landed last, among what lies on the spaces now."""
    newest: dict[PlayerColour, int] = {}
    for index, sensor in enumerate(lies.sensors[:SPACE_COUNT]):
        if sensor.cls != EMPTY and index not in lies.masked:
            colour = COLOURS[sensor.cls]
            newest[colour] = max(newest.get(colour, sensor.landed_ms), sensor.landed_ms)
    return newest
