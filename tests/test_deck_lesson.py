"""A deck is taught card by card: what is asked for, and every mistake a person makes, with what to do."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewire.games.ligretto.cards import FACES, Face
from tablewire.games.ligretto.decks import Deck, printed_deck
from tablewire.games.ligretto.lesson import FLICKER_MS, TOGETHER_MS, UNDO_MAX_COUNT, Lesson, Trouble

APART_MS = 600
"""How far apart a hand lays cards."""
RED = Deck("red")
UIDS = [f"04A1B2C3D4E5{n:02X}" for n in range(60)]


class Hand:
    """Lays cards on pads and lifts them, at the board's time."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.at_ms = 10_000

    def lay(self, uid: str, pad: int = 0, after_ms: int = APART_MS) -> Hand:
        self.at_ms += after_ms
        self.lesson = self.lesson.came(pad, uid, self.at_ms)
        return self

    def lift(self, uid: str, pad: int = 0, after_ms: int = APART_MS) -> Hand:
        self.at_ms += after_ms
        self.lesson = self.lesson.gone(pad, uid, self.at_ms)
        return self

    def do(self, what: str, *args: Face) -> Hand:
        changed = getattr(self.lesson, what)(*args)
        assert changed is not None
        self.lesson = changed
        return self

    @property
    def taught(self) -> list[tuple[str, str, int]]:
        return [(uid, *face) for uid, face in self.lesson.deck.tags.items()]

    @property
    def trouble(self) -> Trouble | None:
        return None if self.lesson.said is None else self.lesson.said.kind

    @property
    def words(self) -> str:
        assert self.lesson.said is not None
        return self.lesson.said.text


def test_the_cards_are_asked_for_colour_by_colour_from_one_to_ten() -> None:
    hand = Hand(Lesson.begin(RED))
    asked = []
    for uid in UIDS[:40]:
        assert hand.lesson.next is not None
        asked.append(tuple(hand.lesson.next))
        hand.lay(uid).lift(uid)
        assert hand.trouble is None
    assert asked == [(colour, n) for colour in ("red", "green", "yellow", "blue") for n in range(1, 11)]
    assert hand.lesson.next is None
    assert hand.lesson.deck.is_complete


def test_cards_may_be_laid_one_on_another() -> None:
    hand = Hand(Lesson.begin(RED))
    for uid in UIDS[:10]:
        hand.lay(uid)
    assert hand.taught == [(uid, "red", n) for n, uid in enumerate(UIDS[:10], 1)]
    assert hand.lesson.piled_count == 10


def test_a_card_that_is_taught_already_is_named_and_teaches_nothing() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0]).lift(UIDS[0]).lay(UIDS[1]).lift(UIDS[1]).lay(UIDS[0])
    assert hand.taught == [(UIDS[0], "red", 1), (UIDS[1], "red", 2)]
    assert hand.trouble is Trouble.AGAIN
    assert hand.words == "That is red 1: it is taught already."
    assert hand.lesson.next == Face("red", 3)
    assert hand.lay(UIDS[2]).trouble is None


def test_a_resting_card_that_is_missed_for_a_moment_is_no_card_laid_again() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0]).lay(UIDS[1])
    hand.lift(UIDS[0]).lay(UIDS[0], after_ms=FLICKER_MS)
    assert hand.trouble is None
    hand.lift(UIDS[0]).lay(UIDS[0], after_ms=FLICKER_MS + 1)
    assert hand.trouble is Trouble.AGAIN


def test_a_card_of_another_deck_is_named_and_stays_the_other_decks() -> None:
    other = Deck("Großmutter", {UIDS[9]: Face("blue", 4)})
    hand = Hand(Lesson.begin(RED, [other])).lay(UIDS[9])
    assert hand.words == 'That is blue 4 of the deck "Großmutter": take it away.'
    assert hand.taught == []
    assert hand.lift(UIDS[9]).lay(UIDS[0]).taught == [(UIDS[0], "red", 1)]


