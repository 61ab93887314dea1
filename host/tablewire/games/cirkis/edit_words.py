"""Edits of the list of moves in words: what each entry was, and what it becomes or became.

Owns these sentences, in the tense of a preview and of the audit. Must not know the journal or who asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from tablewire.games.cirkis.corrections import Do, Edit, final_numbers
from tablewire.games.cirkis.entry_words import entries_said, line_said, piece_said
from tablewire.games.cirkis.moves import Moves
from tablewire.games.cirkis.record import Line, Pass, Turn

MAX_CLAUSES = 12
"""More than this is read in the list of moves, not in a sentence."""


MAX_FORCED_NAMED = 3
"""Entries that become forced and are named with their piece; of more only the numbers."""


class Tense(Enum):
    """Whether an edit is only considered, or done: the verbs of both."""

    PREVIEW = ("becomes", "is taken out", "comes in", "stand")
    DONE = ("became", "was taken out", "came in", "stand now")


def edits_said(
    moves: Moves, edits: Sequence[Edit], forced: Sequence[int], lost: Sequence[int], tense: Tense
) -> list[str]:
    """One clause for each edit of `moves`, then what it does to the entries after it, without a full stop."""
    became, taken_out, came_in, stand = tense.value
    pieces = moves.rules.pieces
    lines: list[Line] = [move.line for move in moves.moves]
    said = []
    own = final_numbers(edits)
    for at, (n, line, do) in enumerate((edit.n, edit.line, edit.do) for edit in edits):
        is_forced = own.get(at) in forced or (isinstance(line, Turn | Pass) and line.forced)
        against = ", against the rules" if is_forced else ""
        if line is None:
            said.append(f"Move {n}, {line_said(pieces, lines.pop(n - 1))}, {taken_out}")
        elif do is Do.INSERT:
            lines.insert(n - 1, line)
            said.append(f"Move {n}, {line_said(pieces, line)}, {came_in}{against}")
        else:
            before, lines[n - 1] = lines[n - 1], line
            same = isinstance(before, Turn) and isinstance(line, Turn) and before.player == line.player
            new = piece_said(pieces, line) if same and isinstance(line, Turn) else line_said(pieces, line)
            said.append(f"Move {n}: {line_said(pieces, before)} {became} {new}{against}")
    others = [n for n in forced if n not in own.values()]
    new = " of the new list" if any(edit.line is None or edit.do is Do.INSERT for edit in edits) else ""
    if len(others) > MAX_FORCED_NAMED:
        said.append(f"{entries_said(others).capitalize()}{new} {stand} as forced")
    else:
        stands = stand.replace("stand", "stands")
        said += [f"Move {n}{new}, {line_said(pieces, lines[n - 1])}, {stands} as forced" for n in others]
    for n in lost:
        said.append(f"Move {n}{new}, {line_said(pieces, lines[n - 1])}, {taken_out}, for it could not stand")
    return said


def in_one_sentence(clauses: Sequence[str]) -> str:
    """Clauses as one sentence; of very many only the first, and how many more there are."""
    first, *rest = clauses
    if len(rest) > MAX_CLAUSES:
        rest = [*rest[:MAX_CLAUSES], f"and {len(rest) - MAX_CLAUSES} more changes"]
    return "; ".join([first, *(clause[0].lower() + clause[1:] for clause in rest)]) + "."
