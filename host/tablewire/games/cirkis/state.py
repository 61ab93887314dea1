"""One position of a game of Cir*Kis, as a frozen value.

Owns what has to be remembered between two turns. Must not know the rules that lead from one to the next.

Two kinds of bit sets occur: *space masks* (bit s - 1 = space s) and *placement sets* (bit i = placement i of
the piece set). Tuples per player are in turn order, like `players`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from tablewire.games.cirkis.colours import PlayerColour

NOBODY = -1
"""In place of a player's or a placement's index."""


class Ending(StrEnum):
    """Why a round is over; `MATCH`: and with it the match."""

    TARGET = "target"
    WENT_OUT = "went_out"
    BLOCKED = "blocked"
    MATCH = "match"


class State(NamedTuple):
    """A position. `legal` is the placement set of the player to move, empty when the round is over."""

    players: tuple[PlayerColour, ...]
    turn: int
    """Index of the player to move, or NOBODY."""
    free_turn: bool
    """The player to move has a free turn to play."""
    legal: int
    open: int
    """Placement set: no space of it is filled."""
    near: int
    """Placement set: touches or overlaps a filled space."""
    stocks: tuple[int, ...]
    """Per player the placement set of the shapes still in stock."""
    filled: int
    leader: int
    """Space mask of the last piece placed; 0 before the first."""
    leader_index: int
    """Placement index of the last piece placed, or NOBODY."""
    masks: tuple[int, ...]
    """Per player the space mask of what they placed."""
    laid: tuple[int, ...]
    """Per player the placement set of what they placed."""
    scores: tuple[int, ...]
    """Points of this round."""
    sliver_laid: bool
    passes: int
    """Turns lost or passed in succession since the last placement."""
    unstated: tuple[int, ...]
    """Players passed over since the last placement for whom no pass line has been read yet."""
    ended: Ending | None
    """Why this round is over; None while it is on."""
    round: int
    earlier: tuple[int, ...]
    """Points of earlier rounds of the match."""
    moves: int
    """Pieces placed in this round."""

    @property
    def to_move(self) -> PlayerColour | None:
        """The player to move; None when the round is over."""
        return None if self.turn == NOBODY else self.players[self.turn]

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of all rounds, this one included."""
        return tuple(a + b for a, b in zip(self.earlier, self.scores, strict=True))

    def scores_of(self, player: str) -> int:
        """A player's points in this round. ValueError for somebody who is not in this game."""
        return self.scores[self.players.index(PlayerColour(player))]
