"""Which sensors are bad: found, named, and left out by one button. Times are the board's."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.scene import Scene, laid, opened
from tests.table.test_noise import chatter

from tablewire.games.cirkis.wiring import class_of, peg_sensor

LONG_MS = 61_000
NONE: dict[str, dict[str, str]] = {"spaces": {}, "pegs": {}}


def row(scene: Scene, sensor: int) -> dict[str, Any]:
    """What the board's health says of one sensor."""
    found: dict[str, Any] = scene.table.health()["sensors"][sensor]
    return found


def test_every_sensor_has_a_row_with_what_it_stands_for_and_reads() -> None:
    scene = opened()
    scene.peg(9_000, "green", 10)
    rows = scene.table.health()["sensors"]
    assert len(rows) == 201
    assert rows[5] == {
        "sensor": 5,
        "space": 6,
        "state": "ok",
        "reads": int(class_of("red")),
        "colour": "red",
        "changes": 1,
        "changed_ms": 1_000,
    }
    assert rows[119]["changed_ms"] is None
    assert row(scene, peg_sensor("green", 10))["peg"] == "green 10"
    assert scene.doc["health"] == NONE


@pytest.mark.parametrize("hz", [1, 5, 30])
def test_a_sensor_is_chattering_while_it_does_and_well_afterwards(hz: int) -> None:
    scene = opened()
    end_ms = chatter(scene, 6, "red", 9_000, 19_000, hz, ends=True)
    assert scene.doc["health"]["spaces"] == {"6": "chattering"}
    assert row(scene, 5)["changes"] > 2 * 9 * hz
    assert scene.quiet(end_ms + 6_000)["health"] == NONE


def test_a_sensor_that_began_to_chatter_three_times_stays_in_doubt() -> None:
    scene = opened()
    end_ms = 9_000
    for _ in range(3):
        end_ms = chatter(scene, 6, "red", end_ms + 10_000, end_ms + 13_000, 10, ends=True)
    doc = scene.quiet(end_ms + 60_000)
    assert doc["health"]["spaces"] == {"6": "chattering"}
    assert doc["message"] is None
    assert scene.quiet(end_ms + 601_000)["health"] == NONE


def test_a_chattering_peg_hole_is_found() -> None:
    scene = opened()
    sensor = peg_sensor("red", 25)
    for change in range(60):
        scene.read(9_000 + 100 * change, sensor, 0 if change % 2 else class_of("red"))
    assert scene.doc["health"] == {"spaces": {}, "pegs": {"red 25": "chattering"}}


def test_a_chattering_space_is_masked_with_one_button() -> None:
    scene = opened()
    chatter(scene, 120, "yellow", 9_000, 19_000, 10, ends=True)
    choices = scene.doc["message"]["choices"]
    assert choices == [{"id": "mask:119", "text": "Stop believing the sensor of space 120", "spaces": [120]}]
    assert scene.act("choose", id="mask:119") is None
    assert scene.doc["message"] is None
    assert scene.doc["health"]["spaces"] == {"120": "masked"}
    scene.place(20_000, "red", 26)
    assert laid(scene)[-1] == ("red", [26])


def test_a_space_that_is_asked_to_be_lifted_for_long_may_be_stuck() -> None:
    scene = opened()
    scene.land(9_000, "red", 60)
    assert scene.quiet(9_000 + LONG_MS - 2_000)["health"] == NONE
    doc = scene.quiet(9_000 + LONG_MS)
    assert doc["health"]["spaces"] == {"60": "stuck"}
    assert "If nothing lies there, the sensor of space 60 is stuck." in doc["message"]["text"]
    assert [choice["id"] for choice in doc["message"]["choices"]] == ["mask:59"]
    assert scene.act("choose", id="mask:59") is None
    assert scene.doc["message"] is None


def test_a_board_that_nobody_has_cleared_has_no_stuck_sensors() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6, 7, 8, 9, 10)
    assert scene.quiet(1_000 + LONG_MS)["health"] == NONE


def test_a_space_under_a_piece_whose_others_read_is_silent_after_long() -> None:
    scene = Scene()
    scene.place(1_000, "red", 6, 15)
    scene.place(4_000, "green", 16)
    scene.clear(8_000, 15)
    assert scene.quiet(8_000 + LONG_MS - 2_000)["health"] == NONE
    doc = scene.quiet(8_000 + LONG_MS)
    assert doc["health"]["spaces"] == {"15": "silent"}
    assert "If its piece lies there, the sensor of space 15 is silent." in doc["message"]["text"]
    assert scene.act("choose", id="mask:14") is None
    assert (scene.doc["phase"], scene.doc["message"]) == ("playing", None)


def test_of_several_sensors_that_may_be_silent_one_sentence_is_said() -> None:
    scene = opened()
    scene.place(9_000, "red", 26)
    scene.clear(13_000, 6, 26)
    doc = scene.quiet(13_000 + LONG_MS)
    assert doc["message"]["text"].endswith(
        "If their pieces lie there, the sensors of space 6 and space 26 are silent."
    )
    assert [choice["id"] for choice in doc["message"]["choices"]] == ["mask:5", "mask:25"]


