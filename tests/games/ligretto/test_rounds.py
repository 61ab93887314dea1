"""The end of a round and of a game: stops, counts, points, totals, winners."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ligretto.by_hand import Json, card, cards, decide, header, left, result, said, score, stop

NOBODY = {"Anna": 0, "Ben": 0, "Cleo": 0}
ROUND = [*cards("ab1 bb2 cb3 ab4"), stop(9000, "Anna")]


def test_a_stop_is_told_with_its_time() -> None:
    assert score([stop(90000, "Ben")])[0] == {"n": 1, "stop": "Ben", "t_ms": 90000}
    assert score([stop(90000, "blocked")])[0] == {"n": 1, "stop": "blocked", "t_ms": 90000}


def test_a_card_later_than_the_stop_is_too_late_and_one_at_its_time_is_not() -> None:
    in_time = [card(0, 0, "ab1"), stop(100, "Ben"), card(100, 0, "cb2")]
    lines = [*in_time, card(141, 0, "ab3"), card(300, 1, "br1")]
    assert said(score(lines)) == [1, 2, "after_stop", "after_stop"]


@pytest.mark.parametrize(
    ("late", "verdict"),
    [
        (card(200, 0, "cb2"), "after_stop"),
        (card(200, 0, "cb4"), "after_stop wrong_value"),
        (card(200, 0, "cr4"), "after_stop wrong_colour wrong_value"),
        (card(200, 1, "cr4"), "after_stop not_a_one"),
        (card(200, 1, "cr1"), "after_stop"),
        (card(200, 1, "ab1"), "after_stop card_already_played"),
        (
            {"t_ms": 200, "pad": 1, "card": {"owner": "Zoe", "colour": "red", "value": 12}},
            "after_stop not_in_game unknown_card",
        ),
    ],
)
def test_too_late_stands_beside_all_else_that_is_wrong(late: Json, verdict: str) -> None:
    assert said(score([card(0, 0, "ab1"), stop(100, "Ben"), late])) == [1, verdict]


def test_a_card_too_late_is_not_played() -> None:
    lines = [card(0, 0, "ab1"), stop(100, "Ben"), card(200, 0, "cb2"), card(300, 0, "cb2"), left(1, 0, 1)]
    printed = score(lines)
    assert said(printed) == [1, "after_stop", "after_stop"]
    assert printed[4]["played"] == {"Anna": 1, "Ben": 0, "Cleo": 0}


def test_late_cards_of_one_scan_are_judged_against_what_was_in_time() -> None:
    """The scan begins at the time of the stop: its first two cards are in time."""
    lines = [*cards("ab1 bb2"), stop(3000, "Ben"), card(3000, 0, "ab4"), card(3000, 0, "cb3")]
    late = [card(3001, 0, "bb5"), card(3001, 0, "bb3"), card(3002, 0, "bb5")]
    assert said(score([*lines, *late]))[2:] == [
        4,
        3,
        "after_stop",
        "after_stop wrong_value",
        "after_stop card_already_played",
    ]


def test_the_first_stop_stands_and_a_later_one_is_told() -> None:
    lines = [stop(100, "Ben"), stop(200, "Cleo"), card(150 + 50, 0, "ab1"), left(1, 0, 1)]
    printed = score(lines)
    assert printed[1] == {"n": 2, "stop": "Cleo", "t_ms": 200}
    assert said(printed) == ["after_stop"]
    assert printed[3]["left"] == {"Anna": 1, "Ben": 0, "Cleo": 1}
    assert score([stop(100, "Ben"), stop(200, "Cleo"), left(1, 1, 0)])[2]["reasons"] == ["bad_count"]


def test_a_stop_by_a_stranger_is_none() -> None:
    printed = score([stop(100, "Zoe"), card(200, 0, "ab1"), left()])
    assert printed[0] == {"n": 1, "legal": False, "reasons": ["not_in_game"]}
    assert printed[1]["legal"] is True
    assert printed[2]["reasons"] == ["no_stop"]


def test_a_false_stop_is_withdrawn_and_what_was_said_meanwhile_stays() -> None:
    lines = [
        *[card(0, 0, "ab1"), stop(100, "Ben"), card(200, 0, "cb2"), stop(200, None)],
        *[card(200, 0, "cb2"), stop(400, "Cleo"), card(500, 0, "ab3"), left(1, 1, 0)],
    ]
    printed = score(lines)
    assert printed[3] == {"n": 4, "stop": None, "t_ms": 200}
    assert said(printed) == [1, "after_stop", 2, "after_stop"]
    assert printed[7]["played"] == {"Anna": 1, "Ben": 0, "Cleo": 1}


def test_without_the_withdrawn_stop_there_is_none() -> None:
    assert score([stop(100, "Ben"), stop(200, None), left(1, 0, 1)])[2]["reasons"] == ["no_stop"]
    assert score([stop(100, None), left(1, 0, 1)])[0] == {"n": 1, "stop": None, "t_ms": 100}


def test_a_round_scores_what_was_played_less_twice_what_is_left() -> None:
    assert score([*ROUND, left(0, 4, 10)])[5:] == [
        {
            "n": 6,
            "round": 1,
            "played": {"Anna": 2, "Ben": 1, "Cleo": 1},
            "left": {"Anna": 0, "Ben": 4, "Cleo": 10},
            "points": {"Anna": 2, "Ben": -7, "Cleo": -19},
            "totals": {"Anna": 2, "Ben": -7, "Cleo": -19},
        },
        {
            "result": {
                "ended": "rounds",
                "winners": ["Anna"],
                "totals": {"Anna": 2, "Ben": -7, "Cleo": -19},
            }
        },
    ]


@pytest.mark.parametrize(("penalty", "points"), [(0, 1), (1, -3), (3, -11), (10**20, 1 - 4 * 10**20)])
def test_what_a_left_card_costs_is_an_option(penalty: int, points: int) -> None:
    assert score([*ROUND, left(0, 4, 0)], left_penalty=penalty)[5]["points"]["Ben"] == points


def test_players_stand_in_the_order_of_the_header_whatever_the_line_says() -> None:
    counted = {"left": {"Cleo": 3, "Anna": 0, "Ben": 4}}
    line = score([*ROUND, counted])[5]
    for key in ("played", "left", "points", "totals"):
        assert list(line[key]) == ["Anna", "Ben", "Cleo"]


@pytest.mark.parametrize(
    "counts",
    [
        {"Anna": 0, "Ben": 4},
        {},
        {"Anna": 0, "Ben": 4, "Cleo": 3, "Zoe": 1},
        {"Anna": 0, "Ben": 4, "cleo": 3},
        {"Anna": 0, "Ben": 11, "Cleo": 3},
        {"Anna": 0, "Ben": -1, "Cleo": 3},
        {"Anna": 0, "Ben": 2.5, "Cleo": 3},
        {"Anna": 0, "Ben": 2.0, "Cleo": 3},
        {"Anna": 0, "Ben": "4", "Cleo": 3},
        {"Anna": 0, "Ben": None, "Cleo": 3},
        {"Anna": 0, "Ben": True, "Cleo": 3},
        {"Anna": 0, "Ben": [4], "Cleo": 3},
        {"Anna": False, "Ben": 4, "Cleo": 3},
        {"Anna": 1, "Ben": 4, "Cleo": 3},
    ],
)
def test_a_count_that_cannot_be_leaves_the_round_open(counts: dict[str, Any]) -> None:
    printed = score([*ROUND, {"left": counts}, card(9000, 0, "bb5"), left(0, 4, 3)])
    assert printed[5] == {"n": 6, "legal": False, "reasons": ["bad_count"]}
    assert said(printed)[-1] == 5
    assert printed[7]["played"] == {"Anna": 2, "Ben": 2, "Cleo": 1}


def test_a_deck_has_forty_cards() -> None:
    """Thirty-one cards played leave nine at most, whatever the Ligretto pile could hold."""
    lines = [
        card(k * 100, pad, f"b{colour}{value}")
        for k, (pad, colour, value) in enumerate(
            (pad, colour, value) for pad, colour in enumerate("rgyb") for value in range(1, 11)
        )
    ]
    played = [*lines[:31], stop(99000, "blocked")]
    assert score([*played, left(0, 10, 0)])[32]["reasons"] == ["bad_count"]
    printed = score([*played, left(0, 9, 0)])
    assert printed[32]["points"] == {"Anna": 0, "Ben": 13, "Cleo": 0}
    all_out = score([*lines, stop(99000, "Ben"), left(10, 0, 10)])
    assert all_out[41]["points"] == {"Anna": -20, "Ben": 40, "Cleo": -20}


def test_no_stop_no_count() -> None:
    lines = cards("ab1 bb2")
    assert score([*lines, left(0, 4, 3)])[2] == {"n": 3, "legal": False, "reasons": ["no_stop"]}
    assert score([*lines, left(0, 4, 30)])[2] == {"n": 3, "legal": False, "reasons": ["bad_count", "no_stop"]}
    assert score([left(0, 4, 3)])[0]["reasons"] == ["no_stop"]


def test_a_blocked_round_is_scored_and_anybody_may_have_cards_left() -> None:
    printed = score([*cards("ab1 bb2"), stop(3000, "blocked"), left(1, 2, 3)])
    assert printed[3]["points"] == {"Anna": -1, "Ben": -3, "Cleo": -6}


def test_a_stop_before_the_first_card_opens_the_round() -> None:
    printed = score([stop(3000, "blocked"), left(1, 2, 3)])
    assert printed[1]["round"] == 1
    assert printed[1]["points"] == {"Anna": -2, "Ben": -4, "Cleo": -6}


def test_rounds_add_up_and_the_game_ends_with_the_last_of_them() -> None:
    lines = [*ROUND, left(0, 4, 10), *cards("cb1 cb2", start_ms=50), stop(500, "Cleo"), left(1, 1, 0)]
    printed = score(lines, rounds=2)
    assert printed[9] == {
        "n": 10,
        "round": 2,
        "played": {"Anna": 0, "Ben": 0, "Cleo": 2},
        "left": {"Anna": 1, "Ben": 1, "Cleo": 0},
        "points": {"Anna": -2, "Ben": -2, "Cleo": 2},
        "totals": {"Anna": 0, "Ben": -9, "Cleo": -17},
    }
    assert result(printed) == {
        "ended": "rounds",
        "winners": ["Anna"],
        "totals": {"Anna": 0, "Ben": -9, "Cleo": -17},
    }
    going_on = score(lines, rounds=3)
    assert result(going_on) == {
        "ended": None,
        "winners": [],
        "totals": {"Anna": 0, "Ben": -9, "Cleo": -17},
    }


def test_with_a_target_rounds_go_on_until_one_total_reaches_it() -> None:
    once = [*ROUND, left(0, 4, 0)]
    assert result(score(once, target=3))["ended"] is None
    assert result(score(once, target=2)) == {
        "ended": "target",
        "winners": ["Anna"],
        "totals": {"Anna": 2, "Ben": -7, "Cleo": 1},
    }
    assert result(score([*once, *once], target=3)) == {
        "ended": "target",
        "winners": ["Anna"],
        "totals": {"Anna": 4, "Ben": -14, "Cleo": 2},
    }


def test_the_best_win_together() -> None:
    printed = score([stop(0, "blocked"), left(3, 1, 1)])
    assert result(printed)["winners"] == ["Ben", "Cleo"]
    assert result(score([stop(0, "blocked"), left()]))["winners"] == ["Anna", "Ben", "Cleo"]


def test_after_the_last_round_every_line_is_too_much() -> None:
    stranger = {"t_ms": 1, "pad": 4, "card": {"owner": "Zoe", "colour": "mauve", "value": 0}}
    more = [card(1, 0, "ab1"), card(0, 1, "bb5"), stranger, stop(2, "Ben"), stop(2, None), stop(2, "Zoe")]
    printed = score([*ROUND, left(0, 1, 1), *more, decide(1, "Ben"), left(9, 9, 9)])
    assert said(printed)[4:] == ["game_over"] * 3
    assert printed[6] == {"n": 7, "player": "Anna", "pad": 0, "legal": False, "reasons": ["game_over"]}
    assert printed[9:14] == [{"n": n, "legal": False, "reasons": ["game_over"]} for n in range(10, 15)]
    assert result(printed) == {
        "ended": "rounds",
        "winners": ["Anna"],
        "totals": {"Anna": 2, "Ben": -1, "Cleo": -1},
    }


def test_an_empty_game_goes_on() -> None:
    assert score([]) == [{"result": {"ended": None, "winners": [], "totals": NOBODY}}]
    assert header()["options"] == {}
