"""A changed list of moves: the edits of a correction, and what the rules make of everything after them.

Owns the edits, their form in the journal, and which later entries can stand only as forced or not at all.
Must not know sensors, the page, or who asked.

Numbers of entries count from 1. Those of later entries are numbers in the edited list, before any is dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tablewire.games.cirkis.findings import Merge
from tablewire.games.cirkis.moves import Laid, Moves
from tablewire.games.cirkis.record import Line, NextRound, Pass, Ruling, Turn, encode_line, parse_line
from tablewire.games.cirkis.report import FORCEABLE, LineKind, Reason

Row = tuple[Line, Laid | None]
"""A line of the game, and how its piece came down where sensors saw it."""


class Do(StrEnum):
    """What an edit does with entry `n`. An insertion comes before it; `n` may be one past the last then."""

    REPLACE = "replace"
    INSERT = "insert"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of the list. `line` is None only for a removal. Several edits apply one after another."""

    do: Do
    n: int
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """Entry `n` of the edited list, why it cannot stand as it is, and whose turn it would be then."""

    n: int
    line: Line
    reasons: tuple[Reason, ...]
    turn: str | None


@dataclass(frozen=True, slots=True)
class Projection:
    """What edits lead to: `moves` with `forced` marked and `lost` left out; `first` is the first fault."""

    edits: tuple[Edit, ...]
    moves: Moves
    forced: tuple[int, ...]
    lost: tuple[int, ...]
    first: Fault | None

    @property
    def possible(self) -> bool:
        """Whether the edits themselves can stand; only what comes after them may be left out."""
        return not set(final_numbers(self.edits).values()) & set(self.lost)

    def to_body(self) -> dict[str, Any]:
        """The journal's form: edits only, so that it stays short however long the match."""
        return {
            "edits": [encode_edit(edit) for edit in self.edits],
            "forced": list(self.forced),
            "lost": list(self.lost),
        }


def encode_edit(edit: Edit) -> dict[str, Any]:
    """The JSON form of an edit; `parse_edits` reads it back."""
    line = {} if edit.line is None else {"line": encode_line(edit.line)}
    return {"do": edit.do.value, "n": edit.n, **line}


def parse_edits(rows: Iterable[Mapping[str, Any]]) -> tuple[Edit, ...]:
    """Read the edits of a journal entry back. ValueError when one is none."""
    edits = []
    for row in rows:
        edit = Edit(Do(row["do"]), int(row["n"]), parse_line(row.get("line")))
        if (edit.line is None) != (edit.do is Do.REMOVE):
            raise ValueError(f"the journal holds an edit that is none: {row}")
        edits.append(edit)
    return tuple(edits)


def edited(
    rows: Sequence[Row], edits: Iterable[Edit], forced: Collection[int] = (), lost: Collection[int] = ()
) -> list[Row]:
    """The list with edits applied in order, then some entries marked as forced and some left out."""
    changed = list(rows)
    for edit in edits:
        new = [] if edit.line is None else [(edit.line, None)]
        changed[edit.n - 1 : edit.n - (edit.do is Do.INSERT)] = new
    out, mark = frozenset(lost), frozenset(forced)
    return [
        (as_forced(line), laid) if n in mark else (line, laid)
        for n, (line, laid) in enumerate(changed, 1)
        if n not in out
    ]


def final_numbers(edits: Sequence[Edit]) -> dict[int, int]:
    """By place among the edits: the number that what it puts in has once all of them are done."""
    found = {}
    for at, edit in enumerate(edits):
        if edit.line is None:
            continue
        n = edit.n
        for later in edits[at + 1 :]:
            if later.do is Do.INSERT and later.n <= n:
                n += 1
            elif later.do is Do.REMOVE and later.n < n:
                n -= 1
        found[at] = n
    return found


def as_forced(line: Line) -> Line:
    """The same turn or pass, played in spite of the rules."""
    return replace(line, forced=True) if isinstance(line, Turn | Pass) else line


def forgets_undone(length: int, edits: Iterable[Edit]) -> bool:
    """Whether edits of a list of `length` entries play another move at its end."""
    return any(
        edit.do is Do.INSERT and edit.n > length and not isinstance(edit.line, Ruling) for edit in edits
    )


def project(moves: Moves, edits: Sequence[Edit]) -> Projection:
    """Replay the edited list through the rules.

    A turn or pass that the rules refuse stands as forced where that may be; else it is lost. With a round
    that cannot open, everything after it is lost: it was played on another board. A pass that stated an
    automatic one is lost when that no longer happens: played in earnest it would change the game.
    """
    rows = edited(moves.lines(), edits)
    stated = {id(move.line) for move in moves.moves if move.step.report.kind is LineKind.STATED_PASS}
    rules, state = moves.rules, moves.start
    forced, lost, first = list[int](), list[int](), None
    round_lost = False
    for n, (line, _) in enumerate(rows, 1):
        if round_lost:
            lost.append(n)
            continue
        step = rules.apply(state, line)
        reasons = step.report.reasons
        if id(line) in stated and step.report.kind is not LineKind.STATED_PASS:
            first = first or Fault(n, line, reasons or (Reason.NOT_YOUR_TURN,), state.to_move)
            lost.append(n)
            continue
        if reasons:
            first = first or Fault(n, line, reasons, state.to_move)
            if not isinstance(line, Turn | Pass) or not FORCEABLE.issuperset(reasons):
                lost.append(n)
                round_lost = isinstance(line, NextRound)
                continue
            forced.append(n)
            step = rules.apply(state, as_forced(line))
        state = step.state
    after, _ = moves.replay(edited(moves.lines(), edits, forced, lost))
    return Projection(tuple(edits), after, tuple(forced), tuple(lost), first)


def merged(moves: Moves, change: Merge) -> Projection:
    """Two moves made one piece, the entry of the earlier one; to be done only where it is `possible`."""
    turn = Turn(change.player, change.placement.spaces)
    return project(moves, (Edit(Do.REMOVE, change.other + 1), Edit(Do.REPLACE, change.index + 1, turn)))
