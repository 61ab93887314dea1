"""Turns by hand: the first piece, the Leader, free turns, lost turns, passes, and how a game ends."""

from __future__ import annotations

import pytest
from tests.games.by_hand import few, give_up, lay, moves, result, score

BOTH = pytest.mark.parametrize("rulebook", ["hasbro", "international"])

TO_FIRST_SLIVER = "r6 g16 r36 g56 r106 g156"
"""Outwards, each touching the last: 6, 16, 36, 56, dart 106 of star S2, the Sliver beside it by green."""


def test_play_passes_to_the_left_around_the_table() -> None:
    printed = score(moves("p6 y7 r8 g9 p10"), players=("purple", "yellow", "red", "green"))
    assert [line["next"] for line in printed[:-1]] == ["yellow", "red", "green", "purple", "yellow"]


@pytest.mark.parametrize("spaces", [[1], [15], [6, 16], [16, 6]])
def test_the_first_piece_may_lie_partly_in_the_middle(spaces: list[int]) -> None:
    # [6, 16] is the triangle: kite 6 of the Center Ring and dart 16 outside it.
    assert score([lay(*spaces, by="red")], pieces=None)[0]["legal"] is True


def test_the_first_piece_must_not_lie_outside_the_middle() -> None:
    assert score([lay(16, by="red")])[0]["reasons"] == ["first_not_central"]


def test_touching_at_a_single_point_is_touching() -> None:
    # Darts 1 and 3 meet at the middle only; 6 and 26 share one corner.
    assert [line["legal"] for line in score(moves("r1 g3"))[:-1]] == [True, True]
    assert [line["legal"] for line in score(moves("r6 g26"))[:-1]] == [True, True]


def test_touching_an_older_piece_is_not_touching_the_leader() -> None:
    # 15 touches 6 but not 7.
    assert score(moves("r6 g7 r15"))[2]["reasons"] == ["not_touching_leader"]


@BOTH
def test_a_surrounded_piece_earns_a_free_turn_first_of_all(rulebook: str) -> None:
    # Around dart 1 lie 2, 3, 4, 5 and 6, 7, 14, 15. It also completes the middle star; "surrounded" is named.
    printed = score(moves("r2 g3 r4 g5 r14 g15 r6 g7 r1 r16"), rulebook=rulebook)
    assert printed[8]["completed"] == ["S1"]
    assert printed[8]["free_turn"] == "surrounded"
    assert printed[8]["next"] == "red"
    assert printed[9]["legal"] is True
    assert printed[9]["free_turn"] is None
    assert printed[9]["next"] == "green"


def test_the_rim_needs_nothing_to_surround_a_piece() -> None:
    # Kite 146 lies on the rim; around it 76, 96, 97, 126, 147 are filled.
    printed = score(moves("r6 g16 r46 g76 r97 g147 r96 g126 r146"))
    assert printed[8]["completed"] == ["C6"]
    assert printed[8]["free_turn"] == "surrounded"


@BOTH
def test_completing_the_middle_star_earns_a_free_turn(rulebook: str) -> None:
    printed = score(moves("r1 g2 r3 g4 r5 r6"), rulebook=rulebook)
    assert (printed[4]["free_turn"], printed[4]["next"]) == ("center_star", "red")
    assert (printed[5]["legal"], printed[5]["next"]) == (True, "green")


def test_completing_another_star_earns_none() -> None:
    # Star S2: 91, 106, 115, 136, 145.
    printed = score(moves("r6 g26 r56 g91 r106 g115 r136 g145"))
    assert printed[7]["completed"] == ["S2"]
    assert printed[7]["free_turn"] is None


def test_only_the_first_sliver_of_the_game_earns_a_free_turn() -> None:
    # Sliver 165 touches Sliver 156 at the tip of the star between them.
    printed = score([*moves(TO_FIRST_SLIVER), lay(165, by="green"), lay(145, by="red")])
    assert (printed[5]["free_turn"], printed[5]["next"]) == ("first_sliver", "green")
    assert (printed[6]["free_turn"], printed[6]["next"]) == (None, "red")
    assert printed[7]["legal"] is True


