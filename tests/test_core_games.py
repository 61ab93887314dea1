"""Which game is played: put aside, and gone on with as the table lies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.system.games import header
from tests.system.rig import Rig

from tablewire.errors import StoreError
from tablewire.games.ligretto.decks import printed_deck
from tablewire.shelf import Shelf
from tablewire.store.journal import Journal

FIRST = header("red", "green")
OTHERS = {"players": ["yellow", "purple"]}
SETTLED_MS = 3_000
"""After this no landing is settling, and none belongs to the piece before."""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A table for two whose board is there."""
    made = Rig(tmp_path / "games", header=FIRST)
    made.run(500)
    yield made
    made.close()


def play(rig: Rig, *lines: str) -> None:
    """Let hands do this, each time until it has settled."""
    for line in lines:
        rig.do(line)
        rig.run(SETTLED_MS)


def acted(rig: Rig, name: str, **body: Any) -> dict[str, Any]:
    """Do an action that is possible; the document afterwards."""
    answer = rig.core.act(name, body)
    assert answer.status == 200, answer
    assert answer.body["version"] == rig.doc["version"]
    return rig.doc


def the_game(doc: dict[str, Any]) -> dict[str, Any]:
    """What a game consists of, whenever it is looked at."""
    keys = ("game_id", "phase", "turn", "players", "spaces", "history", "moves", "message")
    return {key: doc[key] for key in keys}


def test_a_game_put_aside_is_gone_on_with_where_it_was(rig: Rig) -> None:
    play(rig, "place red 6,15 over 100", "place green 16 over 0")
    before = the_game(rig.doc)
    waiting = acted(rig, "put_aside")
    assert (waiting["phase"], waiting["game"], waiting["game_id"], waiting["moves"]) == (
        "waiting",
        None,
        None,
        0,
    )
    assert waiting["actions"]["new_game"]
    again = acted(rig, "resume_game", game_id=before["game_id"])
    assert the_game(again) == before
    play(rig, "place red 31 over 0")
    assert rig.doc["moves"] == 3


def test_what_was_moved_meanwhile_is_guided_back_and_the_game_goes_on_by_itself(rig: Rig) -> None:
    play(rig, "place red 6,15 over 100", "place green 16 over 0")
    first = rig.doc["game_id"]
    acted(rig, "put_aside")
    play(rig, "lift 6,15")
    assert rig.doc["message"]["kind"] == "setup"
    resumed = acted(rig, "resume_game", game_id=first)
    assert resumed["moves"] == 2
    rig.run(SETTLED_MS)
    assert rig.doc["phase"] == "hold"
    assert rig.doc["message"]["steps"] == [{"do": "place", "spaces": [6, 15], "colour": "red"}]
    play(rig, "place red 6,15 over 100")
    assert (rig.doc["phase"], rig.doc["moves"], rig.doc["message"]) == ("playing", 2, None)


def test_a_new_game_puts_the_present_one_aside_and_each_keeps_its_own_moves(rig: Rig) -> None:
    play(rig, "place red 6,15 over 100")
    first = the_game(rig.doc)
    second = acted(rig, "new_game", **OTHERS)["game_id"]
    play(rig, "lift 6,15", "place yellow 6 over 0")
    of_second = the_game(rig.doc)
    assert of_second["spaces"] == {"6": "yellow"}
    acted(rig, "resume_game", game_id=first["game_id"])
    rig.run(SETTLED_MS)
    assert rig.doc["spaces"] == {"6": "red", "15": "red"}
    assert [step["do"] for step in rig.doc["message"]["steps"]] == ["lift", "place"]
    play(rig, "lift 6", "place red 6,15 over 100")
    assert the_game(rig.doc) == first
    acted(rig, "resume_game", game_id=second)
    play(rig, "lift 6,15", "place yellow 6 over 0")
    assert the_game(rig.doc) == of_second
    games = rig._journal.games()
    assert [(game.game_id, game.put_aside) for game in games] == [(first["game_id"], True), (second, False)]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_last_piece_removed_while_its_game_was_aside_is_asked_for_and_not_taken_back(
    rig: Rig, restarted: bool
) -> None:
    play(rig, "place red 6,15 over 100")
    first = rig.doc["game_id"]
    acted(rig, "put_aside")
    play(rig, "lift 6,15")
    if restarted:
        rig.restart()
    acted(rig, "resume_game", game_id=first)
    rig.run(2 * SETTLED_MS)
    assert (rig.doc["moves"], rig.doc["undone"]) == (1, 0)
    assert rig.doc["message"]["steps"] == [{"do": "place", "spaces": [6, 15], "colour": "red"}]
    play(rig, "place red 6,15 over 100")
    assert (rig.doc["phase"], rig.doc["moves"], rig.doc["message"]) == ("playing", 1, None)


