"""Whatever a port does, it is bytes, or one line that says what is wrong with it and what to do."""

import errno
import os
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
import serial
from tests.link.pty_board import PtyBoard
from tests.store.unprivileged import run_unprivileged

from tablewire.link.faults import LinkLost, LinkRefused
from tablewire.link.serial_port import Port, SerialLink

EVERY_BYTE = bytes(range(256))


class FaultyPort:
    """A port of which one call raises."""

    timeout: float | None = 0

    def __init__(self, call: str, error: Exception) -> None:
        self._call = call
        self._error = error
        self.closed = threading.Event()

    def _maybe(self, call: str) -> None:
        if call == self._call:
            raise self._error

    @property
    def in_waiting(self) -> int:
        self._maybe("in_waiting")
        return 0

    def read(self, size: int = 1, /) -> bytes:
        self._maybe("read")
        return b"x"[:size]

    def write(self, data: bytes, /) -> int:
        self._maybe("write")
        return len(data)

    def cancel_read(self) -> None:
        self._maybe("cancel_read")

    def close(self) -> None:
        self.closed.set()
        self._maybe("close")


def read_until(link: SerialLink, count: int) -> bytes:
    data = b""
    while len(data) < count and (chunk := link.read(5)):
        data += chunk
    return data


def test_every_byte_passes_both_ways(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    board.say(EVERY_BYTE)
    assert read_until(link, 256) == EVERY_BYTE
    assert link.write(EVERY_BYTE)
    assert board.hear(256) == EVERY_BYTE
    assert link.read(0) == b""
    link.close()


def test_a_waiting_read_ends_when_it_is_woken(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    link.wake()
    began_s = time.monotonic()
    assert link.read(20) == b""
    assert time.monotonic() - began_s < 10
    link.close()


def test_unplugging_while_reading_is_a_lost_link(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    puller = threading.Thread(target=board.unplug)
    puller.start()
    with pytest.raises(LinkLost, match="the game is kept") as caught:
        read_until(link, 1)
    puller.join()
    assert str(board.path) in str(caught.value)
    with pytest.raises(LinkLost):
        link.write(b"still there?")
    link.close()
    with pytest.raises(LinkLost):
        link.read(0)


def test_a_board_plugged_in_again_is_opened_again(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    for turn in (b"one", b"two", b"three"):
        link.open()
        board.say(turn)
        assert read_until(link, len(turn)) == turn
        board.unplug()
        with pytest.raises(LinkLost):
            link.read(5)
        with pytest.raises(LinkRefused, match="nothing is plugged in there"):
            link.open()
        board.plug()


def test_a_second_program_on_the_port_is_refused_and_takes_no_byte(board: PtyBoard) -> None:
    first, second = SerialLink(str(board.path)), SerialLink(str(board.path))
    first.open()
    with pytest.raises(LinkRefused, match="another program uses it"):
        second.open()
    board.say(EVERY_BYTE)
    assert read_until(first, 256) == EVERY_BYTE
    first.close()
    second.open()
    second.close()


def test_a_board_that_does_not_read_costs_bytes_but_not_the_link(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    written = 0
    while link.write(bytes(1000)):
        written += 1000
        assert written < 1_000_000
    assert link.dropped_count == 1
    board.say(b"alive")
    assert read_until(link, 5) == b"alive"
    assert len(board.hear(written)) == written
    link.close()


@pytest.mark.parametrize("baud", [9600, 500_000, 123_457])
def test_any_baud_rate_will_do_for_a_pseudo_terminal(board: PtyBoard, baud: int) -> None:
    link = SerialLink(str(board.path), baud)
    link.open()
    board.say(b"hello")
    assert read_until(link, 5) == b"hello"
    link.close()


def test_a_baud_rate_that_the_port_cannot_run_at_is_refused(board: PtyBoard) -> None:
    with pytest.raises(LinkRefused) as caught:
        SerialLink(str(board.path), -5).open()
    assert str(board.path) in str(caught.value)


def test_without_the_rights_it_names_the_group_and_the_command(board: PtyBoard) -> None:
    board.path.chmod(0o600 if os.getuid() == 0 else 0)
    said = run_unprivileged(
        "import sys\nfrom tablewire.link.faults import LinkRefused\n"
        "from tablewire.link.serial_port import SerialLink",
        "try:\n    SerialLink(sys.argv[1]).open()\nexcept LinkRefused as error:\n    print(error)",
        board.path.readlink(),
    )
    assert said.startswith(f"cannot open {board.path.readlink()}: permission denied")
    assert "group dialout" in said
    assert "sudo usermod -aG dialout" in said
    assert said.count("\n") == 1


def make_file_above(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_text("")


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


NO_PORTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda _: None, "nothing is plugged in there"),
    "a folder": (Path.mkdir, "not a serial port"),
    "a regular file": (lambda p: p.write_bytes(b"my notes"), "not a serial port"),
    "a pipe": (make_fifo, "not a serial port"),
    "no terminal": (lambda p: p.symlink_to("/dev/null"), "not a serial port"),
    "a circle": (lambda p: p.symlink_to(p), "not a serial port"),
    "below a file": (make_file_above, "not a serial port"),
}


@pytest.mark.parametrize(("make", "words"), NO_PORTS.values(), ids=NO_PORTS.keys())
def test_what_is_no_port_is_refused_and_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    (tmp_path / "dev").mkdir()
    path = tmp_path / "dev" / "port"
    make(path)
    with pytest.raises(LinkRefused, match=words) as caught:
        SerialLink(str(path)).open()
    assert str(path) in str(caught.value)
    if path.is_file():
        assert path.read_bytes() == b"my notes"


@pytest.mark.parametrize("path", ["", "a\0b", "x\ny", "p" * 5000])
def test_a_path_that_cannot_be_is_refused_in_one_line(path: str) -> None:
    with pytest.raises(LinkRefused) as caught:
        SerialLink(path).open()
    assert str(caught.value).isprintable()


UNPLUGGED = [
    OSError(errno.EIO, "Input/output error"),
    termios.error(errno.EIO, "Input/output error"),
    serial.SerialException("device reports readiness to read but returned no data"),
    TypeError("'NoneType' object cannot be interpreted as an integer"),
    ValueError("filedescriptor out of range in select()"),
    AttributeError("fd"),
]


@pytest.mark.parametrize("call", ["read", "in_waiting", "write"])
@pytest.mark.parametrize("error", UNPLUGGED, ids=lambda e: type(e).__name__)
def test_every_error_of_an_open_port_is_a_lost_link(tmp_path: Path, call: str, error: Exception) -> None:
    link = SerialLink("/dev/tty", opener=lambda *_: FaultyPort(call, error))
    link.open()
    with pytest.raises(LinkLost) as caught:
        link.write(b"x") if call == "write" else link.read(0)
    assert "/dev/tty" in str(caught.value)
    assert str(caught.value).isprintable()
    link.close()


@pytest.mark.parametrize("error", UNPLUGGED, ids=lambda e: type(e).__name__)
def test_closing_and_waking_a_port_that_is_gone_is_quiet(error: Exception) -> None:
    for call in ("close", "cancel_read"):
        port = FaultyPort(call, error)
        link = SerialLink("/dev/tty", opener=Mock(return_value=port))
        link.open()
        link.wake()
        link.close()
        link.wake()
        assert port.closed.is_set()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.EACCES, "Permission denied"), "group dialout"),
        (serial.SerialException(errno.EACCES, "could not open port"), "group dialout"),
        (serial.SerialException(errno.EBUSY, "could not open port"), "another program uses it"),
        (termios.error(errno.EIO, "Input/output error"), "nothing is plugged in there"),
        (OSError(errno.ETIMEDOUT, "Connection timed out"), "Connection timed out; it is tried again"),
        (serial.SerialException("could not configure port"), "could not configure port; it is tried again"),
        (TypeError("an integer\nis required"), "an integer\\\\nis required"),
    ],
)
def test_every_error_of_opening_is_a_refusal_in_plain_words(error: Exception, words: str) -> None:
    def fail(port: str, baud: int) -> Port:
        raise error

    with pytest.raises(LinkRefused, match=words) as caught:
        SerialLink("/dev/tty", opener=fail).open()
    assert str(caught.value).startswith("cannot open /dev/tty: ")
    assert str(caught.value).isprintable()


def test_an_opener_that_never_returns_holds_nobody_up_and_is_called_once() -> None:
    release = threading.Event()
    ports: list[FaultyPort] = []

    def hang(port: str, baud: int) -> Port:
        ports.append(FaultyPort("nothing", OSError()))
        release.wait(30)
        return ports[-1]

    link = SerialLink("/dev/tty", opener=hang)
    for _ in range(3):
        with pytest.raises(LinkRefused, match="does not answer; unplug the board"):
            link.open(limit_s=0.01)
    assert len(ports) == 1
    release.set()
    # What opened too late is closed again: else it would hold the port against ourselves.
    assert ports[0].closed.wait(10)
    link.open()
    assert len(ports) == 2
    assert link.read(0) == b"x"
    link.close()
