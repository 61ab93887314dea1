"""When a link that is not open is tried again: a table of states, events and named delays.

Owns the delays, each with its reason, and which of them follows what. Must not know links, threads or
clocks: time and chance are arguments. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from tablewire.link.faults import Cause


@dataclass(frozen=True, slots=True)
class Delay:
    """How long to wait: `first_s`, doubled each time in a row up to `cap_s`, less up to `jitter` of it.

    The first `soon_count` waits are no longer than `soon_cap_s`.
    """

    name: str
    first_s: float
    cap_s: float
    jitter: float = 0.0
    soon_cap_s: float = float("inf")
    soon_count: int = 0

    def after(self, count: int, draw: Callable[[], float]) -> float:
        """The wait after `count` such waits in a row; `draw` gives chance from 0 up to 1."""
        # Doubled so often that the cap is reached from any first delay: larger powers would overflow.
        cap_s = min(self.cap_s, self.soon_cap_s) if count < self.soon_count else self.cap_s
        wait_s: float = min(cap_s, self.first_s * 2.0 ** min(count, 16))
        return wait_s * (1 - self.jitter * draw())


AT_ONCE = Delay("at once", 0.0, 0.0)
"""The link was good until now: a board that was reset is back in a moment."""
REPLUG = Delay("replug", 0.1, 1.0)
"""A cable that was pulled comes back within seconds, and its port is found within one; looking costs next to
nothing."""
RADIO = Delay("radio", 1.0, 15.0, soon_cap_s=4.0, soon_count=30)
"""The same by radio, where one look takes up to seven seconds and keeps the radio from others. In the first
five minutes with short pauses, for people sit around the board and switch it on again; later a third of the
time. Never without a pause: storms of scans and connections exhaust D-Bus (bleak#1698)."""
FLAPPING = Delay("flapping", 0.2, 5.0)
"""Open and lost again at once: a loose plug, or a driver that fails. It must not fill the page."""
BUSY = Delay("busy", 0.5, 2.0)
"""A person closes the other program and looks at the page: two seconds are not noticed."""
FORBIDDEN = Delay("forbidden", 0.5, 3.0)
"""Rights come half a second after the port when udev sets them, and else from a person."""
HANGS = Delay("hangs", 2.0, 10.0)
"""A driver that does not answer is not helped by asking."""
SILENT = Delay("silent", 5.0, 60.0)
"""Opening a port resets many a device: one that is no board of ours is to be left in peace."""
TAKEN = Delay("taken", 2.0, 15.0, 0.3)
"""Another host plays with the board; each look costs a scan. Jitter, for there may be two who wait."""
OFF = Delay("off", 1.0, 30.0)
"""A radio is back a moment after the computer wakes, or when a person switches it on, or never."""
BACKING_OFF = Delay("backing off", 0.5, 30.0, 0.3)
"""Nobody knows why: ever slower, for storms of attempts exhaust D-Bus and the radio."""

BY_CAUSE: Mapping[Cause, Delay] = {
    Cause.ABSENT: REPLUG,
    Cause.BUSY: BUSY,
    Cause.TAKEN: TAKEN,
    Cause.FORBIDDEN: FORBIDDEN,
    Cause.HANGS: HANGS,
    Cause.SILENT: SILENT,
    Cause.OFF: OFF,
    Cause.OTHER: BACKING_OFF,
}
"""What follows a refusal."""


def delay_after(cause: Cause, kind: str) -> Delay:
    """What follows a refusal by a link of this kind."""
    return RADIO if kind == "ble" and cause is Cause.ABSENT else BY_CAUSE[cause]


class State(Enum):
    """What a link is in."""

    CLOSED = "closed"  # not open since the start
    OPEN = "open"
    LOST = "lost"  # it was open, and is not yet again


class Event(Enum):
    """What happens to a link, besides being refused for a cause."""

    OPENED = "opened"
    LOST = "lost"  # after it was good for a while
    LOST_SOON = "lost soon"  # before it was
    GIVEN_UP = "given up"  # it is open, but nobody answers over it


TABLE: Mapping[tuple[State, Event | Cause], tuple[State, Delay]] = {
    (State.CLOSED, Event.OPENED): (State.OPEN, AT_ONCE),
    # A link may be gone before its opening has ended.
    (State.CLOSED, Event.LOST_SOON): (State.CLOSED, FLAPPING),
    **{(State.CLOSED, cause): (State.CLOSED, delay) for cause, delay in BY_CAUSE.items()},
    (State.OPEN, Event.LOST): (State.LOST, AT_ONCE),
    (State.OPEN, Event.LOST_SOON): (State.LOST, FLAPPING),
    (State.OPEN, Event.GIVEN_UP): (State.LOST, AT_ONCE),
    (State.LOST, Event.OPENED): (State.OPEN, AT_ONCE),
    (State.LOST, Event.LOST_SOON): (State.LOST, FLAPPING),
    **{(State.LOST, cause): (State.LOST, delay) for cause, delay in BY_CAUSE.items()},
    # What was ours a moment ago: the port is made again, and neither its rights nor its lock are settled yet.
    (State.LOST, Cause.BUSY): (State.LOST, REPLUG),
    (State.LOST, Cause.FORBIDDEN): (State.LOST, REPLUG),
}
"""State and event to the next state, and the wait before the next attempt. A missing row is a mistake."""

STEADY_S = 1.0
"""A link that was open for so long was good: a loose plug or a failing driver loses it sooner."""


class Reconnect:
    """One link's way through the table. `pace` stretches every delay; `draw` gives chance from 0 up to 1."""

    def __init__(self, draw: Callable[[], float], pace: float = 1.0) -> None:
        self.state = State.CLOSED
        self._draw = draw
        self._pace = pace
        self._opened_s: float | None = None
        self._counts: Counter[Delay] = Counter()

    def opened(self, now_s: float) -> None:
        """The link is open."""
        self._step(Event.OPENED)
        self._opened_s = now_s

    def lost(self, now_s: float, *, is_given_up: bool = False) -> float:
        """The link is lost, or was closed because nobody answers; how long to wait."""
        was_steady = self._opened_s is not None and now_s - self._opened_s >= STEADY_S
        self._opened_s = None
        if was_steady:
            self._counts.clear()
        if is_given_up:
            return self._step(Event.GIVEN_UP)
        return self._step(Event.LOST if was_steady else Event.LOST_SOON)

    def refused(self, cause: Cause, kind: str = "serial") -> float:
        """A link of this kind could not be opened; how long to wait."""
        self._opened_s = None
        return self._step(cause, kind)

    def _step(self, event: Event | Cause, kind: str = "serial") -> float:
        self.state, delay = TABLE[self.state, event]
        if event is Cause.ABSENT:
            delay = delay_after(Cause.ABSENT, kind)
        self._counts[delay] += 1
        return self._pace * delay.after(self._counts[delay] - 1, self._draw)
