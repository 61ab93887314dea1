"""Any board by radio, lost and looked for again: the same one first; others are left in peace meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.linking import PATIENCE_S, PATIENT, ble_link, nothing_is_left, read_until_lost
from tests.ble.uart import EchoUart

from tablewire.link.ble import BleLink
from tablewire.link.faults import Cause, LinkRefused
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.greeting import Greeting

QUICK = replace(PATIENT, find_s=0.5, find_any_s=0.1, gather_s=0.0)
"""A board that was switched off is not waited for; one that is there may be missed on a busy machine."""


@contextmanager
def any_board(greet_s: float = PATIENCE_S) -> Iterator[BleLink]:
    """A link to whichever board answers, open, with one board called table on the air."""
    with ble_link(greet=Greeting, limits=replace(QUICK, greet_s=greet_s)) as link:
        open_until_found(link)
        assert link.name == "ble:table"
        yield link


def open_until_found(link: BleLink) -> None:
    """As the link thread does."""
    until_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            link.open()
        except LinkRefused:
            assert time.monotonic() < until_s
        else:
            return


def test_after_a_loss_the_first_look_is_for_the_same_board_alone(bluez: FakeBluez) -> None:
    """A board that is switched off and on must not be left for the one of the table beside it."""
    mine = bluez.add_bridge("table", board=VirtualBoard(1), rssi_dbm=-70)
    with any_board() as link:
        other = bluez.add_bridge("other table", board=VirtualBoard(2), rssi_dbm=-30)
        mine.vanish()
        read_until_lost(link)
        with pytest.raises(LinkRefused, match="it is not heard") as refused:
            link.open()
        assert refused.value.cause is Cause.ABSENT
        assert other.counts.connects == 0
        mine.appear()
        other.vanish()
        open_until_found(link)
        assert link.name == "ble:table"
        mine.vanish()
        read_until_lost(link)
        other.appear()
        open_until_found(link)
        assert link.name == "ble:other table"
    assert nothing_is_left(bluez)


def test_what_does_not_answer_is_left_in_peace_and_does_not_slow_the_search_for_the_board(
    bluez: FakeBluez,
) -> None:
    mine = bluez.add_bridge("table", board=VirtualBoard(1))
    with any_board(greet_s=2.0) as link:
        lamp = bluez.add_bridge("lamp", board=EchoUart())
        mine.vanish()
        read_until_lost(link)
        causes, tried, greeted_s = set(), [], 0.0
        until_s = time.monotonic() + PATIENCE_S
        while not lamp.counts.connects:
            assert time.monotonic() < until_s
            with pytest.raises(LinkRefused) as refused:
                link.open()
        greeted_s = time.monotonic()
        for _ in range(3):
            with pytest.raises(LinkRefused) as refused:
                link.open()
            causes.add(refused.value.cause)
            tried += [place.port for place in refused.value.tried]
        # It is asked again after five seconds, and then ever more seldom.
        assert lamp.counts.connects <= 1 + (time.monotonic() - greeted_s) / 5
        assert causes == {Cause.ABSENT}, "the pace is that of a board that is not there"
        assert set(tried) <= {"ble:lamp"}
        mine.appear()
        open_until_found(link)
        assert link.name == "ble:table"
    assert nothing_is_left(bluez)
