"""`tablewire run` with no port named: the board is found, waited for, lost and found again, and play goes on.

None of these tests looks at the ports of the machine it runs on: there may be somebody's board.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.link.answering import MEGA, Answering

from tablewire.link.address import AnyBoard, SerialPath
from tablewire.link.finding import FoundLink, Limits, Sources
from tablewire.link.last_good import FILE_NAME, KnownBoard, LastGood
from tablewire.link.ports import SerialPort
from tablewire.run import LinkLines, RunningTable, Wanted
from tablewire.virtual.remote import BoardProcess, Hand
from tablewire.wire.greeting import Greeting

HEADER = {"record": 1, "game": "cirkis", "rulebook": "hasbro", "players": ["red", "green"], "options": {}}
LIMIT_S = 60.0

Document = dict[str, Any]


@pytest.fixture
def board() -> Iterator[BoardProcess]:
    """A simulated board in real time."""
    with BoardProcess(1, fast=False) as board:
        yield board


@pytest.fixture
def hand(board: BoardProcess) -> Iterator[Hand]:
    """Who moves the board's magnets and cables."""
    hand = Hand(board.socket_path)
    yield hand
    hand.close()


def wait_for(table: RunningTable, wanted: Callable[[Document], bool]) -> Document:
    """The first document that is wanted."""
    until_s, version = time.monotonic() + LIMIT_S, -1
    while time.monotonic() < until_s:
        newer = table.feed.wait_newer(version, 1.0)
        if newer is not None:
            version, document = newer.version, json.loads(newer.body(None))
            if wanted(document):
                return dict(document)
    raise AssertionError("the page does not come to what is waited for")


def table_on(link: FoundLink | None, data: Path, port: Path | None = None) -> RunningTable:
    """A table that plays for two; over a link, or at a port."""
    address = AnyBoard() if port is None else SerialPath(str(port))
    return RunningTable(Wanted(address, 500_000, data, "127.0.0.1", 0, HEADER, new=False), print, link)


class Sockets:
    """The USB sockets of a computer: a list of ports that the test changes."""

    def __init__(self) -> None:
        self.ports: Sequence[SerialPort] = ()
        self.looked = threading.Event()

    def list(self, **_: object) -> Sequence[SerialPort]:
        """What is plugged in."""
        self.looked.set()
        return self.ports

    def link(self, last_good: LastGood | None = None) -> FoundLink:
        """A search over them."""
        limits = Limits(greet_s=LIMIT_S, replug_s=0)
        return FoundLink(greet=Greeting, last_good=last_good, sources=Sources(ports=self.list), limits=limits)


def test_a_table_started_with_no_board_says_so_and_play_begins_when_one_is_plugged_in(
    board: BoardProcess, hand: Hand, tmp_path: Path
) -> None:
    sockets = Sockets()
    known = LastGood(tmp_path / FILE_NAME)
    with closing(table_on(sockets.link(known), tmp_path / "data")) as table:
        shown = wait_for(table, lambda doc: "text" in doc["link"])
        assert shown["link"]["port"] == "auto"
        assert "nothing is plugged in" in shown["link"]["text"]
        assert shown["players"]
        sockets.ports = (SerialPort(str(board.port), MEGA),)
        found = wait_for(table, lambda doc: doc["link"]["state"] == "up")
        assert found["link"] == {
            "state": "up",
            "port": str(board.port),
            "wanted": "auto",
            "kind": "serial",
            "board": "cirkis",
            "readers": None,
            "silent_ms": None,
            "tried": [],
        }
        assert hand.do(["place red 6,15 over 200"]) == ["ok"]
        wait_for(table, lambda doc: doc["moves"] == 1)
    assert known.load() == KnownBoard("serial", str(board.port), usb_id=MEGA)


def test_a_board_that_comes_back_elsewhere_is_played_on(
    board: BoardProcess, hand: Hand, tmp_path: Path
) -> None:
    """Unplugged in the middle of a game, and plugged in at another socket, with what was laid meanwhile."""
    sockets = Sockets()
    sockets.ports = (SerialPort(str(board.port), MEGA, "A1"),)
    with closing(table_on(sockets.link(), tmp_path / "data")) as table:
        wait_for(table, lambda doc: doc["link"]["state"] == "up")
        assert hand.do(["place red 6,15 over 200", "wait 1500", "unplug"]) == ["ok"] * 3
        moved = tmp_path / "ttyACM9"
        moved.symlink_to(board.port)
        sockets.ports = (SerialPort(str(moved), MEGA, "A1"),)
        lost = wait_for(table, lambda doc: doc["link"]["state"] == "down" and doc["moves"] == 1)
        assert lost["link"]["text"]
        assert hand.do(["place green 16", "plug"]) == ["ok"] * 2
        again = wait_for(table, lambda doc: doc["moves"] == 2)
        assert (again["link"]["state"], again["link"]["port"]) == ("up", str(moved))


