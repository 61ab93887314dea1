"""`tablewire games`: what is kept is listed, shown, exported, imported and deleted, in clear lines."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tablewire import cli
from tablewire.entries import Entry, EntryKind
from tablewire.store.journal import Journal

HEADER = {"record": 1, "game": "cirkis", "rulebook": "hasbro", "players": ["red", "green"], "options": {}}
LINES: list[dict[str, Any]] = [
    {"player": "red", "spaces": [6, 15]},
    {"player": "green", "spaces": [8], "forced": True},
    {"ruling": {"points": {"green": 5}, "note": "for the tea"}},
]


class Said(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


Typed = Callable[..., Said]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Typed:
    """Types `tablewire games ... --data tmp_path/games`; `answer` is what comes on standard input."""

    def type_it(*arguments: str, answer: str = "") -> Said:
        monkeypatch.setattr(
            sys, "argv", ["tablewire", "games", *arguments, "--data", str(tmp_path / "games")]
        )
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(answer.encode())))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return Said(int(ended.value.code or 0), out, err)

    monkeypatch.chdir(tmp_path)
    return type_it


def record(*lines: dict[str, Any], **header: Any) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in ({**HEADER, **header}, *lines))


def evening() -> datetime:
    return datetime(2031, 7, 5, 18, 15, tzinfo=UTC)


@pytest.fixture
def kept(typed: Typed) -> str:
    """The id of a game of two moves and a ruling."""
    said = typed("import", "-", answer=record(*LINES))
    assert (said.status, said.err) == (0, "")
    return said.out.strip()


def test_an_empty_folder_has_no_games_and_is_left_as_it_is(typed: Typed, tmp_path: Path) -> None:
    said = typed("list")
    assert said == (0, f"no games are kept in {tmp_path / 'games'}\n", "")
    assert typed("list", "--json") == (0, "[]\n", "")
    assert not (tmp_path / "games").exists()
    for command in ("show", "export", "delete"):
        said = typed(command, "1a2b")
        assert (said.status, said.out) == (2, "")
        assert said.err.count("\n") == 1
        assert "'1a2b'" in said.err
    assert not (tmp_path / "games").exists()


def test_the_list_has_a_line_for_each_game_newest_first(typed: Typed, kept: str) -> None:
    second = typed("import", "-", answer=record(players=["yellow", "purple", "red"])).out.strip()
    first_line, second_line = typed("list").out.splitlines()
    assert first_line.split("  ")[0] == second[:8]
    assert "yellow, purple, red" in first_line
    assert "0 moves" in first_line
    assert second_line.split("  ")[0] == kept[:8]
    assert "adjourned" in second_line
    assert second_line.endswith("2 moves  red 0, green 5")
    rows = json.loads(typed("list", "--json").out)
    assert [(row["game_id"], row["moves"], row["scores"]) for row in rows] == [
        (second, 0, {"yellow": 0, "purple": 0, "red": 0}),
        (kept, 2, {"red": 0, "green": 5}),
    ]


def test_a_game_is_shown_with_scores_moves_and_why(typed: Typed, kept: str) -> None:
    said = typed("show", kept[:5])
    assert (said.status, said.err) == (0, "")
    lines = [" ".join(line.split()) for line in said.out.splitlines()]
    assert lines[0] == f"game {kept}"
    assert lines[1] == "cirkis, rulebook hasbro"
    assert lines[2].endswith("adjourned")
    assert "green 5" in lines
    assert "1 red small slice on 6, 15" in lines
    assert "2 green wedge on 8 forced: not_touching_leader" in lines
    assert "3 ruling green +5 (for the tea)" in lines
    shown = json.loads(typed("show", kept, "--json").out)
    assert (shown["game_id"], shown["scores"]) == (kept, {"red": 0, "green": 5})
    assert [line["n"] for line in shown["history"]] == [1, 2, 3]
    assert isinstance(shown["audit"], list)


def test_an_exported_game_is_a_record_that_scores_and_comes_back(
    typed: Typed, kept: str, tmp_path: Path
) -> None:
    printed = typed("export", kept[:6])
    assert (printed.status, printed.err) == (0, "")
    assert [json.loads(line) for line in printed.out.splitlines()[1:]] == LINES
    assert typed("export", kept, "-").out == printed.out
    assert typed("export", kept, "evening.jsonl") == (0, "", "")
    assert (tmp_path / "evening.jsonl").read_text("utf-8") == printed.out
    again = typed("import", "evening.jsonl").out.strip()
    assert again != kept
    assert typed("export", again).out == printed.out


def test_an_export_never_writes_over_a_file_unless_it_is_forced(
    typed: Typed, kept: str, tmp_path: Path
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Oma")
    file.chmod(0o640)
    said = typed("export", kept, "letter.txt")
    assert (said.status, said.out) == (2, "")
    assert said.err == "tablewire: letter.txt is there already: name another file, or give --force\n"
    assert file.read_text() == "Dear Oma"
    assert typed("export", kept, "letter.txt", "--force").status == 0
    assert file.read_text("utf-8").startswith('{"record": 1')
    assert file.stat().st_mode & 0o777 == 0o640
    assert typed("export", kept, "new.jsonl", "--force").status == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["games", "letter.txt", "new.jsonl"]


def test_an_export_through_a_link_writes_the_file_it_leads_to(
    typed: Typed, kept: str, tmp_path: Path
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "record").write_text("old")
    (tmp_path / "link").symlink_to("there/record")
    for _ in range(2):
        assert typed("export", kept, "link", "--force").status == 0
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "there" / "record").read_text("utf-8").startswith('{"record": 1')
        (tmp_path / "there" / "record").unlink()
    assert typed("export", kept, "link").status == 2


def test_a_device_is_written_to_and_never_replaced(typed: Typed, kept: str) -> None:
    assert typed("export", kept, "/dev/null", "--force").status == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("place", ["nowhere/x.jsonl", ".", "x" * 300, "/dev/full"])
def test_an_export_that_cannot_be_written_is_one_line(typed: Typed, kept: str, place: str) -> None:
    said = typed("export", kept, place, "--force")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"tablewire: cannot write {place}: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "r.jsonl:1: the record is empty"),
        (b"\xff", "r.jsonl:1: byte 0xff is not UTF-8"),
        (b"{}\n", 'r.jsonl:1: "game" is None'),
        (record(LINES[0], LINES[0]).encode(), "r.jsonl: line 3: "),
        (record(LINES[0]).encode() + b"\n\nred, 7\n", "r.jsonl: line 5: "),
    ],
)
def test_what_is_no_record_is_refused_whole_with_its_line(
    typed: Typed, tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "r.jsonl").write_bytes(content)
    refused = typed("import", "r.jsonl")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"tablewire: {said}")
    assert refused.err.count("\n") == 1
    assert typed("list", "--json").out == "[]\n"


def test_a_record_that_cannot_be_read_is_named(typed: Typed) -> None:
    said = typed("import", "none.jsonl")
    assert (said.status, said.out) == (2, "")
    assert said.err == "tablewire: none.jsonl: cannot be read: No such file or directory\n"


def test_a_piece_set_named_by_a_record_is_looked_for_beside_the_record(typed: Typed, tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.mkdir()
    (box / "mine.toml").write_text('[[shape]]\nname = "dot"\ncount = 2\nexample = [6]\nflip = false\n')
    (box / "r.jsonl").write_text(record({"player": "red", "spaces": [7]}, options={"pieces": "mine.toml"}))
    said = typed("import", "box/r.jsonl")
    assert said.status == 0
    assert all(line.startswith("tablewire: box/r.jsonl: warning: ") for line in said.err.splitlines())
    header = json.loads(typed("export", said.out.strip()).out.splitlines()[0])
    assert [shape["name"] for shape in header["options"]["pieces"]] == ["dot"]


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "yess\n"])
def test_a_game_is_deleted_only_when_a_person_says_so(typed: Typed, kept: str, answer: str) -> None:
    said = typed("delete", kept, answer=answer)
    assert said.status == (1 if answer else 2)
    assert said.out == ""
    assert "nothing was deleted" in said.err
    assert f"delete game {kept[:8]}" in said.err
    assert len(json.loads(typed("list", "--json").out)) == 1


@pytest.mark.parametrize("arguments", [["--yes"], []])
def test_a_deleted_game_is_gone_for_good(typed: Typed, kept: str, arguments: list[str]) -> None:
    said = typed("delete", kept[:4], *arguments, answer="Y\n")
    assert (said.status, said.out) == (0, f"deleted {kept}\n")
    assert typed("list", "--json").out == "[]\n"
    assert typed("delete", kept, "--yes").status == 2


def test_the_game_that_nobody_plays_now_is_deleted_too(typed: Typed, kept: str, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "games", evening) as journal:
        journal.resume(kept)
    assert typed("delete", kept, "--yes").status == 0
    with Journal.open(tmp_path / "games", evening) as journal:
        assert (journal.games(), journal.current_game(), journal.notices) == ([], None, [])


def test_beside_a_running_table_games_are_read_added_and_deleted_but_not_the_one_played(
    typed: Typed, kept: str, tmp_path: Path
) -> None:
    with Journal.open(tmp_path / "games", evening) as running:
        current = running.begin_game("cirkis", running.games()[0].pinned)
        running.append([Entry(EntryKind.OBSERVATION, 1, {"nonce": 7, "complete_ms": 1})], 3)
        assert [row["state"] for row in json.loads(typed("list", "--json").out)] == ["current", "adjourned"]
        refused = typed("delete", current[:8], "--yes")
        assert (refused.status, refused.out) == (1, "")
        assert f"game {current[:8]} is being played" in refused.err
        assert refused.err.count("\n") == 1
        added = typed("import", "-", answer=record(*LINES)).out.strip()
        assert typed("delete", kept, "--yes").status == 0
        # The table that runs goes on with the next numbers, and sees what was done beside it.
        (entry,) = running.append([Entry(EntryKind.OBSERVATION, 2, {"nonce": 7, "complete_ms": 2})], 4)
        assert entry.seq == 1 + len(LINES) + 1 + len(LINES)
        assert [game.game_id for game in running.games()] == [current, added]
        assert [e.at_ms for e in running.entries(current)] == [1, 2]
    with Journal.open(tmp_path / "games", evening) as journal:
        assert journal.notices == []
        assert journal.version() == 4


def test_a_damaged_file_is_named_and_left_as_it_is(typed: Typed, kept: str, tmp_path: Path) -> None:
    path = tmp_path / "games" / "table.sqlite3"
    path.write_bytes(b"Dear Oma")
    for command in (["list"], ["show", kept], ["export", kept], ["delete", kept, "--yes"]):
        said = typed(*command)
        assert (said.status, said.out) == (1, "")
        assert str(path) in said.err
        assert said.err.count("\n") == 1
        assert path.read_bytes() == b"Dear Oma"
    said = typed("import", "-", answer=record())
    assert said.status == 0
    assert "it was kept as table.sqlite3.damaged-" in said.err
    assert len(json.loads(typed("list", "--json").out)) == 1


def test_a_terminal_that_does_not_know_the_letters_gets_escapes_and_a_file_the_letters(
    typed: Typed, tmp_path: Path
) -> None:
    note = {"ruling": {"points": {"red": 5}, "note": "за чай"}}
    game_id = typed("import", "-", answer=record(note)).out.strip()
    for command, expected in (("show", rb"\u0437\u0430 \u0447\u0430\u0439"), ("export", "за чай".encode())):
        done = subprocess.run(
            [sys.executable, "-m", "tablewire", "games", command, game_id, "--data", str(tmp_path / "games")],
            env={**os.environ, "PYTHONIOENCODING": "latin-1"},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert expected in done.stdout


def test_a_reader_that_has_had_enough_is_no_trouble(typed: Typed, kept: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tablewire", "games", "export", kept, "--data", str(tmp_path / "games")]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")
