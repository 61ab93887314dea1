"""What only the emulated board has as a program: its line's rate, a reset at each opening, a stored EEPROM.

Everything else about the program is the same code as that of `tablewire virtual`, and tested there.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import serial

from tablewire.errors import UserError
from tablewire.twin.heart import TwinHeart
from tablewire.twin.program import run_twin
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.board_pty import BoardPty
from tablewire.wire.commands import Command
from tablewire.wire.messages import (
    Calibrate,
    CalibrateStep,
    Param,
    ParamKey,
    ParamOp,
    ResetCause,
    Result,
    Settings,
)
from tablewire.wire.session import BoardFound, HostSession, Told

PATIENCE_S = 60.0
"""Of real time, for board time that takes a second where nothing else runs."""


class Joined:
    """A board and a session on one clock, joined by a real pseudo-terminal that was opened at some rate."""

    def __init__(self, board: VirtualBoard, baud: int) -> None:
        self.board = board
        self.session = HostSession()
        self.told: list[Told] = []
        self.now_ms = board.table_ms
        self._pty = BoardPty()
        self.port = serial.Serial(self._pty.open(), baud, timeout=0)
        self.session.link_opened(self.now_ms)

    def step(self) -> None:
        """Let 5 ms pass."""
        self.now_ms += 5
        self.board.advance(self.now_ms)
        self._pty.pump(self.board)
        self.told += self.session.receive_data(self.port.read(4096), self.now_ms)
        self.port.write(self.session.data_to_send(self.now_ms))

    def run(self, ms: int) -> None:
        """Let time pass."""
        for _ in range(0, ms, 5):
            self.step()

    def run_until_found(self) -> BoardFound:
        """Let time pass until the board has answered; the kernel carries the bytes in its own time."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            for one in self.told:
                if isinstance(one, BoardFound):
                    return one
            assert time.monotonic() < end_s, "nothing came"
            self.step()

    def close(self) -> None:
        """Leave."""
        self.port.close()
        self._pty.close()


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    """The emulated board."""
    made = VirtualBoard(1, heart=TwinHeart)
    yield made
    made.close()


@pytest.mark.parametrize("baud", [500_000, 490_000, 510_000])
def test_a_host_at_nearly_the_boards_rate_is_understood(board: VirtualBoard, baud: int) -> None:
    """Two percent apart, also at rates that no list knows."""
    joined = Joined(board, baud)
    joined.run_until_found()
    assert joined.session.decoder.drops.total() == 0
    joined.close()


@pytest.mark.parametrize("baud", [115_200, 460_800, 1_000_000])
def test_a_host_at_another_rate_hears_and_says_garbage(board: VirtualBoard, baud: int) -> None:
    """Neither side believes a byte of it; at the right rate they meet."""
    joined = Joined(board, baud)
    joined.run(1_500)
    assert joined.told == []
    assert board.heart.counters()["rx_frames"] == 0
    joined.port.baudrate = 500_000
    joined.run_until_found()
    joined.close()


def test_opening_the_port_resets_the_board_where_it_does(board: VirtualBoard) -> None:
    """Deaf for 2 s, it says by what it was reset, and has another nonce. Its greeting from before is lost."""
    board.do("wait 100", "fault reset-on-open")
    before = board.state()["nonce"]
    joined = Joined(board, 500_000)
    found = joined.run_until_found()
    assert found.hello.reset_cause == ResetCause.EXTERNAL
    assert found.hello.nonce != before
    assert joined.now_ms >= 2_000
    joined.close()


class Stored:
    """A board with an EEPROM in a file, and a session that has found it."""

    def __init__(self, eeprom: Path) -> None:
        self._board = VirtualBoard(1, heart=partial(TwinHeart, eeprom=eeprom))
        self._joined = Joined(self._board, 500_000)
        self._joined.run_until_found()

    def ask(self, command: Command) -> Result:
        """The answer to a command."""
        session = self._joined.session
        assert session.submit(command)
        end_s = time.monotonic() + PATIENCE_S
        while not (outcomes := session.take_outcomes()):
            assert time.monotonic() < end_s, "no answer came"
            self._joined.step()
        answer = outcomes[0].answer
        assert isinstance(answer, Result)
        return answer

    def settings(self) -> int:
        """What STATUS says of them."""
        while self._joined.session.status is None:
            self._joined.step()
        return self._joined.session.status.settings

    def close(self) -> None:
        """Pull the plug when nothing is left to be written."""
        while self.ask(Calibrate(0, CalibrateStep.SAVE, 255)).value:
            self._joined.run(1_000)
        self._joined.close()
        self._board.close()


def test_what_the_board_stores_outlives_the_program_in_a_file(tmp_path: Path) -> None:
    first = Stored(tmp_path / "eeprom")
    assert first.settings() == Settings.NONE
    assert first.ask(Param(0, ParamOp.SET, ParamKey.DEBOUNCE_MS, 35)).value == 35
    first.close()
    second = Stored(tmp_path / "eeprom")
    assert second.settings() == Settings.STORED
    assert second.ask(Param(0, ParamOp.GET, ParamKey.DEBOUNCE_MS, 0)).value == 35
    second.close()


def test_what_is_missing_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A firmware that is not there, one that is none, an EEPROM of the wrong size, and nothing built."""
    with pytest.raises(UserError, match=r"nowhere\.elf"):
        run_twin(firmware=tmp_path / "nowhere.elf")
    text = tmp_path / "text.elf"
    text.write_text("no firmware", encoding="utf-8")
    with pytest.raises(UserError, match=r"text\.elf"):
        run_twin(firmware=text)
    with pytest.raises(UserError, match=r"text\.elf"):
        run_twin(eeprom=text)
    assert text.read_text(encoding="utf-8") == "no firmware"
    monkeypatch.setenv("TABLEWIRE_FIRMWARE", str(tmp_path))
    with pytest.raises(UserError, match=r"make -C firmware.*apt-get install"):
        run_twin()


def test_the_command_says_what_to_install_and_exits_with_2(tmp_path: Path) -> None:
    own = {**os.environ, "TABLEWIRE_FIRMWARE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "tablewire", "twin"],
        env=own,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "apt-get install" in line


def test_a_key_pressed_to_end_it_ends_it_quietly(tmp_path: Path) -> None:
    """Ctrl-C reaches every program of the terminal: the emulated chip must not be seen to die of it."""
    link = tmp_path / "port"
    command = [sys.executable, "-m", "tablewire", "twin", "--link", str(link)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        lines = [running.stdout.readline() for _ in range(2)]
        assert [line.split()[0] for line in lines] == ["pty", "socket"]
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(10) == 0
        assert running.stderr.read() == ""
    assert not link.is_symlink()
