"""Old snapshots in place of new ones, on the way from a board to its host."""

from __future__ import annotations

from tablewire.virtual.stale import StaleSnapshots
from tablewire.wire.frame import Frame, encode_frame
from tablewire.wire.messages import Snapshot, Status


def frame(number: int, seq: int = 0) -> bytes:
    """A snapshot true for a change's number, in a frame."""
    return encode_frame(Frame(Snapshot.TYPE, seq, 9, Snapshot(7, number, 0, bytes([number])).encode()))


def test_snapshots_pass_unless_the_fault_is_on() -> None:
    line = StaleSnapshots()
    assert [line.carry(frame(number)) for number in (1, 2)] == [frame(1), frame(2)]


def test_the_next_ones_say_what_the_last_one_said_in_frames_of_their_own() -> None:
    """Sequence and acknowledgement are those of the frame, so nothing but the table is old."""
    line = StaleSnapshots()
    line.carry(frame(1))
    line.turn_on(2)
    arrived = [line.carry(frame(number, seq)) for number, seq in ((2, 10), (3, 11), (4, 12))]
    assert arrived == [frame(1, 10), frame(1, 11), frame(4, 12)]


def test_before_any_snapshot_the_first_is_the_old_one() -> None:
    line = StaleSnapshots()
    line.turn_on(1)
    assert [line.carry(frame(number)) for number in (1, 2, 3)] == [frame(1), frame(1), frame(3)]


def test_ended_it_changes_nothing() -> None:
    line = StaleSnapshots()
    line.carry(frame(1))
    line.turn_on(5)
    line.turn_off()
    assert line.carry(frame(2)) == frame(2)


def test_other_frames_and_what_is_none_pass() -> None:
    line = StaleSnapshots()
    line.turn_on(5)
    other = encode_frame(Frame(Status.TYPE, 1, 2, bytes(40)))
    for unit in (other, b"\0\0", b"", b"boot text\r\n", other[:-4]):
        assert line.carry(unit) == unit
