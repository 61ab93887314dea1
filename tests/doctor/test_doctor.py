"""`tablewire doctor` as a person starts it: a process of its own, real boards, a table that plays."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.test_run import LIMIT_S, Running

from tablewire import __version__
from tablewire.cli import main
from tablewire.virtual.remote import BoardProcess

QUIET = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"}
"""A computer without Bluetooth, whatever this one has."""

Told = dict[str, list[dict[str, Any]]]


def doctor(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tablewire", "doctor", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env=QUIET,
        check=False,
    )


def told(*arguments: str | Path) -> tuple[int, Told]:
    """The exit status and the findings by name."""
    done = doctor(*arguments, "--json")
    assert done.stderr == ""
    report = json.loads(done.stdout)
    assert report["tablewire"] == __version__
    found: Told = {}
    for finding in report["findings"]:
        assert list(finding) == ["name", "level", "text", "do"]
        found.setdefault(finding["name"], []).append(finding)
    return done.returncode, found


@pytest.fixture
def board() -> Iterator[BoardProcess]:
    with BoardProcess(1, fast=False) as process:
        yield process


def test_a_board_that_works_is_no_trouble(board: BoardProcess, tmp_path: Path) -> None:
    status, found = told("--port", board.port, "--data", tmp_path / "data", "--listen", "127.0.0.1:0")
    assert status == 0
    for name in ("board", "ports", "rights", "in_use", "firmware", "line", "supply", "store"):
        assert [one["level"] for one in found[name]] == ["ok"], found[name]
    assert not (tmp_path / "data").exists()


def test_a_table_that_plays_is_asked_and_goes_on(board: BoardProcess, tmp_path: Path) -> None:
    data = tmp_path / "data"
    table = Running(board.port, data, "--players", "red,green")
    try:
        table.wait_for(lambda document: document["link"]["state"] == "up")
        listen = table.url.removeprefix("http://").rstrip("/")
        status, found = told("--port", board.port, "--data", data, "--listen", listen)
        _, elsewhere = told("--port", board.port, "--data", data, "--listen", "127.0.0.1:1")
        after = table.wait_for(lambda document: document["link"]["state"] == "up")
    finally:
        ended = table.end(signal.SIGINT)
    assert status == 0
    assert found["board"][0]["text"] == f"the table that plays has its board, at {board.port}"
    assert f"tablewire run (process {table.process.pid})" in found["in_use"][0]["text"]
    assert found["page"][0]["level"] == "ok"
    # The table tells of its board what the board would have told.
    assert found["firmware"][0]["text"] == "firmware virtual"
    assert found["line"][0]["text"].startswith("no trouble in ")
    assert found["supply"][0]["text"] == "the board's supply is 5.00 V"
    assert found["sensors"][0]["text"].startswith("the board was never calibrated")
    assert found["store"][0]["text"].startswith("1 game in ")
    # Where its page is not known, it keeps its board all the same.
    assert elsewhere["in_use"][0]["level"] == "note"
    assert "--listen" in elsewhere["in_use"][0]["do"]
    assert elsewhere["board"][0]["level"] == "skipped"
    assert f"tablewire run (process {table.process.pid})" in elsewhere["board"][0]["text"]
    assert after["link"].get("text") is None
    assert ended == (0, "")


def test_a_table_that_has_no_board_says_why(tmp_path: Path) -> None:
    table = Running(Path("/dev/ttyNOPE"), tmp_path / "data")
    try:
        table.wait_for(lambda document: "text" in document["link"])
        listen = table.url.removeprefix("http://").rstrip("/")
        status, found = told("--port", "/dev/ttyNOPE", "--data", tmp_path / "data", "--listen", listen)
    finally:
        table.end(signal.SIGINT)
    assert status == 1
    assert found["board"][0]["level"] == "trouble"
    assert "the table that runs has no board: " in found["board"][0]["text"]
    assert "/dev/ttyNOPE" in found["board"][0]["text"]


def test_a_port_that_is_not_there_is_trouble(tmp_path: Path) -> None:
    done = doctor("--port", "/dev/ttyNOPE", "--data", tmp_path / "data", "--listen", "127.0.0.1:0")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "1 thing to put right."
    assert lines[3] == "! ports      /dev/ttyNOPE: nothing is plugged in there"
    assert lines[4].strip().startswith("-> plug the board in")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", ""), "no board is named"),
        (("--port", "ble:"), "ble: must be followed by"),
        (("--listen", "nowhere"), "write HOST:PORT"),
        (("--baud", "1"), "--baud"),
    ],
)
def test_input_that_makes_no_sense(
    arguments: tuple[str, ...],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["tablewire", "doctor", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert words in said.err
    assert len(said.err.splitlines()) == 1


def test_fix_without_anybody_to_ask_changes_nothing(tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    done = doctor("--port", port, "--data", tmp_path / "data", "--listen", "127.0.0.1:0", "--fix")
    assert done.stdout.splitlines()[-1] == "there is nothing that --fix could put right"


def test_on_a_terminal_it_fits_80_columns_and_says_where_it_looks(tmp_path: Path) -> None:
    near, far = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "tablewire",
        "doctor",
        "--data",
        str(tmp_path),
        "--listen",
        "127.0.0.1:0",
    ]
    process = subprocess.Popen(command, stdin=far, stdout=far, stderr=far, env={**QUIET, "COLUMNS": "80"})
    os.close(far)
    said = b""
    while select.select([near], [], [], LIMIT_S)[0]:
        try:
            more = os.read(near, 4096)
        except OSError:  # EIO: everybody has closed it
            break
        said += more
    os.close(near)
    process.wait(LIMIT_S)
    lines = said.decode().replace("\r\n", "\n").splitlines()
    # A path is never broken, and that of the folder is as long as the computer makes it.
    assert max(len(line) for line in lines if str(tmp_path) not in line) <= 80
    assert any(line.startswith("looking for a board") for line in lines)
    assert any("to put right" in line or "Nothing is wrong" in line for line in lines)
