"""A file that an older program wrote is read by this one; an upgrade happens wholly or not at all."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from tests.store.clock import evening

from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError
from tablewire.store.journal import Journal
from tablewire.store.schema import MIGRATIONS, SCHEMA_VERSION, schema_version, upgrade

HERE = Path(__file__).parent
NAME = "table.sqlite3"
FIRST_GAME = "0123456789abcdef0123456789abcdef"


def older_file(folder: Path, schema: int = 1) -> Path:
    """A journal as `.dump` gave it when that schema was made; the files schema_N.sql are never edited."""
    path = folder / NAME
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / f"schema_{schema}.sql").read_text("utf-8"))
        connection.execute("PRAGMA application_id = 1952544618")
        connection.execute(f"PRAGMA user_version = {schema}")
        connection.commit()
    return path


def test_every_schema_that_was_ever_written_has_its_old_file() -> None:
    assert [p.name for p in sorted(HERE.glob("schema_*.sql"))] == [
        "schema_1.sql",
        "schema_2.sql",
        "schema_3.sql",
    ]
    assert SCHEMA_VERSION == 3


def test_a_journal_of_schema_1_is_brought_up_with_everything_in_it(tmp_path: Path) -> None:
    older_file(tmp_path)
    with Journal.open(tmp_path, evening) as journal:
        game = journal.current_game()
        assert journal.version() == 12
        assert game is not None
        assert (game.game_id, game.pinned) == (FIRST_GAME, {"rulebook": "hasbro"})
        assert game.started == game.changed == "2026-01-02T03:04:05.000+00:00"
        assert [(e.seq, e.kind.value, e.at_ms, e.body) for e in journal.entries(FIRST_GAME)] == [
            (1, "observation", 100, {"nonce": 7, "complete_ms": 100}),
            (2, "take-back", 2000, {"why": "„übersehen“"}),
        ]
        mask = Entry(EntryKind.MASK, 2500, {"by": "operator", "sensors": [3], "masked": True})
        (kept,) = journal.append([mask], 13)
        assert kept.seq == 3
        assert journal.begin_game("cirkis", {}) != FIRST_GAME
        assert [g.number for g in journal.games()] == [1, 2]


def test_an_older_file_is_kept_for_the_older_program_and_that_is_said_once(tmp_path: Path) -> None:
    older_file(tmp_path)
    with Journal.open(tmp_path, evening) as journal:
        (notice,) = journal.notices
        assert str(tmp_path / NAME) in notice
        assert "table.sqlite3.schema-1" in notice
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["table.lock", NAME, f"{NAME}.schema-1"]
    with closing(sqlite3.connect(tmp_path / f"{NAME}.schema-1")) as kept:
        assert schema_version(kept) == 1
        assert kept.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert kept.execute(
            "SELECT seq, kind, put_aside FROM entries JOIN games USING (game_id)"
        ).fetchall() == [
            (1, "observation", None),
            (2, "take-back", None),
        ]


def test_an_older_file_that_was_put_back_and_played_on_is_kept_as_well(tmp_path: Path) -> None:
    path = older_file(tmp_path)
    Journal.open(tmp_path, evening).close()
    path.write_bytes((tmp_path / f"{NAME}.schema-1").read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE document SET version = 30")
        connection.commit()
    with Journal.open(tmp_path, evening) as journal:
        assert "table.sqlite3.schema-1-2" in journal.notices[0]
        assert journal.version() == 30
    with closing(sqlite3.connect(tmp_path / f"{NAME}.schema-1")) as first:
        assert first.execute("SELECT version FROM document").fetchone() == (12,)


def test_games_of_schema_1_keep_who_is_current_and_who_was_put_aside(tmp_path: Path) -> None:
    path = older_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE games SET put_aside = '2026-01-02T04:00:00.000+00:00'")
        connection.commit()
    with Journal.open(tmp_path, evening) as journal:
        assert journal.current_game() is None
        assert [(g.game_id, g.put_aside) for g in journal.games()] == [(FIRST_GAME, True)]
        with pytest.raises(StoreError, match="no game has begun"):
            journal.append([Entry(EntryKind.COMMIT, 1, {})], None)
        journal.resume(FIRST_GAME)
        journal.append([Entry(EntryKind.COMMIT, 1, {})], None)


def test_a_journal_of_schema_2_is_brought_up_with_everything_in_it(tmp_path: Path) -> None:
    older_file(tmp_path, 2)
    with Journal.open(tmp_path, evening) as journal:
        (notice,) = journal.notices
        assert "table.sqlite3.schema-2" in notice
        assert journal.version() == 15
        assert [(g.number, g.game_id, g.put_aside) for g in journal.games()] == [
            (1, "a" * 32, False),
            (3, "c" * 32, True),
        ]
        assert [(e.seq, e.kind.value, e.body) for e in journal.entries("a" * 32)] == [
            (1, "observation", {"nonce": 7, "complete_ms": 100}),
            (2, "mask", {"by": "operator", "sensors": [36], "masked": True, "note": "„klemmt“"}),
        ]
        (kept,) = journal.append([Entry(EntryKind.REDO, 400, {})], 16)
        assert kept.seq == 5
        assert journal.kept("ligretto") == {}
        journal.keep("ligretto", "rot", {"tags": {}})
        assert journal.kept("ligretto") == {"rot": {"tags": {}}}


def test_a_journal_of_schema_3_is_read(tmp_path: Path) -> None:
    older_file(tmp_path, 3)
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        assert (journal.version(), [g.number for g in journal.games()]) == (15, [1, 3])
        assert [*journal.kept("ligretto").items()] == [
            ("rot", {"tags": {"04A1B2C3D4E5F6": ["blue", 4]}}),
            ("grün", {"tags": {"0102030A": ["red", 10]}}),
        ]
        journal.forget("ligretto", "rot")
        journal.keep("ligretto", "blau", {})
        assert [*journal.kept("ligretto")] == ["grün", "blau"]


@pytest.mark.parametrize("schema", [1, 2])
def test_an_older_file_that_is_only_looked_at_has_nothing_kept_in_it(tmp_path: Path, schema: int) -> None:
    before = older_file(tmp_path, schema).read_bytes()
    with Journal.open_reading(tmp_path, evening) as journal:
        assert journal.kept("ligretto") == {}
    assert (tmp_path / NAME).read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        ("DROP TRIGGER entries_remain; DELETE FROM entries WHERE seq = 1", "rows of entries are missing"),
        ("DROP TRIGGER games_stay; UPDATE games SET number = 2", "rows of games are missing"),
        ("DROP TRIGGER entries_stay; UPDATE entries SET body = '{}' WHERE seq = 2", "entry 2 is garbled"),
        ("DROP TRIGGER games_stay; UPDATE games SET game = 'go'", "game 1 is garbled"),
    ],
)
def test_damage_of_an_older_file_is_found_before_an_upgrade_hides_it(
    tmp_path: Path, damage: str, named: str
) -> None:
    path = older_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(damage)
    before = path.read_bytes()
    with Journal.open(tmp_path, evening) as journal:
        (notice,) = journal.notices
        assert named in notice
        assert journal.games() == []
    assert (tmp_path / f"{NAME}.damaged-20310705-201530").read_bytes() == before


def test_an_upgrade_keeps_the_entries(tmp_path: Path) -> None:
    path = older_file(tmp_path)
    later = (*MIGRATIONS, ("ALTER TABLE games ADD COLUMN place TEXT",), ("CREATE TABLE halls (name TEXT)",))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        upgrade(connection, later)
        upgrade(connection, later)
        assert schema_version(connection) == len(later)
        assert connection.execute("SELECT game, place FROM games").fetchall() == [("cirkis", None)]
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (2,)


@pytest.mark.parametrize(
    ("step", "statements_done"),
    [(step, n) for step in range(1, SCHEMA_VERSION) for n in range(len(MIGRATIONS[step]) + 1)],
)
def test_an_upgrade_that_fails_after_any_statement_changes_nothing(
    tmp_path: Path, step: int, statements_done: int
) -> None:
    path = older_file(tmp_path)
    before = path.read_bytes()
    broken = (*MIGRATIONS[:step], (*MIGRATIONS[step][:statements_done], "CREATE TABLE oops"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            upgrade(connection, broken)
        assert schema_version(connection) == 1
        assert not connection.in_transaction
    assert path.read_bytes() == before


@pytest.mark.parametrize("how", [Journal.open, Journal.open_reading, Journal.open_beside])
def test_a_file_of_a_newer_program_is_refused_and_left_alone(
    tmp_path: Path, how: Callable[[Path, Callable[[], datetime]], Journal]
) -> None:
    path = older_file(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        how(tmp_path, evening)
    message = str(caught.value)
    assert str(path) in message
    assert "newer tablewire" in message
    assert "schema 99" in message
    assert "update" in message
    assert path.read_bytes() == before
    assert {p.name for p in tmp_path.iterdir()} <= {NAME, "table.lock"}
