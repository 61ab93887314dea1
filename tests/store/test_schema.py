"""A file that an older program wrote is read by this one; an upgrade happens wholly or not at all."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.clock import evening

from tablewire.errors import StoreError
from tablewire.store.journal import Journal
from tablewire.store.schema import MIGRATIONS, schema_version, upgrade

SCHEMA_1 = Path(__file__).with_name("schema_1.sql")
"""A journal of schema 1 as `sqlite3 table.sqlite3 .dump` gave it when that schema was made; never edit it."""


def older_file(folder: Path) -> Path:
    path = folder / "table.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA_1.read_text("utf-8"))
        connection.execute("PRAGMA application_id = 1952544618")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    return path


def test_a_journal_of_schema_1_is_read(tmp_path: Path) -> None:
    older_file(tmp_path)
    with Journal.open(tmp_path, evening) as journal:
        game = journal.current_game()
        assert journal.notices == []
        assert journal.version() == 12
        assert game is not None
        assert (game.game_id, game.pinned) == ("0123456789abcdef0123456789abcdef", {"rulebook": "hasbro"})
        assert [(e.seq, e.kind.value, e.at_ms, e.body) for e in journal.entries(game.game_id)] == [
            (1, "observation", 100, {"nonce": 7, "complete_ms": 100}),
            (2, "take-back", 2000, {"why": "„übersehen“"}),
        ]


def test_an_upgrade_keeps_the_entries(tmp_path: Path) -> None:
    path = older_file(tmp_path)
    later = (*MIGRATIONS, ("ALTER TABLE games ADD COLUMN place TEXT",), ("CREATE TABLE halls (name TEXT)",))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        upgrade(connection, later)
        upgrade(connection, later)
        assert schema_version(connection) == 3
        assert connection.execute("SELECT game, place FROM games").fetchall() == [("cirkis", None)]
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (2,)


def test_an_upgrade_that_fails_half_way_changes_nothing(tmp_path: Path) -> None:
    path = older_file(tmp_path)
    before = path.read_bytes()
    broken = (*MIGRATIONS, ("ALTER TABLE games ADD COLUMN place TEXT", "CREATE TABLE games (oops)"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            upgrade(connection, broken)
        assert schema_version(connection) == 1
        assert not connection.in_transaction
    assert path.read_bytes() == before


def test_a_file_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = older_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        Journal.open(tmp_path, evening)
    message = str(caught.value)
    assert str(path) in message
    assert "newer tablewire" in message
    assert "schema 99" in message
    assert "update" in message
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if "damaged" in p.name] == []
