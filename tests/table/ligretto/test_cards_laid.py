"""Cards on pads: what counts, what is wrong and why, and what to do about it."""

from __future__ import annotations

import pytest
from tests.table.ligretto.pads import STRANGER, Pads

from tablewire.games.ligretto.sensing import LATE_MS, RELAY_MS
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Changes, SensorChange, SensorId, Snapshot


def test_a_pile_grows_card_by_card_and_each_counts_for_its_player() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", "3 Anna blue 3", "5 Ben red 1")
    pads.wait()
    assert pads.piles == {"3": "blue 3", "5": "red 1"}
    assert pads.doc["pads"]["3"]["height"] == 3
    assert pads.played == {"Anna": 2, "Ben": 2}
    assert (pads.doc["wrong"], pads.doc["message"], pads.doc["phase"]) == ([], None, "playing")


def test_a_card_is_shown_at_once_though_it_may_still_change() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Anna blue 1")
    assert (pads.piles, pads.doc["provisional"]) == ({"3": "blue 1"}, True)
    pads.wait()
    assert (pads.piles, pads.doc["provisional"]) == ({"3": "blue 1"}, False)


def test_a_wrong_card_is_named_at_once_with_what_to_do_and_where_it_fits() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "5 Anna green 1", "5 Ben green 2")
    pads.come(3_000, 3, "Ben green 3")
    (wrong,) = pads.doc["wrong"]
    assert wrong["text"] == (
        "Take Ben's green 3 off pad 3: the next card there is the blue 2. It fits on pad 5."
    )
    assert (wrong["n"], wrong["player"], wrong["reasons"]) == (4, "Ben", ["wrong_colour", "wrong_value"])
    assert pads.doc["message"]["kind"] == "illegal"
    assert pads.doc["message"]["steps"] == [
        {"do": "lift", "pad": 3, "card": {"owner": "Ben", "colour": "green", "value": 3}}
    ]
    pads.wait()
    pads.go(6_000, 3, "Ben green 3")
    assert (pads.doc["wrong"], pads.doc["message"]) == ([], None)
    pads.come(6_500, 5, "Ben green 3")
    assert pads.piles == {"3": "blue 1", "5": "green 3"}


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        (["3 Ben red 4"], "Take Ben's red 4 off pad 3: an empty pad takes only a 1."),
        (
            ["3 Anna red 1", "3 Ben red 3"],
            "Take Ben's red 3 off pad 3: the next card there is the red 2.",
        ),
        (
            ["3 Anna red 1", "3 Ben blue 1"],
            "Take Ben's blue 1 off pad 3: the next card there is the red 2. It opens a pile on an empty pad.",
        ),
        (["3 Cleo red 1"], "Take Cleo's red 1 off pad 3: nobody plays with this deck."),
        (
            [f"3 Anna red {value}" for value in range(1, 11)] + ["3 Ben blue 1"],
            "Take Ben's blue 1 off pad 3: the pile there is complete. It opens a pile on an empty pad.",
        ),
        (
            [f"3 {STRANGER}"],
            f"A tag that no deck has lies on pad 3 ({STRANGER}): take it off, or say which card it is.",
        ),
    ],
)
def test_each_way_of_being_wrong_has_its_words(cards: list[str], text: str) -> None:
    pads = Pads(beside=("Cleo",))
    pads.lay(1_000, *cards)
    pads.wait()
    assert pads.wrong == [text]


def test_every_wrong_card_is_listed_not_only_the_first() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Ben red 4", "4 Anna red 5", "5 Ben blue 9")
    assert [wrong["pad"] for wrong in pads.doc["wrong"]] == [3, 4, 5]
    assert pads.doc["message"]["text"].endswith("2 other cards must go as well.")
    assert [step["pad"] for step in pads.doc["message"]["steps"]] == [3, 4, 5]


def test_a_complete_pile_says_so() -> None:
    pads = Pads()
    pads.lay(1_000, *(f"3 {'Anna' if value % 2 else 'Ben'} red {value}" for value in range(1, 11)))
    pads.wait()
    assert pads.doc["pads"]["3"] == {"colour": "red", "value": 10, "height": 10, "complete": True}
    assert pads.played == {"Anna": 5, "Ben": 5}


def test_a_wrong_card_straightened_on_its_pad_is_no_second_wrong_card() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Ben red 4")
    pads.wait()
    # A hand needs up to a second and a half for it; whoever takes longer has had it back in the row.
    for at_ms in (4_000, 6_000, 8_000):
        pads.go(at_ms, 3, "Ben red 4")
        pads.come(at_ms + 1_500, 3, "Ben red 4")
        pads.wait(at_ms + 1_900)
        assert len(pads.doc["wrong"]) == 1
    assert len(pads.lines()) == 1
    pads.go(10_000, 3, "Ben red 4")
    pads.come(11_501, 3, "Ben red 4")
    pads.wait()
    assert len(pads.lines()) == 2


def test_a_card_that_lies_rightly_may_be_straightened_missed_and_found_again() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2")
    for at_ms in range(5_000, 60_000, 5_000):
        pads.go(at_ms, 3, "Anna blue 1")
        pads.come(at_ms + 4_000, 3, "Anna blue 1")
    pads.wait()
    assert (pads.piles, pads.played, pads.wrong) == ({"3": "blue 2"}, {"Anna": 1, "Ben": 1}, [])
    assert len(pads.lines()) == 2


