"""What a person must do or decide now: the one message of the page, from what a look at the table found.

Owns the choice of message, its steps and its choices. Must not know the journal, HTML or how a look is made.

Order of urgency: a table that is not set up; pieces missing or strangers; a question; an illegal or
unexplained piece; a sensor that cannot be believed; a peg in the wrong hole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.games.cirkis import words
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.findings import (
    Ambiguous,
    Commit,
    Group,
    Illegal,
    Rewrite,
    Trouble,
    Unexplained,
    Unsteady,
)
from tablewire.games.cirkis.pegs import wrong_pegs
from tablewire.games.cirkis.survey import Survey
from tablewire.games.cirkis.tiling import SpaceId

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable


class MessageKind(StrEnum):
    """What sort of thing a person must put right or decide."""

    SETUP = "setup"
    RESTORE = "restore"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"
    PEG = "peg"


HOLDING = frozenset(MessageKind) - {MessageKind.SETUP, MessageKind.PEG}
"""The kinds of message that mean: the table is not what the game says."""


LARGEST_PIECE = 3
"""Spaces: what covers more of one colour at once is several pieces, laid while the table was not read."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: its id stays the same while the same question stands."""

    id: str
    text: str
    change: Commit | Rewrite

    @property
    def spaces(self) -> tuple[SpaceId, ...]:
        """What the choice is about, to be shown on the board."""
        if isinstance(self.change, Rewrite):
            return self.change.placement.spaces
        return tuple(space for piece in self.change.reading for space in piece.spaces)


