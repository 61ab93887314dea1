"""`tablewire run` and a simulated board as two programs in real time, as one plays with them by hand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablewire.virtual.remote import BoardProcess, Hand

LIMIT_S = 60.0
"""A placement takes two seconds; on a machine busy with other things, many times that."""

Document = dict[str, Any]


class Running:
    """One `tablewire run` on a board's port."""

    def __init__(self, port: Path, data: Path, *arguments: str, listen: str = "127.0.0.1:0") -> None:
        program = [sys.executable, "-m", "tablewire", "run", "--port", str(port), "--data", str(data)]
        self.process = subprocess.Popen(
            [*program, "--listen", listen, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        self.said = []
        for line in self.process.stdout:
            self.said.append(line)
            if line.startswith("page "):
                self.url = line.split()[1]
                return
        raise AssertionError(f"ended without a page: {self.process.communicate()[1]}")

    def wait_for(self, wanted: Callable[[Document], bool]) -> Document:
        """The first document that is wanted."""
        until_s = time.monotonic() + LIMIT_S
        with urllib.request.urlopen(f"{self.url}api/events", timeout=LIMIT_S) as stream:  # noqa: S310 - ours
            for line in stream:
                assert time.monotonic() < until_s, "the page does not come to what is waited for"
                if line.startswith(b"data: ") and wanted(json.loads(line.removeprefix(b"data: "))):
                    return dict(json.loads(line.removeprefix(b"data: ")))
        raise AssertionError("the stream ended")

    def post(self, name: str, body: Document) -> int:
        """The status of an action."""
        request = urllib.request.Request(  # noqa: S310 - ours
            f"{self.url}api/{name}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:  # noqa: S310 - ours
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal; exit status and errors."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, err


@pytest.fixture(scope="module")
def board() -> Iterator[BoardProcess]:
    """One simulated board in real time."""
    with BoardProcess(1, fast=False) as board:
        yield board


def test_a_piece_laid_by_hand_is_on_the_page_and_a_killed_program_goes_on(
    board: BoardProcess, tmp_path: Path
) -> None:
    hand = Hand(board.socket_path)
    running = Running(board.port, tmp_path, "--players", "red,green")
    running.wait_for(lambda doc: doc["link"]["state"] == "up")
    assert hand.do(["place red 6,15 over 200", "wait 1000", "place green 16"]) == ["ok"] * 3
    shown = running.wait_for(lambda doc: doc["moves"] == 2 and not doc["provisional"])
    assert shown["spaces"] == {"6": "red", "15": "red", "16": "green"}
    assert running.end(signal.SIGKILL)[0] == -signal.SIGKILL
    again = Running(board.port, tmp_path, "--players", "purple,yellow")
    same = again.wait_for(lambda doc: doc["link"]["state"] == "up")
    kept = ("game_id", "laid", "turn", "players", "history", "message")
    assert {key: same[key] for key in kept} == {key: shown[key] for key in kept}
    assert any(line.startswith("going on with game ") for line in again.said)
    assert again.post("undo", {}) == 200
    assert again.wait_for(lambda doc: doc["moves"] == 1)["message"]["steps"] == [
        {"do": "lift", "spaces": [16], "colour": "green"}
    ]
    assert hand.do(["lift 6,15,16"]) == ["ok"]
    hand.close()
    assert again.end(signal.SIGTERM) == (0, "")


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """The real firmware, emulated in real time, reset by whoever opens its port: port and socket."""
    port, sock = tmp_path / "port", tmp_path / "sock"
    command = [sys.executable, "-m", "tablewire", "twin", "--link", str(port), "--socket", str(sock)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert [process.stdout.readline().split()[0] for _ in range(2)] == ["pty", "socket"]
        yield port, sock
        process.terminate()


def test_the_real_firmware_is_played_on_like_a_board_on_a_cable(
    twin: tuple[Path, Path], tmp_path: Path
) -> None:
    """Daemon, firmware and page in real time: a move, a reset, and what was laid meanwhile."""
    port, sock = twin
    hand = Hand(sock)
    running = Running(port, tmp_path / "data", "--players", "red,green")
    running.wait_for(lambda doc: doc["link"]["state"] == "up")
    assert hand.do(["place red 6,15 over 200"]) == ["ok"]
    running.wait_for(lambda doc: doc["moves"] == 1 and not doc["provisional"])
    assert hand.do(["reset", "wait 500", "place green 16"]) == ["ok"] * 3
    shown = running.wait_for(lambda doc: doc["moves"] == 2 and not doc["provisional"])
    assert shown["spaces"] == {"6": "red", "15": "red", "16": "green"}
    (state,) = hand.do(["state"])
    assert json.loads(state.removeprefix("ok "))["lights"]["players"] == 2, "red is player 1, and to move"
    hand.close()
    assert running.end(signal.SIGTERM) == (0, "")


def test_off_loopback_the_page_shows_and_takes_nothing(board: BoardProcess, tmp_path: Path) -> None:
    running = Running(board.port, tmp_path, "--players", "red,green", listen="0.0.0.0:0")
    assert "0.0.0.0" not in running.url, "no browser on another computer opens that"  # noqa: S104
    assert running.wait_for(lambda doc: doc["game"] == "cirkis")["turn"] == "red"
    assert running.post("ruling", {"points": {"red": 5}}) == 403
    assert running.end(signal.SIGINT) == (0, "")


def test_a_second_program_on_the_same_games_is_one_line(board: BoardProcess, tmp_path: Path) -> None:
    running = Running(board.port, tmp_path, "--players", "red,green")
    program = [sys.executable, "-m", "tablewire", "run", "--port", str(board.port), "--data", str(tmp_path)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "is in use" in done.stderr
    assert running.end(signal.SIGTERM) == (0, "")
