"""What stands in the way of scoring a round, and what is open after a score was taken out and made again."""

from __future__ import annotations

import json

import pytest
from tests.table.ligretto.pads import Pads
from tests.table.ligretto.test_corrected import card, three_cards
from tests.table.ligretto.test_rounds_played import stopped

LEFT = {"Anna": 0, "Ben": 4}


def test_while_a_wrong_card_lies_on_a_pad_the_round_is_scored_only_when_that_is_confirmed() -> None:
    pads = stopped()
    pads.come(7_000, 4, "Ben green 1")
    pads.wait()
    refusal = pads.refused("left", left=LEFT)
    assert (refusal.reason, refusal.malformed) == ("held", False)
    assert "1 card to be taken off" in refusal.text
    assert (refusal.details["wrong"], refusal.details["undecided"]) == (1, 0)
    pads.act("left", left=LEFT, drop_rest=True)
    assert pads.doc["history"][0]["played"] == {"Anna": 2, "Ben": 1}


def test_when_the_wrong_card_is_lifted_nothing_has_to_be_confirmed() -> None:
    pads = stopped()
    pads.come(7_000, 4, "Ben green 1")
    pads.go(9_000, 4, "Ben green 1")
    pads.wait()
    pads.act("left", left=LEFT)
    assert pads.doc["phase"] == "over"


def test_wrong_cards_and_pairs_are_both_named() -> None:
    pads = Pads()
    pads.lay(1_000, "4 Ben green 3")
    pads.come(3_000, 5, "Anna red 1")
    pads.come(3_010, 5, "Ben red 1")
    pads.press(5_000, 0)
    pads.wait(6_000)
    refusal = pads.refused("left", left=LEFT)
    assert refusal.reason == "held"
    assert "1 card to be taken off and 1 pair of equal cards to be decided" in refusal.text
    pads.act("left", left=LEFT, drop_rest=True)
    # Neither of the two red cards is anybody's.
    assert pads.doc["history"][0]["played"] == {"Anna": 0, "Ben": 0}
    assert pads.score()[-1]["result"]["totals"] == {"Anna": 0, "Ben": -8}


def test_a_card_that_came_only_just_now_may_yet_be_known_on_another_pad() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1")
    pads.wait()
    pads.come(5_000, 4, "Ben red 1")
    pads.press(5_020, 0)
    refusal = pads.refused("left", left=LEFT)
    assert (refusal.reason, refusal.details["waiting"]) == ("held", 1)
    pads.wait(5_300)
    pads.act("left", left=LEFT)
    assert pads.doc["history"][0]["played"] == {"Anna": 1, "Ben": 1}


# A score that was taken out


def opened_round_2() -> Pads:
    """Round 1 is scored by line 5, and round 2 has been opened; nothing is on the pads."""
    pads = three_cards(rounds=3)
    pads.press(5_000, 0)
    pads.act("left", left=LEFT)
    for spoken in ("Anna blue 1", "Ben blue 2", "Anna blue 3"):
        pads.go(8_000, 3, spoken)
    pads.wait()
    pads.act("next_round")
    return pads


def test_a_round_that_is_scored_again_leaves_the_next_one_to_be_opened_again() -> None:
    pads = opened_round_2()
    pads.act("correct", n=5, do="remove")
    assert (pads.doc["phase"], pads.doc["round"]) == ("playing", 1)
    pads.act("left", left={"Anna": 0, "Ben": 5})
    assert (pads.doc["phase"], pads.doc["actions"]["next_round"]) == ("waiting", True)
    pads.come(20_000, 6, "Ben red 1")
    pads.wait()
    assert len(pads.lines()) == 5
    pads.act("next_round")
    assert (pads.doc["phase"], pads.doc["round"]) == ("playing", 2)


