"""Pieces that are off the table while another one lands: moved, lifted, or only straightened."""

from __future__ import annotations

from tests.table.scene import laid, opened


def test_a_refusal_stays_while_another_piece_of_that_colour_is_straightened() -> None:
    scene = opened()
    scene.land(9_000, "green", 60)
    before = scene.quiet(9_700)
    assert before["message"]["kind"] == "illegal"
    scene.clear(10_000, 16)
    assert scene.doc == before
    assert scene.quiet(10_300) == before
    scene.land(10_500, "green", 16)
    assert scene.quiet(12_000) == before


def test_an_older_piece_moved_to_where_a_new_one_could_lie_is_no_new_move() -> None:
    """Red's first kite goes from 6 to 26, where red, whose turn it is, could lay a kite."""
    scene = opened()
    scene.clear(9_000, 6)
    scene.land(9_300, "red", 26)
    doc = scene.quiet(10_200)
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert doc["message"]["kind"] == "restore"
    scene.clear(11_000, 26)
    scene.land(11_400, "red", 6)
    assert scene.quiet(13_000)["message"] is None
    assert scene.kinds == ["commit", "commit"]


def test_a_piece_straightened_while_the_next_one_lands_changes_nothing() -> None:
    for straightened, colour in ((6, "red"), (16, "green")):
        scene = opened()
        scene.clear(9_000, straightened)
        scene.land(9_100, "red", 26)
        scene.land(9_800, colour, straightened)
        doc = scene.quiet(9_810)
        assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [26])]
        assert doc["message"] is None
        assert scene.kinds == ["commit"] * 3


def test_a_piece_lifted_before_the_next_one_is_placed_is_taken_back() -> None:
    """Green takes its dart off, red has not seen it and lays: green is due again, and red's piece waits."""
    scene = opened()
    scene.clear(9_000, 16)
    scene.land(9_200, "red", 26)
    doc = scene.quiet(10_300)
    assert laid(scene) == [("red", [6])]
    assert doc["turn"] == "green"
    assert doc["message"]["reasons"] == ["not_your_turn"]
    scene.land(11_000, "green", 16)
    scene.quiet(11_700)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [26])]
    assert scene.doc["message"] is None
