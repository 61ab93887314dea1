"""One sensor's debounce: when a reading is believed.

Owns the rule alone, as a pure function over a frozen value. Must not know sensors, magnets, clocks or the
wire.

A new class is believed once the readings have agreed on it for `settle_ms`. Readings of the old class
meanwhile take that time back, so a magnet that comes and goes evenly is never believed. Each sensor has its
own state: two sensors that change a millisecond apart are two changes.
"""

from __future__ import annotations

from typing import NamedTuple

SETTLE_MS = 20  # a piece set down by hand bounces for less; at 159 scans a second it is four scans
# One reading speaks for no more than this, so that after a stalled scan two readings alone convince nobody.
READING_MAX_MS = 10


class Debounced(NamedTuple):
    """The believed class, the one that asks to be believed, and for how long it has."""

    stable: int
    candidate: int
    agreed_ms: int

    @property
    def undecided(self) -> bool:
        """Whether another class asks to be believed."""
        return self.candidate != self.stable


def at_rest(stable: int) -> Debounced:
    """The state of a sensor that has read `stable` for long."""
    return Debounced(stable, stable, 0)


def debounce(state: Debounced, raw: int, elapsed_ms: int, settle_ms: int = SETTLE_MS) -> Debounced:
    """The state after a reading, `elapsed_ms` after the one before."""
    step_ms = min(elapsed_ms, READING_MAX_MS)
    if raw == state.stable:
        left_ms = state.agreed_ms - step_ms
        return state._replace(agreed_ms=left_ms) if left_ms > 0 else at_rest(state.stable)
    if raw != state.candidate:
        return Debounced(state.stable, raw, 0)
    agreed_ms = state.agreed_ms + step_ms
    return at_rest(raw) if agreed_ms >= settle_ms else state._replace(agreed_ms=agreed_ms)