def test_a_sliver_long_after_the_first_earns_no_free_turn() -> None:
    printed = score([*moves(TO_FIRST_SLIVER), *moves("g136 r145 g165")])
    assert printed[8]["shape"] == "sliver"
    assert printed[8]["free_turn"] is None


def test_on_a_free_turn_the_piece_may_touch_any_piece_and_becomes_the_leader() -> None:
    # 7 is far from Sliver 156 but touches 6; then red must touch 7, where 8 does and 66 (beside 56) does not.
    printed = score([*moves(TO_FIRST_SLIVER), *moves("g7 r66")])
    assert printed[6]["legal"] is True
    assert printed[7]["reasons"] == ["not_touching_leader"]
    assert score([*moves(TO_FIRST_SLIVER), *moves("g7 r8")])[7]["legal"] is True


def test_on_a_free_turn_the_piece_must_touch_some_piece() -> None:
    assert score([*moves(TO_FIRST_SLIVER), lay(28, by="green")])[6]["reasons"] == ["not_touching_any"]
    printed = score([*moves(TO_FIRST_SLIVER), lay(28, by="red")])
    assert printed[6]["reasons"] == ["not_touching_any", "not_your_turn"]


def test_a_free_turn_can_earn_another() -> None:
    # Red's Sliver is the first; on the free turn red completes the middle star with 4.
    printed = score(moves("r1 g2 r3 g5 r15 g26 r56 g106 r156 r4 r7 g8"))
    assert [line["free_turn"] for line in printed[8:11]] == ["first_sliver", "center_star", None]
    assert [line["next"] for line in printed[8:11]] == ["red", "red", "green"]
    assert printed[11]["legal"] is True


def test_a_free_turn_without_a_piece_that_fits_lapses_and_is_no_lost_turn() -> None:
    # Red's last dart completes the middle star; red has only Slivers left, which fit nowhere near.
    # Green still has a wedge for 13, 14 or 15 beside the Leader 5.
    printed = score(moves("r6 g16 r7 g1 r2 g3 r4 g12 r5"), pieces=few(wedge=2, arrow=3, sliver=1))
    assert printed[8]["free_turn"] == "center_star"
    assert printed[8]["auto_passes"] == []
    assert printed[8]["next"] == "green"


def test_when_nobody_can_place_the_game_ends_and_every_player_is_named() -> None:
    # As above, but green has an arrow and a Sliver left, and around Leader 5 no dart is empty.
    printed = score(moves("r6 g1 r2 g3 r4 g12 r5"), pieces=few(wedge=1, arrow=3, sliver=1))
    assert printed[6]["free_turn"] == "center_star"
    assert printed[6]["auto_passes"] == ["green", "red"]
    assert printed[6]["next"] is None
    assert result(printed)["ended"] == "blocked"
    assert result(printed)["unplayed"] == {"red": 1, "green": 2}


WEDGES_RUN_OUT = "r6 g- r7 g- r8 g9"
"""Three wedges each and Slivers: red has spent its wedges, green has two left."""


def test_a_player_who_cannot_place_is_passed_over() -> None:
    pieces = few(wedge=3, sliver=9)
    printed = score(moves(f"{WEDGES_RUN_OUT} g10 g11"), pieces=pieces, voluntary_pass=True)
    assert [line["auto_passes"] for line in printed[5:8]] == [["red"], ["red"], ["red", "green"]]
    assert [line["next"] for line in printed[5:8]] == ["green", "green", None]
    assert result(printed)["ended"] == "blocked"


def test_pass_lines_may_state_what_was_passed_over_anyway() -> None:
    pieces = few(wedge=3, sliver=9)
    printed = score(moves(f"{WEDGES_RUN_OUT} r- g10 r- g11 r- g-"), pieces=pieces, voluntary_pass=True)
    assert all(line["legal"] for line in printed[:-1])
    assert printed[6] == {
        "n": 7,
        "player": "red",
        "shape": None,
        "legal": True,
        "completed": [],
        "points": {},
        "free_turn": None,
        "auto_passes": [],
        "scores": {"red": 0, "green": 0},
        "next": "green",
    }
    assert printed[-2]["next"] is None


