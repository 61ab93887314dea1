"""Without what only Unix has: all but simulated boards can be imported, and the commands work."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT_S = 60
QUIET = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus", "PYTHONUNBUFFERED": "1"}
RECORD = next((Path(__file__).parent / "playthroughs").glob("hasbro-two-*.jsonl"))


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "tests.like_windows", *map(str, words)]


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), capture_output=True, text=True, timeout=LIMIT_S, env=QUIET, check=False
    )


def test_everything_but_simulated_boards_can_be_imported() -> None:
    done = run("import")
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("run", "doctor.examination", "ports_command", "games_commands", "replay", "builder.flash"):
        assert f"tablewire.{name}" in done.stdout.split()


def test_games_are_kept_and_found_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    kept = run("tablewire", "games", "import", "--data", data, RECORD)
    assert (kept.returncode, kept.stderr) == (0, "")
    shown = run("tablewire", "games", "list", "--data", data)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert kept.stdout[:8] in shown.stdout


def test_ports_and_doctor_look_as_far_as_they_can(tmp_path: Path) -> None:
    ports = run("tablewire", "ports", "--json", "--data", tmp_path)
    assert (ports.returncode, ports.stderr) == (0, "")
    assert set(json.loads(ports.stdout)) == {"ports", "left_out", "bluetooth"}
    doctor = run("tablewire", "doctor", "--json", "--port", "COM10", "--data", tmp_path)
    assert doctor.stderr == ""
    findings = json.loads(doctor.stdout)["findings"]
    assert "could not be" not in doctor.stdout
    assert {one["name"]: one["level"] for one in findings}["disk"] == "ok"
    assert any("COM10" in one["text"] and one["level"] == "trouble" for one in findings)


def test_one_table_at_a_time_has_the_folder_and_it_goes_on_afterwards(tmp_path: Path) -> None:
    table = ("tablewire", "run", "--data", tmp_path, "--listen", "127.0.0.1:0", "--port", "ble")
    first = subprocess.Popen(
        command(*table, "--players", "red,green"), stdout=subprocess.PIPE, text=True, env=QUIET
    )
    assert first.stdout is not None
    assert first.stdout.readline().startswith("page ")
    second = run(*table)
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=LIMIT_S)
    assert first.returncode == 0
    assert second.returncode == 1
    assert f"is in use by another tablewire (process {first.pid}); stop that one" in second.stderr
    third = subprocess.Popen(command(*table), stdout=subprocess.PIPE, text=True, env=QUIET)
    assert third.stdout is not None
    assert third.stdout.readline().startswith("going on with game ")
    third.send_signal(signal.SIGTERM)
    third.communicate(timeout=LIMIT_S)
    assert third.returncode == 0


@pytest.mark.parametrize("name", ["virtual", "twin", "demo"])
def test_simulated_boards_say_in_one_line_that_they_cannot_be(name: str) -> None:
    done = run("tablewire", name)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("tablewire: a simulated board is behind a pseudo-terminal")
    assert done.stderr.count("\n") == 1
