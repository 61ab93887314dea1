"""`tablewire replay`: the same game comes out of a capture, and whatever was changed in it is noticed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.capturing import CapturedTable, messy_session, replayed
from tests.system.games import header

from tablewire import __version__
from tablewire.core import Core
from tablewire.errors import UserError
from tablewire.store.journal import Journal

FIRST = header("red", "green")
Change = Callable[[list[dict[str, Any]]], None]


def game_of(document: dict[str, Any]) -> dict[str, Any]:
    """What a document says of the game, as a restart must say it too."""
    around = ("version", "notices", "link")
    return {key: value for key, value in document.items() if key not in around}


@pytest.mark.parametrize("seed", range(5))
def test_the_same_game_comes_out_of_any_session(tmp_path: Path, seed: int) -> None:
    table = CapturedTable(tmp_path / "games", tmp_path / "capture", seed=seed, header=FIRST)
    table.run(500)
    messy_session(table, random.Random(seed), 20)
    table.run(3_000)  # what a full disk refused is tried again by then
    record, before = table.core.table.record(), game_of(table.doc)
    table.close()
    with Journal.open(tmp_path / "games", lambda: datetime.now(UTC)) as journal:
        assert game_of(Core(journal, lambda _version, _document: None, "virtual").document()) == before
    status, said = replayed(tmp_path / "capture", tmp_path / "record")
    assert (status, len(said)) == (0, 1), said
    assert said[0].startswith("same game: ")
    assert f" {len(table.shown)} pages, " in said[0]
    if record:
        assert (tmp_path / "record").read_text("utf-8") == record


def test_a_capture_begun_in_the_midst_of_a_game_holds_what_came_before(tmp_path: Path) -> None:
    first = CapturedTable(tmp_path / "games", tmp_path / "first", header=FIRST)
    first.run(500)
    first.do("place red 6,15 over 100", "place green 16", "place red 31")
    first.act("mask", sensors=[4], masked=True)
    aside = first.doc["game_id"]
    first.act("new_game", players=["yellow", "purple"])
    first.do("lift 6,15,16,31", "place yellow 40")
    first.close()
    second = CapturedTable(tmp_path / "games", tmp_path / "second", seed=2)
    second.run(500)
    second.do("lift 40", "place yellow 40")
    second.act("resume_game", game_id=aside)
    second.do("lift 40", "place red 6,15", "place green 16", "place red 31")
    piece = second.core.table.legal()["placements"][0]
    second.do(f"place green {','.join(map(str, piece['spaces']))}")
    moves_count, masked = second.doc["moves"], sorted(second.core.table.lies.masked)
    second.close()
    assert (moves_count, masked) == (4, [4])
    assert replayed(tmp_path / "second")[1][0].startswith("same game: 4 moves, ")


def test_a_game_that_could_not_be_gone_on_with_is_none_in_the_replay_either(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games", lambda: datetime.now(UTC)) as journal:
        old = journal.begin_game("cirkis", {"header": FIRST, "rules_version": 0, "lying": None})
    table = CapturedTable(tmp_path / "games", tmp_path / "capture")
    table.run(500)
    table.do("place red 6,15 over 100")
    assert len(table.doc["notices"]) == 1
    table.act("new_game", players=["red", "green"])
    assert table.act("resume_game", game_id=old).status == 409
    table.do("lift 6,15", "place red 6,15 over 100")
    table.close()
    assert replayed(tmp_path / "capture")[1][0].startswith("same game: 1 move, ")


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """A short session with a little of everything."""
    path = tmp_path / "capture"
    table = CapturedTable(tmp_path / "games", path, header=FIRST)
    table.run(300)
    table.do("place red 6,15 over 100", "place green 16")
    table.act("undo")
    table.act("redo")
    table.act("ruling", points={"red": 5})
    table.close()
    return path


def said_of(path: Path) -> str:
    """The last line that is said of a capture, whatever it is."""
    try:
        return replayed(path)[1][-1]
    except UserError as refused:
        return str(refused)


def rewritten(path: Path, change: Change) -> Path:
    """The capture with its lines changed."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    change(lines)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def first_with(lines: list[dict[str, Any]], key: str, value: object = None) -> dict[str, Any]:
    """The first line with a field, of a value if one is given."""
    return next(line for line in lines if key in line and value in (None, line[key]))


