"""Entries of a game of Cir*Kis in words, as the audit and a correction's preview name them.

Owns how a line of the game is called in a sentence. Must not know the journal or who asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablewire.games.cirkis.pieces import PieceSet
from tablewire.games.cirkis.record import Line, NextRound, Pass, Ruling, Turn
from tablewire.games.cirkis.report import Reason
from tablewire.games.cirkis.tiling import mask_of
from tablewire.games.cirkis.wiring import SPACE_COUNT
from tablewire.games.cirkis.words import REASONS, listed, name_of, spaces_said


def shape_of(pieces: PieceSet, spaces: Sequence[int]) -> str:
    """The name of the piece that covers these spaces; "piece" where none does."""
    if not all(1 <= space <= SPACE_COUNT for space in spaces):
        return "piece"
    placement = pieces.by_mask.get(mask_of(spaces))
    return "piece" if placement is None else placement.shape


def line_said(pieces: PieceSet, line: Line) -> str:
    """`green's wedge on space 16`, `red's pass`, `the ruling Red +5`, `the start of round 2`."""
    match line:
        case Turn(player, spaces):
            where = f" on {spaces_said(spaces)}" if spaces else ""
            return f"{player}'s {shape_of(pieces, spaces)}{where}"
        case Pass(player):
            return f"{player}'s pass"
        case Ruling(points):
            return f"the ruling {points_said(points)}"
        case NextRound(number):
            return f"the start of round {number}"


def points_said(points: Mapping[str, int]) -> str:
    """`Red +5 and Green -5`."""
    return listed(f"{name_of(str(player))} {count:+d}" for player, count in points.items())


def piece_said(pieces: PieceSet, line: Turn) -> str:
    """`a wedge on space 16`."""
    shape = shape_of(pieces, line.spaces)
    return f"{'an' if shape[:1] in 'aeiou' else 'a'} {shape} on {spaces_said(line.spaces)}"


def entries_said(numbers: Sequence[int]) -> str:
    """`move 5` or `moves 5, 6 and 9 to 12`."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    said = list[str]()
    for run in runs:
        said += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return f"{'move' if len(numbers) == 1 else 'moves'} {listed(said)}"


def reasons_said(reasons: Sequence[Reason], player: str, shape: str, turn: str | None) -> str:
    """The reasons against a line, as one clause."""
    return "; ".join(
        REASONS[reason].format(player=name_of(player), shape=shape, turn=name_of(turn or "nobody"))
        if reason in REASONS
        else "the round before is not over"
        for reason in reasons
    )
