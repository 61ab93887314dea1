"""Points for a completed figure, and who wins.

Owns the one table in which the two rulebooks differ about points. Must not know turns, pieces or the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.options import Rulebook
from tablewire.games.cirkis.report import Award, Why

GOING_OUT_POINTS = 10
COMPLETER_POINTS = 5
"""Both rulebooks, for every figure somebody else dominates or nobody does."""


class Scale(NamedTuple):
    """How a kind of figure scores: the dominant player's points; what a completer who dominates gets."""

    dominant: int
    both: tuple[Why, ...]


SCALES: Mapping[tuple[Rulebook, bool], Scale] = {
    (Rulebook.HASBRO, False): Scale(10, (Why.DOMINANT,)),
    (Rulebook.HASBRO, True): Scale(15, (Why.DOMINANT,)),
    (Rulebook.INTERNATIONAL, False): Scale(10, (Why.COMPLETER,)),
    (Rulebook.INTERNATIONAL, True): Scale(15, (Why.DOMINANT, Why.COMPLETER)),
}
"""By rulebook and whether the figure is the Center Ring."""


def dominant(figure: int, masks: Sequence[int]) -> int | None:
    """Index of the player with strictly the most spaces of the figure; None when several have the most."""
    held = [(figure & mask).bit_count() for mask in masks]
    most = max(held)
    return held.index(most) if held.count(most) == 1 else None


def figure_awards(
    scale: Scale, figure: str, players: Sequence[PlayerColour], completer: int, leading: int | None
) -> tuple[Award, ...]:
    """The awards for one completed figure; `leading` is the index of the dominant player, if there is one."""
    points = {Why.DOMINANT: scale.dominant, Why.COMPLETER: COMPLETER_POINTS}
    if leading == completer:
        return tuple(Award(players[completer], points[why], why, figure) for why in scale.both)
    awards = [Award(players[completer], COMPLETER_POINTS, Why.COMPLETER, figure)]
    if leading is not None:
        awards.append(Award(players[leading], scale.dominant, Why.DOMINANT, figure))
    return tuple(awards)


def winners(
    players: Sequence[PlayerColour], points: Sequence[int], unplayed: Sequence[int]
) -> tuple[PlayerColour, ...]:
    """Most points; of those tied the one with more unplayed pieces; still tied, they share."""
    rank = list(zip(points, unplayed, strict=True))
    best = max(rank)
    return tuple(player for player, own in zip(players, rank, strict=True) if own == best)
