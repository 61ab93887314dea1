"""What people correct afterwards: lines of the record, in any round; what is taken back and done again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.ligretto.pads import STRANGER, Pads

from tablewire.table import Table


def card(owner: str, colour: str, value: int) -> dict[str, Any]:
    """A card as a record writes it."""
    return {"owner": owner, "colour": colour, "value": value}


def three_cards(**options: Any) -> Pads:
    """Blue 1 of Anna, blue 2 of Ben, blue 3 of Anna on pad 3; all is settled."""
    pads = Pads(**options)
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", "3 Anna blue 3")
    pads.wait(4_000)
    return pads


def test_a_line_is_replaced_and_everything_after_it_is_judged_again() -> None:
    pads = three_cards()
    preview = pads.act("correct", n=2, line={"pad": 4, "card": card("Ben", "blue", 2)}, preview=True)[
        "preview"
    ]
    assert preview["possible"] is False
    assert preview["first_illegal"]["reasons"] == ["not_a_one"]
    preview = pads.act("correct", n=2, line={"pad": 4, "card": card("Ben", "red", 1)}, preview=True)[
        "preview"
    ]
    assert (preview["possible"], preview["lost"]) == (True, [3])
    assert preview["text"] == "Line 3 then is wrong."
    assert pads.piles == {"3": "blue 3"}
    pads.act("correct", n=2, line={"pad": 4, "card": card("Ben", "red", 1)}, by="Cleo", note="he said so")
    assert pads.piles == {"3": "blue 1", "4": "red 1"}
    assert pads.wrong == ["Take Anna's blue 3 off pad 3: the next card there is the blue 2."]
    assert pads.told == ["Line 2, Ben's blue 2 on pad 3, became Ben's red 1 on pad 4."]


def test_a_line_that_would_be_wrong_itself_is_refused_with_its_reason() -> None:
    pads = three_cards()
    refusal = pads.refused("correct", n=3, line={"pad": 3, "card": card("Anna", "blue", 7)})
    assert (refusal.reason, refusal.text) == (
        "would_be_illegal",
        "Anna's blue 7 on pad 3: wrong (wrong value).",
    )


def test_a_card_that_was_never_read_is_entered_where_it_belongs() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 3")
    pads.wait(6_000)
    assert len(pads.wrong) == 1
    pads.act("correct", do="insert", n=2, line={"pad": 3, "card": card("Ben", "blue", 2)})
    assert (pads.piles, pads.wrong, pads.played) == ({"3": "blue 3"}, [], {"Anna": 1, "Ben": 2})
    assert [line["t_ms"] for line in pads.lines()] == [1_000, 1_000, 1_400]
    assert pads.told == ["Line 2 came in: Ben's blue 2 on pad 3."]
    pads.act("undo")
    assert (pads.piles, len(pads.wrong)) == ({"3": "blue 1"}, 1)
    pads.act("redo")
    assert (pads.piles, pads.wrong) == ({"3": "blue 3"}, [])


def test_a_line_is_taken_out_and_comes_back() -> None:
    pads = three_cards()
    pads.act("correct", do="remove", n=3)
    assert (pads.piles, pads.wrong) == ({"3": "blue 2"}, [])
    # It lies there still; it counts again when it is lifted and laid.
    pads.go(5_000, 3, "Anna blue 3")
    pads.come(8_000, 3, "Anna blue 3")
    pads.wait()
    assert pads.piles == {"3": "blue 3"}
    pads.act("undo")
    assert len(pads.lines()) == 4
    assert pads.told[-1] == "Took back that line 3 was taken out."


def test_a_decision_still_names_its_pair_when_lines_before_it_come_and_go() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Ben blue 4", "4 Anna red 1")
    pads.come(3_000, 5, "Anna green 1")
    pads.come(3_010, 5, "Ben green 1")
    pads.act("decide", n=3, winner="Ben")
    pads.act("correct", do="remove", n=1)
    assert pads.lines()[-1] == {"decide": 2, "winner": "Ben"}
    assert pads.played == {"Anna": 1, "Ben": 1}
    pads.act("undo")
    assert pads.lines()[-1] == {"decide": 3, "winner": "Ben"}
    pads.act("correct", do="insert", n=1, line={"pad": 9, "card": card("Ben", "yellow", 1)})
    assert pads.lines()[-1] == {"decide": 4, "winner": "Ben"}
    # Without one of the two there was nothing to decide.
    pads.act("correct", do="remove", n=5)
    assert [line for line in pads.lines() if "decide" in line] == [{"decide": 4, "winner": "Ben"}]
    assert pads.doc["log"][-1]["legal"] is False


def test_an_earlier_round_is_corrected_and_the_totals_follow() -> None:
    pads = three_cards(rounds=3)
    pads.press(5_000, 0)
    pads.act("left", left={"Anna": 0, "Ben": 4})
    for spoken in ("Anna blue 1", "Ben blue 2", "Anna blue 3"):
        pads.go(6_000, 3, spoken)
    pads.act("next_round")
    pads.lay(9_000, "7 Ben red 1")
    pads.wait()
    preview = pads.act("correct", n=5, line={"left": {"Anna": 0, "Ben": 2}}, preview=True)["preview"]
    assert preview["totals"] == {"Anna": 2, "Ben": -3}
    pads.act("correct", n=5, line={"left": {"Anna": 0, "Ben": 2}})
    assert pads.doc["totals"] == {"Anna": 2, "Ben": -3}
    assert (pads.piles, pads.doc["round"]) == ({"7": "red 1"}, 2)
    pads.act("undo")
    assert pads.doc["totals"] == {"Anna": 2, "Ben": -7}


def test_a_removed_count_joins_what_it_parted() -> None:
    pads = three_cards(rounds=3)
    pads.press(5_000, 0)
    pads.act("left", left={"Anna": 0, "Ben": 4})
    pads.act("correct", do="remove", n=5)
    assert (pads.doc["phase"], pads.doc["history"], pads.piles) == ("playing", [], {"3": "blue 3"})


def test_the_end_of_a_game_can_be_corrected_away() -> None:
    pads = three_cards()
    pads.press(5_000, 0)
    pads.act("left", left={"Anna": 0, "Ben": 4})
    assert pads.doc["phase"] == "over"
    pads.act("undo")
    assert pads.doc["phase"] == "playing"
    pads.act("unstop")
    pads.lay(8_000, "3 Ben blue 4")
    assert pads.piles == {"3": "blue 4"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"n": 0, "line": {"pad": 3, "card": card("Ben", "blue", 2)}},
        {"n": 4, "line": {"pad": 3, "card": card("Ben", "blue", 2)}},
        {"n": True, "line": {"pad": 3, "card": card("Ben", "blue", 2)}},
        {"n": 2},
        {"n": 2, "line": {"pad": "three", "card": card("Ben", "blue", 2)}},
        {"n": 2, "line": {"pad": 3, "card": card("Ben", "blue", 2), "spin": 1}},
        {"n": 2, "do": "remove", "line": {"pad": 3, "card": card("Ben", "blue", 2)}},
        {"n": 2, "do": "swap"},
        {"n": 2, "do": ["remove"]},
        {"tag": "04", "card": card("Ben", "blue", 2)},
    ],
)
def test_a_correction_that_is_none_is_refused(body: dict[str, Any]) -> None:
    assert three_cards().refused("correct", **body).malformed


def test_a_time_that_would_fall_within_its_round_is_refused() -> None:
    pads = three_cards()
    line = {"t_ms": 9_000, "pad": 3, "card": card("Ben", "blue", 2)}
    refusal = pads.refused("correct", n=2, line=line)
    assert (refusal.reason, "t_ms" in refusal.text) == ("would_be_illegal", True)


def test_whoever_saw_other_line_numbers_is_told_so_but_cards_that_came_since_are_no_matter() -> None:
    pads = three_cards()
    pads.lay(4_100, "5 Ben red 1")
    pads.wait()
    pads.act("correct", n=3, do="remove", seen=3)
    assert pads.refused("correct", n=1, do="remove", seen=4).reason == "changed"
    assert pads.refused("undo", seen=99).reason == "changed"


def test_only_what_people_did_is_taken_back_not_what_the_readers_told() -> None:
    pads = three_cards()
    assert pads.refused("undo").reason == "nothing_to_undo"
    pads.act("round_stop", player="Anna")
    pads.lay(5_000, "3 Ben blue 4")
    pads.wait()
    assert len(pads.wrong) == 1
    pads.act("undo")
    # Without the stop the card was right.
    assert (pads.doc["stopped"], pads.wrong, pads.piles) == (None, [], {"3": "blue 4"})
    pads.act("redo")
    assert (pads.doc["stopped"]["by"], len(pads.wrong)) == ("Anna", 1)
    pads.act("unstop")
    pads.act("undo", count=2)
    assert pads.doc["undone"] == 2
    pads.act("redo", count=2)
    assert pads.doc["stopped"] is None
    assert pads.refused("undo", count=3).reason == "nothing_to_undo"
    assert pads.refused("redo").reason == "nothing_to_redo"
    assert pads.refused("undo", count=0).malformed


def test_a_tag_that_was_taught_as_a_wrong_card_is_taught_anew_and_counts_once() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", f"3 {STRANGER}")
    pads.wait()
    pads.act("correct", tag=STRANGER, card=card("Ben", "blue", 2))
    pads.wait()
    assert (pads.piles, pads.played) == ({"3": "blue 2"}, {"Anna": 1, "Ben": 1})
    pads.act("correct", tag=STRANGER, card=card("Anna", "blue", 2))
    pads.wait()
    assert (pads.piles, pads.played, pads.wrong) == ({"3": "blue 2"}, {"Anna": 2, "Ben": 0}, [])
    pads.act("correct", tag=STRANGER, card=card("Anna", "red", 7))
    pads.wait()
    assert (pads.piles, len(pads.lines())) == ({"3": "blue 1"}, 2)
    assert pads.wrong == ["Take Anna's red 7 off pad 3: the next card there is the blue 2."]
    pads.act("undo")
    assert (pads.piles, pads.wrong) == ({"3": "blue 2"}, [])


def test_a_tag_that_is_no_card_after_all_takes_its_line_with_it_and_brings_it_back() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", f"3 {STRANGER}")
    pads.wait()
    pads.act("correct", tag=STRANGER, card=card("Ben", "blue", 2))
    pads.wait()
    pads.lay(pads.now_ms, "3 Anna blue 3")
    pads.wait()
    pads.act("round_stop", player="Anna")
    before = pads.lines()
    pads.act("undo", count=2)
    assert (pads.piles, pads.played, len(pads.lines())) == ({"3": "blue 1"}, {"Anna": 1, "Ben": 0}, 2)
    assert any(STRANGER in text for text in pads.wrong)
    pads.act("redo", count=2)
    pads.wait()
    assert (pads.lines(), pads.wrong, pads.piles) == (before, [], {"3": "blue 3"})


def test_who_did_what_and_why_is_kept() -> None:
    pads = three_cards()
    pads.act("round_stop", player="Anna", by="Cleo", note="her button sticks")
    entry = pads.kept[-1]
    done = Table.begin(pads.pinned).intervention(entry)
    assert done is not None
    assert (done.by, done.note) == ("Cleo", "her button sticks")
    assert pads.refused("unstop", by="").malformed
    assert pads.refused("unstop", note="x" * 501).malformed


def test_what_this_game_has_not_is_refused() -> None:
    pads = three_cards()
    for name in ("pass", "place", "accept", "mask", "dance"):
        assert pads.refused(name).reason == "unknown_action"
    assert pads.table.legal() == {"player": None, "placements": []}
