"""The board and its pieces once more, in floats and by another road, to compare the exact ones with.

Owns nothing of the package and imports nothing of it. Tiles are whole polygons shrunk in place by the golden
ratio; spaces are matched by rounded coordinates; congruence is tried by turning and mirroring point sets.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

PHI = (1 + math.sqrt(5)) / 2
NEAR = 1e-6
GRID = 1234.567
"""Cells per unit for comparing points: crooked, because means have fractions on the edge of even cells."""
TURN = cmath.exp(1j * math.pi / 5)


@dataclass(frozen=True)
class Tile:
    kind: str
    corners: tuple[complex, ...]

    @property
    def mean(self) -> complex:
        return sum(self.corners) / 4


def _kite(tip: complex, axis: complex) -> Tile:
    """A kite from its tip and the vector to its far corner (as long as its long edges)."""
    return Tile("kite", (tip, tip + axis / TURN, tip + axis, tip + axis * TURN))


def _dart(tip: complex, axis: complex) -> Tile:
    """A dart from its tip and the vector to its notch (1 / phi of its long edges)."""
    wing = axis * PHI
    return Tile("dart", (tip, tip + wing / TURN, tip + axis, tip + wing * TURN))


def _smaller(tile: Tile) -> list[Tile]:
    """The tiles, 1 / phi as large, that cover a tile; of its darts one half each lies outside."""
    tip, left, end, right = tile.corners
    if tile.kind == "kite":
        parts = []
        for side in (left, right):
            far = tip + (end - tip) / PHI
            parts.append(_kite(side, far - side))
            parts.append(_dart(tip, (side - tip) / PHI**2))
        return parts
    parts = [_kite(tip, end - tip)]
    parts += [_dart(side, (tip - side) / PHI**2) for side in (left, right)]
    return parts


def _key(point: complex) -> tuple[int, int]:
    return round(point.real * GRID), round(point.imag * GRID)


def _distinct(tiles: Iterable[Tile]) -> list[Tile]:
    return list({_key(tile.mean): tile for tile in tiles}.values())


def _corner(number: int) -> complex:
    """Corner of the decagon, counted clockwise from 12 o'clock."""
    return (PHI**4 + PHI) * 1j * TURN**-number


def _inside(point: complex) -> bool:
    apothem = (PHI**4 + PHI) * math.cos(math.pi / 10)
    normals = (1j * cmath.exp(-1j * math.pi / 10) * TURN**-side for side in range(10))
    return all((point * normal.conjugate()).real <= apothem + NEAR for normal in normals)


def _slivers(tiles: list[Tile]) -> list[Tile]:
    """On every side of the decagon, the trapezoid over the stretch that no tile's edge lies on."""
    found = []
    points = {_key(c): c for tile in tiles for c in tile.corners}
    for side in range(10):
        start, end = _corner(side), _corner(side + 1)
        along = (end - start) / abs(end - start)
        on_rim = sorted(
            (((p - start) / along).real, p) for p in points.values() if abs(((p - start) / along).imag) < NEAR
        )
        for (at, left), (to, right) in pairwise(on_rim):
            if abs(to - at - PHI**2) < NEAR:
                found.append(Tile("sliver", (left, left + along / TURN, right - along * TURN, right)))
    return found


@cache
def spaces() -> dict[int, Tile]:
    """The 165 spaces by number."""
    size = PHI**6
    tiles = [_kite(0, size * 1j * TURN ** (2 * k + 1)) for k in range(5)]
    for _ in range(5):
        tiles = _distinct(part for tile in tiles for part in _smaller(tile))
    tiles = [tile for tile in tiles if all(map(_inside, tile.corners))]
    tiles += _slivers(tiles)

    def clockwise(point: complex) -> float:
        return math.atan2(point.real, point.imag) % math.tau

    tiles.sort(key=lambda t: (round(abs(t.mean), 4), round(clockwise(t.mean), 4) % round(math.tau, 4)))
    return dict(enumerate(tiles, start=1))


def _shared(a: Tile, b: Tile) -> int:
    return len({_key(c) for c in a.corners} & {_key(c) for c in b.corners})


@cache
def neighbours() -> dict[int, frozenset[int]]:
    """By space: those that share a point with it."""
    every = spaces()
    return {
        s: frozenset(t for t, other in every.items() if t != s and _shared(tile, other))
        for s, tile in every.items()
    }


@cache
def joined() -> dict[int, frozenset[int]]:
    """By space: those that share an edge with it (a Sliver and the dart it fills share two)."""
    every = spaces()
    return {
        s: frozenset(t for t in around if _shared(every[s], every[t]) >= 2)
        for s, around in neighbours().items()
    }


@cache
def figures() -> dict[str, frozenset[int]]:
    """S1..S6, C1..C10: five tips at one point, numbered from the middle outwards and clockwise."""
    found: dict[str, frozenset[int]] = {}
    for kind, letter in (("dart", "S"), ("kite", "C")):
        tips: dict[tuple[int, int], list[int]] = {}
        for s, tile in spaces().items():
            if tile.kind == kind:
                tips.setdefault(_key(tile.corners[0]), []).append(s)
        full = [(x + 1j * y, tuple(at)) for (x, y), at in tips.items() if len(at) == 5]
        full.sort(
            key=lambda f: (round(abs(f[0]) / 10), round(math.atan2(f[0].real, f[0].imag) % math.tau, 2))
        )
        found |= {f"{letter}{n}": frozenset(at) for n, (_, at) in enumerate(full, start=1)}
    return found


@cache
def ring() -> frozenset[int]:
    """The kites that share an edge with the middle star."""
    return frozenset().union(*(joined()[s] for s in figures()["S1"])) - figures()["S1"]


def _form(
    group: frozenset[int], turn: int, mirrored: bool
) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
    """The group moved to its own mean, turned and perhaps mirrored, as a comparable value."""
    tiles = [spaces()[s] for s in group]
    mean = sum(tile.mean for tile in tiles) / len(tiles)

    def moved(point: complex) -> tuple[int, int]:
        z = point - mean
        return _key((z.conjugate() if mirrored else z) * TURN**turn)

    return tuple(sorted((tile.kind, tuple(sorted(map(moved, tile.corners)))) for tile in tiles))


@cache
def _connected(size: int) -> frozenset[frozenset[int]]:
    if size == 1:
        return frozenset(frozenset({s}) for s in spaces())
    return frozenset(
        group | {t} for group in _connected(size - 1) for s in group for t in joined()[s] if t not in group
    )


def placements(example: Iterable[int], *, flip: bool = True) -> set[frozenset[int]]:
    """Every set of spaces congruent to the example."""
    group = frozenset(example)
    mirrors = (False, True) if flip else (False,)
    forms = {_form(group, turn, mirrored) for turn in range(10) for mirrored in mirrors}
    return {other for other in _connected(len(group)) if _form(other, 0, False) in forms}
