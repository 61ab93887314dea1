"""Faults of hands on a simulated table: each does to the magnets what it says, and can be repeated."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.boards import NewBoard

from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.fault_table import FAULTS, HAND_FAULTS, PLACING_FAULTS, SENSOR_FAULTS

TABLE = ("place red 6,15 over 50", "place green 16,17 over 50", "place red 36", "peg red 0", "peg green 5")
LONG_MS = 1_300
"""Longer than any of these faults takes."""
HARMLESS = {"nudge", "jolt", "passing"}
"""Nothing has changed when it is over."""
MOVING = {"swap", "turn", "shove"}
"""All pieces are there when it is over, but not all where they were."""


def laid(seed: int = 1) -> VirtualBoard:
    board = VirtualBoard(seed)
    assert board.do(*TABLE, "wait 50") == ["ok"] * (len(TABLE) + 1)
    return board


def struck(board: VirtualBoard, fault: str) -> tuple[str, dict[str, str]]:
    """What the board says of a fault, and what lies there when it is over."""
    answer, _ = board.do(f"fault {fault}", f"wait {LONG_MS}")
    return answer, lying(board)


def lying(board: VirtualBoard) -> dict[str, str]:
    spaces = board.state()["spaces"]
    assert isinstance(spaces, dict)
    return {space: str(colour) for space, colour in spaces.items()}


@pytest.mark.parametrize("name", [*HAND_FAULTS, *PLACING_FAULTS, *SENSOR_FAULTS])
def test_the_same_seed_does_the_same_and_says_it_in_one_line(name: str) -> None:
    told = []
    for _ in range(2):
        board = laid()
        answers = board.do(f"fault {name}", "place red 37,56 over 30", "peg red 5", f"wait {LONG_MS}")
        told.append((answers, lying(board), board.state()["pegs"]))
    assert told[0] == told[1]
    assert all(answer.startswith("ok") and "\n" not in answer for answer in told[0][0])


@pytest.mark.parametrize("name", FAULTS)
def test_an_unknown_fault_is_answered_with_all_there_are_and_what_they_do(name: str) -> None:
    (answer,) = VirtualBoard(1).do("fault gremlins")
    assert f"; {name}: {FAULTS[name].text}" in answer.replace("there are ", "; ")
    assert VirtualBoard(1).do("fault help") == ["ok " + answer.partition("there are ")[2]]


@given(seed=st.integers(0, 10_000), name=st.sampled_from(sorted(HARMLESS | MOVING | {"knock", "sweep"})))
@settings(max_examples=40, deadline=None)
def test_no_magnet_comes_from_nowhere(seed: int, name: str) -> None:
    board = laid(seed)
    before = lying(board)
    answer, after = struck(board, name)
    assert answer.startswith("ok ")
    colours, left = Counter(before.values()), Counter(after.values())
    if name in HARMLESS:
        assert after == before
    elif name in MOVING:
        assert after != before
        assert left == colours
    elif name == "knock":
        assert after != before
        assert left <= colours
    else:
        assert after == {}


def test_a_piece_that_flies_off_takes_all_its_magnets_along() -> None:
    answer, after = struck(laid(), "knock at=15 floor=0")
    assert answer.startswith("ok red 6,15 to ")
    assert {"6", "15"}.isdisjoint(after)
    assert Counter(after.values()) == {"red": 3, "green": 2}
    answer, after = struck(laid(), "knock at=6 floor=100")
    assert answer == "ok red 6,15 to the floor"
    assert Counter(after.values()) == {"red": 1, "green": 2}


def test_two_pieces_change_places() -> None:
    answer, after = struck(laid(), "swap at=6,17")
    assert answer == "ok red 6,15 and green 16,17 change places"
    assert after == {"6": "green", "15": "green", "16": "red", "17": "red", "36": "red"}


def test_a_nudge_can_go_on_until_it_is_turned_off() -> None:
    board = laid()
    board.do("fault nudge times=0 count=1 ms=300 every=1000", "wait 3100")
    assert board.do("fault list") == ["ok nudge count=1 ms=300 times=0 every=1000"]
    assert len(lying(board)) == 4
    board.do("fault off nudge", "wait 500")
    assert len(lying(board)) == 5
    board.do("wait 2000")
    assert board.do("fault list") == ["ok"]


def test_what_was_armed_hits_the_next_piece_only() -> None:
    board = laid()
    assert board.do("fault wrong-colour colour=green", "fault list") == [
        "ok",
        "ok wrong-colour count=1 colour=green",
    ]
    assert board.do("place red 37", "fault list", "place red 56") == [
        "ok wrong-colour: laid in green",
        "ok",
        "ok",
    ]
    assert (lying(board)["37"], lying(board)["56"]) == ("green", "red")


def test_the_pegs_are_forgotten_or_go_astray() -> None:
    board = laid()
    board.do("fault no-peg", "peg red 5")
    assert board.state()["pegs"] == {"red": 0, "green": 5}
    board.do("fault wrong-peg seed=1", "peg red 5")
    assert board.state()["pegs"] in ({"red": 0, "green": 5}, {"red": 10, "green": 5})
    assert board.do("fault peg-fallen colour=green") == ["ok the peg of green has fallen out of hole 5"]
    assert "green" not in board.state()["pegs"]  # type: ignore[operator]


def test_all_faults_can_be_ended_at_once() -> None:
    board = laid()
    board.do("fault drop", "fault silent at=6", "fault wrong-colour", "fault power-cut ms=0", "fault off all")
    assert board.do("fault list") == ["ok"]


def test_a_piece_that_sits_badly_reads_nothing_until_it_is_pressed(new_board: NewBoard) -> None:
    """On the piece laid next, or on one that lies there; taking it up and putting it back helps too."""
    board = new_board(1)
    board.do("wait 100", "fault half-seated seed=2", "place red 6,15")
    board.do("wait 200")
    (space,) = [space for space in (6, 15) if not board.magnets.reading(space - 1, board.table_ms)]
    assert board.do(f"press {space}")[0] == "ok"
    assert board.magnets.reading(space - 1, board.table_ms)
    board.do("fault half-seated at=6 reads=weak", "wait 100")
    assert (board.magnets.reading(5, board.table_ms), board.magnets.reading(14, board.table_ms)) == (1, 2)
    board.do("lift 6", "place red 6", "wait 100")
    assert board.magnets.reading(5, board.table_ms) == 2


def test_without_power_nothing_is_said_and_the_board_comes_back_as_another(new_board: NewBoard) -> None:
    board = new_board(1)
    board.do("wait 200")
    board.data_to_send()
    before = board.state()["nonce"]
    board.do("fault power-cut ms=3000", "place red 6", "wait 2500")
    assert board.data_to_send() == b""
    assert board.lights() == (0, False, False)
    board.do("wait 700")
    assert board.state()["nonce"] != before
    assert board.do("fault list") == ["ok"]
