"""Whichever board answers over Bluetooth LE, and what is seen there: with no name given, and by a scan.

Owns who is asked, in which order, and who is left alone. A search that goes over cables too is in
test_ble_finding.py.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.linking import (
    NOBODY,
    PATIENCE_S,
    PATIENT,
    SILENT,
    ble_link,
    heard_by_others,
    nothing_is_left,
)
from tests.ble.uart import EchoUart

from tablewire.link.ble import BleSeen, scan_for_boards
from tablewire.link.faults import Cause, LinkRefused
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.frame import Sender
from tablewire.wire.greeting import Greeting
from tablewire.wire.messages import MAJOR, Hello


def test_any_board_is_the_nearest_that_answers_as_one(bluez: FakeBluez) -> None:
    bluez.add_bridge("sensor", rssi_dbm=-30).refuse_connects()
    bluez.add_bridge("table", board=VirtualBoard(1), rssi_dbm=-50)
    bluez.add_bridge("other table", board=VirtualBoard(2), rssi_dbm=-70)
    with heard_by_others(3), ble_link(greet=Greeting, limits=replace(PATIENT, gather_s=0.0)) as link:
        link.open()
        assert link.name == "ble:table"
        assert [place.port for place in link.tried] == ["ble:sensor"]
    assert nothing_is_left(bluez)


def test_a_board_of_another_version_is_told_with_what_to_update(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("table")
    hello = Sender().encode(Hello.TYPE, bytes([MAJOR + 1]) + bytes(40))

    def answer() -> None:
        bridge.hear(1)
        bridge.say(hello)

    with (
        ThreadPoolExecutor(1) as board,
        ble_link(greet=Greeting, limits=replace(PATIENT, gather_s=0.0)) as link,
    ):
        board.submit(answer)
        with pytest.raises(LinkRefused) as refused:
            link.open()
    assert f"protocol {MAJOR + 1}" in str(refused.value)
    assert "update" in str(refused.value)


def test_what_only_talks_is_let_go(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("thermometer", board=EchoUart())
    with ble_link(greet=Greeting, limits=SILENT) as link, pytest.raises(LinkRefused) as refused:
        link.open()
    assert refused.value.cause is Cause.SILENT
    assert [place.port for place in refused.value.tried] == ["ble:thermometer"]
    assert not bridge.is_connected
    assert nothing_is_left(bluez)


def test_no_board_at_all_is_said(bluez: FakeBluez) -> None:
    with ble_link(limits=NOBODY) as link, pytest.raises(LinkRefused) as refused:
        link.open()
    assert refused.value.cause is Cause.ABSENT
    assert "no board is heard" in str(refused.value)


def test_any_board_leaves_alone_what_others_use(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    bluez.take(bridge)
    with ble_link(limits=NOBODY) as link, pytest.raises(LinkRefused) as refused:
        link.open()
    assert refused.value.cause is Cause.TAKEN


def test_a_board_that_others_take_while_the_search_asks_elsewhere_is_left_to_them(bluez: FakeBluez) -> None:
    first = bluez.add_bridge("first", rssi_dbm=-30)
    second = bluez.add_bridge("second", rssi_dbm=-60)

    def others() -> None:
        first.hear(1)
        bluez.take(second)
        first.lose_link()

    limits = replace(PATIENT, gather_s=0.0, greet_s=PATIENCE_S)
    with (
        ThreadPoolExecutor(1) as program,
        heard_by_others(2),
        ble_link(greet=Greeting, limits=limits) as link,
    ):
        taking = program.submit(others)
        with pytest.raises(LinkRefused) as refused:
            link.open()
        taking.result(PATIENCE_S)
    assert [place.port for place in refused.value.tried] == ["ble:first", "ble:second"]
    assert "another program" in refused.value.tried[1].why
    assert second.is_connected


def test_a_scan_lists_what_offers_a_uart_the_strongest_first(bluez: FakeBluez) -> None:
    bluez.add_bridge("far", "C0:00:00:00:00:01", rssi_dbm=-90)
    bluez.add_bridge("near", "C0:00:00:00:00:02", flavour="hm10", rssi_dbm=-40)
    taken = bluez.add_bridge("taken", "C0:00:00:00:00:03")
    left = bluez.add_bridge("left", "C0:00:00:00:00:04")
    bluez.take(taken)
    bluez.orphan(left)
    with heard_by_others(2):
        seen = scan_for_boards(0.0)
    assert seen[:2] == (
        BleSeen("C0:00:00:00:00:02", "near", -40, "hm10"),
        BleSeen("C0:00:00:00:00:01", "far", -90, "nus"),
    )
    assert [(board.name, board.is_taken) for board in seen[2:]] == [("taken", True), ("left", False)]
    bluez.orphan(taken)  # so that nobody listens to it any more
    assert nothing_is_left(bluez)