def test_what_another_game_left_on_the_table_is_no_move_of_the_one_resumed(rig: Rig) -> None:
    """Green is to move, and green lies where it may: but it lies there from the other game."""
    play(rig, "place red 6,15 over 100")
    first = rig.doc["game_id"]
    acted(rig, "new_game", players=["red", "green"])
    play(rig, "lift 6,15", "place red 6,15 over 100", "place green 16")
    assert rig.doc["moves"] == 2
    acted(rig, "resume_game", game_id=first)
    rig.run(2 * SETTLED_MS)
    assert rig.doc["moves"] == 1
    assert rig.doc["message"]["steps"] == [{"do": "lift", "spaces": [16], "colour": "green"}]
    play(rig, "lift 16")
    assert rig.doc["message"] is None
    play(rig, "place green 16")
    assert rig.doc["moves"] == 2


def test_the_board_is_never_asked_for_anything_twice_when_games_change(rig: Rig) -> None:
    """The session goes on: no snapshot is asked for, no change is told again, none is left unacknowledged."""
    play(rig, "place red 6,15 over 100")
    first, counts = rig.doc["game_id"], dict(rig.core.session.counts)
    for _ in range(3):
        acted(rig, "put_aside")
        rig.do("place green 40 over 0", "lift 40")
        acted(rig, "resume_game", game_id=first)
        rig.do("place green 16 over 0", "lift 16")
        rig.run(SETTLED_MS)
        acted(rig, "new_game", **OTHERS)
        rig.run(100)
    assert dict(rig.core.session.counts) == counts
    assert rig.core.session.synced
    assert len(rig.board.heart.device.outbox.pending) == 0  # type: ignore[attr-defined]


def test_a_piece_half_laid_when_its_game_is_put_aside_is_laid_again_and_counts_once(rig: Rig) -> None:
    ticket = rig.board.command("place red 6,15 over 400")
    rig.run(200)
    first = rig.doc["game_id"]
    acted(rig, "put_aside")
    rig.run(50)
    acted(rig, "resume_game", game_id=first)
    rig.run(SETTLED_MS)
    assert ticket.answer == "ok"
    (step,) = rig.doc["message"]["steps"]
    assert (step["do"], rig.doc["moves"]) == ("lift", 0)
    play(rig, "lift 6,15", "place red 6,15 over 400")
    assert [line["spaces"] for line in rig.doc["history"]] == [[6, 15]]


@pytest.mark.parametrize("when", ["aside", "resumed"])
def test_host_and_board_restarted_while_a_game_is_aside_lose_nothing(rig: Rig, when: str) -> None:
    play(rig, "place red 6,15 over 100", "place green 16 over 0")
    before = the_game(rig.doc)
    shown = acted(rig, "put_aside")["version"]
    if when == "resumed":
        shown = acted(rig, "resume_game", game_id=before["game_id"])["version"]
    rig.kill()
    rig.board.command("reset")
    rig.start()
    rig.run(SETTLED_MS)
    assert rig.doc["version"] > shown
    if when == "aside":
        assert rig.doc["game"] is None
        acted(rig, "resume_game", game_id=before["game_id"])
        rig.run(SETTLED_MS)
    assert the_game(rig.doc) == before


def test_a_game_resumed_before_the_board_is_found_waits_for_its_word(rig: Rig) -> None:
    play(rig, "place red 6,15 over 100")
    before = the_game(rig.doc)
    acted(rig, "put_aside")
    rig.restart()
    acted(rig, "resume_game", game_id=before["game_id"])
    rig.run(SETTLED_MS)
    assert the_game(rig.doc) == before


def test_the_version_never_falls_over_restarts_while_no_game_is_played(tmp_path: Path) -> None:
    with closing(Rig(tmp_path)) as rig:
        for _ in range(4):
            rig.run(500)
            rig.do("place red 6 over 0", "lift 6")
            rig.restart()
        versions = [shown["version"] for shown in rig.shown]
    assert versions == sorted(set(versions))


def test_masks_belong_to_the_board_and_go_with_it_from_game_to_game(rig: Rig) -> None:
    first = rig.doc["game_id"]
    acted(rig, "mask", sensors=[4], masked=True)
    acted(rig, "put_aside")
    with Journal.open_beside(rig.folder, lambda: datetime.now(UTC)) as journal:
        Shelf(journal).import_record(json.dumps(header("red", "green")), "a record", rig.folder)
    rig.restart()
    rig.run(500)
    second = acted(rig, "new_game", **OTHERS)["game_id"]
    assert rig.core.table.lies.masked == {4}
    acted(rig, "mask", sensors=[4], masked=False)
    acted(rig, "mask", sensors=[7, 9], masked=True)
    acted(rig, "resume_game", game_id=first)
    assert rig.core.table.lies.masked == {7, 9}
    rig.restart()
    rig.run(500)
    assert rig.core.table.lies.masked == {7, 9}
    acted(rig, "resume_game", game_id=second)
    assert rig.core.table.lies.masked == {7, 9}


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("put_aside", {}, "no_game"),
        ("resume_game", {"game_id": "77"}, "no_such_game"),
        ("undo", {}, "no_game"),
    ],
)
def test_what_is_not_possible_without_a_game_is_said(
    rig: Rig, name: str, body: dict[str, Any], reason: str
) -> None:
    acted(rig, "put_aside")
    before = rig.doc
    answer = rig.core.act(name, body)
    assert (answer.status, answer.body["reason"]) == (409, reason)
    assert rig.doc == before


