"""Per placement of a piece set, the bit sets the rules need, computed once.

Owns the lookup tables that make a move a few integer operations. Must not know turns, players or points.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tablewire.games.cirkis.pieces import PieceSet
from tablewire.games.cirkis.tiling import Kind, board, mask_of, set_bits

RING = "ring"
"""The Center Ring's name among the completed figures."""

NO_FIGURES: Final[tuple[tuple[str, int], ...]] = ()


class Tables:
    """Tables by placement index. Space masks: `mask`, `halo`; placement sets: all the others named sets."""

    def __init__(self, pieces: PieceSet, *, center_ring: bool) -> None:
        area = board()
        placements = pieces.placements
        figures = {**area.stars, **area.circles, **({RING: area.center_ring} if center_ring else {})}
        slivers = mask_of(space.id for space in area.spaces if space.kind is Kind.SLIVER)
        covering = [_set_of(p.index for p in pieces.covering[space.id]) for space in area.spaces]

        def covering_any(mask: int) -> int:
            found = 0
            for index in set_bits(mask):
                found |= covering[index]
            return found

        self.area = area
        self.figure_names = tuple(figures)
        self.every = _set_of(p.index for p in placements)
        """The set of all placements."""
        self.central = covering_any(area.central)
        """The set of those that may come first."""
        self.of_shape = {
            shape.name: _set_of(p.index for p in placements if p.shape == shape.name)
            for shape in pieces.shapes
        }
        """By shape name: the set of its placements."""
        self.mask = [p.mask for p in placements]
        self.halo = [area.touching(p.mask) for p in placements]
        """Every space that touches the placement."""
        self.clear = [self.every & ~covering_any(p.mask) for p in placements]
        """The set of placements that do not overlap it."""
        self.touch = [covering_any(halo) for halo in self.halo]
        """The set of placements that touch it, overlapping ones among them."""
        self.shape = [(self.of_shape[p.shape], pieces.counts[p.shape]) for p in placements]
        """The set of its shape's placements, and how many pieces of the shape there are."""
        self.sliver = [p.mask & ~slivers == 0 for p in placements]
        """Whether it covers Sliver spaces only."""
        self.figures = [
            tuple((name, mask) for name, mask in figures.items() if mask & p.mask) or NO_FIGURES
            for p in placements
        ]
        """Name and space mask of each figure it has a part in, in the order figures are named in."""


def _set_of(indices: Iterable[int]) -> int:
    found = 0
    for index in indices:
        found |= 1 << index
    return found
