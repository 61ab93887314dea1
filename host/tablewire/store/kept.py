"""What is kept for a game beside the games themselves, by name: the decks of its cards, for instance.

Owns the statements that read, write and check it, and how much of it there may be. Must not know what a body
means, nor files, locks or transactions: whoever calls gives the statement runner of one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tablewire.errors import StoreError, quoted
from tablewire.store.entries import checksum, encode_body

Run = Callable[..., sqlite3.Cursor]
"""Executes one statement of a transaction."""
Row = tuple[Any, ...]
"""One row of `READ_ALL` or `READ_KEPT`."""

MAX_KEPT_BYTES = 64 * 1024
"""A deck of forty cards takes 2 kB; ten times that, and room for words, is a mistake."""
MAX_KEPT_COUNT = 100
"""For one game: twelve players with a deck each, in several boxes; a lesson that runs away ends here."""
MAX_NAME_CHARS = 100
"""A name is for people, and shorter: this only bounds a row."""

_READ_NOTHING = "SELECT 1 WHERE ? IS NULL"
READ_ALL = "SELECT number, game, name, body, changed, checksum FROM kept"
READ_KEPT = f"{READ_ALL} WHERE game = ? ORDER BY number"
"""Value: the game. In the order in which the names were first kept."""
READ_BY_SCHEMA = {1: _READ_NOTHING, 2: _READ_NOTHING, 3: READ_KEPT}
"""By schema: `READ_KEPT`, which finds nothing in a file that is older than what is kept."""

_GARBLED = "{what} is garbled on disk; forget it and make it anew, or put back an older copy of the file"


def is_whole(row: Row) -> bool:
    """Whether a row is what was written."""
    return bool(row[5] == checksum(*row[:5]))


def parse_rows(rows: Iterable[Row]) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Rows as bodies by name, and what of them cannot be read, a line for each."""
    bodies: dict[str, dict[str, Any]] = {}
    garbled = []
    for row in rows:
        if is_whole(row):
            bodies[row[2]] = json.loads(row[3])
        else:
            garbled.append(_GARBLED.format(what=f"{quoted(row[2])} of {quoted(row[1])}"))
    return bodies, garbled


def write(run: Run, game: str, name: str, body: Mapping[str, Any], wall_time: str) -> None:
    """Keep a body under a name, in the place of what was kept under it.

    StoreError when it is too long, or too much is kept already, or what was kept is garbled: that is not
    written over.
    """
    text = encode_body(body, MAX_KEPT_BYTES)
    if not 0 < len(name) <= MAX_NAME_CHARS:
        raise StoreError(f"cannot keep {quoted(name)}: a name has 1 to {MAX_NAME_CHARS} characters")
    row = run(f"{READ_ALL} WHERE game = ? AND name = ?", (game, name)).fetchone()
    if row is None:
        (count,) = run("SELECT count(*) FROM kept WHERE game = ?", (game,)).fetchone()
        if count >= MAX_KEPT_COUNT:
            raise StoreError(f"cannot keep {quoted(name)}: {count} are kept already; forget one first")
        (number,) = run("SELECT coalesce(max(number), 0) + 1 FROM kept").fetchone()
        values = (number, game, name, text, wall_time)
        run("INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?)", (*values, checksum(*values)))
        return
    if not is_whole(row):
        raise StoreError(f"cannot keep {quoted(name)}: " + _GARBLED.format(what="what was kept under it"))
    check = checksum(row[0], game, name, text, wall_time)
    changed = "UPDATE kept SET body = ?, changed = ?, checksum = ? WHERE number = ?"
    run(changed, (text, wall_time, check, row[0]))


def erase(run: Run, game: str, name: str) -> None:
    """Keep it no longer, garbled or not. StoreError when nothing is kept under that name."""
    if run("DELETE FROM kept WHERE game = ? AND name = ?", (game, name)).rowcount < 1:
        raise StoreError(f"there is nothing kept under {quoted(name)}")
