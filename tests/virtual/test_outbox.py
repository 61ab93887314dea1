"""The board's outbox: a batch under way never says anything else, and is said again until it is safe.

A batch that fails twice is said again by its first half: a row keeps its number whatever batch it comes in.
"""

from __future__ import annotations

import pytest

from tablewire.virtual.outbox import RING_COUNT, Outbox
from tablewire.wire.messages import Events, Snapshot

NONCE = 9


def outbox() -> Outbox:
    """Empty, of a board without sensors."""
    return Outbox(NONCE, lambda number: Snapshot(NONCE, number, 0, b""))


def test_a_batch_under_way_never_grows() -> None:
    """A change that comes meanwhile waits for the next batch."""
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


def sizes(box: Outbox, until_ms: int, from_ms: int = 0) -> list[int]:
    """The rows of every batch said up to a moment, with nobody answering."""
    said = [box.take_due(ms) for ms in range(from_ms, until_ms)]
    return [len(batch.rows) for batch in said if isinstance(batch, Events)]


def filled(count: int) -> Outbox:
    """With changes 1 to `count`, all at time 0, of sensors 0 to `count` - 1."""
    box = outbox()
    for sensor in range(count):
        box.push(sensor, 0, 1, 0)
    return box


def test_after_two_failed_tries_a_batch_is_said_by_its_first_half() -> None:
    """And again after two more, down to a single change, which is then said for ever."""
    assert sizes(filled(20), 6_000) == [16, 16, 8, 8, 4, 4, 2, 2, *[1] * 8]


def test_a_batch_of_odd_length_halves_down() -> None:
    assert sizes(filled(5), 1_500) == [5, 5, 2, 2, 1, 1, 1]


def test_half_a_batch_says_what_the_whole_said() -> None:
    """The same number, the same time, the same first rows: nobody can take a change for another."""
    box = filled(16)
    whole, _, half = (box.take_due(ms) for ms in (0, 30, 90))
    assert isinstance(whole, Events)
    assert isinstance(half, Events)
    assert (half.nonce, half.first_number, half.base_ms) == (whole.nonce, whole.first_number, whole.base_ms)
    assert half.rows == whole.rows[:8]


@pytest.mark.parametrize(("number", "first", "count"), [(8, 9, 16), (16, 17, 16), (3, 4, 8)])
def test_an_answer_to_the_whole_batch_counts_also_when_half_of_it_is_under_way(
    number: int, first: int, count: int
) -> None:
    """It was late, or a copy of the whole came through after all. What was not kept is said next."""
    box = filled(40)
    assert sizes(box, 91) == [16, 16, 8]
    box.acknowledge(number)
    following = box.take_due(92)
    assert isinstance(following, Events)
    assert (following.first_number, len(following.rows)) == (first, count)


def test_every_batch_that_comes_through_lets_the_next_be_twice_as_long() -> None:
    """Up to 16 again."""
    box = filled(60)
    assert sizes(box, 931)[-1] == 4
    now_ms, lengths, number = 1_000, [], 4
    for _ in range(4):
        box.acknowledge(number)
        batch = box.take_due(now_ms)
        assert isinstance(batch, Events)
        lengths.append(len(batch.rows))
        number += len(batch.rows)
    assert lengths == [8, 16, 16, 16]


def test_a_host_that_asks_anew_gets_long_batches_again() -> None:
    """Nobody listened before: that says nothing of the line."""
    box = filled(40)
    sizes(box, 5_000)
    box.resend(5_000)
    assert box.take_due(5_000) is not None
    box.acknowledge(1)
    assert sizes(box, 5_002, 5_001) == [16]


def test_a_snapshot_is_never_cut() -> None:
    box = filled(RING_COUNT + 1)
    said = [message for ms in range(3_000) if (message := box.take_due(ms)) is not None]
    assert len(said) > 5
    assert said == [Snapshot(NONCE, RING_COUNT + 1, 0, b"")] * len(said)


def test_a_new_change_makes_what_it_waits_behind_quick_again() -> None:
    """Its batch is next, so the one under way is said within 30 ms, and the pauses grow from there."""
    box = outbox()
    box.push(5, 0, 2, 0)
    sizes(box, 1_000)
    box.push(6, 0, 2, 1_100)
    assert [ms for ms in range(1_000, 1_700) if box.take_due(ms) is not None] == [1_130, 1_190, 1_310, 1_550]


def test_a_hundred_changes_at_once_are_kept_each() -> None:
    """A board of many magnets set down in one go: the order is not lost."""
    box, heard = filled(100), list[int]()
    while (batch := box.take_due(0)) is not None:
        assert isinstance(batch, Events)
        heard += [row.sensor for row in batch.rows]
        box.acknowledge(len(heard))
    assert heard == list(range(100))
    assert box.overflow_count == 0


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
