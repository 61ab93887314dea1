"""When each reader of a simulated board has its turn.

Owns how long a pass over the readers takes and where in it each reader stands. Must not know tags, what was
read, or the time: moments are arguments, in microseconds since boot.

One reader of a chip at a time is busy; for how long was measured with the firmware in the emulated chip. A
tag that was read keeps quiet, so whether it is still there is asked for by waking all tags of one pad, the
next pad in each pass; with staggered fields in every pass, as tags forget everything between two.
"""

from __future__ import annotations

from typing import NamedTuple

from tablewire.virtual.grid import CHIP_READERS

SLOT_US = 1400  # a call, a timer of 1 ms in which nobody answers, and the registers
READ_US = 4500  # from the call until a UID of 7 bytes is read
TAG_US = 8500  # until the next tag can be read: this one is told to keep quiet, and the pad is called again
CHECKS_US = 9600  # in each pass up to two tags are asked whether they are still there
GUARD_US = 5650  # a field comes on, and tags have their power


class Passes(NamedTuple):
    """The order of things with so many readers, groups of fields, and tags lying on one chip's pads."""

    reader_count: int
    group_count: int
    lying_count: int

    @property
    def pass_us(self) -> int:
        """How long a pass takes while nothing new comes."""
        empty_us = SLOT_US * self._places
        if self.group_count == 1:
            return empty_us + (CHECKS_US if self.lying_count else 0)
        return empty_us + self.group_count * GUARD_US + self.lying_count * TAG_US

    @property
    def _places(self) -> int:
        return min(self.reader_count, CHIP_READERS)

    def call_us(self, reader: int, from_us: int) -> int:
        """The first moment from `from_us` on at which this reader calls."""
        return _next(self._place_us(reader), self.pass_us, from_us)

    def wake_us(self, reader: int, from_us: int) -> int:
        """The first moment from `from_us` on at which this reader wakes all tags of its pad."""
        if self.group_count > 1:
            return self.call_us(reader, from_us)
        turn_us = reader % CHIP_READERS * self.pass_us
        return _next(turn_us + self._place_us(reader), self._places * self.pass_us, from_us)

    def _place_us(self, reader: int) -> int:
        return reader % CHIP_READERS * self.pass_us // self._places


def _next(phase_us: int, period_us: int, from_us: int) -> int:
    """The first moment from `from_us` on that lies `phase_us` after a whole number of periods."""
    return from_us + (phase_us - from_us) % period_us
