"""The table is not what the game says: the whole difference as steps, first what to lift, then what to place.

Owns the message of a table to be cleared or put right. Must not know how the difference was found, or HTML.

The steps are made anew at every look, so whatever has been done is gone from them, in whatever order. Nothing
is to be lifted that would be the next move as soon as the table is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tablewire.board.lies import Lies
from tablewire.games.cirkis import words
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.findings import HalfLaid, Illegal, Unexplained
from tablewire.games.cirkis.messages import Message, MessageKind, Step, steps_of
from tablewire.games.cirkis.sensing import colour_on
from tablewire.games.cirkis.survey import Survey
from tablewire.games.cirkis.tiling import SpaceId

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

SPOKEN_COUNT = 8
"""More spaces than this are not read out one by one: the steps have them."""


def to_restore(table: CirkisTable, lies: Lies, look: Survey) -> Message | None:
    """What to lift and what to place; None when the table is right."""
    if not look.disturbed:
        return None
    to_lift = look.seating.to_lift
    if table.setting_up:
        text = f"Clear the board to begin: lift what lies on {words.spaces_said(to_lift)}."
        return Message(MessageKind.SETUP, text, (), ({"do": "lift", "spaces": list(to_lift)},))
    lifts = steps_of("lift", [*((space, colour_on(lies, space)) for space in to_lift), *_in_the_way(look)])
    places = steps_of("place", ((space, table.moves.position[space]) for space in _empty_seats(look)))
    if not places and not any(_in_the_way(look)):
        text = f"Lift what lies on {words.spaces_said(to_lift)}: it is no longer part of the game."
    else:
        text = f"The table is not what the game says: {_said(lifts, places)}."
    return Message(MessageKind.RESTORE, text, (), (*lifts, *places))


def _in_the_way(look: Survey) -> Iterator[tuple[SpaceId, PlayerColour]]:
    """What lies where another piece belongs, beside its own place, or where the rules do not let it."""
    for stranger in look.seating.strangers:
        yield stranger.space, stranger.colour
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


def _said(lifts: list[Step], places: list[Step]) -> str:
    if sum(len(step["spaces"]) for step in (*lifts, *places)) > SPOKEN_COUNT:
        counts = [
            f"{verb} {sum(len(step['spaces']) for step in steps)} spaces"
            for verb, steps in (("clear", lifts), ("fill", places))
            if steps
        ]
        return f"{', then '.join(counts)}, as listed"
    said = [
        f"lift {step.get('colour', 'what lies')} from {words.spaces_said(step['spaces'])}" for step in lifts
    ]
    said += [f"put {step['colour']} back on {words.spaces_said(step['spaces'])}" for step in places]
    return ", then ".join(said)
