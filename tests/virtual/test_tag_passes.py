"""When each reader has its turn: figures of the readers' data sheet, worked out by hand."""

from __future__ import annotations

import pytest

from tablewire.virtual.tag_passes import Passes


@pytest.mark.parametrize(
    ("passes", "pass_ms"),
    [
        (Passes(16, 1, 0), 20),  # 16 x 1.25 ms
        (Passes(16, 1, 100), 20),  # what was read keeps quiet
        (Passes(48, 1, 0), 20),  # three chips side by side
        (Passes(4, 1, 0), 5),
        (Passes(16, 4, 0), 40),  # and four times 5 ms until tags hear
        (Passes(16, 2, 10), 75),  # twice 5 ms, and ten cards of 4.5 ms are read each time
    ],
)
def test_how_long_a_pass_takes(passes: Passes, pass_ms: int) -> None:
    assert passes.pass_us == pass_ms * 1000


@pytest.mark.parametrize(
    ("reader", "from_us", "call_us"),
    [
        (0, 0, 0),
        (0, 1, 20_000),
        (3, 0, 3_750),
        (3, 3_751, 23_750),
        (15, 0, 18_750),
        (16, 0, 0),
        (47, 1, 18_750),
    ],
)
def test_a_reader_calls_once_in_each_pass(reader: int, from_us: int, call_us: int) -> None:
    """At its place in it; readers of other chips at the same time."""
    assert Passes(48, 1, 0).call_us(reader, from_us) == call_us


@pytest.mark.parametrize(
    ("reader", "from_us", "wake_us"),
    [(0, 0, 0), (0, 1, 320_000), (1, 0, 21_250), (15, 0, 318_750), (2, 42_501, 362_500)],
)
def test_a_pad_is_woken_in_one_pass_of_sixteen(reader: int, from_us: int, wake_us: int) -> None:
    """Pad k in pass k."""
    assert Passes(16, 1, 0).wake_us(reader, from_us) == wake_us


def test_with_staggered_fields_every_call_wakes() -> None:
    """Tags forget that they were read while their field is off."""
    passes = Passes(16, 4, 5)
    assert passes.wake_us(9, 12_345) == passes.call_us(9, 12_345)
