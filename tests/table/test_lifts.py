"""Lifting, straightening, sliding and moving pieces. Numbers as in test_settling."""

from __future__ import annotations

import pytest
from tests.table.scene import Scene, laid, opened

from tablewire.games.cirkis.wiring import sensor_of
from tablewire.wire.messages import MagnetClass


def test_lifting_the_piece_just_placed_takes_it_back_after_the_lift_time() -> None:
    scene = opened()
    scene.clear(9_000, 16)
    assert scene.quiet(10_199)["moves"] == 2
    doc = scene.quiet(10_200)
    assert laid(scene) == [("red", [6])]
    assert doc["turn"] == "green"
    assert doc["message"] is None
    assert doc["players"][1]["unplayed"]["arrow"] == 3
    assert scene.kinds == ["commit", "commit", "take-back"]


@pytest.mark.parametrize("off_ms", [20, 200, 800, 1_199])
def test_straightening_the_piece_just_placed_changes_nothing_and_says_nothing(off_ms: int) -> None:
    scene = opened()
    before = scene.doc
    scene.clear(9_000, 16)
    assert scene.doc == before
    scene.land(9_000 + off_ms, "green", 16)
    assert scene.quiet(12_000) == before
    assert scene.kinds == ["commit", "commit"]


def test_several_pieces_straightened_at_once_change_nothing() -> None:
    scene = opened()
    before = scene.doc
    scene.clear(9_000, 6, 16)
    scene.land(9_700, "green", 16)
    scene.land(9_800, "red", 6)
    assert scene.quiet(12_000) == before


def test_a_piece_moved_elsewhere_is_taken_back_and_placed_there() -> None:
    """Green moves its dart from 16 to 25 within half a second."""
    scene = opened()
    scene.clear(9_000, 16)
    scene.land(9_400, "green", 25)
    scene.quiet(10_100)
    assert laid(scene) == [("red", [6]), ("green", [25])]
    assert scene.doc["turn"] == "red"
    assert scene.kinds == ["commit", "commit", "take-back", "commit"]


def test_a_piece_on_a_free_turn_moved_next_to_where_it_was_has_not_grown() -> None:
    """Dart 1 completes the star and earns red a free turn; before it is final red takes it off and lays a
    wedge on 15: the dart is taken back once it has been off for long enough, nothing is a hook of 1 and 15.
    """
    scene = Scene()
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.land(9_000, "red", 1)
    scene.quiet(9_700)
    scene.clear(9_800, 1)
    scene.land(10_000, "red", 15)
    scene.quiet(12_000)
    assert laid(scene) == [("red", [2, 3]), ("green", [4, 5]), ("red", [15])]


