"""A session over resets, silence, lost links and restarts of the host."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.wire.scripted_board import (
    BOTH_DOWN,
    EMPTY,
    GREETING,
    HEARTBEAT,
    NONCE,
    OTHER_NONCE,
    Scene,
    after_first,
    events,
    snapshot,
)

from tablewire.wire.messages import Ack, HostHello, SnapshotReq, StatusReq
from tablewire.wire.observed import Changes, SensorChange, SensorId, Snapshot
from tablewire.wire.session import BoardFound, BoardRefused, Count, Known


def test_a_reset_is_noticed_by_its_greeting_and_leads_to_a_snapshot() -> None:
    """A new nonce is a reset of the same table, not a new table."""
    scene = after_first()
    rebooted = replace(GREETING, nonce=OTHER_NONCE, device_ms=3)
    assert scene.say(rebooted) == [BoardFound(OTHER_NONCE, True, 3, rebooted)]
    assert scene.heard() == [SnapshotReq()]
    told = scene.say(snapshot(0, BOTH_DOWN, 50, OTHER_NONCE))
    assert told == [Snapshot(OTHER_NONCE, 0, 50, BOTH_DOWN)]


def test_a_reset_whose_greeting_was_lost_is_noticed_by_the_heartbeat() -> None:
    """Every report carries the nonce, so one of another boot is asked about and never mixed in."""
    scene = after_first()
    assert scene.say(events(3, (5, 2, 0), nonce=OTHER_NONCE), snapshot(3, EMPTY, nonce=OTHER_NONCE)) == []
    assert scene.say(replace(HEARTBEAT, nonce=OTHER_NONCE)) == []
    assert scene.heard() == [HostHello(1, 0)]
    assert scene.session.counts[Count.OTHER_BOOT] == 3


def test_a_late_heartbeat_is_asked_for_and_three_seconds_of_silence_are_a_lost_board() -> None:
    """The heartbeat comes each second; the game is kept, and goes on where it was."""
    scene = after_first()
    scene.say(HEARTBEAT)
    assert scene.later(1499) == []
    assert scene.later(1500) == [StatusReq()] * 6
    assert scene.state() == "up"
    assert scene.later(1) == [HostHello(1, 0)]
    assert scene.state() == "down"
    assert scene.later(400) == [HostHello(1, 0)] * 2
    again = replace(GREETING, last_number=3, oldest_number=3)
    assert scene.say(again) == [BoardFound(NONCE, False, 1000, again)]
    assert scene.heard() == [Ack(NONCE, 2)]
    assert scene.say(events(3, (5, 2, 0), base_ms=7000)) == [
        Changes(NONCE, (SensorChange(3, SensorId(5), 2, 0, 7000),))
    ]


def test_a_board_that_was_only_silent_is_believed_at_its_next_word() -> None:
    """Its reports carry the nonce, so no greeting is needed; another boot's do not bring it back."""
    scene = after_first()
    scene.later(3500)
    assert scene.say(events(3, (5, 2, 0), nonce=OTHER_NONCE)) == []
    assert scene.state() == "down"
    assert len(scene.say(events(3, (5, 2, 0)))) == 1
    assert scene.state() == "up"
    assert HostHello(1, 0) not in scene.later(1000)


def test_a_lost_link_sends_nothing_and_a_reopened_one_goes_on() -> None:
    """Same boot, nothing missing: no snapshot is needed."""
    scene = after_first()
    scene.session.link_lost(scene.now_ms)
    assert scene.state() == "down"
    assert scene.session.next_wakeup_ms(scene.now_ms) is None
    assert scene.later(5000) == []
    scene.session.link_opened(scene.now_ms)
    assert scene.heard() == [HostHello(1, 0)]
    scene.say(replace(GREETING, last_number=2, oldest_number=3))
    assert scene.heard() == [Ack(NONCE, 2)]
    assert scene.session.synced


def test_a_board_that_forgot_what_was_missed_is_asked_for_a_snapshot() -> None:
    """Its ring overflowed while the link was lost."""
    scene = after_first()
    scene.session.link_lost(scene.now_ms)
    scene.session.link_opened(scene.now_ms)
    scene.say(replace(GREETING, last_number=90, oldest_number=60))
    assert SnapshotReq() in scene.heard()


KNOWN = Known(NONCE, 2, 2005, BOTH_DOWN)


@pytest.mark.parametrize(
    ("known", "hello", "said"),
    [
        pytest.param(KNOWN, {"last_number": 4, "oldest_number": 3}, Ack(NONCE, 2), id="goes on"),
        pytest.param(
            KNOWN, {"last_number": 4, "oldest_number": 1}, Ack(NONCE, 2), id="still keeps the known"
        ),
        pytest.param(KNOWN, {"last_number": 9, "oldest_number": 4}, SnapshotReq(), id="a change is missing"),
        pytest.param(KNOWN, {"nonce": OTHER_NONCE}, SnapshotReq(), id="another boot"),
        pytest.param(
            replace(KNOWN, classes=None), {"last_number": 2, "oldest_number": 3}, Ack(NONCE, 2), id="bare"
        ),
    ],
)
def test_a_restarted_host_goes_on_from_its_journal(known: Known, hello: dict[str, Any], said: object) -> None:
    """A snapshot only where changes are missing: their order is worth keeping."""
    scene = Scene(known)
    scene.heard()
    scene.say(replace(GREETING, **hello))
    assert scene.heard() == [said]


def test_without_known_classes_the_first_change_of_a_sensor_is_believed() -> None:
    """The journal may not hold the table; the board's word on the old class stands once."""
    scene = Scene(replace(KNOWN, classes=None))
    scene.say(replace(GREETING, last_number=4, oldest_number=3))
    assert len(scene.say(events(3, (5, 2, 0)))) == 1
    assert scene.say(events(4, (5, 3, 0))) == []
    assert scene.session.counts[Count.CONTRADICTION] == 1


def test_an_overtaken_greeting_is_ignored_and_a_board_that_forgot_is_refused() -> None:
    """With the same boot number at every start nothing could tell its changes apart."""
    scene = Scene(KNOWN)
    forgetful = replace(GREETING, last_number=1, oldest_number=1)
    assert scene.say(forgetful) == []
    assert scene.session.counts[Count.STALE_HELLO] == 1
    told = scene.say(*[forgetful] * 8)
    assert [type(one) for one in told] == [BoardRefused]
    assert "off and on" in str(told[0])
    rebooted = replace(GREETING, nonce=OTHER_NONCE)
    assert scene.say(rebooted) == [BoardFound(OTHER_NONCE, True, 1000, rebooted)]
