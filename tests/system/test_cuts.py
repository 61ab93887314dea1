"""The link is cut at any point of a placement, with and without a board that boots anew when it is opened.

Nothing is lost or doubled: what the board saw comes later, in order, and what nobody saw a snapshot tells.
"""

from __future__ import annotations

import pytest
from tests.system.conftest import NewRig
from tests.system.games import place
from tests.system.rig import Rig
from tests.system.sittings import (
    FINAL_MS,
    FIRST,
    LINES,
    PATIENCE_MS,
    act,
    assert_scored,
    game,
    lying,
    put_right,
    said,
    sat_down,
)

OVER_MS = 200
"""From a piece's first magnet to its last."""
POINTS_MS = (0, 30, 120, 230, 500, 790, 1_300, 1_900)
"""Since the first magnet: as it lands, among the magnets, in the settle time, as it is committed, while it
may grow, when it is final."""
CUT_MS = 900
"""Long enough for the rest of a piece to come down meanwhile."""
RESETS = pytest.mark.parametrize("resets", [False, True], ids=["lives", "boots"])
"""What opening the port does to the board."""


def open_table(new_rig: NewRig, resets: bool) -> Rig:
    rig = new_rig(header=FIRST)
    if resets:
        said(rig, "fault reset-on-open")
    return rig


@RESETS
def test_a_cut_at_any_point_of_a_placement_changes_nothing(resets: bool, new_rig: NewRig) -> None:
    rig = open_table(new_rig, resets)
    for number, (line, at_ms) in enumerate(zip(LINES, POINTS_MS, strict=False)):
        rig.board.command(place(line, OVER_MS))
        rig.run(at_ms)
        rig.cut()
        assert rig.run(CUT_MS)["link"]["state"] == "down"
        rig.mend()
        doc = rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)  # noqa: B023 - called at once
        assert doc["history"][number]["spaces"] == sorted(line["spaces"])
        rig.run(FINAL_MS)
        assert rig.doc["moves"] == number + 1
    assert rig.doc["message"] is None
    assert_scored(rig, len(POINTS_MS))


@RESETS
def test_a_cut_between_a_change_and_its_acknowledgement_doubles_nothing(
    resets: bool, new_rig: NewRig
) -> None:
    """What the host has kept, the board still holds and tells again."""
    rig = open_table(new_rig, resets)
    for number, line in enumerate(LINES[:4]):
        rig.cut_before_ack = True
        rig.board.command(place(line, OVER_MS))
        rig.until(lambda doc: doc["link"]["state"] == "down")
        rig.run(100 * number)
        rig.mend()
        rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)  # noqa: B023 - called at once
        rig.run(FINAL_MS)
    assert rig.doc["message"] is None
    assert_scored(rig, 4)


def test_several_turns_made_while_the_link_was_cut_come_in_their_order(new_rig: NewRig) -> None:
    """The board was there all along; the same pieces found by a snapshot could be read in another order."""
    rig = sat_down(new_rig, 2)
    rig.cut()
    for line in LINES[2:8]:
        rig.do(place(line, 60))
        rig.run(FINAL_MS)
    assert rig.doc["moves"] == 2
    rig.mend()
    rig.until(lambda doc: doc["moves"] == 8, PATIENCE_MS)
    rig.run(FINAL_MS)
    assert rig.doc["message"] is None
    assert_scored(rig, 8)


def test_what_was_put_right_while_the_link_was_cut_is_right(new_rig: NewRig) -> None:
    """A piece lifted and laid again, another lifted for good: as if the host had watched."""
    rig = sat_down(new_rig)
    before = game(rig)
    rig.cut()
    rig.do("lift 2,8 over 60", "wait 2000", "place red 2,8 over 60", "wait 2000")
    rig.mend()
    rig.run(FINAL_MS)
    assert game(rig) == before
    rig.cut()
    rig.do("lift 46,47 over 60", "wait 3000")
    rig.mend()
    rig.until(lambda doc: doc["moves"] == 3, PATIENCE_MS)
    assert rig.doc["message"] is None


