"""The order keep, acknowledge, show: what happens when the disk refuses, and what an action is answered.

The board is a session's other end written by hand; the journal is a real file whose disk may be full.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.system.games import header
from tests.system.rig import Rig

from tablewire.core import KEEP_RETRY_MS
from tablewire.errors import StoreError
from tablewire.virtual.python_heart import PythonHeart

FIRST = header("red", "green")


@pytest.fixture
def new_rig(tmp_path: Path) -> Iterator[Callable[..., Rig]]:
    """Makes tables of two players and closes them at the end."""
    made: list[Rig] = []

    def make(first: dict[str, Any] = FIRST) -> Rig:
        made.append(Rig(tmp_path / str(len(made)), header=first))
        made[-1].run(500)
        return made[-1]

    yield make
    for rig in made:
        rig.close()


class FullDisk:
    """A disk that refuses entries while `full`."""

    def __init__(self, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = True
        self.refused_count = 0
        append = rig._journal.append

        def refuse(entries: Any, version: int) -> Any:
            if self.full:
                self.refused_count += 1
                raise StoreError("cannot write: there is no room left; free some space")
            return append(entries, version)

        monkeypatch.setattr(rig._journal, "append", refuse)


def unacknowledged_count(rig: Rig) -> int:
    """Changes that the board still keeps because nobody said they are safe."""
    heart = rig.board.heart
    assert isinstance(heart, PythonHeart)
    return len(heart.device.outbox.pending)


def test_what_the_disk_refuses_is_neither_acknowledged_nor_shown_and_comes_when_there_is_room(
    new_rig: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = new_rig()
    disk = FullDisk(rig, monkeypatch)
    rig.do("place red 6,15 over 100")
    rig.run(5_000)
    assert (rig.doc["moves"], rig.doc["spaces"]) == (0, {})
    assert rig.doc["notices"] == ["cannot write: there is no room left; free some space"]
    assert unacknowledged_count(rig) == 2
    disk.full = False
    rig.run(KEEP_RETRY_MS + 3_000)
    assert rig.doc["spaces"] == {"6": "red", "15": "red"}
    assert rig.doc["notices"] == []
    assert unacknowledged_count(rig) == 0


def test_a_full_disk_is_tried_now_and_then_and_not_at_every_byte(
    new_rig: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = new_rig()
    disk = FullDisk(rig, monkeypatch)
    rig.do("place red 6,15 over 100")
    rig.run(10_000)
    assert 5 <= disk.refused_count <= 100


@pytest.mark.parametrize(
    ("name", "body", "status", "reason"),
    [
        ("undo", {}, 409, "nothing_to_undo"),
        ("pass", {}, 409, "pass_while_able"),
        ("choose", {"id": "grow:1"}, 409, "no_such_choice"),
        ("choose", {}, 422, "malformed"),
        ("dance", {}, 422, "unknown_action"),
        ("new_game", {"players": ["red"]}, 422, "malformed"),
        ("new_game", {"players": ["red", "green"], "game": "ludo"}, 422, "malformed"),
        (
            "new_game",
            {"players": ["red", "green"], "options": {"pieces": "/etc/passwd"}},
            422,
            "malformed",
        ),
    ],
)
def test_an_action_that_is_refused_changes_nothing(
    new_rig: Callable[..., Rig], name: str, body: dict[str, Any], status: int, reason: str
) -> None:
    rig = new_rig()
    before = rig.doc
    answer = rig.core.act(name, body)
    assert (answer.status, answer.body["reason"]) == (status, reason)
    assert "\n" not in answer.body["text"]
    assert rig.doc == before


def test_an_action_the_disk_refuses_is_said_and_not_done(
    new_rig: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = new_rig()
    FullDisk(rig, monkeypatch)
    answer = rig.core.act("ruling", {"points": {"red": 5}})
    assert (answer.status, answer.body["reason"]) == (503, "store")
    assert [player["score"] for player in rig.doc["players"]] == [0, 0]


def test_an_action_is_answered_with_the_version_that_shows_it(new_rig: Callable[..., Rig]) -> None:
    rig = new_rig()
    answer = rig.core.act("ruling", {"points": {"red": 5}})
    assert (answer.status, answer.body) == (200, {"version": rig.doc["version"]})
    assert rig.shown[-1]["players"][0]["score"] == 5


def test_a_new_game_asks_to_lift_what_still_lies_there(new_rig: Callable[..., Rig]) -> None:
    rig = new_rig()
    rig.do("place red 6,15 over 100")
    rig.run(3_000)
    assert rig.core.act("new_game", {"players": ["red", "green"]}).status == 200
    assert rig.doc["message"]["steps"] == [{"do": "lift", "spaces": [6, 15]}]
    rig.do("lift 6,15")
    rig.run(3_000)
    assert (rig.doc["message"], rig.doc["moves"]) == (None, 0)


def test_a_reset_of_the_board_at_rest_leaves_no_time_behind_for_a_restart(
    new_rig: Callable[..., Rig],
) -> None:
    """Of quiet that changes nothing, nothing is kept; another boot's time begins where that quiet ended."""
    rig = new_rig()
    rig.run(9_000)
    rig.do("reset")
    rig.run(4_000)
    rig.do("place red 6,15 over 100")
    rig.until(lambda doc: doc["moves"] == 1 and not doc["provisional"])
    view, now_ms = rig.view, rig.core.table.lies.now_ms
    rig.restart()
    assert rig.view == view
    assert 0 <= now_ms - rig.core.table.lies.now_ms < 1_500


