"""The playing area: 165 spaces of the infinite star pattern, built by deflation in exact arithmetic.

Owns the spaces, their numbers, which touch, and the figures (stars, circles, Center Ring). Must not know
pieces, players, rules, sensors or a unit of length other than the short edge.

Construction: five kites around a point are deflated (each tile cut into smaller ones) until they cover the
decagon; instead of shrinking the tiles every step scales the plane by phi, so short edges stay 1 and long
edges phi. The tiles wholly inside the decagon are the kite and dart spaces; what they leave are the Slivers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import atan2, tau
from typing import Any, NewType, Protocol

from tablewire.games.cirkis.exact import ONE, ORIGIN, PHI, Exact

SpaceId = NewType("SpaceId", int)
"""Number of a space, 1 to 165, as records, the wire and the page use it."""

STEP_COUNT = 5
"""Odd, so that a star is in the middle; five deflations reach phi^6 = 17.9, the decagon 8.5."""

CORNER = ONE.times_phi().times_phi().times_phi().times_phi() + ONE.times_phi()
"""The decagon's corner at 12 o'clock, phi^4 + phi from the middle; the real axis points there."""


FEW_ONES = 4
"""Clearing this many ones is about as quick as one halving step (measured)."""


CORNER_RADIUS = abs(complex(CORNER))
HALF_SIZE = 2.0
"""No part of a tile is as far from its tip (a long edge is 1.618); what lies farther out is dropped."""


class Kind(StrEnum):
    """The outline of a space."""

    KITE = "kite"
    DART = "dart"
    SLIVER = "sliver"


@dataclass(frozen=True, slots=True)
class Space:
    """One space. Corners run counterclockwise, a kite's and a dart's from the tip."""

    id: SpaceId
    kind: Kind
    exact: tuple[Exact, ...]
    corners: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The playing area. Bit s - 1 of a mask is space s; `touches` and `joins` are indexed by s - 1."""

    spaces: tuple[Space, ...]
    touches: tuple[int, ...]
    """Spaces that share an edge or only a point with the space."""
    joins: tuple[int, ...]
    """Spaces that share an edge with the space."""
    stars: Mapping[str, int]
    circles: Mapping[str, int]
    center_ring: int
    central: int
    """The middle star and the Center Ring: the first piece covers one of these at least."""
    by_corners: Mapping[frozenset[Exact], SpaceId]

    def touching(self, mask: int) -> int:
        """The spaces outside `mask` that touch one of its spaces."""
        around = 0
        for space in spaces_of(mask):
            around |= self.touches[space - 1]
        return around & ~mask


def mask_of(spaces: Iterable[int]) -> int:
    """The mask of space numbers; each must be 1 or more."""
    mask = 0
    for space in spaces:
        mask |= 1 << (space - 1)
    return mask


def spaces_of(mask: int) -> tuple[SpaceId, ...]:
    """The space numbers of a mask, ascending."""
    return tuple(SpaceId(index + 1) for index in set_bits(mask))


def set_bits(bits: int) -> Iterator[int]:
    """The positions of the ones, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def nth_bit(bits: int, n: int) -> int:
    """The position of the n-th one of `bits`, counted from 0 at the low end; `bits` has more than n ones.

    Halves by counting ones while that saves more than clearing the lowest ones one by one.
    """
    base, width = 0, bits.bit_length()
    while n > FEW_ONES:
        width = width + 1 >> 1
        low = bits & (1 << width) - 1
        ones = low.bit_count()
        if n < ones:
            bits = low
        else:
            bits >>= width
            base += width
            n -= ones
    while n:
        bits &= bits - 1
        n -= 1
    return base + (bits & -bits).bit_length() - 1


@dataclass(frozen=True, slots=True)
class _Half:
    """A tile cut along its axis: tip, the corner beside the axis, the axis' other end."""

    kind: Kind
    tip: Exact
    side: Exact
    end: Exact


def _sun() -> list[_Half]:
    """Five kites with their tips at the origin, as halves; so turned an outer star ends at 12 o'clock."""
    long_edge = ONE.times_phi()
    ends = range(1, 10, 2)
    return [
        _Half(Kind.KITE, ORIGIN, long_edge.turned(end + turn), long_edge.turned(end))
        for end in ends
        for turn in (1, -1)
    ]


