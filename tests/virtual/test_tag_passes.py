"""When each reader has its turn: by the figures that firmware/README.md gives for the real firmware."""

from __future__ import annotations

import pytest

from tablewire.virtual.tag_passes import Passes


@pytest.mark.parametrize(
    ("passes", "pass_ms"),
    [
        (Passes(16, 1, 0), 22.4),
        (Passes(16, 1, 10), 32),  # two tags are asked for
        (Passes(16, 1, 100), 32),  # and never more than two
        (Passes(48, 1, 0), 22.4),  # three chips side by side
        (Passes(4, 1, 0), 5.6),
        (Passes(16, 4, 0), 45),  # and four times 5.65 ms until tags hear
        (Passes(16, 2, 10), 118.7),  # twice that, and ten cards of 8.5 ms are read each time
    ],
)
def test_how_long_a_pass_takes(passes: Passes, pass_ms: float) -> None:
    assert passes.pass_us == round(pass_ms * 1000)


@pytest.mark.parametrize(
    ("reader", "from_us", "call_us"),
    [
        (0, 0, 0),
        (0, 1, 22_400),
        (3, 0, 4_200),
        (3, 4_201, 26_600),
        (15, 0, 21_000),
        (16, 0, 0),
        (47, 1, 21_000),
    ],
)
def test_a_reader_calls_once_in_each_pass(reader: int, from_us: int, call_us: int) -> None:
    """At its place in it; readers of other chips at the same time."""
    assert Passes(48, 1, 0).call_us(reader, from_us) == call_us


@pytest.mark.parametrize(
    ("reader", "from_us", "wake_us"),
    [(0, 0, 0), (0, 1, 358_400), (1, 0, 23_800), (15, 0, 357_000), (2, 47_601, 406_000)],
)
def test_a_pad_is_woken_in_one_pass_of_sixteen(reader: int, from_us: int, wake_us: int) -> None:
    """Pad k in pass k."""
    assert Passes(16, 1, 0).wake_us(reader, from_us) == wake_us


def test_with_staggered_fields_every_call_wakes() -> None:
    """Tags forget that they were read while their field is off."""
    passes = Passes(16, 4, 5)
    assert passes.wake_us(9, 12_345) == passes.call_us(9, 12_345)
