"""What a capture tells of the link: written, read and replayed, also as earlier programs told it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.capturing import CapturedTable, replayed

from tablewire.errors import UserError
from tablewire.replay import replay_file

HEADER = {"record": 1, "game": "cirkis", "rulebook": "hasbro", "players": ["red", "green"], "options": {}}


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """A session whose board is looked for, found, lost, found elsewhere, and slept over."""
    path = tmp_path / "capture"
    table = CapturedTable(tmp_path / "games", path, header=HEADER)
    table.do("place red 6,15 over 200")
    table.core.link_lost(table.now_ms, "the cable is out")
    table.core.link_trying(table.now_ms + 10, "looking for a board at /dev/ttyS0")
    table.core.link_lost(table.now_ms + 20, "no board", [("/dev/ttyS0", "no answer"), ("ble:x", "not ours")])
    table.now_ms += 100
    table.core.link_opened(table.now_ms, "ble:tablewire", "ble", [("ble:other", "another board is there")])
    table.board.port_opened()
    table.do("place green 16")
    table.core.link_resumed(table.now_ms)
    table.do("place red 17")
    assert table.doc["link"]["kind"] == "ble"
    table.close()
    return path


def lines_of(path: Path) -> list[dict[str, Any]]:
    """A capture's lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_all_that_is_told_of_the_link_is_written_down_and_replays(capture: Path) -> None:
    told = [line for line in lines_of(capture) if "link" in line]
    for line in told:
        del line["ms"]
    assert told == [
        {"link": "opened", "port": None, "kind": "serial", "tried": []},
        {"link": "lost", "reason": "the cable is out", "tried": []},
        {"link": "trying", "text": "looking for a board at /dev/ttyS0"},
        {"link": "lost", "reason": "no board", "tried": [["/dev/ttyS0", "no answer"], ["ble:x", "not ours"]]},
        {
            "link": "opened",
            "port": "ble:tablewire",
            "kind": "ble",
            "tried": [["ble:other", "another board is there"]],
        },
        {"link": "resumed"},
    ]
    status, said = replayed(capture)
    assert (status, len(said)) == (0, 1), said


def test_a_capture_of_an_earlier_program_that_told_less_of_the_link_replays(
    capture: Path, tmp_path: Path
) -> None:
    """Only the link's part of the page is another, and that is no part of the game."""
    old = []
    for line in lines_of(capture):
        match line:
            case {"link": "trying" | "resumed"}:
                continue  # what came of it was nothing, or a page that only the link changed
            case {"link": "lost", "ms": ms, "reason": reason}:
                old.append({"ms": ms, "link": "lost", "reason": reason})
            case {"link": "opened", "ms": ms}:
                old.append({"ms": ms, "link": "opened"})
            case {"capture": _}:
                old.append({**line, "tablewire": "0.0.1"})
            case _:
                old.append(line)
    path = tmp_path / "old"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in old), "utf-8")
    status, said = replayed(path)
    assert status == 0, said
    assert any(line.startswith("same game: 3 moves") for line in said)


@pytest.mark.parametrize(
    "damage",
    [
        {"link": "torn"},
        {"link": "opened", "port": 7},
        {"link": "opened", "kind": None},
        {"link": "opened", "tried": "everywhere"},
        {"link": "opened", "tried": [["/dev/ttyS0"]]},
        {"link": "lost", "reason": ["x"]},
        {"link": "lost", "tried": [["/dev/ttyS0", 5]]},
        {"link": "lost", "tried": [[]]},
        {"link": "lost", "tried": {}},
        {"link": "trying", "text": 5},
    ],
    ids=str,
)
def test_a_damaged_line_about_the_link_is_named(capture: Path, damage: dict[str, Any]) -> None:
    lines = capture.read_text("utf-8").splitlines()
    at = len(lines) - 2
    lines.insert(at, json.dumps({"ms": 99_999_999, **damage}))
    capture.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(UserError) as refused:
        replayed(capture)
    assert str(refused.value) == f"{capture}:{at + 1}: a link is opened, or lost for a reason"


def test_the_listing_says_where_a_board_was_looked_for_and_found(capture: Path) -> None:
    said: list[str] = []
    replay_file(capture, None, said.append, frames=True)
    listed = [line.split(None, 1)[1] for line in said if "  link " in line]
    assert listed == [
        "link   opened",
        "link   lost the cable is out",
        "link   trying looking for a board at /dev/ttyS0",
        "link   lost no board",
        "link   opened ble:tablewire",
        "link   resumed",
    ]
