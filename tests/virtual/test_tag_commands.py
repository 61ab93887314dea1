"""The commands of a board with readers: what is read, what is refused, and what the refusal says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.virtual.tag_bench import state_of

from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.language import LINE_MAX_BYTES
from tablewire.wire.messages import BoardKind


def board() -> VirtualBoard:
    """With sixteen pads and four buttons, and one card on pad 3."""
    made = VirtualBoard(1, kind=BoardKind.LIGRETTO)
    made.do("lay red:blue:4 3")
    return made


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "an empty line"),
        ("place red 6", "no command is called place; there are lay, take, clear, move, press, wait"),
        ("lay", "lay CARDS PAD"),
        ("lay red:blue:5", "lay CARDS PAD"),
        ("lay red:blue 3", "OWNER:COLOUR:VALUE, such as red:blue:4"),
        ("lay red:pink:5 3", "no colour is called pink; there are red, green, yellow, blue"),
        ("lay red:blue:0 3", "values go from 1 to 10"),
        ("lay red:blue:11 3", "values go from 1 to 10"),
        ("lay red:blue:\N{ARABIC-INDIC DIGIT SIX} 3", "values go from 1 to 10"),
        ("lay :blue:4 3", "OWNER:COLOUR:VALUE"),
        ("lay 04A1B2 3", "OWNER:COLOUR:VALUE, such as red:blue:4, or a UID of 8 or 14 digits"),
        ("lay red:blue:5 16", "pad 16: from 0 to 15"),
        ("lay red:blue:5 -1", "pad -1: not a whole number"),
        ("lay red:blue:5 3,3", "one, or two different ones"),
        ("lay red:blue:5 3,4,5", "one, or two different ones"),
        ("lay red:blue:5,red:blue:5 3", "one is named twice"),
        ("lay red:blue:4 5", "red:blue:4 lies on pad 3 already: take it first"),
        ("lay red:blue:5 3 over", "only `over MS` may follow"),
        ("lay red:blue:5 3 dwell 30", "only `over MS` may follow"),
        ("take", "take CARDS"),
        ("take red:blue:5", "red:blue:5 lies on no pad"),
        ("take red:blue:4 from 5", "red:blue:4 lies on pad 3, not on 5"),
        ("take red:blue:4 from", "take CARDS [from PAD]"),
        ("clear", "clear PAD | all"),
        ("clear 5", "no card lies on pad 5"),
        ("clear 99", "pad 99: from 0 to 15"),
        ("move red:blue:4", "move CARD PAD"),
        ("move red:blue:5 4", "red:blue:5 lies on no pad"),
        ("press", "press BUTTON [MS]"),
        ("press 4", "button 4: from 0 to 3"),
        ("press 0 soon", "time soon: not a whole number"),
        ("fault chatter", "no fault is called chatter; there are drop:"),
        ("fault nudge pad=5", "no card lies on 5"),
        ("fault nudge pad=16", "pad=16: pads from 0 to 15"),
        ("fault missed-reads how=often", "how=often: one of chance, turn"),
        ("fault missed-reads garbled=101", "garbled=101: from 0 to 100"),
        ("fault cross-read from=3", "cross-read has no setting from; it has pad, by, percent, seed"),
        ("lay " + "red:blue:5," * 400 + " 3", f"at most {LINE_MAX_BYTES} bytes"),
    ],
)
def test_a_bad_line_is_answered_with_what_is_wrong(line: str, words: str) -> None:
    """One line, and nothing on the table has changed."""
    made = board()
    answer = made.command(line).answer
    assert answer is not None
    assert answer.startswith("error ")
    assert words in answer
    assert "\n" not in answer
    assert state_of(made)["pads"] == {"3": ["red:blue:4"]}


@settings(max_examples=50)
@given(line=st.text(max_size=200))
def test_any_line_is_answered_or_waits(line: str) -> None:
    """Nothing typed brings the board down."""
    made = board()
    ticket = made.command(line)
    made.advance(10)
    assert ticket.answer is None or ticket.answer.split()[0] in ("ok", "error")


WORDS = st.sampled_from(
    [
        *("lay", "take", "clear", "move", "press", "fault", "over", "from", "all", "off"),
        *("3", "4,5", "200", "pad=3", "nudge", "cross-read", "between"),
        *("red:blue:4", "red:blue:5", "green:red:1,red:red:1", "04A1B2C3D4E5F6"),
    ]
)


@settings(max_examples=50)
@given(lines=st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), max_size=8))
def test_lines_of_known_words_are_answered_and_no_card_lies_twice(lines: list[str]) -> None:
    made = board()
    for line in lines:
        assert made.do(line)[0].split()[0] in ("ok", "error")
    pads = state_of(made)["pads"]
    assert isinstance(pads, dict)
    cards = [card for names in pads.values() for card in names]
    assert len(cards) == len(set(cards))


def test_a_card_can_be_taken_by_its_number_and_from_its_pad() -> None:
    made = board()
    assert made.do("lay 04a1b2c3d4e5f6 2", "take 04A1B2C3D4E5F6", "take red:blue:4 from 3") == ["ok"] * 3
    assert state_of(made)["pads"] == {}


def test_two_hands_that_lay_one_card_lay_it_once() -> None:
    """The one that lets go first; a card is in one place."""
    made = board()
    made.command("lay green:red:1,green:red:2 4 over 50", hand=1)
    made.do("lay green:red:2 5", "wait 100", hand=2)
    assert state_of(made)["pads"] == {"3": ["red:blue:4"], "4": ["green:red:1"], "5": ["green:red:2"]}


def test_faults_are_listed_as_they_were_given() -> None:
    made = board()
    answers = made.do(
        "fault missed-reads 30", "fault cross-read pad=3 by=4", "fault list", "fault off all", "fault list"
    )
    assert answers[0] == "ok"
    assert answers[2] == (
        "ok missed-reads percent=30.0 garbled=0.0 how=chance ms=0; cross-read pad=3 by=4 percent=100.0"
    )
    assert answers[3:] == ["ok", "ok"]


def test_help_says_how_every_command_is_written() -> None:
    """Those that move cards, and those that every board has; `fault help` does so for faults."""
    (answer,) = board().do("help")
    usages = answer.removeprefix("ok ").split("; ")
    assert usages[:2] == ["lay CARDS PAD [over MS] | lay CARD PAD,PAD", "take CARDS [from PAD] [over MS]"]
    (answer,) = board().do("juggle")
    assert [usage.split()[0] for usage in usages] == answer.split("there are ")[1].split(", ")
    (answer,) = board().do("fault help")
    assert "cross-read: percent of the cards laid on pad are read by a neighbour too (pad=any" in answer
