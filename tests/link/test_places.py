"""When a place is asked again, and in which words a search tells of what it tried."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tablewire.link.faults import Cause, LinkRefused, Tried
from tablewire.link.last_good import KnownBoard
from tablewire.link.places import Attempts, Place, nothing_found, radio_place, why_at
from tablewire.link.reconnect import BY_CAUSE

PORT = Place("/dev/ttyACM0", KnownBoard("serial", "/dev/ttyACM0"), mark=1)
OTHER = Place("/dev/ttyACM0", KnownBoard("serial", "/dev/ttyACM0"), mark=2)
AIR = radio_place("C0:00:00:00:00:01", "tablewire")


def asked_at(place: Place, cause: Cause, until_s: float) -> list[float]:
    """When a place that always refuses is asked, looked at every tenth of a second."""
    attempts, asked = Attempts(lambda: 0.0), list[float]()
    for tenth in range(int(until_s * 10)):
        if attempts.is_due(place, tenth / 10):
            asked.append(tenth / 10)
            attempts.failed(place, LinkRefused("no", cause), tenth / 10)
    return asked


@pytest.mark.parametrize("cause", Cause)
def test_a_place_is_asked_ever_more_seldom_by_the_cause_of_its_refusal(cause: Cause) -> None:
    asked = asked_at(PORT, cause, 1000)
    waits = [round(b - a, 1) for a, b in pairwise(asked)]
    assert waits == sorted(waits)
    assert waits[0] == max(0.1, BY_CAUSE[cause].first_s)
    assert waits[-1] == BY_CAUSE[cause].cap_s


def test_a_device_that_is_no_board_is_opened_once_a_minute_at_most_after_a_while() -> None:
    asked = asked_at(PORT, Cause.SILENT, 3600)
    assert len([at_s for at_s in asked if at_s < 120]) <= 6
    assert len(asked) <= 65


def test_a_board_known_by_radio_is_looked_for_every_few_seconds_and_later_every_quarter_of_a_minute() -> None:
    asked = asked_at(AIR, Cause.ABSENT, 600)
    assert asked[:3] == [0.0, 1.0, 3.0]
    waits = [round(b - a, 1) for a, b in pairwise(asked)]
    assert max(waits[:25]) == 4.0
    assert waits[-1] == max(waits) == 15.0


def test_what_is_plugged_in_anew_is_asked_at_once_and_what_is_gone_is_forgotten() -> None:
    attempts = Attempts(lambda: 0.0)
    attempts.failed(PORT, LinkRefused("no", Cause.SILENT), 10.0)
    assert [attempts.is_due(place, 10.1) for place in (PORT, OTHER)] == [False, True]
    attempts.failed(OTHER, LinkRefused("no", Cause.SILENT), 10.0)
    assert not attempts.is_due(OTHER, 14.9)
    assert attempts.is_due(OTHER, 15.0), "it is another device, so the count begins anew"
    attempts.keep_only([])
    assert attempts.is_due(OTHER, 10.1)
    assert attempts.tried() == []


@pytest.mark.parametrize(
    ("place", "refusal", "why"),
    [
        (PORT, LinkRefused("cannot open /dev/ttyACM0: it is locked"), "it is locked"),
        (PORT, LinkRefused("/dev/ttyACM0: no board answers there"), "no board answers there"),
        (PORT, LinkRefused("whatever", tried=[Tried("/dev/ttyACM0", "no answer")]), "no answer"),
        (PORT, LinkRefused("something else"), "something else"),
        (AIR, LinkRefused("cannot open ble:C0:00:00:00:00:01: it is off"), "it is off"),
        (AIR, LinkRefused("cannot open ble:tablewire: it is off"), "it is off"),
        (AIR, LinkRefused("it is off", tried=[Tried("ble:x", "a"), Tried("ble:y", "b")]), "it is off"),
    ],
)
def test_why_a_place_is_not_used_does_not_name_it_again(place: Place, refusal: LinkRefused, why: str) -> None:
    assert why_at(place, refusal) == why


@pytest.mark.parametrize(
    ("tried", "text"),
    [
        ([], "nothing is plugged in that could be one"),
        ([Tried("Bluetooth", "it is off")], "nothing is plugged in that could be one"),
        ([Tried("/dev/ttyS0", "it\nis locked")], "no board is found; /dev/ttyS0: it\\nis locked"),
        ([Tried("/dev/ttyS0", "a"), Tried("/dev/ttyS1", "b")], "no board is found at any of 2 places"),
        ([Tried(f"/dev/ttyS{n}", "a") for n in range(1000)], "no board is found at any of 32 places"),
    ],
)
def test_a_whole_search_is_one_line(tried: list[Tried], text: str) -> None:
    refusal = nothing_found(tried)
    assert text in str(refusal)
    assert str(refusal).isprintable()
    assert refusal.tried == tuple(tried[:32])
