"""What people did to a game of Ligretto besides playing it, in words: who, what and why.

Owns which entries the audit names, and its sentences. Must not know wall time, disk or the page.

Plain play is in no audit: cards and stop buttons as the board told of them, counting over a pad, the next
round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.entries import Entry, EntryKind
from tablewire.games.ligretto.cards import Card
from tablewire.games.ligretto.deeds import Deed
from tablewire.games.ligretto.record import DecideLine, LeftLine, Line, StopLine
from tablewire.games.ligretto.rows import Do, Edit, Row, edited, parse_edit
from tablewire.games.ligretto.words import card_said, counted, face_said, line_said, listed, stopper_said
from tablewire.games.live import Intervention
from tablewire.games.signing import who

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable


def intervention(table: LigrettoTable, entry: Entry, lies: Lies) -> Intervention | None:
    """What the audit says of an entry that the table is about to take in; None for plain play."""
    del lies
    say = _SAY.get(entry.kind)
    text = None if say is None else say(table, entry.body)
    if text is None:
        return None
    by, note = who(entry.body), str(entry.body.get("note", ""))
    return Intervention(entry.kind.value, by, note, text)


def _did(table: LigrettoTable, body: Mapping[str, Any]) -> str | None:
    if "tag" in body:
        return f"Said that tag {body['tag']} is {card_said(Card(*body['card']))}."
    if "edits" not in body:
        return _ignored(body.get("ignore", ()))
    return " ".join(edits_said(table, tuple(map(parse_edit, body["edits"]))))


def _ignored(tags: Iterable[Any]) -> str | None:
    said = [f"the tag {uid} on pad {pad} does not count" for pad, uid in tags]
    return f"Said that {listed(said)}." if said else None


def edits_said(table: LigrettoTable, edits: tuple[Edit, ...]) -> list[str]:
    """One sentence for each edit of the lines."""
    rows, said = table.rows, []
    for edit in edits:
        said.append(_edit_said(table, rows, edit))
        rows = edited(rows, (edit,))
    return said


def _edit_said(table: LigrettoTable, rows: tuple[Row, ...], edit: Edit) -> str:
    do, n, row = edit
    if row is None:
        return f"Line {n}, {line_said(rows[n - 1].line)}, was taken out."
    if do is Do.REPLACE:
        return f"Line {n}, {line_said(rows[n - 1].line)}, became {line_said(row.line)}."
    if n <= len(rows):
        return f"Line {n} came in: {line_said(row.line)}."
    return _added(table, row.line)


def _added(table: LigrettoTable, line: Line) -> str:
    """What a person added at the end."""
    match line:
        case StopLine(_, None):
            stopped = table.match.round.stopped
            return f"Took back that {'nobody could play' if stopped is None else f'{stopped.by} stopped'}."
        case StopLine(_, stop):
            return f"{stopper_said(str(stop))}, entered by hand."
        case DecideLine(n, winner):
            group = table.closed.round.group_of(n)
            if group is None:
                return f"Decided for {winner}."
            others = listed(player for player in group.players if player != winner)
            card = face_said(group.colour, group.value)
            return f"Decided that {winner} was first with the {card} on pad {group.pad}, before {others}."
        case LeftLine():
            return f"Scored round {table.match.round_number} by {line_said(line)}."
        case _:
            return f"Let {line_said(line)} count."


def _undone(table: LigrettoTable, body: Mapping[str, Any]) -> str:
    return f"Took back {_deeds_said(table.deeds, int(body.get('count', 1)))}."


def _redone(table: LigrettoTable, body: Mapping[str, Any]) -> str:
    return f"Did again {_deeds_said(table.undone, int(body.get('count', 1)))}."


def _deeds_said(deeds: tuple[Deed, ...], count: int) -> str:
    if count > 1:
        return f"the last {counted(count, 'thing')} that people did"
    deed = deeds[-1]
    if deed.opens:
        return "the opening of the round"
    if deed.tag is not None:
        return f"what was said of tag {deed.tag}"
    lines = [line_said(edit.row.line) for edit in deed.edits if edit.row is not None]
    if not lines:
        return f"that line {deed.edits[0].n} was taken out"
    return listed(lines)


_SAY: Mapping[EntryKind, Callable[[LigrettoTable, Mapping[str, Any]], str | None]] = {
    EntryKind.COMMIT: lambda table, body: None if "rows" in body else _did(table, body),
    EntryKind.CORRECTION: _did,
    EntryKind.RULING: _did,
    EntryKind.UNDO: _undone,
    EntryKind.REDO: _redone,
}
