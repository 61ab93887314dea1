"""A session with a board: what is told, what is acknowledged, what is asked, on every path of the link."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.wire.scripted_board import (
    BOTH_DOWN,
    EMPTY,
    FIRST,
    GREETING,
    HEARTBEAT,
    NONCE,
    OTHER_NONCE,
    Scene,
    after_first,
    events,
    snapshot,
)

from tablewire.wire.messages import Ack, HostHello, SnapshotReq
from tablewire.wire.observed import Changes, SensorChange, SensorId, Snapshot
from tablewire.wire.session import BoardFound, BoardRefused, Count

# ---- finding the board ----


def test_hello_is_repeated_every_200_ms_until_it_is_answered() -> None:
    """Failure 4: the first words fall on deaf ears; nothing waits for a banner.

    Defence: the repeat in `data_to_send`. Without it the second HELLO never comes.
    """
    scene = Scene()
    assert scene.later(2000) == [HostHello(1, 0)] * 11
    assert scene.state() == "searching"
    assert scene.say(GREETING) == [BoardFound(NONCE, True, 1000, GREETING)]
    assert scene.state() == "up"
    assert HostHello(1, 0) not in scene.later(1000)


def test_a_new_board_is_asked_for_a_snapshot_until_it_comes() -> None:
    """Nothing is believed of a table before it has been seen whole."""
    scene = Scene()
    scene.say(GREETING)
    assert 4 <= scene.later(1000).count(SnapshotReq()) <= 6
    assert scene.say(FIRST) == []
    assert scene.say(snapshot(2, BOTH_DOWN)) == [Snapshot(NONCE, 2, 1500, BOTH_DOWN)]
    assert scene.session.synced
    assert scene.later(1000) == []


@pytest.mark.parametrize(("major", "side"), [(0, "the board's firmware"), (2, "tablewire on this computer")])
def test_another_major_version_is_refused_and_the_older_side_is_named(major: int, side: str) -> None:
    """Only the version is read of a foreign greeting, so whatever follows may be shorter or longer."""
    scene = Scene()
    told = scene.say_raw(GREETING.TYPE, bytes([major, 7]) + b"who knows")
    assert [type(one) for one in told] == [BoardRefused]
    assert f"update {side}" in str(told[0])
    assert scene.state() == "refused"
    assert scene.say_raw(GREETING.TYPE, bytes([major, 7])) == []
    assert scene.say(FIRST, HEARTBEAT) == []


def test_a_refused_board_that_comes_back_updated_is_taken() -> None:
    """The host goes on asking, seldom."""
    scene = Scene()
    scene.say_raw(GREETING.TYPE, bytes([9, 0]))
    assert 1 <= scene.later(4000).count(HostHello(1, 0)) <= 3
    assert scene.say(GREETING) == [BoardFound(NONCE, True, 1000, GREETING)]


def test_a_newer_minor_version_is_taken() -> None:
    """It may have appended fields and messages; both are skipped."""
    scene = Scene()
    newer = replace(GREETING, minor=9)
    assert scene.say_raw(GREETING.TYPE, newer.encode() + b"more") == [BoardFound(NONCE, True, 1000, newer)]
    assert scene.say_raw(0x3F, b"a message of 2031") == []
    assert scene.session.counts[Count.UNKNOWN_TYPE] == 1


# ---- changes in order ----


@pytest.mark.parametrize(
    ("batch", "told", "acked"),
    [
        pytest.param(FIRST, [], True, id="the same again"),
        pytest.param(events(2, (6, 0, 2)), [], True, id="a part again"),
        pytest.param(
            events(2, (6, 0, 2), (5, 2, 0), base_ms=2005),
            [Changes(NONCE, (SensorChange(3, SensorId(5), 2, 0, 2010),))],
            True,
            id="overlapping",
        ),
        pytest.param(
            events(3, (5, 2, 0), base_ms=3000),
            [Changes(NONCE, (SensorChange(3, SensorId(5), 2, 0, 3000),))],
            False,
            id="the next",
        ),
        pytest.param(events(3), [], False, id="an empty batch"),
    ],
)
def test_changes_are_told_once_and_in_order(batch: object, told: list[object], acked: bool) -> None:
    """Whatever is repeated is told once, and acknowledged again as far as it is on disk."""
    scene = after_first()
    assert scene.say(batch) == told
    assert scene.heard() == ([Ack(NONCE, 2)] if acked else [])
    assert scene.session.synced


def test_nothing_is_acknowledged_before_it_is_on_disk() -> None:
    """The acknowledgement waits for `acknowledge`, however often the board repeats itself.

    Defence: `acknowledged` is another number than `number`. Acknowledging what was received fails here.
    """
    scene = Scene()
    scene.meet()
    scene.say(FIRST)
    assert scene.heard() == []
    assert scene.say(FIRST) == []
    assert scene.heard() == [Ack(NONCE, 0)]
    scene.session.acknowledge(2)
    assert scene.heard() == [Ack(NONCE, 2)]


def test_what_was_kept_of_an_earlier_boot_acknowledges_nothing_of_a_later_one() -> None:
    """The daemon may be slower with its disk than the board is with its reset."""
    scene = after_first()
    scene.say(events(3, (5, 2, 0)))
    rebooted = replace(GREETING, nonce=OTHER_NONCE)
    scene.say(rebooted, snapshot(40, nonce=OTHER_NONCE))
    scene.session.acknowledge(3, NONCE)
    assert scene.heard() == []
    scene.session.acknowledge(40, OTHER_NONCE)
    assert scene.heard() == [Ack(OTHER_NONCE, 40)]


def test_a_number_from_the_future_is_not_acknowledged() -> None:
    """A mistake of ours must not make the board forget."""
    scene = after_first()
    scene.session.acknowledge(99)
    assert scene.heard() == []


# ---- gaps, contradictions, snapshots ----


def test_a_gap_leads_to_a_snapshot_and_nothing_is_told_before() -> None:
    """Change 3 is missing, so 4 means nothing; the snapshot is the authority, and play goes on behind it."""
    scene = after_first()
    assert scene.say(events(4, (7, 0, 1))) == []
    assert scene.heard() == [SnapshotReq()]
    assert scene.say(events(3, (5, 2, 0))) == []
    told = scene.say(snapshot(4, bytes([0, 0, 0, 0, 0, 0, 2, 1]), 4000))
    assert told == [Snapshot(NONCE, 4, 4000, bytes([0, 0, 0, 0, 0, 0, 2, 1]))]
    five = Changes(NONCE, (SensorChange(5, SensorId(7), 1, 0, 5000),))
    assert scene.say(events(5, (7, 1, 0), base_ms=5000)) == [five]
    assert scene.session.counts[Count.GAP] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param((6, 0, 4), id="old class is not what was known"),
        pytest.param((6, 2, 2), id="nothing changes"),
        pytest.param((6, 2, 5), id="no such class"),
        pytest.param((200, 0, 1), id="no such sensor"),
    ],
)
def test_a_contradiction_ends_the_batch_and_asks_for_the_truth(wrong: tuple[int, int, int]) -> None:
    """What came before it in the batch stands; it and what follows does not."""
    scene = after_first()
    told = scene.say(events(3, (5, 2, 0), wrong, (7, 0, 1), base_ms=3000))
    assert told == [Changes(NONCE, (SensorChange(3, SensorId(5), 2, 0, 3000),))]
    assert scene.heard() == [SnapshotReq()]
    assert scene.session.counts[Count.CONTRADICTION] == 1
    assert scene.say(snapshot(5, BOTH_DOWN, 3100)) == [Snapshot(NONCE, 5, 3100, BOTH_DOWN)]


def test_a_board_that_counts_past_32_bits_is_not_followed() -> None:
    """No acknowledgement could name such a change; what came before it in the batch stands."""
    last = 2**32 - 1
    scene = after_first()
    scene.say(snapshot(last - 1, BOTH_DOWN, 3000))
    told = scene.say(events(last, (5, 2, 0), (5, 0, 2), base_ms=3100))
    assert told == [Changes(NONCE, (SensorChange(last, SensorId(5), 2, 0, 3100),))]
    scene.session.acknowledge(last)
    assert Ack(NONCE, last) in scene.heard()
    assert scene.say(events(last, (5, 2, 0), (5, 0, 2), base_ms=3100)) == []


def test_a_stale_snapshot_is_dropped_counted_and_asked_for_again() -> None:
    """A snapshot from before what is known would take pieces off the table.

    Defence: the comparison of numbers in `receive_snapshot`. Without it the empty table is believed.
    """
    scene = after_first()
    scene.say(events(4, (7, 0, 1)))
    scene.heard()
    assert scene.say(snapshot(1, EMPTY)) == []
    assert scene.session.counts[Count.STALE_SNAPSHOT] == 1
    # The board still keeps what is known here, so the acknowledgement was lost: it is said again.
    assert scene.later(200) == [Ack(NONCE, 2), SnapshotReq()]
    assert scene.say(snapshot(4, BOTH_DOWN, 4000)) == [Snapshot(NONCE, 4, 4000, BOTH_DOWN)]


def test_a_snapshot_nobody_asked_for_is_believed() -> None:
    """A full ring becomes a snapshot, never a silent loss."""
    scene = after_first()
    assert scene.say(snapshot(70, EMPTY, 9000)) == [Snapshot(NONCE, 70, 9000, EMPTY)]
    scene.session.acknowledge(70)
    assert scene.heard() == [Ack(NONCE, 70)]
    assert scene.say(snapshot(70, EMPTY, 9000)) == []
    assert scene.heard() == [Ack(NONCE, 70)]


@pytest.mark.parametrize("classes", [bytes(7), bytes(9), b"", bytes([0, 0, 0, 0, 0, 0, 0, 9])])
def test_a_snapshot_that_fits_no_board_is_not_believed(classes: bytes) -> None:
    """Too few sensors, too many, or a class that does not exist."""
    scene = Scene()
    scene.say(GREETING)
    assert scene.say(snapshot(0, classes)) == []
    assert SnapshotReq() in scene.later(500)


# ---- what is not understood ----


def test_malformed_payloads_and_unknown_types_are_counted_and_skipped() -> None:
    """What follows is read as if they had not been there."""
    scene = after_first()
    assert scene.say_raw(2, b"\x01") == []
    assert scene.say_raw(0xEE, b"") == []
    assert scene.session.counts[Count.BAD_PAYLOAD] == scene.session.counts[Count.UNKNOWN_TYPE] == 1
    assert len(scene.say(events(3, (5, 2, 0)))) == 1


def test_log_lines_are_kept_whatever_bytes_they_are() -> None:
    """The last fifty, for whoever looks for a board's trouble."""
    scene = after_first()
    for number in range(60):
        scene.say_raw(9, bytes([0, 3]) + b"\xff%02d" % number)
    assert len(scene.session.log) == 50
    assert scene.session.log[-1] == "\ufffd59"


def test_changes_from_before_the_greeting_keep_their_own_time() -> None:
    """The board greets late, with changes still to tell: they are older than the greeting, and stay so."""
    scene = Scene()
    scene.say(replace(GREETING, device_ms=9_000))
    assert scene.say(snapshot(0, EMPTY, 2_000)) == [Snapshot(NONCE, 0, 2_000, EMPTY)]
    told = scene.say(events(1, (6, 0, 2), base_ms=2_000))
    assert told == [Changes(NONCE, (SensorChange(1, SensorId(6), 0, 2, 2_000),))]