def test_a_card_that_passes_over_a_pad_in_a_hand_was_not_laid_there() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Anna blue 1")
    pads.go(1_100, 3, "Anna blue 1")
    pads.come(1_400, 4, "Anna blue 1")
    pads.wait()
    assert (pads.piles, len(pads.lines())) == ({"4": "blue 1"}, 1)


def test_a_card_missed_at_first_makes_right_what_was_laid_on_it() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 3", "3 Anna blue 4", every_ms=200)
    assert [wrong["n"] for wrong in pads.doc["wrong"]] == [2, 3]
    pads.come(1_900, 3, "Ben blue 2")
    assert (pads.piles, pads.wrong) == ({"3": "blue 4"}, [])
    pads.wait()
    assert (pads.piles, pads.wrong, pads.played) == ({"3": "blue 4"}, [], {"Anna": 2, "Ben": 2})


def test_a_card_laid_long_before_its_time_is_asked_away_and_may_be_let_stay() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 3")
    pads.come(1_500 + LATE_MS, 3, "Anna blue 2")
    pads.wait()
    assert pads.piles == {"3": "blue 2"}
    assert pads.wrong == ["Take Ben's blue 3 off pad 3 and lay it again: it came too early, and fits by now."]
    pads.choose("let:3:")
    pads.wait()
    assert (pads.piles, pads.wrong) == ({"3": "blue 3"}, [])
    assert pads.told == ["Let Ben's blue 3 on pad 3 count."]


def test_a_wrong_card_lifted_and_laid_again_in_time_counts() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 3")
    pads.wait(4_000)
    pads.come(4_000, 3, "Anna blue 2")
    pads.go(5_000, 3, "Ben blue 3")
    pads.come(5_600, 3, "Ben blue 3")
    pads.wait()
    assert (pads.piles, pads.wrong) == ({"3": "blue 3"}, [])


def test_a_played_card_that_is_laid_once_more_elsewhere_is_wrong_there() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", "3 Anna blue 3", "4 Ben red 1")
    pads.wait(10_000)
    pads.go(10_000, 3, "Ben blue 2")
    pads.come(10_001 + RELAY_MS, 4, "Ben blue 2")
    pads.wait()
    assert pads.wrong == ["Take Ben's blue 2 off pad 4: it was played already, on pad 3."]
    assert pads.piles == {"3": "blue 3", "4": "red 1"}


def test_a_tag_that_nobody_knows_can_be_said_to_be_a_card() -> None:
    pads = Pads()
    pads.come(1_000, 3, STRANGER)
    pads.wait()
    assert (pads.doc["message"]["kind"], pads.doc["health"]["unknown_tags"]) == ("unexplained", 1)
    assert pads.lines() == []
    card = {"owner": "Anna", "colour": "blue", "value": 1}
    pads.act("correct", tag=STRANGER, card=card, by="Ben", note="its sticker was replaced")
    assert (pads.piles, pads.wrong) == ({"3": "blue 1"}, [])
    pads.wait()
    assert pads.lines()[0]["card"] == card
    assert pads.told == [f"Said that tag {STRANGER} is Anna's blue 1."]
    pads.act("undo")
    pads.go(9_000, 3, STRANGER)
    pads.come(12_000, 4, STRANGER)
    assert [wrong["uid"] for wrong in pads.doc["wrong"]] == [STRANGER]


def test_a_tag_that_is_no_card_may_lie_where_it_lies() -> None:
    pads = Pads()
    pads.come(1_000, 3, STRANGER)
    pads.choose("rest:3:")
    assert pads.wrong == []
    assert (pads.doc["message"], pads.doc["health"]["ignored"]) == (None, {"3": 1})
    assert pads.told == [f"Said that the tag {STRANGER} on pad 3 does not count."]
    pads.lay(2_000, "3 Anna blue 1")
    assert pads.piles == {"3": "blue 1"}


@pytest.mark.parametrize(
    "card",
    [
        {"owner": "Zoe", "colour": "blue", "value": 1},
        {"owner": "Anna", "colour": "pink", "value": 1},
        {"owner": "Anna", "colour": "blue", "value": 11},
        {"owner": "Anna", "colour": "blue", "value": True},
        {"owner": "Anna", "colour": "blue"},
        "Anna blue 1",
    ],
)
def test_a_tag_can_only_be_a_card_that_there_is(card: object) -> None:
    pads = Pads()
    pads.come(1_000, 3, STRANGER)
    assert pads.refused("correct", tag=STRANGER, card=card).malformed


def test_the_board_of_another_game_says_nothing_of_this_one() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1")
    pads.wait()
    before = pads.doc
    pads.observe(Snapshot(99, 0, 0, bytes(201)))
    pads.observe(Changes(99, (SensorChange(1, SensorId(5), 0, 2, 400),)))
    assert pads.doc == before


def test_of_very_many_wrong_cards_the_oldest_are_named_and_all_are_counted() -> None:
    pads = Pads()
    for number in range(130):
        pads.tell(1_000 + number, Sight.CAME, number % 48, f"04{number:012X}")
    doc = pads.doc
    assert (doc["wrong_count"], len(doc["wrong"]), len(doc["message"]["steps"])) == (130, 100, 100)
    assert len(doc["message"]["choices"]) == 100
    assert doc["message"]["text"].endswith(" 129 other cards must go as well.")
    assert doc["health"]["unknown_tags"] == 130
