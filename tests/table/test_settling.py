"""When a landing becomes a move, and when it can still change. All times are the board's.

The pieces used here: 6 and 15 are neighbouring kites of the Center Ring (small slice); 6, 15 and dart 1 make
the kite piece; 6 and dart 1 make a hook; 15 and dart 25 a triangle.
"""

from __future__ import annotations

import pytest
from tests.table.scene import Scene

from tablewire.games.cirkis.wiring import sensor_of
from tablewire.wire.messages import MagnetClass


def test_a_landing_is_a_move_after_the_quiet_time_and_not_before() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    assert scene.quiet(1_599)["spaces"] == {}
    doc = scene.quiet(1_600)
    assert doc["spaces"] == {"6": "red"}
    assert doc["turn"] == "green"
    assert scene.kinds == ["commit"]


def test_magnets_of_one_piece_set_down_one_after_another_are_one_move() -> None:
    scene = Scene()
    scene.land(1_000, "red", 1, 6, 15, every_ms=200)
    doc = scene.quiet(2_000)
    assert doc["last"]["shape"] == "kite"
    assert doc["moves"] == 1
    assert scene.kinds == ["commit"]


def test_each_magnet_starts_the_quiet_time_again() -> None:
    scene = Scene()
    scene.land(1_000, "red", 1, 6, 15, every_ms=500)
    assert scene.quiet(2_599)["moves"] == 0
    assert scene.quiet(2_600)["last"]["shape"] == "kite"


def test_a_piece_that_cannot_grow_is_final_at_once() -> None:
    scene = Scene()
    scene.land(1_000, "red", 1, 6, 15)
    assert scene.quiet(1_600)["provisional"] is False


def test_a_piece_that_could_grow_is_provisional_until_its_time_is_over() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    assert scene.quiet(1_600)["provisional"] is True
    assert scene.quiet(2_500)["provisional"] is True
    assert scene.quiet(2_501)["provisional"] is False


@pytest.mark.parametrize("grown_ms", [1_700, 2_499, 2_500])
def test_a_growth_in_time_rewrites_the_move(grown_ms: int) -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.quiet(1_650)
    scene.land(grown_ms, "red", 15)
    doc = scene.quiet(grown_ms + 600)
    assert [piece["shape"] for piece in doc["laid"]] == ["small slice"]
    assert doc["last"]["shape"] == "small slice"
    assert doc["players"][0]["unplayed"]["wedge"] == 3
    assert doc["players"][0]["unplayed"]["small slice"] == 1
    assert scene.kinds == ["commit", "rewrite"]


def test_a_piece_grows_twice() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.quiet(1_700)
    scene.land(2_400, "red", 15)
    scene.quiet(3_050)
    scene.land(3_800, "red", 1)
    doc = scene.quiet(4_400)
    assert [piece["spaces"] for piece in doc["laid"]] == [[1, 6, 15]]
    assert scene.kinds == ["commit", "rewrite", "rewrite"]


def test_two_more_magnets_together_are_one_growth() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.quiet(1_700)
    scene.land(2_000, "red", 1, 15, every_ms=300)
    assert scene.quiet(2_900)["last"]["shape"] == "kite"
    assert scene.kinds == ["commit", "rewrite"]


def test_a_growth_after_its_time_is_asked_about_when_the_colour_is_not_due() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.quiet(2_501)
    scene.land(2_502, "red", 15)
    doc = scene.quiet(3_200)
    assert [piece["spaces"] for piece in doc["laid"]] == [[6]]
    assert doc["message"]["kind"] == "ambiguous"
    assert doc["phase"] == "hold"
    assert len(doc["message"]["choices"]) == 2


def test_the_answer_that_it_grew_rewrites_the_move() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.land(3_000, "red", 15)
    choices = scene.quiet(3_700)["message"]["choices"]
    grow = next(c["id"] for c in choices if "small slice" in c["text"])
    assert scene.act("choose", id=grow) is None
    assert [piece["spaces"] for piece in scene.doc["laid"]] == [[6, 15]]
    assert scene.doc["message"] is None
    assert scene.doc["turn"] == "green"


def test_the_answer_that_it_is_another_piece_lets_it_stand_as_forced() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.land(3_000, "red", 15)
    choices = scene.quiet(3_700)["message"]["choices"]
    separate = next(c["id"] for c in choices if "small slice" not in c["text"])
    assert scene.act("choose", id=separate) is None
    assert scene.doc["last"]["forced"] == ["not_your_turn"]
    assert [piece["spaces"] for piece in scene.doc["laid"]] == [[6], [15]]


