"""Which board answered last is kept over restarts; whatever is wrong with the file costs one line at most."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.store.unprivileged import run_unprivileged

from tablewire.link.last_good import KnownBoard, LastGood, read_known_board

BOARDS = [
    KnownBoard("serial", "/dev/ttyACM0", "75830303934351", (0x2341, 0x0042), "Arduino Mega 2560"),
    KnownBoard("ble", "AA:BB:CC:DD:EE:FF", name="tablewire Küche"),
    KnownBoard("serial", "/dev/pts/7"),
]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.port)
def test_what_was_noted_is_known_after_a_restart(tmp_path: Path, board: KnownBoard) -> None:
    said: list[str] = []
    file = tmp_path / "board.json"
    assert LastGood(file, said.append).load() is None
    LastGood(file, said.append).save(BOARDS[0])
    LastGood(file, said.append).save(board)
    assert LastGood(file, said.append).load() == read_known_board(file) == board
    assert [path.name for path in tmp_path.iterdir()] == ["board.json"]
    assert said == []


def text(**changes: object) -> bytes:
    """A good file with something else in it."""
    good = {"board": 1, "kind": "serial", "port": "/dev/ttyACM0", "serial_number": None, "usb_id": None}
    return json.dumps({**good, **changes}).encode()


DAMAGED: dict[str, bytes] = {
    "empty": b"",
    "cut": text()[:-5],
    "zeros": bytes(100),
    "another form": text(board=2),
    "no object": b"[1, 2]",
    "deep": b"[" * 4000,
    "long": b" " * 5000 + text(),
    "no port": text(port=None),
    "empty port": text(port=""),
    "long port": text(port="p" * 600),
    "port of another kind": text(port=7),
    "a port with a line break": text(port="/dev/tty\nACM0"),
    "unknown kind": text(kind="carrier pigeon"),
    "usb id": text(usb_id=[1]),
    "usb id beyond": text(usb_id=[1, 70_000]),
    "latin 1": b'{"board": 1, "kind": "serial", "port": "\xe9"}',
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED.keys())
def test_what_cannot_be_read_is_said_once_and_kept_under_another_name(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "board.json"
    file.write_bytes(data)
    with pytest.raises(ValueError, match="it "):
        read_known_board(file)
    assert file.read_bytes() == data
    said: list[str] = []
    known = LastGood(file, said.append)
    assert known.load() is None
    assert known.load() is None
    (line,) = said
    assert line.startswith(f"{file} cannot be read (it ")
    assert line.endswith("kept as board.json.unreadable-1")
    assert (tmp_path / "board.json.unreadable-1").read_bytes() == data
    known.save(BOARDS[1])
    assert LastGood(file).load() == BOARDS[1]


def test_an_older_one_that_could_not_be_read_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    for number in (1, 2, 3):
        file.write_text(f"mine {number}")
        assert LastGood(file).load() is None
        assert (tmp_path / f"board.json.unreadable-{number}").read_text() == f"mine {number}"


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a pipe": lambda path: os.mkfifo(path),
    "a circle": lambda path: path.symlink_to(path),
}


@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN.keys())
def test_what_is_no_file_is_put_aside_and_nobody_waits_for_it(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    file = tmp_path / "board.json"
    make(file)
    said: list[str] = []
    known = LastGood(file, said.append)
    assert known.load() is None
    assert len(said) == 1
    assert os.path.lexists(tmp_path / "board.json.unreadable-1")
    known.save(BOARDS[0])
    assert known.load() == BOARDS[0]


def test_a_folder_that_cannot_be_written_costs_one_line(tmp_path: Path) -> None:
    said: list[str] = []
    known = LastGood(tmp_path / "gone" / "board.json", said.append)
    assert known.load() is None
    known.save(BOARDS[0])
    known.save(BOARDS[1])
    (line,) = said
    assert line.startswith("which board answered cannot be noted in ")
    assert line.endswith(": No such file or directory")


def test_a_file_of_somebody_else_in_a_folder_of_somebody_else_is_left_as_it_is(tmp_path: Path) -> None:
    """As after a start with sudo: neither read nor moved, and never written over."""
    file = tmp_path / "board.json"
    file.write_bytes(text())
    if os.getuid() == 0:
        file.chmod(0o600)
        tmp_path.chmod(0o755)
    else:
        file.chmod(0)
        tmp_path.chmod(0o555)
    said = run_unprivileged(
        "import sys\nfrom pathlib import Path\nfrom tablewire.link.last_good import KnownBoard, LastGood",
        "known = LastGood(Path(sys.argv[1]), print)\n"
        "print(known.load())\n"
        "known.save(KnownBoard('serial', '/dev/ttyACM1'))",
        file,
    )
    tmp_path.chmod(0o755)
    first, second = said.splitlines()
    assert "cannot be read (Permission denied); which board answers is not noted" in first
    assert second == "None"
    file.chmod(0o600)
    assert file.read_bytes() == text()
    assert [path.name for path in tmp_path.iterdir()] == ["board.json"]
