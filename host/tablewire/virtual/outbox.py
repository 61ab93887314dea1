"""What the board has to tell and was not told is safe: numbered changes, sent one batch at a time.

Owns numbering, the ring, batches, retries and overflow. Must not know sensors, frames or ports; time is the
device's clock in milliseconds, an argument.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from tablewire.wire.messages import BATCH_MAX, EventRow, Events, Snapshot

RING_COUNT = 128  # 8 bytes each: 1 kB of the board's 8 kB of RAM; 100 magnets land at once and none is lost
RETRY_MIN_MS = 30  # an answer takes under 10 ms on the cable
RETRY_MAX_MS = 500
TRIES_MAX = 2  # of one length: a line that spoils two long frames lets short ones through
_DT_MAX_MS = 0xFFFF
_WRAP = 0x1_0000_0000


class Change(NamedTuple):
    """One accepted change."""

    number: int
    sensor: int
    old: int
    new: int
    device_ms: int


@dataclass(frozen=True, slots=True)
class _Sent:
    """What is under way, unacknowledged. Said again it is the same, or the same without its last rows."""

    message: Events | Snapshot
    through_number: int


class Outbox:
    """The changes of one boot. `take_snapshot(number)` builds what replaces a ring that overflowed."""

    def __init__(self, nonce: int, take_snapshot: Callable[[int], Snapshot]) -> None:
        self.last_number = 0
        self.overflow_count = 0
        self.retry_count = 0
        self._nonce = nonce
        self._take_snapshot = take_snapshot
        self._ring: deque[Change] = deque()
        self._snapshot_owed = False
        self._sent: _Sent | None = None
        self._retry_ms = RETRY_MIN_MS
        self._due_ms = 0
        self._rows_max = BATCH_MAX
        self._tries = 0

    @property
    def oldest_number(self) -> int:
        """The oldest change still kept; the next one's number when none is."""
        return self._ring[0].number if self._ring else self.last_number + 1

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes still kept, oldest first."""
        return tuple(self._ring)

    def push(self, sensor: int, old: int, new: int, device_ms: int) -> None:
        """Note a change. A full ring becomes a snapshot: the order is lost, the table is not."""
        self.last_number += 1
        if self._snapshot_owed and self._sent is None:
            return  # it will be in the snapshot
        if len(self._ring) >= RING_COUNT:
            self._ring.clear()
            self._sent = None
            self._snapshot_owed = True
            self.overflow_count += 1
        else:
            self._ring.append(Change(self.last_number, sensor, old, new, device_ms))
        # It waits behind what is under way, which may have slowed down while nobody waited for it.
        self._retry_ms = RETRY_MIN_MS
        self._due_ms = min(self._due_ms, device_ms + RETRY_MIN_MS)

    def acknowledge(self, number: int) -> None:
        """Everything up to `number` is safe on the host; a number from the future is not believed."""
        if number > self.last_number:
            return
        while self._ring and self._ring[0].number <= number:
            self._ring.popleft()
        if self._sent is None:
            return
        if number >= self._sent.through_number:
            self._snapshot_owed = False
            self._sent = None
            self._rows_max = min(self._rows_max * 2, BATCH_MAX)
        elif isinstance(self._sent.message, Events) and number >= self._sent.message.first_number:
            self._sent = None  # a host that kept half of a batch before it stopped goes on from there

    def resend(self, now_ms: int) -> None:
        """A host asks anew: what is under way is due at once, and earlier tries say nothing of its line."""
        self._retry_ms = RETRY_MIN_MS
        self._rows_max = BATCH_MAX
        self._tries = 0
        self._due_ms = now_ms

    def next_due_ms(self) -> int | None:
        """When `take_due` has something; None when everything is acknowledged."""
        if self._sent is not None:
            return self._due_ms
        return 0 if self._ring or self._snapshot_owed else None

    def take_due(self, now_ms: int) -> Events | Snapshot | None:
        """What to send now: the next batch, or the one under way again."""
        if self._sent is None:
            self._sent = self._begin()
            if self._sent is None:
                return None
            self._retry_ms = RETRY_MIN_MS
            self._tries = 0
        elif now_ms < self._due_ms:
            return None
        else:
            self.retry_count += 1
            self._retry_ms = min(self._retry_ms * 2, RETRY_MAX_MS)
            if self._tries == TRIES_MAX:
                self._sent = self._halved(self._sent)
                self._tries = 0
        self._tries += 1
        self._due_ms = now_ms + self._retry_ms
        return self._sent.message

    def _halved(self, sent: _Sent) -> _Sent:
        """The first half of a batch. Numbers and rows stay, so whoever has heard the whole hears no other."""
        batch = sent.message
        if isinstance(batch, Snapshot) or len(batch.rows) == 1:
            return sent
        rows = batch.rows[: len(batch.rows) // 2]
        self._rows_max = len(rows)
        return _Sent(replace(batch, rows=rows), batch.first_number + len(rows) - 1)

    def _begin(self) -> _Sent | None:
        if self._snapshot_owed:
            return _Sent(self._take_snapshot(self.last_number), self.last_number)
        if not self._ring:
            return None
        base_ms = self._ring[0].device_ms
        rows: list[EventRow] = []
        for change in self._ring:
            dt_ms = change.device_ms - base_ms
            if len(rows) == self._rows_max or dt_ms > _DT_MAX_MS:
                break
            rows.append(EventRow(change.sensor, change.old << 4 | change.new, dt_ms))
        first = self._ring[0].number
        return _Sent(Events(self._nonce, first, base_ms % _WRAP, tuple(rows)), first + len(rows) - 1)