def test_a_lesson_on_a_deck_does_not_take_it_for_another() -> None:
    begun = Deck("red", {UIDS[0]: Face("red", 1)})
    hand = Hand(Lesson.begin(begun, [begun]))
    assert hand.lay(UIDS[0]).trouble is Trouble.AGAIN


@pytest.mark.parametrize("count", [2, 3])
def test_cards_laid_at_once_do_not_count_until_both_are_off_and_one_is_laid(count: int) -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0]).lift(UIDS[0])
    together = UIDS[1 : 1 + count]
    for n, uid in enumerate(together):
        hand.lay(uid, after_ms=20 if n else APART_MS)
    assert (hand.taught, hand.trouble) == ([(UIDS[0], "red", 1)], Trouble.TOGETHER)
    assert hand.words == "Two cards came at once: take both off, then lay one."
    for uid in together[:-1]:
        assert hand.lift(uid).trouble is Trouble.TOGETHER
    assert hand.lay(UIDS[8]).taught == [(UIDS[0], "red", 1)]
    hand.lift(UIDS[8]).lift(together[-1])
    assert hand.trouble is None
    assert hand.lay(together[-1]).taught == [(UIDS[0], "red", 1), (together[-1], "red", 2)]


def test_cards_laid_at_once_stay_so_while_one_of_them_is_missed_for_a_moment() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0]).lay(UIDS[1], after_ms=TOGETHER_MS)
    for uid in UIDS[:2]:
        hand.lift(uid, after_ms=100).lay(uid, after_ms=100)
    assert (hand.taught, hand.trouble) == ([], Trouble.TOGETHER)
    hand.lift(UIDS[0]).lift(UIDS[1]).lay(UIDS[0])
    assert hand.taught == [(UIDS[0], "red", 1)]


def test_a_quick_hand_is_no_two_cards_at_once() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0]).lay(UIDS[1], after_ms=TOGETHER_MS + 1)
    assert hand.taught == [(UIDS[0], "red", 1), (UIDS[1], "red", 2)]


def test_a_card_that_lay_there_before_counts_once_it_was_lifted() -> None:
    hand = Hand(Lesson.begin(RED, lying=[(3, UIDS[5])]))
    assert hand.words.startswith("On pad 3 lies a card that is not taught, and nobody saw it come")
    assert hand.lay(UIDS[0]).taught == [(UIDS[0], "red", 1)]
    hand.lift(UIDS[5], 3).lay(UIDS[5])
    assert hand.taught == [(UIDS[0], "red", 1), (UIDS[5], "red", 2)]


def test_several_cards_that_lay_there_are_counted_and_the_decks_own_are_no_trouble() -> None:
    begun = Deck("red", {UIDS[0]: Face("red", 1)})
    assert Lesson.begin(begun, lying=[(1, UIDS[0])]).said is None
    hand = Hand(Lesson.begin(begun, lying=[(1, UIDS[0]), (2, UIDS[1]), (3, UIDS[2])]))
    assert hand.words.startswith("2 cards lie there that nobody saw come")
    assert hand.lift(UIDS[1], 2).trouble is Trouble.LYING
    assert hand.lift(UIDS[2], 3).trouble is None


def test_a_card_seen_by_the_neighbouring_pad_as_well_is_one_card() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0], 4).lay(UIDS[0], 5, after_ms=15)
    assert (hand.taught, hand.trouble) == ([(UIDS[0], "red", 1)], None)
    hand.lift(UIDS[0], 4).lift(UIDS[0], 5, after_ms=40).lay(UIDS[1], 5)
    assert (hand.taught[-1], hand.trouble) == ((UIDS[1], "red", 2), None)


def test_where_one_pad_was_chosen_cards_on_the_others_mean_nothing() -> None:
    hand = Hand(Lesson.begin(RED, pad=2)).lay(UIDS[0], 1)
    assert (hand.taught, hand.trouble) == ([], None)
    assert hand.lift(UIDS[0], 1).lay(UIDS[0], 2).taught == [(UIDS[0], "red", 1)]


def test_a_telephone_is_no_card() -> None:
    hand = Hand(Lesson.begin(RED)).lay("08F1E2D3")
    assert hand.words.startswith("The number of that tag (08F1E2D3) changes each time")
    assert hand.taught == []


