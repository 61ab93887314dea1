"""The board, the host, or both lose their memory at any point of a game: nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.system.conftest import NewRig
from tests.system.games import header, place, random_game, scored
from tests.system.rig import Rig
from tests.system.sittings import (
    FINAL_MS,
    FIRST,
    LINES,
    PATIENCE_MS,
    act,
    asked,
    assert_scored,
    game,
    lay,
    lying,
    obey,
    put_right,
    said,
    sat_down,
)

UP_MS = 1_000
"""By then both have found each other again and the host has asked for what lies there."""
OVER_MS = 200
"""From a piece's first magnet to its last."""
POINTS_MS = (0, 30, 120, 230, 500, 790, 1_300, 1_900)
"""Since the first magnet: as it lands, among the magnets, in the quiet time, as it is committed, while it may
grow, when it is final."""
SHORT = header("red", "green", target=5)
SHORT_LINES = random_game(17, SHORT)
"""A game that ends with its fifth move."""

Reset = Callable[[Rig], None]


def board_alone(rig: Rig) -> None:
    """Power off and on: another boot."""
    said(rig, "reset")


def host_alone(rig: Rig) -> None:
    """The daemon is killed and started again."""
    rig.restart()


def both(rig: Rig) -> None:
    """A power cut in the house."""
    rig.kill()
    rig.board.command("reset")
    rig.start()


RESETS = pytest.mark.parametrize("reset", [board_alone, host_alone, both])


@RESETS
def test_a_reset_at_any_point_of_a_placement_changes_nothing(reset: Reset, new_rig: NewRig) -> None:
    rig = new_rig(header=FIRST)
    rig.run(300)
    nonces = {rig.board.state()["nonce"]}
    for number, (line, at_ms) in enumerate(zip(LINES, POINTS_MS, strict=False)):
        rig.board.command(place(line, OVER_MS))
        rig.run(at_ms)
        reset(rig)
        nonces.add(rig.board.state()["nonce"])
        doc = rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)  # noqa: B023 - called at once
        assert doc["history"][number]["spaces"] == sorted(line["spaces"])
        rig.run(UP_MS)
    rig.run(FINAL_MS)
    assert (len(nonces) == 1) == (reset is host_alone)
    assert rig.doc["message"] is None
    assert_scored(rig, len(POINTS_MS))


@RESETS
def test_a_piece_that_comes_down_in_two_goes_with_a_reset_between_is_one_piece(
    reset: Reset, new_rig: NewRig
) -> None:
    """The board's clock tells how fast the second magnet came; where it began anew meanwhile, it is asked."""
    rig = sat_down(new_rig)
    rig.do("place red 82,117 over 50")
    rig.run(850)
    assert rig.doc["moves"] == 5
    reset(rig)
    rig.run(200)
    rig.do("place red 107")
    rig.run(UP_MS + FINAL_MS)
    if reset is not host_alone:
        assert rig.doc["message"]["kind"] == "ambiguous"
        assert asked(rig.doc["message"]) == {"107"}
        act(rig, "choose", id="grow:4:82,107,117")
        rig.run(500)
    assert rig.doc["message"] is None
    assert_scored(rig, 5)


