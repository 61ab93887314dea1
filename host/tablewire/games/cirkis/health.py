"""How far each sensor of a Cir*Kis board can be believed.

Owns the conditions of a sensor and what they follow from. Must not know words, or how a mask is set.

A sensor that says nothing for long, or the same for long, is bad only if it should have changed: a piece lies
on it by the game and its other spaces read, or somebody was asked to lift what lies there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import EMPTY, NEVER_MS, Lies, SensorState
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.pegs import peg_due
from tablewire.games.cirkis.tiling import SpaceId
from tablewire.games.cirkis.wiring import (
    HOLES,
    SENSOR_COUNT,
    class_of,
    colour_of,
    peg_of,
    peg_sensor,
    sensor_of,
    space_of,
)
from tablewire.wire.observed import SensorId

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

FEW_COUNT = 3
"""More spaces than this to be lifted, or filled, are a table nobody has put right yet, not bad sensors."""


class Condition(StrEnum):
    """What is wrong with a sensor; nothing is said of one that is well."""

    CHATTERING = "chattering"
    STUCK = "stuck"
    SILENT = "silent"
    MASKED = "masked"


OK = "ok"


def conditions(table: CirkisTable, lies: Lies) -> Mapping[SensorId, Condition]:
    """Every sensor that is not well."""
    found = dict.fromkeys(_silent(table, lies), Condition.SILENT)
    found |= dict.fromkeys(_stuck(table, lies), Condition.STUCK)
    for index, sensor in enumerate(lies.sensors[:SENSOR_COUNT]):
        # Most have hardly ever changed, and all are looked at for every document.
        if sensor.recent_ms and sensor.is_unsteady(lies.now_ms, lies.timing):
            found[SensorId(index)] = Condition.CHATTERING
    masked = (SensorId(index) for index in lies.masked if index < SENSOR_COUNT)
    return found | dict.fromkeys(masked, Condition.MASKED)


def summary(table: CirkisTable, lies: Lies) -> dict[str, dict[str, str]]:
    """The sensors that are not well, by space and by peg hole, for the state document."""
    said: dict[str, dict[str, str]] = {"spaces": {}, "pegs": {}}
    for sensor, condition in sorted(conditions(table, lies).items()):
        space = space_of(sensor)
        where, name = ("spaces", str(space)) if space is not None else ("pegs", _peg_name(sensor))
        said[where][name] = condition
    return said


def sensors(table: CirkisTable, lies: Lies) -> dict[str, Any]:
    """Every sensor with what it stands for, what it reads and how far it can be believed."""
    bad = conditions(table, lies)
    rows = []
    for index in range(SENSOR_COUNT):
        state, space = _state(lies, SensorId(index)), space_of(index)
        rows.append(
            {
                "sensor": index,
                **({"peg": _peg_name(index)} if space is None else {"space": space}),
                "state": bad.get(SensorId(index), OK),
                "reads": state.cls,
                "colour": colour_of(state.cls),
                "changes": state.change_count,
                "changed_ms": None if state.changed_ms == NEVER_MS else state.changed_ms,
            }
        )
    return {"sensors": rows}


def _peg_name(sensor: int) -> str:
    peg = peg_of(sensor)
    return "" if peg is None else f"{peg[0]} {peg[1]}"


def _state(lies: Lies, sensor: SensorId) -> SensorState:
    return lies.sensors[sensor] if sensor < len(lies.sensors) else SensorState()


def _silent(table: CirkisTable, lies: Lies) -> Iterator[SensorId]:
    """Spaces under a piece that do not read for long while its others do, or it alone is asked for; and such
    peg holes."""
    gone: list[SensorId] = []
    for _, spaces in table.moves.pieces_on_table() if table.moves.state.ended is None else ():
        states = {sensor_of(space): _state(lies, sensor_of(space)) for space in spaces}
        reading = [state.landed_ms for state in states.values() if state.cls != EMPTY]
        lost = [sensor for sensor, state in states.items() if state.cls == EMPTY]
        silent = [s for s in lost if _is_long(lies, max([states[s].changed_ms, *reading]))]
        if reading:
            yield from silent
        else:
            away_ms = lies.now_ms - lies.timing.lift_ms  # a piece that is straightened is not gone
            gone += [s for s in lost if s not in lies.masked and states[s].changed_ms <= away_ms]
    if len(gone) <= FEW_COUNT:
        yield from (sensor for sensor in gone if _is_long(lies, _state(lies, sensor).changed_ms))
    for player in table.moves.rules.players:
        holes = [_state(lies, peg_sensor(player, hole)) for hole in HOLES]
        was_seen = any(hole.last != EMPTY for hole in holes)
        if was_seen and not any(hole.cls for hole in holes):
            due = peg_sensor(player, peg_due(table.moves.state.scores_of(player)))
            if _is_long(lies, max(hole.changed_ms for hole in holes)):
                yield due


def _stuck(table: CirkisTable, lies: Lies) -> Iterator[SensorId]:
    """Sensors that read a magnet for long where none can be."""
    asked = [
        sensor_of(space) for space in _should_be_empty(table, lies) if sensor_of(space) not in lies.masked
    ]
    if len(asked) <= FEW_COUNT and table.moves.state.ended is None:
        yield from (sensor for sensor in asked if _is_long(lies, _asked_ms(table, lies, sensor)))
    for player in table.moves.rules.players:
        due = peg_due(table.moves.state.scores_of(player))
        holes = {hole: _state(lies, peg_sensor(player, hole)) for hole in HOLES}
        newest_ms = max(state.landed_ms for state in holes.values())
        for hole, state in holes.items():
            went = state.landed_ms < newest_ms
            if hole != due and state.cls != EMPTY and went and _is_long(lies, newest_ms):
                yield peg_sensor(player, hole)


def _should_be_empty(table: CirkisTable, lies: Lies) -> Iterator[SpaceId]:
    """Spaces that read something that is not there by the game."""
    position, settled_ms = table.moves.position, lies.now_ms - lies.timing.quiet_ms
    for space, state in ((SpaceId(i + 1), s) for i, s in enumerate(lies.sensors) if space_of(i)):
        other = space in position and not _may_be(state, position[space]) and state.changed_ms <= settled_ms
        if state.cls != EMPTY and (space not in position or other):
            yield space


def _may_be(state: SensorState, colour: PlayerColour) -> bool:
    return state.cls == class_of(colour) or state.last == class_of(colour)


def _asked_ms(table: CirkisTable, lies: Lies, sensor: SensorId) -> int:
    return max(lies.sensors[sensor].changed_ms, table.lift_first.get(SpaceId(sensor + 1), NEVER_MS))


def _is_long(lies: Lies, since_ms: int) -> bool:
    return since_ms > NEVER_MS and lies.now_ms - since_ms >= lies.timing.long_ms
