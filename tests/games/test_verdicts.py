"""Every reason a line can be illegal for, forced lines, house rulings and matches, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.by_hand import Json, few, give_up, lay, moves, result, score

LINES_AND_REASONS: list[tuple[str, Json, list[str]]] = [
    ("r6", lay(166, by="green"), ["unknown_space"]),
    ("r6", lay(0, by="green"), ["unknown_space"]),
    ("r6", lay(-1, by="green"), ["unknown_space"]),
    ("r6", lay(10**400, by="green"), ["unknown_space"]),
    # A space that does not exist or is filled leaves shape and touching unjudged; the turn is judged.
    ("r6", lay(166, 6, by="red"), ["not_your_turn", "space_filled", "unknown_space"]),
    ("r6", lay(6, by="green"), ["space_filled"]),
    ("r6", lay(6, 6, by="green"), ["space_filled"]),
    ("r6", lay(6, 150, by="green"), ["space_filled"]),
    # A set that is no piece leaves stock and touching unjudged.
    ("r6", lay(7, 150, by="green"), ["not_a_piece"]),
    ("r6", lay(by="green"), ["not_a_piece"]),
    ("r6", lay(7, 7, by="green"), ["not_a_piece"]),
    ("r6", lay(by="red"), ["not_a_piece", "not_your_turn"]),
    # Of somebody who does not play turn and stock are unjudged, touching is not.
    ("r6", lay(7, by="yellow"), ["unknown_player"]),
    ("r6", lay(150, by="blue"), ["not_touching_leader", "unknown_player"]),
    ("r6", lay(166, by=""), ["unknown_player", "unknown_space"]),
    ("", lay(16, by="yellow"), ["first_not_central", "unknown_player"]),
    ("r6", give_up("yellow"), ["unknown_player"]),
    ("r6", lay(150, by="red"), ["not_touching_leader", "not_your_turn"]),
    ("", lay(16, by="green"), ["first_not_central", "not_your_turn"]),
    ("", give_up("green"), ["not_your_turn", "pass_while_able"]),
]


@pytest.mark.parametrize(("before", "line", "reasons"), LINES_AND_REASONS)
def test_every_reason_that_applies_is_given_sorted(before: str, line: Json, reasons: list[str]) -> None:
    printed = score([*moves(before), line, *moves("r7")])
    n = len(moves(before)) + 1
    assert printed[n - 1] == {"n": n, "player": line["player"], "legal": False, "reasons": reasons}
    assert len(printed) == n + 1, "nothing after an illegal line is read"
    assert result(printed)["ended"] is None


def test_none_left_is_judged_for_the_player_named() -> None:
    pieces = few(wedge=1, arrow=3)
    assert score(moves("r6 g1 r7"), pieces=pieces)[2]["reasons"] == ["none_left"]
    assert score(moves("r6 g1 r16"), pieces=few(wedge=1, arrow=1))[2]["reasons"] == ["not_touching_leader"]
    far = score(moves("r6 g1 r28"), pieces=pieces)
    assert far[2]["reasons"] == ["none_left", "not_touching_leader"]
    out_of_turn = score(moves("r6 g1 g2 "), pieces=few(wedge=1, arrow=1))
    assert out_of_turn[2]["reasons"] == ["none_left", "not_your_turn"]
    assert score([*moves("r6 g1"), lay(7, by="yellow")], pieces=pieces)[2]["reasons"] == ["unknown_player"]


def test_after_the_end_game_over_stands_alone() -> None:
    for line in (lay(166, by="blue"), lay(6, by="red", forced=True), give_up("blue")):
        printed = score([*moves("r6 g- r-"), line], voluntary_pass=True)
        assert printed[3] == {"n": 4, "player": line["player"], "legal": False, "reasons": ["game_over"]}


NOT_LINES: list[Any] = [
    "no json",
    "[]",
    "3",
    "null",
    '"text"',
    "{}",
    '{"player": "red"}',
    '{"spaces": [6]}',
    '{"pass": true}',
    '{"player": "red", "spaces": [6], "pass": true}',
    '{"player": "red", "spaces": [6], "colour": "red"}',
    '{"player": "red", "spaces": 6}',
    '{"player": "red", "spaces": ["6"]}',
    '{"player": "red", "spaces": [6.0]}',
    '{"player": "red", "spaces": [true]}',
    '{"player": "red", "spaces": null}',
    '{"player": 3, "spaces": [6]}',
    '{"player": null, "spaces": [6]}',
    '{"player": ["red"], "spaces": [6]}',
    '{"player": "red", "spaces": [6], "forced": 1}',
    '{"player": "red", "spaces": [6], "forced": null}',
    '{"player": "red", "pass": false}',
    '{"player": "red", "pass": 1}',
    '{"player": "red", "pass": true, "forced": "yes"}',
    '{"player": "red", "spaces": [NaN]}',
    '{"player": "red", "spaces": [6], "x_ms": NaN}',
    '{"player": "red", "spaces": [6]} {}',
    '{"player": "red", "spaces": [6',
    '{"player": "red", "spaces": [' + "9" * 5000 + "]}",
    "[" * 100_000,
    '{"player": "red", "spaces": [' + "6," * 600_000 + "6]}",
    '{"ruling": {}}',
    '{"ruling": []}',
    '{"ruling": {"points": {}}}',
    '{"ruling": {"points": {"red": 1.0}}}',
    '{"ruling": {"points": {"red": true}}}',
    '{"ruling": {"points": {"red": "5"}}}',
    '{"ruling": {"points": {"yellow": 5}}}',
    '{"ruling": {"points": {"red": 5}, "note": 3}}',
    '{"ruling": {"points": {"red": 5}, "note": null}}',
    '{"ruling": {"points": {"red": 5}, "why": "so"}}',
    '{"ruling": {"note": "none"}}',
    '{"ruling": {"points": {"red": 5}}, "forced": true}',
    '{"ruling": {"points": {"red": ' + "9" * 4000 + "}}}",
    '{"round": 2}',
    '{"round": "2"}',
    '{"round": true}',
    '{"record": 1, "game": "cirkis", "players": ["red", "green"]}',
]


@pytest.mark.parametrize("text", NOT_LINES, ids=range(len(NOT_LINES)))
def test_a_malformed_line_is_a_verdict_without_a_player(text: str) -> None:
    printed = score([text, *moves("r6")])
    assert printed[0] == {"n": 1, "player": None, "legal": False, "reasons": ["not_a_line"]}
    assert len(printed) == 2


def test_a_malformed_line_is_no_line_after_the_end_either() -> None:
    printed = score([*moves("r6 g- r-"), '{"player": "red"}'], voluntary_pass=True)
    assert printed[3]["reasons"] == ["not_a_line"]


def test_odd_but_well_formed_lines_are_judged() -> None:
    assert score(['{"player": "\\ud800", "spaces": [6]}'])[0]["reasons"] == ["unknown_player"]
    assert score(['{"player": "Red", "spaces": [6]}'])[0]["reasons"] == ["unknown_player"]
    assert score(['\t{"player":"red","spaces":[6],"x_at":"noon","x_":null}\r'])[0]["legal"] is True
    assert score(['{"player": "red", "spaces": [6], "forced": false}'])[0].get("forced") is None


FORCED = [
    ("r6", lay(150, by="green", forced=True), ["not_touching_leader"], "red"),
    ("r6", lay(7, by="red", forced=True), ["not_your_turn"], "green"),
    ("", lay(150, by="green", forced=True), ["first_not_central", "not_your_turn"], "red"),
    ("r6", lay(7, by="green", forced=True), [], "red"),
    ("r6", give_up("green", forced=True), ["pass_while_able"], "red"),
    ("r6", give_up("red", forced=True), ["not_your_turn", "pass_while_able"], "green"),
    # 1 to 5 complete the star: red has a free turn, 150 touches nothing.
    ("r1 g2 r3 g4 r5", lay(150, by="red", forced=True), ["not_touching_any"], "green"),
    ("r1 g2 r3 g4 r5", lay(6, by="green", forced=True), ["not_your_turn"], "red"),
]


@pytest.mark.parametrize(("before", "line", "reasons", "after"), FORCED)
def test_a_forced_line_is_played_in_spite_of_reasons_and_play_goes_on_from_there(
    before: str, line: Json, reasons: list[str], after: str
) -> None:
    printed = score([*moves(before), line])
    assert printed[-2]["legal"] is True
    assert printed[-2]["forced"] == reasons
    assert printed[-2]["next"] == after


def test_a_forced_piece_may_be_one_too_many() -> None:
    pieces = few(wedge=1, arrow=2)
    printed = score([*moves("r6 g1"), lay(7, by="red", forced=True)], pieces=pieces)
    assert printed[2]["forced"] == ["none_left"]
    assert result(printed)["unplayed"] == {"red": 1, "green": 2}
    third = score([*moves("r6 g1"), lay(7, by="red", forced=True), *moves("g8 r9")], pieces=pieces)
    assert third[4]["reasons"] == ["none_left"]


def test_going_out_counts_pieces_however_they_were_laid() -> None:
    lines = [*moves("r6 g1"), lay(7, by="red", forced=True), *moves("g8 r2")]
    printed = score(lines, pieces=few(wedge=1, arrow=2))
    assert printed[4]["points"] == {"red": 10}
    assert result(printed)["ended"] == "went_out"


@pytest.mark.parametrize(
    "line",
    [
        lay(6, by="green", forced=True),
        lay(166, by="green", forced=True),
        lay(7, 150, by="green", forced=True),
        lay(7, by="yellow", forced=True),
        give_up("yellow", forced=True),
    ],
)
def test_what_no_table_can_show_cannot_be_forced(line: Json) -> None:
    printed = score([*moves("r6"), line])
    assert printed[1]["legal"] is False
    assert "forced" not in printed[1]


def test_an_illegal_forced_line_names_every_reason() -> None:
    printed = score([*moves("r6"), lay(150, by="yellow", forced=True)])
    assert printed[1]["reasons"] == ["not_touching_leader", "unknown_player"]


def test_forced_passes_count_towards_the_end() -> None:
    printed = score([*moves("r6"), give_up("green", forced=True), give_up("red", forced=True)])
    assert result(printed)["ended"] == "blocked"


def test_a_forced_pass_of_another_player_during_a_free_turn_counts() -> None:
    # Red has a free turn after the star; green's pass takes it away, is the first, and red's is the second.
    lines = [*moves("r1 g2 r3 g4 r5"), give_up("green", forced=True), *moves("r-")]
    printed = score(lines, voluntary_pass=True)
    assert (printed[5]["forced"], printed[5]["next"]) == (["not_your_turn"], "red")
    assert result(printed)["ended"] == "blocked"


def test_a_ruling_changes_scores_and_nothing_else() -> None:
    ruling = {
        "ruling": {"points": {"green": -5, "red": 15}, "note": "knocked over", "x_by": "Ann"},
        "x_ms": 1,
    }
    printed = score([*moves("r6"), ruling, *moves("g7")])
    assert printed[1] == {
        "n": 2,
        "ruling": {"red": 15, "green": -5},
        "scores": {"red": 15, "green": -5},
        "next": "green",
    }
    assert printed[2]["scores"] == {"red": 15, "green": -5}


@pytest.mark.parametrize(("rulebook", "after"), [("hasbro", "green"), ("international", None)])
def test_a_ruling_that_reaches_the_target(rulebook: str, after: str | None) -> None:
    printed = score([*moves("r6"), {"ruling": {"points": {"red": 40}}}], rulebook=rulebook)
    assert printed[1]["next"] == after
    assert result(printed)["ended"] == (None if after else "target")


def test_after_a_ruling_hasbro_stops_at_the_end_of_the_turn_in_progress() -> None:
    printed = score([*moves("r6"), {"ruling": {"points": {"red": 40}}}, *moves("g7")])
    assert printed[2]["next"] is None
    assert result(printed)["winners"] == ["red"]


@pytest.mark.parametrize(("rulebook", "points"), [("hasbro", 5), ("international", 5), ("international", 40)])
def test_a_ruling_after_the_end_can_change_the_winner(rulebook: str, points: int) -> None:
    lines = [*moves("r6 g- r-"), {"ruling": {"points": {"red": points}}}]
    printed = score(lines, rulebook=rulebook, voluntary_pass=True)
    assert printed[3]["next"] is None
    assert result(printed)["ended"] == "blocked"
    assert result(printed)["winners"] == ["red"]


ROUND_TO_RED = "r1 g2 r3 g4 r5"
"""With three arrows each: red completes the middle star, 10, and goes out, 10 more."""


def test_a_match_goes_on_until_a_total_reaches_it() -> None:
    pieces = few(arrow=3)
    lines = [*moves(ROUND_TO_RED), {"round": 2}, *moves("g1 r2 g3 r4 g5")]
    printed = score(lines, pieces=pieces, match=30)
    assert printed[5] == {"n": 6, "round": 2, "scores": {"red": 0, "green": 0}, "next": "green"}
    assert result(printed) == {
        "ended": "went_out",
        "winners": ["green"],
        "scores": {"red": 0, "green": 20},
        "unplayed": {"red": 1, "green": 0},
        "totals": {"red": 20, "green": 20},
    }
    third = score([*lines, {"round": 3}, *moves(ROUND_TO_RED)], pieces=pieces, match=30)
    assert third[11]["next"] == "red"
    assert result(third)["ended"] == "match"
    assert result(third)["winners"] == ["red"]
    assert result(third)["totals"] == {"red": 40, "green": 20}
    over = score([*lines, {"round": 3}, *moves(ROUND_TO_RED), {"round": 4}], pieces=pieces, match=30)
    assert over[17] == {"n": 18, "player": None, "legal": False, "reasons": ["game_over"]}


def test_a_match_is_won_by_totals_not_by_the_last_round() -> None:
    pieces = few(arrow=3)
    bonus = {"ruling": {"points": {"red": 15}}}
    lines = [*moves(ROUND_TO_RED), bonus, {"round": 2}, *moves("g1 r2 g3 r4 g5"), bonus]
    printed = score(lines, pieces=pieces, match=50)
    assert result(printed)["ended"] == "match"
    assert result(printed)["winners"] == ["red"]


def test_a_tied_match_goes_to_more_unplayed_pieces_of_the_last_round() -> None:
    lines = [*moves(ROUND_TO_RED), {"round": 2}, *moves("g1 r2 g3 r4 g5")]
    printed = score(lines, pieces=few(arrow=3), match=20)
    assert printed[5] == {"n": 6, "player": None, "legal": False, "reasons": ["game_over"]}
    level = {"ruling": {"points": {"red": -10}}}
    lines = [
        *moves(ROUND_TO_RED),
        level,
        {"round": 2},
        *moves("g1 r2 g3 r4 g5"),
        {"ruling": {"points": {"red": 10}}},
    ]
    printed = score(lines, pieces=few(arrow=3), match=20)
    assert result(printed)["totals"] == {"red": 20, "green": 20}
    assert result(printed)["winners"] == ["red"]


def test_a_round_opens_only_in_a_match_after_a_round_and_in_order() -> None:
    pieces = few(arrow=3)
    assert score([*moves(ROUND_TO_RED), {"round": 2}], pieces=pieces)[-2]["reasons"] == ["not_a_line"]
    for lines in (
        [*moves(ROUND_TO_RED), {"round": 3}],
        [*moves(ROUND_TO_RED), {"round": 1}],
        [*moves("r1"), {"round": 2}],
    ):
        assert score(lines, pieces=pieces, match=100)[-2]["reasons"] == ["not_a_line"]


def test_stock_sliver_and_passes_start_anew_in_a_round() -> None:
    # Round 1 is blocked at once by passes; in both rounds the first Sliver earns a free turn.
    to_sliver = "r6 g16 r36 g56 r106 g156 g165"
    again = "g6 r16 g36 r56 g106 r156"
    lines = [*moves(f"{to_sliver} r- g-"), {"round": 2}, *moves(again)]
    printed = score(lines, voluntary_pass=True, match=100)
    assert printed[9]["next"] == "green"
    assert printed[-2]["free_turn"] == "first_sliver"


def test_totals_of_a_match_include_the_round_in_progress() -> None:
    printed = score([*moves("r6"), {"ruling": {"points": {"green": 5}}}], match=100)
    assert result(printed)["ended"] is None
    assert result(printed)["totals"] == {"red": 0, "green": 5}
