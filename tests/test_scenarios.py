"""The run itself: scenarios are counted by board; a skipped one, or one that a board never saw, fails it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONFTEST = "from tests.conftest import board_kind, new_board, pytest_configure, pytest_itemcollected\n"
SOUND = "def test_sound(board_kind): assert board_kind\n"
SKIPPED = """
import pytest
def test_skipped(board_kind):
    if board_kind == "twin":
        pytest.skip("no tools")
"""
SKIPS_ITSELF = """
import pytest
def test_needs_more(): pytest.skip("not on this machine")
"""
FILE_SKIPPED = """
import pytest
pytest.importorskip("tablewire.a_board_of_yesterday")
def test_gone(board_kind): assert board_kind
"""
BROKEN = """
import tablewire.a_board_of_yesterday
def test_gone(board_kind): assert board_kind
"""
ONE_SIDED = """
import pytest
@pytest.mark.parametrize("board_kind", ["virtual"], indirect=True)
def test_one_sided(board_kind): assert board_kind
"""


def run(folder: Path, source: str, *options: str, **set_too: str) -> tuple[int, str]:
    """Exit status and output of a run of its own."""
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "test_some.py").write_text(source, encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:hypothesispytest",
            f"--rootdir={folder}",
            *options,
            str(folder),
        ],
        cwd=folder,
        env={**{k: v for k, v in os.environ.items() if k != "CI"}, "PYTHONPATH": str(ROOT), **set_too},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("source", "options", "status", "lines"),
    [
        (SOUND, (), 0, ["scenarios: virtual 1, twin 1"]),
        (SOUND + SKIPPED, ("-n", "2"), 1, ["this was skipped: test_some.py::test_skipped[twin]"]),
        (
            SOUND + ONE_SIDED,
            (),
            1,
            ["not run on twin: test_some.py::test_one_sided[]", "scenarios: virtual 2, twin 1"],
        ),
    ],
    ids=["sound", "skipped", "one-sided"],
)
def test_every_scenario_runs_on_every_board(
    source: str, options: tuple[str, ...], status: int, lines: list[str], tmp_path: Path
) -> None:
    """Also where several processes run the tests: they are counted where the results come together."""
    code, out = run(tmp_path, source, *options)
    assert code == status, out
    for line in lines:
        assert line in out.splitlines()
    assert " passed" in out.splitlines()[-1], "pytest has the last word"


@pytest.mark.parametrize(("set_too", "status"), [({}, 0), ({"CI": "true"}, 1)], ids=["by hand", "in CI"])
def test_in_ci_no_test_at_all_is_skipped(set_too: dict[str, str], status: int, tmp_path: Path) -> None:
    """A test that a developer's machine cannot run is left out there, but never where nobody would notice."""
    code, out = run(tmp_path, SOUND + SKIPS_ITSELF, **set_too)
    assert code == status, out
    assert ("this was skipped: test_some.py::test_needs_more" in out.splitlines()) == bool(status)


def test_what_was_chosen_by_name_may_be_one_sided(tmp_path: Path) -> None:
    """Whoever looks at one board is not told off for it."""
    code, out = run(tmp_path, SOUND, "-k", "twin")
    assert (code, "scenarios: virtual 0, twin 1" in out) == (0, True)


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "two"])
@pytest.mark.parametrize(
    ("source", "line"),
    [(FILE_SKIPPED, "this was skipped: test_gone.py"), (BROKEN, "ERROR test_gone.py")],
    ids=["skipped", "broken"],
)
def test_a_file_whose_scenarios_nobody_sees_fails_the_run(
    source: str, line: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    """Because it skips itself, or because it cannot be imported."""
    (tmp_path / "test_gone.py").write_text(source, encoding="utf-8")
    code, out = run(tmp_path, SOUND, *options)
    assert code != 0, out
    assert any(one.startswith(line) for one in out.splitlines()), out
