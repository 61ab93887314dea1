"""One card that two readers tell of, cards pushed from pad to pad, and cards laid in the same moment."""

from __future__ import annotations

import pytest
from tests.table.ligretto.pads import Pads

from tablewire.games.ligretto.sensing import ARBITRATE_MS, ASTRAY_MS, LINGER_MS, MOVE_MS


def test_a_card_read_by_the_next_pad_too_lies_where_it_may() -> None:
    for first, second in ((3, 4), (4, 3)):
        pads = Pads()
        pads.lay(1_000, "3 Anna blue 1", "4 Ben red 1")
        pads.come(3_000, first, "Ben blue 2")
        pads.come(3_000 + ARBITRATE_MS // 2, second, "Ben blue 2")
        assert pads.wrong == []
        pads.wait()
        assert (pads.piles, pads.wrong) == ({"3": "blue 2", "4": "red 1"}, [])
        assert len(pads.lines()) == 3


def test_a_pad_that_reads_a_neighbours_card_later_is_not_believed_but_counted() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1")
    for at_ms in (3_000, 6_000, 9_000):
        pads.come(at_ms, 4, "Anna blue 1")
        pads.wait(at_ms + 1_000)
        pads.go(at_ms + 1_500, 4, "Anna blue 1")
    pads.wait()
    assert (pads.piles, pads.wrong, len(pads.lines())) == ({"3": "blue 1"}, [], 1)
    assert pads.doc["health"]["ghosts"] == 3


def test_a_wrong_card_read_by_the_next_pad_too_is_asked_away_once() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Ben blue 4")
    pads.come(1_080, 4, "Ben blue 4")
    pads.wait(5_000)
    pads.come(5_000, 2, "Ben blue 4")
    pads.wait()
    assert [wrong["pad"] for wrong in pads.doc["wrong"]] == [3]
    assert len(pads.lines()) == 1


def test_a_card_that_could_lie_on_either_pad_is_asked_about_when_both_go_on_reading_it() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Anna blue 1")
    pads.come(1_060, 4, "Anna blue 1")
    assert (pads.piles, pads.doc["message"]) == ({"3": "blue 1"}, None)
    pads.wait(1_100 + LINGER_MS)
    message = pads.doc["message"]
    assert message["text"] == "Pads 3 and 4 read the same card: where does it lie?"
    assert [choice["text"] for choice in message["choices"]] == [
        "Anna's blue 1 lies on pad 3",
        "Anna's blue 1 lies on pad 4",
    ]
    pads.act("choose", id="place:1:4", by="Ben")
    assert (pads.piles, pads.doc["message"]) == ({"4": "blue 1"}, None)
    pads.act("undo")
    assert pads.piles == {"3": "blue 1"}
    pads.act("choose", id="place:1:3")
    assert (pads.piles, pads.doc["message"]) == ({"3": "blue 1"}, None)


def test_the_card_laid_next_tells_on_which_pad_the_one_below_lies() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Anna blue 1")
    pads.come(1_060, 4, "Anna blue 1")
    pads.come(1_500, 4, "Ben blue 2")
    pads.wait()
    assert (pads.piles, pads.wrong, pads.doc["message"]) == ({"4": "blue 2"}, [], None)
    assert [line["pad"] for line in pads.lines()] == [4, 4]


def test_nobody_is_asked_once_a_card_lies_on_it() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Anna blue 1")
    pads.come(1_060, 4, "Anna blue 1")
    pads.come(1_500, 3, "Ben blue 2")
    pads.wait()
    assert (pads.doc["message"], pads.piles) == (None, {"3": "blue 2"})


def test_a_card_pushed_to_the_next_pad_at_once_lies_there() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1")
    pads.wait(2_000)
    pads.go(2_000, 3, "Anna blue 1")
    pads.come(2_300, 4, "Anna blue 1")
    pads.wait()
    assert (pads.piles, pads.wrong, len(pads.lines())) == ({"4": "blue 1"}, [], 1)


def test_a_card_whose_own_pad_loses_it_first_goes_with_the_pad_that_still_reads_it() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Anna blue 1")
    pads.wait(1_400)
    pads.come(1_400, 4, "Anna blue 1")
    pads.wait(2_000)
    assert pads.piles == {"3": "blue 1"}
    pads.go(2_000, 3, "Anna blue 1")
    pads.wait(2_100 + LINGER_MS + ARBITRATE_MS)
    assert (pads.piles, pads.wrong) == ({"4": "blue 1"}, [])


def test_a_wrong_card_that_another_pad_reads_where_it_fits_is_laid_there_whenever_that_is_told() -> None:
    for after_ms in (200, 6_400):
        pads = Pads()
        pads.lay(1_000, "3 Anna blue 1", "4 Ben red 1")
        pads.come(3_000, 4, "Ben blue 2")
        pads.wait(3_000 + after_ms)
        assert len(pads.wrong) == 1
        pads.come(3_000 + after_ms, 3, "Ben blue 2")
        assert (pads.wrong, pads.piles) == ([], {"3": "blue 2", "4": "red 1"})
        pads.wait()
        assert (pads.wrong, pads.piles) == ([], {"3": "blue 2", "4": "red 1"})


@pytest.mark.parametrize("turn_ms", [300, 700, 1_900])
@pytest.mark.parametrize("overlaps", [True, False])
def test_a_card_that_lies_between_two_pads_stays_where_it_fits(overlaps: bool, turn_ms: int) -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "4 Ben red 1")
    pads.come(3_000, 3, "Ben blue 2")
    near, far = 3, 4
    for at_ms in range(3_600, 12_000, turn_ms):
        if overlaps:
            pads.come(at_ms, far, "Ben blue 2")
            pads.go(at_ms + 40, near, "Ben blue 2")
        else:
            pads.go(at_ms, near, "Ben blue 2")
            pads.come(at_ms + 40, far, "Ben blue 2")
        near, far = far, near
        pads.wait(at_ms + 100)
        assert (pads.wrong, pads.piles) == ([], {"3": "blue 2", "4": "red 1"})
    pads.wait()
    assert len(pads.lines()) == 3


