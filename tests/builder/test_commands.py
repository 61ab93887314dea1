"""The builder's commands as a person starts them: processes of their own, real ports, real terminals."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.builder.bootloader import Mega
from tests.builder.test_flash import hex_of

from tablewire.virtual.remote import BoardProcess, Hand
from tablewire.wire.messages import BoardKind

LIMIT_S = 60.0
"""For what takes a second or two on a machine with nothing else to do."""
QUICK_SEED = 3


class Running:
    """One command. Its lines are read as they come; `stdout` may be a terminal's far end."""

    def __init__(self, *arguments: str, stdout: int = subprocess.PIPE) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "tablewire", *arguments],
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )
        self._heard: dict[int, bytes] = {}

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def wait_for(self, words: str, *, aside: bool = False) -> str:
        """The next line with `words` in it."""
        pipe = self.process.stderr if aside else self.process.stdout
        assert pipe is not None
        number, until_s = pipe.fileno(), time.monotonic() + LIMIT_S
        heard = self._heard.get(number, b"")
        while True:
            while b"\n" in heard:
                line, _, heard = heard.partition(b"\n")
                self._heard[number] = heard
                if words in line.decode():
                    return line.decode()
            assert select.select([number], [], [], max(0.0, until_s - time.monotonic()))[0], f"no {words!r}"
            more = os.read(number, 4096)
            assert more, f"it ended before {words!r}: {self.process.stderr and self.process.stderr.read()!r}"
            heard += more

    def end(self) -> tuple[int, str, str]:
        """Wait for the end: status, and what came on its output and its errors since."""
        out, err = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, (out or b"").decode(), (err or b"").decode()


@pytest.fixture
def start() -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def begin(*arguments: str, stdout: int = subprocess.PIPE) -> Running:
        started.append(Running(*arguments, stdout=stdout))
        return started[-1]

    yield begin
    for running in started:
        if running.process.poll() is None:
            running.process.kill()
        running.process.communicate()


@pytest.fixture
def board() -> Iterator[BoardProcess]:
    with BoardProcess(QUICK_SEED, fast=True) as process:
        yield process


@pytest.fixture
def hand(board: BoardProcess) -> Iterator[Hand]:
    hand = Hand(board.socket_path)
    yield hand
    hand.close()


def test_calibrate_talks_and_reports(start: Callable[..., Running], board: BoardProcess, hand: Hand) -> None:
    running = start("calibrate", "--port", str(board.port), "--json")
    running.wait_for("press Enter", aside=True)
    running.type("")
    running.wait_for("Red (", aside=True)
    assert hand.do(["place red 1,2,3"]) == ["ok"]
    running.wait_for("red: 3 of 165", aside=True)
    running.type("q")
    assert running.wait_for("Stopped", aside=True) == (
        "Stopped. What was measured is stored on the board: the same command goes on from here."
    )
    status, out, _ = running.end()
    report = json.loads(out)
    assert status == 1
    assert report["classes"]["red"]["measured"] == 3
    assert (report["finished"], report["stored"]) == (False, True)


def test_ctrl_c_stores_what_was_measured(
    start: Callable[..., Running], board: BoardProcess, hand: Hand
) -> None:
    running = start("calibrate", "--port", str(board.port))
    running.wait_for("press Enter")
    running.type("")
    running.wait_for("Red (")
    hand.do(["place red 7"])
    running.wait_for("red: 1 of 165")
    running.process.send_signal(signal.SIGINT)
    running.wait_for("Stopped. What was measured is stored")
    assert running.end()[0] == 1
    again = start("calibrate", "--port", str(board.port))
    again.wait_for("Zero: measured on all 201 sensors")
    again.process.send_signal(signal.SIGINT)
    again.end()


def test_ctrl_c_again_while_it_stores_does_not_claim_that_it_has(
    start: Callable[..., Running], board: BoardProcess
) -> None:
    running = start("calibrate", "--port", str(board.port))
    running.wait_for("press Enter")
    running.type("")
    for _ in range(2):
        running.wait_for("Storing (")
        running.process.send_signal(signal.SIGINT)
    assert running.wait_for("Stopped") == (
        "Stopped. What was measured last may not be stored: the same command asks for it again."
    )
    assert running.end()[0] == 1


def test_calibrate_without_anybody_to_answer_stops(
    start: Callable[..., Running], board: BoardProcess
) -> None:
    running = start("calibrate", "--port", str(board.port))
    assert running.process.stdin is not None
    running.process.stdin.close()
    running.process.stdin = None
    running.wait_for("There is nobody to answer: standard input has ended.")
    assert running.end()[0] == 1


def test_a_cable_pulled_out_of_the_running_program_is_one_line(
    start: Callable[..., Running], board: BoardProcess, hand: Hand
) -> None:
    running = start("calibrate", "--port", str(board.port))
    running.wait_for("press Enter")
    hand.do(["unplug"])
    assert running.wait_for("", aside=True) in (
        f"tablewire: lost the board at {board.port} (Input/output error)",
        f"tablewire: lost the board at {board.port} (it was unplugged, or another program reads the port)",
    )
    status, _, err = running.end()
    assert (status, err) == (1, "")