def test_a_number_that_no_tag_has_is_not_learnt() -> None:
    assert Hand(Lesson.begin(RED)).lay("04A1B2").taught == []


def test_undo_asks_for_the_card_again_and_its_tag_counts_once_it_was_lifted() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0]).lift(UIDS[0]).lay(UIDS[1]).do("undo")
    assert (hand.taught, hand.lesson.next) == ([(UIDS[0], "red", 1)], Face("red", 2))
    hand.lift(UIDS[1]).lay(UIDS[7]).lay(UIDS[1])
    assert hand.taught == [(UIDS[0], "red", 1), (UIDS[7], "red", 2), (UIDS[1], "red", 3)]
    assert hand.do("undo").do("undo").do("undo").taught == []
    assert hand.lesson.undo() is None


def test_a_card_that_was_taken_back_and_is_laid_too_soon_is_told_what_to_do() -> None:
    say = "The card on pad {} does not count yet: take it off for a second, then lay it again."
    # Its reader calls it gone only after it was laid on another pad.
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0], pad=0).do("undo")
    hand.lay(UIDS[0], pad=1, after_ms=300).lift(UIDS[0], pad=0, after_ms=100)
    assert (hand.taught, hand.words) == ([], say.format(1))
    assert hand.lift(UIDS[0], pad=1).trouble is None
    assert hand.lay(UIDS[0], pad=1).taught == [(UIDS[0], "red", 1)]
    # It is called gone at once, and laid at once.
    hand.do("undo").lift(UIDS[0], pad=1).lay(UIDS[0], pad=2, after_ms=FLICKER_MS)
    assert (hand.taught, hand.words) == ([], say.format(2))
    # Another card may be taught meanwhile, and then it is said again.
    assert hand.lay(UIDS[1], pad=3).trouble is None
    assert hand.lift(UIDS[1], pad=3).lay(UIDS[1], pad=3).trouble is Trouble.AGAIN
    hand.lay(UIDS[0], pad=4, after_ms=50).lift(UIDS[0], pad=2, after_ms=50)
    assert hand.words == say.format(4)
    assert hand.taught == [(UIDS[1], "red", 1)]


def test_a_card_that_is_left_out_is_asked_for_at_the_end() -> None:
    hand = Hand(Lesson.begin(RED)).do("skip")
    for uid in UIDS[1:40]:
        hand.lay(uid).lift(uid)
    assert (hand.lesson.next, hand.lesson.deck.missing) == (None, (Face("red", 1),))
    assert hand.lay(UIDS[50]).words.startswith("Only cards that were left out are missing")
    hand.lift(UIDS[50]).do("again")
    assert hand.lesson.next == Face("red", 1)
    assert hand.lay(UIDS[50]).lesson.deck.is_complete
    assert (hand.lesson.skip(), hand.lesson.again()) == (None, None)


def test_a_card_that_was_left_out_and_taught_after_all_is_not_missing() -> None:
    hand = Hand(Lesson.begin(RED)).do("skip").do("choose", FACES[0])
    for uid in UIDS[:40]:
        hand.lay(uid)
    assert hand.lesson.deck.is_complete
    hand.lay(UIDS[40])
    assert hand.words.startswith("Every card of the deck has its tag")
    assert hand.lesson.again() is None


def test_leaving_out_is_undone_like_a_card() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0]).do("skip")
    assert hand.lesson.next == Face("red", 3)
    assert hand.do("undo").lesson.next == Face("red", 2)
    assert hand.do("undo").lesson.next == Face("red", 1)


def test_a_card_with_a_new_sticker_forgets_the_old_one_only_when_the_new_one_comes() -> None:
    hand = Hand(Lesson.begin(printed_deck("red"))).do("choose", Face("blue", 7))
    old = hand.lesson.deck.uid_of(Face("blue", 7))
    assert (hand.lesson.next, hand.lesson.deck.is_complete) == (Face("blue", 7), True)
    hand.lay(UIDS[0])
    assert hand.lesson.deck.uid_of(Face("blue", 7)) == UIDS[0]
    assert old not in hand.lesson.deck.tags
    assert (len(hand.lesson.deck.tags), hand.lesson.next) == (40, None)
    assert hand.do("undo").lesson.deck.uid_of(Face("blue", 7)) == old


