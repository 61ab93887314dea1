"""What a Hall sensor reads, in ADC counts: its zero, the field of each class, and levels as they are told.

Owns the levels that count where nothing was measured. Must not know which sensor it is, nor what a reading is
used for. The same numbers as firmware/src/classify.h and calibrate.h.
"""

from __future__ import annotations

from collections.abc import Mapping

from tablewire.wire.messages import MagnetClass

COUNTS_MAX = 1023
"""The converter has ten bits."""

ZERO_COUNTS = 512
"""A perfect sensor without a field gives half its supply."""

WEAK_COUNTS = 88
STRONG_COUNTS = 248

FIELD_COUNTS: Mapping[MagnetClass, int] = {
    MagnetClass.EMPTY: 0,
    MagnetClass.N_WEAK: WEAK_COUNTS,
    MagnetClass.N_STRONG: STRONG_COUNTS,
    MagnetClass.S_WEAK: -WEAK_COUNTS,
    MagnetClass.S_STRONG: -STRONG_COUNTS,
}
"""The distance of each class from zero; north is above it."""

LEAST_COUNTS = 44
"""Half of what a weak magnet shows: less is noise, or a magnet far away, and is never taken for one."""

UNIT_COUNTS = 2
"""A level is told as a byte in units of this, for the field of a strong magnet is wider than 255 counts."""

_LEVEL_MAX = 255


def level_byte(counts: int) -> int:
    """A distance from zero as CALIBRATION tells it: in units, rounded up, at most a byte."""
    return min((counts + 1) // UNIT_COUNTS, _LEVEL_MAX)
