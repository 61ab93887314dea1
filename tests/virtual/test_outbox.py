"""The board's outbox: a batch under way stays as it is, and is said again in device time until it is safe."""

from __future__ import annotations

import pytest

from tablewire.virtual.outbox import RING_COUNT, Outbox
from tablewire.wire.messages import Events, Snapshot

NONCE = 9


def outbox() -> Outbox:
    """Empty, of a board without sensors."""
    return Outbox(NONCE, lambda number: Snapshot(NONCE, number, 0, b""))


def test_a_batch_under_way_never_grows() -> None:
    """A change that comes meanwhile waits for the next batch, so that every copy says the same."""
    box = outbox()
    box.push(5, 0, 2, 100)
    first = box.take_due(100)
    box.push(6, 0, 2, 110)
    assert box.take_due(130) == first
    box.acknowledge(1)
    second = box.take_due(131)
    assert isinstance(second, Events)
    assert (second.first_number, len(second.rows)) == (2, 1)


def test_retries_come_after_30_ms_doubling_to_500() -> None:
    """In device time, for ever."""
    box = outbox()
    box.push(5, 0, 2, 0)
    sent = [ms for ms in range(3000) if box.take_due(ms) is not None]
    assert sent == [0, 30, 90, 210, 450, 930, 1430, 1930, 2430, 2930]


def test_a_host_that_kept_half_a_batch_gets_the_other_half() -> None:
    """It stopped between two changes, and its journal says where."""
    box = outbox()
    for sensor in range(4):
        box.push(sensor, 0, 1, sensor)
    box.take_due(10)
    box.acknowledge(2)
    rest = box.take_due(11)
    assert isinstance(rest, Events)
    assert (rest.first_number, [row.sensor for row in rest.rows]) == (3, [2, 3])


@pytest.mark.parametrize("number", [2, 1000])
def test_an_acknowledgement_of_what_never_happened_is_not_believed(number: int) -> None:
    """Nothing is forgotten for it."""
    box = outbox()
    box.push(5, 0, 2, 0)
    box.acknowledge(number)
    assert box.oldest_number == 1


def test_a_batch_ends_where_its_times_no_longer_fit() -> None:
    """Two bytes hold 65.5 s; what came later goes into the next batch."""
    box = outbox()
    box.push(5, 0, 2, 0)
    box.push(6, 0, 2, 65_536)
    batch = box.take_due(65_536)
    assert isinstance(batch, Events)
    assert len(batch.rows) == 1


def test_an_overflow_is_one_snapshot_of_the_last_change() -> None:
    """An acknowledgement of the batch before it does not settle it."""
    box = outbox()
    for number in range(RING_COUNT + 5):
        box.push(number % 8, 0, 1, number)
    box.acknowledge(3)
    assert box.take_due(100) == Snapshot(NONCE, RING_COUNT + 5, 0, b"")
    box.push(1, 1, 0, 200)
    box.acknowledge(RING_COUNT + 5)
    after = box.take_due(201)
    assert isinstance(after, Events)
    assert after.first_number == RING_COUNT + 6