def test_an_action_after_a_long_quiet_is_dated_alike_after_a_reset_and_a_restart(
    new_rig: Callable[..., Rig],
) -> None:
    rig = new_rig()
    rig.run(9_000)
    assert rig.core.act("place", {"player": "red", "spaces": [6]}).status == 200
    rig.kill()
    rig.board.command("reset")
    rig.start()
    rig.run(4_000)
    times_ms = [entry.at_ms for entry in rig._journal.entries(rig.doc["game_id"])]
    assert times_ms == sorted(times_ms)


@contextmanager
def no_room() -> Iterator[None]:
    """The system refuses to let any file grow, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_what_a_full_disk_did_not_let_save_has_lower_versions_than_all_after_a_restart(
    new_rig: Callable[..., Rig],
) -> None:
    """And what is shown meanwhile stands still before they could meet."""
    rig = new_rig()
    shown_before = len(rig.shown)
    with no_room():
        for n in range(200):
            rig.core.link_lost(rig.now_ms, f"trouble {n}")
        rig.kill()
    unsaved = rig.shown[shown_before:]
    assert len(unsaved) == 64
    assert {document["notices"][-1].partition(": ")[0][:12] for document in unsaved} == {"cannot write"}
    rig.start()
    assert rig.shown[-1]["version"] > unsaved[-1]["version"]


def test_the_page_goes_on_with_the_newest_as_soon_as_there_is_room(new_rig: Callable[..., Rig]) -> None:
    rig = new_rig()
    with no_room():
        for n in range(200):
            rig.core.link_lost(rig.now_ms, f"trouble {n}")
    rig.core.show()
    assert rig.doc["link"]["text"] == "trouble 199"


def test_a_board_that_falls_silent_is_said_to_be_that_until_it_is_heard_again(
    new_rig: Callable[..., Rig],
) -> None:
    """The link is open, and nothing else would say why the board is not connected."""
    rig = new_rig()
    assert "text" not in rig.doc["link"]
    rig.on_the_way_to_host = lambda _: b""
    rig.run(4_000)
    assert rig.doc["link"]["state"] == "down"
    assert rig.doc["link"]["text"].startswith("the board at virtual has not answered for some seconds")
    rig.on_the_way_to_host = bytes
    rig.run(2_000)
    assert rig.doc["link"]["state"] == "up"
    assert "text" not in rig.doc["link"]


@pytest.mark.parametrize(("was_killed", "skipped_count"), [(False, 0), (True, 64)])
def test_versions_are_skipped_only_after_a_program_that_was_killed(
    was_killed: bool, skipped_count: int, new_rig: Callable[..., Rig]
) -> None:
    rig = new_rig()
    before = rig.doc["version"]
    rig.kill()
    if was_killed:
        (rig.folder / "table.lock").write_text("4711\n", encoding="ascii")
    rig.start()
    assert rig.shown[-1]["version"] - before - skipped_count in (1, 2)
    after = rig.doc["version"]
    rig.restart()
    assert rig.shown[-1]["version"] - after in (1, 2), "once is enough"
