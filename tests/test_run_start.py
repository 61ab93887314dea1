"""The start of `tablewire run`: what its terminal says, and what a start that fails leaves behind."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tablewire.board.timing import DEFAULT_TIMING
from tablewire.errors import UserError
from tablewire.games.ligretto.decks import printed_deck
from tablewire.link.address import SerialPath
from tablewire.run import RunningTable, Wanted
from tablewire.store.journal import Journal

HEADER = {"record": 1, "game": "cirkis", "rulebook": "hasbro", "players": ["red", "green"], "options": {}}


def wanted(data: Path, http_port: int = 0, header: dict[str, Any] | None = None) -> Wanted:
    """A table whose board is not there."""
    return Wanted(
        SerialPath(str(data / "no-board")), 500_000, data, "127.0.0.1", http_port, header, new=False
    )


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


def two_games(folder: Path) -> tuple[str, str]:
    """The ids of a game that was put aside and of the one in progress."""
    with closing(RunningTable(wanted(folder, header=HEADER), print)) as table:
        first = state_at(table.url)["game_id"]
    anew = replace(wanted(folder, header=HEADER), new=True)
    with closing(RunningTable(anew, print)) as table:
        return first, state_at(table.url)["game_id"]


def test_a_game_put_aside_is_gone_on_with_by_the_beginning_of_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, _ = two_games(tmp_path)
    capsys.readouterr()
    with closing(RunningTable(replace(wanted(tmp_path), resume=first[:8]), print)) as table:
        assert state_at(table.url)["game_id"] == first
    assert f"going on with game {first[:8]} (playing)" in capsys.readouterr().out
    with closing(RunningTable(wanted(tmp_path), print)) as table:
        assert state_at(table.url)["game_id"] == first


def test_quiet_for_a_game_to_which_it_is_nothing_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["red", "green"]
    with Journal.open(tmp_path, lambda: datetime.now(UTC)) as journal:
        for name in names:
            journal.keep("ligretto", name, printed_deck(name).to_kept())
    cards = {"record": 1, "game": "ligretto", "players": names, "options": {}}
    patient = replace(wanted(tmp_path), timing=replace(DEFAULT_TIMING, quiet_ms=900))
    for header, is_told in ((cards, True), (HEADER, False)):
        RunningTable(replace(wanted(tmp_path, header=header), new=True), print).close()
        capsys.readouterr()
        RunningTable(patient, print).close()
        assert ("--quiet is for Cir*Kis" in capsys.readouterr().out) is is_told


def test_a_game_that_cannot_be_gone_on_with_ends_the_start_and_changes_nothing(tmp_path: Path) -> None:
    _, second = two_games(tmp_path)
    with Journal.open(tmp_path, lambda: datetime.now(UTC)) as journal:
        old = journal.import_game("cirkis", {"header": HEADER, "rules_version": 0, "lying": None}, [])
    for asked, said in (("nonsense", "nonsense"), (old, "began under version 0 of its rules")):
        with pytest.raises(UserError, match=said):
            RunningTable(replace(wanted(tmp_path), resume=asked), print)
    with closing(RunningTable(wanted(tmp_path), print)) as table:
        assert state_at(table.url)["game_id"] == second


def test_the_page_lists_games_and_gives_their_records_without_the_game_thread(tmp_path: Path) -> None:
    first, second = two_games(tmp_path)
    with closing(RunningTable(wanted(tmp_path), print)) as table:
        with urllib.request.urlopen(f"{table.url}api/games", timeout=10) as answer:  # noqa: S310 - our own
            games = json.load(answer)["games"]
        assert [(game["game_id"], game["state"]) for game in games] == [
            (second, "current"),
            (first, "adjourned"),
        ]
        for query in ("", f"?game_id={first}"):
            with urllib.request.urlopen(f"{table.url}api/record{query}", timeout=10) as answer:  # noqa: S310
                assert json.loads(answer.readline())["players"] == ["red", "green"]
                assert answer.headers["Content-Disposition"].startswith('attachment; filename="tablewire-')
        with urllib.request.urlopen(f"{table.url}api/audit", timeout=10) as answer:  # noqa: S310 - our own
            assert json.load(answer) == {"audit": []}
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{table.url}api/audit?game_id=77", timeout=10)  # noqa: S310 - our own
        with refused.value as answer:
            assert (answer.code, json.load(answer)["reason"]) == (404, "no_such_game")


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
    said = next(line for line in lines if "plugged in" in line)
    assert said.startswith(f"board {port}: nothing is plugged in there")
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