def test_a_pass_is_stated_once_and_in_order() -> None:
    pieces = few(wedge=3, sliver=9)
    twice = score(moves(f"{WEDGES_RUN_OUT} r- r-"), pieces=pieces, voluntary_pass=True)
    assert twice[7]["reasons"] == ["not_your_turn"]
    late = score(moves(f"{WEDGES_RUN_OUT} g10 r- r-"), pieces=pieces, voluntary_pass=True)
    assert late[8]["reasons"] == ["not_your_turn"]
    wrong_order = score(moves(f"{WEDGES_RUN_OUT} g10 g11 g-"), pieces=pieces, voluntary_pass=True)
    assert wrong_order[8]["reasons"] == ["game_over"]


def test_passing_while_able_needs_the_option() -> None:
    assert score(moves("r6 g-"))[1]["reasons"] == ["pass_while_able"]
    assert score(moves("r6 r-"))[1]["reasons"] == ["not_your_turn", "pass_while_able"]
    assert score(moves("r6 r-"), voluntary_pass=True)[1]["reasons"] == ["not_your_turn"]
    assert score(moves("r6 g-"), voluntary_pass=True)[1]["next"] == "red"


def test_voluntary_passes_in_succession_end_the_game() -> None:
    printed = score(moves("r6 g- r-"), voluntary_pass=True)
    assert printed[2]["next"] is None
    assert result(printed)["ended"] == "blocked"


def test_a_placement_starts_the_count_of_passes_anew() -> None:
    printed = score(moves("r6 g- r7 g-"), voluntary_pass=True)
    assert printed[3]["next"] == "red"


def test_a_voluntary_pass_counts_with_those_passed_over() -> None:
    # Red was passed over after green's 9; green's own pass makes it everybody.
    printed = score(moves(f"{WEDGES_RUN_OUT} g-"), pieces=few(wedge=3, sliver=9), voluntary_pass=True)
    assert printed[6]["auto_passes"] == []
    assert result(printed)["ended"] == "blocked"


def test_those_passed_over_after_a_voluntary_pass_count_too() -> None:
    # Two wedges each. Yellow's pass is the first, red (no wedge left) is passed over, green's pass is the
    # third.
    three = ("red", "green", "yellow")
    game = moves("r6 g- y- r7 g8 y- g-")
    printed = score(game, players=three, pieces=few(wedge=2, sliver=9), voluntary_pass=True)
    assert (printed[5]["auto_passes"], printed[5]["next"]) == (["red"], "green")
    assert (printed[6]["auto_passes"], printed[6]["next"]) == ([], None)
    assert result(printed)["ended"] == "blocked"


def test_passes_to_state_add_up_over_a_voluntary_pass() -> None:
    # Red and yellow have spent their two wedges. After green's 10 yellow is passed over, after purple's pass
    # red.
    four = ("red", "green", "yellow", "purple")
    game = "r6 g- y- p- r7 g- y8 p- g- y9 p- g10 p-"
    pieces = few(wedge=2, sliver=9)
    printed = score(moves(f"{game} y- r- g11"), players=four, pieces=pieces, voluntary_pass=True)
    assert [line["auto_passes"] for line in printed[11:13]] == [["yellow"], ["red"]]
    assert [line["legal"] for line in printed[13:16]] == [True, True, True]
    assert [line["next"] for line in printed[12:15]] == ["green", "green", "green"]
    swapped = score(moves(f"{game} r-"), players=four, pieces=pieces, voluntary_pass=True)
    assert swapped[13]["reasons"] == ["not_your_turn"]


def test_a_declined_free_turn_does_not_count_as_a_pass() -> None:
    printed = score([*moves(TO_FIRST_SLIVER), *moves("g- r- g-")], voluntary_pass=True)
    assert [line["next"] for line in printed[6:9]] == ["red", "green", None]


