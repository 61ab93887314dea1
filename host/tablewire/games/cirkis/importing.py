"""A record of Cir*Kis played elsewhere -> the journal entries of a game at this table.

Owns what a record must be to be gone on with: every line legal, or forced where that may be. Must not know
files, or how entries are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tablewire.entries import Entry, EntryKind
from tablewire.errors import UserError, quoted
from tablewire.games.base import RecordLine
from tablewire.games.cirkis import entry_words, referee
from tablewire.games.cirkis.moves import encode_move
from tablewire.games.cirkis.record import Line, Pass, Turn, encode_line, parse_line
from tablewire.games.cirkis.report import Reason
from tablewire.games.cirkis.rules import Rules, State

MAX_KEPT_CHARS = 49_152
"""Of a line, every other character than ASCII written as an escape: three quarters of what an entry of the
journal may take. A turn takes fifty, and a note is a sentence."""
SAID_MAX_CHARS = 100
"""What takes more in words names spaces by the dozen, or numbers that no board has."""
IMPORT = "import"
"""Who played what comes out of a record, and how it came."""


def entries_of(pinned: Mapping[str, Any], lines: Iterable[RecordLine]) -> tuple[Entry, ...]:
    """One COMMIT for each line after the header. UserError "line N: ..." for the first that cannot stand."""
    rules = referee.begin(pinned).moves.rules
    state, entries = rules.start(), []
    for number, text in lines:
        if not text.strip():
            continue
        line = parse_line(text)
        step = rules.apply(state, line)
        if line is None or not step.report.legal:
            raise UserError(f"line {number}: {_refused(rules, state, line, step.report.reasons, text)}")
        _refuse_unstorable(number, line)
        body = {"by": IMPORT, "how": IMPORT, "moves": [encode_move(line, None)]}
        entries.append(Entry(EntryKind.COMMIT, 0, body))
        state = step.state
    return tuple(entries)


def _refused(rules: Rules, state: State, line: Line | None, reasons: tuple[Reason, ...], text: str) -> str:
    if line is None or Reason.NOT_A_LINE in reasons:
        return f"{quoted(text)} is no line of this game; correct it"
    player = str(line.player) if isinstance(line, Turn | Pass) else ""
    player = player if len(player) <= SAID_MAX_CHARS else quoted(player)
    shape = entry_words.shape_of(rules.pieces, line.spaces) if isinstance(line, Turn) else ""
    why = entry_words.reasons_said(reasons, player, shape, state.to_move)
    said = entry_words.line_said(rules.pieces, line)
    return f"{said if len(said) <= SAID_MAX_CHARS else quoted(text)} is against the rules: {why}; correct it"


def _refuse_unstorable(number: int, line: Line) -> None:
    """A key that begins with `x_` may hold anything that JSON can say, and a number like 1e999 is none."""
    try:
        text = json.dumps(encode_line(line), allow_nan=False)
    except ValueError as error:
        raise UserError(f"line {number}: it holds a number that is too large; correct it") from error
    if len(text) > MAX_KEPT_CHARS:
        raise UserError(f"line {number}: it is longer than {MAX_KEPT_CHARS} characters; shorten its notes")
