"""A board over Bluetooth LE: found by name or address, connected, read and written. The real bleak does it.

Owns what goes well, and who is refused; what breaks meanwhile is in test_ble_faults.py, and who is taken
where none is named in test_ble_any.py.
"""

from __future__ import annotations

import random
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.gatt import FLAVOURS, Characteristic, Flavour
from tests.ble.linking import (
    NOBODY,
    PATIENCE_S,
    PATIENT,
    SILENT,
    ble_link,
    heard_by_others,
    nothing_is_left,
    opened,
    read_all,
    read_until_lost,
    until,
)
from tests.ble.uart import EchoUart

from tablewire.link.ble import BleLimits, BleLink, scan_for_boards
from tablewire.link.contract import Link, Seeking
from tablewire.link.faults import Cause, LinkLost, LinkRefused
from tablewire.wire.greeting import Greeting

BOTH = pytest.mark.parametrize("flavour", ["nus", "hm10"])
MESSAGE = bytes(range(256)) * 2


def test_it_is_a_link_like_any_other() -> None:
    link: Link = BleLink("tablewire")
    assert (link.name, link.kind) == ("ble:tablewire", "ble")
    assert BleLink().name == "ble"
    assert isinstance(link, Seeking)


@BOTH
def test_what_is_written_comes_back_whole_over_an_echo(bluez: FakeBluez, flavour: str) -> None:
    bluez.add_bridge("tablewire", flavour=flavour, board=EchoUart())
    with opened("tablewire") as link:
        assert link.write(MESSAGE)
        assert read_all(link, len(MESSAGE)) == MESSAGE
    assert nothing_is_left(bluez)
    assert bluez.pair_count == 0


@BOTH
def test_a_burst_arrives_whole_and_in_order_both_ways(bluez: FakeBluez, flavour: str) -> None:
    bridge = bluez.add_bridge("tablewire", flavour=flavour)
    burst = random.Random(1).randbytes(20_000)
    with opened("tablewire") as link:
        bridge.say(burst)
        assert read_all(link, len(burst)) == burst
        for at in range(0, len(burst), 512):
            assert link.write(burst[at : at + 512])
            assert bridge.hear(len(burst[at : at + 512])) == burst[at : at + 512]


@pytest.mark.parametrize("wanted", ["TableWire", " tablewire ", "c0:00:00:00:00:0A", "C0:00:00:00:00:0A"])
def test_a_board_is_found_by_name_or_address_in_whatever_case(bluez: FakeBluez, wanted: str) -> None:
    bluez.add_bridge("lamp", "C0:00:00:00:00:0B", rssi_dbm=-30)
    bluez.add_bridge("tablewire", "C0:00:00:00:00:0A")
    with opened(wanted) as link:
        assert (link.name, link.address) == ("ble:tablewire", "C0:00:00:00:00:0A")


def test_a_board_that_another_programs_scan_hears_is_found_at_once(bluez: FakeBluez) -> None:
    bluez.add_bridge("tablewire")
    at_once = BleLimits(find_s=0.0, find_any_s=0.0, connect=PATIENT.connect)
    with heard_by_others(1), opened("tablewire", limits=at_once) as link:
        assert link.name == "ble:tablewire"


def test_where_names_are_not_enough_the_address_is_the_name(bluez: FakeBluez) -> None:
    bluez.add_bridge("HMSoft", "C0:00:00:00:00:0A", flavour="hm10")
    bluez.add_bridge("HMSoft", "C0:00:00:00:00:0B", flavour="hm10", rssi_dbm=-40)
    with heard_by_others(2), opened(limits=SILENT) as link:
        assert link.name == "ble:C0:00:00:00:00:0B"


@pytest.mark.parametrize("mtu", [23, 185, 247])
def test_a_write_is_cut_to_what_the_connection_takes(bluez: FakeBluez, mtu: int) -> None:
    bridge = bluez.add_bridge("tablewire", mtu=mtu)
    with opened("tablewire") as link:
        link.write(MESSAGE)
        assert bridge.hear(len(MESSAGE)) == MESSAGE
        assert bridge.counts.largest_write_bytes == mtu - 3