@RESETS
def test_a_turn_made_without_power_is_taken_over(resets: bool, new_rig: NewRig) -> None:
    rig = sat_down(new_rig)
    if resets:
        said(rig, "fault reset-on-open")
    for number in (4, 5):
        rig.cut()
        said(rig, "fault power-cut ms=0")
        rig.do(place(LINES[number], 60), "wait 1000")
        said(rig, "fault off power-cut")
        rig.mend()
        rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)  # noqa: B023 - called at once
        rig.run(FINAL_MS)
    assert rig.doc["message"] is None
    assert_scored(rig, 6)


def test_several_turns_made_without_power_are_taken_over_or_asked(new_rig: NewRig) -> None:
    """Six turns: as many orders as the rules leave. One button of the page's is what was played."""
    rig = sat_down(new_rig, 2)
    unpowered(rig, *(place(line, 60) for line in LINES[2:6]))
    rig.run(FINAL_MS + 2_000)
    doc = rig.doc
    if doc["moves"] == 2:
        assert doc["message"]["kind"] == "ambiguous"
        played = ";".join(f"{line['player'][0]}{','.join(map(str, line['spaces']))}" for line in LINES[2:6])
        (right,) = (c["id"] for c in doc["message"]["choices"] if c["id"].endswith(f":{played}"))
        act(rig, "choose", id=right)
        rig.run(FINAL_MS)
    assert rig.doc["message"] is None
    assert_scored(rig, 6)


def unpowered(rig: Rig, *lines: str) -> None:
    """Hands do something while the board has no power and the link is gone."""
    rig.cut()
    said(rig, "fault power-cut ms=0")
    rig.do(*lines, "wait 1000")
    said(rig, "fault off power-cut")
    rig.mend()


def test_pieces_swept_and_laid_anew_without_power_are_guided_back(new_rig: NewRig) -> None:
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    unpowered(rig, "lift 2,8 over 50", place(LINES[4], 60), "place red 100")
    rig.run(FINAL_MS)
    assert (rig.doc["phase"], rig.doc["moves"]) == ("hold", 4)
    put_right(rig, there, 1)
    rig.run(FINAL_MS)
    assert game(rig) == before


def choose_what_was_played(rig: Rig, first: int, last: int) -> None:
    """The page must ask, and one of its buttons is the moves of LINES from `first` to `last`."""
    assert (rig.doc["moves"], rig.doc["message"]["kind"]) == (first, "ambiguous")
    lines = LINES[first:last]
    played = ";".join(f"{line['player'][0]}{','.join(map(str, line['spaces']))}" for line in lines)
    (right,) = (c["id"] for c in rig.doc["message"]["choices"] if c["id"].endswith(f":{played}"))
    act(rig, "choose", id=right)
    rig.run(FINAL_MS)
    assert rig.doc["message"] is None


def test_power_that_goes_again_before_the_page_was_answered_makes_no_guess(new_rig: NewRig) -> None:
    """Red's 82, 107 and 117 are one piece, or two turns: that is asked, over resets and restarts."""
    rig = sat_down(new_rig)
    unpowered(rig, *(place(line, 60) for line in LINES[4:6]))
    for pause_ms in (200, FINAL_MS):
        rig.run(pause_ms)
        said(rig, "reset")
        rig.run(pause_ms)
        rig.restart()
    rig.run(FINAL_MS + 1_000)
    choose_what_was_played(rig, 4, 6)
    assert_scored(rig, 6)


def overflows(rig: Rig) -> int:
    """How often the board had to forget what nobody had acknowledged."""
    counters = rig.board.state()["counters"]
    assert isinstance(counters, dict)
    return int(counters["ring_overflows"])


def test_of_more_than_the_board_can_keep_no_order_is_made_up(new_rig: NewRig) -> None:
    """The link is gone and the board lives on, but its memory is full: a snapshot tells of the two turns."""
    rig = sat_down(new_rig)
    rig.cut()
    rig.do(*(place(line, 60) for line in LINES[4:6]))
    while not overflows(rig):
        rig.do("nudge 2 100", "nudge 17 100", "wait 300")
    rig.mend()
    rig.run(FINAL_MS + 4_000)
    choose_what_was_played(rig, 4, 6)
    assert_scored(rig, 6)
