"""The games that are kept: each has a row, a record and an audit, and none of it disturbs the one played."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tablewire.core import Core
from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError, UserError
from tablewire.shelf import Shelf
from tablewire.store.journal import Journal

HEADER = {"record": 1, "game": "cirkis", "rulebook": "hasbro", "players": ["red", "green"], "options": {}}
OPENING: list[dict[str, Any]] = [{"player": "red", "spaces": [6, 15]}, {"player": "green", "spaces": [16]}]
WITH_PEOPLE = {**HEADER, "x_place": "kitchen", "options": {"match": 100, "voluntary_pass": True, "x_lamp": 1}}
ARGUED: list[dict[str, Any]] = [
    {"player": "red", "spaces": [6, 15], "x_at": "20:15"},
    {"player": "green", "pass": True},
    {"player": "green", "spaces": [16], "forced": True},
    {"ruling": {"points": {"red": -5, "green": 10}, "note": "spät „dran“", "x_by": "Oma"}, "x_n": [1]},
]


class Evening:
    """A clock that goes on by a minute each time it is looked at."""

    def __init__(self) -> None:
        self.at = datetime(2031, 7, 5, 18, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The next minute."""
        self.at += timedelta(minutes=1)
        return self.at


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "games", Evening()) as journal:
        yield journal


def record(header: dict[str, Any], *lines: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in (header, *lines))


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_kept_record_comes_back_line_by_line(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    game_id = shelf.import_record(record(WITH_PEOPLE, *ARGUED), "evening.jsonl", tmp_path)
    exported = shelf.record(game_id)
    header, *lines = lines_of(exported)
    assert lines == ARGUED
    assert {**header, "options": {**header["options"], "pieces": None}} == {
        **WITH_PEOPLE,
        "options": {"match": 100, "voluntary_pass": True, "x_lamp": 1, "pieces": None},
    }
    assert len(header["options"]["pieces"]) == 9
    again = shelf.import_record(exported, "copy", tmp_path)
    assert again != game_id
    assert shelf.record(again) == exported


def test_half_a_letter_in_a_note_is_kept_and_told_as_the_escape_it_came_in(
    journal: Journal, tmp_path: Path
) -> None:
    shelf = Shelf(journal)
    line = '{"ruling": {"points": {"red": 5}, "note": "\\ud83c \\ud83c\\udfb2 \\u00fc \\\\ud800"}}\n'
    game_id = shelf.import_record(record(HEADER) + line, "evening", tmp_path)
    exported = shelf.record(game_id)
    assert json.loads(exported.encode("utf-8").splitlines()[1]) == json.loads(line)
    assert shelf.record(shelf.import_record(exported, "again", tmp_path)) == exported


def test_a_line_too_long_to_be_kept_is_named(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    long = {**OPENING[1], "x_story": "x" * 1_048_500}
    with pytest.raises(UserError, match=r"^evening: line 3: it is longer than \d+ characters"):
        shelf.import_record(record(HEADER, OPENING[0], long), "evening", tmp_path)
    assert journal.games() == []
    fits = {**OPENING[1], "x_story": "x" * 40_000}
    game_id = shelf.import_record(record(HEADER, OPENING[0], fits), "evening", tmp_path)
    assert lines_of(shelf.record(game_id))[2] == fits


def test_a_piece_set_beside_the_record_is_kept_with_the_game(journal: Journal, tmp_path: Path) -> None:
    folder = tmp_path / "box"
    folder.mkdir()
    (folder / "two.toml").write_text('[[shape]]\nname = "dot"\ncount = 2\nexample = [6]\nflip = false\n')
    header = {**HEADER, "options": {"pieces": "two.toml"}}
    shelf = Shelf(journal)
    warned: list[str] = []
    game_id = shelf.import_record(
        record(header, {"player": "red", "spaces": [6]}), "x", folder, warned.append
    )
    (folder / "two.toml").unlink()
    (kept,) = lines_of(shelf.record(game_id))[0]["options"]["pieces"]
    assert (kept["name"], kept["count"], kept["example"]) == ("dot", 2, [6])
    assert len(warned) > 0
    with pytest.raises(UserError, match=r"^x:1: .*two\.toml: cannot be read"):
        shelf.import_record(record(header), "x", folder)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "evening:1: the record is empty"),
        ("\n[1]\n", "evening:2: the first line is"),
        (record({**HEADER, "game": "go"}), "evening:1: \"game\" is 'go'"),
        (record({**HEADER, "players": ["red"]}), 'evening:1: "players" is'),
        (record(HEADER, *OPENING, {"player": "red", "spaces": [16]}), "evening: line 4: "),
        (record(HEADER, OPENING[0]) + "\n\nnonsense\n", "evening: line 5: "),
        (record(HEADER, OPENING[1]), "evening: line 2: "),
    ],
)
def test_what_is_no_legal_record_is_named_by_its_line_and_nothing_is_kept(
    journal: Journal, tmp_path: Path, text: str, said: str
) -> None:
    shelf = Shelf(journal)
    with pytest.raises(UserError) as caught:
        shelf.import_record(text, "evening", tmp_path)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)
    assert journal.games() == []


