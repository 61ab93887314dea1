"""A whole round on the simulated board, and on the real firmware in an emulated chip with readers."""

from __future__ import annotations

from tests.boards import NewBoard
from tests.system.ligretto.conftest import NewTable

HASTE = 0.2
"""The emulated chip takes its time: hands are quicker, and as many."""


def test_a_round_with_a_reset_and_a_bad_line_is_played_and_counted(
    new_tag_board: NewBoard, new_table: NewTable
) -> None:
    table = new_table(2, seed=6, pads_board=new_tag_board(6), haste=HASTE)
    table.do("fault drop percent=1", "fault flip percent=1", "fault missed-reads percent=5 garbled=5")
    table.play(lambda doc: doc["moves"] >= 8)
    table.do("reset")

    told = table.play_round()

    assert sum(told["played"].values()) > 12
    assert told["stop"] == "blocked" or told["left"][told["stop"]] == 0