def events(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The chunk in which the board tells of a piece."""
    return next(line for line in lines if "Events" in line.get("names", ()))


def change_rules(lines: list[dict[str, Any]]) -> None:
    first_with(lines, "begin")["begin"]["rulebook"] = "international"


def resume_no_game(lines: list[dict[str, Any]]) -> None:
    line = first_with(lines, "act")
    line.update({"act": "resume_game", "body": {"game_id": ["one"]}})


def change_players(lines: list[dict[str, Any]]) -> None:
    first_with(lines, "begin")["begin"]["players"] = ["green", "red"]


def change_times(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        line.update({key: line[key] * 10 for key in ("ms", "end") if key in line})


def change_quiet(lines: list[dict[str, Any]]) -> None:
    lines[0]["timing"]["quiet_ms"] = 5_000


def lose_a_chunk(lines: list[dict[str, Any]]) -> None:
    lines.remove(events(lines))


def change_a_byte(lines: list[dict[str, Any]]) -> None:
    line = events(lines)
    line["in"] = f"{line['in'][:10]}{int(line['in'][10], 16) ^ 1:x}{line['in'][11:]}"


def change_an_action(lines: list[dict[str, Any]]) -> None:
    first_with(lines, "act", "ruling")["body"]["points"] = {"red": 6}


def lose_an_action(lines: list[dict[str, Any]]) -> None:
    at = lines.index(first_with(lines, "act", "ruling"))
    del lines[at]
    lines[:] = [line for line in lines if "answer" not in line or lines.index(line) < at]


def change_an_answer(lines: list[dict[str, Any]]) -> None:
    first_with(lines, "answer")["answer"] = 409


def change_a_page(lines: list[dict[str, Any]]) -> None:
    [line for line in lines if "shown" in line][-1]["page"] = "0" * 16


def change_a_version(lines: list[dict[str, Any]]) -> None:
    [line for line in lines if "shown" in line][-1]["shown"] += 1


def lose_a_page(lines: list[dict[str, Any]]) -> None:
    lines.remove([line for line in lines if "shown" in line][3])


def change_what_is_sent(lines: list[dict[str, Any]]) -> None:
    line = next(line for line in lines if line.get("out"))
    line["out"] = line["out"][2:]


def invent_a_full_disk(lines: list[dict[str, Any]]) -> None:
    at = lines.index(first_with(lines, "act", "ruling"))
    lines.insert(at + 1, {"refused": 0, "text": "no room"})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (change_rules, "the game at version 2 is another one"),
        (change_players, "the game at version 2 is another one"),
        (resume_no_game, " is not shown"),
        (change_times, "at "),
        (change_quiet, "at "),
        (lose_a_chunk, "at "),
        (change_a_byte, "at "),
        (change_an_action, "the game at version "),
        (lose_an_action, "at "),
        (change_an_answer, "the answer to undo is 200, and was [409]"),
        (change_a_page, " shows something else"),
        (change_a_version, " is shown in place of version "),
        (lose_a_page, "at "),
        (change_what_is_sent, "the board is told something else"),
        (invent_a_full_disk, " is not shown"),
    ],
)
def test_what_was_changed_in_a_capture_is_noticed(capture: Path, change: Change, said: str) -> None:
    assert replayed(capture)[0] == 0
    status, lines = replayed(rewritten(capture, change))
    assert status == 1
    assert lines[-1].startswith("not the same game: at ")
    assert said in lines[-1]


def test_a_game_whose_id_is_none_is_the_same_game(capture: Path) -> None:
    def change(lines: list[dict[str, Any]]) -> None:
        first_with(lines, "shown", 2)["game_id"] = []

    assert replayed(rewritten(capture, change))[0] == 0


def test_another_version_may_show_the_same_game_otherwise(capture: Path) -> None:
    def of_old(lines: list[dict[str, Any]]) -> None:
        lines[0]["tablewire"] = "0.0.1"
        for line in lines:
            if "shown" in line:
                line["page"] = "0" * 16

    status, said = replayed(rewritten(capture, of_old))
    assert status == 0
    assert said[0] == f"captured by tablewire 0.0.1, replayed by {__version__}"
    assert said[1].startswith("same game: 2 moves, ")
    assert said[2].startswith("shown otherwise, first at 0.000 s version 1 ")


def test_another_version_is_told_from_another_game(capture: Path) -> None:
    def of_old(lines: list[dict[str, Any]]) -> None:
        lines[0]["tablewire"] = "0.0.1"
        change_an_action(lines)

    status, said = replayed(rewritten(capture, of_old))
    assert status == 1
    assert said[-1].startswith("not the same game: at ")


def test_a_capture_that_was_broken_off_is_replayed_as_far_as_it_goes(capture: Path) -> None:
    content = capture.read_bytes()
    header_size = content.index(b"\n") + 1
    rng = random.Random(1)
    ends = [content.index(b"\n", at) + 1 for at in rng.sample(range(header_size, len(content) - 20), 6)]
    for size in (*ends, *rng.sample(range(header_size, len(content)), 6), len(content) - 1):
        capture.write_bytes(content[:size])
        status, said = replayed(capture)
        whole_lines = content[:size].endswith(b"\n") or content[size : size + 1] == b"\n"
        cut = "" if whole_lines else f" in line {content[:size].count(10) + 1}"
        if size < len(content) - 1:
            assert said[0] == f"the capture was broken off{cut}; replayed up to there", size
        assert status == 0
        assert said[-1].startswith("same game: ")


def test_a_power_cut_that_leaves_zeros_at_the_end_is_a_cut(capture: Path) -> None:
    content = capture.read_bytes()
    capture.write_bytes(content[: len(content) // 2] + bytes(500))
    status, said = replayed(capture)
    assert (status, said[0].startswith("the capture was broken off in line ")) == (0, True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "it is damaged: a line of a capture is one JSON object"),
        ("[1, 2]", "it is damaged: a line of a capture is one JSON object"),
        ('{"ms": NaN, "out": ""}', "it is damaged: a line of a capture is one JSON object"),
        ("[" * 100_000, "it is damaged: a line of a capture is one JSON object"),
        ("{}", "no line of a capture looks like this"),
        ('{"answer": "200"}', "its field 'answer' is missing or of another kind"),
        ('{"ms": 1e9, "out": ""}', "its field 'ms' is missing or of another kind"),
        ('{"ms": true, "out": ""}', "its field 'ms' is missing or of another kind"),
        ('{"ms": 99999999, "in": "0g"}', "its bytes are not written in hexadecimal digits"),
        ('{"ms": 99999999, "in": "00", "names": 1}', "the names of its messages are no list"),
        ('{"ms": -1, "out": ""}', "its time, -1 ms, is before that of the line before, "),
        ('{"ms": 99999999, "link": "torn"}', "a link is opened, or lost for a reason"),
        ('{"ms": 99999999, "act": "undo"}', "its field 'body' is missing or of another kind"),
        ('{"ms": 99999999, "start": true}', "a capture's calls begin with the start, and have no other"),
        ('{"kept": {}, "entries": 0}', "its field 'game_id' is missing or of another kind"),
        (
            '{"kept": {"game_id": "1", "game": "cirkis", "pinned": {}}, "entries": 1}',
            "it is no entry of a game, and there should be one",
        ),
        (f'{{"ms": {10**400}, "out": ""}}', "its field 'ms' is missing or of another kind"),
        (
            '{"kept": {"game_id": "1", "game": "\\ud800", "pinned": {}}, "entries": 0}',
            "no game is called '\\ud800'",
        ),
    ],
)
def test_a_damaged_line_is_named(capture: Path, line: str, said: str) -> None:
    lines = capture.read_text("utf-8").splitlines()
    at = len(lines) - 10
    lines.insert(at, line)
    capture.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(UserError) as refused:
        replayed(capture)
    text = str(refused.value)
    number = at + 2 if "no entry" in said else at + 1
    assert text.startswith(f"{capture}:{number}: {said}")
    assert "\n" not in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ":1: this is no capture: `tablewire run --capture FILE` writes one"),
        (b"\x00\xff\x00", ":1: it is damaged"),
        (b'{"record": 1}\n', ":1: this is no capture"),
        (b'{"capture": 2}\n', ":1: it is of form 2, and this program reads form 1"),
        (b'{"capture": 1, "tablewire": "0.1.0"}\n', ":1: its field 'at' is missing or of another kind"),
    ],
)
def test_what_is_no_capture_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(UserError) as refused:
        replayed(tmp_path / "file")
    assert str(refused.value).startswith(f"{tmp_path / 'file'}{said}")


def test_a_capture_without_its_start_is_named(capture: Path) -> None:
    def lose_the_start(lines: list[dict[str, Any]]) -> None:
        lines.remove(first_with(lines, "start"))
        lines.remove(first_with(lines, "shown"))

    with pytest.raises(UserError, match=f"{capture}:2: a capture's calls begin with the start"):
        replayed(rewritten(capture, lose_the_start))


def test_a_capture_with_bytes_changed_anywhere_is_replayed_or_refused_in_one_line(capture: Path) -> None:
    content, rng = capture.read_bytes(), random.Random(1)
    for _ in range(15):
        changed = bytearray(content)
        for at in rng.choices(range(len(content)), k=rng.choice([1, 1, 5])):
            changed[at] = rng.randrange(256)
        capture.write_bytes(changed)
        text = said_of(capture)
        assert re.fullmatch(rf"same game: .*|not the same game: at .*|{capture}:\d+: .*", text)


def test_what_follows_the_end_is_named(capture: Path) -> None:
    with capture.open("a", encoding="utf-8") as file:
        file.write('{"ms": 99999999, "out": ""}\n')
    with pytest.raises(UserError, match="it comes after the end of the capture"):
        replayed(capture)


def test_a_capture_cut_before_its_game_is_told_is_named(tmp_path: Path, capture: Path) -> None:
    table = CapturedTable(tmp_path / "games", tmp_path / "again")
    table.close()
    lines = (tmp_path / "again").read_bytes().splitlines(keepends=True)
    (tmp_path / "again").write_bytes(b"".join(lines[:3]))
    with pytest.raises(UserError, match="the capture is cut before the game it began with is told"):
        replayed(tmp_path / "again")


def test_a_record_is_never_written_over_a_file(capture: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(UserError, match="there is such a file already: choose another name"):
        replayed(capture, tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "precious"
    with pytest.raises(UserError, match="cannot be written: No such file or directory"):
        replayed(capture, tmp_path / "none" / "record")
