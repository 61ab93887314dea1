"""The builder's commands over Bluetooth: processes of their own, and the real bleak on a fake BlueZ."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.conftest import bluez  # noqa: F401 - the fixture

from tablewire.virtual.board import VirtualBoard

LIMIT_S = 60.0


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tablewire", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


@pytest.mark.parametrize("flavour", ["nus", "hm10"])
def test_the_monitor_watches_a_board_without_a_cable(bluez: FakeBluez, flavour: str) -> None:  # noqa: F811
    board = VirtualBoard(1)
    board.command("magnet 36 2")
    bluez.add_bridge("tablewire-oak", "C1:22:33:44:55:F1", flavour=flavour, board=board)
    done = run("monitor", "--port", "ble:tablewire-oak", "--seconds", "0.5")
    assert (done.returncode, done.stderr) == (0, "")
    assert "space 37 N strong (760)" in done.stdout
    assert done.stdout.splitlines()[-1] == "the link: no trouble"


def test_calibration_stores_on_a_board_without_a_cable(bluez: FakeBluez) -> None:  # noqa: F811
    bluez.add_bridge("tablewire", "C1:22:33:44:55:F2", board=VirtualBoard(1))
    done = run("calibrate", "--port", "ble", "--json", typed="\n\n\n\n\n\n")
    report = json.loads(done.stdout)
    assert report["stored"] is True
    assert report["zero"]["missing"] == []


def test_a_board_that_is_not_to_be_seen_is_one_line(bluez: FakeBluez) -> None:  # noqa: F811
    bluez.add_bridge("others", board=VirtualBoard(1))
    done = run("wiring", "--port", "ble:tablewire")
    assert (done.returncode, done.stdout) == (
        1,
        "ble:others: it is there, but it is not the one that is wanted\n",
    )
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("tablewire: ")
    assert "ble:tablewire" in done.stderr
    assert "tried again" not in done.stderr
