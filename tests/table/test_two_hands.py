"""Hands that do not wait for each other: one right outcome each, in the order of the board's clock."""

from __future__ import annotations

import random

import pytest
from tests.table.scene import Scene, laid, opened

from tablewire.games.cirkis.wiring import class_of, sensor_of


def test_two_hands_at_once_are_two_moves_in_the_order_of_the_turns() -> None:
    """Green's magnet is a moment earlier than red's, whose turn it is; each is legal in its turn."""
    scene = opened()
    scene.land(9_000, "green", 45)
    scene.land(9_050, "red", 26)
    doc = scene.quiet(11_000)
    assert laid(scene)[2:] == [("red", [26]), ("green", [45])]
    assert doc["message"] is None


def test_of_two_hands_at_once_the_one_whose_turn_it_is_not_is_refused_when_it_would_not_be_legal_after() -> (
    None
):
    scene = opened()
    scene.land(9_000, "green", 60)
    scene.land(9_050, "red", 26)
    doc = scene.quiet(11_000)
    assert laid(scene)[2:] == [("red", [26])]
    assert doc["message"]["steps"] == [{"do": "lift", "spaces": [60], "colour": "green"}]


def test_a_piece_out_of_turn_is_refused_and_its_colour_may_not_be_changed_by_waiting() -> None:
    scene = opened()
    scene.land(9_000, "green", 25)
    message = scene.quiet(11_000)["message"]
    assert (message["kind"], message["reasons"]) == ("illegal", ["not_your_turn"])
    assert scene.quiet(40_000)["message"] == message
    assert scene.doc["moves"] == 2


def test_a_wrong_colour_taken_off_and_the_right_one_laid_there_is_a_move() -> None:
    """Red's turn: somebody takes a yellow kite, sees it, and lays red's on the same space."""
    scene = opened()
    scene.land(9_000, "yellow", 26)
    assert scene.quiet(10_000)["message"]["kind"] == "unexplained"
    scene.clear(10_500, 26)
    scene.land(10_900, "red", 26)
    scene.quiet(12_000)
    assert laid(scene)[2:] == [("red", [26])]
    assert scene.doc["message"] is None


@pytest.mark.parametrize("weak", ["purple", "yellow"])
def test_a_weak_piece_taken_off_and_the_strong_one_of_its_pole_laid_there_is_the_strong_one(
    weak: str,
) -> None:
    strong = {"purple": "red", "yellow": "green"}[weak]
    scene = Scene((strong, weak))
    scene.land(1_000, weak, 6)
    assert "not_your_turn" in scene.quiet(2_000)["message"]["reasons"]
    scene.clear(2_100, 6)
    scene.land(2_500, strong, 6)
    scene.quiet(4_000)
    assert laid(scene) == [(strong, [6])]


def test_a_stranger_s_piece_beside_a_move_holds_nothing_up() -> None:
    """Yellow does not play; its piece comes down in the middle of red's."""
    scene = opened()
    scene.land(9_000, "red", 26)
    scene.land(9_100, "yellow", 65)
    scene.land(9_200, "red", 36)
    doc = scene.quiet(11_000)
    assert laid(scene)[2:] == [("red", [26, 36])]
    assert doc["message"]["reasons"] == ["unknown_player"]


@pytest.mark.parametrize("every_ms", [1, 40, 250, 590])
def test_three_players_quicker_than_the_settle_time_are_three_moves(every_ms: int) -> None:
    scene = Scene(("red", "green", "purple"))
    for step, (colour, space) in enumerate((("red", 6), ("green", 16), ("purple", 26))):
        scene.land(1_000 + step * every_ms, colour, space)
    scene.quiet(4_000)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("purple", [26])]
    assert scene.doc["message"] is None


@pytest.mark.parametrize("seed", range(12))
def test_quick_turns_with_magnets_of_all_hands_mixed_are_the_moves_in_their_order(seed: int) -> None:
    """Each player begins before the one before has settled, perhaps before the last magnet is down."""
    rng = random.Random(seed)
    players = ("red", "green", "purple", "yellow")[: rng.choice([2, 3, 4])]
    scene = Scene(players)
    meant: list[tuple[str, list[int]]] = []
    at_ms = 1_000
    reads: list[tuple[int, int, str]] = []
    other = Scene(players)  # the same moves, one by one, says what is legal
    for _ in players:
        if other.doc["turn"] in {player for player, _ in meant}:
            break  # a free turn: which pieces are one could be a question
        player, piece = other.doc["turn"], rng.choice(other.table.legal()["placements"])["spaces"]
        meant.append((player, sorted(piece)))
        other.land(other.now_ms + 300, player, *piece, every_ms=40)
        other.quiet(other.now_ms + 2_300)
        begun_ms = at_ms
        for space in rng.sample(piece, len(piece)):
            reads.append((at_ms, space, player))
            at_ms += rng.randint(20, 400)
        at_ms = max(begun_ms + 30, at_ms - rng.randint(0, 500))
    for read_ms, space, colour in sorted(reads):
        scene.read(read_ms, sensor_of(space), class_of(colour))
    doc = scene.quiet(at_ms + 4_000)
    assert laid(scene) == meant
    assert doc["message"] is None or doc["message"]["kind"] == "peg"
