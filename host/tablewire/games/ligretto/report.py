"""What the rules say about one line of a record, and the form in which `tablewire score` prints it.

Owns the reasons and the printed forms. Must not know how any of it is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple


class Reason(StrEnum):
    """Why a line is illegal, or cannot be decided. A line has every reason that applies.

    GAME_OVER and UNDECIDED stand alone; PILE_COMPLETE stands without WRONG_COLOUR and WRONG_VALUE.
    """

    AFTER_STOP = "after_stop"
    CARD_ALREADY_PLAYED = "card_already_played"
    NOT_A_ONE = "not_a_one"
    NOT_IN_GAME = "not_in_game"
    UNKNOWN_CARD = "unknown_card"
    WRONG_COLOUR = "wrong_colour"
    WRONG_VALUE = "wrong_value"
    PILE_COMPLETE = "pile_complete"
    GAME_OVER = "game_over"
    UNDECIDED = "undecided"
    NOT_UNDECIDED = "not_undecided"
    WRONG_WINNER = "wrong_winner"
    BAD_COUNT = "bad_count"
    NO_STOP = "no_stop"


class Verdict(NamedTuple):
    """What a card is. `legal` None: it is one of several equal cards, `others` the lines of the rest of them.

    `height` is that of the pile with the card on it; None for a wrong card.
    """

    n: int
    player: str
    pad: int
    legal: bool | None
    reasons: tuple[str, ...] = ()
    height: int | None = None
    others: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The printed line."""
        head: dict[str, Any] = {"n": self.n, "player": self.player, "pad": self.pad, "legal": self.legal}
        if self.legal:
            return {**head, "height": self.height}
        head["reasons"] = list(self.reasons)
        return head if self.legal is False else {**head, "with": list(self.others)}


@dataclass(frozen=True, slots=True)
class Stopped:
    """A stop, or the withdrawal of one, as it was given."""

    n: int
    stop: str | None
    t_ms: int

    def to_json(self) -> dict[str, Any]:
        """The printed line."""
        return {"n": self.n, "stop": self.stop, "t_ms": self.t_ms}


@dataclass(frozen=True, slots=True)
class Decided:
    """Equal cards, by their lines, of which one has been given its player."""

    n: int
    ns: tuple[int, ...]
    winner: str

    def to_json(self) -> dict[str, Any]:
        """The printed line."""
        return {"n": self.n, "decided": list(self.ns), "winner": self.winner}


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A round that has been counted; every mapping has all players, in their order.

    `stop` is who ended it, `undecided_count` how many cards on the piles were nobody's in the end.
    """

    n: int
    number: int
    stop: str
    played: Mapping[str, int]
    left: Mapping[str, int]
    points: Mapping[str, int]
    totals: Mapping[str, int]
    undecided_count: int

    def to_json(self) -> dict[str, Any]:
        """The printed line."""
        return {
            "n": self.n,
            "round": self.number,
            "played": dict(self.played),
            "left": dict(self.left),
            "points": dict(self.points),
            "totals": dict(self.totals),
        }


@dataclass(frozen=True, slots=True)
class Refused:
    """A line other than a card that breaks the rules: it changes nothing."""

    n: int
    reasons: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The printed line."""
        return {"n": self.n, "legal": False, "reasons": list(self.reasons)}


Report = Verdict | Stopped | Decided | RoundScore | Refused
