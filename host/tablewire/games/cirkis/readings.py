"""New magnets of one colour -> the ways to read them as pieces, and whether one way alone is possible.

Owns the enumeration of readings and their elimination by landing times, stock and legality. Must not know
sensors, gaps or what the page shows.

A *reading* splits the landed spaces into placements, in the order in which they came down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.pieces import PieceSet, Placement
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.rules import Rules, State
from tablewire.games.cirkis.tiling import SpaceId, mask_of, spaces_of

MAX_SPACES = 12
"""More new magnets of one colour at once are no turn (four pieces at most) but a table being filled."""
MAX_PIECES = 4
"""Pieces of one colour laid in one go: a turn and its free turns; more is never one settled change."""
MAX_READINGS = 500
"""Readings looked at per group: twelve spaces in a row have a few hundred; bounds any piece set."""

Reading = tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings of one group: those the rules allow, and all of them, fewest pieces first."""

    legal: tuple[Reading, ...]
    every: tuple[Reading, ...]


def read_landings(
    rules: Rules, state: State, player: PlayerColour, landed_ms: Mapping[SpaceId, int]
) -> Readings:
    """All readings of the spaces in `landed_ms` as pieces of `player`, judged from `state`."""
    if len(landed_ms) > MAX_SPACES:
        return Readings((), ())
    return _read(rules, state, player, tuple(landed_ms.items()))


@lru_cache(maxsize=64)
def _read(
    rules: Rules, state: State, player: PlayerColour, rows: tuple[tuple[SpaceId, int], ...]
) -> Readings:
    """The enumeration; kept, because a table that waits for a person is looked at again and again."""
    landed_ms = dict(rows)
    mask = mask_of(landed_ms)
    every = tuple(
        order
        for pieces in islice(_partitions(rules.pieces, mask), MAX_READINGS)
        for order in _orders(pieces, landed_ms)
    )
    legal = tuple(reading for reading in every if is_legal(rules, state, player, reading))
    return Readings(legal, tuple(sorted(every, key=len)))


def is_legal(rules: Rules, state: State, player: PlayerColour, reading: Reading) -> bool:
    """Whether `player` may lay the pieces one after another, the turn staying theirs in between."""
    for placement in reading:
        if rules.judge(state, player, placement.spaces):
            return False
        state = rules.apply(state, Turn(player, placement.spaces)).state
    return True


def _partitions(pieces: PieceSet, mask: int, room: int = MAX_PIECES) -> Iterator[Reading]:
    """Every way to split `mask` into placements: each piece holds the lowest space not yet covered."""
    if not mask:
        yield ()
        return
    if not room:
        return
    lowest = mask & -mask
    for placement in pieces.covering[lowest.bit_length()]:
        if placement.mask & mask == placement.mask:
            for rest in _partitions(pieces, mask & ~placement.mask, room - 1):
                yield (placement, *rest)


def _orders(pieces: Reading, landed_ms: Mapping[SpaceId, int]) -> Iterator[Reading]:
    """The pieces by first landing; all orders of those that came at the same moment (after a cut link)."""
    if len(pieces) <= 1:
        yield pieces
        return
    first = {p.index: min(landed_ms[space] for space in spaces_of(p.mask)) for p in pieces}
    for order in permutations(pieces):
        moments = [first[p.index] for p in order]
        if moments == sorted(moments):
            yield order


def growths(pieces: PieceSet, piece_mask: int, landed_mask: int) -> tuple[Placement, ...]:
    """The larger placements made of the piece and some of what landed, largest first."""
    whole = piece_mask | landed_mask
    lowest = piece_mask & -piece_mask
    found = [
        p
        for p in pieces.covering[lowest.bit_length()]
        if p.mask & piece_mask == piece_mask and p.mask != piece_mask and p.mask & whole == p.mask
    ]
    return tuple(sorted(found, key=lambda p: -p.mask.bit_count()))


def can_grow(rules: Rules, state: State, player: PlayerColour, piece: Placement) -> bool:
    """Whether a larger piece of that colour, still in stock, fits over `piece` and empty spaces.

    `state` is the position with the piece on it.
    """
    lowest = piece.mask & -piece.mask
    return any(
        p.mask & piece.mask == piece.mask
        and p.mask != piece.mask
        and not p.mask & state.filled & ~piece.mask
        and rules.in_stock(state, player, p.shape)
        for p in rules.pieces.covering[lowest.bit_length()]
    )
