"""A record of Ligretto played elsewhere -> the journal entries of a game at this table.

Owns how its lines are entered. Must not know files, or how entries are kept. A line that breaks the rules
stays what it is: wrong cards are part of any round.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from tablewire.entries import Entry, EntryKind
from tablewire.errors import UserError
from tablewire.games.base import RecordLine
from tablewire.games.ligretto.folding import IMPORT
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import parse_line
from tablewire.games.ligretto.rows import Row, encode_row
from tablewire.games.ligretto.setting import parse_setting

MAX_KEPT_CHARS = 49_152
"""Of a line, every other character than ASCII written as an escape: three quarters of what an entry of the
journal may take. A card takes a hundred."""


def entries_of(pinned: Mapping[str, object], lines: Iterable[RecordLine]) -> tuple[Entry, ...]:
    """One COMMIT for each line after the header. UserError "line N: ..." for the first that is none."""
    match, entries = Match.begin(parse_setting(pinned).rules), []
    for number, text in lines:
        if not text.strip():
            continue
        try:
            line = parse_line(text)
            match = match.enter(line)
        except UserError as error:
            raise UserError(f"line {number}: {error}") from error
        row = encode_row(Row(line))
        if len(json.dumps(row)) > MAX_KEPT_CHARS:
            raise UserError(f"line {number}: it is longer than {MAX_KEPT_CHARS} characters; shorten it")
        entries.append(Entry(EntryKind.COMMIT, 0, {"by": IMPORT, "how": IMPORT, "rows": [row]}))
    return tuple(entries)
