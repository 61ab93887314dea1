"""A game at the table as the list of its record lines, with the tag that told of each card, and edits of it.

Owns the rows, their form in the journal, and how later lines that name others by number follow an edit. Must
not know sensors, who edits, or whether a line is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from tablewire.games.ligretto.record import CardLine, DecideLine, Line, encode_line, parse_line


class Row(NamedTuple):
    """One line of the record. `uid`: the tag that was read, None where a person wrote the line."""

    line: Line
    uid: str | None = None


class Do(StrEnum):
    """What an edit does with line `n`. An insertion comes before it; `n` may be one past the last then."""

    REPLACE = "replace"
    INSERT = "insert"
    REMOVE = "remove"


class Edit(NamedTuple):
    """One change of the list. `row` is None only for a removal. Several edits apply one after another."""

    do: Do
    n: int
    row: Row | None = None


def encode_row(row: Row) -> dict[str, Any]:
    """The JSON form of a row; `parse_row` is its inverse."""
    told: dict[str, Any] = {"line": encode_line(row.line)}
    if row.uid is not None:
        told["uid"] = row.uid
    return told


def parse_row(told: Mapping[str, Any]) -> Row:
    """Read a row of the journal back. UserError, KeyError or TypeError when it is none."""
    return Row(parse_line(told["line"]), told.get("uid"))


def encode_edit(edit: Edit) -> dict[str, Any]:
    """The JSON form of an edit; `parse_edit` is its inverse."""
    row = {} if edit.row is None else encode_row(edit.row)
    return {"do": edit.do.value, "n": edit.n, **row}


def parse_edit(told: Mapping[str, Any]) -> Edit:
    """Read an edit of the journal back. UserError, KeyError, TypeError or ValueError when it is none."""
    do = Do(told["do"])
    return Edit(do, int(told["n"]), None if do is Do.REMOVE else parse_row(told))


def edited(rows: Sequence[Row], edits: Iterable[Edit]) -> tuple[Row, ...]:
    """The list after the edits, in order. Decisions further on still name the lines that they named."""
    changed = list(rows)
    for do, n, row in edits:
        step = {Do.INSERT: 1, Do.REMOVE: -1, Do.REPLACE: 0}[do]
        changed[n - 1 : n - (do is Do.INSERT)] = [] if row is None else [row]
        if step:
            after = n - 1 + (do is Do.INSERT)
            changed[after:] = [_renumbered(row, n, step) for row in changed[after:]]
    return tuple(changed)


def _renumbered(row: Row, n: int, step: int) -> Row:
    line = row.line
    if isinstance(line, DecideLine) and line.n >= n + (step < 0):
        return row._replace(line=DecideLine(line.n + step, line.winner))
    return row


def inverse(rows: Sequence[Row], edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits that bring the list back to what it is now, after `edits` and whatever was added behind."""
    back = list[Edit]()
    for edit in edits:
        match edit.do:
            case Do.INSERT:
                back.append(Edit(Do.REMOVE, edit.n))
            case Do.REMOVE:
                back.append(Edit(Do.INSERT, edit.n, rows[edit.n - 1]))
            case Do.REPLACE:
                back.append(Edit(Do.REPLACE, edit.n, rows[edit.n - 1]))
        rows = edited(rows, (edit,))
    return tuple(reversed(back))


def with_decisions(rows: Sequence[Row], edit: Edit) -> tuple[Edit, ...]:
    """An edit, with the decisions taken out that name the line it removes: they would name another then."""
    if edit.do is not Do.REMOVE:
        return (edit,)
    naming = [n for n, row in enumerate(rows, 1) if isinstance(row.line, DecideLine) and row.line.n == edit.n]
    return (*(Edit(Do.REMOVE, n) for n in reversed(naming)), edit)


def pad_of(row: Row) -> int | None:
    """Where the card of a row lies; None of any other line."""
    return row.line.pad if isinstance(row.line, CardLine) else None