def test_a_board_that_falls_mute_is_opened_anew_and_play_goes_on(
    board: BoardProcess, hand: Hand, tmp_path: Path
) -> None:
    with closing(table_on(None, tmp_path, board.port)) as table:
        wait_for(table, lambda doc: doc["link"]["state"] == "up")
        assert hand.do(["fault mute"])[0].startswith("ok")
        lost = wait_for(table, lambda doc: "no board answers" in doc["link"].get("text", ""))
        assert str(board.port) in lost["link"]["text"]
        assert hand.do(["fault off mute", "place red 6,15 over 200"]) == ["ok"] * 2
        wait_for(table, lambda doc: doc["moves"] == 1 and doc["link"]["state"] == "up")


class Program:
    """`tablewire run` without a port, as a program of its own."""

    def __init__(self, data: Path, *options: str) -> None:
        command = [sys.executable, "-m", "tablewire", "run", "--data", str(data), "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def line(self, wanted: str) -> str:
        """The first line in which this stands."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if wanted in line:
                return line
        raise AssertionError(f"it ended without saying {wanted!r}: {self.process.communicate()[1]}")

    def end(self) -> tuple[int, str]:
        """SIGTERM; the exit status and the errors."""
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, errors


def test_the_board_that_was_named_once_is_found_the_next_time_without_a_name(
    board: BoardProcess, tmp_path: Path
) -> None:
    first = Program(tmp_path, "--port", str(board.port))
    assert first.line("connected") == f"board {board.port}: connected\n"
    assert first.end() == (0, "")
    second = Program(tmp_path)
    assert second.line("connected") == f"board {board.port}: connected\n"
    assert second.end() == (0, "")


def test_a_program_that_is_still_looking_ends_when_it_is_told_to(tmp_path: Path) -> None:
    silent = Answering(tmp_path / "ttyACM0", deaf_count=10**6)
    try:
        LastGood(tmp_path / FILE_NAME).save(KnownBoard("serial", str(silent.path)))
        program = Program(tmp_path)
        assert f"looking for a board at {silent.path}" in program.line("looking for a board")
        assert silent.greeted.wait(LIMIT_S)
        assert program.end() == (0, "")
    finally:
        silent.unplug()


def link(state: str, port: str = "auto", text: str = "", **tried: str) -> Document:
    """The link part of a document."""
    rows = [{"port": f"/dev/{name}", "why": why} for name, why in tried.items()]
    return {"state": state, "port": port, "text": text, "tried": rows}


def test_the_terminal_is_told_each_thing_once_and_everything_again_after_a_board_was_there() -> None:
    lines = LinkLines()
    assert lines.news(link("searching")) == ["board: looking for it"]
    looking = link("searching", text="looking for a board at /dev/ttyS0")
    assert lines.news(looking) == ["board: looking for a board at /dev/ttyS0"]
    nothing = link("down", text="no board is found at any of 2 places", ttyS0="silent", ttyUSB0="busy")
    assert lines.news(nothing) == [
        "board: no board is found at any of 2 places",
        "  /dev/ttyS0: silent",
        "  /dev/ttyUSB0: busy",
    ]
    for again in (looking, nothing, link("searching"), nothing):
        assert lines.news(again) == []
    up = link("up", "/dev/ttyACM0", ttyACM1="another board answers there")
    assert lines.news(up) == ["board /dev/ttyACM0: connected", "  /dev/ttyACM1: another board answers there"]
    found = [lines.is_found, lines.news(up) == [] and lines.is_found]
    assert found == [True, False]
    lost = link("down", "/dev/ttyACM0", "lost the board at /dev/ttyACM0")
    assert lines.news(lost) == ["board /dev/ttyACM0: lost the board"]
    assert lines.news(up) == ["board /dev/ttyACM0: connected", "  /dev/ttyACM1: another board answers there"]
    assert lines.words == "board /dev/ttyACM0: connected"


@pytest.mark.parametrize(
    ("port", "text", "said"),
    [
        ("COM10", "cannot open COM10: it is locked", "it is locked"),
        ("COM1", "cannot open COM10: it is locked", "cannot open COM10: it is locked"),
        ("/dev/a", "looking for a board at /dev/a, /dev/b", "looking for a board at /dev/a, /dev/b"),
        ("/dev/a", "looking for a board at /dev/a and 2 more", "looking for a board at /dev/a and 2 more"),
        ("/dev/a", "the board at /dev/a has not answered for 3 s", "the board has not answered for 3 s"),
        ("ble", "cannot open ble: no board is heard", "no board is heard"),
    ],
)
def test_a_place_is_named_once_in_a_line(port: str, text: str, said: str) -> None:
    assert LinkLines().news(link("down", port, text)) == [f"board {port}: {said}"]


def test_what_the_line_names_already_is_not_said_twice() -> None:
    one = link(
        "down", text="no board is found; /dev/ttyS0: no board answers there", ttyS0="no board answers there"
    )
    assert LinkLines().news(one) == ["board: no board is found; /dev/ttyS0: no board answers there"]