def test_what_is_taken_back_leaves_the_rounds_as_open_as_they_were() -> None:
    pads = opened_round_2()
    pads.act("correct", n=5, do="remove")
    pads.act("undo")
    assert (pads.doc["phase"], pads.doc["round"]) == ("playing", 2)
    pads.act("redo")
    assert (pads.doc["phase"], pads.doc["round"]) == ("playing", 1)
    pads.act("left", left=LEFT)
    assert pads.doc["phase"] == "waiting"
    pads.act("undo", count=2)
    assert (pads.doc["phase"], pads.doc["round"]) == ("playing", 2)
    pads.act("undo")
    assert pads.doc["phase"] == "waiting"
    pads.act("undo")
    assert (pads.doc["phase"], pads.doc["round"]) == ("playing", 1)


def test_the_score_put_back_before_the_cards_of_the_next_round_leaves_that_open() -> None:
    pads = opened_round_2()
    pads.come(20_000, 6, "Ben red 1")
    pads.wait()
    pads.act("correct", n=5, do="remove")
    # All is one round now: its stop was before the last card.
    assert (pads.doc["round"], pads.wrong[0][:20]) == (1, "Take Ben's red 1 off")
    pads.act("correct", n=5, do="insert", line={"left": {"Anna": 0, "Ben": 5}})
    assert (pads.doc["phase"], pads.doc["round"], pads.piles) == ("playing", 2, {"6": "red 1"})
    # Two cards less nothing; one card less five times two.
    assert pads.doc["totals"] == {"Anna": 2, "Ben": -9}


def test_a_changed_score_of_the_round_before_leaves_the_next_one_open_or_not() -> None:
    pads = opened_round_2()
    pads.act("correct", n=5, line={"left": {"Anna": 0, "Ben": 1}})
    assert (pads.doc["phase"], pads.doc["round"]) == ("playing", 2)
    pads.act("undo", count=2)
    pads.act("correct", n=5, line={"left": {"Anna": 0, "Ben": 1}})
    assert pads.doc["phase"] == "waiting"


# Times, names and the size of what is shown


def test_a_line_cannot_be_later_than_now() -> None:
    pads = three_cards()
    line = {"t_ms": 3_600_000, "pad": 5, "card": card("Ben", "red", 1)}
    for body in ({"do": "insert", "n": 4, "line": line}, {"n": 3, "line": line}):
        refusal = pads.refused("correct", **body)
        assert (refusal.reason, "yet to come" in refusal.text) == ("would_be_illegal", True)
        assert pads.refused("correct", **body, preview=True) == refusal
    pads.act("correct", do="insert", n=4, line={**line, "t_ms": 4_000})
    pads.lay(5_000, "3 Ben blue 4")
    pads.wait()
    assert [line["t_ms"] for line in pads.lines()] == [1_000, 1_400, 1_800, 4_000, 5_000]


@pytest.mark.parametrize(
    ("letter", "count", "shown_count"), [("W", 12, 12), ("\N{LATIN SMALL LETTER U WITH DIAERESIS}", 4, 2)]
)
def test_a_long_evening_of_twelve_with_long_names_fits_into_a_small_document(
    letter: str, count: int, shown_count: int
) -> None:
    names = [f"{chr(ord('a') + seat)}{letter * 39}" for seat in range(12)]
    pads = Pads(*names, rounds=20)
    sizes: list[int] = []
    for number in range(count):
        pads.come(60_000 * number + 1_000, 3, f"{names[0]} blue 1")
        pads.press(60_000 * number + 5_000, 0)
        pads.wait()
        pads.act("left", left={name: 0 if name == names[0] else 10 for name in names})
        pads.go(60_000 * number + 20_000, 3, f"{names[0]} blue 1")
        sizes.append(len(json.dumps(pads.doc)))
        pads.act("next_round")
    history = pads.doc["history"]
    assert max(sizes) < 64_000
    assert (pads.doc["history_count"], history[-1]["round"]) == (count, count)
    assert len(history) == shown_count
    # A card each round; ten cards left that cost two each.
    assert pads.doc["totals"] == {name: count if name == names[0] else -20 * count for name in names}
    assert history[-1]["totals"] == pads.doc["totals"]
