"""How long things take on a table, in table milliseconds.

Owns the named delays of reading a table. Must not know the wire's or the page's delays.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """The delays of one table.

    `quiet_ms`: a landing is settled after this long without a change. People set the magnets of one piece down
    within 40 to 400 ms; half as much again covers the slow ones.
    `growth_ms`: a landing this long after the piece's last one may still belong to it.
    `lift_ms`: a space must read empty this long before its piece counts as lifted. Straightening a piece takes
    20 to 800 ms.
    `flicker_count` changes of one sensor within `flicker_window_ms` make it flaky, until it has been still for
    `flicker_rest_ms`. A person lifts and replaces a piece about once a second at most, which is two changes; a
    weak magnet at 5 Hz makes ten.
    """

    quiet_ms: int = 600
    growth_ms: int = 1_500
    lift_ms: int = 1_200
    flicker_count: int = 6
    flicker_window_ms: int = 2_000
    flicker_rest_ms: int = 1_200


DEFAULT_TIMING = Timing()
