"""Looking for boards by radio, on a thread of its own, now and then.

Owns when that is done again, and what was seen last. Must not know Bluetooth (that is given), nor what else
is looked at meanwhile.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Sequence
from typing import Protocol

from tablewire.errors import one_line
from tablewire.link.contract import Link
from tablewire.link.faults import Cause, LinkRefused, Tried
from tablewire.link.places import BLUETOOTH, SCAN_AGAIN, Place, SeenBoard, sort_seen
from tablewire.link.reconnect import BY_CAUSE


class Radio(Protocol):
    """What is asked of Bluetooth; `link.opening` has the real one."""

    def scan(self, limit_s: float, /) -> Sequence[SeenBoard]:
        """What has a UART service and can be seen. LinkRefused."""

    def link(self, address: str, /) -> Link:
        """A link to one of them."""


class Scan:
    """One radio's scans. `places` are ours, of the last one; `others`: what else was seen, or its trouble."""

    def __init__(self, radio: Radio, limit_s: float) -> None:
        """`limit_s`: how long one scan is to take."""
        self.places: Sequence[Place] = ()
        self.others: Sequence[Tried] = ()
        self._radio = radio
        self._limit_s = limit_s
        self._due_s = 0.0
        self._count = 0
        self._thread: threading.Thread | None = None
        self._is_old = False
        self._seen: queue.SimpleQueue[Sequence[SeenBoard] | LinkRefused | None] = queue.SimpleQueue()

    def begin_if_due(self) -> bool:
        """Begin a scan, if it is time; one that still runs is never doubled, but waited for."""
        if self._thread is not None:
            return True
        if time.monotonic() < self._due_s:
            return False
        self._begin()
        return True

    def _begin(self) -> None:
        # A daemon thread: a radio that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="find", daemon=True)
        self._thread.start()

    def take(self, limit_s: float) -> bool:
        """Take in what the scan has seen, once it has ended; whether it has, within `limit_s`."""
        try:
            seen = self._seen.get(timeout=limit_s)
        except queue.Empty:
            return False
        if seen is None:  # given up
            return False
        self._thread = None
        if self._is_old:
            # What was seen in an earlier search, maybe hours ago, is nobody's news.
            self._is_old = False
            self._begin()
            return False
        if isinstance(seen, LinkRefused):
            self.places, self.others = (), [Tried(BLUETOOTH, str(seen))]
            delay = BY_CAUSE[seen.cause]
        else:
            self.places, self.others = sort_seen(seen)
            delay = SCAN_AGAIN
        self._due_s = time.monotonic() + delay.after(self._count, random.random)
        self._count += 1
        return True

    def forget(self) -> None:
        """A board was found: the next search is another one."""
        self._due_s, self._count = 0.0, 0
        self._is_old = self._thread is not None
        self.places = self.others = ()

    def wake(self) -> None:
        """Make a `take` that waits end. Any thread may call it."""
        self._seen.put(None)

    def _run(self) -> None:
        try:
            self._seen.put(self._radio.scan(self._limit_s))
        except LinkRefused as exc:
            self._seen.put(exc)
        except Exception as exc:  # a fault of ours, or of the system's Bluetooth, must not end the search
            self._seen.put(LinkRefused(f"{type(exc).__name__}: {one_line(exc)}", Cause.OTHER))
