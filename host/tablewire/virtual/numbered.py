"""What the board has to tell and was not told is safe: numbered changes, sent one batch at a time.

Owns numbering, the ring, batches and retries, whatever it is that changes. Must not know sensors, tags,
frames or ports, nor what becomes of a full ring (outbox.py, tag_outbox.py); time is the device's clock in
milliseconds, an argument.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from tablewire.wire.messages import Events, Snapshot, Tags

RETRY_MIN_MS = 30  # an answer takes under 10 ms on the cable
RETRY_MAX_MS = 500
TRIES_MAX = 2  # of one length: a line that spoils two long frames lets short ones through
_DT_MAX_MS = 0xFFFF
_WRAP = 0x1_0000_0000


class Numbered(Protocol):
    """One accepted change, whatever of."""

    @property
    def number(self) -> int:
        """Its place in the one sequence of a boot, from 1."""
        ...

    @property
    def device_ms(self) -> int:
        """When it was accepted."""
        ...


C = TypeVar("C", bound=Numbered)
B = TypeVar("B", Events, Tags)


@dataclass(frozen=True, slots=True)
class Sent(Generic[B]):
    """What is under way, unacknowledged. Said again it is the same, or the same without its last rows."""

    message: B | Snapshot
    through_number: int


class NumberedBox(ABC, Generic[C, B]):
    """The changes of one boot, of which `ring_count` can be kept and `batch_max` go into one message."""

    def __init__(self, nonce: int, ring_count: int, batch_max: int) -> None:
        self.last_number = 0
        self.overflow_count = 0
        self.retry_count = 0
        self._nonce = nonce
        self._ring_count = ring_count
        self._batch_max = batch_max
        self._ring: deque[C] = deque()
        self._sent: Sent[B] | None = None
        self._retry_ms = RETRY_MIN_MS
        self._due_ms = 0
        self._rows_max = batch_max
        self._tries = 0

    @abstractmethod
    def _batch(self, first_number: int, base_ms: int, changes: Sequence[C]) -> B:
        """The message that says these changes."""

    @property
    def oldest_number(self) -> int:
        """The oldest change still kept; the next one's number when none is."""
        return self._ring[0].number if self._ring else self.last_number + 1

    @property
    def pending(self) -> tuple[C, ...]:
        """The changes still kept, oldest first."""
        return tuple(self._ring)

    @property
    def room_count(self) -> int:
        """How many more changes can be kept."""
        return self._ring_count - len(self._ring)

    def _hurry(self, device_ms: int) -> None:
        """A change waits behind what is under way, which may have slowed down while nobody waited for it."""
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
            self._arrived()
            self._sent = None
            self._rows_max = min(self._rows_max * 2, self._batch_max)
        elif not isinstance(self._sent.message, Snapshot) and number >= self._sent.message.first_number:
            self._sent = None  # a host that kept half of a batch before it stopped goes on from there

    def _arrived(self) -> None:
        """What was under way is safe."""

    def resend(self, now_ms: int) -> None:
        """A host asks anew: what is under way is due at once, and earlier tries say nothing of its line."""
        self._retry_ms = RETRY_MIN_MS
        self._rows_max = self._batch_max
        self._tries = 0
        self._due_ms = now_ms

    def next_due_ms(self) -> int | None:
        """When `take_due` has something; None when everything is acknowledged."""
        if self._sent is not None:
            return self._due_ms
        return 0 if self._ring else None

    def take_due(self, now_ms: int) -> B | Snapshot | None:
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

    def _halved(self, sent: Sent[B]) -> Sent[B]:
        """The first half of a batch. Numbers and rows stay, so whoever has heard the whole hears no other."""
        batch = sent.message
        if isinstance(batch, Snapshot) or len(batch.rows) == 1:
            return sent
        self._rows_max = count = len(batch.rows) // 2
        return Sent(replace(batch, rows=batch.rows[:count]), batch.first_number + count - 1)

    def _begin(self) -> Sent[B] | None:
        """What goes under way next."""
        if not self._ring:
            return None
        base_ms = self._ring[0].device_ms
        changes: list[C] = []
        for change in self._ring:
            if len(changes) == self._rows_max or change.device_ms - base_ms > _DT_MAX_MS:
                break
            changes.append(change)
        first = self._ring[0].number
        return Sent(self._batch(first, base_ms % _WRAP, changes), first + len(changes) - 1)
