"""The table is not what the game says: the whole difference as steps, first what to lift, then what to place.

Owns the message of a table to be cleared or put right. Must not know how the difference was found, or HTML.

The steps are made anew at every look, so whatever has been done is gone from them, in whatever order. Nothing
is to be lifted that would be the next move as soon as the table is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tablewire.board.lies import Lies
from tablewire.games.cirkis import words
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.findings import HalfLaid, Illegal, Unexplained
from tablewire.games.cirkis.messages import Message, MessageKind, Step, steps_of
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.sensing import colour_on
from tablewire.games.cirkis.survey import Survey
from tablewire.games.cirkis.tiling import SpaceId

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

SPOKEN_COUNT = 2
"""Steps that the text says as well; more are a list, which the page shows."""
SPOKEN_SPACES = 6
"""Spaces to be lifted that the text says one by one."""


def to_restore(table: CirkisTable, lies: Lies, look: Survey) -> Message | None:
    """What to lift and what to place; None when the table is right."""
    if not look.disturbed:
        return None
    to_lift = look.seating.to_lift
    if table.setting_up:
        text = f"Clear the board to begin: {_lifted(to_lift)}."
        return Message(MessageKind.SETUP, text, (), ({"do": "lift", "spaces": list(to_lift)},))
    in_the_way = steps_of("lift", _in_the_way(look))
    over = [step for some in _known_pieces(table, to_lift) for step in steps_of("lift", _on(lies, some))]
    lifts = sorted([*over, *in_the_way], key=lambda step: step["spaces"])
    places = places_of(table, _empty_seats(look))
    if not places and not in_the_way:
        text = f"{_lifted(to_lift).capitalize()}: it is not part of the game."
    else:
        text = f"The table is not what the game says: {_said([*lifts, *places])}."
    return Message(MessageKind.RESTORE, text, (), (*lifts, *places))


def _known_pieces(table: CirkisTable, spaces: tuple[SpaceId, ...]) -> Iterator[list[SpaceId]]:
    """The spaces by the pieces that lay there before moves were undone; the others together."""
    left = set(spaces)
    for line, _ in table.undone:
        if isinstance(line, Turn) and left.issuperset(line.spaces):
            left -= {SpaceId(space) for space in line.spaces}
            yield sorted(SpaceId(space) for space in line.spaces)
    yield sorted(left)


def _on(lies: Lies, spaces: list[SpaceId]) -> Iterator[tuple[SpaceId, PlayerColour | None]]:
    for space in spaces:
        yield space, colour_on(lies, space)


def places_of(table: CirkisTable, spaces: Iterable[SpaceId]) -> list[Step]:
    """One step for each piece of the position that lacks some of these spaces, with those it lacks."""
    empty = set(spaces)
    found = [
        {"do": "place", "spaces": sorted(empty.intersection(piece)), "colour": player}
        for player, piece in table.moves.pieces_on_table()
        if empty.intersection(piece)
    ]
    return sorted(found, key=lambda step: step["spaces"])


def _in_the_way(look: Survey) -> Iterator[tuple[SpaceId, PlayerColour | None]]:
    """What lies, or may lie, where another belongs, beside its own place, or where no rule lets it."""
    for stranger in look.seating.strangers:
        yield stranger.space, stranger.colour
    yield from ((space, None) for space in look.seating.doubtful)
    for shift in look.seating.shifts:
        if shift.settled:
            yield from ((space, shift.player) for space in shift.found)
    for trouble in look.troubles:
        if isinstance(trouble, Illegal | HalfLaid | Unexplained):
            yield from ((space, trouble.group.colour) for space in trouble.group.landed_ms)


def _empty_seats(look: Survey) -> Iterator[SpaceId]:
    """The spaces of the position that do not read what lies there by the game."""
    yield from look.seating.missing
    yield from look.seating.half_seated
    yield from (stranger.space for stranger in look.seating.strangers)
    for shift in look.seating.shifts:
        if shift.settled:
            yield from shift.left


def _lifted(spaces: tuple[SpaceId, ...]) -> str:
    if len(spaces) > SPOKEN_SPACES:
        return f"lift what lies on the {len(spaces)} spaces that are marked"
    return f"lift what lies on {words.spaces_said(spaces)}"


def _said(steps: list[Step]) -> str:
    if len(steps) > SPOKEN_COUNT:
        return "put right what is listed, in any order"
    return ", then ".join(
        f"lift {step.get('colour', 'what lies')} from {words.spaces_said(step['spaces'])}"
        if step["do"] == "lift"
        else f"put {step['colour']} back on {words.spaces_said(step['spaces'])}"
        for step in steps
    )
