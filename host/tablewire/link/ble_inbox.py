"""What has come over Bluetooth and waits for the link thread.

Owns the bounded queue between the radio's thread and the one that reads. Must not know what the bytes mean,
nor where they come from.
"""

from __future__ import annotations

import threading
from collections import deque

from tablewire.link.faults import LinkLost

MAX_WAITING_BYTES = 65_536
"""Half a second of the fastest radio there is (2 Mbit/s), the longest that a healthy link thread looks away,
fills less: who is behind by more does not read at all."""


class Inbox:
    """Chunks from one connection, in order. The radio calls `put` and `fail`, one reader `take`, any `wake`.

    When it is full the oldest chunks go: the board repeats what is not acknowledged, and what it says last is
    what holds. Whole chunks, since a frame that was cut is dropped by its check anyway.
    """

    def __init__(self, cap_bytes: int = MAX_WAITING_BYTES) -> None:
        self._cap_bytes = cap_bytes
        self._chunks: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._lost: str | None = None
        self._is_woken = False
        self._changed = threading.Condition()
        self.dropped_count = 0

    def put(self, chunk: bytes) -> None:
        """Add what has come."""
        with self._changed:
            self._chunks.append(chunk)
            self._waiting_bytes += len(chunk)
            while self._waiting_bytes > self._cap_bytes:
                self._waiting_bytes -= len(self._chunks.popleft())
                self.dropped_count += 1
            self._changed.notify_all()

    def fail(self, reason: str) -> None:
        """Nothing comes any more, for this reason; the first one stands."""
        with self._changed:
            if self._lost is None:
                self._lost = reason
            self._changed.notify_all()

    @property
    def lost(self) -> str | None:
        """Why nothing comes any more, or None."""
        return self._lost

    def wake(self) -> None:
        """Make a `take` that waits, or the next one, return now."""
        with self._changed:
            self._is_woken = True
            self._changed.notify_all()

    def take(self, limit_s: float) -> bytes:
        """All that has come, as soon as there is any; none after `limit_s` or `wake`.

        LinkLost once what came before the loss has been read.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._chunks or self._is_woken or self._lost is not None, limit_s)
            self._is_woken = False
            if self._chunks:
                data = b"".join(self._chunks)
                self._chunks.clear()
                self._waiting_bytes = 0
                return data
            if self._lost is not None:
                raise LinkLost(self._lost)
            return b""
