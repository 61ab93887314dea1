"""The values of the one message of the page: its kind, its steps and its choices.

Owns their form and how a choice is named. Must not know what is wrong with a table, HTML or the journal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tablewire.games.cirkis import words
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.findings import Answer, Commit, Group, Mask, Merge, Rewrite
from tablewire.games.cirkis.previews import growth_said
from tablewire.games.cirkis.tiling import SpaceId, mask_of
from tablewire.games.cirkis.wiring import sensor_said, space_of

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

Step = Mapping[str, Any]


class MessageKind(StrEnum):
    """What sort of thing a person must put right or decide."""

    SETUP = "setup"
    RESTORE = "restore"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    UNEXPLAINED = "unexplained"
    PEG = "peg"


@dataclass(frozen=True, slots=True)
class Button:
    """What a person may press: its id stays the same while the same question stands.

    `spaces` are what it is about, to be shown on the board.
    """

    id: str
    text: str
    spaces: tuple[SpaceId, ...]


@dataclass(frozen=True, slots=True)
class Choice(Button):
    """A button, and the change that pressing it makes."""

    change: Answer | Mask


@dataclass(frozen=True, slots=True)
class Message:
    """The message of the state document."""

    kind: MessageKind
    text: str
    reasons: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    choices: tuple[Button, ...] = ()
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


def lift(group: Group) -> Step:
    """The step that lifts a group."""
    return {"do": "lift", "spaces": sorted(group.landed_ms), "colour": group.colour}


def steps_of(do: str, spaces: Iterable[tuple[SpaceId, PlayerColour | None]]) -> list[Step]:
    """One step for each colour, those with the lowest space first; a colour that is not known is left out."""
    by_colour: dict[PlayerColour | None, list[SpaceId]] = defaultdict(list)
    for space, colour in sorted(set(spaces), key=lambda each: each[0]):
        by_colour[colour].append(space)
    return [
        {"do": do, "spaces": some, **({} if colour is None else {"colour": colour})}
        for colour, some in by_colour.items()
    ]


def choice_of(table: CirkisTable, change: Answer, group: Group) -> Choice:
    """What a group can be, as a button; `fill:` when not everything of it reads as it should."""
    match change:
        case Rewrite(index, player, placement) | Merge(index, _, player, placement):
            text = f"It is one piece: {player}'s {placement.shape} on {words.spaces_said(placement.spaces)}"
            # Nothing that was played after it is given up without having been named.
            after = growth_said(table, change)
            text += f"; then {after}" if after else ""
            return Choice(f"grow:{index}:{_id(placement.spaces)}", text, placement.spaces, change)
        case Commit(player, reading, _):
            spaces = tuple(space for piece in reading for space in piece.spaces)
            pieces = [(piece.shape, piece.spaces) for piece in reading]
            text = f"{words.name_of(player)} placed {words.pieces_said(pieces)}"
            if table.refused(player, reading):
                text += ", against the rules: let it stand"
            filled = player != group.colour or mask_of(spaces) & ~group.mask
            name = "|".join(_id(piece.spaces) for piece in reading)
            return Choice(f"{'fill' if filled else 'move'}:{name}", text, spaces, change)


def mask_choice(sensor: int) -> Choice:
    """Stop believing a sensor, as a button."""
    space = space_of(sensor)
    spaces = () if space is None else (SpaceId(space),)
    text = f"Stop believing the sensor of {sensor_said(sensor)}"
    return Choice(f"mask:{sensor}", text, spaces, Mask(sensor))


def _id(spaces: Iterable[int]) -> str:
    return ",".join(str(space) for space in spaces)
