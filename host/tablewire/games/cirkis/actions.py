"""What an operator may do to a game of Cir*Kis, as journal entries.

Owns the actions by name and their checks. Must not know HTTP, threads or disk. `new-game` is not here: it
replaces the game and belongs to the table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.entries import Entry, EntryKind
from tablewire.games.cirkis import explain
from tablewire.games.cirkis.moves import encode_move
from tablewire.games.cirkis.record import Line, NextRound, Pass, Ruling, Turn, encode_line, parse_line
from tablewire.games.live import Outcome, Refusal

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

MAX_NOTE_CHARS = 500
"""A note is a sentence for the audit; the store and the page stay small."""


def dump(value: Any) -> str:
    """One JSON line, as records write it."""
    return json.dumps(value, ensure_ascii=False)


def act(table: CirkisTable, name: str, body: Mapping[str, Any], lies: Lies) -> Outcome:
    """Carry out one action by name."""
    action = _ACTIONS.get(name)
    if action is None:
        return Refusal("unknown_action", f"there is no action {name!r}", malformed=True)
    return action(table, body, lies)


def can_pass(table: CirkisTable) -> bool:
    """Whether the options let the player to move pass, or decline a free turn."""
    return table.header.options.voluntary_pass and table.moves.state.to_move is not None


def can_open_round(table: CirkisTable) -> bool:
    """Whether a round is over in a match that is not."""
    line = NextRound(table.moves.state.round + 1)
    return bool(table.header.options.match) and table.moves.rules.apply(table.moves.state, line).report.legal


def _choose(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    wanted = body.get("id")
    if not isinstance(wanted, str):
        return _malformed('"id" must be the id of a choice on the page')
    for choice in explain.choices(table, table.survey(lies)):
        if choice.id == wanted:
            return (table.entry(choice.change, lies, "choice"),)
    return Refusal("no_such_choice", "that choice is no longer open: the table has changed")


def _pass(table: CirkisTable, _body: Mapping[str, Any], lies: Lies) -> Outcome:
    player = table.moves.state.to_move
    if player is None:
        return Refusal("game_over", "the game is over")
    if not can_pass(table):
        return Refusal(
            "pass_while_able", f"{player} can still place a piece, and this game has no voluntary pass"
        )
    return (_commit(Pass(player), lies),)


def _next_round(table: CirkisTable, _body: Mapping[str, Any], lies: Lies) -> Outcome:
    if not can_open_round(table):
        return Refusal("no_next_round", "a next round opens only in a match, after the end of a round")
    if table.survey(lies).provisional:
        return Refusal("still_settling", "the last piece may still change: try again in two seconds")
    return (_commit(NextRound(table.moves.state.round + 1), lies),)


def _undo(table: CirkisTable, _body: Mapping[str, Any], lies: Lies) -> Outcome:
    if not table.moves.moves:
        return Refusal("nothing_to_undo", "there is no move to take back")
    return (Entry(EntryKind.UNDO, lies.now_ms, {"by": "operator"}),)


def _redo(table: CirkisTable, _body: Mapping[str, Any], lies: Lies) -> Outcome:
    if not table.undone:
        return Refusal("nothing_to_redo", "there is no move to bring back")
    if not table.moves.rules.apply(table.moves.state, table.undone[-1][0]).report.legal:
        return Refusal("no_longer_legal", "that move is no longer possible")
    return (Entry(EntryKind.REDO, lies.now_ms, {"by": "operator"}),)


def _ruling(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    line = parse_line({"ruling": dict(body)})
    if not isinstance(line, Ruling) or not table.moves.rules.apply(table.moves.state, line).report.legal:
        return _malformed('a ruling is {"points": {"red": 5}, "note": "why"} for players of this game')
    if len(line.note or "") > MAX_NOTE_CHARS:
        return _malformed(f"a note has at most {MAX_NOTE_CHARS} characters")
    return (Entry(EntryKind.RULING, lies.now_ms, {"by": "operator", **encode_move(line, None)}),)


def _correct(table: CirkisTable, body: Mapping[str, Any], lies: Lies) -> Outcome:
    """Replace entry `n`; what it makes illegal is refused, or kept as forced when the body says so."""
    n, line, note = body.get("n"), parse_line(body.get("line")), body.get("note", "")
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= len(table.moves.moves):
        return _malformed(f'"n" must be the number of an entry, 1 to {len(table.moves.moves)}')
    if line is None or not isinstance(note, str) or len(note) > MAX_NOTE_CHARS:
        return _malformed('"line" must be a line of a record and "note" a short text')
    lines = table.moves.lines()
    lines[n - 1] = (line, None)
    _, refused = table.moves.replay(lines)
    while refused is not None:
        kept = lines[refused][0]
        if (
            refused == n - 1
            or not body.get("keep_forced")
            or not isinstance(kept, Turn | Pass)
            or kept.forced
        ):
            text = f"entry {refused + 1} would not be possible: {dump(encode_line(kept))}"
            return Refusal("would_be_illegal", text)
        lines[refused] = (replace(kept, forced=True), lines[refused][1])
        _, refused = table.moves.replay(lines)
    rows = [encode_move(*row) for row in lines]
    return (
        Entry(EntryKind.CORRECTION, lies.now_ms, {"by": "operator", "n": n, "note": note, "moves": rows}),
    )


def _commit(line: Line, lies: Lies) -> Entry:
    return Entry(EntryKind.COMMIT, lies.now_ms, {"by": "operator", "moves": [encode_move(line, None)]})


def _malformed(text: str) -> Refusal:
    return Refusal("malformed", text, malformed=True)


_ACTIONS: Mapping[str, Callable[[CirkisTable, Mapping[str, Any], Lies], Outcome]] = {
    "choose": _choose,
    "pass": _pass,
    "next_round": _next_round,
    "undo": _undo,
    "redo": _redo,
    "ruling": _ruling,
    "correct": _correct,
}
