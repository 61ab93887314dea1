"""The levels of a sensor never measured are one set of numbers: on the host, in C, and in the protocol."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablewire.wire.hall import (
    FIELD_COUNTS,
    LEAST_COUNTS,
    STRONG_COUNTS,
    UNIT_COUNTS,
    WEAK_COUNTS,
    ZERO_COUNTS,
    level_byte,
)
from tablewire.wire.messages import MagnetClass

FIRMWARE = Path(__file__).parents[2] / "firmware"


def defined(header: str) -> dict[str, int]:
    """The numbers that a header of the firmware defines."""
    text = (FIRMWARE / "src" / header).read_text(encoding="utf-8")
    return {name: int(value) for name, value in re.findall(r"^#define (\w+) (\d+)u\b", text, re.MULTILINE)}


def test_the_firmware_has_the_same_levels() -> None:
    classify = defined("classify.h")
    assert classify["CLASSIFY_ZERO_COUNTS"] == ZERO_COUNTS
    assert classify["CLASSIFY_WEAK_COUNTS"] == WEAK_COUNTS
    assert classify["CLASSIFY_STRONG_COUNTS"] == STRONG_COUNTS
    assert classify["CLASSIFY_LEVEL_UNIT_COUNTS"] == UNIT_COUNTS
    assert defined("calibrate.h")["CALIBRATE_LEAST_COUNTS"] == LEAST_COUNTS


def test_the_protocol_names_the_same_levels() -> None:
    text = (FIRMWARE / "protocol" / "README.md").read_text(encoding="utf-8")
    said = f"counts as the usual: zero {ZERO_COUNTS}, weak {WEAK_COUNTS}, strong {STRONG_COUNTS}."
    assert said in " ".join(text.split())
    assert f"below half the usual weak level ({LEAST_COUNTS} counts)" in " ".join(text.split())


def test_north_is_above_zero_and_no_magnet_is_at_it() -> None:
    assert FIELD_COUNTS[MagnetClass.EMPTY] == 0
    assert FIELD_COUNTS[MagnetClass.N_WEAK] == 88
    assert FIELD_COUNTS[MagnetClass.S_STRONG] == -248


@pytest.mark.parametrize(("counts", "byte"), [(0, 0), (88, 44), (89, 45), (248, 124), (510, 255), (900, 255)])
def test_a_level_is_told_in_units_of_two_and_fits_a_byte(counts: int, byte: int) -> None:
    assert level_byte(counts) == byte
