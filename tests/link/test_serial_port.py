"""Whatever a port does, it is bytes, or one line that says what is wrong with it and what to do."""

import array
import errno
import fcntl
import os
import random
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock

import pytest
import serial
from tests.link.pty_board import PtyBoard

from tablewire.link.faults import Cause, LinkLost, LinkRefused
from tablewire.link.line_settings import keep_line_up, keep_others_out
from tablewire.link.serial_port import Port, SerialLink, open_with_pyserial

EVERY_BYTE = bytes(range(256))


class FaultyPort:
    """A port of which one call raises."""

    timeout: float | None = 0

    def __init__(self, call: str, error: Exception) -> None:
        self._call = call
        self._error = error
        self.closed = threading.Event()
        self.unsent = [0]
        self.dropped_count = 0

    def _maybe(self, call: str) -> None:
        if call == self._call:
            raise self._error

    @property
    def in_waiting(self) -> int:
        self._maybe("in_waiting")
        return 0

    @property
    def out_waiting(self) -> int:
        self._maybe("out_waiting")
        return self.unsent.pop(0) if len(self.unsent) > 1 else self.unsent[0]

    def read(self, size: int = 1, /) -> bytes:
        self._maybe("read")
        return b"x"[:size]

    def write(self, data: bytes, /) -> int:
        self._maybe("write")
        return len(data)

    def cancel_read(self) -> None:
        self._maybe("cancel_read")

    def reset_output_buffer(self) -> None:
        self.dropped_count += 1
        self._maybe("reset_output_buffer")

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


def test_who_has_a_port_is_said_in_the_same_words_until_the_port_is_free(board: PtyBoard) -> None:
    """It is tried again and again, and each new text is a version on disk and a redrawn page."""

    def opener(port: str, baud: int) -> Port:
        raise BlockingIOError(errno.EAGAIN, "it is locked")

    link = SerialLink(str(board.path), opener=opener)
    said = []
    user = board.path.open("rb", buffering=0)
    for _ in range(2):
        with pytest.raises(LinkRefused) as refused:
            link.open()
        said.append(str(refused.value))
        user.close()  # it lets go of the port, but not yet of its lock
    assert f"(pid {os.getpid()})" in said[0]
    assert said[1] == said[0]


HOLD = "import sys; port = open(sys.argv[1], 'rb', buffering=0); print('open', flush=True); sys.stdin.read()"


