"""A file that cannot be read is kept under another name and named, and the table goes on with a new one."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.store.clock import EVENING, evening

from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError
from tablewire.store.entries import StoredEntry
from tablewire.store.journal import Journal

NAME = "table.sqlite3"
WAL = "table.sqlite3-wal"
ASIDE = "table.sqlite3.damaged-20310705-201530"
ENTRY_COUNT = 120


class Played(NamedTuple):
    """A game of 120 entries, one transaction each: as a stop of the program leaves it, and as a kill does."""

    entries: list[StoredEntry]
    stopped: dict[str, bytes]
    killed: dict[str, bytes]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("played")
    with Journal.open(folder, evening) as journal:
        journal.begin_game("cirkis", {"rulebook": "hasbro"})
        entries = [
            journal.append([Entry(EntryKind.COMMIT, n, {"spaces": [n, n + 1], "text": "x" * 90})], n)[0]
            for n in range(ENTRY_COUNT)
        ]
        killed = {name: (folder / name).read_bytes() for name in (NAME, WAL)}
    return Played(entries, {NAME: (folder / NAME).read_bytes()}, killed)


def lay(folder: Path, files: dict[str, bytes]) -> Path:
    """Put the files into the folder; the folder."""
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def read_all(journal: Journal) -> list[StoredEntry]:
    game = journal.current_game()
    return [] if game is None else list(journal.entries(game.game_id))


def other_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")


def rows_taken_out(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TRIGGER entries_remain; DELETE FROM entries WHERE seq = 60")


def last_row_taken_out(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TRIGGER entries_remain; DELETE FROM entries WHERE seq = 120")


def deletion_half_done(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "UPDATE document SET current = NULL;"
            "INSERT INTO deleted SELECT 1, game_id, started, 120, 0 FROM games;"
            "DELETE FROM entries WHERE seq > 60"
        )


def another_game_current(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("UPDATE document SET current = 'f' || substr(current, 1, 31)")


def table_dropped(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE document")


def turned_into_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def one_digit_changed(path: Path) -> None:
    data = path.read_bytes()
    assert data.count(b'"spaces":[60,61]') == 1
    path.write_bytes(data.replace(b'"spaces":[60,61]', b'"spaces":[60,66]'))


def garbled(what: bytes, into: bytes) -> Callable[[Path], object]:
    """Bytes of the schema changed, where they stand first."""

    def garble(path: Path) -> None:
        data = path.read_bytes()
        assert what in data
        path.write_bytes(data.replace(what, into, 1))

    return garble


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda p: p.write_bytes(b""),
    "one zero byte": lambda p: p.write_bytes(b"\0"),
    "only zeros": lambda p: p.write_bytes(bytes(len(p.read_bytes()))),
    "text": lambda p: p.write_text("Red won, 100 to 85\n" * 20),
    "random bytes": lambda p: p.write_bytes(random.Random(1).randbytes(20_000)),
    "random after the header": lambda p: p.write_bytes(
        p.read_bytes()[:100] + random.Random(2).randbytes(9_000)
    ),
    "only the header": lambda p: p.write_bytes(p.read_bytes()[:100]),
    "another program's": other_program,
    "an entry missing": rows_taken_out,
    "the last entry missing": last_row_taken_out,
    "a deletion half done": deletion_half_done,
    "a game current that never was": another_game_current,
    "a table missing": table_dropped,
    "one digit of an entry changed": one_digit_changed,
    "a schema that is no text": garbled(b"CREATE TABLE deleted", b"CREATE TABLE\x9adeleted"),
    "a schema that is no SQL": garbled(b"CREATE TABLE deleted", b"CREATE TALBE deleted"),
    "a trigger that cannot run": garbled(b"NEW.version < OLD.version", b"NEW.verbion < OLD.version"),
    "a trigger that does nothing": garbled(b"NEW.version < OLD.version", b"NEW.version < NEW.version"),
    "a folder": turned_into_folder,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_is_kept_and_named_and_a_new_one_begun(
    tmp_path: Path, played: Played, damage: Callable[[Path], object]
) -> None:
    lay(tmp_path, played.stopped)
    path = tmp_path / NAME
    damage(path)
    before = path.read_bytes() if path.is_file() else None
    with Journal.open(tmp_path, evening) as journal:
        (notice,) = journal.notices
        assert str(path) in notice
        assert ASIDE in notice
        assert "\n" not in notice
        assert journal.games() == []
        journal.begin_game("cirkis", {})
        journal.append([Entry(EntryKind.UNDO, 1, {})], None)
    aside = tmp_path / ASIDE
    assert (aside.read_bytes() if aside.is_file() else None) == before
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        assert [e.kind.value for e in read_all(journal)] == ["undo"]


def test_pages_that_follow_versions_never_see_one_fall_after_damage(tmp_path: Path, played: Played) -> None:
    lay(tmp_path, played.stopped)
    (tmp_path / NAME).write_bytes(b"")
    with Journal.open(tmp_path, evening) as journal:
        assert journal.version() == EVENING.timestamp() // 1


def test_a_file_cut_at_any_length_is_never_half_read(tmp_path: Path, played: Played) -> None:
    whole = played.stopped[NAME]
    lengths = {*range(0, len(whole), 2048), 1, 15, 16, 99, 100, len(whole) - 1}
    for length in sorted(lengths):
        folder = lay(tmp_path / f"cut-{length}", {NAME: whole[:length]})
        with Journal.open(folder, evening) as journal:
            assert journal.notices, length
        assert (folder / ASIDE).read_bytes() == whole[:length], length
    assert len(lengths) > 20


def test_a_flipped_bit_anywhere_never_gives_another_game(tmp_path: Path, played: Played) -> None:
    whole = played.stopped[NAME]
    draw = random.Random(3)
    outcomes = {"noticed": 0, "harmless": 0}
    for n in range(100):
        bad = bytearray(whole)
        bad[draw.randrange(len(bad))] ^= 1 << draw.randrange(8)
        folder = lay(tmp_path / f"flip-{n}", {NAME: bytes(bad)})
        try:
            with Journal.open(folder, evening) as journal:
                if journal.notices:
                    assert (folder / ASIDE).read_bytes() == bad
                    outcomes["noticed"] += 1
                    continue
                assert read_all(journal) == played.entries
                outcomes["harmless"] += 1
        except StoreError:
            assert (folder / NAME).read_bytes() == bad
            outcomes["noticed"] += 1
    assert outcomes["noticed"] > 30
    assert outcomes["harmless"] > 0


def test_a_changed_digit_of_an_older_game_is_found_when_it_is_read(tmp_path: Path, played: Played) -> None:
    lay(tmp_path, played.stopped)
    with Journal.open(tmp_path, evening) as journal:
        journal.begin_game("cirkis", {"rulebook": "hasbro"})
    one_digit_changed(tmp_path / NAME)
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        old, new = journal.games()
        with pytest.raises(StoreError, match=r"entry 61 .*garbled"):
            list(journal.entries(old.game_id))
        assert list(journal.entries(new.game_id)) == []


def test_a_header_that_changes_while_the_journal_is_open_is_not_believed(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        game_id = journal.begin_game("cirkis", {"rulebook": "hasbro"})
        with closing(sqlite3.connect(tmp_path / NAME, isolation_level=None)) as other:
            other.execute("DROP TRIGGER games_stay")
            other.execute("UPDATE games SET pinned = replace(pinned, 'hasbro', 'hasbra')")
        with pytest.raises(StoreError, match=r"game 1 .*garbled"):
            journal.game(game_id)


def test_two_damaged_files_within_one_second_are_both_kept(tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        (tmp_path / NAME).write_bytes(content)
        Journal.open(tmp_path, evening).close()
    assert (tmp_path / ASIDE).read_bytes() == b"first"
    assert (tmp_path / f"{ASIDE}-2").read_bytes() == b"second"


def test_the_log_of_a_killed_program_is_read_to_the_last_entry(tmp_path: Path, played: Played) -> None:
    with Journal.open(lay(tmp_path, played.killed), evening) as journal:
        assert journal.notices == []
        assert read_all(journal) == played.entries


def test_a_log_cut_at_any_length_gives_the_game_up_to_some_entry(tmp_path: Path, played: Played) -> None:
    wal = played.killed[WAL]
    counts = set()
    for n, length in enumerate(range(0, len(wal), len(wal) // 40)):
        folder = lay(tmp_path / f"cut-{n}", {NAME: played.killed[NAME], WAL: wal[:length]})
        with Journal.open(folder, evening) as journal:
            assert journal.notices == [], length
            read = read_all(journal)
        assert read == played.entries[: len(read)]
        counts.add(len(read))
    assert len(counts) > 20


@pytest.mark.parametrize("what", ["garbage", "its page size", "its salt", "its middle"])
def test_a_log_that_cannot_be_read_to_its_end_is_kept_and_named(
    tmp_path: Path, played: Played, what: str
) -> None:
    data = bytearray(played.killed[WAL])
    if what == "garbage":
        data[:] = random.Random(4).randbytes(len(data))
    else:
        data[{"its page size": 8, "its salt": 17, "its middle": len(data) // 2}[what]] ^= 0x10
    lay(tmp_path, {**played.killed, WAL: bytes(data)})
    with Journal.open(tmp_path, evening) as journal:
        (notice,) = journal.notices
        assert "the last moments may be missing" in notice
        read = read_all(journal)
        journal.begin_game("cirkis", {})
    assert read == played.entries[: len(read)]
    assert len(read) < ENTRY_COUNT
    (kept,) = tmp_path.glob("*-wal.damaged-*")
    assert kept.name in notice
    assert kept.read_bytes() == data


def test_a_log_whose_last_entry_was_torn_by_a_power_cut_is_no_damage(tmp_path: Path, played: Played) -> None:
    data = bytearray(played.killed[WAL])
    data[-100] ^= 0xFF
    lay(tmp_path, {**played.killed, WAL: bytes(data)})
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        assert read_all(journal) == played.entries[:-1]


def test_a_log_without_its_file_is_not_poured_into_a_new_one(tmp_path: Path, played: Played) -> None:
    lay(tmp_path, {WAL: played.killed[WAL]})
    with Journal.open(tmp_path, evening) as journal:
        assert len(journal.notices) == 1
        assert journal.games() == []
    assert (tmp_path / f"{ASIDE}-wal").read_bytes() == played.killed[WAL]


def test_a_damaged_file_takes_its_log_along(tmp_path: Path, played: Played) -> None:
    lay(tmp_path, {**played.killed, NAME: b""})
    Journal.open(tmp_path, evening).close()
    assert (tmp_path / f"{ASIDE}-wal").read_bytes() == played.killed[WAL]
