"""When a sensor holds a steady field: a magnet that lies, rather than one that passes.

Owns this judgement over a row of readings of all sensors. Must not know places, classes, ports or clocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

STEADY_COUNT = 3
"""Readings that must agree; at one in 100 ms, a hand that moves a piece on does not rest as long."""
STEADY_COUNTS = 16
"""How far they may lie apart: as much noise as a sensor may have; a magnet that moves changes more."""


class Steady:
    """The last readings of every sensor. `zeros` are subtracted from them."""

    def __init__(self, zeros: Sequence[int]) -> None:
        self._zeros = tuple(zeros)
        self._last: deque[tuple[int, ...]] = deque(maxlen=STEADY_COUNT)

    def take(self, readings: Sequence[int]) -> None:
        """Note one reading of every sensor."""
        self._last.append(tuple(readings))

    def field(self, sensor: int) -> int | None:
        """The field a sensor holds, in counts from its zero; None while it changes or too little was seen."""
        if len(self._last) < STEADY_COUNT:
            return None
        seen = [readings[sensor] for readings in self._last]
        if max(seen) - min(seen) > STEADY_COUNTS:
            return None
        return round(sum(seen) / len(seen)) - self._zeros[sensor]

    def active(self, least: int) -> frozenset[int]:
        """The sensors that now read at least `least` counts from their zero, steady or not."""
        if not self._last:
            return frozenset()
        newest = self._last[-1]
        return frozenset(s for s, zero in enumerate(self._zeros) if abs(newest[s] - zero) >= least)
