"""The outbox of a board with readers: what came, went and was pressed; and beginning to tell anew.

Owns what a change of a reader or a button says. Must not know readers, frames or ports, nor what lies there:
whoever begins anew tells that himself. Numbers and retries are in numbered.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tablewire.virtual.numbered import NumberedBox
from tablewire.wire.messages import Sight, TagRow, Tags

RING_COUNT = 128  # 15 bytes each: under 2 kB of the board's 8 kB of RAM; twelve full piles are told
UID_BYTES = 7


class TagChange(NamedTuple):
    """One accepted change."""

    number: int
    what: Sight
    source: int
    uid: bytes
    device_ms: int


class TagOutbox(NumberedBox[TagChange, Tags]):
    """The changes of one boot, the first of which is ANEW."""

    def __init__(self, nonce: int, device_ms: int) -> None:
        super().__init__(nonce, RING_COUNT, Tags.ROWS_MAX)
        self.begin_anew(device_ms)

    @property
    def begins_anew(self) -> bool:
        """Whether the oldest change kept is ANEW, so that what is kept is all that counts."""
        return bool(self._ring) and self._ring[0].what is Sight.ANEW

    def begin_anew(self, device_ms: int) -> None:
        """Forget what is kept. What lies there has to be told after this, as far as there is room."""
        self._ring.clear()
        self._sent = None
        self._note(Sight.ANEW, 0, b"", device_ms)

    def push(self, what: Sight, source: int, uid: bytes, device_ms: int) -> bool:
        """Note a change. False: there was no room for it, and everything has to be told anew."""
        if self.room_count == 0:
            self.overflow_count += 1
            self.begin_anew(device_ms)
            return False
        self._note(what, source, uid, device_ms)
        return True

    def _note(self, what: Sight, source: int, uid: bytes, device_ms: int) -> None:
        self.last_number += 1
        self._ring.append(TagChange(self.last_number, what, source, uid, device_ms))
        self._hurry(device_ms)

    def _batch(self, first_number: int, base_ms: int, changes: Sequence[TagChange]) -> Tags:
        begun_ms = changes[0].device_ms
        rows = (
            TagRow(c.source, c.what, c.device_ms - begun_ms, len(c.uid), c.uid.ljust(UID_BYTES, b"\0"))
            for c in changes
        )
        return Tags(self._nonce, first_number, base_ms, tuple(rows))
