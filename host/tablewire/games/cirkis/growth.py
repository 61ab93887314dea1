"""Slow fingers: which pieces on the table a landing makes larger, and which may still become larger.

Owns the rule that every magnet of a piece comes at most `growth_ms` after the one before, by landing times.
Must not know gaps, lifts, quiet, or what the page says when two pieces could take the same landing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.moves import Laid, Move, Moves
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.readings import can_grow, growths
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.tiling import SpaceId, spaces_of


@dataclass(frozen=True, slots=True)
class Growth:
    """Move `index` with landings that came in time is `placement`, whose last magnet came at `last_ms`."""

    index: int
    piece: Placement
    placement: Placement
    last_ms: int

    @property
    def gained(self) -> int:
        """The spaces it takes in addition, as a bit mask."""
        return self.placement.mask & ~self.piece.mask


def growths_in_time(
    moves: Moves, player: PlayerColour, landed_ms: Mapping[SpaceId, int], growth_ms: int
) -> list[Growth]:
    """Every way in which landings of `player` make a piece larger, newest piece first, largest first."""
    found = []
    for index, piece, laid in recent_pieces(moves, player):
        for placement in larger(moves, player, piece, landed_ms):
            times = sorted(landed_ms[space] for space in spaces_of(placement.mask & ~piece.mask))
            if _chained(laid, times, growth_ms):
                found.append(Growth(index, piece, placement, max(laid.last_ms, times[-1])))
    return found


def larger(
    moves: Moves, player: PlayerColour, piece: Placement, landed_ms: Mapping[SpaceId, int]
) -> list[Placement]:
    """The larger pieces in stock made of a piece and some landings, largest first."""
    landed = sum(1 << (space - 1) for space in landed_ms)
    return [
        p
        for p in growths(moves.rules.pieces, piece.mask, landed)
        if moves.rules.in_stock(moves.state, player, p.shape)
    ]


def recent_pieces(moves: Moves, player: PlayerColour) -> Iterator[tuple[int, Placement, Laid]]:
    """The pieces of `player` on the table that sensors saw come down, newest first."""
    for index in range(len(moves.moves) - 1, -1, -1):
        move = moves.moves[index]
        if move.laid is not None and player_of(move) == player and moves.on_table(index):
            piece = moves.placement(index)
            if piece is not None:
                yield index, piece, move.laid


def in_their_time(moves: Moves, now_ms: int) -> Iterator[int]:
    """The moves a landing at `now_ms` could still rewrite: in time, with room and a larger piece in stock."""
    for index, move in enumerate(moves.moves):
        if move.laid is None or move.laid.grows_until_ms is None or now_ms > move.laid.grows_until_ms:
            continue
        piece, player = moves.placement(index), player_of(move)
        if piece is None or player is None or not moves.on_table(index):
            continue
        if can_grow(moves.rules, moves.state, player, piece):
            yield index


def player_of(move: Move) -> PlayerColour | None:
    """Who laid a piece with this move; None for passes, rulings and rounds."""
    return PlayerColour(move.line.player) if isinstance(move.line, Turn) else None


def _chained(laid: Laid, times_ms: list[int], growth_ms: int) -> bool:
    last_ms = laid.last_ms
    for at_ms in times_ms:
        if at_ms > last_ms + growth_ms:
            return False
        last_ms = max(last_ms, at_ms)
    return True
