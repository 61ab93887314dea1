"""The command language: what is read, what is refused, and that the refusal says what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.virtual.bench_table import meet

from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.language import LINE_MAX_BYTES


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "an empty line"),
        ("   ", "an empty line"),
        ("plaice red 6", "no command is called plaice"),
        ("place", "place COLOUR SPACES"),
        ("place red", "place COLOUR SPACES"),
        ("place blue 6", "no colour is called blue"),
        ("place red 0", "space 0: from 1 to 165"),
        ("place red 166", "space 166: from 1 to 165"),
        ("place red 6,6", "named twice"),
        ("place red 6,,7", "not a whole number"),
        ("place red 6 7", "only `over MS` may follow"),
        ("place red 6 over", "only `over MS` may follow"),
        ("place red 6 over -5", "time -5: not a whole number"),
        ("place red 6 over 99999999", "time 99999999: from 0"),
        ("place red \N{ARABIC-INDIC DIGIT SIX}", "not a whole number"),
        ("place RED 6", "no colour is called RED"),
        ("lift", "lift SPACES"),
        ("lift 9", "nothing lies on 9"),
        ("nudge 9 100", "nothing lies on 9"),
        ("nudge 9", "nudge SPACES MS"),
        ("press", "press SPACES"),
        ("press 9", "nothing lies on 9"),
        ("slide red 6", "slide COLOUR FROM TO"),
        ("slide red 6 6", "follows itself"),
        ("peg red 7", "hole 7: one of 0, 5"),
        ("peg red 45", "hole 45: from 0 to 40"),
        ("magnet 201 2", "sensor 201: from 0 to 200"),
        ("magnet 20 5", "class 5: from 0 to 4"),
        ("sensor 20", "sensor SENSOR ok | stuck CLASS | chatter HZ"),
        ("sensor 20 broken", "sensor SENSOR ok | stuck CLASS | chatter HZ"),
        ("sensor 20 chatter 0", "frequency 0: from 1"),
        ("wait", "wait MS"),
        ("wait soon", "time soon: not a whole number"),
        ("speed warp", "speed real | fast"),
        ("state now", "state stands alone"),
        ("fault", "fault NAME"),
        ("fault gremlins", "no fault is called gremlins"),
        ("fault off", "fault off NAME"),
        ("fault off gremlins", "no fault is called gremlins"),
        ("fault drop percent=150", "percent=150: from 0 to 100"),
        ("fault drop percent=nan", "percent=nan: from 0 to 100"),
        ("fault drop speed=3", "drop has no setting speed; it has percent, seed, to"),
        ("fault drop to=moon", "to=moon: one of host, board, both"),
        ("fault mtu 22", "n=22: from 23 to 517"),
        ("fault mute soon", "mute has no setting soon"),
        ("fault nudge ms=800-20", "ms=800-20: the lower number comes first"),
        ("fault nudge ms=20-", "ms=: not a number"),
        ("fault nudge at=6,166", "at=6,166: spaces from 1 to 165"),
        ("fault nudge at=6", "nothing lies on 6"),
        ("fault nudge", "nothing lies on the board"),
        ("fault stranger colour=pink", "colour=pink: one of purple, red, green, yellow, any"),
        ("fault half-seated reads=strong", "reads=strong: one of nothing, weak"),
        ("fault half-seated at=6", "nothing lies on 6"),
        ("place red " + "6" * LINE_MAX_BYTES, "at most"),
    ],
)
def test_a_bad_line_is_answered_with_what_is_wrong(line: str, words: str) -> None:
    """One line, and nothing on the table has changed."""
    board = VirtualBoard(1)
    answer = board.command(line).answer
    assert answer is not None
    assert answer.startswith("error ")
    assert words in answer
    assert "\n" not in answer
    assert board.state()["spaces"] == {}


@given(line=st.text(max_size=200))
def test_any_line_is_answered_or_waits(line: str) -> None:
    """Nothing typed brings the board down."""
    board = VirtualBoard(1)
    ticket = board.command(line)
    board.advance(10)
    assert ticket.answer is None or ticket.answer.split()[0] in ("ok", "error")


def test_a_piece_cannot_be_put_where_one_lies() -> None:
    """Two magnets do not fit on a space; the answer says what to do."""
    bench = meet(VirtualBoard(1))
    assert bench.do("place red 6,7", "place green 7,8") == [
        "ok",
        "error a piece lies on 7 already: lift it first",
    ]
    assert bench.lying() == {5: 2, 6: 2}


def test_faults_are_listed_as_they_were_given() -> None:
    """`fault list` shows what is on, `fault off` ends it."""
    board = VirtualBoard(1)
    answers = board.do(
        "fault drop percent=2 to=host", "fault mtu 185", "fault list", "fault off drop", "fault list"
    )
    assert answers == ["ok", "ok", "ok drop percent=2.0 to=host; mtu n=185", "ok", "ok mtu n=185"]