def test_each_game_has_a_row_newest_first(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    assert shelf.games() == []
    played = shelf.import_record(record(HEADER, *OPENING), "first", tmp_path)
    argued = shelf.import_record(record(WITH_PEOPLE, *ARGUED), "second", tmp_path)
    journal.resume(played)
    assert shelf.games() == [
        {
            "game_id": argued,
            "game": "cirkis",
            "players": ["red", "green"],
            "started": "2031-07-05T18:04:00.000+00:00",
            "changed": "2031-07-05T18:05:00.000+00:00",
            "moves": 2,
            "scores": {"red": -5, "green": 10},
            "totals": {"red": -5, "green": 10},
            "state": "adjourned",
            "winners": [],
        },
        {
            "game_id": played,
            "game": "cirkis",
            "players": ["red", "green"],
            "started": "2031-07-05T18:02:00.000+00:00",
            "changed": "2031-07-05T18:03:00.000+00:00",
            "moves": 2,
            "scores": {"red": 0, "green": 0},
            "state": "current",
            "winners": [],
        },
    ]
    journal.append([_points(5)], None)
    assert [row["scores"]["red"] for row in shelf.games()] == [-5, 5]


def test_a_game_that_has_ended_is_over_and_names_who_won(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    ruling = {"ruling": {"points": {"green": 40}}}
    over = shelf.import_record(record(HEADER, ruling, OPENING[0]), "over", tmp_path)
    (row,) = shelf.games()
    assert (row["game_id"], row["state"], row["winners"], row["scores"]) == (
        over,
        "over",
        ["green"],
        {"red": 0, "green": 40},
    )


def test_a_match_between_two_rounds_is_not_over(journal: Journal, tmp_path: Path) -> None:
    header = {**HEADER, "options": {"match": 100}}
    ruling = {"ruling": {"points": {"green": 40}}}
    shelf = Shelf(journal)
    shelf.import_record(record(header, ruling, OPENING[0]), "match", tmp_path)
    (row,) = shelf.games()
    assert (row["state"], row["winners"], row["totals"]) == ("adjourned", [], {"red": 0, "green": 40})


def test_the_audit_says_what_people_did_and_when(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    assert shelf.audit(None) == []
    game_id = shelf.import_record(record(HEADER, *OPENING), "first", tmp_path)
    journal.resume(game_id, [_points(5, by="Anna", note="too quick")])
    told = [line for line in shelf.audit(None) if line["kind"] == "ruling"]
    assert [(line["at"], line["n"], line["by"], line["note"]) for line in told] == [
        ("2031-07-05T18:04:00.000+00:00", 3, "Anna", "too quick")
    ]
    assert "Red" in told[0]["text"]
    assert shelf.audit(game_id) == shelf.audit(None)


def test_without_a_current_game_there_is_no_record(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    game_id = shelf.import_record(record(HEADER), "x", tmp_path)
    assert shelf.record(None) == ""
    with pytest.raises(UserError, match="no game has the id 'f00'"):
        shelf.record("f00")
    journal.resume(game_id)
    assert lines_of(shelf.record(None))[0]["players"] == ["red", "green"]


def test_a_game_of_other_rules_is_listed_with_its_trouble_beside_the_others(
    journal: Journal, tmp_path: Path
) -> None:
    shelf = Shelf(journal)
    good = shelf.import_record(record(HEADER), "x", tmp_path)
    pinned = {**journal.games()[0].pinned, "rules_version": 99}
    older = journal.import_game("cirkis", pinned, [])
    broken = journal.import_game("cirkis", journal.games()[0].pinned, [Entry(EntryKind.COMMIT, 1, {})])
    rows = {row["game_id"]: row for row in shelf.games()}
    assert list(rows) == [broken, older, good]
    assert "trouble" not in rows[good]
    assert "version 99 of its rules" in rows[older]["trouble"]
    assert (rows[older]["players"], rows[older]["moves"]) == (["red", "green"], None)
    assert "cannot be read" in rows[broken]["trouble"]
    with pytest.raises(StoreError, match=broken):
        shelf.record(broken)
    assert shelf.record(older) == shelf.record(good)


@pytest.mark.parametrize(
    ("pinned", "kept"),
    [
        ({"header": []}, None),
        ({"header": {"players": 5}}, None),
        ({"masked": ["a"]}, None),
        ({"lying": 5}, None),
        ({}, Entry(EntryKind.COMMIT, 0, {})),
        ({}, Entry(EntryKind.MASK, 0, {"sensors": 5})),
        ({}, Entry(EntryKind.RULING, 0, {"points": []})),
        ({}, Entry(EntryKind.OBSERVATION, 0, {"reads": "none"})),
    ],
)
def test_a_game_in_a_form_of_nobodys_is_told_in_one_line_wherever_it_is_asked_for(
    journal: Journal, tmp_path: Path, pinned: dict[str, Any], kept: Entry | None
) -> None:
    """Another version may have written it. The others can be played, and this one put aside."""
    shelf = Shelf(journal)
    good = shelf.import_record(record(HEADER), "x", tmp_path)
    game_id = journal.begin_game("cirkis", {**journal.games()[0].pinned, **pinned})
    journal.append([kept] if kept else [], None)
    for ask in (shelf.document, shelf.audit):
        with pytest.raises((UserError, StoreError)) as caught:
            ask(game_id)
        assert "\n" not in str(caught.value)
    assert [row["game_id"] for row in shelf.games()] == [game_id, good]
    assert all(isinstance(player, str) for row in shelf.games() for player in row["players"])
    core = Core(journal, lambda _version, _document: None, "none")
    assert (core.game_id, "cannot be gone on with" in (core.trouble or "")) == (None, True)
    assert core.act("resume_game", {"game_id": good}).status == 200
    assert core.act("resume_game", {"game_id": game_id}).status in (409, 503)


def test_an_id_may_be_cut_as_long_as_it_names_one_game(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    ids = [shelf.import_record(record(HEADER), "x", tmp_path) for _ in range(17)]
    for game_id in ids:
        assert shelf.find(game_id).game_id == game_id
        assert shelf.find(f" {game_id[:12].upper()}").game_id == game_id
    # Of seventeen ids two begin with the same of sixteen digits.
    twice = next(d for d in "0123456789abcdef" if sum(i.startswith(d) for i in ids) > 1)
    with pytest.raises(UserError, match=rf"'{twice}' begins the ids of \d+ games: {twice}"):
        shelf.find(twice)
    for wrong in ("", "  ", "xyz", ids[0] + "0", "%"):
        with pytest.raises(UserError, match=r"no game in .* has an id that begins with"):
            shelf.find(wrong)


def test_a_deleted_game_is_on_the_shelf_no_more(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    first, second = (shelf.import_record(record(HEADER, *OPENING), "x", tmp_path) for _ in range(2))
    assert len(shelf.games()) == 2
    shelf.delete(first)
    assert [row["game_id"] for row in shelf.games()] == [second]
    with pytest.raises(UserError):
        shelf.find(first)


def test_many_threads_may_ask_while_a_game_is_played(journal: Journal, tmp_path: Path) -> None:
    shelf = Shelf(journal)
    game_id = shelf.import_record(record(HEADER), "x", tmp_path)
    journal.resume(game_id)
    seen: list[list[int]] = [[] for _ in range(4)]
    done = threading.Event()

    def ask(mine: list[int]) -> None:
        while not done.is_set() or len(mine) < 3:
            mine.append(shelf.games()[0]["scores"]["red"])

    threads = [threading.Thread(target=ask, args=(mine,)) for mine in seen]
    for thread in threads:
        thread.start()
    for _ in range(40):
        journal.append([_points(5)], None)
    done.set()
    for thread in threads:
        thread.join()
    for mine in seen:
        assert mine == sorted(mine)
    assert shelf.games()[0]["scores"]["red"] == 200


def _points(count: int, by: str = "operator", note: str = "") -> Entry:
    line = {"ruling": {"points": {"red": count}, "note": note}}
    return Entry(EntryKind.RULING, 1, {"by": by, "line": line})
