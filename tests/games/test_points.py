"""Points by hand: every row in which the two rulebooks differ, and those in which they agree.

Circle C1 is the kites 26, 36, 45, 56, 65 with their tips at one point, so each touches all others. From the
middle it is reached over kite 6 (Center Ring) and dart 16 between them. The middle star S1 is darts 1 to 5,
each touching all others; the Center Ring is kites 6 to 15 in a ring, each touching the next.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.games.by_hand import few, moves, result, score

BOTH = pytest.mark.parametrize("rulebook", ["hasbro", "international"])


@pytest.mark.parametrize(("rulebook", "points"), [("hasbro", 10), ("international", 5)])
def test_a_completer_who_is_dominant_gets_one_award(rulebook: str, points: int) -> None:
    # Red 26, 45, 65; green 36, 56.
    printed = score(moves("r6 g16 r26 g36 r45 g56 r65"), rulebook=rulebook)
    assert printed[6]["completed"] == ["C1"]
    assert printed[6]["points"] == {"red": points}
    assert printed[6]["scores"] == {"red": points, "green": 0}
    assert all(line["points"] == {} for line in printed[:6])


@BOTH
def test_a_completer_who_is_not_dominant_gets_5_and_the_dominant_10(rulebook: str) -> None:
    # Green 26, 36, 56; red 45, 65 completes.
    printed = score(moves("r6 g26 r16 g36 r45 g56 r65"), rulebook=rulebook)
    assert printed[6]["completed"] == ["C1"]
    assert printed[6]["points"] == {"red": 5, "green": 10}


@BOTH
@pytest.mark.parametrize(
    ("game", "completer"),
    [
        # Green 26, 56 and yellow 36, 65 have two each, red 45 one: nobody has most.
        ("r6 g26 y36 r45 g56 y65", "yellow"),
        # Green 26, 56 and yellow 36, 45; red completes with its only space.
        ("r6 g26 y36 r46 g56 y45 r65", "red"),
    ],
)
def test_when_nobody_is_dominant_only_the_completer_scores(rulebook: str, game: str, completer: str) -> None:
    printed = score(moves(game), players=("red", "green", "yellow"), rulebook=rulebook)
    assert printed[-2]["completed"] == ["C1"]
    assert printed[-2]["points"] == {completer: 5}


@pytest.mark.parametrize(
    ("rulebook", "points"),
    [("hasbro", {"red": 15, "green": 10}), ("international", {"red": 10, "green": 10})],
)
def test_one_placement_completes_a_star_and_a_circle(rulebook: str, points: Mapping[str, int]) -> None:
    # Star S2 is 91, 106, 115, 136, 145. The pair on 56 and 91 fills the last space of both figures.
    # C1: green 26, 36, 65 against red 45, 56. S2: red 115, 136, 91 against green 106, 145.
    # So red completes both, and is dominant in the star only.
    printed = score(moves("r6 g26 r16 g36 r45 g65 r115 g106 r136 g145 r56,91"), rulebook=rulebook)
    assert printed[10]["completed"] == ["S2", "C1"]
    assert printed[10]["points"] == points


@pytest.mark.parametrize(("rulebook", "points"), [("hasbro", 20), ("international", 10)])
def test_two_figures_are_each_scored_on_their_own(rulebook: str, points: int) -> None:
    # C1: green 26, 45, 56 against red 36, 65. S2: green 115, 136, 91 against red 106, 145.
    printed = score(moves("r6 g26 r36 g45 r65 g115 r106 g136 r145 g56,91"), rulebook=rulebook)
    assert printed[9]["points"] == {"green": points}


RING_RED_6_4 = "r6 g1 r7 g8 r9 g10 r11 g12 r13 g14 r15"
RING_GREEN_COMPLETES = "r6 g1 r7 g8 r9 g10 r11 g12 r13 g5 r14 g15"
RING_5_5 = "r6 g7 r8 g9 r10 g11 r12 g13 r14 g15"


@pytest.mark.parametrize(
    ("rulebook", "game", "points"),
    [
        ("hasbro", RING_RED_6_4, {"red": 15}),
        ("international", RING_RED_6_4, {"red": 20}),
        ("hasbro", RING_GREEN_COMPLETES, {"red": 15, "green": 5}),
        ("international", RING_GREEN_COMPLETES, {"red": 15, "green": 5}),
        ("hasbro", RING_5_5, {"green": 5}),
        ("international", RING_5_5, {"green": 5}),
    ],
)
def test_the_center_ring_scores_by_the_rulebook_of_the_game(
    rulebook: str, game: str, points: Mapping[str, int]
) -> None:
    printed = score(moves(game), rulebook=rulebook, center_ring=True)
    assert printed[-2]["completed"] == ["ring"]
    assert printed[-2]["points"] == points


@BOTH
def test_center_ring_is_worth_nothing_unless_agreed(rulebook: str) -> None:
    printed = score(moves(RING_RED_6_4), rulebook=rulebook)
    assert printed[-2]["completed"] == []
    assert printed[-2]["points"] == {}


@pytest.mark.parametrize(
    ("rulebook", "game", "figure_points"),
    [("hasbro", "r1 g2 r3 g4 r5", 10), ("international", "r1 g2 r3 g4 r5", 5)],
)
def test_going_out_adds_10_to_what_the_last_piece_scores(
    rulebook: str, game: str, figure_points: int
) -> None:
    # Three arrows each: red's third completes the middle star, red 3 to 2.
    printed = score(moves(game), rulebook=rulebook, pieces=few(arrow=3), target=10)
    assert printed[4]["points"] == {"red": figure_points + 10}
    assert printed[4]["free_turn"] == "center_star"
    assert printed[4]["next"] is None
    assert printed[4]["auto_passes"] == []
    assert result(printed) == {
        "ended": "went_out",
        "winners": ["red"],
        "scores": {"red": figure_points + 10, "green": 0},
        "unplayed": {"red": 0, "green": 1},
    }


def test_completed_figures_are_named_in_their_fixed_order() -> None:
    # The middle star's last dart is also the last space but one of nothing; kite 6 then closes the ring.
    game = "r1 g2 r3 g4 r5 r7 g8 r9 g10 r11 g12 r13 g14 r15 g6"
    printed = score(moves(game), center_ring=True)
    assert [line["completed"] for line in printed[:-1] if line["completed"]] == [["S1"], ["ring"]]