def _deflated(half: _Half) -> tuple[_Half, ...]:
    """The halves that fill `half` scaled by phi. Edges stay 1 and phi long."""
    tip, side, end = half.tip.times_phi(), half.side.times_phi(), half.end.times_phi()
    if half.kind is Kind.KITE:
        notch = tip + (side - tip).over_phi().over_phi()
        far = tip + (end - tip).over_phi()
        return (
            _Half(Kind.KITE, side, notch, far),
            _Half(Kind.KITE, side, end, far),
            _Half(Kind.DART, tip, far, notch),
        )
    middle = tip + (side - tip).over_phi()
    return (_Half(Kind.KITE, tip, middle, end), _Half(Kind.DART, side, end, middle))


def _whole_tiles(halves: Iterable[_Half]) -> Iterator[tuple[Kind, tuple[Exact, ...]]]:
    """Halves joined along their axis; those at the edge of the patch have no other half and are dropped."""
    sides: dict[tuple[Kind, Exact, Exact], set[Exact]] = defaultdict(set)
    for half in halves:
        sides[half.kind, half.tip, half.end].add(half.side)
    for (kind, tip, end), pair in sides.items():
        if len(pair) == 2:
            first, second = pair
            yield kind, _counterclockwise((tip, first, end, second))


def _side(start: Exact, end: Exact, point: Exact) -> int:
    """1 when `point` lies left of the line from start to end, -1 right of it, 0 on it."""
    return ((end - start).conjugate() * (point - start)).imaginary().sign()


def _counterclockwise(corners: tuple[Exact, ...]) -> tuple[Exact, ...]:
    """The outline turned to run counterclockwise, its first corner kept. Corners 0, 1, 3 never align."""
    if _side(corners[0], corners[1], corners[3]) > 0:
        return corners
    return (corners[0], *reversed(corners[1:]))


@cache
def _rim_sides(point: Exact) -> tuple[int, ...]:
    """For each side of the decagon: 1 when the point is strictly inside it, 0 on it, -1 beyond it."""
    return tuple(_side(CORNER, CORNER.turned(1), point.turned(-side)) for side in range(10))


def _edges(corners: tuple[Exact, ...]) -> Iterator[frozenset[Exact]]:
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        yield frozenset((start, end))


def _on_rim(edge: frozenset[Exact]) -> bool:
    start, end = edge
    return any(a == b == 0 for a, b in zip(_rim_sides(start), _rim_sides(end), strict=True))


def _slivers(tiles: Iterable[tuple[Kind, tuple[Exact, ...]]]) -> Iterator[tuple[Exact, ...]]:
    """What the tiles leave of the decagon: each gap is bounded by a chain of tile edges from rim to rim."""
    once: set[frozenset[Exact]] = set()
    for _, corners in tiles:
        for edge in _edges(corners):
            once ^= {edge}
    beside: dict[Exact, list[Exact]] = defaultdict(list)
    for edge in once:
        if not _on_rim(edge):
            start, end = edge
            beside[start].append(end)
            beside[end].append(start)
    walked: set[Exact] = set()
    for start in sorted(beside):
        if 0 not in _rim_sides(start):
            continue
        for first in beside[start]:
            chain = [start, first]
            while 0 not in _rim_sides(chain[-1]):
                chain.extend(set(beside[chain[-1]]) - {chain[-2]})
            if first not in walked:
                walked.update(chain[1:-1])
                yield _counterclockwise(tuple(chain))


def _outlines() -> list[tuple[Kind, tuple[Exact, ...]]]:
    """Every space's kind and corners, in no order."""
    halves = _sun()
    for steps_left in reversed(range(STEP_COUNT)):
        reach = CORNER_RADIUS / PHI**steps_left + HALF_SIZE
        halves = [part for half in halves for part in _deflated(half) if abs(complex(part.tip)) < reach]
    tiles = [
        (kind, corners)
        for kind, corners in _whole_tiles(halves)
        if all(side >= 0 for corner in corners for side in _rim_sides(corner))
    ]
    return tiles + [(Kind.SLIVER, corners) for corners in _slivers(tiles)]