def test_the_size_of_a_write_follows_the_connection(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire", mtu=247)
    with opened("tablewire") as link:
        for mtu in (23, 185, 64):
            bridge.set_mtu(mtu)
            link.write(MESSAGE)
            assert bridge.hear(len(MESSAGE)) == MESSAGE


def test_a_board_that_only_takes_answered_writes_gets_those(
    bluez: FakeBluez, monkeypatch: pytest.MonkeyPatch
) -> None:
    rx, tx = FLAVOURS["nus"].characteristics
    answered = Characteristic(rx.uuid, rx.handle, ("write",))
    monkeypatch.setitem(FLAVOURS, "answered", Flavour(FLAVOURS["nus"].service_uuid, 0x000A, (answered, tx)))
    bridge = bluez.add_bridge("tablewire", flavour="answered")
    with opened("tablewire") as link:
        link.write(MESSAGE)
        assert bridge.hear(len(MESSAGE)) == MESSAGE


def test_a_board_is_listened_to_before_anything_is_written(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    with opened("tablewire"):
        assert bluez.listener_count == 1
        assert bridge.counts.writes == 0


def test_nothing_said_before_is_heard_after_another_open(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    with opened("tablewire") as link:
        bridge.say(b"before")
        link.open()
        bridge.say(b"after")
        assert read_all(link, 5) == b"after"


# ---- who is refused ----


def test_a_board_that_is_not_heard_is_said_to_be_so_with_what_is_heard_instead(bluez: FakeBluez) -> None:
    bluez.add_bridge("lamp")
    with (
        heard_by_others(1),
        ble_link("tablewire", limits=NOBODY) as link,
        pytest.raises(LinkRefused) as refused,
    ):
        link.open()
    assert refused.value.cause is Cause.ABSENT
    text = str(refused.value)
    assert "cannot open ble:tablewire: it is not heard" in text
    assert "hci0" in text
    assert "connected to another computer or phone" in text
    assert [place.port for place in refused.value.tried] == ["ble:lamp"]
    assert nothing_is_left(bluez)


def test_a_board_that_another_computer_took_is_not_heard(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    bridge.go_elsewhere()
    with ble_link("tablewire", limits=NOBODY) as link:
        with pytest.raises(LinkRefused) as refused:
            link.open()
        assert refused.value.cause is Cause.ABSENT
    bridge.appear()
    with opened("tablewire") as link:
        assert link.name == "ble:tablewire"


def test_a_board_that_another_program_listens_to_is_left_to_it(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    bluez.take(bridge)
    with ble_link("tablewire") as link:
        with pytest.raises(LinkRefused) as refused:
            link.open()
        assert refused.value.cause is Cause.TAKEN
        assert "another program of this computer" in str(refused.value)
        assert bridge.is_connected
        assert bluez.listener_count == 1
        bluez.release(bridge)
        link.open()
        assert link.write(b"ours")
        assert bridge.hear(4) == b"ours"


def test_a_board_that_a_dead_program_left_connected_is_taken_over(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire", board=EchoUart())
    bluez.orphan(bridge)
    with opened("tablewire") as link:
        assert bridge.counts.connects == 1
        link.write(b"hello")
        assert read_all(link, 5) == b"hello"
    assert not bridge.is_connected


def test_of_two_that_want_one_board_the_first_has_it(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    start = threading.Barrier(2)

    def want() -> BleLink | LinkRefused:
        link = BleLink("tablewire", limits=BleLimits(find_s=20.0))
        start.wait(PATIENCE_S)
        try:
            link.open()
        except LinkRefused as refused:
            return refused
        return link

    with ThreadPoolExecutor(2) as programs:
        got = [program.result() for program in [programs.submit(want) for _ in range(2)]]
    (link,) = (one for one in got if isinstance(one, BleLink))
    (refused,) = (one for one in got if isinstance(one, LinkRefused))
    assert refused.cause in {Cause.TAKEN, Cause.ABSENT}  # absent where the other was connected already
    assert bluez.overlap_count == 0
    link.write(b"ours")
    assert bridge.hear(4) == b"ours"
    link.close()
    assert nothing_is_left(bluez)


def test_something_without_a_uart_says_what_it_offers(
    bluez: FakeBluez, monkeypatch: pytest.MonkeyPatch
) -> None:
    battery = Characteristic("00002a19-0000-1000-8000-00805f9b34fb", 0x0011, ("read", "notify"))
    monkeypatch.setitem(
        FLAVOURS, "battery", Flavour("0000180f-0000-1000-8000-00805f9b34fb", 0x0010, (battery,))
    )
    bridge = bluez.add_bridge("tablewire", flavour="battery")
    limits = BleLimits(find_s=0.1, find_any_s=PATIENCE_S)
    with ble_link("tablewire", limits=limits) as link, pytest.raises(LinkRefused) as refused:
        link.open()
    assert "no UART service" in str(refused.value)
    assert "Battery Service" in str(refused.value)
    assert not bridge.is_connected
    assert nothing_is_left(bluez)


def test_a_name_from_the_air_is_shortened_and_cannot_colour_a_terminal(bluez: FakeBluez) -> None:
    bluez.add_bridge("\x1b[31m" + "long" * 60)
    with (
        heard_by_others(1),
        ble_link("tablewire", limits=NOBODY) as link,
        pytest.raises(LinkRefused) as refused,
    ):
        link.open()
    (place,) = refused.value.tried
    assert place.port.isprintable()
    assert len(place.port) < 60


# ---- threads ----


def test_a_scan_and_a_connect_wait_for_each_other(bluez: FakeBluez) -> None:
    bluez.add_bridge("one")
    bluez.add_bridge("two")
    with ThreadPoolExecutor(3) as others, ble_link("one") as one, ble_link("two") as two:
        works: list[Future[object]] = [others.submit(scan_for_boards, 0.2)]
        works += [others.submit(link.open) for link in (one, two)]
        for work in works:
            work.result(PATIENCE_S)
        assert bluez.overlap_count == 0
    assert nothing_is_left(bluez)


def test_a_read_is_woken(bluez: FakeBluez) -> None:
    bluez.add_bridge("tablewire")
    with ThreadPoolExecutor(1) as other, opened("tablewire") as link:
        link.wake()
        assert link.read(PATIENCE_S) == b""
        for _ in range(20):
            other.submit(link.wake)
            assert link.read(PATIENCE_S) == b""


def test_giving_up_ends_an_open_that_looks_for_its_board(bluez: FakeBluez) -> None:
    looking = threading.Event()
    with ble_link("tablewire", limits=PATIENT) as link, ThreadPoolExecutor(1) as other:
        link.tell = lambda _: looking.set()
        opening = other.submit(link.open)
        assert looking.wait(PATIENCE_S)
        link.give_up()
        with pytest.raises(LinkRefused, match="the program ends"):
            opening.result(PATIENCE_S / 2)
        with pytest.raises(LinkRefused, match="the program ends"):
            link.open()
    assert nothing_is_left(bluez)


def test_giving_up_ends_an_open_that_connects_or_greets(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    bridge.slow_services(None)
    slow = replace(SILENT, greet_s=PATIENCE_S)
    with ble_link("tablewire", limits=slow) as link, ThreadPoolExecutor(1) as other:
        opening = other.submit(link.open)
        until(lambda: bridge.is_connected)
        link.give_up()
        with pytest.raises(LinkRefused, match="the program ends"):
            opening.result(PATIENCE_S / 2)
    until(lambda: not bridge.is_connected)
    assert nothing_is_left(bluez)
    bridge.slow_services(0.0)
    with ble_link(greet=Greeting, limits=slow) as link, ThreadPoolExecutor(1) as other:
        opening = other.submit(link.open)
        bridge.hear(1)
        link.give_up()
        with pytest.raises(LinkRefused, match="the program ends"):
            opening.result(PATIENCE_S / 2)
    assert nothing_is_left(bluez)


def test_giving_up_ends_a_read_that_waits(bluez: FakeBluez) -> None:
    bluez.add_bridge("tablewire")
    with opened("tablewire") as link, ThreadPoolExecutor(1) as other:
        losing = other.submit(read_until_lost, link)
        link.give_up()
        assert "the program ends" in losing.result(PATIENCE_S / 2)


def test_a_closed_link_neither_reads_nor_writes(bluez: FakeBluez) -> None:
    bluez.add_bridge("tablewire")
    link = BleLink("tablewire")
    link.close()
    link.wake()
    with pytest.raises(LinkLost):
        link.read(0)
    link.open()
    link.close()
    link.close()
    link.wake()
    with pytest.raises(LinkLost):
        link.read(0)
    with pytest.raises(LinkLost):
        link.write(b"\0")
    assert nothing_is_left(bluez)
