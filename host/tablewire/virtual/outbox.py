"""The outbox of a board with sensors: changes of classes, and the snapshot that a full ring becomes.

Owns what a change of a sensor says and how an overflow is told. Must not know frames or ports, nor how
numbers and retries go (numbered.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tablewire.virtual.numbered import NumberedBox, Sent
from tablewire.wire.messages import BATCH_MAX, EventRow, Events, Snapshot

RING_COUNT = 128  # 8 bytes each: 1 kB of the board's 8 kB of RAM; 100 magnets land at once and none is lost


class Change(NamedTuple):
    """One accepted change."""

    number: int
    sensor: int
    old: int
    new: int
    device_ms: int


class Outbox(NumberedBox[Change, Events]):
    """The changes of one boot. `take_snapshot(number)` builds what replaces a ring that overflowed."""

    def __init__(self, nonce: int, take_snapshot: Callable[[int], Snapshot]) -> None:
        super().__init__(nonce, RING_COUNT, BATCH_MAX)
        self._take_snapshot = take_snapshot
        self._snapshot_owed = False

    def push(self, sensor: int, old: int, new: int, device_ms: int) -> None:
        """Note a change. A full ring becomes a snapshot: the order is lost, the table is not."""
        self.last_number += 1
        if self._snapshot_owed and self._sent is None:
            return  # it will be in the snapshot
        if self.room_count == 0:
            self._ring.clear()
            self._sent = None
            self._snapshot_owed = True
            self.overflow_count += 1
        else:
            self._ring.append(Change(self.last_number, sensor, old, new, device_ms))
        self._hurry(device_ms)

    def next_due_ms(self) -> int | None:
        """When `take_due` has something; None when everything is acknowledged."""
        owed = self._sent is None and self._snapshot_owed
        return 0 if owed else super().next_due_ms()

    def _arrived(self) -> None:
        self._snapshot_owed = False

    def _begin(self) -> Sent[Events] | None:
        if self._snapshot_owed:
            return Sent(self._take_snapshot(self.last_number), self.last_number)
        return super()._begin()

    def _batch(self, first_number: int, base_ms: int, changes: Sequence[Change]) -> Events:
        begun_ms = changes[0].device_ms
        rows = (EventRow(c.sensor, c.old << 4 | c.new, c.device_ms - begun_ms) for c in changes)
        return Events(self._nonce, first_number, base_ms, tuple(rows))