def _ring_order(points: Iterable[Exact]) -> tuple[float, float]:
    """Sort key of points by their mean: distance from the middle, then angle clockwise from 12 o'clock.

    Equal distances give equal floats, because both come from the same exact number; a mean straight above the
    middle gives an angle of exactly 0 for the same reason.
    """
    total = ORIGIN
    for point in points:
        total += point
    where = complex(total)
    return float(total.square_length()), -atan2(where.imag, where.real) % tau


def _figures(spaces: tuple[Space, ...], kind: Kind) -> list[int]:
    """Masks of the five spaces of `kind` whose tips meet, from the middle outwards and clockwise."""
    tips: dict[Exact, list[SpaceId]] = defaultdict(list)
    for space in spaces:
        if space.kind is kind:
            tips[space.exact[0]].append(space.id)
    meeting = sorted(
        (tip for tip, around in tips.items() if len(around) == 5), key=lambda tip: _ring_order([tip])
    )
    return [mask_of(tips[tip]) for tip in meeting]


def _drawn(point: Exact) -> tuple[float, float]:
    """x to the right, y up; the exact plane's real axis points up. Adding to 0.0 turns -0.0 into 0.0."""
    where = complex(point)
    return 0.0 - where.imag, 0.0 + where.real


@cache
def board() -> Board:
    """The one playing area, built on first use (a fraction of a second)."""
    outlines = sorted(_outlines(), key=lambda outline: _ring_order(outline[1]))
    spaces = tuple(
        Space(SpaceId(number), kind, corners, tuple(map(_drawn, corners)))
        for number, (kind, corners) in enumerate(outlines, start=1)
    )
    at_corner: dict[Exact, int] = defaultdict(int)
    at_edge: dict[frozenset[Exact], int] = defaultdict(int)
    for space in spaces:
        for corner in space.exact:
            at_corner[corner] |= mask_of([space.id])
        for edge in _edges(space.exact):
            at_edge[edge] |= mask_of([space.id])

    def around(space: Space, found: Iterable[int]) -> int:
        mask = 0
        for part in found:
            mask |= part
        return mask & ~mask_of([space.id])

    joins = tuple(around(space, (at_edge[edge] for edge in _edges(space.exact))) for space in spaces)
    stars = _figures(spaces, Kind.DART)
    beside_star = 0
    for space_id in spaces_of(stars[0]):
        beside_star |= joins[space_id - 1]
    center_ring = beside_star & ~stars[0]
    return Board(
        spaces=spaces,
        touches=tuple(around(space, (at_corner[corner] for corner in space.exact)) for space in spaces),
        joins=joins,
        stars={f"S{number}": mask for number, mask in enumerate(stars, start=1)},
        circles={f"C{number}": mask for number, mask in enumerate(_figures(spaces, Kind.KITE), start=1)},
        center_ring=center_ring,
        central=stars[0] | center_ring,
        by_corners={frozenset(space.exact): space.id for space in spaces},
    )


class PlacementCounts(Protocol):
    """What `board_json` needs to know of a piece set."""

    def placement_counts(self) -> Mapping[str, int]:
        """How many placements each shape has on the empty board."""
        ...


def board_json(pieces: PlacementCounts) -> dict[str, Any]:
    """The board as `tablewire board --json` prints it; lengths in short edges, x to the right, y up."""
    area = board()
    return {
        "spaces": [
            {
                "id": space.id,
                "kind": space.kind.value,
                "corners": [list(corner) for corner in space.corners],
                "touches": list(spaces_of(touches)),
            }
            for space, touches in zip(area.spaces, area.touches, strict=True)
        ],
        "stars": {name: list(spaces_of(mask)) for name, mask in area.stars.items()},
        "circles": {name: list(spaces_of(mask)) for name, mask in area.circles.items()},
        "center_ring": list(spaces_of(area.center_ring)),
        "placements": dict(pieces.placement_counts()),
    }