def test_monitor_writes_lines_into_a_pipe(
    start: Callable[..., Running], board: BoardProcess, hand: Hand
) -> None:
    running = start("monitor", "--port", str(board.port))
    running.wait_for("nothing lies on the board")
    hand.do(["place green 12"])
    assert running.wait_for("space 12").endswith("space 12 empty -> S strong (264)")
    running.process.send_signal(signal.SIGINT)
    running.wait_for(" scans a second, supply 5.00 V")
    assert running.end()[0] == 0


def test_monitor_draws_on_a_terminal_and_gives_it_back(
    start: Callable[..., Running], board: BoardProcess, hand: Hand
) -> None:
    hand.do(["place red 37", "wait 500"])
    near, far = pty.openpty()
    running = start("monitor", "--port", str(board.port), "--seconds", "1", stdout=far)
    os.close(far)
    shown = b""
    try:
        while select.select([near], [], [], LIMIT_S)[0]:
            shown += os.read(near, 65_536)
    except OSError:  # the program has ended
        pass
    finally:
        os.close(near)
    assert running.end()[0] == 0
    assert b"\x1b[?1049h" in shown
    assert b"firmware virtual" in shown
    before, _, after = shown.partition(b"\x1b[?1049l")
    assert b"space 37" in before
    assert b" scans a second, supply 5.00 V" in after


def test_wiring_ends_with_a_summary(start: Callable[..., Running], board: BoardProcess, hand: Hand) -> None:
    running = start("wiring", "--port", str(board.port), "--json")
    running.wait_for("press Enter", aside=True)
    running.type("")
    running.wait_for("Place a magnet on purple's hole 0 (multiplexer 0, channel 0)", aside=True)
    hand.do(["magnet 165 1"])
    running.wait_for("purple's hole 0: right", aside=True)
    running.type("q")
    status, out, _ = running.end()
    report = json.loads(out)
    assert status == 1  # not all places were looked at
    assert report["summary"] == ["1 of 201 places looked at: 1 right"]


def test_of_a_board_without_sensors_wiring_says_why_not_and_nothing_else(
    start: Callable[..., Running],
) -> None:
    with BoardProcess(QUICK_SEED, fast=True, kind=BoardKind.LIGRETTO) as readers:
        status, out, err = start("wiring", "--port", str(readers.port)).end()
    assert (status, out) == (1, "")
    assert err.splitlines()[-1].startswith(
        f"tablewire: the board at {readers.port} is another table, one for Ligretto"
    )
    assert "nothing was looked at" not in err


def test_wiring_of_one_multiplexer_begins_there(start: Callable[..., Running], board: BoardProcess) -> None:
    running = start("wiring", "--port", str(board.port), "--multiplexer", "7")
    running.wait_for("press Enter")
    running.type("")
    assert "(multiplexer 7, channel 0)" in running.wait_for("Place a magnet")
    running.type("q")
    running.end()


def test_flash_asks_before_it_writes(start: Callable[..., Running], tmp_path: Path) -> None:
    path = tmp_path / "fw.hex"
    path.write_text(hex_of(b"\x00" * 600))
    mega = Mega()
    try:
        declined = start("flash", "--port", mega.path, "--hex", str(path))
        declined.type("n")
        status, out, _ = declined.end()
        assert status == 1
        assert out.endswith("Go on? [y/N] nothing was written\n")
        assert mega.flash[:600] == b"\xff" * 600
        agreed = start("flash", "--port", mega.path, "--hex", str(path), "--yes")
        status, out, err = agreed.end()
        assert (status, err) == (0, "")
        assert out.splitlines()[-1] == "firmware 0.0.9 -> 1.2.3"
        assert mega.flash[:600] == b"\x00" * 600
    finally:
        mega.close()


def test_ctrl_c_while_flashing_says_that_the_firmware_may_not_be_whole(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    path = tmp_path / "fw.hex"
    path.write_text(hex_of(b"\x00" * 2048))
    mega = Mega(spoil="dies")
    try:
        running = start("flash", "--port", mega.path, "--hex", str(path), "--yes")
        running.wait_for("writing")
        assert mega.died.wait(LIMIT_S)
        running.process.send_signal(signal.SIGINT)
        status, _, err = running.end()
    finally:
        mega.close()
    assert status == 1
    assert (
        err
        == "tablewire: stopped in the middle: the firmware on the board may not be whole, flash it again\n"
    )


@pytest.mark.parametrize("command", ["calibrate", "monitor", "wiring"])
def test_a_port_that_is_not_there_is_one_line(start: Callable[..., Running], command: str) -> None:
    status, out, err = start(command, "--port", "/dev/ttyNOPE").end()
    assert (status, out) == (1, "")
    assert err == (
        "tablewire: cannot open /dev/ttyNOPE: nothing is plugged in there; plug the board in; "
        "tablewire doctor looks further\n"
    )


def test_without_rich_the_monitor_writes_lines_and_says_how_to_get_the_picture(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], board: BoardProcess
) -> None:
    from tablewire.builder import commands

    monkeypatch.setattr(commands, "find_spec", lambda _: None)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    commands.monitor.main(["--port", str(board.port), "--seconds", "0.3"], standalone_mode=False)
    out, err = capsys.readouterr()
    assert out.startswith("nothing lies on the board\n")
    assert f"needs the package rich ({sys.executable} -m pip install rich)" in err
