"""A round to its end: the stop, what comes after it, what is left over, the next round, the last one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.ligretto.pads import STRANGER, Pads

from tablewire.games.ligretto.record import BLOCKED


def opened(*players: str, **options: Any) -> Pads:
    """Two cards of the first player lie, one of the second; all is settled at 4,000."""
    pads = Pads(*players, **options)
    first, second = (player["name"] for player in pads.doc["players"][:2])
    pads.lay(1_000, f"3 {first} blue 1", f"3 {second} blue 2", f"3 {first} blue 3")
    pads.wait(4_000)
    return pads


def stopped(*players: str, **options: Any) -> Pads:
    """The same, and the first player has stopped at 5,000."""
    pads = opened(*players, **options)
    pads.press(5_000, 0)
    pads.wait(6_000)
    return pads


def test_a_stop_button_ends_the_round_with_its_time() -> None:
    pads = opened()
    pads.press(5_000, 1)
    assert pads.doc["stopped"] == {"by": "Ben", "t_ms": 5_000, "round_ms": 4_000, "after": []}
    pads.wait()
    assert pads.doc["message"]["kind"] == "count"
    assert pads.doc["message"]["text"].startswith("Ben stopped the round.")
    assert pads.told == []


def test_the_first_stop_stands() -> None:
    pads = opened()
    pads.press(5_000, 1)
    pads.press(5_100, 0)
    pads.press(8_000, 0)
    pads.wait()
    assert (pads.doc["stopped"]["by"], len(pads.lines())) == ("Ben", 4)


@pytest.mark.parametrize("by", ["Anna", BLOCKED])
def test_the_page_can_stop_a_round_for_a_player_or_because_nobody_can_play(by: str) -> None:
    pads = opened()
    pads.act("round_stop", player=by, by="Ben")
    assert pads.doc["stopped"]["by"] == by
    assert pads.refused("round_stop", player="Ben").reason == "stopped"
    assert pads.told == [
        f"{'Anna stopped the round' if by == 'Anna' else 'Nobody could play any more'}, entered by hand."
    ]


def test_there_is_nothing_to_stop_before_the_first_card() -> None:
    pads = Pads()
    pads.press(1_000, 0)
    pads.wait()
    assert (pads.doc["stopped"], pads.lines()) == (None, [])
    assert pads.refused("round_stop", player="Anna").reason == "no_round"
    assert pads.refused("round_stop", player="Zoe").malformed


def test_cards_after_the_stop_are_named_and_asked_away() -> None:
    pads = stopped()
    pads.come(6_500, 3, "Ben blue 4")
    assert pads.wrong == ["Take Ben's blue 4 off pad 3: Anna had stopped when it came."]
    assert (pads.doc["stopped"]["after"], pads.doc["phase"]) == ([5], "hold")
    assert pads.doc["actions"]["left"] is False
    pads.wait()
    pads.go(9_000, 3, "Ben blue 4")
    assert (pads.doc["phase"], pads.doc["actions"]["left"]) == ("playing", True)
    assert pads.doc["stopped"]["after"] == [5]


def test_a_card_read_a_moment_after_the_stop_may_have_been_laid_before_it() -> None:
    pads = opened()
    pads.press(5_000, 0)
    pads.come(5_200, 3, "Ben blue 4")
    pads.come(5_400, 4, "Ben red 9")
    pads.wait()
    assert [choice["text"] for choice in pads.doc["message"]["choices"]] == [
        "Ben's blue 4 was laid on pad 3 before the stop: let it count"
    ]
    pads.choose("before:3:")
    assert (pads.piles, [wrong["pad"] for wrong in pads.doc["wrong"]]) == ({"3": "blue 4"}, [4])
    assert pads.told == ["Line 4 came in: Ben's blue 4 on pad 3."]
    pads.act("undo")
    assert pads.piles == {"3": "blue 3"}
    late = stopped()
    late.come(9_000, 3, "Ben blue 4")
    late.wait()
    assert late.doc["message"]["choices"] == []


def test_after_the_stop_no_wrong_card_is_sent_to_another_place() -> None:
    pads = opened()
    pads.lay(4_000, "3 Ben blue 5")
    pads.wait(6_000)
    assert pads.wrong == ["Take Ben's blue 5 off pad 3: the next card there is the blue 4."]
    pads.lay(6_000, "3 Anna blue 4", "5 Ben green 1", "6 Ben green 2")
    pads.press(7_500, 0)
    pads.wait()
    assert pads.wrong == [
        "Take Ben's blue 5 off pad 3: it came too early.",
        "Take Ben's green 2 off pad 6: an empty pad takes only a 1.",
    ]


def test_a_stray_reading_of_a_scored_round_is_no_card_of_the_next() -> None:
    pads = opened(rounds=2)
    pads.come(4_000, 5, "Ben red 1")
    pads.press(4_500, 0)
    pads.wait(5_000)
    pads.come(5_000, 6, "Ben red 1")
    pads.go(5_100, 5, "Ben red 1")
    pads.act("left", left={"Anna": 0, "Ben": 4})
    pads.wait()
    assert (pads.doc["phase"], len(pads.lines())) == ("waiting", 6)


def test_a_card_of_the_same_millisecond_as_the_stop_counts() -> None:
    pads = opened()
    pads.come(5_000, 3, "Ben blue 4")
    pads.press(5_000, 0)
    pads.wait()
    assert (pads.wrong, pads.piles) == ([], {"3": "blue 4"})


def test_a_false_stop_is_taken_back_and_what_came_meanwhile_may_stay() -> None:
    pads = stopped()
    pads.come(6_500, 3, "Ben blue 4")
    pads.wait()
    pads.act("unstop", by="Ben")
    assert pads.doc["stopped"] is None
    assert pads.wrong == ["Take Ben's blue 4 off pad 3: the round was over when it came."]
    pads.choose("let:3:")
    assert (pads.wrong, pads.piles) == ([], {"3": "blue 4"})
    assert pads.told == ["Took back that Anna stopped.", "Let Ben's blue 4 on pad 3 count."]
    assert pads.refused("unstop").reason == "no_stop"


def test_typed_numbers_score_the_round() -> None:
    pads = stopped()
    preview = pads.act("left", left={"Anna": 0, "Ben": 4}, preview=True)["preview"]
    assert (preview["points"], preview["winners"]) == ({"Anna": 2, "Ben": -7}, ["Anna"])
    assert pads.doc["history"] == []
    pads.act("left", left={"Anna": 0, "Ben": 4}, by="Cleo")
    assert pads.doc["history"] == [
        {
            "round": 1,
            "stop": "Anna",
            "played": {"Anna": 2, "Ben": 1},
            "left": {"Anna": 0, "Ben": 4},
            "points": {"Anna": 2, "Ben": -7},
            "totals": {"Anna": 2, "Ben": -7},
            "undecided": 0,
        }
    ]
    assert (pads.doc["phase"], pads.doc["result"]["winners"]) == ("over", ["Anna"])
    assert pads.told == ["Scored round 1 by the count of what was left (Anna 0, Ben 4)."]


def test_cards_passed_singly_over_the_pad_are_counted_once_each() -> None:
    pads = stopped()
    pads.act("count")
    assert pads.doc["counting"]["pad"] == 15
    for at_ms, card in ((7_000, "Ben red 4"), (8_000, "Ben green 9"), (9_000, "Ben red 4")):
        pads.come(at_ms, 15, card)
        pads.go(at_ms + 500, 15, card)
    assert pads.doc["counting"]["counted"] == {"Anna": 0, "Ben": 2}
    assert pads.doc["counting"]["text"] == "Counted on pad 15: Ben 2."
    assert pads.wrong == []
    pads.act("left")
    assert pads.doc["history"][0]["left"] == {"Anna": 0, "Ben": 2}


def test_a_card_that_lay_wrong_on_the_counting_pad_is_counted_when_it_is_passed_over_it() -> None:
    pads = opened()
    pads.come(4_200, 15, "Ben red 4")
    pads.wait(5_000)
    pads.press(5_000, 0)
    pads.act("count")
    assert len(pads.wrong) == 1
    pads.go(6_000, 15, "Ben red 4")
    pads.come(6_500, 15, "Ben red 4")
    assert (pads.wrong, pads.doc["counting"]["counted"]["Ben"]) == ([], 1)


def test_what_is_typed_and_what_is_counted_must_agree() -> None:
    pads = stopped("Anna", "Ben", "Cleo")
    pads.act("count", pad=9)
    pads.come(7_000, 9, "Ben red 4")
    refusal = pads.refused("left", left={"Anna": 0, "Ben": 3, "Cleo": 2})
    assert refusal.reason == "count_differs"
    assert refusal.text.startswith("Ben: 1 counted on pad 9, 3 typed in.")
    assert refusal.details["players"] == ["Ben"]
    pads.act("left", left={"Ben": 1, "Cleo": 2})
    assert pads.doc["history"][0]["left"] == {"Anna": 0, "Ben": 1, "Cleo": 2}


@pytest.mark.parametrize(("first", "second"), [(15, 14), (14, 15)])
def test_a_card_that_is_counted_lies_on_no_pad_beside(first: int, second: int) -> None:
    pads = stopped()
    pads.act("count", pad=15)
    pads.come(7_000, first, "Ben red 4")
    pads.come(7_050, second, "Ben red 4")
    pads.wait(8_000)
    assert (pads.wrong, pads.doc["counting"]["counted"]["Ben"]) == ([], 1)
    pads.go(8_000, 15, "Ben red 4")
    pads.go(8_300, 14, "Ben red 4")
    pads.wait()
    assert (pads.doc["phase"], len(pads.lines())) == ("playing", 4)


def test_counting_that_went_wrong_is_ended_or_begun_anew() -> None:
    pads = stopped()
    pads.act("count", pad=9)
    pads.come(7_000, 9, "Ben red 4")
    pads.act("count", pad=9)
    assert pads.doc["counting"]["counted"]["Ben"] == 0
    pads.act("count", pad=None)
    assert pads.doc["counting"] is None
    pads.act("left", left={"Anna": 0, "Ben": 3})
    assert pads.doc["history"][0]["left"]["Ben"] == 3


def test_played_cards_strangers_and_other_decks_are_not_counted_and_are_named() -> None:
    pads = stopped(beside=("Cleo",))
    pads.act("count", pad=9)
    for at_ms, card, said in (
        (7_000, "Ben blue 2", "Ben's blue 2 was played, so it is not counted."),
        (8_000, STRANGER, f"The last one was no card: tag {STRANGER}."),
        (9_000, "Cleo red 1", "Cleo's red 1 belongs to a deck that does not play."),
    ):
        pads.go(at_ms, 3, card)
        pads.come(at_ms + 10, 9, card)
        assert said in pads.doc["counting"]["text"]
    assert pads.doc["counting"]["counted"] == {"Anna": 0, "Ben": 0}
    assert pads.wrong == []


def test_what_cannot_be_left_over_is_said_with_its_reason() -> None:
    pads = stopped()
    for left, text in (
        ({"Anna": 3, "Ben": 0}, "Anna stopped the round with an empty Ligretto pile, so 3 cannot be left"),
        ({"Anna": 0, "Ben": 11}, "Of Ben's Ligretto pile 0 to 10 cards can be left, not 11."),
        ({"Anna": 0, "Ben": 1, "Zoe": 1}, "Zoe does not play."),
    ):
        refusal = pads.refused("left", left=left)
        assert (refusal.reason, text in refusal.text) == ("bad_count", True), refusal.text
    refusal = pads.refused("left", left={"Anna": 0})
    assert (refusal.reason, refusal.details["players"]) == ("count_missing", ["Ben"])


def test_what_is_played_and_left_is_no_more_than_a_deck() -> None:
    pads = Pads()
    at_ms = 1_000
    for pad, colour in enumerate(("red", "green", "yellow", "blue")):
        at_ms = pads.lay(at_ms, *(f"{pad} Ben {colour} {value}" for value in range(1, 10)), every_ms=60)
    pads.press(at_ms, 0)
    pads.wait()
    assert pads.played["Ben"] == 36
    refusal = pads.refused("left", left={"Anna": 0, "Ben": 5})
    assert "Ben has 36 cards on the table, so at most 4 of 40 can be left, not 5." in refusal.text
    pads.act("left", left={"Anna": 0, "Ben": 4})


def test_more_cards_counted_than_there_can_be_is_said_at_once() -> None:
    pads = stopped()
    pads.act("count", pad=9)
    pads.come(7_000, 9, "Anna red 4")
    assert "Anna stopped the round with an empty Ligretto pile" in pads.doc["counting"]["text"]


def test_a_round_that_goes_on_cannot_be_scored() -> None:
    pads = opened()
    assert pads.refused("left", left={"Anna": 0, "Ben": 4}).reason == "no_stop"
    assert pads.refused("count").reason == "no_stop"


def test_an_undecided_pair_is_decided_before_the_round_is_scored_or_scores_for_nobody() -> None:
    pads = opened()
    pads.come(4_100, 5, "Anna red 1")
    pads.come(4_110, 5, "Ben red 1")
    pads.press(5_000, 0)
    pads.wait(6_000)
    assert pads.doc["phase"] == "hold"
    assert pads.refused("left", left={"Anna": 0, "Ben": 4}).reason == "undecided"
    pads.act("left", left={"Anna": 0, "Ben": 4}, drop_rest=True)
    assert pads.doc["history"][0]["played"] == {"Anna": 2, "Ben": 1}
    assert pads.doc["history"][0]["undecided"] == 1


def test_the_next_round_begins_when_it_is_opened_not_with_a_card() -> None:
    pads = stopped(rounds=2)
    pads.act("left", left={"Anna": 0, "Ben": 4})
    assert (pads.doc["phase"], pads.doc["round"]) == ("waiting", 1)
    assert pads.doc["message"]["text"] == (
        "Round 1 is scored. Take the cards off the pads, deal, and then open round 2."
    )
    assert pads.doc["message"]["steps"] == [{"do": "lift", "pad": 3}]
    assert [player["points"] for player in pads.doc["players"]] == [2, -7]
    for card in ("Anna blue 1", "Ben blue 2", "Anna blue 3"):
        pads.go(8_000, 3, card)
    pads.come(9_000, 4, "Ben green 1")
    pads.wait()
    assert (pads.piles, len(pads.lines())) == ({}, 5)
    pads.act("next_round")
    assert (pads.doc["phase"], pads.doc["round"]) == ("playing", 2)
    # What was laid too early is lifted and laid again.
    assert pads.doc["message"]["steps"] == [{"do": "lift", "pad": 4}]
    pads.go(12_000, 4, "Ben green 1")
    pads.come(14_000, 4, "Ben green 1")
    pads.lay(15_000, "5 Anna blue 1")
    pads.wait()
    assert (pads.piles, pads.played) == ({"4": "green 1", "5": "blue 1"}, {"Anna": 1, "Ben": 1})
    pads.press(20_000, 1)
    pads.act("left", left={"Anna": 3, "Ben": 0})
    # 2 points and 1 - 2 * 3; -7 points and 1 for the one card.
    assert pads.doc["result"] == {
        "ended": "rounds",
        "winners": ["Anna"],
        "totals": {"Anna": -3, "Ben": -6},
    }


def test_a_match_goes_on_until_a_total_reaches_the_target() -> None:
    pads = Pads(target=5)
    at_ms = 1_000
    for number in (1, 2, 3):
        pads.lay(at_ms, "1 Anna red 1", "1 Anna red 2", every_ms=300)
        pads.press(at_ms + 1_000, 0)
        pads.wait(at_ms + 2_000)
        pads.act("left", left={"Anna": 0, "Ben": 0})
        assert pads.doc["totals"] == {"Anna": 2 * number, "Ben": 0}
        pads.go(at_ms + 3_000, 1, "Anna red 1")
        pads.go(at_ms + 3_000, 1, "Anna red 2")
        if number < 3:
            pads.act("next_round")
        at_ms += 10_000
    assert pads.doc["result"] == {"ended": "target", "winners": ["Anna"], "totals": {"Anna": 6, "Ben": 0}}
    assert pads.refused("next_round").reason == "no_next_round"


def test_cards_of_the_last_round_that_stay_are_not_taken_for_the_next() -> None:
    pads = stopped(rounds=2)
    pads.act("left", left={"Anna": 0, "Ben": 4})
    pads.act("next_round")
    assert pads.doc["message"]["text"] == (
        "What lies on pad 3 was there before and does not count: take it off."
    )
    pads.lay(8_000, "4 Ben green 1")
    # Straightened, the old ones count as little.
    pads.go(9_000, 3, "Anna blue 1")
    pads.come(9_500, 3, "Anna blue 1")
    pads.wait()
    assert (pads.piles, pads.wrong) == ({"4": "green 1"}, [])
    assert pads.doc["health"]["resting"] == {"3": 3}


def test_the_opening_of_a_round_is_taken_back_until_a_card_is_laid() -> None:
    pads = stopped(rounds=2)
    pads.act("left", left={"Anna": 0, "Ben": 4})
    pads.act("next_round")
    pads.act("undo")
    assert pads.doc["phase"] == "waiting"
    pads.act("redo")
    pads.lay(8_000, "4 Ben green 1")
    pads.wait()
    assert pads.doc["actions"]["undo"] is False
    assert pads.refused("undo").reason == "round_has_begun"


def test_a_count_that_was_wrong_is_taken_back() -> None:
    pads = stopped(rounds=2)
    pads.act("left", left={"Anna": 0, "Ben": 4})
    pads.act("undo", by="Ben")
    assert (pads.doc["phase"], pads.doc["totals"]) == ("playing", {"Anna": 0, "Ben": 0})
    assert (pads.piles, pads.wrong, pads.doc["health"]["resting"]) == ({"3": "blue 3"}, [], {})
    pads.act("left", left={"Anna": 0, "Ben": 3})
    assert pads.doc["totals"] == {"Anna": 2, "Ben": -5}
    assert pads.told[1] == "Took back the count of what was left (Anna 0, Ben 4)."
    assert pads.refused("redo").reason == "nothing_to_redo"


def test_after_the_last_round_nothing_more_counts() -> None:
    pads = stopped()
    pads.act("left", left={"Anna": 0, "Ben": 4})
    pads.lay(8_000, "4 Ben green 1")
    pads.press(9_000, 0)
    pads.wait()
    assert (len(pads.lines()), pads.wrong, pads.doc["phase"]) == (5, [], "over")
    assert pads.refused("round_stop", player="Anna").reason == "no_round"