def test_the_boards_lamps_are_those_of_the_game_that_is_played(rig: Rig) -> None:
    play(rig, "place red 6,15 over 100")
    first = rig.doc["game_id"]
    of_green = rig.board.lights().players
    assert of_green != 0
    acted(rig, "put_aside")
    rig.run(1_000)
    assert rig.board.lights().players == 0
    acted(rig, "resume_game", game_id=first)
    rig.run(1_000)
    assert rig.board.lights().players == of_green


def test_what_was_read_of_a_game_before_it_was_played_on_is_not_gone_on_with(rig: Rig) -> None:
    """Two people resume a game at once; the slower one's reading of it comes too late."""
    play(rig, "place red 6,15 over 100")
    first = rig.doc["game_id"]
    acted(rig, "put_aside")
    rig.core.prepare(first)
    late = rig.core._prepared
    assert late is not None
    acted(rig, "resume_game", game_id=first)
    play(rig, "place green 16")
    acted(rig, "put_aside")
    rig.core._prepared = late
    assert acted(rig, "resume_game", game_id=first)["moves"] == 2


@pytest.mark.parametrize("asked", ["77", "", None, 5])
def test_reading_a_game_that_is_not_there_ahead_breaks_nothing(rig: Rig, asked: object) -> None:
    rig.core.prepare(asked)
    assert rig.core.act("resume_game", {"game_id": asked}).status in (409, 422)


def test_going_on_with_the_game_that_is_played_changes_nothing(rig: Rig) -> None:
    before = rig.doc
    assert acted(rig, "resume_game", game_id=before["game_id"]) == before


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("put_aside", "put_aside"),
        ("resume_game", "resume"),
        ("new_game", "begin_game"),
    ],
)
def test_where_the_disk_refuses_the_game_that_was_played_still_is(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, name: str, write: str
) -> None:
    first = rig.doc["game_id"]
    acted(rig, "new_game", **OTHERS)
    before = rig.doc

    def refuse(*_: object) -> None:
        raise StoreError("cannot write: there is no room left")

    body: dict[str, Any] = {"resume_game": {"game_id": first}, "new_game": OTHERS}.get(name, {})
    with monkeypatch.context() as patch:
        patch.setattr(rig._journal, write, refuse)
        answer = rig.core.act(name, body)
    assert (answer.status, answer.body["reason"]) == (503, "store")
    assert rig.doc == before
    play(rig, "place yellow 6 over 0")
    assert (rig.doc["moves"], rig.doc["game_id"]) == (1, before["game_id"])
    assert acted(rig, name, **body)["game_id"] != before["game_id"]


def test_what_the_disk_refused_comes_into_the_game_it_was_played_in(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise StoreError("cannot write: there is no room left")

    first = rig.doc["game_id"]
    with monkeypatch.context() as patch:
        patch.setattr(rig._journal, "append", refuse)
        rig.do("place red 6,15 over 100")
        rig.run(5_000)
    acted(rig, "put_aside")
    told = [entry.body for entry in rig._journal.entries(first) if "changes" in entry.body]
    assert [number for body in told for number, *_ in body["changes"]] == [1]
    rig.run(SETTLED_MS)
    acted(rig, "resume_game", game_id=first)
    play(rig, "lift 6,15", "place red 6,15 over 100")
    assert [line["spaces"] for line in rig.doc["history"]] == [[6, 15]]


def test_a_game_that_needs_decks_is_refused_while_there_are_too_few_and_begun_with_those_kept(
    rig: Rig,
) -> None:
    play(rig, "place red 6,15 over 100")
    before = the_game(rig.doc)
    body = {"game": "ligretto", "players": ["Anna", "Ben"], "options": {"rounds": 2}}
    refused = rig.core.act("new_game", body)
    assert (refused.status, refused.body["reason"]) == (422, "malformed")
    assert refused.body["text"].startswith("2 players need 2 decks")
    assert the_game(rig.doc) == before
    for name in ("red", "green"):
        rig._journal.keep("ligretto", name, printed_deck(name).to_kept())
    doc = acted(rig, "new_game", **body)
    assert (doc["game"], doc["phase"], [player["deck"] for player in doc["players"]]) == (
        "ligretto",
        "playing",
        ["red", "green"],
    )
    # What is taught later changes no game that was begun.
    rig._journal.forget("ligretto", "red")
    rig.restart()
    assert rig.doc["players"][0]["deck"] == "red"
    # The board is one for the other game, and is told so.
    rig.run(500)
    assert rig.doc["link"]["board"] == "cirkis"
    assert "Ligretto" in rig.doc["link"]["text"]
