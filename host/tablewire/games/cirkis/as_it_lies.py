"""What lies on the spaces of a Cir*Kis board, read against the game as a person would read it.

Owns which space counts as holding which colour when the table is taken as it lies, and what differs from the
game. Must not know what is done about a difference.

A piece that is half in its seat lies there, though one of its spaces does not read. What a masked or
flickering space says is nobody's word; there the game's own is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tablewire.board.lies import EMPTY, NEVER_MS, Lies, SensorState
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.moves import Moves
from tablewire.games.cirkis.sensing import COLOURS, STRONG_OF_POLE
from tablewire.games.cirkis.tiling import SpaceId, board, mask_of, spaces_of
from tablewire.games.cirkis.wiring import SPACE_COUNT, sensor_of


@dataclass(frozen=True, slots=True)
class AsItLies:
    """Colour and landing time by space, the spaces that do not say, and whether all has come to rest.

    `half_seated`: spaces that do not read what counts as lying there.
    """

    colours: Mapping[SpaceId, PlayerColour]
    landed_ms: Mapping[SpaceId, int]
    unread: frozenset[SpaceId]
    at_rest: bool
    half_seated: frozenset[SpaceId] = frozenset()


def read_table(moves: Moves, lies: Lies, half_seated: Collection[SpaceId]) -> AsItLies:
    """The table as it lies. Before any board was seen, what the game says lies there.

    `half_seated` are spaces of pieces that lie in their place, but do not read there.
    """
    if not lies.sensors:
        return AsItLies(dict(moves.position), dict.fromkeys(moves.position, NEVER_MS), frozenset(), True)
    sensors = lies.sensors[:SPACE_COUNT]
    unread = frozenset(
        SpaceId(index + 1)
        for index, sensor in enumerate(sensors)
        if index in lies.masked or sensor.flickers(lies.now_ms, lies.timing)
    )
    read = {
        SpaceId(index + 1): COLOURS[sensor.cls]
        for index, sensor in enumerate(sensors)
        if sensor.cls != EMPTY and index + 1 not in unread
    }
    colours = {space: _as_a_player(moves, space, read) for space in read}
    # What a bare space lacks may be what lies elsewhere now, if that is of its colour.
    elsewhere = {colour for space, colour in colours.items() if moves.position.get(space) != colour}
    seated = {space for space in half_seated if space in read or moves.position[space] not in elsewhere}
    for space, player in moves.position.items():
        if space in unread or space in seated:
            colours[space] = player
    landed_ms = {space: sensors[sensor_of(space)].landed_ms for space in colours}
    moving = any(_moves(sensor, lies) for index, sensor in enumerate(sensors) if index + 1 not in unread)
    return AsItLies(colours, landed_ms, unread, not moving, frozenset(seated) - unread)


def _as_a_player(moves: Moves, space: SpaceId, read: Mapping[SpaceId, PlayerColour]) -> PlayerColour:
    """A weak magnet of nobody who plays, beside a new strong one of its pole, is a strong one as well."""
    colour, players = read[space], moves.rules.players
    strong = STRONG_OF_POLE.get(colour)
    if strong is None or strong not in players or colour in players:
        return colour
    around = spaces_of(board().touching(mask_of([space])))
    new = [other for other in around if read.get(other) == strong and other not in moves.position]
    return strong if new else colour


def _moves(sensor: SensorState, lies: Lies) -> bool:
    """Whether what a sensor reads may still be a piece on its way: coming down, or off for a moment."""
    since_ms = lies.now_ms - sensor.changed_ms
    if sensor.cls != EMPTY:
        return since_ms < lies.timing.quiet_ms
    return sensor.last != EMPTY and since_ms < lies.timing.lift_ms