def test_a_single_piece_that_is_asked_for_for_long_may_lie_on_a_silent_sensor() -> None:
    scene = opened()
    scene.clear(9_000, 6)
    doc = scene.quiet(9_000 + LONG_MS)
    assert doc["health"]["spaces"] == {"6": "silent"}
    assert scene.act("choose", id="mask:5") is None
    assert (scene.doc["phase"], scene.doc["message"]) == ("playing", None)


def test_a_cleared_table_has_no_silent_sensors_nor_has_a_game_that_is_over() -> None:
    scene = opened()
    scene.place(9_000, "red", 26, 36)
    scene.clear(13_000, 6, 16, 26, 36)
    assert scene.quiet(13_000 + LONG_MS)["health"] == NONE


def test_a_hole_that_a_peg_has_left_is_stuck_when_it_still_reads() -> None:
    scene = Scene()
    scene.peg(100, "red", 0)
    for at_ms, colour, spaces in ((1_000, "red", (2, 3)), (5_000, "green", (4, 5)), (9_000, "red", (1,))):
        scene.place(at_ms, colour, *spaces)
    scene.peg(13_000, "red", 10)
    doc = scene.quiet(13_000 + LONG_MS)
    assert doc["health"]["pegs"] == {"red 0": "stuck"}
    assert scene.act("choose", id=f"mask:{peg_sensor('red', 0)}") is None
    assert scene.doc["message"] is None
    assert scene.doc["players"][0]["peg"] == {"hole": 10, "due": 10}


def test_a_hole_whose_peg_went_from_the_last_one_and_never_came_is_silent() -> None:
    scene = Scene()
    scene.peg(100, "red", 0)
    for at_ms, colour, spaces in ((1_000, "red", (2, 3)), (5_000, "green", (4, 5)), (9_000, "red", (1,))):
        scene.place(at_ms, colour, *spaces)
    scene.peg(13_000, "red", None, old=0)
    doc = scene.quiet(13_000 + LONG_MS)
    assert doc["health"]["pegs"] == {"red 10": "silent"}
    assert scene.act("choose", id=f"mask:{peg_sensor('red', 10)}") is None
    assert scene.doc["message"] is None


def test_a_space_is_not_silent_because_it_was_bare_long_before_its_piece_came_back() -> None:
    scene = Scene()
    scene.place(1_000, "red", 6, 15)
    scene.place(4_000, "green", 16)
    scene.clear(8_000, 6, 15)
    scene.land(200_000, "red", 6)
    assert scene.quiet(200_000 + LONG_MS - 2_000)["health"] == NONE
    assert scene.quiet(200_000 + LONG_MS)["health"]["spaces"] == {"15": "silent"}


def test_a_piece_that_has_lain_for_long_is_not_stuck_as_soon_as_it_is_asked_for() -> None:
    scene = opened()
    scene.quiet(100_000)
    assert scene.act("undo") is None
    assert scene.quiet(100_000 + LONG_MS - 2_000)["health"] == NONE
    assert scene.quiet(100_000 + LONG_MS)["health"]["spaces"] == {"16": "stuck"}


def test_masked_sensors_do_not_make_a_table_one_that_nobody_has_cleared() -> None:
    """Five magnets that should not be are a table to be put right; with two masked, three are bad sensors."""
    scene = opened()
    scene.land(9_000, "red", 60, 80, 100, 120, 140)
    assert scene.quiet(9_000 + LONG_MS)["health"] == NONE
    assert scene.act("mask", sensors=[59, 79], masked=True) is None
    spaces = scene.quiet(9_000 + 2 * LONG_MS)["health"]["spaces"]
    assert spaces == {"60": "masked", "80": "masked", "100": "stuck", "120": "stuck", "140": "stuck"}


def test_after_the_end_a_piece_that_went_is_on_no_silent_sensor() -> None:
    scene = Scene(target=5, rulebook="international")
    for at_ms, colour, spaces in ((1_000, "red", (2, 3)), (5_000, "green", (4, 5)), (9_000, "red", (1,))):
        scene.place(at_ms, colour, *spaces)
    assert scene.doc["phase"] == "over"
    scene.clear(13_000, 1)
    assert scene.quiet(13_000 + LONG_MS)["health"] == NONE


def test_a_peg_that_stands_in_the_wrong_hole_for_long_is_on_no_stuck_sensor() -> None:
    scene = opened()
    scene.peg(9_000, "red", 25)
    doc = scene.quiet(9_000 + LONG_MS)
    assert (doc["health"], doc["message"]["kind"]) == (NONE, "peg")


def test_the_hole_where_a_peg_belongs_is_not_stuck_because_another_reads_as_well() -> None:
    scene = opened()
    scene.peg(9_000, "red", 0)
    scene.peg(12_000, "red", 5)
    assert scene.quiet(12_000 + LONG_MS)["health"] == NONE
