"""Cards that reach a pad together: one scan, in which the order of lines means nothing."""

from __future__ import annotations

from itertools import permutations

import pytest
from tests.games.ligretto.by_hand import Json, card, cards, decide, left, said, score, stop


def together(text: str, t_ms: int = 5000, pad: int = 0) -> list[Json]:
    """Cards of one scan."""
    return cards(text, pad, t_ms, apart_ms=0)


@pytest.mark.parametrize("order", list(permutations(["bb4", "cb5", "ab6"])))
def test_cards_that_follow_one_another_are_legal_in_any_order_of_lines(order: tuple[str, ...]) -> None:
    heights = {"bb4": 4, "cb5": 5, "ab6": 6}
    printed = said(score([*cards("ab1 bb2 cb3"), *together(" ".join(order))]))
    assert printed == [1, 2, 3, *(heights[each] for each in order)]


def test_the_window_counts_from_the_first_card_of_the_scan_and_its_end_belongs_to_it() -> None:
    assert said(score([card(0, 0, "ab1"), card(100, 0, "bb3"), card(140, 0, "cb2")])) == [1, 3, 2]
    assert said(score([card(0, 0, "ab1"), card(100, 0, "bb3"), card(141, 0, "cb2")])) == [1, "wrong_value", 2]
    chained = [card(0, 0, "ab1"), card(100, 0, "bb3"), card(130, 0, "cb4"), card(160, 0, "cb2")]
    assert said(score(chained)) == [1, "wrong_value", "wrong_value", 2]


def test_a_scan_is_as_long_as_the_option_says() -> None:
    lines = [card(0, 0, "ab1"), card(100, 0, "bb3"), card(110, 0, "cb2")]
    assert said(score(lines, scan_ms=10)) == [1, 3, 2]
    assert said(score(lines, scan_ms=9)) == [1, "wrong_value", 2]
    at_once = [card(0, 0, "ab1"), card(100, 0, "bb3"), card(100, 0, "cb2")]
    assert said(score(at_once, scan_ms=0)) == [1, 3, 2]


def test_the_next_scan_begins_with_the_first_card_beyond_the_last_one() -> None:
    lines = [card(0, 0, "ab2"), card(41, 0, "bb3"), card(81, 0, "cb1"), card(82, 0, "cb2")]
    assert said(score(lines)) == ["not_a_one", "wrong_value", 1, 2]


def test_every_pad_has_scans_of_its_own() -> None:
    lines = [card(0, 1, "ab2"), card(10, 2, "br1"), card(20, 1, "cb1"), card(30, 2, "cr2")]
    assert said(score(lines)) == [2, 1, 1, 2]


def test_a_wrong_card_is_judged_against_the_pile_as_its_scan_leaves_it() -> None:
    assert said(score([*cards("ab1 bb2 cb3"), *together("ab5 bb4 cb7 br6 cy1")]))[3:] == [
        5,
        4,
        "wrong_value",
        "wrong_colour",
        "wrong_colour wrong_value",
    ]


def test_a_scan_that_completes_a_pile_leaves_a_complete_one() -> None:
    before = cards("ab1 bb2 cb3 ab4 bb5 cb6 ab7 bb8")
    assert said(score([*before, *together("cb1 ab10 bb9")]))[8:] == ["pile_complete", 10, 9]


def test_a_whole_pile_may_come_in_one_scan() -> None:
    shuffled = "ab7 bb3 cb10 ab1 bb9 cb2 ab4 bb8 cb5 ab6"
    assert said(score(together(shuffled))) == [7, 3, 10, 1, 9, 2, 4, 8, 5, 6]


def test_of_ones_in_several_colours_the_longest_run_opens_the_pad() -> None:
    assert said(score(together("ar1 bb1 cb2"))) == ["wrong_colour wrong_value", 1, 2]
    assert said(score(together("ab2 br1 bb1 cr2 cr3 ab3"))) == [
        "wrong_colour wrong_value",
        1,
        "wrong_colour wrong_value",
        2,
        3,
        "wrong_colour wrong_value",
    ]


def test_a_gap_ends_a_run() -> None:
    assert said(score(together("ab1 bb2 cb4 ar1 br2 cr3"))) == [
        *["wrong_colour wrong_value"] * 2,
        "wrong_colour",
        *[1, 2, 3],
    ]


@pytest.mark.parametrize(
    ("ones", "first"),
    [("ab1 by1 cg1 ar1", 3), ("ab1 by1 cg1", 2), ("ab1 by1", 1), ("ay1 bg1 cb1", 1)],
)
def test_of_equal_runs_red_comes_before_green_before_yellow_before_blue(ones: str, first: int) -> None:
    verdicts = said(score(together(ones)))
    assert [at for at, verdict in enumerate(verdicts) if verdict == 1] == [first]
    assert set(verdicts) == {1, "wrong_colour wrong_value"}


def test_equal_cards_make_a_run_no_longer() -> None:
    """Two red ones are one step of a pile: a blue run of two is longer."""
    assert said(score(together("ar1 br1 ab1 cb2"))) == [*["wrong_colour wrong_value"] * 2, 1, 2]


def test_no_one_among_them_leaves_an_empty_pad_empty() -> None:
    assert said(score(together("ab2 bb3 cr4"))) == ["not_a_one"] * 3


def test_one_card_read_twice_in_a_scan_counts_by_its_first_line() -> None:
    assert said(score(together("ab1 ab1 bb2 ab1"))) == [1, "card_already_played", 2, "card_already_played"]


def test_a_card_read_twice_is_one_card_also_where_it_is_wrong() -> None:
    assert said(score([card(0, 0, "ab1"), *together("bb7 bb7")])) == [1, "wrong_value", "card_already_played"]


@pytest.mark.parametrize(
    "between",
    [stop(5000, "Ben"), stop(5000, None), stop(5000, "Zoe"), decide(1, "Ben"), left()],
    ids=["stop", "withdrawn", "stranger", "decide", "left"],
)
def test_any_other_line_ends_the_scans_of_all_pads(between: Json) -> None:
    before = [card(4990, 0, "ab2"), card(4990, 1, "ar2")]
    after = [card(5000, 0, "bb1"), card(5000, 1, "br1")]
    assert said(score([*before, *after])) == [2, 2, 1, 1]
    assert said(score([*before, between, *after])) == ["not_a_one", "not_a_one", 1, 1]


def test_a_card_on_two_pads_at_once_lies_on_the_one_whose_scan_began_first() -> None:
    assert said(score([card(0, 1, "ab1"), card(10, 2, "ab1")])) == [1, "card_already_played"]
    began_first = [card(0, 1, "bb2"), card(10, 2, "ab1"), card(20, 1, "ab1")]
    assert said(score(began_first)) == [2, "card_already_played", 1]


def test_a_card_on_two_pads_at_once_lies_where_it_may() -> None:
    lines = [*cards("ab1 bb2", pad=2), card(3000, 1, "cb3"), card(3010, 2, "cb3")]
    assert said(score(lines)) == [1, 2, "not_a_one", 3]


def test_what_is_printed_stays_in_the_order_of_lines_whichever_scan_ends_first() -> None:
    early = [card(0, 1, "ab1"), card(30, 2, "br1"), card(35, 1, "bb2")]
    printed = score([*early, card(45, 2, "cr2"), card(80, 3, "cy1")])
    assert [line.get("n") for line in printed] == [1, 2, 3, 4, 5, None]
    assert said(printed) == [1, 1, 2, 2, 1]
