"""Cards laid one after another: what goes on a pile, and everything that can be wrong with a card."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ligretto.by_hand import Json, card, cards, left, result, said, score, stop

TO_TEN = "ab1 bb2 cb3 ab4 bb5 cb6 ab7 bb8 cb9 ab10"


def odd(t_ms: int, owner: Any, colour: Any, value: Any, pad: int = 0) -> Json:
    """A card that nobody has."""
    return {"t_ms": t_ms, "pad": pad, "card": {"owner": owner, "colour": colour, "value": value}}


def test_a_pile_is_opened_by_a_one_and_goes_on_in_its_colour_by_one_whoever_lays() -> None:
    assert score(cards("ab1 bb2 bb3 cb4")) == [
        {"n": 1, "player": "Anna", "pad": 0, "legal": True, "height": 1},
        {"n": 2, "player": "Ben", "pad": 0, "legal": True, "height": 2},
        {"n": 3, "player": "Ben", "pad": 0, "legal": True, "height": 3},
        {"n": 4, "player": "Cleo", "pad": 0, "legal": True, "height": 4},
        {"result": {"ended": None, "winners": [], "totals": {"Anna": 0, "Ben": 0, "Cleo": 0}}},
    ]


def test_a_wrong_card_is_printed_with_its_reasons() -> None:
    assert score([*cards("ab1 br3")])[1] == {
        "n": 2,
        "player": "Ben",
        "pad": 0,
        "legal": False,
        "reasons": ["wrong_colour", "wrong_value"],
    }


@pytest.mark.parametrize(
    ("laid", "verdict"),
    [
        ("ab2", "not_a_one"),
        ("ab10", "not_a_one"),
        ("ab1 br2", "wrong_colour"),
        ("ab1 bb3", "wrong_value"),
        ("ab1 bb1", "wrong_value"),
        ("ab1 br1", "wrong_colour wrong_value"),
        ("ab1 bb2 cb3 ar3", "wrong_colour wrong_value"),
        (f"{TO_TEN} br1", "pile_complete"),
        (f"{TO_TEN} bb10", "pile_complete"),
        ("ab1 ab1", "card_already_played"),
        ("ab1 bb2 ab1", "card_already_played"),
    ],
)
def test_what_is_wrong_with_a_card_on_its_pile(laid: str, verdict: str) -> None:
    *before, last = said(score(cards(laid)))
    assert before == list(range(1, len(before) + 1))
    assert last == verdict


def test_a_card_lies_once_in_a_round_whichever_the_pad_and_its_pile_is_not_judged() -> None:
    assert said(score([card(0, 1, "ab1"), card(100, 2, "ab1"), card(200, 1, "ab1")])) == [
        1,
        "card_already_played",
        "card_already_played",
    ]


@pytest.mark.parametrize(
    ("owner", "colour", "value", "verdict"),
    [
        ("Zoe", "blue", 7, "not_in_game"),
        ("anna", "blue", 2, "not_in_game"),
        ("", "blue", 2, "not_in_game"),
        ("Anna", "purple", 2, "unknown_card"),
        ("Anna", "Blue", 2, "unknown_card"),
        ("Anna", "blue", 0, "unknown_card"),
        ("Anna", "blue", 11, "unknown_card"),
        ("Anna", "blue", -3, "unknown_card"),
        ("Anna", "blue", 10**30, "unknown_card"),
        ("Zoe", "purple", 0, "not_in_game unknown_card"),
        ("blocked", "blue", 2, "not_in_game"),
    ],
)
def test_a_card_that_is_nobodys_or_does_not_exist_says_nothing_of_the_pile(
    owner: str, colour: str, value: int, verdict: str
) -> None:
    assert said(score([card(0, 0, "ab1"), odd(100, owner, colour, value)])) == [1, verdict]
    assert said(score([odd(100, owner, colour, value)])) == [verdict]


def test_a_wrong_card_comes_off_again_and_the_pile_stays_as_it_was() -> None:
    assert said(score(cards("ab1 br5 bb3 bb2 cb2 cb3"))) == [
        1,
        "wrong_colour wrong_value",
        "wrong_value",
        2,
        "wrong_value",
        3,
    ]


def test_a_card_that_was_wrong_may_be_played_where_it_fits() -> None:
    assert said(score([*cards("ab1 bb3 cb2 bb3")])) == [1, "wrong_value", 2, 3]


def test_every_pad_has_its_own_pile_and_a_complete_one_stays_all_the_round() -> None:
    full = cards(TO_TEN, pad=7)
    more = [card(3000, 8, "br1"), card(3100, 7, "cr1"), card(3200, 8, "cr2"), card(3300, 7, "cy1")]
    assert said(score([*full, *more]))[10:] == [1, "pile_complete", 2, "pile_complete"]


def test_the_pads_are_free_again_in_the_next_round_and_every_card_may_be_played_again() -> None:
    lines = [*cards("ab1 bb2"), stop(2000), left(0, 1, 1), *cards("ab1 bb2", start_ms=0)]
    assert said(score(lines, rounds=2)) == [1, 2, 1, 2]


def test_twelve_play() -> None:
    names = [f"player {k}" for k in range(12)]
    values = [*range(1, 11), 1, 1]
    pads = [*[0] * 10, 10, 11]
    rows = [
        odd(k * 100, name, "red", value, pad)
        for k, (name, value, pad) in enumerate(zip(names, values, pads, strict=True))
    ]
    printed = score(rows, players=names)
    assert said(printed) == values
    assert list(result(printed)["totals"]) == names


def test_any_pad_number_is_a_pad() -> None:
    assert said(score([card(0, 0, "ab1"), card(100, 10**9, "bb1"), card(200, 10**9, "cb2")])) == [1, 1, 2]
