"""How fast random games run through the rules, against python-chess on the same machine in the same run.

A move: the legal placements, a uniform choice among them, the position after it. A ply of python-chess is
the same: `list(board.legal_moves)`, a random choice, `push`. One process, one core; the two alternate in
slices so that a machine that slows down slows both.
"""

from __future__ import annotations

import random
from time import perf_counter

import chess

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.rules import Rules
from tablewire.games.cirkis.tiling import nth_bit

SLICE_S = 0.5
SLICE_COUNT = 6
AIM = 5.0
"""Moves per ply of python-chess that the rules should reach."""
MAX_PLIES = 200
"""A random game of chess may go on for ever."""


def cirkis_moves(rules: Rules, rng: random.Random, seconds: float) -> tuple[int, float, int]:
    """Play random games for about `seconds`: moves made, seconds taken, games finished."""
    moves = games = 0
    begun = perf_counter()
    until = begun + seconds
    placements, legal, place, draw = rules.placements, rules.legal, rules.place, rng.random
    while perf_counter() < until:
        state = rules.start()
        while choices := legal(state):
            state = place(state, placements[nth_bit(choices, int(draw() * choices.bit_count()))])
        moves += state.moves
        games += 1
    return moves, perf_counter() - begun, games


def chess_plies(rng: random.Random, seconds: float) -> tuple[int, float]:
    """Play random games of chess for about `seconds`: plies made, seconds taken."""
    plies = 0
    begun = perf_counter()
    until = begun + seconds
    while perf_counter() < until:
        board = chess.Board()
        for _ in range(MAX_PLIES):
            choices = list(board.legal_moves)
            if not choices:
                break
            board.push(choices[int(rng.random() * len(choices))])
            plies += 1
    return plies, perf_counter() - begun


def main() -> None:
    """Print moves, games and plies per second, and the ratio."""
    rng = random.Random(20)
    rules = Rules(tuple(PlayerColour))
    cirkis_moves(rules, rng, 0.1)
    moves = plies = games = 0
    cirkis_s = chess_s = 0.0
    for _ in range(SLICE_COUNT):
        made, took_s, finished = cirkis_moves(rules, rng, SLICE_S)
        moves, cirkis_s, games = moves + made, cirkis_s + took_s, games + finished
        made, took_s = chess_plies(rng, SLICE_S)
        plies, chess_s = plies + made, chess_s + took_s
    ratio = (moves / cirkis_s) / (plies / chess_s)
    print(f"rules: {moves / cirkis_s:,.0f} moves/s, {games / cirkis_s:,.0f} four-player games/s")
    print(f"python-chess {chess.__version__}: {plies / chess_s:,.0f} plies/s")
    print(f"ratio: {ratio:.1f} (aim: {AIM:.0f})")


if __name__ == "__main__":
    main()
