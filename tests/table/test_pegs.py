"""Pegs: which hole they belong in, and that they are ticked off there."""

from __future__ import annotations

from tests.table.scene import Scene


def star_completed() -> Scene:
    """Red completes the middle star (10 points: three of its five darts) and lays its free turn."""
    scene = Scene()
    for number, colour in enumerate(("red", "green")):
        scene.peg(100 + number, colour, 0)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    return scene


def test_no_peg_is_asked_for_before_there_are_points() -> None:
    scene = Scene()
    scene.peg(100, "red", 0)
    scene.place(1_000, "red", 2, 3)
    assert scene.doc["message"] is None
    assert scene.doc["players"][0]["peg"] == {"hole": 0, "due": 0}
    assert scene.doc["players"][1]["peg"] == {"hole": None, "due": 0}


def test_after_points_the_page_names_the_hole_and_ticks_it_off() -> None:
    scene = star_completed()
    doc = scene.doc
    assert doc["players"][0]["score"] == 10
    assert doc["players"][0]["peg"] == {"hole": 0, "due": 10}
    assert doc["message"]["kind"] == "peg"
    assert doc["message"]["steps"] == [{"do": "move_peg", "colour": "red", "hole": 10}]
    assert doc["phase"] == "playing"
    scene.peg(13_000, "red", 10, old=0)
    assert scene.doc["message"] is None
    assert scene.doc["players"][0]["peg"] == {"hole": 10, "due": 10}


def test_a_peg_in_a_wrong_hole_changes_no_score() -> None:
    scene = star_completed()
    scene.peg(13_000, "red", 40, old=0)
    assert scene.doc["players"][0] | {"unplayed": None} == {
        "colour": "red",
        "name": "Red",
        "score": 10,
        "peg": {"hole": 40, "due": 10},
        "unplayed": None,
    }
    assert scene.doc["message"]["kind"] == "peg"


def test_pegs_wait_until_the_move_is_final() -> None:
    """Dart 1 completes the star but may still become a larger piece: no peg is asked for until it cannot."""
    scene = Scene()
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.land(9_000, "red", 1)
    doc = scene.quiet(9_700)
    assert doc["players"][0]["score"] == 10
    assert doc["provisional"] is True
    assert doc["message"] is None
    assert doc["awards"] == []
    assert "scores" not in doc["verdict"]["text"]
    doc = scene.quiet(10_501)
    assert doc["message"]["kind"] == "peg"
    assert [award["points"] for award in doc["awards"]] == [10]
    assert "Red scores 10" in doc["verdict"]["text"]


def test_play_goes_on_while_a_peg_is_late() -> None:
    scene = star_completed()
    scene.place(13_000, "red", 10)
    assert scene.doc["moves"] == 4
    assert scene.doc["message"]["kind"] == "peg"


def test_no_peg_is_asked_for_once_the_table_is_being_cleared_after_the_end() -> None:
    """Target 5, at once: the star ends the game; red's peg belongs in hole 10 until the pieces go."""
    scene = Scene(target=5, rulebook="international")
    scene.peg(100, "red", 0)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    doc = scene.quiet(12_000)
    assert (doc["phase"], doc["message"]["kind"]) == ("over", "peg")
    scene.clear(13_000, 4)
    assert scene.quiet(13_900)["message"]["kind"] == "peg"
    assert scene.quiet(14_300)["message"] is None
    scene.clear(15_000, 5, 1, 2, 3)
    doc = scene.quiet(18_000)
    assert (doc["phase"], doc["message"], doc["moves"]) == ("over", None, 3)
