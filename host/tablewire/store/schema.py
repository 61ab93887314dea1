"""The shape of the journal's database, as numbered steps from nothing to now.

Owns the tables, the triggers that keep them append-only, and how a file of an older shape is brought up. Must
not know folders, locks, or what an entry means.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

APPLICATION_ID = 0x7461776A
"""The bytes "tawj" in the file's header: tells our files from other programs' SQLite files."""

_FIRST = (
    """CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        pinned TEXT NOT NULL,
        started TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        put_aside TEXT)""",
    """CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL REFERENCES games (game_id),
        kind TEXT NOT NULL CHECK (kind IN ('observation', 'commit', 'rewrite', 'take-back', 'correction',
            'ruling', 'undo', 'redo')),
        at_ms INTEGER NOT NULL CHECK (typeof(at_ms) = 'integer'),
        wall_time TEXT NOT NULL,
        body TEXT NOT NULL,
        checksum INTEGER NOT NULL)""",
    "CREATE INDEX entries_of_game ON entries (game_id, seq)",
    """CREATE TABLE document (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        version INTEGER NOT NULL CHECK (typeof(version) = 'integer' AND version >= 0))""",
    "INSERT INTO document VALUES (1, 0)",
    # INSERT OR REPLACE deletes without firing delete triggers: a number may only ever be the next one.
    """CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
        WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entries)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER entries_remain BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER games_in_order BEFORE INSERT ON games
        WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM games)
        BEGIN SELECT RAISE(ABORT, 'games are only added'); END""",
    """CREATE TRIGGER games_stay BEFORE UPDATE OF number, game_id, game, pinned, started, checksum ON games
        BEGIN SELECT RAISE(ABORT, 'what a game was begun with never changes'); END""",
    """CREATE TRIGGER games_remain BEFORE DELETE ON games
        BEGIN SELECT RAISE(ABORT, 'games are only added'); END""",
    """CREATE TRIGGER version_rises BEFORE UPDATE ON document WHEN NEW.version < OLD.version
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END""",
    """CREATE TRIGGER version_remains BEFORE DELETE ON document
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST,)
"""Step n brings a file of schema n to schema n + 1; a published step never changes."""

SCHEMA_VERSION = len(MIGRATIONS)


def schema_version(connection: sqlite3.Connection) -> int:
    """The number of the schema the file has; 0 for a file without any."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def upgrade(connection: sqlite3.Connection, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring the file to the newest schema, all steps in one transaction: it changes wholly or not at all.

    The connection must be in autocommit mode. Raises what sqlite3 raises.
    """
    version = schema_version(connection)
    if version >= len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statements in migrations[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