def test_a_card_that_lies_between_two_pads_is_not_asked_off_the_one_where_it_was_wrong_first() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1")
    pads.come(3_000, 3, "Ben red 1")
    pads.wait(3_400)
    pads.come(3_400, 4, "Ben red 1")
    pads.wait(4_000)
    assert pads.piles == {"3": "blue 1", "4": "red 1"}
    for at_ms in range(4_000, 9_000, 1_000):
        pads.go(at_ms, 4, "Ben red 1")
        pads.wait(at_ms + 500)
        assert (pads.wrong, pads.doc["message"]) == ([], None)
        pads.come(at_ms + 500, 4, "Ben red 1")
    pads.go(9_000, 4, "Ben red 1")
    pads.wait(9_100 + ASTRAY_MS)
    assert pads.doc["message"]["text"] == "Ben's red 1 was played on pad 4 and lies on pad 3: put it back."
    assert (pads.wrong, pads.played) == ([], {"Anna": 1, "Ben": 1})


def test_a_card_laid_on_a_wrong_pad_that_the_next_one_read_where_it_fits_is_asked_over() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "4 Ben red 1")
    pads.come(3_000, 3, "Ben blue 2")
    pads.come(3_050, 4, "Ben blue 2")
    pads.wait(3_500)
    pads.go(3_500, 3, "Ben blue 2")
    pads.wait(3_600 + ASTRAY_MS)
    assert (pads.piles, pads.played) == ({"3": "blue 2", "4": "red 1"}, {"Anna": 1, "Ben": 2})
    assert pads.doc["message"]["text"] == "Ben's blue 2 was played on pad 3 and lies on pad 4: put it back."


