"""Bytes sent at one rate and heard at another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewire.virtual.uart import resample


@given(st.binary(max_size=40))
def test_at_one_rate_nothing_changes(data: bytes) -> None:
    assert resample(data, 500_000, 500_000) == data


@given(st.binary(max_size=40), st.sampled_from([485_000, 490_000, 511_000, 515_000]))
def test_three_percent_apart_nothing_changes(data: bytes, sampled_baud: int) -> None:
    """Half a bit in ten is what a UART bears: five percent."""
    assert resample(data, 500_000, sampled_baud) == data


@pytest.mark.parametrize("sampled_baud", [460_800, 550_000, 250_000, 1_000_000, 115_200, 9_600])
def test_further_apart_a_text_is_not_what_it_was(sampled_baud: int) -> None:
    text = b"tablewire" * 4
    assert resample(text, 500_000, sampled_baud) != text


@pytest.mark.parametrize(
    ("sent", "sent_baud", "sampled_baud", "heard"),
    [
        # Heard twice as fast, each bit is seen twice. A start and four low bits fill a byte and its stop bit,
        # which is missing; the four high ones are taken for a line at rest.
        (b"\xf0", 250_000, 500_000, b"\x00"),
        # 55 is start 0, then 1 0 1 0 1 0 1 0, stop 1. Seen twice: 0 0 1 1 0 0 1 1 0 0 1 1 0 0 1 1 0 0 1 1,
        # which is start, 0 1 1 0 0 1 1 0, no stop; and from the next fall: start, 0 1 1 0 0 1 1 1, stop.
        (b"\x55", 250_000, 500_000, b"\x66\xe6"),
        # Nine low bits, seen every two and a half bits from 1.25 on: start, low at 3.75, 6.25 and 8.75, then
        # high.
        (b"\x00", 500_000, 200_000, b"\xf8"),
    ],
)
def test_by_hand(sent: bytes, sent_baud: int, sampled_baud: int, heard: bytes) -> None:
    """Drawn on paper: where the edges are, and what is seen in the middle of the receiver's bits."""
    assert resample(sent, sent_baud, sampled_baud) == heard


def test_a_false_start_is_no_byte() -> None:
    """A single low bit, seen at a tenth of the rate, is over before the middle of a start bit."""
    assert resample(b"\xff", 500_000, 50_000) == b""
