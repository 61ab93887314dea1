"""The board's time in a session: what a heartbeat says, and a clock that wraps, leaps or comes damaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.wire.scripted_board import (
    BOTH_DOWN,
    EMPTY,
    GREETING,
    HEARTBEAT,
    NONCE,
    Scene,
    after_first,
    events,
    snapshot,
)

from tablewire.wire.messages import StatusReq
from tablewire.wire.observed import Changes, Complete, SensorChange, SensorId
from tablewire.wire.session import Count

DAY_MS = 86_400_000


@pytest.mark.parametrize(
    ("last_number", "told"), [(2, [Complete(NONCE, 6000)]), (3, []), (1, [])], ids=["all", "one short", "old"]
)
def test_a_heartbeat_says_that_nothing_is_missing(last_number: int, told: list[object]) -> None:
    """Only when its last change is the last one received."""
    scene = after_first()
    assert scene.say(replace(HEARTBEAT, device_ms=6000, last_number=last_number)) == told


def test_the_horizon_only_rises() -> None:
    """A heartbeat that was overtaken or doubled says nothing new."""
    scene = after_first()
    later, earlier = (replace(HEARTBEAT, device_ms=ms, last_number=2) for ms in (7000, 6000))
    assert scene.say(later, earlier, later) == [Complete(NONCE, 7000)]


def test_a_status_request_is_under_way_once_at_a_time() -> None:
    """Asking again and again sends one request; when the answer is lost, another one after a while."""
    scene = after_first()
    scene.session.request_status()
    assert scene.heard() == [StatusReq()]
    scene.session.request_status()
    scene.session.request_status()
    assert scene.later(249) == []
    assert scene.later(1) == [StatusReq()]
    scene.say(replace(HEARTBEAT, device_ms=6000, last_number=2))
    assert scene.later(1000) == []


def test_the_board_clock_is_unwrapped_and_never_falls() -> None:
    """After 49.7 days the 32 bits begin anew; a stamp that falls by mistake is raised."""
    scene = Scene()
    top = 2**32
    scene.say(replace(GREETING, device_ms=top - 100), snapshot(0, EMPTY, top - 90))
    told = scene.say(
        events(1, (5, 0, 2), base_ms=top - 3),
        events(2, (6, 0, 2), base_ms=5),
        events(3, (6, 2, 0), base_ms=top - 50),
        replace(HEARTBEAT, device_ms=400, last_number=3),
    )
    stamps = [change.device_ms for one in told if isinstance(one, Changes) for change in one.changes]
    assert stamps == [top - 3, top + 5, top + 5]
    assert told[-1] == Complete(NONCE, top + 400)
    assert scene.session.counts[Count.STAMP_FELL] == 1


def test_the_clock_is_followed_through_months_without_a_change() -> None:
    """Heartbeats alone carry it over two wraps; after a day of silence the second one is believed."""
    scene = after_first()
    for day in range(1, 121):
        times = [day * DAY_MS + ms for ms in (0, 1000)]
        beats = [replace(HEARTBEAT, device_ms=ms % 2**32, last_number=2) for ms in times]
        assert scene.say(*beats) == [Complete(NONCE, times[1])]


@pytest.mark.parametrize("ahead_ms", [100_000, DAY_MS, 2**31 - 10_000])
@pytest.mark.parametrize(
    "damaged",
    [
        pytest.param(lambda ms: replace(HEARTBEAT, device_ms=ms, last_number=2), id="heartbeat"),
        pytest.param(lambda ms: events(3, (5, 2, 0), base_ms=ms), id="changes"),
        pytest.param(lambda ms: snapshot(2, BOTH_DOWN, ms), id="snapshot"),
    ],
)
def test_one_wrong_time_does_not_stop_the_clock(damaged: Callable[[int], object], ahead_ms: int) -> None:
    """A checksum of 16 bits lets one damaged frame in 65,536 through; what follows keeps its own time.

    Defence: a leap is believed when a second time agrees with it. Without that, every stamp up to that time,
    which may be weeks away, would be raised to it, and nothing would settle.
    """
    scene = after_first()
    assert scene.say(damaged(2_000 + ahead_ms)) == []
    assert scene.heard() == []
    assert scene.say(events(3, (5, 2, 0), base_ms=3000)) == [
        Changes(NONCE, (SensorChange(3, SensorId(5), 2, 0, 3000),))
    ]
    beat = replace(HEARTBEAT, device_ms=4000, last_number=3)
    assert scene.say(beat) == [Complete(NONCE, 4000)]
    assert scene.session.counts[Count.LEAP] == 1


def test_after_a_long_silence_changes_are_told_at_the_second_try() -> None:
    """The board repeats what is not acknowledged."""
    scene = after_first()
    late = events(3, (5, 2, 0), base_ms=DAY_MS)
    assert scene.say(late) == []
    assert scene.say(late) == [Changes(NONCE, (SensorChange(3, SensorId(5), 2, 0, DAY_MS),))]
