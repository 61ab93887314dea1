"""Equal cards in one scan: nobody can say whose was first, so it stays open until somebody decides."""

from __future__ import annotations

import pytest
from tests.games.ligretto.by_hand import Json, card, cards, decide, left, result, said, score, stop

FOUR = ("Anna", "Ben", "Cleo", "Dora")
UP_TO_3 = cards("ab1 bb2 cb3")


def together(text: str, t_ms: int = 5000, pad: int = 0) -> list[Json]:
    return cards(text, pad, t_ms, apart_ms=0)


def test_both_of_two_equal_cards_are_undecided_and_the_pile_goes_on_at_once() -> None:
    printed = score([*UP_TO_3, *together("ab4 bb4"), card(6000, 0, "cb5")])
    assert printed[3:6] == [
        {"n": 4, "player": "Anna", "pad": 0, "legal": None, "reasons": ["undecided"], "with": [5]},
        {"n": 5, "player": "Ben", "pad": 0, "legal": None, "reasons": ["undecided"], "with": [4]},
        {"n": 6, "player": "Cleo", "pad": 0, "legal": True, "height": 5},
    ]


def test_three_and_four_equal_cards_are_one_group() -> None:
    assert said(score(together("ab1 bb1 cb1")))[:3] == [[2, 3], [1, 3], [1, 2]]
    assert said(score(together("db1 cb1 bb1 ab1"), players=FOUR)) == [
        [2, 3, 4],
        [1, 3, 4],
        [1, 2, 4],
        [1, 2, 3],
    ]


def test_a_scan_may_hold_two_groups_and_cards_between_and_after_them() -> None:
    lines = [*UP_TO_3, *together("cb6 ab4 ab5 bb6 bb4 cb7")]
    assert said(score(lines)) == [1, 2, 3, [7], [8], 5, [4], [5], 7]


def test_ones_on_an_empty_pad_are_a_group_as_well() -> None:
    assert said(score([*together("ab1 bb1"), card(6000, 0, "cb2")])) == [[2], [1], 2]


def test_equal_cards_that_are_not_next_are_plainly_wrong() -> None:
    assert said(score([*UP_TO_3, *together("ab6 bb6")])) == [1, 2, 3, "wrong_value", "wrong_value"]


def test_equal_cards_in_two_scans_are_no_question() -> None:
    lines = [*UP_TO_3, card(5000, 0, "ab4"), card(5041, 0, "bb4")]
    assert said(score(lines)) == [1, 2, 3, 4, "wrong_value"]


def test_a_card_of_the_same_player_read_twice_is_no_group() -> None:
    assert said(score([*UP_TO_3, *together("ab4 ab4")]))[3:] == [4, "card_already_played"]


def test_of_equal_cards_one_that_cannot_count_leaves_no_question() -> None:
    late = [*UP_TO_3, stop(5000, "Cleo"), card(5000, 0, "ab4"), card(5010, 0, "bb4")]
    assert said(score(late))[3:] == [4, "after_stop wrong_value"]
    stranger = {"t_ms": 5000, "pad": 0, "card": {"owner": "Zoe", "colour": "blue", "value": 4}}
    assert said(score([*UP_TO_3, stranger, card(5000, 0, "bb4")]))[3:] == ["not_in_game", 4]
    elsewhere = [*UP_TO_3, *cards("ar1 br2 cr3 ar4", pad=1, start_ms=2000), *together("ab4 ar4 cb4")]
    assert said(score(elsewhere))[7:] == [[10], "card_already_played", [8]]


@pytest.mark.parametrize("n", [4, 5])
def test_either_line_of_the_two_says_which_are_meant(n: int) -> None:
    printed = score([*UP_TO_3, *together("ab4 bb4"), decide(n, "Ben")])
    assert printed[5] == {"n": 6, "decided": [4, 5], "winner": "Ben"}


def test_the_others_lose_their_card_and_may_play_it_again() -> None:
    lines = [*UP_TO_3, *together("ab4 bb4 cb4"), decide(5, "Ben"), *cards("ar1 br2 cr3 ar4", 1, 6000)]
    again = [card(7000, 0, "ab4"), card(7100, 0, "bb4"), card(7200, 1, "br4")]
    printed = score([*lines, *again])
    assert printed[6] == {"n": 7, "decided": [4, 5, 6], "winner": "Ben"}
    assert said(printed)[-3:] == ["wrong_value", "card_already_played", "wrong_value"]
    elsewhere = [*cards("ab1 bb2 cb3", 0), *together("ab4 bb4"), decide(4, "Ben")]
    other_pile = cards("bb1 cb2 ab3", 5, 6000)
    assert said(score([*elsewhere, *other_pile, card(7000, 5, "ab4"), card(7100, 5, "bb4")]))[-2:] == [
        4,
        "card_already_played",
    ]