def test_the_card_that_was_asked_for_anew_may_be_right_after_all() -> None:
    hand = Hand(Lesson.begin(printed_deck("red"))).do("choose", Face("blue", 7))
    uid = hand.lesson.deck.uid_of(Face("blue", 7))
    assert uid is not None
    assert hand.lay(uid).words == "That is blue 7: it is taught already."
    assert hand.lesson.next is None


def test_two_cards_that_were_taught_the_wrong_way_round_are_put_right() -> None:
    # The cards of tags 0 and 1 are green 1 and red 10; they were laid the other way round.
    hand = Hand(Lesson.begin(Deck("red", {UIDS[0]: Face("red", 10), UIDS[1]: Face("green", 1)})))
    hand.do("choose", Face("red", 10)).lay(UIDS[1])
    assert hand.words == "That was green 1 until now, which is asked for again."
    hand.do("choose", Face("green", 1)).lay(UIDS[0])
    assert sorted(hand.taught) == [(UIDS[0], "green", 1), (UIDS[1], "red", 10)]


def test_a_choice_is_dropped_with_skip_and_nothing_is_left_out() -> None:
    hand = Hand(Lesson.begin(RED)).do("choose", Face("blue", 7)).do("skip")
    assert (hand.lesson.next, hand.lesson.skipped) == (Face("red", 1), frozenset())


def test_one_card_too_many_is_named() -> None:
    hand = Hand(Lesson.begin(printed_deck("red"))).lay(UIDS[0])
    assert hand.words.startswith("Every card of the deck has its tag")
    assert hand.lesson.deck == printed_deck("red")


def test_a_board_that_begins_anew_tells_what_lies_there_and_nothing_is_learnt_twice() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0]).lay(UIDS[1])
    hand.lesson = hand.lesson.anew().found(0, UIDS[0]).found(0, UIDS[1])
    assert (hand.taught, hand.trouble) == ([(UIDS[0], "red", 1), (UIDS[1], "red", 2)], None)
    hand.at_ms = -APART_MS + 10  # the board's clock begins at nothing
    assert hand.lay(UIDS[2]).taught[-1] == (UIDS[2], "red", 3)


def test_what_is_told_twice_means_the_same_as_once() -> None:
    hand = Hand(Lesson.begin(RED)).lay(UIDS[0])
    assert hand.lay(UIDS[0], after_ms=0).lesson == Hand(Lesson.begin(RED)).lay(UIDS[0]).lesson


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False))
def test_whatever_happens_a_deck_stays_a_deck(draw: random.Random) -> None:
    other = Deck("other", {UIDS[n]: FACES[n] for n in range(10, 20)})
    hand = Hand(Lesson.begin(RED, [other]))
    for _ in range(120):
        choice = draw.randrange(10)
        uid, pad, after_ms = draw.choice(UIDS), draw.randrange(3), draw.choice([5, 100, 300, 800])
        if choice < 5:
            hand.lay(uid, pad, after_ms)
        elif choice < 8 and hand.lesson.lying:
            pad, uid = draw.choice(sorted(hand.lesson.lying))
            hand.lift(uid, pad, after_ms)
        elif choice == 8:
            hand.lesson = hand.lesson.choose(draw.choice(FACES))
        else:
            hand.lesson = (
                draw.choice([hand.lesson.undo, hand.lesson.skip, hand.lesson.again])() or hand.lesson
            )
        faces = list(hand.lesson.deck.tags.values())
        assert len(set(faces)) == len(faces)
        assert not set(hand.lesson.deck.tags) & set(other.tags)
        assert len(hand.lesson.past) <= UNDO_MAX_COUNT
        assert {uid for _, uid in hand.lesson.lying} >= hand.lesson.held >= hand.lesson.parted
