"""What people did to a game of Cir*Kis besides playing it, in words: who, what and why.

Owns which entries the audit names, and its sentences. Must not know wall time, disk or the page.

Plain play is in no audit: pieces as the sensors read them, a piece lifted again, passes, the next round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tablewire.board.lies import Lies
from tablewire.entries import Entry, EntryKind
from tablewire.games.cirkis import folding
from tablewire.games.cirkis.corrections import parse_edits
from tablewire.games.cirkis.edit_words import MAX_CLAUSES, Tense, edits_said, in_one_sentence
from tablewire.games.cirkis.entry_words import entries_said, line_said, piece_said, points_said
from tablewire.games.cirkis.moves import parse_move
from tablewire.games.cirkis.record import Line, Ruling, Turn
from tablewire.games.cirkis.wiring import peg_of, space_of
from tablewire.games.cirkis.words import listed, name_of, spaces_said
from tablewire.games.live import Intervention
from tablewire.games.signing import OPERATOR, who

if TYPE_CHECKING:
    from tablewire.games.cirkis.referee import CirkisTable

OLD_CHOICE = "choice"
"""What stood in place of a name before names were kept."""


def intervention(table: CirkisTable, entry: Entry, lies: Lies) -> Intervention | None:
    """What the audit says of an entry that the table is about to take in; None for plain play."""
    del lies
    say = _SAY.get(entry.kind)
    text = None if say is None else say(table, entry.body)
    if text is None:
        return None
    by = who(entry.body)
    line = entry.body.get("line", {})
    note = entry.body.get("note") or line.get("ruling", {}).get("note") or ""
    return Intervention(entry.kind.value, OPERATOR if by == OLD_CHOICE else by, str(note), text)


def _committed(table: CirkisTable, body: Mapping[str, Any]) -> str | None:
    """A choice taken, a piece entered by hand, moves accepted as they lie; else it is plain play."""
    head = _COMMITTED.get(body.get("how", body["by"]))
    if head is None:
        return None
    lines = [parse_move(row)[0] for row in body["moves"]]
    said = listed((_with_force(table, line) for line in lines), "then")
    first = len(table.moves.moves) + 1
    numbers = entries_said(range(first, first + len(lines))).capitalize()
    return f"{head}: {numbers}, {said}."


_COMMITTED = {
    "choice": "Chosen on the page",
    "place": "Entered by hand",
    "accept": "Accepted as it lay",
    "unseen": "Read after a cut",
}
"""By how the moves came about; moves of a record from elsewhere were played there.

What was read after a cut nobody saw being laid: the rules alone tell which moves it was, so it is named.
"""


def _rewritten(table: CirkisTable, body: Mapping[str, Any]) -> str | None:
    """A growth that a person chose, or one that took later entries out of the list."""
    _, forced, dropped = folding.rewritten(table, body)
    chosen = folding.is_chosen(body)
    # A piece that is only to be judged again lies there for all to see.
    lost = [at for at in dropped if chosen or table.moves.moves[at].laid is None]
    if not chosen and not lost and not forced:
        return None
    n, line = int(body["index"]) + 1, parse_move(body)[0]
    before = table.moves.moves[n - 1].line
    pieces = table.moves.rules.pieces
    grown = piece_said(pieces, line) if isinstance(line, Turn) else ""
    said = [f"Move {n}: {line_said(pieces, before)} became {grown}"]
    if forced:
        stand = "stands" if len(forced) == 1 else "stand"
        said.append(f"{entries_said([at + 1 for at in forced])} {stand} now as forced")
    for at in lost:
        said.append(f"move {at + 1}, {line_said(pieces, table.moves.moves[at].line)}, was taken out")
    head = "Chosen on the page: " if chosen else ""
    return f"{head}{'; '.join(said)}."


def _undone(table: CirkisTable, body: Mapping[str, Any]) -> str:
    count = int(body.get("count", 1))
    lines = [move.line for move in table.moves.moves[-count:]]
    first = len(table.moves.moves) - count + 1
    head = "Accepted as it lay, took back" if body.get("how") == "accept" else "Took back"
    return f"{head} {_numbered(table, first, lines)}."


def _redone(table: CirkisTable, body: Mapping[str, Any]) -> str:
    count = int(body.get("count", 1))
    lines = [line for line, _ in reversed(table.undone[-count:])]
    return f"Brought back {_numbered(table, len(table.moves.moves) + 1, lines)}."


def _numbered(table: CirkisTable, first: int, lines: Sequence[Line]) -> str:
    numbers = entries_said(range(first, first + len(lines)))
    said = [line_said(table.moves.rules.pieces, line) for line in lines]
    if len(said) > MAX_CLAUSES:
        said = [*said[:MAX_CLAUSES], f"{len(said) - MAX_CLAUSES} more"]
    return f"{numbers}: {listed(said)}"


def _ruled(table: CirkisTable, body: Mapping[str, Any]) -> str | None:
    line = parse_move(body)[0]
    if not isinstance(line, Ruling):
        return None
    state, given = table.moves.state, []
    for player in table.moves.rules.players:
        if player in line.points:
            before = state.scores_of(player)
            given.append(f"{name_of(player)} from {before} to {before + line.points[player]}")
    return f"House ruling {points_said(line.points)}: {listed(given)} points."


def _corrected(table: CirkisTable, body: Mapping[str, Any]) -> str:
    if "edits" not in body:
        return f"Move {body.get('n', '?')} was corrected."
    said = edits_said(table.moves, parse_edits(body["edits"]), body["forced"], body["lost"], Tense.DONE)
    head = _COMMITTED.get(body.get("how", ""))
    return f"{f'{head}: ' if head else ''}{in_one_sentence(said)}"


def _masked(_table: CirkisTable, body: Mapping[str, Any]) -> str:
    sensors = [int(sensor) for sensor in body["sensors"]]
    spaces = [space for sensor in sensors if (space := space_of(sensor)) is not None]
    pegs = [peg for sensor in sensors if (peg := peg_of(sensor)) is not None]
    said = [spaces_said(spaces)] if spaces else []
    said += [f"{name_of(colour)}'s peg hole {hole}" for colour, hole in pegs]
    verb = "is" if len(sensors) == 1 else "are"
    word = "no longer believed" if body["masked"] else "believed again"
    text = listed(said)
    return f"{text[0].upper()}{text[1:]} {verb} {word}."


def _with_force(table: CirkisTable, line: Line) -> str:
    against = ", against the rules" if isinstance(line, Turn) and line.forced else ""
    return f"{line_said(table.moves.rules.pieces, line)}{against}"


_SAY: Mapping[EntryKind, Callable[[CirkisTable, Mapping[str, Any]], str | None]] = {
    EntryKind.COMMIT: _committed,
    EntryKind.REWRITE: _rewritten,
    EntryKind.UNDO: _undone,
    EntryKind.REDO: _redone,
    EntryKind.RULING: _ruled,
    EntryKind.CORRECTION: _corrected,
    EntryKind.MASK: _masked,
}
