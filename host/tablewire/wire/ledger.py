"""What is believed of one boot of a board: its changes in order, the class of every sensor, its clock.

Owns numbers, repeats, gaps, contradictions, snapshots and the unwrapping of the board's clock. Must not know
frames, links, who asks for a snapshot or when, or what a sensor stands for.
"""

from __future__ import annotations

from collections import Counter

from tablewire.wire.messages import Events, MagnetClass, Sight, Status, TagRow, Tags
from tablewire.wire.messages import Snapshot as SnapshotMessage
from tablewire.wire.observed import (
    Changes,
    Complete,
    Observation,
    SensorChange,
    SensorId,
    Sighting,
    Sightings,
    Snapshot,
)
from tablewire.wire.session_values import Count, Known

_UNTOLD = 0xFF  # in the class table: nothing is known of this sensor yet
_CLASS_MAX = max(MagnetClass)
_LEAP_MAX_MS = 60_000
"""A board says its time every second and greets on every new link. What is further ahead is a long silence,
or damage that a checksum of 16 bits let through: believed, it stops the clock until the board gets there."""
UID_SIZES = (4, 7)
"""Bytes of a UID: of single and of double size; the cards' stickers have 7."""
_NUMBER_MAX = 0xFFFF_FFFF  # a board counts in 32 bits; at a change a millisecond it gets there in 50 days


def unwrap_ms(wrapped: int, near_ms: int) -> int:
    """The rising time whose low 32 bits are `wrapped`, nearest to a time already unwrapped."""
    return near_ms + (wrapped - near_ms + 0x8000_0000) % 0x1_0000_0000 - 0x8000_0000