def test_after_a_declined_free_turn_the_leader_must_be_touched() -> None:
    printed = score([*moves(TO_FIRST_SLIVER), *moves("g- r7")], voluntary_pass=True)
    assert printed[7]["reasons"] == ["not_touching_leader"]


def test_declining_a_free_turn_needs_the_option() -> None:
    assert score([*moves(TO_FIRST_SLIVER), *moves("g-")])[6]["reasons"] == ["pass_while_able"]


def test_hasbro_lets_a_free_turn_be_played_after_the_target_is_reached() -> None:
    # Red completes the middle star 3 to 2: 10 points, and a free turn.
    printed = score(moves("r1 g2 r3 g4 r5 r6 g7"), target=10)
    assert (printed[4]["scores"], printed[4]["next"]) == ({"red": 10, "green": 0}, "red")
    assert (printed[5]["next"], printed[5]["auto_passes"]) == (None, [])
    assert printed[6]["reasons"] == ["game_over"]
    assert result(printed)["ended"] == "target"


def test_hasbro_stops_when_anybody_has_reached_the_target() -> None:
    # Green 1, 2, 4 is dominant in the star that red completes: green 10, red 5 and a free turn.
    game = "r6 g1 r7 g2 r3 g4 r5"
    printed = score(moves(f"{game} r15"), target=10)
    assert [line["next"] for line in printed[6:8]] == ["red", None]
    assert result(printed)["winners"] == ["green"]
    declined = score(moves(f"{game} r-"), target=10, voluntary_pass=True)
    assert (declined[7]["next"], result(declined)["ended"]) == (None, "target")


def test_international_ends_at_once_with_the_free_turn_still_named() -> None:
    printed = score(moves("r1 g2 r3 g4 r5"), rulebook="international", target=5)
    assert printed[4]["free_turn"] == "center_star"
    assert printed[4]["next"] is None
    assert result(printed)["ended"] == "target"


@BOTH
def test_the_target_is_40_unless_agreed_otherwise(rulebook: str) -> None:
    ruling = {"ruling": {"points": {"red": 39}}}
    assert score([ruling, *moves("r6")], rulebook=rulebook)[1]["next"] == "green"
    ruling = {"ruling": {"points": {"green": 40}}}
    assert result(score([ruling, *moves("r6")], rulebook=rulebook))["ended"] == "target"


@pytest.mark.parametrize(("rulebook", "red"), [("hasbro", 20), ("international", 15)])
def test_going_out_is_named_before_the_target(rulebook: str, red: int) -> None:
    printed = score(moves("r1 g2 r3 g4 r5"), rulebook=rulebook, pieces=few(arrow=3), target=5)
    assert result(printed)["ended"] == "went_out"
    assert result(printed)["scores"]["red"] == red


def test_a_tie_goes_to_the_player_with_more_unplayed_pieces() -> None:
    printed = score(moves("r6 g7 r8 g- r-"), voluntary_pass=True)
    assert result(printed)["scores"] == {"red": 0, "green": 0}
    assert result(printed)["winners"] == ["green"]


def test_players_still_tied_share_the_win() -> None:
    printed = score(moves("r6 g7"), pieces=few(wedge=1, sliver=5))
    assert printed[1]["auto_passes"] == ["red", "green"]
    assert result(printed)["winners"] == ["red", "green"]


def test_a_game_nobody_can_begin_is_blocked_at_once() -> None:
    printed = score([lay(156, by="red")], pieces=few(sliver=3))
    assert printed[0]["reasons"] == ["game_over"]
    assert result(printed)["ended"] == "blocked"
    stated = score([give_up("red"), give_up("green")], pieces=few(sliver=3))
    assert [line["legal"] for line in stated[:-1]] == [True, True]


def test_the_game_is_on_as_long_as_somebody_can_place() -> None:
    printed = score(moves("r6 g7"))
    assert result(printed) == {
        "ended": None,
        "winners": [],
        "scores": {"red": 0, "green": 0},
        "unplayed": {"red": 169, "green": 169},
    }