@dataclass(frozen=True, slots=True)
class Message:
    """The message of the state document."""

    kind: MessageKind
    text: str
    reasons: tuple[str, ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()
    choices: tuple[Choice, ...] = ()
    holds: bool = True

    def to_json(self) -> dict[str, Any]:
        """The form the page reads."""
        return {
            "kind": self.kind,
            "reasons": list(self.reasons),
            "text": self.text,
            "steps": [dict(step) for step in self.steps],
            "choices": [
                {"id": choice.id, "text": choice.text, "spaces": list(choice.spaces)}
                for choice in self.choices
            ],
        }


def message(table: CirkisTable, lies: Lies, look: Survey) -> Message | None:
    """The most urgent thing to put right; None when nothing is."""
    for found in (
        _to_lift(table, lies),
        _to_restore(table, look),
        _trouble(table, look),
        _half_seated(table, look),
    ):
        if found is not None:
            return found
    return _flaky(look) or _peg(table, look)


def choices(table: CirkisTable, look: Survey) -> tuple[Choice, ...]:
    """The choices that are open now, whether or not something more urgent is shown."""
    return tuple(
        _choice(table, change)
        for trouble in look.troubles
        if isinstance(trouble, Ambiguous)
        for change in trouble.choices
    )


def _to_lift(table: CirkisTable, lies: Lies) -> Message | None:
    lying = table.still_lying(lies)
    if not lying:
        return None
    steps = ({"do": "lift", "spaces": list(lying)},)
    if table.setting_up:
        return Message(
            MessageKind.SETUP,
            f"Clear the board to begin: lift what lies on {words.spaces_said(lying)}.",
            (),
            steps,
        )
    text = f"Lift what lies on {words.spaces_said(lying)}: it is no longer part of the game."
    return Message(MessageKind.RESTORE, text, (), steps)


def _to_restore(table: CirkisTable, look: Survey) -> Message | None:
    if not look.missing and not look.strangers:
        return None
    lift = sorted(stranger.space for stranger in look.strangers)
    lost = {table.moves.position[space] for space in look.missing}
    for trouble in look.troubles:
        if isinstance(trouble, Illegal | Unexplained) and trouble.group.colour in lost:
            lift.extend(trouble.group.landed_ms)
    place = [*look.missing, *(stranger.space for stranger in look.strangers)]
    steps: list[Mapping[str, Any]] = []
    said = []
    if lift:
        steps.append({"do": "lift", "spaces": sorted(lift)})
        said.append(f"lift what lies on {words.spaces_said(sorted(lift))}")
    by_colour: dict[PlayerColour, list[SpaceId]] = defaultdict(list)
    for space in sorted(place):
        by_colour[table.moves.position[space]].append(space)
    for colour, spaces in by_colour.items():
        steps.append({"do": "place", "spaces": spaces, "colour": colour})
        said.append(f"put {colour} back on {words.spaces_said(spaces)}")
    text = f"The table is not what the game says: {', then '.join(said)}."
    return Message(MessageKind.RESTORE, text, (), tuple(steps))


def _trouble(table: CirkisTable, look: Survey) -> Message | None:
    """The first trouble, questions before refusals."""
    ordered = sorted(look.troubles, key=lambda trouble: not isinstance(trouble, Ambiguous))
    return _say(table, ordered[0]) if ordered else None


def _say(table: CirkisTable, trouble: Trouble) -> Message:
    match trouble:
        case Ambiguous(group, _):
            open_choices = tuple(_choice(table, change) for change in trouble.choices)
            text = (
                f"{words.name_of(group.colour)} on {words.spaces_said(sorted(group.landed_ms))} "
                "can be read in more than one way. Which is it?"
            )
            return Message(MessageKind.AMBIGUOUS, text, (), (_lift(group),), open_choices)
        case Illegal(group, piece, reasons, turn):
            refused = group.colour in table.passed_over()
            text = words.refusal_said(group.colour, piece.shape, turn, reasons, refused)
            return Message(MessageKind.ILLEGAL, f"{text} Lift it.", reasons, (_lift(group),))
        case Unexplained(group, colour_plays):
            return _unexplained(group, colour_plays)
        case Unsteady(colour, spaces):
            text = f"{words.flickers_said(spaces)}: press {colour}'s piece down, or lift it."
            return Message(
                MessageKind.UNEXPLAINED, text, ("flaky_sensor",), ({"do": "lift", "spaces": list(spaces)},)
            )


def _unexplained(group: Group, colour_plays: bool) -> Message:
    spaces = sorted(group.landed_ms)
    if not colour_plays:
        text = (
            f"{words.name_of(group.colour)} is not playing, but something {group.colour} lies on "
            f"{words.spaces_said(spaces)}. Lift it, or press it down if it is another colour."
        )
        return Message(MessageKind.UNEXPLAINED, text, ("unknown_player",), (_lift(group),))
    if len(spaces) > LARGEST_PIECE:
        text = (
            f"New pieces of {group.colour} lie on {words.spaces_said(spaces)}, more than one turn can "
            "explain. Lift them, and place them again one by one."
        )
        return Message(MessageKind.UNEXPLAINED, text, ("not_a_piece",), (_lift(group),))
    text = (
        f"No piece of the set covers {words.spaces_said(spaces)}. If a space of it does not read, "
        f"press {group.colour}'s piece down; otherwise lift it."
    )
    return Message(MessageKind.UNEXPLAINED, text, ("not_a_piece",), (_lift(group),))


def _half_seated(table: CirkisTable, look: Survey) -> Message | None:
    if not look.half_seated:
        return None
    space = look.half_seated[0]
    colour = table.moves.position[space]
    text = f"{words.do_not(look.half_seated)} read {colour}: press the piece down."
    steps = ({"do": "place", "spaces": list(look.half_seated), "colour": colour},)
    return Message(MessageKind.RESTORE, text, ("half_seated",), steps, holds=False)


def _flaky(look: Survey) -> Message | None:
    spaces = look.sensed.flaky
    if not spaces:
        return None
    text = f"{words.flickers_said(spaces)}; play can go on."
    return Message(MessageKind.UNEXPLAINED, text, ("flaky_sensor",), (), holds=False)


def _peg(table: CirkisTable, look: Survey) -> Message | None:
    """Pegs wait until nothing is provisional."""
    wrong = () if look.provisional else tuple(wrong_pegs(table.moves, look.sensed))
    if not wrong:
        return None
    said = words.listed(f"{words.name_of(player)}'s peg to {hole}" for player, hole in wrong)
    steps = tuple({"do": "move_peg", "colour": player, "hole": hole} for player, hole in wrong)
    return Message(MessageKind.PEG, f"Move {said}.", (), steps, holds=False)


def _lift(group: Group) -> Mapping[str, Any]:
    return {"do": "lift", "spaces": sorted(group.landed_ms), "colour": group.colour}


def _choice(table: CirkisTable, change: Commit | Rewrite) -> Choice:
    match change:
        case Rewrite(index, player, placement, _):
            text = f"It is one piece: {player}'s {placement.shape} on {words.spaces_said(placement.spaces)}"
            return Choice(f"grow:{index}:{_id(placement.spaces)}", text, change)
        case Commit(player, reading, _):
            pieces = [(piece.shape, piece.spaces) for piece in reading]
            text = f"{words.name_of(player)} placed {words.pieces_said(pieces)}"
            if table.refused(player, reading):
                text += ", against the rules: let it stand"
            return Choice("move:" + "|".join(_id(piece.spaces) for piece in reading), text, change)


def _id(spaces: Iterable[int]) -> str:
    return ",".join(str(space) for space in spaces)
