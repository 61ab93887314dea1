"""What is put into the journal comes out again, in order, after any number of restarts, and nothing else."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from tests.store.clock import evening

from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError
from tablewire.store.entries import MAX_BODY_BYTES
from tablewire.store.journal import PAGE_COUNT, Journal

PINNED = {
    "rulebook": "hasbro",
    "options": {"center_ring": True},
    "players": ["red", "grün"],
    "pieces": {"wedge": [6, 7], "sliver": [1]},
    "rules_version": 3,
}


def test_every_kind_of_entry_comes_back_as_it_was_written(tmp_path: Path) -> None:
    entries = [
        Entry(
            EntryKind(kind),
            n * 1000,
            {"text": f"“{kind}” \x00 'ü' 🎲", "spaces": [n, [n]], "none": None, "x": -0.5},
        )
        for n, kind in enumerate(
            ["observation", "commit", "rewrite", "take-back", "correction", "ruling", "undo", "redo", "mask"]
        )
    ]
    with Journal.open(tmp_path, evening) as journal:
        game_id = journal.begin_game("cirkis", PINNED)
        returned = journal.append(entries, 1)
    with Journal.open(tmp_path, evening) as journal:
        stored = list(journal.entries(game_id))
        assert journal.notices == []
    assert [Entry(s.kind, s.at_ms, s.body) for s in stored] == entries
    assert [s.seq for s in stored] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert {s.wall_time for s in stored} == {"2031-07-05T18:15:30.250+00:00"}
    assert returned == tuple(stored)


def test_the_kinds_are_exactly_those_of_the_journal(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.begin_game("cirkis", {})
    with sqlite3.connect(tmp_path / "table.sqlite3") as raw, pytest.raises(sqlite3.IntegrityError):
        raw.execute("INSERT INTO entries SELECT 1, game_id, 'guess', 0, started, '{}', 0 FROM games")
    raw.close()


def test_a_game_keeps_what_it_was_begun_with(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        assert journal.current_game() is None
        game_id = journal.begin_game("cirkis", PINNED)
    with Journal.open(tmp_path, evening) as journal:
        game = journal.current_game()
    assert game is not None
    assert (game.game_id, game.game, game.pinned) == (game_id, "cirkis", PINNED)
    assert (game.number, game.started, game.put_aside) == (1, "2031-07-05T18:15:30.250+00:00", False)


def test_the_newest_game_is_current_and_older_ones_stay_readable(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        first = journal.begin_game("cirkis", PINNED)
        journal.append([Entry(EntryKind.COMMIT, 1, {"of": "first"})], 1)
        second = journal.begin_game("cirkis", {**PINNED, "rules_version": 4})
        journal.append([Entry(EntryKind.COMMIT, 2, {"of": "second"})], 2)
        current = journal.current_game()
        assert current is not None
        assert current.game_id == second
        assert [g.pinned["rules_version"] for g in journal.games()] == [3, 4]
        assert [e.body for e in journal.entries(first)] == [{"of": "first"}]
        assert [e.body for e in journal.entries(second)] == [{"of": "second"}]
        assert list(journal.entries("no such game")) == []


def test_a_game_put_aside_is_current_no_more_until_the_next_begins(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        game_id = journal.begin_game("cirkis", PINNED)
        journal.append([Entry(EntryKind.COMMIT, 1, {"n": 1})], 1)
        journal.put_aside(2)
    with Journal.open(tmp_path, evening) as journal:
        assert journal.current_game() is None
        assert [e.body for e in journal.entries(game_id)] == [{"n": 1}]
        with pytest.raises(StoreError, match="no game has begun"):
            journal.append([Entry(EntryKind.COMMIT, 2, {"n": 2})], 3)
        assert journal.version() == 2
        journal.begin_game("cirkis", PINNED)
        assert [g.put_aside for g in journal.games()] == [True, False]


def test_any_game_can_be_resumed_and_goes_on_where_it_was(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        first = journal.begin_game("cirkis", PINNED)
        journal.append([Entry(EntryKind.COMMIT, 1, {"of": "first"})], 1)
        second = journal.begin_game("cirkis", PINNED)
        journal.append([Entry(EntryKind.COMMIT, 2, {"of": "second"})], 2)
        journal.resume(first, version=3)
    with Journal.open(tmp_path, evening) as journal:
        assert [(g.game_id, g.put_aside) for g in journal.games()] == [(first, False), (second, True)]
        journal.append([Entry(EntryKind.COMMIT, 3, {"of": "first"})], 4)
        assert [e.at_ms for e in journal.entries(first)] == [1, 3]
        assert [e.at_ms for e in journal.entries(second)] == [2]
        with pytest.raises(StoreError, match="there is no game 'nothing'"):
            journal.resume("nothing", [Entry(EntryKind.UNDO, 4, {})], 9)
        current = journal.current_game()
        assert current is not None
        assert (current.game_id, journal.version()) == (first, 4)


def test_a_game_is_resumed_together_with_its_first_entry_or_not_at_all(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        first = journal.begin_game("cirkis", PINNED)
        second = journal.begin_game("cirkis", PINNED, version=5)
        with pytest.raises(ValueError, match="never falls"):
            journal.resume(first, [Entry(EntryKind.OBSERVATION, 1, {})], 4)
        assert [g.put_aside for g in journal.games()] == [True, False]
        assert list(journal.entries(first)) == []
        journal.resume(first, [Entry(EntryKind.OBSERVATION, 1, {}), Entry(EntryKind.COMMIT, 2, {})], 6)
        assert [g.put_aside for g in journal.games()] == [False, True]
        assert [e.at_ms for e in journal.entries(first)] == [1, 2]
        assert journal.version() == 6
        assert journal.game(second) == journal.games()[1]
        assert journal.game("nothing") is None


@pytest.mark.parametrize("kind", [EntryKind.OBSERVATION, EntryKind.MASK])
def test_the_game_played_last_is_the_one_that_tells_the_newest_of_the_board(
    tmp_path: Path, kind: EntryKind
) -> None:
    with Journal.open(tmp_path, evening) as journal:
        assert journal.last_played() is None
        first = journal.begin_game("cirkis", PINNED)
        assert journal.last_played() == journal.game(first)
        journal.append([Entry(kind, 1, {}), Entry(EntryKind.COMMIT, 2, {})], 1)
        journal.begin_game("cirkis", PINNED)
        journal.put_aside()
        journal.import_game("cirkis", PINNED, [Entry(EntryKind.COMMIT, 0, {})])
        assert journal.last_played() == journal.game(first)


def test_a_deleted_game_is_gone_whole_and_no_number_is_given_twice(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        first = journal.begin_game("cirkis", PINNED)
        journal.append([Entry(EntryKind.COMMIT, n, {"of": "first"}) for n in range(3)], 1)
        second = journal.begin_game("cirkis", PINNED)
        journal.append([Entry(EntryKind.COMMIT, n, {"of": "second"}) for n in range(2)], 2)
        with pytest.raises(StoreError, match="put it aside first"):
            journal.delete(second)
        journal.resume(first)
        journal.delete(second)
        with pytest.raises(StoreError, match="there is no game"):
            journal.delete(second)
        with pytest.raises(StoreError, match="there is no game"):
            journal.resume(second)
        assert [g.game_id for g in journal.games()] == [first]
        assert list(journal.entries(second)) == []
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        third = journal.begin_game("cirkis", PINNED)
        (entry,) = journal.append([Entry(EntryKind.COMMIT, 9, {})], 3)
        assert entry.seq == 6
        assert [(g.number, g.game_id) for g in journal.games()] == [(1, first), (3, third)]
    assert b'"of":"second"' not in (tmp_path / "table.sqlite3").read_bytes()


def test_a_game_deleted_while_it_is_read_is_not_taken_for_a_short_one(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        game_id = journal.begin_game("cirkis", {})
        journal.append([Entry(EntryKind.OBSERVATION, n, {}) for n in range(PAGE_COUNT + 1)], 1)
        journal.put_aside()
        reading = journal.entries(game_id)
        assert next(reading).at_ms == 0
        journal.delete(game_id)
        with pytest.raises(StoreError, match="deleted while it was read"):
            list(reading)


def test_an_imported_game_is_kept_put_aside_beside_the_one_being_played(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        current = journal.begin_game("cirkis", PINNED)
        entries = [Entry(EntryKind.COMMIT, n, {"n": n}) for n in range(3)]
        imported = journal.import_game("cirkis", {**PINNED, "rulebook": "international"}, entries)
        with pytest.raises(StoreError, match="limit"):
            journal.import_game("cirkis", {}, [*entries, Entry(EntryKind.COMMIT, 4, {"x": "y" * 2**21})])
        journal.append([Entry(EntryKind.COMMIT, 7, {})], 1)
    with Journal.open(tmp_path, evening) as journal:
        assert [(g.game_id, g.put_aside) for g in journal.games()] == [(current, False), (imported, True)]
        stored = list(journal.entries(imported))
        assert [Entry(e.kind, e.at_ms, e.body) for e in stored] == entries
        assert [e.at_ms for e in journal.entries(current)] == [7]


def test_a_game_changes_when_an_entry_comes_to_it(tmp_path: Path) -> None:
    moments = iter([evening(), evening(), evening() + timedelta(hours=1), evening() + timedelta(hours=2)])
    with Journal.open(tmp_path, lambda: next(moments)) as journal:
        game_id = journal.begin_game("cirkis", {})
        assert [g.changed for g in journal.games()] == ["2031-07-05T18:15:30.250+00:00"]
        journal.append([Entry(EntryKind.COMMIT, 1, {})], 1)
        assert [(g.game_id, g.changed) for g in journal.games()] == [
            (game_id, "2031-07-05T19:15:30.250+00:00")
        ]
        journal.put_aside()
        assert [g.changed for g in journal.games()] == ["2031-07-05T19:15:30.250+00:00"]


def test_a_long_game_is_read_to_its_end(tmp_path: Path) -> None:
    count = 2 * PAGE_COUNT + 1
    with Journal.open(tmp_path, evening) as journal:
        game_id = journal.begin_game("cirkis", {})
        journal.append([Entry(EntryKind.OBSERVATION, n, {"n": n}) for n in range(count)], 1)
        assert [e.at_ms for e in journal.entries(game_id)] == list(range(count))


def test_reading_a_game_does_not_hold_up_writing_it(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        game_id = journal.begin_game("cirkis", {})
        journal.append([Entry(EntryKind.OBSERVATION, n, {}) for n in range(3)], 1)
        reading = journal.entries(game_id)
        assert next(reading).at_ms == 0
        journal.append([Entry(EntryKind.OBSERVATION, 3, {})], 2)
        assert [e.at_ms for e in reading][:2] == [1, 2]


def test_entries_and_version_are_saved_together_or_not_at_all(tmp_path: Path) -> None:
    good = Entry(EntryKind.COMMIT, 1, {"n": 1})
    with Journal.open(tmp_path, evening) as journal:
        game_id = journal.begin_game("cirkis", {}, version=7)
        with pytest.raises(ValueError, match="never falls"):
            journal.append([good], 6)
        with pytest.raises(StoreError, match="limit"):
            journal.append([good, Entry(EntryKind.COMMIT, 2, {"n": "x" * MAX_BODY_BYTES})], 9)
        with pytest.raises(StoreError, match="JSON"):
            journal.append([good, Entry(EntryKind.COMMIT, 2, {"n": float("nan")})], 9)
        with pytest.raises(OverflowError):
            journal.append([good, Entry(EntryKind.COMMIT, 1 << 70, {})], 9)
        assert list(journal.entries(game_id)) == []
        assert journal.version() == 7
        journal.append([good], 9)
        assert [e.seq for e in journal.entries(game_id)] == [1]


def test_the_document_version_never_falls_over_restarts(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        assert journal.version() == 0
        journal.save_version(41)
        journal.save_version(41)
    with Journal.open(tmp_path, evening) as journal:
        assert journal.version() == 41
        with pytest.raises(ValueError, match="never falls"):
            journal.save_version(40)
        journal.append([], 42)
        assert journal.version() == 42


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET body = '{}' WHERE seq = 1",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries SELECT 1, game_id, 'undo', 0, started, '{}', 0 FROM games",
        "INSERT INTO entries SELECT 9, game_id, 'undo', 0, started, '{}', 0 FROM games",
        "UPDATE games SET pinned = '{}'",
        "DELETE FROM games",
        "INSERT OR REPLACE INTO games SELECT 2, game_id, game, '{}', started, 0 FROM games",
        "UPDATE document SET version = version - 1",
        "UPDATE document SET last_seq = 0",
        "UPDATE document SET last_number = 0",
        "DELETE FROM document",
        "INSERT OR REPLACE INTO document VALUES (1, 0, NULL, 0, 0, 0)",
        "INSERT INTO deleted SELECT 1, game_id, started, 2, 0 FROM games",
        "INSERT INTO deleted VALUES (7, 'x', 'now', 0, 0)",
    ],
)
def test_no_program_can_change_what_is_written(tmp_path: Path, change: str) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.begin_game("cirkis", PINNED)
        journal.append([Entry(EntryKind.COMMIT, 1, {"n": 1}), Entry(EntryKind.COMMIT, 2, {"n": 2})], 5)
    raw = sqlite3.connect(tmp_path / "table.sqlite3")
    with pytest.raises(sqlite3.IntegrityError, match=r"append-only|never|only"):
        raw.execute(change)
    raw.close()


def test_a_placement_is_on_the_disk_itself_when_it_is_acknowledged(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        settings = {
            name: journal._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    # sqlite.org/pragma.html: 2 is FULL, the weakest setting under which a WAL commit survives a power cut.
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_a_closed_journal_says_so_in_one_line(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path, evening)
    journal.close()
    journal.close()
    with pytest.raises(StoreError) as caught:
        journal.save_version(1)
    assert "\n" not in str(caught.value)
