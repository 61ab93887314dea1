"""`tablewire ports` says where a board could be, what is there, and why a place cannot be used."""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.ble.bluez import FakeBluez
from tests.link.pty_board import PtyBoard
from tests.links.kinds import Living
from tests.store.unprivileged import run_unprivileged

from tablewire import cli
from tablewire.link.faults import Tried
from tablewire.link.last_good import KnownBoard
from tablewire.link.ports import SerialPort
from tablewire.link.serial_port import SerialLink
from tablewire.ports_command import (
    Answer,
    Radio,
    as_object,
    ask_all,
    greet_at,
    lines_of,
    look_by_radio,
    port_rows,
)
from tablewire.virtual.board import VirtualBoard

MEGA = (0x2341, 0x0042)
PRINTER = (0x1D50, 0x6029)
FREE = {"is_taken": False, "is_last_good": False}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    """Something at a port that says nothing by itself."""
    board = PtyBoard(tmp_path / "port")
    yield board
    board.unplug()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Path]:
    """A board that answers, in real time."""
    living = Living(VirtualBoard(1), tmp_path / "table")
    yield tmp_path / "table"
    living.close()


def typed(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["tablewire", "ports", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def told(rows: Any, left_out: tuple[Tried, ...] = (), radio: Radio | None = None) -> str:
    return "\n".join(lines_of(rows, left_out, radio))


# ---- the command ----


def test_the_list_of_this_computer_is_printed_for_people_and_for_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert typed(monkeypatch, "--data", str(tmp_path)) == 0
    out, err = capsys.readouterr()
    assert out.strip()
    assert err == ""
    assert typed(monkeypatch, "--json", "--data", str(tmp_path)) == 0
    object_ = json.loads(capsys.readouterr().out)
    assert set(object_) == {"ports", "left_out", "bluetooth"}
    assert object_["bluetooth"] is None
    assert all(port["path"] in out for port in object_["ports"])
    assert list(tmp_path.iterdir()) == []


def test_a_computer_without_bluetooth_says_what_to_do_and_that_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path / 'no bus'}")
    assert typed(monkeypatch, "--ble", "--data", str(tmp_path)) == 0
    assert "Bluetooth: " in capsys.readouterr().out
    assert typed(monkeypatch, "--ble", "--json", "--data", str(tmp_path)) == 0
    radio = json.loads(capsys.readouterr().out)["bluetooth"]
    assert radio["boards"] == []
    assert radio["trouble"]


# ---- what is said of a port ----


def test_an_empty_list_says_what_to_do() -> None:
    said = told([])
    assert "plug the board in" in said
    assert "another cable" in said
    assert "tablewire ports --ble" in said


def test_a_port_is_shown_with_what_it_is_and_what_it_is_called(board: PtyBoard) -> None:
    arduino = SerialPort(str(board.path), MEGA, "75735", "Arduino Mega 2560", "1-2", ("/dev/serial/by-id/x",))
    rows = port_rows([arduino], None)
    heading, line, state, *_ = told(rows).splitlines()
    assert heading.split("  ")[0] == "PORT"
    assert "Arduino Mega 2560 R3" in line
    assert "2341:0042" in line
    assert "75735" in line
    assert state == "    can be used"
    assert as_object(rows, [], None)["ports"] == [
        {
            "path": str(board.path),
            "what": "Arduino Mega 2560 R3",
            "usb_id": "2341:0042",
            "serial_number": "75735",
            "location": "1-2",
            "aliases": ["/dev/serial/by-id/x"],
            "is_known": True,
            "is_last_good": False,
            "is_usable": True,
            "why_not": None,
            "users": [],
            "answer": None,
        }
    ]


def test_the_last_good_board_comes_first_and_is_marked(board: PtyBoard, tmp_path: Path) -> None:
    mine = SerialPort(str(board.path), PRINTER, "1", "board of my own")
    rows = port_rows([SerialPort(str(tmp_path / "a"), MEGA), mine], KnownBoard("serial", "?", "1", PRINTER))
    assert [row.is_last_good for row in rows] == [True, False]
    assert "the last good board: can be used (not of a known make)" in told(rows)


def test_a_port_in_use_names_the_program(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    (row,) = port_rows([SerialPort(str(board.path), MEGA)], None)
    assert f"(pid {os.getpid()})" in told([row])
    assert row.to_json()["is_usable"] is False
    assert os.getpid() in [user["pid"] for user in row.to_json()["users"]]
    link.close()


def test_a_port_without_rights_says_what_gives_them(board: PtyBoard) -> None:
    board.path.chmod(0o600 if os.getuid() == 0 else 0)
    said = run_unprivileged(
        "import sys\nfrom tablewire.link.ports import SerialPort\n"
        "from tablewire.ports_command import lines_of, port_rows",
        "print(*lines_of(port_rows([SerialPort(sys.argv[1])], None), (), None), sep='\\n')",
        board.path.readlink(),
    )
    assert "permission denied; it belongs to the user" in said


def test_words_from_outside_cannot_break_the_table() -> None:
    rows = port_rows([SerialPort("/dev/x\n\x1b[2J", PRINTER, "1\u202e2", "a\nb")], None)
    radio = Radio(({"address": "A\n", "name": "b\x1b", "rssi_dbm": -50, "flavour": "nus", **FREE},))
    lines = list(lines_of(rows, [Tried("/dev/y\n", "why")], radio))
    assert all(line.isprintable() for line in lines)
    long = port_rows([SerialPort("/dev/ttyACM0", PRINTER, "9" * 126, "x" * 80)], None)
    assert max(map(len, told(long).splitlines())) < 120


def test_ports_that_cannot_be_boards_are_told_in_one_line_for_each_reason() -> None:
    left_out = (
        Tried("/dev/ttyS0", "console"),
        *(Tried(f"/dev/ttyS{n}", "nothing there") for n in range(1, 32)),
    )
    said = told([], left_out)
    assert "left out: /dev/ttyS0 (console)" in said
    assert "left out: /dev/ttyS1 and 30 more (nothing there)" in said


def test_what_is_seen_by_bluetooth_is_listed_as_port_takes_it() -> None:
    seen = {**FREE, "address": "AA:BB:CC:DD:EE:0F", "rssi_dbm": -61, "flavour": "hm10"}
    radio = Radio(
        ({**seen, "name": "HMSoft", "is_taken": True}, {**seen, "name": None, "is_last_good": True}),
    )
    said = told([], (), radio)
    assert "ble:HMSoft " in said
    assert "-61 dBm" in said
    assert "hm10, connected to another program here" in said
    assert "ble:AA:BB:CC:DD:EE:0F " in said
    assert "hm10, the last good board" in said
    assert "nothing with a UART service" in told([], (), Radio())
    assert "Bluetooth: it is off" in told([], (), Radio(trouble="it is off"))


def test_a_look_by_bluetooth_is_proposed_only_where_there_was_none() -> None:
    assert "tablewire ports --ble" in told([])
    assert "tablewire ports --ble" not in told([], (), Radio())


def test_a_board_that_is_connected_has_no_strength_of_signal() -> None:
    seen = {**FREE, "name": "tablewire", "address": "AA:BB:CC:DD:EE:0F", "flavour": "nus"}
    lines = told([], (), Radio(({**seen, "rssi_dbm": -127, "is_taken": True},))).splitlines()
    (line,) = [line for line in lines if line.startswith("ble:")]
    assert line.split()[2] == "-"


def test_a_board_behind_a_module_is_seen_by_bluetooth(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeBluez() as bluez:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", bluez.address)
        bridge = bluez.add_bridge("tablewire")
        until_s = time.monotonic() + 60
        radio = Radio()
        while not radio.boards and time.monotonic() < until_s:
            radio = look_by_radio(KnownBoard("ble", bridge.address), 1.0)
            assert radio.trouble is None
    (seen,) = radio.boards
    assert (seen["name"], seen["address"], seen["flavour"]) == ("tablewire", bridge.address, "nus")
    assert seen["is_last_good"]
    assert "ble:tablewire" in told([], (), radio)


# ---- asking ----


def test_all_ports_are_asked_at_once_and_it_is_said_which_is_a_board(
    table: Path, board: PtyBoard, tmp_path: Path
) -> None:
    taken = PtyBoard(tmp_path / "taken")
    other = SerialLink(str(taken.path))
    other.open()
    held = os.open(board.path, os.O_RDWR | os.O_NOCTTY)
    board.say(b"a printer\n")

    def greeted_and_gone() -> None:
        for _ in range(12):  # of 5 s each
            if board.hear(1):
                break
        board.unplug()

    stranger_at_work = threading.Thread(target=greeted_and_gone)
    stranger_at_work.start()
    paths = [table, board.path, taken.path, tmp_path / "gone"]
    ports = [SerialPort(str(path), MEGA) for path in paths]
    rows = ask_all(port_rows(ports, None), partial(greet_at, baud=500_000, limit_s=60), 60)
    stranger_at_work.join()
    os.close(held)
    other.close()
    taken.unplug()
    answers = {row.port.path: row.answer or Answer(False, "") for row in rows}
    found, stranger, busy, gone = (answers[str(path)] for path in paths)
    assert found.is_board
    assert found.board_kind == "Cir*Kis"
    assert found.firmware
    assert found.words in told(rows)
    assert not stranger.is_board
    assert "it was unplugged" in stranger.words
    assert busy.words.startswith("another program uses it")
    assert gone.words.startswith("nothing is plugged in there")
    # The port is free again for the table.
    link = SerialLink(str(table))
    link.open()
    link.close()


def test_a_port_whose_driver_hangs_costs_no_more_than_the_time_limit() -> None:
    release = threading.Event()

    def hang(path: str) -> Answer:
        if path == "/dev/ttyACM0":
            release.wait(60)
        return Answer(True, "a board")

    rows = port_rows([SerialPort(f"/dev/ttyACM{n}", MEGA) for n in range(2)], None)
    hung, answered = ask_all(rows[:1], hang, 0.01) + ask_all(rows[1:], hang, 60)
    release.set()
    assert hung.answer == Answer(False, "it does not answer; unplug it and plug it in again")
    assert answered.answer == Answer(True, "a board")
