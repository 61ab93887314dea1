"""Pegs: the hole each belongs in, the hole it stands in, and which are in the wrong one.

Owns what peg sensors mean. Must not know pieces, scores other than as numbers, or words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.sensing import Sensed
from tablewire.games.cirkis.wiring import HOLES, POINTS_PER_HOLE

if TYPE_CHECKING:
    from tablewire.games.cirkis.moves import Moves


def peg_due(score: int) -> int:
    """The hole for a score: the last one for more, the first for less than nothing."""
    return max(HOLES[0], min(HOLES[-1], score // POINTS_PER_HOLE * POINTS_PER_HOLE))


def peg_hole(sensed: Sensed, player: PlayerColour) -> int | None:
    """The hole a player's peg stands in; None while none, or more than one, reads."""
    holes = sensed.pegs.get(player, ())
    return holes[0] if len(holes) == 1 else None


def wrong_pegs(moves: Moves, sensed: Sensed) -> Iterator[tuple[PlayerColour, int]]:
    """The players whose peg is not where it belongs, and the hole.

    A peg at 0 points that was never seen is not asked for, nor one whose hole is masked unless it is seen in
    another.
    """
    for player in moves.rules.players:
        due, hole = peg_due(moves.state.scores_of(player)), peg_hole(sensed, player)
        seen = player in sensed.pegs
        unsure = (player, due) in sensed.masked_holes and not seen
        if due != hole and (due or seen) and not unsure:
            yield player, due