def test_a_growth_after_its_time_is_a_new_move_when_the_colour_is_due() -> None:
    """Both colours place a kite; then it is red's turn again and red's next kite is a move of its own."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    scene.land(8_000, "red", 15)
    doc = scene.quiet(8_700)
    assert [piece["spaces"] for piece in doc["laid"]] == [[6], [16], [15]]


def test_a_growth_rewrites_even_when_another_colour_has_landed_meanwhile() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.land(1_700, "green", 16)
    scene.quiet(2_310)
    assert scene.doc["moves"] == 2
    scene.land(2_400, "red", 15)
    doc = scene.quiet(3_000)
    assert [(p["player"], p["spaces"]) for p in doc["laid"]] == [("red", [6, 15]), ("green", [16])]
    assert doc["turn"] == "red"
    assert scene.kinds == ["commit", "commit", "rewrite"]


def test_two_colours_at_once_separate_and_go_by_the_first_landing() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.land(1_001, "green", 16)
    scene.land(1_300, "red", 15)
    doc = scene.quiet(2_000)
    assert [(p["player"], p["spaces"]) for p in doc["laid"]] == [("red", [6, 15]), ("green", [16])]


def test_the_next_player_may_be_quicker_than_the_quiet_time() -> None:
    """Green's piece settles first, but red's began first: red's is judged first, and green's is then
    legal."""
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.land(1_100, "green", 16)
    scene.land(1_550, "red", 15)
    doc = scene.quiet(1_700)
    assert doc["moves"] == 0
    assert doc["message"] is None
    doc = scene.quiet(2_150)
    assert [(p["player"], p["spaces"]) for p in doc["laid"]] == [("red", [6, 15]), ("green", [16])]


def test_weak_then_strong_of_one_pole_is_one_landing_of_the_strong_colour() -> None:
    scene = Scene(("red", "green", "purple", "yellow"))
    scene.read(1_000, sensor_of(6), MagnetClass.N_WEAK)
    scene.read(1_090, sensor_of(6), MagnetClass.N_STRONG)
    doc = scene.quiet(1_690)
    assert doc["spaces"] == {"6": "red"}
    assert scene.kinds == ["commit"]
    assert scene.table.game.moves.moves[0].laid.last_ms == 1_000  # type: ignore[union-attr]


def test_a_magnet_that_stays_weak_is_the_weak_colour() -> None:
    scene = Scene(("purple", "green"))
    scene.read(1_000, sensor_of(6), MagnetClass.N_WEAK)
    assert scene.quiet(1_700)["spaces"] == {"6": "purple"}


def test_straightening_a_neighbour_is_not_acting() -> None:
    """A nudge of green's piece while red's may still grow neither ends red's time nor becomes a move."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    scene.land(8_000, "red", 15)
    scene.quiet(8_700)
    scene.clear(8_800, 16)
    scene.land(9_000, "green", 16)
    scene.land(9_400, "red", 25)
    doc = scene.quiet(10_100)
    assert [(p["player"], p["spaces"]) for p in doc["laid"]] == [
        ("red", [6]),
        ("green", [16]),
        ("red", [15, 25]),
    ]
    assert doc["message"] is None


def test_what_was_decided_late_still_goes_by_the_board_s_clock() -> None:
    """The link is slow: the growth landed in time but is heard of only after that time was over."""
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.quiet(1_700)
    scene.land(2_450, "red", 15)
    doc = scene.quiet(3_100)
    assert [piece["spaces"] for piece in doc["laid"]] == [[6, 15]]


def test_a_board_reset_does_not_stretch_the_time_for_growing() -> None:
    """Table time goes on over a reset: a magnet that lands after it is no part of the piece before."""
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.quiet(1_700)
    scene.nonce, scene.number, scene.now_ms = 8, 0, 0
    from tablewire.wire.observed import Snapshot

    scene.observe(Snapshot(8, 0, 50, bytes(scene.classes)))
    scene.land(100, "red", 15)
    doc = scene.quiet(800)
    assert [piece["spaces"] for piece in doc["laid"]] == [[6]]
    assert doc["message"]["kind"] == "ambiguous"
