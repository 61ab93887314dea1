"""Cards that were played and are no longer on the pads: all of them when a game is gone on with, or one."""

from __future__ import annotations

from typing import Any

from tests.table.ligretto.pads import NONCE, Pads, uid_of

from tablewire.entries import Entry, EntryKind
from tablewire.wire.observed import TagsLying, encode_observation

GONE_TEXT = (
    "The piles of this round (3 cards) are no longer on the pads. Build them up again as they are shown, or "
    "end the round: what was played counts either way."
)
TAKEN_TEXT = "Anna's blue 3 is no longer seen on pad 3. It counts; if somebody took it back, say so."


def three_cards() -> Pads:
    """Blue 1 of Anna, blue 2 of Ben, blue 3 of Anna on pad 3."""
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", "3 Anna blue 3")
    pads.wait(4_000)
    return pads


def asked(pads: Pads) -> Any:
    """The message, None where there is none."""
    return pads.doc["message"]


def resume(pads: Pads, *lying: tuple[int, str]) -> Pads:
    """The game was put aside and is gone on with, over what lies there now."""
    pads.lying = {(pad, uid_of(card)) for pad, card in lying}
    seen = TagsLying(NONCE, 50, 60_000, tuple(sorted(pads.lying)))
    at_ms = pads.table.lies.observe(seen).now_ms
    resumed = Entry(EntryKind.OBSERVATION, at_ms, {**encode_observation(seen), "resumed": True})
    pads.table, kept = pads.table.enter((resumed,))
    pads.kept += kept
    pads.check_restart()
    pads.number, pads.now_ms = 50, 60_000
    return pads


def test_a_round_that_is_gone_on_with_on_bare_pads_is_rebuilt_or_ended() -> None:
    pads = resume(three_cards())
    pads.wait(64_900)
    assert asked(pads) is None
    pads.wait(65_100)
    assert (asked(pads)["kind"], asked(pads)["text"]) == ("restore", GONE_TEXT)
    assert (asked(pads)["steps"], pads.wrong) == ([], [])
    # The first card of a pile that is built up again says that people know.
    pads.lay(70_000, "3 Anna blue 1", "3 Ben blue 2", "3 Anna blue 3")
    pads.wait(90_000)
    assert (asked(pads), pads.piles, len(pads.lines())) == (None, {"3": "blue 3"}, 3)
    pads.lay(91_000, "3 Ben blue 4")
    pads.wait()
    assert pads.piles == {"3": "blue 4"}


def test_the_round_whose_piles_are_gone_can_be_ended_and_what_was_played_counts() -> None:
    pads = resume(three_cards())
    pads.wait(66_000)
    pads.act("round_stop", player="blocked")
    assert asked(pads)["kind"] == "count"
    pads.act("left", left={"Anna": 1, "Ben": 2})
    # Two cards less one left, one card less two left.
    assert pads.doc["totals"] == {"Anna": 0, "Ben": -3}


def test_one_card_that_is_read_is_a_pile_that_lies_there() -> None:
    pads = resume(three_cards(), (3, "Anna blue 3"))
    pads.wait(80_000)
    assert asked(pads) is None


def test_a_board_that_was_off_while_the_pads_were_cleared_says_the_same() -> None:
    pads = three_cards()
    pads.lying = set()
    pads.boot()
    pads.wait(6_000)
    assert asked(pads)["text"] == GONE_TEXT


def test_a_new_card_in_a_new_place_ends_the_talk_of_the_piles() -> None:
    pads = resume(three_cards())
    pads.wait(66_000)
    pads.lay(67_000, "5 Ben red 1")
    pads.wait()
    assert asked(pads) is None
    # It is the one card that was seen to go.
    pads.go(70_000, 5, "Ben red 1")
    pads.wait(80_000)
    assert asked(pads)["text"].startswith("Ben's red 1 is no longer seen on pad 5.")


# One card off its pile


def test_a_card_that_its_owner_takes_back_counts_until_somebody_says_so() -> None:
    pads = three_cards()
    pads.go(5_000, 3, "Anna blue 3")
    pads.wait(10_900)
    assert asked(pads) is None
    pads.wait(11_100)
    assert (asked(pads)["kind"], asked(pads)["text"]) == ("restore", TAKEN_TEXT)
    assert (pads.piles, pads.played) == ({"3": "blue 3"}, {"Anna": 2, "Ben": 1})
    pads.choose("taken:3")
    assert (pads.piles, pads.played, asked(pads)) == ({"3": "blue 2"}, {"Anna": 1, "Ben": 1}, None)
    assert pads.told == ["Line 3, Anna's blue 3 on pad 3, was taken out."]
    # It may be played again, and what was said can be taken back.
    pads.lay(15_000, "3 Ben blue 3")
    pads.wait()
    assert (pads.piles, pads.played) == ({"3": "blue 3"}, {"Anna": 1, "Ben": 2})


def test_a_card_that_comes_back_or_is_covered_or_was_before_the_stop_is_no_matter() -> None:
    for deed in ("back", "covered", "stopped"):
        pads = three_cards()
        pads.go(5_000, 3, "Anna blue 3")
        match deed:
            case "back":
                pads.come(9_000, 3, "Anna blue 3")
            case "covered":
                pads.come(9_000, 3, "Ben blue 4")
            case _:
                pads.press(9_000, 0)
        pads.wait(20_000)
        message = asked(pads)
        assert message is None or message["kind"] == "count", deed
        assert pads.played["Anna"] == 2


def test_a_card_that_was_decided_about_is_not_offered_to_be_taken_out() -> None:
    pads = Pads()
    pads.come(1_000, 5, "Anna red 1")
    pads.come(1_010, 5, "Ben red 1")
    pads.wait()
    pads.act("decide", n=1, winner="Anna")
    pads.go(5_000, 5, "Ben red 1")
    pads.go(6_000, 5, "Anna red 1")
    pads.wait(20_000)
    assert (asked(pads), pads.played) == (None, {"Anna": 1, "Ben": 0})
