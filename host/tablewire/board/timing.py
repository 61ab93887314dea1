"""How long things take on a table, in table milliseconds.

Owns the named delays of reading a table. Must not know the wire's or the page's delays.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """`change_count` changes of one sensor within `window_ms`, until it has been still for `rest_ms`."""

    change_count: int
    window_ms: int
    rest_ms: int


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
    for `flicker_rest_ms`: nothing is decided on its word. A magnet that bounces while it lands and is then
    straightened twice in that time makes six; a weak one at 1 Hz makes ten.
    `episode_count` times flaky, the last less than `episode_rest_ms` ago, is a bad sensor even while still.
    `long_ms`: what has been wrong this long in spite of being asked for may be the sensor's fault.
    """

    quiet_ms: int = 600
    growth_ms: int = 1_500
    lift_ms: int = 1_200
    overlap_ms: int = 100
    flicker_count: int = 8
    flicker_window_ms: int = 5_000
    flicker_rest_ms: int = 1_200
    episode_count: int = 3
    episode_rest_ms: int = 600_000
    long_ms: int = 60_000

    @property
    def flicker(self) -> Rate:
        """What makes a sensor flaky, as one value."""
        return Rate(self.flicker_count, self.flicker_window_ms, self.flicker_rest_ms)

    @property
    def chatter(self) -> Rate:
        """What makes it worth naming although a piece lies there safely: one that is straightened three or
        four times in a row is not."""
        return Rate(2 * self.flicker_count, 3 * self.flicker_window_ms, self.flicker_rest_ms)

    @property
    def slow(self) -> Rate:
        """A sensor that goes on and off every few seconds, a dozen times in a minute: no hand does that.

        Only while it never flickers; one that did and is touched once more has not gone on like this.
        """
        return Rate(4 * self.flicker_count, 15 * self.flicker_window_ms, 4 * self.flicker_rest_ms)

    @property
    def recent_count(self) -> int:
        """How many changes of a sensor have to be remembered."""
        return self.slow.change_count

    @property
    def rests_ms(self) -> tuple[int, ...]:
        """How long after its last change a sensor may mean something else although it stays as it is."""
        return (self.quiet_ms, self.lift_ms, self.flicker_rest_ms, self.slow.rest_ms)


DEFAULT_TIMING = Timing()
