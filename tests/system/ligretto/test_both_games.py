"""One daemon, two games: the board of the one is pulled out, that of the other is plugged in, and back."""

from __future__ import annotations

from tests.system.ligretto.conftest import NewTable
from tests.system.ligretto.table import header, scored
from tests.system.sittings import FINAL_MS, FIRST, act, assert_scored, lay

from tablewire.virtual.board import VirtualBoard


def test_a_round_of_ligretto_in_the_middle_of_a_game_of_cirkis_and_both_come_out_right(
    new_table: NewTable,
) -> None:
    magnets = VirtualBoard(44)
    table = new_table(3, seed=4, board=magnets, first=FIRST)
    for number in range(4):
        lay(table, number)
    table.run(FINAL_MS)
    cirkis_id = table.doc["game_id"]

    # The other board is seen for what it is while the game that it is not for is still on.
    table.plug_in(table.pads_board)
    doc = table.run(500)
    assert (doc["game"], doc["link"]["board"]) == ("cirkis", "ligretto")
    assert doc["link"]["text"]
    assert_scored(table, 4)

    body = header(table.names, rounds=2)
    act(table, "new_game", **{key: value for key, value in body.items() if key != "record"})
    first_round = table.play_round()
    ligretto_id = table.doc["game_id"]
    record = table.core.table.record()

    # Back in the middle of the match, while its cards still lie on the pads.
    table.plug_in(magnets)
    act(table, "resume_game", game_id=cirkis_id)
    table.run(FINAL_MS)
    assert table.doc["message"] is None
    for number in (4, 5):
        lay(table, number)
    table.run(FINAL_MS)
    assert_scored(table, 6)

    table.restart()
    table.plug_in(table.pads_board)
    act(table, "resume_game", game_id=ligretto_id)
    assert table.core.table.record() == record
    assert table.doc["history"][-1] == first_round
    table.play(lambda doc: doc["phase"] == "over")
    table.assert_right()
    assert table.doc["result"] == scored(table.core.table.record())[-1]["result"]