def test_an_undecided_card_counts_as_accepted_until_it_is_decided() -> None:
    lines = [*together("ab1 bb1"), card(6000, 3, "ab1"), decide(1, "Ben"), card(7000, 3, "ab1")]
    assert said(score(lines)) == [[2], [1], "card_already_played", 1]


def test_a_loser_may_be_undecided_again_elsewhere() -> None:
    lines = [*together("ab1 bb1"), decide(2, "Ben"), *together("ab1 cb1", 6000, pad=1), decide(4, "Anna")]
    printed = score(lines)
    assert said(printed) == [[2], [1], [5], [4]]
    assert printed[5] == {"n": 6, "decided": [4, 5], "winner": "Anna"}


@pytest.mark.parametrize(
    ("n", "winner", "reason"),
    [
        (4, "Cleo", "wrong_winner"),
        (5, "Zoe", "wrong_winner"),
        (4, "", "wrong_winner"),
        (3, "Cleo", "not_undecided"),
        (6, "Anna", "not_undecided"),
        (99, "Anna", "not_undecided"),
        (0, "Anna", "not_undecided"),
        (-1, "Zoe", "not_undecided"),
    ],
)
def test_a_decision_that_cannot_be_changes_nothing(n: int, winner: str, reason: str) -> None:
    printed = score([*UP_TO_3, *together("ab4 bb4"), decide(n, winner), decide(4, "Anna")])
    assert printed[5] == {"n": 6, "legal": False, "reasons": [reason]}
    assert printed[6] == {"n": 7, "decided": [4, 5], "winner": "Anna"}


def test_what_has_been_decided_is_no_question_any_more() -> None:
    printed = score([*together("ab1 bb1"), decide(1, "Anna"), decide(2, "Ben")])
    assert printed[3] == {"n": 4, "legal": False, "reasons": ["not_undecided"]}


def test_the_line_before_a_decision_is_settled_by_it() -> None:
    """The decision ends the scan that it speaks of."""
    assert score([*together("ab1 bb1"), decide(2, "Ben")])[2] == {"n": 3, "decided": [1, 2], "winner": "Ben"}


def test_who_wins_the_card_has_played_it_and_the_others_have_not() -> None:
    lines = [*UP_TO_3, *together("ab4 bb4"), decide(5, "Ben"), stop(9000, "Cleo"), left(3, 2, 0)]
    assert score(lines)[7] == {
        "n": 8,
        "round": 1,
        "played": {"Anna": 1, "Ben": 2, "Cleo": 1},
        "left": {"Anna": 3, "Ben": 2, "Cleo": 0},
        "points": {"Anna": -5, "Ben": -2, "Cleo": 1},
        "totals": {"Anna": -5, "Ben": -2, "Cleo": 1},
    }


def test_undecided_at_the_count_it_is_nobodys() -> None:
    printed = score([*UP_TO_3, *together("ab4 bb4"), stop(9000, "Cleo"), left(3, 2, 0)])
    assert printed[6]["played"] == {"Anna": 1, "Ben": 1, "Cleo": 1}


def test_a_decision_may_come_after_the_stop_but_not_after_the_count() -> None:
    lines = [*together("ab1 bb1"), stop(9000, "Cleo"), decide(1, "Anna"), left(3, 2, 0)]
    assert score(lines)[4]["played"] == {"Anna": 1, "Ben": 0, "Cleo": 0}
    late = score([*together("ab1 bb1"), stop(9000, "Cleo"), left(3, 2, 0), decide(1, "Anna")], rounds=2)
    assert late[4] == {"n": 5, "legal": False, "reasons": ["not_undecided"]}


def test_a_count_that_is_refused_leaves_the_question_open() -> None:
    lines = [*together("ab1 bb1"), stop(9000, "Cleo"), left(3, 2, 1), decide(1, "Anna"), left(3, 2, 0)]
    printed = score(lines)
    assert printed[3]["reasons"] == ["bad_count"]
    assert printed[5]["played"] == {"Anna": 1, "Ben": 0, "Cleo": 0}
    assert result(printed)["ended"] == "rounds"
