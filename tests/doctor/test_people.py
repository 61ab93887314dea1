"""`tablewire doctor` in the hands of people: without special rights, at a terminal that asks, at the bench.

Each time the whole command. Where it would write into the system, it has folders of its own.
"""

from __future__ import annotations

import grp
import json
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builder.test_commands import Running
from tests.doctor.looks import Computer
from tests.doctor.test_doctor import QUIET, told
from tests.link.pty_board import PtyBoard
from tests.store.unprivileged import NOBODY, run_unprivileged

from tablewire.packaging import UDEV_RULE
from tablewire.virtual.remote import BoardProcess

IMPORTS = """
import json, os, sys
from tablewire import cli
from tablewire.doctor import commands, examination, fixing, report
from tablewire.link import ble, ble_search, radio_bleak, radio_bluez
from tablewire.store import folder
"""
EXAMINE = """
sys.argv = ["tablewire", "doctor", "--json", "--data", sys.argv[1], "--port", sys.argv[2], *sys.argv[3:]]
try:
    cli.main()
except SystemExit:
    pass
"""
ANOTHER_GROUP = 54_321
"""Of a session that began before its user was taken into the port's group."""

FIX = """
import sys
from functools import partial
from pathlib import Path
from tablewire import cli
from tablewire.doctor import examination, fixing
from tablewire.doctor.roots import Roots
from tablewire.link.ports import SerialPort

folder = Path(sys.argv.pop(1))
roots = Roots(folder / "proc", folder / "sys", folder / "run", (folder / "etc/udev/rules.d",))
board = SerialPort("/dev/ttyACM0", (0x2341, 0x0042))
examination.examine = partial(examination.examine, roots=roots, lister=lambda **_: [board])
fixing.offer_fixes = partial(fixing.offer_fixes, folder=folder / "etc/udev/rules.d")
sys.argv += ["--port", "/dev/ttyACM0", "--data", str(folder / "data"), "--listen", "127.0.0.1:0"]
cli.main()
"""
"""The command on a computer that is laid out in a folder."""
LIMIT_S = 60.0
QUESTION = "Write it? [y/N] "


# ---- without special rights ----


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Path]:
    """A serial port that only its group may use."""
    board = PtyBoard(tmp_path / "port")
    path = board.path.readlink()
    if os.getuid() == 0:
        os.chown(path, 0, NOBODY)
    path.chmod(0o660 if os.getuid() == 0 else 0)
    yield path
    board.unplug()


def told_unprivileged(port: Path, gid: int) -> dict[str, dict[str, str]]:
    """What a user without special rights is told, by name; of each check the last."""
    arguments = ("/nonexistent/data", port, "--listen", "127.0.0.1:0")
    said = run_unprivileged(IMPORTS, EXAMINE, *arguments, environment=QUIET, gid=gid)
    return {finding["name"]: finding for finding in json.loads(said)["findings"]}


def test_who_was_added_to_the_group_since_logging_in_is_told_to_log_in_again(port: Path) -> None:
    found = told_unprivileged(port, ANOTHER_GROUP)
    assert found["rights"]["level"] == "trouble"
    if os.getuid() == 0:  # only root can give a port to a group
        group = grp.getgrgid(NOBODY).gr_name
        assert f"you are in the group {group} only since you logged in" in found["rights"]["text"]
        assert found["rights"]["do"] == "log out and in again"
    # All the rest can be looked at without special rights.
    assert [one for one in found.values() if "could not be" in one["text"]] == []
    assert found["program"]["level"] == "ok"


# ---- at a terminal ----


@pytest.fixture
def rules(computer: Computer) -> Path:
    """Where its udev rules are to be; ModemManager runs, and does not know boards."""
    computer.run(812, "ModemManager")
    computer.plug("1-1", (0x2341, 0x0042), "ttyACM0")
    computer.tag("166:0", "ID_MM_CANDIDATE=1")
    computer.tag("189:4")
    (computer.folder / "etc/udev").mkdir(parents=True)
    return computer.folder / "etc/udev/rules.d"


def fix(computer: Computer, answer: bytes | signal.Signals) -> str:
    """The command with --fix at a terminal where `answer` is typed, or sent, once it asks; what was shown."""
    near, far = pty.openpty()
    command = [sys.executable, "-c", FIX, str(computer.folder), "doctor", "--fix"]
    process = subprocess.Popen(command, stdin=far, stdout=far, stderr=far, env=QUIET)
    os.close(far)
    shown = b""
    try:
        while select.select([near], [], [], LIMIT_S)[0]:
            before = shown
            shown += os.read(near, 4096)
            if QUESTION.encode() in shown and QUESTION.encode() not in before:
                process.send_signal(answer) if isinstance(answer, signal.Signals) else os.write(near, answer)
    except OSError:  # EIO: it has ended
        pass
    finally:
        os.close(near)
    process.wait(LIMIT_S)
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("answer", [b"y\n", b"YES\n"])
def test_the_rule_is_written_when_a_person_says_yes(answer: bytes, computer: Computer, rules: Path) -> None:
    shown = fix(computer, answer)
    assert shown.count(QUESTION) == 1
    assert f"written: {rules / UDEV_RULE.name}" in shown
    assert (rules / UDEV_RULE.name).read_bytes() == UDEV_RULE.read_bytes()


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"\x04", b"yesterday\n", signal.SIGINT])
def test_nothing_is_written_when_a_person_says_anything_else(
    answer: bytes | signal.Signals, computer: Computer, rules: Path
) -> None:
    shown = fix(computer, answer)
    assert shown.count(QUESTION) == 1
    assert "Traceback" not in shown
    assert not rules.exists()
    if isinstance(answer, bytes):
        assert shown.endswith("nothing was changed\n")


def test_with_nobody_at_a_terminal_nothing_is_written(computer: Computer, rules: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIX, str(computer.folder), "doctor", "--fix"],
        input="y\n",
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env=QUIET,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "nobody is there to answer: --fix asks at a terminal only" in done.stdout
    assert QUESTION not in done.stdout
    assert not rules.exists()


# ---- at the bench ----


def test_beside_a_calibration_the_board_is_left_alone_and_the_calibration_goes_on(tmp_path: Path) -> None:
    with BoardProcess(1, fast=True) as board:
        calibrating = Running("calibrate", "--port", str(board.port))
        try:
            calibrating.wait_for("press Enter")
            status, found = told("--port", board.port, "--data", tmp_path, "--listen", "127.0.0.1:0")
            calibrating.type("")
            calibrating.wait_for("Red (")
        finally:
            calibrating.process.send_signal(signal.SIGINT)
            _, _, err = calibrating.end()
    assert (status, err) == (1, "")
    (in_use,) = found["in_use"]
    assert f"tablewire calibrate (process {calibrating.process.pid})" in in_use["text"]
    assert in_use["do"].startswith("wait until that has ended")
    assert found["board"][0]["level"] == "skipped"
