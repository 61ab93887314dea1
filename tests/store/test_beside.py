"""Other processes read a journal, and add and delete games in it, while one process plays from it."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.clock import evening
from tests.store.trials import NAME, lay_start

from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError
from tablewire.store.journal import Journal

PLAYER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError
from tablewire.store.journal import Journal

def append(n):
    # As a core does; how long the other one holds the file depends on the machine.
    while True:
        try:
            return journal.append([Entry(EntryKind.COMMIT, n, {"n": n})], n + 1)
        except StoreError as exc:
            assert "another program holds the file locked" in str(exc)

with Journal.open(Path(sys.argv[1]), lambda: datetime.now(UTC)) as journal:
    journal.begin_game("cirkis", {"name": "played"}, 1)
    print("playing", flush=True)
    for n in range(200):
        append(n)
    print("played", flush=True)
    sys.stdin.read()
"""


def entry(at_ms: int) -> Entry:
    return Entry(EntryKind.COMMIT, at_ms, {})


def test_a_reader_sees_one_moment_whatever_is_written_meanwhile(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as playing:
        first = playing.begin_game("cirkis", {"name": "first"}, 1)
        playing.append([entry(1)], 2)
        with Journal.open_reading(tmp_path, evening) as reading:
            assert not reading.is_owner
            playing.append([entry(2)], 3)
            second = playing.begin_game("cirkis", {"name": "second"}, 4)
            playing.delete(first)
            assert [g.game_id for g in reading.games()] == [first]
            assert [e.at_ms for e in reading.entries(first)] == [1]
            assert reading.version() == 2
            with pytest.raises(StoreError, match="cannot write"):
                reading.append([entry(9)], 9)
        with Journal.open_reading(tmp_path, evening) as reading:
            assert [g.game_id for g in reading.games()] == [second]


def test_a_reader_changes_nothing_in_the_folder(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        game_id = journal.begin_game("cirkis", {})
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with Journal.open_reading(tmp_path, evening) as journal:
        assert [g.game_id for g in journal.games()] == [game_id]
    left = {p.name: p.read_bytes() for p in tmp_path.iterdir() if not p.name.endswith(("-shm", "-wal"))}
    assert left == before
    (tmp_path / NAME).unlink()
    with Journal.open(tmp_path, evening) as journal:
        assert (journal.notices, journal.games()) == ([], [])
    missing = tmp_path / "nowhere"
    with Journal.open_reading(missing, evening) as journal:
        assert (journal.games(), journal.current_game(), journal.version()) == ([], None, 0)
    assert not missing.exists()


@pytest.mark.parametrize("life", ["whole life", "after an older one"])
def test_a_file_of_an_older_schema_is_read_as_it_is(tmp_path: Path, life: str) -> None:
    lay_start(tmp_path / "data", life)
    with Journal.open_reading(tmp_path / "data", evening) as journal:
        (game,) = journal.games()
        assert (game.put_aside, game.last_seq, journal.version()) == (False, 2, 12)
        assert journal.current_game() == game
        assert [e.at_ms for e in journal.entries(game.game_id)] == [100, 2000]
    with closing(sqlite3.connect(tmp_path / "data" / NAME)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda p: p.write_bytes(b"Dear Oma" * 200), "file is not a database"),
        (lambda p: p.write_bytes(b"\0" * 4096), "file is not a database"),
        (lambda p: p.write_bytes(b""), "it is empty"),
        (lambda p: p.write_bytes(p.read_bytes()[:8192]), "malformed"),
    ],
)
def test_what_cannot_be_read_is_named_and_left_as_it_is(
    tmp_path: Path, spoil: Callable[[Path], object], named: str
) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.begin_game("cirkis", {})
    path = tmp_path / NAME
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        Journal.open_reading(tmp_path, evening)
    assert str(path) in str(caught.value)
    assert named in str(caught.value)
    assert str(caught.value).isprintable()
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if "damaged" in p.name] == []


def test_who_writes_beside_a_running_table_takes_the_next_numbers(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as playing:
        current = playing.begin_game("cirkis", {"name": "current"}, 1)
        playing.append([entry(1)], 2)
        with Journal.open_beside(tmp_path, evening) as beside:
            assert not beside.is_owner
            imported = beside.import_game("cirkis", {"name": "imported"}, [entry(7), entry(8)])
            with pytest.raises(StoreError, match="put it aside first"):
                beside.delete(current)
            assert [e.seq for e in playing.append([entry(2)], 3)] == [4]
            beside.delete(imported)
        assert [g.game_id for g in playing.games()] == [current]
        assert [e.seq for e in playing.append([entry(3)], 4)] == [5]
    with Journal.open_beside(tmp_path, evening) as alone:
        assert alone.is_owner
        assert alone.notices == []


def test_a_running_table_of_an_older_version_is_not_written_beside(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "other", evening):
        pass
    lay_start(tmp_path / "data", "whole life")
    (tmp_path / "data" / "table.lock").symlink_to(tmp_path / "other" / "table.lock")
    before = (tmp_path / "data" / NAME).read_bytes()
    with Journal.open(tmp_path / "other", evening), pytest.raises(StoreError) as caught:
        Journal.open_beside(tmp_path / "data", evening)
    assert "another version of tablewire is using it (schema 1, this one writes 3)" in str(caught.value)
    assert (tmp_path / "data" / NAME).read_bytes() == before


def test_two_processes_that_write_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PLAYER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        assert player.stdout.readline() == "playing\n"
        kept, deleted = [], []
        for n in range(20):
            with Journal.open_beside(tmp_path, evening) as beside:
                kept.append(beside.import_game("cirkis", {"name": f"kept {n}"}, [entry(n), entry(n)]))
                deleted.append(beside.import_game("cirkis", {"name": f"deleted {n}"}, [entry(n)]))
                beside.delete(deleted[-1])
        assert player.communicate("")[0] == "played\n"
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        games = {game.pinned["name"]: game for game in journal.games()}
        assert sorted(games) == sorted(["played", *(f"kept {n}" for n in range(20))])
        assert [e.at_ms for e in journal.entries(games["played"].game_id)] == list(range(200))
        for n, game_id in enumerate(kept):
            assert [e.at_ms for e in journal.entries(game_id)] == [n, n]
        assert journal.version() == 200