def test_a_card_lifted_between_two_readers_is_gone_from_both_whichever_notices_first() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Ben blue 7")
    pads.wait(2_000)
    pads.come(2_000, 4, "Ben blue 7")
    pads.go(5_000, 3, "Ben blue 7")
    pads.go(5_000 + LINGER_MS // 2, 4, "Ben blue 7")
    pads.wait()
    assert (pads.wrong, len(pads.lines())) == ([], 1)


def test_a_wrong_card_that_slides_to_another_pad_is_asked_away_there() -> None:
    pads = Pads()
    pads.come(1_000, 3, "Ben blue 7")
    pads.wait(2_000)
    pads.come(2_000, 4, "Ben blue 7")
    pads.go(2_200, 3, "Ben blue 7")
    pads.wait()
    assert [wrong["pad"] for wrong in pads.doc["wrong"]] == [4]


def test_a_pile_pushed_to_another_pad_long_after_is_asked_back_and_nobody_is_blamed() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2")
    pads.wait(5_000 + MOVE_MS)
    for card in ("Anna blue 1", "Ben blue 2"):
        pads.go(9_000, 3, card)
    for card in ("Anna blue 1", "Ben blue 2"):
        pads.come(9_400, 5, card)
    pads.wait(9_500 + ASTRAY_MS)
    assert (pads.wrong, len(pads.lines())) == ([], 2)
    message = pads.doc["message"]
    assert message["kind"] == "restore"
    assert message["text"] == (
        "Anna's blue 1 was played on pad 3 and lies on pad 5: put it back. 1 other card must go back too."
    )
    assert [(step["do"], step["pad"]) for step in message["steps"]] == [("lift", 5), ("place", 3)] * 2
    for card in ("Anna blue 1", "Ben blue 2"):
        pads.go(14_000, 5, card)
    for card in ("Anna blue 1", "Ben blue 2"):
        pads.come(14_400, 3, card)
    pads.wait()
    assert (pads.doc["message"], pads.piles, pads.played) == (None, {"3": "blue 2"}, {"Anna": 1, "Ben": 1})


def test_a_card_that_later_cards_lie_on_is_not_moved_under_them() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", every_ms=200)
    pads.go(2_000, 3, "Anna blue 1")
    pads.come(2_100, 5, "Anna blue 1")
    pads.wait(2_200 + ASTRAY_MS)
    assert (pads.piles, pads.wrong) == ({"3": "blue 2"}, [])
    assert pads.doc["message"]["kind"] == "restore"


def test_two_equal_cards_in_one_scan_are_undecided_until_a_person_says_who_was_first() -> None:
    pads = Pads("Anna", "Ben", "Cleo")
    pads.lay(1_000, "5 Cleo red 1")
    pads.come(2_000, 5, "Anna red 2")
    pads.come(2_030, 5, "Ben red 2")
    (group,) = pads.doc["undecided"]
    assert (group["id"], group["players"], group["pad"]) == ("decide:2", ["Anna", "Ben"], 5)
    assert pads.doc["message"]["text"] == (
        "Anna and Ben laid the red 2 on pad 5 in the same moment: who was first?"
    )
    assert (pads.piles, pads.played) == ({"5": "red 2"}, {"Anna": 0, "Ben": 0, "Cleo": 1})
    pads.wait()
    # The game goes on over an open question.
    pads.come(9_000, 5, "Cleo red 3")
    pads.wait()
    assert pads.piles == {"5": "red 3"}
    pads.act("choose", id="decide:2:Ben", by="Cleo", note="she saw it")
    assert (pads.doc["undecided"], pads.played) == ([], {"Anna": 0, "Ben": 1, "Cleo": 2})
    assert pads.wrong == ["Take Anna's red 2 off pad 5: Ben was first."]
    assert pads.told == ["Decided that Ben was first with the red 2 on pad 5, before Anna."]
    pads.go(14_000, 5, "Anna red 2")
    assert pads.wrong == []
    pads.lay(15_000, "6 Ben red 1", "6 Anna red 2")
    assert (pads.wrong, pads.piles) == ([], {"5": "red 3", "6": "red 2"})


def test_a_decision_can_be_taken_back_and_made_the_other_way() -> None:
    pads = Pads()
    pads.come(1_000, 5, "Anna red 1")
    pads.come(1_010, 5, "Ben red 1")
    pads.act("decide", n=2, winner="Anna")
    assert pads.played == {"Anna": 1, "Ben": 0}
    pads.act("undo")
    assert len(pads.doc["undecided"]) == 1
    pads.act("decide", n=1, winner="Ben")
    assert (pads.played, pads.doc["undone"]) == ({"Anna": 0, "Ben": 1}, 0)
    assert pads.refused("decide", n=1, winner="Anna").reason == "not_undecided"


def test_a_decision_names_one_of_those_who_came_together() -> None:
    pads = Pads("Anna", "Ben", "Cleo")
    pads.come(1_000, 5, "Anna red 1")
    pads.come(1_010, 5, "Ben red 1")
    assert pads.refused("decide", n=1, winner="Cleo").reason == "wrong_winner"
    assert pads.refused("decide", n=9, winner="Anna").reason == "not_undecided"
    assert pads.refused("choose", id="decide:1:Cleo").reason == "no_such_choice"


def test_the_boards_clock_decides_who_was_first_beyond_one_scan() -> None:
    pads = Pads()
    pads.come(1_000, 5, "Anna red 1")
    pads.come(1_041, 5, "Ben red 1")
    pads.wait()
    assert (pads.doc["undecided"], pads.played) == ([], {"Anna": 1, "Ben": 0})
    assert pads.doc["wrong"][0]["player"] == "Ben"


def test_three_pads_that_read_one_card_are_asked_about_once_each_and_one_card_at_a_time() -> None:
    pads = Pads()
    for at_ms, pad in ((1_000, 2), (1_300, 1), (1_500, 3)):
        pads.come(at_ms, pad, "Anna blue 1")
    pads.come(1_600, 8, "Ben red 1")
    pads.come(1_900, 9, "Ben red 1")
    pads.wait()
    message = pads.doc["message"]
    asked = "read the same card: where does it lie?"
    assert message["text"] == f"Pads 1, 2 and 3 {asked} 1 other card waits for the same."
    assert [choice["id"] for choice in message["choices"]] == ["place:1:1", "place:1:2", "place:1:3"]
    pads.act("choose", id="place:1:3")
    assert pads.doc["message"]["text"] == f"Pads 8 and 9 {asked}"
    pads.act("choose", id="place:2:8")
    pads.wait()
    assert (pads.piles, pads.doc["message"]) == ({"3": "blue 1", "8": "red 1"}, None)


def test_two_cards_laid_as_one_that_the_next_pad_reads_too_lie_where_both_were_laid() -> None:
    """The neighbour tells of the upper one first, before anybody has read the lower one."""
    for later_ms in (10, 210):
        pads = Pads()
        pads.come(1_000, 8, "Ben red 2")
        pads.come(1_005, 4, "Ben red 2")
        pads.come(1_000 + later_ms, 4, "Anna red 1")
        pads.wait()
        assert (pads.piles, pads.wrong, pads.doc["message"]) == ({"4": "red 2"}, [], None)


def test_a_card_that_did_not_count_and_is_moved_in_one_go_counts_where_it_is_laid() -> None:
    """The other reader has it before its own one has noticed that it is gone."""
    pads = Pads(lying={4: "Anna red 1"})
    pads.lay(1_000, "3 Ben blue 1")
    pads.come(3_000, 5, "Anna red 1")
    pads.go(3_400, 4, "Anna red 1")
    pads.wait()
    assert (pads.piles, pads.wrong, pads.doc["health"]["resting"]) == ({"3": "blue 1", "5": "red 1"}, [], {})


def test_a_card_that_did_not_count_and_is_taken_off_counts_nowhere_whoever_reads_it_besides() -> None:
    pads = Pads(lying={4: "Anna red 1"})
    pads.lay(1_000, "3 Ben blue 1")
    pads.come(3_000, 5, "Anna red 1")
    pads.go(5_000, 4, "Anna red 1")
    pads.go(5_000 + LINGER_MS - 1, 5, "Anna red 1")
    pads.wait()
    assert (pads.piles, len(pads.lines())) == ({"3": "blue 1"}, 1)
