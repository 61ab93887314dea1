"""Sensors and pegs that cannot be relied on: named, worked around, and never taken for a move."""

from __future__ import annotations

import pytest
from tests.system.conftest import NewRig
from tests.system.games import place
from tests.system.sittings import (
    FINAL_MS,
    FIRST,
    LINES,
    act,
    asked,
    assert_scored,
    game,
    lay,
    obey,
    said,
    sat_down,
)

SOON_MS = 2_500
NOTICED_MS = 4_000
"""A sensor that flickers is known to by then."""


@pytest.mark.parametrize("fault", ["chatter", "weak-magnet"])
def test_a_space_that_flickers_is_named_and_play_goes_on(fault: str, new_rig: NewRig) -> None:
    """Kinds 16 and 17: under a piece that lies there, then under the Leader, while the others play."""
    rig = sat_down(new_rig)
    for number, space in ((4, 17), (5, 107)):
        said(rig, f"fault {fault} at={space} hz=8 ms=0")
        doc = rig.until(lambda doc: space in doc["flaky"], NOTICED_MS)  # noqa: B023 - called at once
        assert doc["phase"] == "playing"
        assert doc["message"] is None or str(space) in doc["message"]["text"]
        assert doc["health"]["spaces"][str(space)] == "chattering"
        lay(rig, number)
        said(rig, f"fault off {fault}")
        doc = rig.until(lambda doc: not doc["flaky"], NOTICED_MS)
        assert (doc["phase"], doc["message"]) == ("playing", None)
    assert_scored(rig, 6)


def test_a_silent_sensor_under_a_piece_is_masked_and_play_goes_on(new_rig: NewRig) -> None:
    rig = sat_down(new_rig)
    before = game(rig)
    said(rig, "fault silent at=17")
    doc = rig.run(SOON_MS)
    assert doc["phase"] == "playing"
    assert "17" in doc["message"]["text"]
    act(rig, "mask", sensors=[16], masked=True, by="Ann", note="dead")
    rig.run(SOON_MS)
    assert game(rig) == before
    assert rig.doc["health"]["spaces"]["17"] == "masked"
    lay(rig, 4)
    rig.restart()
    rig.run(FINAL_MS)
    assert_scored(rig, 5)
    assert rig.doc["health"]["spaces"]["17"] == "masked"


def test_a_sensor_that_sticks_is_masked_and_the_piece_on_it_entered_by_hand(new_rig: NewRig) -> None:
    """It reads red where nothing lies: refused as any piece is, until somebody stops believing it."""
    rig = sat_down(new_rig)
    before = game(rig)
    said(rig, "fault stuck at=107 colour=purple")
    doc = rig.run(SOON_MS)
    assert (doc["phase"], asked(doc["message"])) == ("hold", {"107"})
    act(rig, "mask", sensors=[106], masked=True)
    rig.run(SOON_MS)
    assert game(rig) == before
    rig.do(place(LINES[4], 60))
    message = rig.run(FINAL_MS)["message"]
    assert message["kind"] == "ambiguous"
    assert {choice["id"]: choice["spaces"] for choice in message["choices"]} == {
        "move:82,117": [82, 117],
        "fill:82,107,117": [82, 107, 117],
    }
    act(rig, "choose", id="fill:82,107,117")
    rig.run(500)
    assert rig.doc["message"] is None
    act(rig, "mask", sensors=[75, 96], masked=True)
    rig.do(place(LINES[5], 60))
    rig.run(FINAL_MS)
    assert (rig.doc["moves"], rig.doc["message"]) == (5, None)
    act(rig, "place", player="green", spaces=LINES[5]["spaces"], by="Ann", note="both sensors are dead")
    lay(rig, 6)
    rig.run(FINAL_MS)
    assert rig.doc["message"] is None
    assert_scored(rig, 7)


def test_pegs_forgotten_misplaced_or_fallen_are_asked_for_and_change_no_score(new_rig: NewRig) -> None:
    rig = new_rig(header=FIRST)
    rig.do("peg red 0", "peg green 0")
    for number in range(2):
        lay(rig, number)
    rig.run(FINAL_MS)
    act(rig, "ruling", points={"red": 5}, note="for the tea")
    scores = {"red": 5, "green": 0}
    for fault in ("no-peg", "wrong-peg seed=1"):
        said(rig, f"fault {fault}")
        said(rig, "peg red 5")
        doc = rig.run(500)
        assert {player["colour"]: player["score"] for player in doc["players"]} == scores
        assert (doc["phase"], doc["message"]["kind"]) == ("playing", "peg")
        assert doc["message"]["steps"] == [{"do": "move_peg", "colour": "red", "hole": 5}]
        obey(rig)
        assert rig.doc["players"][0]["peg"] == {"hole": 5, "due": 5}
    said(rig, "fault peg-fallen colour=red")
    doc = rig.run(1_000)
    assert {player["colour"]: player["score"] for player in doc["players"]} == scores
    assert doc["phase"] == "playing"
    said(rig, "peg red 5")
    assert rig.run(500)["message"] is None
