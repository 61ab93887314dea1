"""The start of `tablewire run`: what its terminal says, and what a start that fails leaves behind."""

import json
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tablewire.errors import UserError
from tablewire.run import RunningTable, Wanted

HEADER = {"record": 1, "game": "cirkis", "rulebook": "hasbro", "players": ["red", "green"], "options": {}}


def wanted(data: Path, http_port: int = 0, header: dict[str, Any] | None = None) -> Wanted:
    """A table whose board is not there."""
    return Wanted(str(data / "no-board"), 500_000, data, "127.0.0.1", http_port, header, new=False)


def state_at(url: str) -> dict[str, Any]:
    """The state document that a running table serves."""
    with urllib.request.urlopen(f"{url}api/state", timeout=10) as answer:  # noqa: S310 - our own
        document: dict[str, Any] = json.load(answer)
    return document


def test_a_start_that_fails_begins_no_game(tmp_path: Path) -> None:
    with closing(RunningTable(wanted(tmp_path / "first"), print)) as first:
        taken = int(first.url.rstrip("/").rpartition(":")[2])
        with pytest.raises(UserError, match="another program already uses it"):
            RunningTable(wanted(tmp_path / "second", taken, HEADER), print)
    with closing(RunningTable(wanted(tmp_path / "second"), print)) as second:
        assert state_at(second.url)["players"] == []


@pytest.fixture
def program(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Programs started by a test; none outlives it."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def test_the_terminal_names_a_page_that_opens_and_a_board_that_does_not(
    program: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    port = str(tmp_path / "no-board")
    options = ["--port", port, "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tablewire", "run", *options], stdout=subprocess.PIPE, text=True
    )
    program.append(process)
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    word, url = next(lines).split()
    assert word == "page"
    assert state_at(url)["players"] == []
    said = next(line for line in lines if "cannot open" in line)
    assert said.startswith(f"board {port}: ")
    assert "plug the board in" in said
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0


@pytest.mark.parametrize(
    "options", [["--new"], ["--rulebook", "international"], ["--option", "center_ring"], ["--pieces", "mine"]]
)
def test_a_game_without_players_is_not_passed_over_in_silence(options: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tablewire", "run", "--port", "x", "--data", str(tmp_path), *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"tablewire: {options[0]} is for a new game: say with --players who plays, or begin it on the page\n"
    )