def test_a_piece_shifted_so_that_one_magnet_stays_is_moved() -> None:
    """Green's boomerang 16+31 is turned about so that only 16 stays: hook 16+26."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16, 31)
    scene.clear(8_000, 31)
    scene.land(8_200, "green", 26)
    scene.quiet(9_000)
    assert laid(scene) == [("red", [6]), ("green", [16, 26])]


def test_an_older_piece_lifted_holds_the_game_and_says_what_to_put_where() -> None:
    scene = opened()
    scene.clear(9_000, 6)
    doc = scene.quiet(10_200)
    assert doc["phase"] == "hold"
    assert doc["message"]["kind"] == "restore"
    assert doc["message"]["steps"] == [{"do": "place", "spaces": [6], "colour": "red"}]
    assert laid(scene) == [("red", [6]), ("green", [16])]
    scene.land(11_000, "red", 6)
    assert scene.doc["phase"] == "playing"
    assert scene.doc["message"] is None


def test_the_piece_before_the_one_taken_back_is_not_taken_back_by_lifting() -> None:
    scene = opened()
    scene.clear(9_000, 16)
    scene.quiet(10_300)
    scene.clear(10_400, 6)
    doc = scene.quiet(11_700)
    assert laid(scene) == [("red", [6])]
    assert doc["message"]["kind"] == "restore"


def test_while_a_piece_is_missing_no_move_is_committed_and_then_it_is() -> None:
    scene = opened()
    scene.clear(9_000, 6)
    scene.quiet(10_300)
    scene.land(10_400, "red", 26)
    assert scene.quiet(11_200)["moves"] == 2
    scene.land(12_000, "red", 6)
    scene.quiet(12_700)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [26])]


def test_swapped_colours_are_lifted_first_and_then_put_back() -> None:
    scene = opened()
    scene.clear(9_000, 6)
    scene.land(9_100, "green", 6)
    doc = scene.quiet(10_400)
    assert doc["message"]["kind"] == "restore"
    assert [step["do"] for step in doc["message"]["steps"]] == ["lift", "place"]
    assert doc["message"]["steps"][0]["spaces"] == [6]


def test_one_magnet_of_a_piece_that_does_not_read_is_named_and_play_goes_on() -> None:
    scene = Scene()
    scene.place(1_000, "red", 6, 15)
    scene.place(4_000, "green", 16)
    scene.clear(8_000, 15)
    doc = scene.quiet(9_300)
    assert doc["phase"] == "playing"
    assert doc["message"]["reasons"] == ["half_seated"]
    assert "15" in doc["message"]["text"]
    scene.land(10_000, "red", 26)
    assert scene.quiet(10_700)["moves"] == 3


def test_a_slide_commits_where_it_ends() -> None:
    """One magnet passes over five spaces, 30 ms to 2 s on each; the move is where it rests."""
    for dwell_ms in (30, 150, 500, 700, 1_000, 2_000):
        scene = Scene()
        scene.place(1_000, "red", 6)
        path, at_ms = [7, 17, 31, 16, 25], 4_000
        for before, space in zip([None, *path], path, strict=False):
            if before is not None:
                scene.clear(at_ms, before)
            scene.land(at_ms, "green", space)
            at_ms += dwell_ms
        scene.quiet(at_ms + 3_000)
        assert laid(scene) == [("red", [6]), ("green", [25])], dwell_ms
        assert scene.doc["message"] is None
        assert scene.doc["turn"] == "red"


def test_a_slow_slide_over_a_place_that_earns_a_free_turn_is_one_move() -> None:
    """Dart 1 completes the star and is red's own; the magnet rests there for 2 s, and reads on kite 15
    20 ms before it has left dart 1. On a free turn 15 would be a legal move of its own."""
    scene = Scene()
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.land(9_000, "red", 1)
    assert scene.quiet(10_900)["free_turn"] == "center_star"
    scene.land(11_000, "red", 15)
    scene.clear(11_020, 1)
    scene.quiet(14_000)
    assert laid(scene) == [("red", [2, 3]), ("green", [4, 5]), ("red", [15])]
    assert scene.doc["message"] is None


def test_an_illegal_piece_lists_its_reasons_until_it_is_lifted() -> None:
    scene = opened()
    scene.land(9_000, "green", 60)
    doc = scene.quiet(9_600)
    assert doc["phase"] == "hold"
    assert doc["message"]["kind"] == "illegal"
    assert doc["message"]["reasons"] == ["not_touching_leader", "not_your_turn"]
    assert "it is Red's turn" in doc["message"]["text"]
    assert doc["message"]["steps"] == [{"do": "lift", "spaces": [60], "colour": "green"}]
    scene.clear(10_000, 60)
    assert scene.quiet(11_199)["message"]["kind"] == "illegal"
    assert scene.quiet(11_200)["message"] is None
    assert laid(scene) == [("red", [6]), ("green", [16])]


def test_a_strong_magnet_that_reads_weak_while_it_is_lifted_is_still_itself() -> None:
    scene = opened()
    scene.land(9_000, "red", 60)
    before = scene.quiet(9_700)
    assert before["message"]["reasons"] == ["not_touching_leader"]
    scene.read(10_000, sensor_of(60), MagnetClass.N_WEAK)
    assert scene.quiet(10_060) == before
    scene.clear(10_080, 60)
    assert scene.doc == before
    assert scene.quiet(11_279) == before
    assert scene.quiet(11_280)["message"] is None


def test_an_illegal_piece_laid_right_at_once_is_a_move() -> None:
    scene = opened()
    scene.land(9_000, "red", 60)
    assert scene.quiet(9_700)["message"]["reasons"] == ["not_touching_leader"]
    scene.clear(10_000, 60)
    scene.land(10_300, "red", 26)
    scene.quiet(11_000)
    assert laid(scene)[-1] == ("red", [26])
    assert scene.doc["message"] is None


def test_a_piece_laid_out_of_turn_counts_as_soon_as_its_turn_comes() -> None:
    """Green lays before red does; red's legal piece is taken, and then green's is judged again."""
    scene = opened()
    scene.land(9_000, "green", 45)
    assert "not_your_turn" in scene.quiet(9_700)["message"]["reasons"]
    scene.land(10_000, "red", 26)
    scene.quiet(10_700)
    assert laid(scene)[-2:] == [("red", [26]), ("green", [45])]
    assert scene.doc["message"] is None


def test_a_colour_that_does_not_play_is_named() -> None:
    scene = opened()
    scene.land(9_000, "yellow", 60)
    doc = scene.quiet(9_700)
    assert doc["message"]["kind"] == "unexplained"
    assert doc["message"]["reasons"] == ["unknown_player"]


def test_magnets_that_form_no_piece_are_unexplained() -> None:
    """Kites 1-apart are pieces alone, so five kites of one colour in a row of spaces out of turn are judged
    as pieces; three darts around the middle are no piece and no legal sequence."""
    scene = opened()
    scene.land(9_000, "red", 20, 100, 140, 60, 120)
    doc = scene.quiet(9_700)
    assert doc["message"]["kind"] == "unexplained"
    assert doc["message"]["reasons"] == ["not_a_piece"]
    assert "place them again one by one" in doc["message"]["text"]
    assert doc["moves"] == 2


def test_pieces_lying_there_when_a_game_begins_must_be_lifted_first() -> None:
    scene = Scene(lying={6: "red", 30: "green"})
    body = scene.table.lying()
    scene.pinned["lying"] = body
    from tablewire.table import Table

    scene.table, scene.kept = Table.begin(scene.pinned), []
    doc = scene.doc
    assert doc["phase"] == "waiting"
    assert doc["message"]["kind"] == "setup"
    assert doc["message"]["steps"] == [{"do": "lift", "spaces": [6, 30]}]
    scene.quiet(2_000)
    assert scene.doc["moves"] == 0
    scene.clear(3_000, 6, 30)
    doc = scene.quiet(4_300)
    assert doc["phase"] == "playing"
    scene.land(5_000, "red", 6)
    assert scene.quiet(5_700)["moves"] == 1
