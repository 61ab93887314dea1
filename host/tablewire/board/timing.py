"""How long things take on a table, in table milliseconds.

Owns the named delays of reading a table. Must not know the wire's or the page's delays.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """The delays of one table.

    `quiet_ms`: a landing is settled after this long without a change. People set the magnets of one piece
    down within 40 to 400 ms; half as much again covers the slow ones.
    `growth_ms`: a landing this long after the piece's last one may still belong to it.
    `lift_ms`: a space must read empty this long before its piece counts as lifted. Straightening a piece
    takes 20 to 800 ms.
    `overlap_ms`: a magnet that slides from one sensor to the next may be read by both for so long; the
    debounce of each adds up to 20 ms.
    `flicker_count` changes of one sensor within `flicker_window_ms` make it flaky, until it has been still
    for `flicker_rest_ms`. A person who tries a place and another lifts a magnet off one space once or twice
    in that time (two to four changes); a weak magnet at 1 Hz makes eight.
    """

    quiet_ms: int = 600
    growth_ms: int = 1_500
    lift_ms: int = 1_200
    overlap_ms: int = 100
    flicker_count: int = 6
    flicker_window_ms: int = 4_000
    flicker_rest_ms: int = 1_200


DEFAULT_TIMING = Timing()
