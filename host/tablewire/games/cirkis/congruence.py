"""Which sets of spaces have the same form, and which hang together.

Owns the exact congruence of sets of spaces. Must not know pieces, counts, files or players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from tablewire.games.cirkis.exact import Exact
from tablewire.games.cirkis.tiling import Board, SpaceId, board, mask_of, spaces_of


@cache
def _alike() -> Mapping[frozenset[Exact], list[Exact]]:
    """The least corners of the spaces that look the same but for their place, by their corners without it."""
    found: dict[frozenset[Exact], list[Exact]] = defaultdict(list)
    for space in board().spaces:
        found[_placeless(space.exact)].append(min(space.exact))
    return found


def congruent(example: Sequence[SpaceId], *, flip: bool) -> set[int]:
    """Masks of the sets of spaces congruent to `example`.

    All directions of edges are multiples of a tenth turn, so the linear part of a congruence is one of ten
    turns, with or without a reflection. Its translation carries the first space onto one that looks the same
    but for its place, least corner onto least corner: the order of exact points is kept by translation.
    """
    area, alike = board(), _alike()
    outlines = [area.spaces[space - 1].exact for space in example]
    found = set()
    for mirrored in (False, True) if flip else (False,):
        for tenths in range(10):
            turned = [[_carried(corner, tenths, mirrored) for corner in outline] for outline in outlines]
            least = min(turned[0])
            for target in alike.get(_placeless(turned[0]), ()):
                mask = _mask_at(area, turned, target - least)
                if mask is not None:
                    found.add(mask)
    return found


def _placeless(corners: Sequence[Exact]) -> frozenset[Exact]:
    least = min(corners)
    return frozenset(corner - least for corner in corners)


def _carried(point: Exact, tenths: int, mirrored: bool) -> Exact:
    return (point.conjugate() if mirrored else point).turned(tenths)


def _mask_at(area: Board, outlines: list[list[Exact]], shift: Exact) -> int | None:
    """The mask of the spaces that the shifted outlines coincide with; None when one coincides with none."""
    mask = 0
    for outline in outlines:
        space = area.by_corners.get(frozenset(corner + shift for corner in outline))
        if space is None:
            return None
        mask |= mask_of([space])
    return mask


def is_one_piece(spaces: Sequence[SpaceId]) -> bool:
    """Whether the spaces hang together along edges; a point alone holds no piece together."""
    area, whole = board(), mask_of(spaces)
    grown, reached = 0, mask_of(spaces[:1])
    while grown != reached:
        grown = reached
        for space in spaces_of(grown):
            reached |= area.joins[space - 1] & whole
    return reached == whole
