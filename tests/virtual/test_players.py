"""Computer players: whole games seen through documents only, each way of laying a piece, what a page asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.virtual.sitting import Sitting

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.rules import Rules
from tablewire.games.records import score_text
from tablewire.virtual import tactics
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.gestures import LAYING, PEGGING, Gesture
from tablewire.virtual.players import PATIENCE_COUNT, Choose, Players

Document = dict[str, Any]
RED, GREEN = PlayerColour.RED, PlayerColour.GREEN


def over(document: Document) -> bool:
    return bool(document["phase"] == "over")


def moves(count: int) -> Callable[[Document], bool]:
    return lambda document: document["moves"] >= count


def messages(sitting: Sitting, kind: str) -> list[Document]:
    return [d["message"] for d in sitting.documents if d["message"] and d["message"]["kind"] == kind]


@pytest.mark.parametrize(
    ("players", "rulebook"),
    [(("red", "green"), "hasbro"), (("yellow", "red", "purple", "green"), "international")],
)
def test_a_game_goes_to_its_end_and_its_record_scores_the_same(
    players: tuple[str, ...], rulebook: str
) -> None:
    sitting = Sitting(players, rulebook, seed="a", target=15)
    sitting.play(over)

    printed = score_text(sitting.table.record(), "record", Path())

    document = sitting.document
    assert all(line.get("legal", True) for line in printed[:-1])
    assert document["last"] == printed[-2]
    assert document["result"] == printed[-1]["result"]
    assert {p["colour"]: p["score"] for p in document["players"]} == printed[-1]["result"]["scores"]
    assert document["spaces"] == sitting.board.state()["spaces"]


def test_the_same_seed_plays_the_same_game_and_another_seed_another() -> None:
    games = []
    for seed in ("b", "b", "c"):
        sitting = Sitting(seed=seed)
        sitting.play(moves(6))
        games.append(sitting.lines[:8])

    assert games[0] == games[1]
    assert games[0] != games[2]


@pytest.mark.parametrize("kind", [way.kind for way in LAYING])
def test_each_way_to_lay_a_piece_occurs_when_it_alone_is_wanted_and_play_goes_on(kind: str) -> None:
    sitting = Sitting(seed="d", shares={kind: 1})
    sitting.play(lambda _: sitting.kinds[kind] >= 2)
    so_far = sitting.document["moves"]

    sitting.play(moves(so_far + 2))

    assert sitting.kinds[kind] >= 2
    assert set(sitting.kinds) <= {kind, "placed", "peg", "obey_illegal", "obey_restore", "choice"}


def test_a_piece_laid_away_from_the_leader_is_refused_and_lifted() -> None:
    sitting = Sitting(seed="e", shares={"misplaced": 1})
    sitting.play(moves(4))

    refused = messages(sitting, "illegal")
    assert {reason for message in refused for reason in message["reasons"]} == {
        "first_not_central",
        "not_touching_leader",
    }
    assert sitting.kinds["obey_illegal"] >= 4
    assert sitting.document["message"] is None


def test_a_piece_laid_out_of_turn_is_refused_and_lifted() -> None:
    sitting = Sitting(("red", "green", "purple", "yellow"), seed="f", shares={"out_of_turn": 1})
    sitting.play(moves(4))

    assert all("not_your_turn" in message["reasons"] for message in messages(sitting, "illegal"))
    assert sitting.kinds["obey_illegal"] >= 4
    assert sitting.document["message"] is None


def test_a_table_that_was_disturbed_is_put_right_by_the_pages_steps() -> None:
    """Knocked over, shoved, swapped: play goes on, and the game lies there as it is shown."""
    sitting = Sitting(("red", "green", "yellow"), seed="k", shares={"disturbed": 1})
    sitting.play(moves(14))

    asked = [message for message in messages(sitting, "restore") if message["steps"]]
    assert sitting.kinds["disturbed"] >= 6
    assert len(asked) >= sitting.kinds["disturbed"]
    assert sitting.document["message"] is None
    assert sitting.document["spaces"] == sitting.board.state()["spaces"]
    assert [entry["spaces"] for entry in sitting.document["history"]] == [
        spaces for _, spaces in sitting.meant
    ]


@pytest.mark.parametrize("kind", ["taken_back", "swapped"])
def test_a_piece_taken_back_leaves_no_trace(kind: str) -> None:
    sitting = Sitting(seed="g", shares={kind: 1}, target=5)
    sitting.play(over)

    leaders: dict[int, set[tuple[int, ...]]] = {}
    for document in sitting.documents:
        leaders.setdefault(document["moves"], set()).add(tuple(document["leader"]))
    assert any(len(at_one_time) > 1 for at_one_time in leaders.values())
    assert sitting.document["spaces"] == sitting.board.state()["spaces"]
    assert not [message for message in messages(sitting, "restore") if not message["reasons"]]


@pytest.mark.parametrize("kind", ["halting", "straightened"])
def test_a_hesitating_or_straightening_hand_makes_one_move_of_one_piece(kind: str) -> None:
    sitting = Sitting(seed="h", shares={kind: 1}, target=5)
    sitting.play(over)

    laid = [entry["spaces"] for entry in sitting.document["history"]]
    assert sitting.kinds[kind] >= 3
    assert len(laid) == sitting.kinds[kind] + sitting.kinds["placed"]


@pytest.mark.parametrize("way", PEGGING, ids=lambda way: way.kind)
def test_pegs_come_to_their_holes_however_they_are_moved(way: Any) -> None:
    sitting = Sitting(seed="i", shares={"placed": 1, way.kind: 1}, target=10)
    sitting.play(over)
    sitting.play(lambda document: document["message"] is None)

    assert {p["colour"]: p["peg"]["hole"] for p in sitting.document["players"]} == {
        p["colour"]: min(40, p["score"]) for p in sitting.document["players"]
    }
    moved = {"peg": "peg", "peg_late": "peg", "peg_wrong": "peg_wrong"}[way.kind]
    assert sitting.kinds[moved] >= 1
    if way.kind != "peg":
        assert messages(sitting, "peg")


def test_a_late_peg_moves_when_two_more_pieces_lie() -> None:
    sitting = Sitting(seed="i", shares={"placed": 1, "peg_late": 1})
    sitting.play(lambda _: sitting.kinds["peg"] >= 1)

    first = next(d for d in sitting.documents if any(p["score"] for p in d["players"]))
    assert sitting.document["moves"] == first["moves"] + 2


def test_what_an_operator_takes_back_is_lifted_as_the_page_says() -> None:
    sitting = Sitting(seed="j", shares={"placed": 1})
    sitting.play(lambda document: document["moves"] == 4 and not document["provisional"])
    entries = sitting.table.act("undo", {})
    assert isinstance(entries, tuple)
    sitting.table, _ = sitting.table.enter(entries)

    sitting.play(moves(6))

    assert messages(sitting, "restore")[0]["steps"][0]["do"] == "lift"
    assert sitting.kinds["obey_restore"] >= 1


def test_a_piece_knocked_off_the_table_is_put_back_as_the_page_says() -> None:
    sitting = Sitting(seed="k", shares={"placed": 1})
    sitting.play(lambda document: document["moves"] == 4 and not document["provisional"])
    first = sitting.document["laid"][0]
    sitting.board.command(f"lift {','.join(map(str, first['spaces']))}", hand=9)

    sitting.play(moves(6))

    assert messages(sitting, "restore")[0]["steps"] == [
        {"do": "place", "spaces": first["spaces"], "colour": first["player"]}
    ]
    assert sitting.document["spaces"] == sitting.document["spaces"] | {
        str(space): first["player"] for space in first["spaces"]
    }


def fresh() -> tuple[Players, Document]:
    """Players who are to begin, and what the page shows them."""
    sitting = Sitting(seed="l", shares={"placed": 1})
    return sitting.players, sitting.document


def test_asked_how_to_read_a_piece_the_player_says_what_was_meant() -> None:
    players, document = fresh()
    laid = players.decide(document, calm=True)
    assert isinstance(laid, Gesture)
    spaces = ",".join(map(str, sorted(laid.spaces)))
    choices = [{"id": f"move:{spaces.replace(',', '|')}", "text": ""}, {"id": f"move:{spaces}", "text": ""}]
    asked = {"kind": "ambiguous", "reasons": [], "text": "", "steps": [{"do": "lift", "spaces": [1]}]}
    document |= {"message": {**asked, "choices": choices}, "phase": "hold"}

    assert players.decide(document, calm=False) is None
    assert players.decide(document, calm=True) == Choose(f"move:{spaces}")


def test_a_question_about_something_else_is_answered_by_lifting() -> None:
    players, document = fresh()
    asked = {"kind": "ambiguous", "reasons": [], "text": "", "steps": [{"do": "lift", "spaces": [160]}]}
    document |= {"message": {**asked, "choices": [{"id": "move:160", "text": ""}]}, "phase": "hold"}

    lifted = players.decide(document, calm=True)

    assert isinstance(lifted, Gesture)
    assert lifted.lines == ("lift 160",)


def test_a_player_waits_for_the_page_before_the_next_move_but_not_for_ever() -> None:
    players, document = fresh()
    assert players.decide(document, calm=True) is not None

    looks = [players.decide(document, calm=True) is not None for _ in range(PATIENCE_COUNT)]

    assert looks == [False] * (PATIENCE_COUNT - 1) + [True]
    assert not any(players.decide(document, calm=False) for _ in range(3 * PATIENCE_COUNT))


def test_every_line_a_hand_writes_is_one_the_board_understands() -> None:
    sitting = Sitting(("red", "green", "purple", "yellow"), seed="m")
    sitting.play(moves(12))
    board = VirtualBoard(1)

    refused = [line for line in sitting.lines for answer in board.do(line) if "no command" in answer]

    assert sitting.lines
    assert not refused


def test_a_player_takes_the_points_that_are_there() -> None:
    rules = Rules((RED, GREEN))
    state = rules.start()
    # Red and green fill four darts of the middle star in turn; the fifth completes it.
    for player, space in ((RED, 1), (GREEN, 2), (RED, 3)):
        state = rules.apply(state, Turn(player, (space,))).state
    state = rules.apply(state, Turn(GREEN, (4,), forced=True)).state

    chosen = [tactics.choose(rules, state, Random(seed)) for seed in range(40)]

    completing = [placement for placement in chosen if 5 in placement.spaces]
    assert len(completing) >= 30
