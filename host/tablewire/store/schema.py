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

_SECOND = (
    # A CHECK cannot be changed in place: every table is made anew and poured over.
    "DROP INDEX entries_of_game",
    "ALTER TABLE games RENAME TO games_1",
    "ALTER TABLE entries RENAME TO entries_1",
    "ALTER TABLE document RENAME TO document_1",
    """CREATE TABLE games (
        number INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        pinned TEXT NOT NULL,
        started TEXT NOT NULL,
        checksum INTEGER NOT NULL)""",
    "INSERT INTO games SELECT number, game_id, game, pinned, started, checksum FROM games_1 ORDER BY number",
    """CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL REFERENCES games (game_id),
        kind TEXT NOT NULL CHECK (kind IN ('observation', 'commit', 'rewrite', 'take-back', 'correction',
            'ruling', 'undo', 'redo', 'mask')),
        at_ms INTEGER NOT NULL CHECK (typeof(at_ms) = 'integer'),
        wall_time TEXT NOT NULL,
        body TEXT NOT NULL,
        checksum INTEGER NOT NULL)""",
    """INSERT INTO entries SELECT seq, game_id, kind, at_ms, wall_time, body, checksum FROM entries_1
        ORDER BY seq""",
    """CREATE TABLE document (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        version INTEGER NOT NULL CHECK (typeof(version) = 'integer' AND version >= 0),
        current TEXT REFERENCES games (game_id),
        last_number INTEGER NOT NULL,
        last_seq INTEGER NOT NULL)""",
    """INSERT INTO document SELECT 1, version,
        (SELECT game_id FROM games_1 WHERE put_aside IS NULL AND number = (SELECT max(number) FROM games_1)),
        (SELECT coalesce(max(number), 0) FROM games_1), (SELECT coalesce(max(seq), 0) FROM entries_1)
        FROM document_1""",
    """CREATE TABLE deleted (
        number INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL UNIQUE,
        deleted TEXT NOT NULL,
        entries_count INTEGER NOT NULL,
        checksum INTEGER NOT NULL)""",
    "DROP TABLE entries_1",
    "DROP TABLE document_1",
    "DROP TABLE games_1",
    "CREATE INDEX entries_of_game ON entries (game_id, seq)",
    # The counters count what was ever written, so that what is lost at the end is missed as well, and no
    # number of a deleted game or entry is given again.
    """CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
        WHEN NEW.seq <> (SELECT last_seq + 1 FROM document)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER entries_counted AFTER INSERT ON entries
        BEGIN UPDATE document SET last_seq = NEW.seq; END""",
    """CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER entries_remain BEFORE DELETE ON entries
        WHEN NOT EXISTS (SELECT 1 FROM deleted WHERE game_id = OLD.game_id)
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    # A game_id that is there already would let INSERT OR REPLACE take the older game's place.
    """CREATE TRIGGER games_in_order BEFORE INSERT ON games
        WHEN NEW.number <> (SELECT last_number + 1 FROM document)
            OR EXISTS (SELECT 1 FROM games WHERE game_id = NEW.game_id)
            OR EXISTS (SELECT 1 FROM deleted WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'games are only added'); END""",
    """CREATE TRIGGER games_counted AFTER INSERT ON games
        BEGIN UPDATE document SET last_number = NEW.number; END""",
    """CREATE TRIGGER games_stay BEFORE UPDATE ON games
        BEGIN SELECT RAISE(ABORT, 'what a game was begun with never changes'); END""",
    """CREATE TRIGGER games_remain BEFORE DELETE ON games
        WHEN NOT EXISTS (SELECT 1 FROM deleted WHERE game_id = OLD.game_id)
        BEGIN SELECT RAISE(ABORT, 'games are only added, or deleted whole'); END""",
    """CREATE TRIGGER deleted_was_a_game BEFORE INSERT ON deleted
        WHEN NOT EXISTS (SELECT 1 FROM games WHERE game_id = NEW.game_id AND number = NEW.number)
            OR NEW.game_id IS (SELECT current FROM document)
            OR NEW.entries_count <> (SELECT count(*) FROM entries WHERE game_id = NEW.game_id)
        BEGIN SELECT RAISE(ABORT, 'only a whole game is ever deleted, and never the current one'); END""",
    """CREATE TRIGGER deleted_stay BEFORE UPDATE ON deleted
        BEGIN SELECT RAISE(ABORT, 'that a game was deleted never changes'); END""",
    """CREATE TRIGGER deleted_remain BEFORE DELETE ON deleted
        BEGIN SELECT RAISE(ABORT, 'that a game was deleted never changes'); END""",
    """CREATE TRIGGER document_rises BEFORE UPDATE ON document
        WHEN NEW.version < OLD.version OR NEW.last_number < OLD.last_number OR NEW.last_seq < OLD.last_seq
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END""",
    """CREATE TRIGGER document_remains BEFORE DELETE ON document
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END""",
    """CREATE TRIGGER document_is_one BEFORE INSERT ON document
        BEGIN SELECT RAISE(ABORT, 'the document version never falls'); END""",
)

_THIRD = (
    """CREATE TABLE kept (
        number INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        name TEXT NOT NULL,
        body TEXT NOT NULL,
        changed TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        UNIQUE (game, name))""",
    # How many there are stands apart from the rows, so that one that is lost is missed.
    "ALTER TABLE document ADD COLUMN kept_count INTEGER NOT NULL DEFAULT 0",
    """CREATE TRIGGER kept_once BEFORE INSERT ON kept
        WHEN EXISTS (SELECT 1 FROM kept
            WHERE number = NEW.number OR (game = NEW.game AND name = NEW.name))
        BEGIN SELECT RAISE(ABORT, 'what is kept is changed in its place'); END""",
    """CREATE TRIGGER kept_stays_itself BEFORE UPDATE OF number, game, name ON kept
        BEGIN SELECT RAISE(ABORT, 'what is kept never changes its name'); END""",
    """CREATE TRIGGER kept_counted AFTER INSERT ON kept
        BEGIN UPDATE document SET kept_count = kept_count + 1; END""",
    """CREATE TRIGGER kept_uncounted AFTER DELETE ON kept
        BEGIN UPDATE document SET kept_count = kept_count - 1; END""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _SECOND, _THIRD)
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
