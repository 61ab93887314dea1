"""Games that this program cannot go on with: named, left as they are, and in nobody's way."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.system.rig import Rig
from tests.test_core_games import FIRST, OTHERS, acted, play, rig

from tablewire.link.address import SerialPath
from tablewire.run import RunningTable, Wanted
from tablewire.store.journal import Journal

__all__ = ["rig"]


def outdated(rig: Rig, folder: Path) -> None:
    """A data folder whose current game began under other rules."""
    pinned = rig._journal.current_game()
    assert pinned is not None
    with Journal.open(folder, lambda: datetime.now(UTC)) as journal:
        journal.begin_game("cirkis", {**pinned.pinned, "rules_version": 0})


SAID = "began under version 0 of its rules, and this program plays"


def test_a_game_of_other_rules_is_never_scored_by_these_and_can_be_put_aside(
    rig: Rig, tmp_path: Path
) -> None:
    outdated(rig, tmp_path / "old")
    with closing(Rig(tmp_path / "old")) as other:
        other.run(500)
        (notice,) = other.doc["notices"]
        assert SAID in notice
        assert "\n" not in notice
        assert (other.doc["phase"], other.doc["game"], other.doc["link"]["state"]) == ("waiting", None, "up")
        play(other, "place red 6,15 over 100")
        (kept,) = other._journal.games()
        assert list(other._journal.entries(kept.game_id)) == []
        assert acted(other, "put_aside")["notices"] == []
        answer = other.core.act("resume_game", {"game_id": kept.game_id})
        assert (answer.status, answer.body["reason"]) == (409, "cannot_resume")
        assert SAID in answer.body["text"]
        assert other.core.game_id is None


def test_a_game_that_cannot_be_gone_on_with_stands_in_nobodys_way(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outdated(rig, tmp_path / "old")
    wanted = Wanted(
        SerialPath(str(tmp_path / "no-board")), 500_000, tmp_path / "old", "127.0.0.1", 0, FIRST, new=False
    )
    with closing(RunningTable(wanted, print)) as table:
        newest = table.feed.current()
        assert newest is not None
        assert json.loads(newest.body(None))["turn"] == "red"
    said = capsys.readouterr().out.splitlines()
    assert len([line for line in said if SAID in line]) == 1
    with Journal.open(tmp_path / "old", lambda: datetime.now(UTC)) as journal:
        assert [(game.pinned["rules_version"], game.put_aside) for game in journal.games()] == [
            (0, True),
            (1, False),
        ]


def test_a_game_of_a_kind_unknown_here_is_named_and_left_alone(rig: Rig, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "old", lambda: datetime.now(UTC)) as journal:
        journal.begin_game("ludo", {"header": {"game": "ludo"}, "rules_version": 1, "lying": None})
    with closing(Rig(tmp_path / "old")) as other:
        (notice,) = other.doc["notices"]
        assert "'ludo'" in notice
        acted(other, "new_game", **OTHERS)
        assert other.doc["notices"] == []


def test_entries_that_make_no_sense_here_are_named_and_left_alone(rig: Rig) -> None:
    first = rig.doc["game_id"]
    play(rig, "place red 6,15 over 100")
    rig.kill()
    with Journal.open(rig.folder, lambda: datetime.now(UTC)) as journal:
        pinned = journal.game(first)
        assert pinned is not None
        journal.begin_game("cirkis", {"header": pinned.pinned["header"]})
    rig.start()
    (notice,) = rig.doc["notices"]
    assert "cannot be read" in notice
    assert acted(rig, "resume_game", game_id=first)["moves"] == 1