class Ledger:
    """The belief. `unsure` says that only a snapshot can go on: until one comes, changes are not taken.

    `number` is the last change received, `acknowledged` the last one that may be acknowledged; `told_again`
    is set when the board repeated something, so that it must have missed the acknowledgement.
    """

    def __init__(self, known: Known | None, counts: Counter[Count]) -> None:
        self.nonce = known.nonce if known else None
        self.number = known.number if known else 0
        self.acknowledged = self.number
        self.unsure = known is None
        self.told_again = False
        self._counts = counts
        self._stamp_ms = known.device_ms if known else 0  # of the last observation
        self._clock_ms = self._stamp_ms  # the latest time heard, to unwrap the next one
        self._complete_ms = -1
        self._leap_ms: int | None = None  # a time far ahead that no second one has confirmed
        self._classes = bytearray(known.classes or b"") if known else bytearray()

    def begin_boot(self, nonce: int, device_ms: int) -> None:
        """Another boot: nothing is known of it but its clock."""
        self.nonce = nonce
        self.number = self.acknowledged = 0
        self.unsure = True
        self._clock_ms = device_ms
        self._stamp_ms = device_ms - 0x8000_0000  # changes from before the greeting are still to come
        self._complete_ms = self._stamp_ms

    def expect_sensors(self, count: int) -> None:
        """The number of sensors the board says it has."""
        if len(self._classes) != count:
            self._classes = bytearray([_UNTOLD]) * count

    def unwrap(self, wrapped_ms: int) -> int:
        """A device time of this boot as a rising one."""
        device_ms = unwrap_ms(wrapped_ms, self._clock_ms)
        self._clock_ms = max(self._clock_ms, device_ms)
        return device_ms

    def receive(self, message: Events | Tags | SnapshotMessage) -> list[Observation]:
        """What a report tells that is new."""
        match message:
            case Events():
                return self.receive_events(message)
            case Tags():
                return self.receive_tags(message)
            case SnapshotMessage():
                return self.receive_snapshot(message)

    def receive_events(self, events: Events) -> list[Observation]:
        """The changes of a batch that are new. After a gap or a contradiction the ledger is unsure."""
        if not self.unsure and self._leaps(events.base_ms):
            return []  # nothing is acknowledged, so it is said again
        skip = self._skipped(events)
        if skip is None:
            return []
        changes = []
        for sensor, classes, dt_ms in events.rows[skip:]:
            old, new = classes >> 4, classes & 15
            if self.number >= _NUMBER_MAX or not self._fits(sensor, old, new):
                self._counts[Count.CONTRADICTION] += 1
                self.unsure = True
                break
            self.number += 1
            self._classes[sensor] = new
            stamp_ms = self._rise_to(events.base_ms + dt_ms)
            changes.append(SensorChange(self.number, SensorId(sensor), old, new, stamp_ms))
        return [Changes(events.nonce, tuple(changes))] if changes else []

    def _skipped(self, batch: Events | Tags) -> int | None:
        """How many rows of a batch are known already; None when nothing of it can be taken."""
        if self.unsure:
            self._counts[Count.WHILE_UNSURE] += 1
            return None
        skip = self.number + 1 - batch.first_number
        if skip < 0:
            self._counts[Count.GAP] += 1
            self.unsure = True
            return None
        if skip > 0:
            self._counts[Count.REPEATED] += min(skip, len(batch.rows))
            self.told_again = True
        return skip

    def receive_tags(self, tags: Tags) -> list[Observation]:
        """The sightings of a batch that are new. Where everything is told anew, it is believed from there on,
        whatever was missed before: that is the snapshot of a board with readers.
        """
        if self._leaps(tags.base_ms):
            return []
        anew = next((at for at, row in enumerate(tags.rows) if row.what == Sight.ANEW), None)
        missed = self.unsure or tags.first_number > self.number + 1
        if anew is not None and missed and tags.first_number + anew > self.number:
            self.number = tags.first_number + anew - 1
            self.unsure = False
        skip = self._skipped(tags)
        if skip is None:
            return []
        sightings = []
        for row in tags.rows[skip:]:
            if self.number >= _NUMBER_MAX or not _is_sighting(row):
                self._counts[Count.CONTRADICTION] += 1
                self.unsure = True
                break
            self.number += 1
            stamp_ms = self._rise_to(tags.base_ms + row.dt_ms)
            uid = row.uid[: row.uid_size].hex().upper()
            sightings.append(Sighting(self.number, row.what, row.source, uid, stamp_ms))
        return [Sightings(tags.nonce, tuple(sightings))] if sightings else []

    def receive_snapshot(self, message: SnapshotMessage) -> list[Observation]:
        """The snapshot, unless it is older than what is known or tells nothing new."""
        if len(message.classes) != len(self._classes) or max(message.classes, default=0) > _CLASS_MAX:
            self._counts[Count.CONTRADICTION] += 1
            return []
        if self._leaps(message.device_ms):
            return []
        if message.number < self.number:
            self._counts[Count.STALE_SNAPSHOT] += 1
            self.told_again = True  # the board still keeps what is known here: the acknowledgement was lost
            return []
        if not self.unsure and message.number == self.number and message.classes == self._classes:
            self.told_again = True
            return []
        self.number = message.number
        self._classes = bytearray(message.classes)
        self.unsure = False
        stamp_ms = self._rise_to(message.device_ms)
        return [Snapshot(message.nonce, message.number, stamp_ms, message.classes)]

    def receive_status(self, status: Status) -> list[Observation]:
        """That nothing is missing up to the board's time, where the heartbeat says so."""
        if self._leaps(status.device_ms):
            return []
        device_ms = self.unwrap(status.device_ms)
        if self.unsure or status.last_number != self.number or device_ms <= self._complete_ms:
            return []
        self._complete_ms = device_ms
        return [Complete(status.nonce, device_ms)]

    def _fits(self, sensor: int, old: int, new: int) -> bool:
        """Whether a change can follow what is known."""
        if sensor >= len(self._classes) or old > _CLASS_MAX or new > _CLASS_MAX or old == new:
            return False
        return self._classes[sensor] in (old, _UNTOLD)

    def _leaps(self, wrapped_ms: int) -> bool:
        """Whether a time is so far ahead that it is not believed before a second one agrees with it."""
        device_ms = unwrap_ms(wrapped_ms, self._clock_ms)
        before_ms, self._leap_ms = self._leap_ms, None
        if device_ms - self._clock_ms <= _LEAP_MAX_MS:
            return False
        if before_ms is not None and abs(device_ms - before_ms) <= _LEAP_MAX_MS:
            return False
        self._leap_ms = device_ms
        self._counts[Count.LEAP] += 1
        return True

    def _rise_to(self, wrapped_ms: int) -> int:
        """The stamp of the next observation; one that falls is raised to the one before, and counted."""
        device_ms = self.unwrap(wrapped_ms)
        if device_ms < self._stamp_ms:
            self._counts[Count.STAMP_FELL] += 1
        self._stamp_ms = max(self._stamp_ms, device_ms)
        return self._stamp_ms


def _is_sighting(row: TagRow) -> bool:
    """Whether a row can be what it says; what a later version has to say may be anything."""
    if row.what in (Sight.CAME, Sight.GONE, Sight.FOUND):
        return row.uid_size in UID_SIZES
    return row.uid_size <= max(UID_SIZES)