def test_another_program_that_has_taken_the_port_over_is_named(board: PtyBoard) -> None:
    """Who is named is to be closed, so that must not be one that is gone. One who only looks is no news."""

    def opener(port: str, baud: int) -> Port:
        raise BlockingIOError(errno.EAGAIN, "it is locked")

    link = SerialLink(str(board.path), opener=opener)

    def said() -> str:
        with pytest.raises(LinkRefused) as refused:
            link.open()
        return str(refused.value)

    with board.path.open("rb", buffering=0):
        first = said()
        with subprocess.Popen(
            [sys.executable, "-c", HOLD, board.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "open\n"
            assert said() == first
            other.communicate("")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, board.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        assert f"(pid {other.pid})" in said()
        other.communicate("")


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
    for call in ("close", "cancel_read", "out_waiting", "reset_output_buffer"):
        port = FaultyPort(call, error)
        link = SerialLink("/dev/tty", opener=Mock(return_value=port))
        link.open()
        link.wake()
        link.close()
        link.wake()
        assert port.closed.is_set()


def test_every_error_of_opening_is_a_refusal_that_names_the_port() -> None:
    for error in (*UNPLUGGED, KeyError(5), TypeError("an integer\nis required")):

        def fail(port: str, baud: int, error: Exception = error) -> Port:
            raise error

        with pytest.raises(LinkRefused) as caught:
            SerialLink("/dev/ttyACM77", opener=fail).open()
        assert str(caught.value).startswith("cannot open /dev/ttyACM77: ")
        assert str(caught.value).isprintable()


def test_a_port_denied_six_times_after_unplugging_opens_the_seventh() -> None:
    calls: list[str] = []

    def denied_at_first(port: str, baud: int) -> Port:
        calls.append(port)
        if len(calls) <= 6:
            raise PermissionError(errno.EACCES, "Access is denied")
        return FaultyPort("nothing", OSError())

    link = SerialLink("/dev/ttyACM77", opener=denied_at_first)
    for _ in range(6):
        with pytest.raises(LinkRefused, match="permission denied") as caught:
            link.open()
        assert caught.value.cause is Cause.FORBIDDEN
    link.open()
    assert link.read(0) == b"x"
    link.close()


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


def test_giving_up_ends_an_opening_that_hangs_and_nothing_is_left_open() -> None:
    hanging, release = threading.Event(), threading.Event()
    ports: list[FaultyPort] = []

    def hang(port: str, baud: int) -> Port:
        hanging.set()
        release.wait(60)
        ports.append(FaultyPort("nothing", OSError()))
        return ports[-1]

    link = SerialLink("/dev/ttyACM77", opener=hang)
    refusals: list[str] = []

    def opening() -> None:
        with pytest.raises(LinkRefused) as caught:
            link.open(limit_s=3600)
        refusals.append(str(caught.value))

    thread = threading.Thread(target=opening)
    thread.start()
    assert hanging.wait(60)
    link.give_up()
    thread.join(60)
    assert refusals == ["/dev/ttyACM77 is not opened: the program ends"]
    release.set()
    assert link._attempt is not None
    link._attempt._thread.join(60)
    assert ports[0].closed.is_set()
    with pytest.raises(LinkRefused, match="the program ends"):
        link.open()
    assert len(ports) == 1


def test_giving_up_ends_a_read_that_waits(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    giver = threading.Timer(0, link.give_up)
    giver.start()
    with pytest.raises(LinkLost, match="the program ends"):
        link.read(3600)
    giver.join()
    link.close()


# ---- the line's settings ----


class RecordingSerial(serial.Serial):
    """A real port that writes down what is done to it that matters to a board's reset."""

    calls: ClassVar[list[str]] = []

    def open(self) -> None:
        self.calls.append("open")
        super().open()

    def close(self) -> None:
        if self.is_open:
            self.calls.append("close")
        super().close()

    def reset_output_buffer(self) -> None:
        self.calls.append("reset_output_buffer")
        super().reset_output_buffer()

    @property
    def dtr(self) -> bool:
        return bool(serial.Serial.dtr.fget(self))  # type: ignore[attr-defined]

    @dtr.setter
    def dtr(self, value: bool) -> None:
        self.calls.append(f"dtr={value}")
        serial.Serial.dtr.fset(self, value)  # type: ignore[attr-defined]


@pytest.fixture
def calls() -> list[str]:
    RecordingSerial.calls.clear()
    return RecordingSerial.calls


def hangs_up(board: PtyBoard) -> bool:
    """Whether the kernel would lower DTR when the port is closed for the last time."""
    looked_at = os.open(board.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        return bool(termios.tcgetattr(looked_at)[2] & termios.HUPCL)
    finally:
        os.close(looked_at)


def set_to_hang_up(board: PtyBoard) -> int:
    near = os.open(board.path, os.O_RDWR | os.O_NOCTTY)
    settings = termios.tcgetattr(near)
    settings[2] |= termios.HUPCL
    termios.tcsetattr(near, termios.TCSANOW, settings)
    return near


def test_closing_leaves_dtr_up_so_that_opening_again_resets_no_board(board: PtyBoard) -> None:
    near = set_to_hang_up(board)
    assert hangs_up(board)
    link = SerialLink(str(board.path))
    link.open()
    assert not hangs_up(board)
    # Another time limit makes pyserial set up the port anew: this too leaves DTR alone.
    for limit_s in (0.0, 0.001):
        link.read(limit_s)
    assert not hangs_up(board)
    link.close()
    assert not hangs_up(board)
    os.close(near)


def test_a_speed_of_its_own_survives_the_other_settings(board: PtyBoard) -> None:
    def speed() -> int:
        settings = array.array("i", [0] * 64)
        port = os.open(board.path, os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(port, 0x802C542A, settings)  # TCGETS2 of Linux: whole numbers as speeds
        os.close(port)
        return settings[10]

    link = SerialLink(str(board.path), 123_457)
    link.open()
    assert speed() == 123_457
    link.close()


def test_on_windows_dtr_is_settled_before_the_port_opens(board: PtyBoard, calls: list[str]) -> None:
    port = open_with_pyserial(str(board.path), 500_000, RecordingSerial, is_windows=True)
    assert calls == ["dtr=False", "open"]
    port.close()


def test_elsewhere_dtr_is_left_to_the_kernel(board: PtyBoard, calls: list[str]) -> None:
    port = open_with_pyserial(str(board.path), 500_000, RecordingSerial, is_windows=False)
    assert calls == ["open"]
    assert isinstance(port, RecordingSerial)
    assert port.baudrate == 500_000
    port.close()


def test_what_a_deaf_board_left_in_the_line_does_not_hold_up_closing(
    board: PtyBoard, calls: list[str]
) -> None:
    def opener(port: str, baud: int) -> Port:
        return open_with_pyserial(port, baud, RecordingSerial)

    link = SerialLink(str(board.path), opener=opener)
    link.open()
    while link.write(bytes(1000)):
        pass
    link.close()
    assert calls == ["open", "reset_output_buffer", "close"]
    link.open()
    assert link.write(b"heard")
    link.close()
    assert calls[3:] == ["open", "close"]


@pytest.mark.parametrize(("unsent", "dropped_count"), [([0], 0), ([300, 120, 0], 0), ([300], 1)])
def test_last_words_are_sent_before_closing_unless_the_board_does_not_take_them(
    unsent: list[int], dropped_count: int
) -> None:
    port = FaultyPort("nothing", OSError())
    port.unsent = unsent
    link = SerialLink("/dev/ttyACM77", opener=lambda *_: port)
    link.open()
    link.close()
    assert port.closed.is_set()
    assert port.dropped_count == dropped_count


def test_a_line_that_fails_at_random_is_opened_again_each_time() -> None:
    draw = random.Random(7)
    ports: list[FaultyPort] = []

    def opener(path: str, baud: int) -> Port:
        if draw.random() < 0.3:
            raise draw.choice(UNPLUGGED)
        calls = ("read", "in_waiting", "write", "cancel_read", "close", "out_waiting", "nothing")
        ports.append(FaultyPort(draw.choice(calls), draw.choice(UNPLUGGED)))
        return ports[-1]

    link = SerialLink("/dev/ttyACM77", opener=opener)
    lost_count = refused_count = 0
    for _ in range(500):
        try:
            link.open()
            assert link.write(b"hello")
            assert link.read(0) == b"x"
            link.wake()
        except LinkLost:
            lost_count += 1
        except LinkRefused:
            refused_count += 1
    link.close()
    assert lost_count > 100
    assert refused_count > 100
    assert len(ports) == 500 - refused_count
    assert all(port.closed.is_set() for port in ports)


def test_a_port_without_such_settings_is_opened_all_the_same(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file:
        keep_line_up(file.fileno())
        keep_others_out(file.fileno())
    keep_line_up(-1)
    keep_others_out(-1)
    assert (tmp_path / "file").read_text() == ""


def test_a_pseudo_terminal_is_not_closed_to_others_for_ever(board: PtyBoard) -> None:
    near = os.open(board.path, os.O_RDWR | os.O_NOCTTY)
    keep_others_out(near)
    closed_to_others = array.array("i", [7])
    fcntl.ioctl(near, 0x80045440, closed_to_others)  # TIOCGEXCL of Linux
    assert closed_to_others[0] == 0
    os.close(near)


# ---- what comes along the line ----


def test_boot_text_and_noise_and_modem_commands_are_bytes_like_any(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    for said in (b"AT\r\nATE1\r\n", bytes(500), b"\xff\xfe\x80" * 300, b"x" * 100_000):
        speaker = threading.Thread(target=board.say, args=(said,))
        speaker.start()
        assert read_until(link, len(said)) == said
        speaker.join()
    link.close()


def test_unplugging_while_writing_is_a_lost_link(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    puller = threading.Thread(target=board.unplug)
    puller.start()

    def write_on() -> None:
        while True:
            link.write(bytes(100))

    with pytest.raises(LinkLost, match="the game is kept"):
        write_on()
    puller.join()
    link.close()


def test_unplugging_with_bytes_still_to_send_lets_the_port_be_closed(board: PtyBoard) -> None:
    link = SerialLink(str(board.path))
    link.open()
    while link.write(bytes(1000)):
        pass
    board.unplug()
    link.close()
    with pytest.raises(LinkRefused) as caught:
        link.open()
    assert caught.value.cause is Cause.ABSENT
