"""Looks at a database before anything writes to it, and sets aside what cannot be read.

Owns the test for damage and the names of what is set aside. Must not write into, or remove, any file: it
reads, renames and copies only. Must not know what an entry means.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import struct
from contextlib import closing
from datetime import datetime
from functools import cache
from pathlib import Path

from tablewire.errors import StoreError, one_line
from tablewire.store.entries import checksum
from tablewire.store.faults import shows_damage, store_error
from tablewire.store.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION, schema_version, upgrade

COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; -wal holds the newest entries, so it goes where the database goes."""

_MAGIC = b"SQLite format 3\x00"
_HEADER = struct.Struct(">68xI28x")  # sqlite.org/fileformat2.html, section 1.3: application id at byte 68

_GAMES = (
    "SELECT number, game_id, game, pinned, started, checksum, coalesce((SELECT wall_time FROM entries "
    "WHERE entries.game_id = games.game_id ORDER BY seq DESC LIMIT 1), started), "
    "(SELECT coalesce(max(seq), 0) FROM entries WHERE entries.game_id = games.game_id) FROM games"
)
READ_GAMES = f"{_GAMES} ORDER BY number"
READ_GAME = f"{_GAMES} WHERE game_id = ?"
READ_ENTRIES = (
    "SELECT seq, wall_time, kind, at_ms, body, checksum, game_id FROM entries "
    "WHERE game_id = ? AND seq > ? ORDER BY seq LIMIT ?"
)
"""Values: game id, the seq to begin after, how many at most (-1: all)."""

READ_LAST_PLAYED = (
    "SELECT coalesce((SELECT game_id FROM entries WHERE kind IN ('observation', 'mask') "
    "ORDER BY seq DESC LIMIT 1), (SELECT game_id FROM games ORDER BY number DESC LIMIT 1))"
)
"""One row with the id of the game that tells the newest of the board, else of the newest game, or null. An
imported game tells nothing of it."""

READ_CURRENT = {
    1: "SELECT (SELECT game_id FROM games WHERE put_aside IS NULL "
    "AND number = (SELECT max(number) FROM games))",
    2: "SELECT current FROM document",
    3: "SELECT current FROM document",
}
"""By schema: one row with the id of the current game, or null."""

_GARBLED_SCHEMA = "its schema is garbled"
_READ_DELETED = "SELECT number, game_id, deleted, entries_count, checksum FROM deleted"
_COUNTS_SINCE_2 = (
    (
        "games",
        "SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM deleted), last_number FROM document",
    ),
    (
        "entries",
        "SELECT (SELECT count(*) FROM entries) + "
        "(SELECT coalesce(sum(entries_count), 0) FROM deleted), last_seq FROM document",
    ),
)
_COUNTS: dict[int, tuple[tuple[str, str], ...]] = {
    1: (
        ("games", "SELECT count(*), coalesce(max(number), 0) FROM games"),
        ("entries", "SELECT count(*), coalesce(max(seq), 0) FROM entries"),
    ),
    2: _COUNTS_SINCE_2,
    3: (*_COUNTS_SINCE_2, ("kept", "SELECT (SELECT count(*) FROM kept), kept_count FROM document")),
}
"""By schema: how many rows there are or were before games were deleted, and how many were ever written."""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open the database in SQLite's `mode` (ro, rw or rwc), in autocommit, reading text of any bytes."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def find_damage(path: Path) -> str | None:
    """Why the database at `path` cannot be used, in words, or None when it can.

    The file and its write-ahead log stay as they are; only a page that a kill left half written is undone.
    StoreError when it cannot be reached, or when a newer program wrote it: neither is damage.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return "it is not a file"
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
    except OSError as exc:
        raise store_error("read", path, exc) from exc
    if not header:
        return "it is empty"
    if len(header) < _HEADER.size or not header.startswith(_MAGIC):
        return "it is not a database"
    if _HEADER.unpack(header)[0] != APPLICATION_ID:
        return "it belongs to another program"
    return _find_damage_inside(path, "ro")


def _find_damage_inside(path: Path, mode: str) -> str | None:
    try:
        with closing(connect(path, mode)) as connection:
            # One moment of the file: who deletes a game beside us changes rows and counts together.
            connection.execute("BEGIN")
            return look_inside(connection, path)
    except sqlite3.Error as exc:
        if mode == "ro" and getattr(exc, "sqlite_errorname", "") == "SQLITE_READONLY_ROLLBACK":
            # A kill left a half written page and, beside it, the journal to undo that; reading alone cannot.
            return _find_damage_inside(path, "rw")
        if shows_damage(exc):
            return one_line(exc)
        raise store_error("read", path, exc) from exc


def look_inside(connection: sqlite3.Connection, path: Path) -> str | None:
    """Why the open database cannot be used, or None. Raises what sqlite3 raises, and StoreError like
    `find_damage`.
    """
    try:
        return _look_inside(connection, path)
    except UnicodeDecodeError:
        # SQLite quotes a garbled schema in its complaint, and Python cannot say that.
        return _GARBLED_SCHEMA


def _look_inside(connection: sqlite3.Connection, path: Path) -> str | None:
    version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"cannot read {one_line(path)}: a newer tablewire wrote it (schema {version}, this one knows up "
            f"to {SCHEMA_VERSION}); update tablewire, or name another folder with --data"
        )
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        return "it belongs to another program"
    if version < 1:
        return "it has no schema"
    # Not quick_check: an index that lost rows would end a game early without a word.
    verdict = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if verdict != "ok":
        return one_line(verdict.splitlines()[-1])
    why = _check_rows(connection, version)
    if why is None and not _shape(connection) >= _expected_shape(version):
        return _GARBLED_SCHEMA  # a garbled trigger still parses, and refuses every entry from then on
    return why


def _shape(connection: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    """Every table, index and trigger as it was made; maybe more than ours: a person may look deeper."""
    return frozenset(connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql <> ''"))


@cache
def _expected_shape(version: int) -> frozenset[tuple[str, ...]]:
    """The shape of a file of this schema."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        upgrade(connection, MIGRATIONS[:version])
        return _shape(connection)


