"""The outbox of a board with readers: its rows, and what it does when it is full."""

from __future__ import annotations

from tablewire.virtual.tag_outbox import RING_COUNT, TagOutbox
from tablewire.wire.messages import Sight, TagRow, Tags

NONCE = 9
UID_7 = bytes.fromhex("04A1B2C3D4E5F6")
UID_4 = bytes.fromhex("8899AABB")


def said(box: TagOutbox, now_ms: int = 0) -> Tags:
    """The batch that is due."""
    batch = box.take_due(now_ms)
    assert isinstance(batch, Tags)
    return batch


def test_the_first_word_of_a_boot_is_that_everything_begins() -> None:
    batch = said(TagOutbox(NONCE, 5))
    assert batch == Tags(NONCE, 1, 5, (TagRow(0, Sight.ANEW, 0, 0, bytes(7)),))


def test_a_row_has_the_tag_with_its_size_and_the_time_after_the_first() -> None:
    box = TagOutbox(NONCE, 0)
    box.acknowledge(1)
    assert box.push(Sight.CAME, 3, UID_7, 100)
    assert box.push(Sight.GONE, 4, UID_4, 130)
    assert box.push(Sight.DOWN, 1, b"", 131)
    assert said(box) == Tags(
        NONCE,
        2,
        100,
        (
            TagRow(3, Sight.CAME, 0, 7, UID_7),
            TagRow(4, Sight.GONE, 30, 4, UID_4 + bytes(3)),
            TagRow(1, Sight.DOWN, 31, 0, bytes(7)),
        ),
    )


def test_a_batch_has_at_most_eight_rows_and_halves_when_it_fails_twice() -> None:
    box = TagOutbox(NONCE, 0)
    for source in range(20):
        box.push(Sight.CAME, source, UID_7, 0)
    batches = [batch for ms in range(2_000) if isinstance(batch := box.take_due(ms), Tags)]
    assert [len(batch.rows) for batch in batches] == [8, 8, 4, 4, 2, 2, 1, 1]
    assert {batch.first_number for batch in batches} == {1}


def test_a_full_ring_begins_anew_and_numbers_go_on() -> None:
    """What was kept is forgotten, so nobody is told half of it; what did not fit is to be told after that."""
    box = TagOutbox(NONCE, 0)
    for source in range(RING_COUNT - 1):
        assert box.push(Sight.CAME, source, UID_7, source)
    said(box)
    assert not box.push(Sight.CAME, 99, UID_4, 500)
    assert box.overflow_count == 1
    batch = said(box, 500)
    assert (batch.first_number, batch.base_ms) == (RING_COUNT + 1, 500)
    assert [row.what for row in batch.rows] == [Sight.ANEW]
    assert box.push(Sight.FOUND, 99, UID_4, 501)


def test_it_begins_anew_until_that_is_known_to_have_arrived() -> None:
    """Asked again before, it has nothing better to say."""
    box = TagOutbox(NONCE, 0)
    box.push(Sight.FOUND, 3, UID_7, 10)
    known = [box.begins_anew]
    box.acknowledge(1)
    known.append(box.begins_anew)
    box.begin_anew(20)
    known.append(box.begins_anew)
    assert known == [True, False, True]
    assert box.oldest_number == 3