@RESETS
def test_a_reset_while_something_is_wrong_leaves_it_wrong_until_it_is_put_right(
    reset: Reset, new_rig: NewRig
) -> None:
    """During a hold, in the middle of a lift, while a refused piece lies there, or one that was undone."""
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)

    rig.do("lift 2,8,17 over 100")
    rig.run(1_500)
    message = rig.doc["message"]
    assert message["kind"] == "restore"
    reset(rig)
    rig.run(UP_MS)
    assert (rig.doc["phase"], rig.doc["message"]) == ("hold", message)
    obey(rig)
    assert game(rig) == before

    rig.do("place red 100")
    rig.run(1_500)
    message = rig.doc["message"]
    assert message["kind"] == "illegal"
    reset(rig)
    rig.run(UP_MS)
    assert rig.doc["message"] == message
    obey(rig)
    assert game(rig) == before

    rig.board.command("lift 46,47 over 300")
    rig.run(150)
    reset(rig)
    rig.run(3_000)
    if reset is host_alone:  # the board watched the hand: it is taken back
        assert (rig.doc["phase"], rig.doc["moves"]) == ("playing", 3)
    else:  # nobody watched: it is asked for
        assert (rig.doc["phase"], rig.doc["moves"]) == ("hold", 4)
        assert asked(rig.doc["message"]) == {"46", "47"}
    rig.do(place(LINES[3], 60))
    rig.run(FINAL_MS)
    assert game(rig) == before

    act(rig, "undo")
    rig.run(500)
    message = rig.doc["message"]
    assert (rig.doc["phase"], rig.doc["moves"], asked(message)) == ("hold", 3, {"46", "47"})
    reset(rig)
    rig.run(UP_MS)
    assert (rig.doc["phase"], rig.doc["message"]) == ("hold", message)
    obey(rig)
    assert (rig.doc["phase"], rig.doc["moves"], rig.doc["turn"]) == ("playing", 3, "green")
    lay(rig, 3)
    rig.run(FINAL_MS)
    assert game(rig) == before
    assert lying(rig) == there


@RESETS
def test_pieces_moved_meanwhile_are_guided_back(reset: Reset, new_rig: NewRig) -> None:
    """Nobody was looking: a whole table is swept and a piece moved. The page then asks for the difference."""
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    for fault in ("fault knock at=2,27 floor=0 seed=1", "fault swap seed=3", "fault shove count=2 seed=4"):
        unseen(rig, reset, fault)
        rig.run(UP_MS + 1_500)
        assert lying(rig) != there
        assert rig.doc["phase"] == "hold"
        put_right(rig, there, 1)
        rig.run(UP_MS + 1_500)
        assert game(rig) == before, fault
    unseen(rig, reset, place(LINES[4], 60))
    rig.run(UP_MS + FINAL_MS)
    assert_scored(rig, 5)


def unseen(rig: Rig, reset: Reset, line: str) -> None:
    """A hand does something while nobody reads the board; then it is reset so."""
    if reset is host_alone:
        rig.kill()
        rig.board.command(line)
        pass_unseen(rig, 1_500)
        rig.start()
        return
    if reset is both:
        rig.kill()
    rig.board.command("fault power-cut ms=0")
    rig.board.command(line)
    pass_unseen(rig, 1_500)
    rig.board.command("fault off power-cut")
    if reset is both:
        rig.start()


def pass_unseen(rig: Rig, ms: int) -> None:
    rig.now_ms += ms
    rig.board.advance(rig.now_ms)
    rig.board.data_to_send()


@RESETS
def test_a_reset_after_the_end_ends_nothing_anew(reset: Reset, new_rig: NewRig) -> None:
    """After the end clearing the table records nothing, over resets too; nor does laying pieces."""
    rig = new_rig(header=SHORT)
    for number, line in enumerate(SHORT_LINES):
        rig.do(place(line, 60))
        rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)  # noqa: B023 - called at once
        rig.run(FINAL_MS - 800)
    rig.run(FINAL_MS)
    ended = finished(rig)
    assert ended["phase"] == "over"
    assert {"result": ended["result"]} == scored(SHORT, SHORT_LINES)[-1]
    reset(rig)
    rig.run(UP_MS)
    assert finished(rig) == ended
    said(rig, "fault clear-after-end ms=1500 seed=1")
    rig.run(700)
    reset(rig)
    rig.run(3_000)
    assert lying(rig) == {}
    assert finished(rig) == ended
    rig.do("place red 100", "place green 3,9")
    rig.run(3_000)
    assert finished(rig) == ended
    assert rig.core.table.record().count("\n") == len(SHORT_LINES) + 1


def finished(rig: Rig) -> dict[str, Any]:
    return {
        key: rig.doc[key] for key in ("phase", "history", "players", "result", "game_id", "moves", "laid")
    }
