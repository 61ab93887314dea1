"""Snapshots that come too late: the fault that answers with a table of before.

Owns which payload a snapshot's frame carries. Must not know the firmware, time or ports.
"""

from __future__ import annotations

from tablewire.wire.frame import Drop, Frame, encode_frame, parse_frame
from tablewire.wire.messages import Sight, Snapshot, Tags


class StaleSnapshots:
    """Frames pass through on their way to the host; when the fault is on, a snapshot is an old one."""

    def __init__(self) -> None:
        self._passed: bytes | None = None  # the last snapshot's payload
        self._stale: bytes | None = None
        self._left_count = 0

    def turn_on(self, count: int) -> None:
        """The next `count` snapshots say what the last one before them said."""
        self._stale, self._left_count = self._passed, count

    def turn_off(self) -> None:
        """Snapshots are true again."""
        self._left_count = 0

    def carry(self, unit: bytes) -> bytes:
        """A frame with both delimiters, or whatever else left at once; what passes on in its place."""
        frame = parse_frame(unit.strip(b"\0"))
        if isinstance(frame, Drop) or not _is_snapshot(frame):
            return unit
        self._passed = frame.payload
        if self._left_count == 0:
            return unit
        if self._stale is None:  # none was there to be repeated: this one becomes the old one
            self._stale = frame.payload
            return unit
        self._left_count -= 1
        return encode_frame(frame._replace(payload=self._stale))


def _is_snapshot(frame: Frame) -> bool:
    """Whether it says what lies there; a board with readers begins that with ANEW."""
    if frame.type != Tags.TYPE:
        return frame.type == Snapshot.TYPE
    return any(row.what == Sight.ANEW for row in Tags.parse(frame.payload).rows)