def _check_rows(connection: sqlite3.Connection, version: int) -> str | None:
    """What SQLite's own check cannot see: lost rows, and flipped bits in the game to be continued."""
    if connection.execute("SELECT count(*) FROM document WHERE only_row = 1").fetchone()[0] != 1:
        return "the document version is missing"
    for what, query in _COUNTS[version]:
        count, last = connection.execute(query).fetchone()
        if count != last:
            return f"rows of {what} are missing"
    games = set()
    for row in connection.execute(READ_GAMES):
        if not game_is_whole(row):
            return f"game {row[0]} is garbled"
        games.add(row[1])
    if version > 1:
        for row in connection.execute(_READ_DELETED):
            if row[4] != checksum(*row[:4]) or row[1] in games:
                return f"the note that game {row[0]} was deleted is garbled"
    (current,) = connection.execute(READ_CURRENT[version]).fetchone()
    if current is None:
        return None
    if current not in games:
        return "which game is current is garbled"
    rows = connection.execute(READ_ENTRIES, (current, 0, -1))
    return next((f"entry {row[0]} is garbled" for row in rows if not entry_is_whole(row)), None)


def game_is_whole(row: tuple[str | int, ...]) -> bool:
    """Whether a row of READ_GAMES is what was written."""
    return row[5] == checksum(*row[:5])


def entry_is_whole(row: tuple[str | int, ...]) -> bool:
    """Whether a row of READ_ENTRIES is what was written."""
    return row[5] == checksum(*row[:5], row[6])


def set_aside(path: Path, why: str, at: datetime) -> str:
    """Rename the database and its companions; the line that tells a person so. StoreError if that fails."""
    target = aside_name(path, at)
    moved = [suffix for suffix in ("", *COMPANIONS) if os.path.lexists(f"{path}{suffix}")]
    try:
        for suffix in moved:
            Path(f"{path}{suffix}").rename(f"{target}{suffix}")
    except OSError as exc:
        raise store_error("set aside the unreadable", path, exc) from exc
    return f"{one_line(path)} could not be read ({why}); it was kept as {target.name}, and a new one begun"


def free_name(path: Path) -> Path:
    """`path`, or with a number behind it: a name that nothing has yet, nor its companions."""
    candidates = (path if n == 1 else Path(f"{path}-{n}") for n in range(1, 10_000))
    return next(c for c in candidates if not any(os.path.lexists(f"{c}{s}") for s in ("", *COMPANIONS)))


def aside_name(path: Path, at: datetime) -> Path:
    """What a damaged file is called: two failures within one second must not meet."""
    return free_name(Path(f"{path}.damaged-{at:%Y%m%d-%H%M%S}"))


def orphans(path: Path) -> bool:
    """Whether a log lies there without its database: SQLite would pour it into a new one.

    What a mere reader leaves behind is empty, and the index of a log holds nothing of its own.
    """
    logs = (Path(f"{path}-wal"), Path(f"{path}-journal"))
    return not os.path.lexists(path) and any(log.exists() and log.stat().st_size > 0 for log in logs)
