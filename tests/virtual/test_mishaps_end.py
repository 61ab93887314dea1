"""Faults of hands and sensors end when they should, and hit what they name: nothing more, nothing less."""

from __future__ import annotations

import pytest
from tests.virtual.test_mishaps import laid, lying


def test_a_sensor_is_whole_again_when_its_time_is_over() -> None:
    board = laid()
    assert board.do("fault chatter at=6 ms=300", "wait 200", "fault list")[2] != "ok"
    assert board.do("wait 300", "fault list") == ["ok", "ok"]


def test_a_nudge_strikes_as_often_as_it_was_told() -> None:
    board = laid()
    board.do("fault nudge at=6 times=3 every=200 ms=50")
    assert board.do("wait 150", "fault list")[1] != "ok"
    assert board.do("wait 600", "fault list") == ["ok", "ok"]
    assert lying(board)["6"] == "red"


def test_clearing_the_table_takes_the_pegs_along() -> None:
    board = laid()
    board.do("fault clear-after-end", "wait 5000")
    assert lying(board) == {}
    assert board.state()["pegs"] == {}


@pytest.mark.parametrize("seed", range(8))
def test_only_pieces_of_two_colours_change_places(seed: int) -> None:
    """Of one space red has two pieces and green one; red's two would change places, and nothing be seen."""
    board = laid()
    board.do("place red 56", "place green 99", "wait 50")
    before = lying(board)
    board.do(f"fault swap seed={seed}", "wait 2000")
    assert lying(board) != before
