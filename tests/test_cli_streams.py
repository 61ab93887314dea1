"""Standard streams that are closed, full or no longer read: the exit status still says how it went."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RECORD = (
    '{"record": 1, "game": "cirkis", "players": ["red", "green"]}\n{"player": "red", "spaces": [6, 15]}\n'
)

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")


def shell(command: str, folder: Path) -> tuple[int, str, str]:
    """Exit status, output and errors of a shell command in which $tw is the program."""
    (folder / "good").write_text(RECORD, encoding="utf-8")
    (folder / "bad").write_text("nonsense\n", encoding="utf-8")
    script = f"tw='{sys.executable} -m tablewire'\n{command}"
    done = subprocess.run(
        ["/bin/sh", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", ["score good", "board --json", "--help", "--version"])
def test_a_full_disk_under_the_output_is_one_line_and_a_failure(command: str, tmp_path: Path) -> None:
    status, _, said = shell(f"$tw {command} > /dev/full", tmp_path)
    assert (status, said) == (1, "tablewire: cannot write the output: No space left on device\n")


@pytest.mark.parametrize("command", ["score good", "score bad", "board --json"])
def test_a_reader_that_went_away_is_no_news(command: str, tmp_path: Path) -> None:
    _, out, said = shell(f"$tw {command} 2>errors | true; grep -c Traceback errors; rm errors", tmp_path)
    assert (out, said) == ("0\n", "")


@pytest.mark.parametrize(("file", "expected"), [("good", 0), ("bad", 2)])
@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2> /dev/full"])
def test_the_verdict_stands_without_streams_to_say_it_on(
    file: str, expected: int, streams: str, tmp_path: Path
) -> None:
    status, _, said = shell(f"$tw score {file} {streams}", tmp_path)
    assert status == expected
    assert "Traceback" not in said


def test_without_a_command_the_commands_are_listed(tmp_path: Path) -> None:
    status, out, said = shell("$tw", tmp_path)
    assert (status, out) == (2, "")
    assert [line.split()[0] for line in said.partition("Commands:\n")[2].splitlines()] == [
        "board",
        "calibrate",
        "deck",
        "demo",
        "doctor",
        "flash",
        "games",
        "monitor",
        "ports",
        "replay",
        "run",
        "score",
        "twin",
        "virtual",
        "wiring",
    ]


def test_an_answer_that_is_no_text_is_not_a_yes(tmp_path: Path) -> None:
    asked = (
        "$tw games import --data data good | (read id; printf '\\377\\376y\\n' | "
        'PYTHONIOENCODING=utf-8:strict $tw games delete --data data "$id")'
    )
    status, _, said = shell(asked, tmp_path)
    assert status == 1
    assert "Traceback" not in said
    assert len(shell("$tw games list --data data", tmp_path)[1].splitlines()) == 1


STOPPED_WHILE_LOADING = """
import sys

class CtrlC:
    def find_spec(self, name, *_):
        if name == "tablewire.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, CtrlC())
from tablewire.__main__ import main
main()
"""


def test_who_stops_it_while_it_loads_sees_no_traceback() -> None:
    program = [sys.executable, "-c", STOPPED_WHILE_LOADING]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
