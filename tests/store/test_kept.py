"""What is kept beside the games, such as decks of cards: by name, in order, never half of it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.clock import evening

from tablewire.errors import StoreError
from tablewire.store.journal import Journal
from tablewire.store.kept import MAX_KEPT_BYTES, MAX_KEPT_COUNT, MAX_NAME_CHARS

NAME = "table.sqlite3"
RED = {"tags": {"04A1B2C3D4E5F6": ["red", 1]}}
FULLER = {"tags": {"04A1B2C3D4E5F6": ["red", 1], "04A1B2C3D4E5F7": ["red", 2]}}


def change(folder: Path, script: str) -> None:
    """Change rows as no program of ours does."""
    with closing(sqlite3.connect(folder / NAME)) as connection:
        connection.executescript(script)


def test_what_was_kept_is_there_after_a_restart_in_the_order_it_came(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        assert journal.kept("ligretto") == {}
        journal.keep("ligretto", "red", RED)
        journal.keep("ligretto", "Großmutters „blau“", {})
        journal.keep("ligretto", "red", FULLER)
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        assert [*journal.kept("ligretto").items()] == [("red", FULLER), ("Großmutters „blau“", {})]


def test_each_game_has_names_of_its_own(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.keep("ligretto", "red", RED)
        journal.keep("cirkis", "red", {"pieces": 3})
        journal.forget("ligretto", "red")
        assert journal.kept("ligretto") == {}
        assert journal.kept("cirkis") == {"red": {"pieces": 3}}


def test_what_is_kept_is_no_part_of_any_game(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.keep("ligretto", "red", RED)
        game_id = journal.begin_game("ligretto", {}, 7)
        journal.put_aside()
        journal.delete(game_id)
        assert (journal.kept("ligretto"), journal.version()) == ({"red": RED}, 7)


def test_a_name_that_is_not_kept_cannot_be_forgotten(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path, evening) as journal,
        pytest.raises(StoreError, match="nothing kept under 'red'"),
    ):
        journal.forget("ligretto", "red")


def test_too_much_is_refused_and_what_was_kept_stays(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.keep("ligretto", "red", RED)
        with pytest.raises(StoreError, match=f"the limit is {MAX_KEPT_BYTES}"):
            journal.keep("ligretto", "red", {"x": "y" * MAX_KEPT_BYTES})
        with pytest.raises(StoreError, match=f"1 to {MAX_NAME_CHARS} characters"):
            journal.keep("ligretto", "r" * (MAX_NAME_CHARS + 1), RED)
        with pytest.raises(StoreError, match="not JSON"):
            journal.keep("ligretto", "red", {"x": {1, 2}})
        assert journal.kept("ligretto") == {"red": RED}


def test_there_is_room_for_so_many_and_no_more(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        for n in range(MAX_KEPT_COUNT):
            journal.keep("ligretto", f"deck {n}", {})
        with pytest.raises(StoreError, match="forget one first"):
            journal.keep("ligretto", "one more", {})
        journal.keep("ligretto", "deck 5", RED)
        journal.forget("ligretto", "deck 6")
        journal.keep("ligretto", "one more", {})
        assert len(journal.kept("ligretto")) == MAX_KEPT_COUNT


def test_a_deck_with_a_changed_digit_is_named_and_neither_used_nor_written_over(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.begin_game("cirkis", {})
        journal.keep("ligretto", "red", RED)
        journal.keep("ligretto", "blue", {})
    change(tmp_path, "UPDATE kept SET body = replace(body, 'A1', 'A2') WHERE name = 'red'")
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        assert len(journal.games()) == 1
        with pytest.raises(StoreError, match=r"'red' of 'ligretto' is garbled on disk"):
            journal.kept("ligretto")
        readable, (line,) = journal.kept_readable("ligretto")
        assert (readable, "'red'" in line) == ({"blue": {}}, True)
        with pytest.raises(StoreError, match="what was kept under it is garbled"):
            journal.keep("ligretto", "red", FULLER)
        with closing(sqlite3.connect(tmp_path / NAME)) as connection:
            (body,) = connection.execute("SELECT body FROM kept WHERE name = 'red'").fetchone()
        assert body == '{"tags":{"04A2B2C3D4E5F6":["red",1]}}'
        journal.forget("ligretto", "red")
        journal.keep("ligretto", "red", FULLER)
        assert journal.kept("ligretto") == {"blue": {}, "red": FULLER}


def test_a_deck_that_is_lost_from_the_file_is_missed(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.keep("ligretto", "red", RED)
    change(tmp_path, "DROP TRIGGER kept_uncounted; DELETE FROM kept")
    before = (tmp_path / NAME).read_bytes()
    with Journal.open(tmp_path, evening) as journal:
        (notice,) = journal.notices
        assert "rows of kept are missing" in notice
    assert (tmp_path / f"{NAME}.damaged-20310705-201530").read_bytes() == before


def test_one_who_looks_or_writes_beside_sees_the_same(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as owner:
        owner.keep("ligretto", "red", RED)
        with Journal.open_beside(tmp_path, evening) as beside:
            assert beside.kept("ligretto") == {"red": RED}
            beside.keep("ligretto", "blue", {})
        assert [*owner.kept("ligretto")] == ["red", "blue"]
        with Journal.open_reading(tmp_path, evening) as looking:
            assert [*looking.kept("ligretto")] == ["red", "blue"]
