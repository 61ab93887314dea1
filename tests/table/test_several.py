"""Several new pieces at once: what is kept open, what decides, and when the page asks.

The middle star is darts 1 to 5; a dart that completes it earns a free turn, after which the same player may
lay another piece anywhere that touches. 1+2, 2+3 ... are boomerangs; 2+7, 2+8 hooks; 2+7+8 the kite piece.
"""

from __future__ import annotations

from tests.table.scene import Scene, laid


def star_but_one() -> Scene:
    """Red to move; darts 2, 3, 4, 5 are laid, so that dart 1 completes the star and earns a free turn."""
    scene = Scene()
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    return scene


def test_one_reading_is_left_when_the_turn_allows_one_piece() -> None:
    """Kites 6 and 15 could be two wedges; without a free turn only the small slice is legal."""
    scene = Scene()
    scene.land(1_000, "red", 6, 15)
    scene.quiet(1_700)
    assert laid(scene) == [("red", [6, 15])]


def test_of_two_pieces_laid_at_once_the_legal_one_stands_and_the_other_is_refused() -> None:
    """Darts 16 and 99 are no piece together, so there is one way to read them; only the first is green's
    turn."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.land(4_000, "green", 16)
    scene.land(4_200, "green", 99)
    doc = scene.quiet(5_000)
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert doc["message"]["kind"] == "illegal"
    assert doc["message"]["reasons"] == ["not_touching_leader", "not_your_turn"]
    assert doc["message"]["steps"] == [{"do": "lift", "spaces": [99], "colour": "green"}]
    assert "it is Red's turn" in doc["message"]["text"]


def test_a_free_turn_laid_together_with_the_piece_that_earns_it_is_taken_in_the_order_of_landing() -> None:
    scene = star_but_one()
    scene.land(9_000, "red", 1)
    scene.land(9_300, "red", 10)
    doc = scene.quiet(10_000)
    assert laid(scene)[-2:] == [("red", [1]), ("red", [10])]
    assert doc["turn"] == "green"


def test_two_readings_that_are_both_legal_are_asked_about() -> None:
    """Dart 1 earns a free turn. With kite 6 it is a hook that completes the star, or an arrow and then a
    wedge."""
    scene = star_but_one()
    scene.land(9_000, "red", 1)
    scene.land(9_300, "red", 6)
    doc = scene.quiet(10_000)
    assert doc["moves"] == 2
    assert doc["phase"] == "hold"
    assert doc["message"]["kind"] == "ambiguous"
    texts = sorted(choice["text"] for choice in doc["message"]["choices"])
    assert len(texts) == 2
    assert "hook" in texts[1] or "hook" in texts[0]


def test_the_choice_is_committed_as_chosen() -> None:
    for wanted, spaces in (("hook", [[1, 6]]), ("arrow", [[1], [6]])):
        scene = star_but_one()
        scene.land(9_000, "red", 1)
        scene.land(9_300, "red", 6)
        choices = scene.quiet(10_000)["message"]["choices"]
        chosen = next(choice for choice in choices if wanted in choice["text"])
        assert scene.act("choose", id=chosen["id"]) is None
        assert [piece[1] for piece in laid(scene)[2:]] == spaces
        assert scene.doc["message"] is None


def test_a_choice_that_is_no_longer_open_is_refused() -> None:
    scene = star_but_one()
    scene.land(9_000, "red", 1)
    scene.land(9_300, "red", 6)
    choice = scene.quiet(10_000)["message"]["choices"][0]
    scene.clear(10_100, 6)
    scene.quiet(11_500)
    refusal = scene.act("choose", id=choice["id"])
    assert refusal is not None
    assert refusal.reason == "no_such_choice"
    assert laid(scene)[-1] == ("red", [1])


def test_an_unanswered_question_is_settled_by_lifting() -> None:
    scene = star_but_one()
    scene.land(9_000, "red", 1, 6)
    assert scene.quiet(10_000)["message"]["kind"] == "ambiguous"
    scene.clear(10_000, 1, 6)
    assert scene.quiet(11_300)["message"] is None
    assert scene.doc["moves"] == 2


def test_stock_decides_between_readings() -> None:
    """A set with no hook: the same two magnets can only be an arrow and a wedge."""
    pieces = [
        {"name": "wedge", "count": 5, "example": [6]},
        {"name": "arrow", "count": 5, "example": [1]},
        {"name": "boomerang", "count": 5, "example": [1, 2]},
    ]
    scene = Scene(pieces=pieces)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.land(9_000, "red", 1)
    scene.land(9_300, "red", 6)
    scene.quiet(10_000)
    assert laid(scene)[-2:] == [("red", [1]), ("red", [6])]


def test_what_was_laid_while_the_board_was_away_is_taken_over_when_one_way_is_legal() -> None:
    """The link was cut: the snapshot shows one new piece of each colour, with no order between them."""
    from tablewire.games.cirkis.wiring import class_of, sensor_of
    from tablewire.wire.observed import Snapshot

    scene = Scene()
    scene.place(1_000, "red", 6)
    for space, colour in ((16, "green"), (36, "red")):
        scene.classes[sensor_of(space)] = class_of(colour)
    scene.number += 2
    scene.observe(Snapshot(scene.nonce, scene.number, 60_000, bytes(scene.classes)))
    scene.quiet(61_000)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [36])]
