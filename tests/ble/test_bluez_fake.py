"""The fake BlueZ is to bleak what a BlueZ is: scanning, connecting, notifications, writes, many programs.

Owns what goes well; what goes wrong is in test_bluez_faults.py. Must not know our
link.
"""

from __future__ import annotations

import asyncio
import random

import pytest
from bleak import BleakClient, BleakScanner
from bleak.exc import BleakDBusError, BleakError
from tests.ble.bluez import FakeBluez
from tests.ble.gatt import FLAVOURS
from tests.ble.programs import (
    Listening,
    die,
    find,
    hear,
    known,
    listening,
    names,
    run,
    shown,
    until,
)
from tests.ble.uart import EchoUart
from tests.link.pty_board import PtyBoard

NUS, HM10 = FLAVOURS["nus"].service_uuid, FLAVOURS["hm10"].service_uuid


def test_a_scan_hears_the_modules_that_offer_the_service_asked_for(bluez: FakeBluez) -> None:
    bluez.add_bridge("tablewire")
    bluez.add_bridge("HMSoft", flavour="hm10")

    async def program() -> None:
        assert await names(bluez, NUS) == {"tablewire"}
        assert await names(bluez, HM10) == {"HMSoft"}
        assert await names(bluez, NUS, HM10) == await names(bluez) == {"tablewire", "HMSoft"}

    run(program)


def test_a_scan_tells_how_strong_a_module_is_and_that_one_has_no_name(bluez: FakeBluez) -> None:
    bluez.add_bridge(None, "C0:00:00:00:00:AA", rssi_dbm=-71)

    async def program() -> None:
        ((device, advertisement),) = await hear(bluez)
        assert (device.address, device.name) == ("C0:00:00:00:00:AA", None)
        assert (advertisement.rssi, advertisement.service_uuids) == (-71, [NUS])

    run(program)


def test_a_module_that_is_connected_or_elsewhere_or_off_is_not_heard(bluez: FakeBluez) -> None:
    connected, elsewhere, off = (bluez.add_bridge(name) for name in ("connected", "elsewhere", "off"))

    async def program() -> None:
        assert await names(bluez) == {"connected", "elsewhere", "off"}
        one = await listening(connected)
        elsewhere.go_elsewhere()
        off.vanish()
        assert await names(bluez) == set()
        await one.client.disconnect()
        elsewhere.appear()
        off.appear()
        assert await names(bluez) == {"connected", "elsewhere", "off"}

    run(program)


def test_a_module_is_known_for_a_while_after_a_scan_and_then_not(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        device = await find(bridge)
        one = Listening(bridge, device)
        await one.start()
        await one.client.disconnect()
        bluez.forget(bridge)
        with pytest.raises(BleakError, match="not found"):
            await BleakClient(device).connect()

    run(program)


@pytest.mark.parametrize(
    ("flavour", "mtu", "longest_bytes"),
    [("nus", 23, 20), ("nus", 185, 182), ("nus", 247, 244), ("hm10", 23, 20), ("hm10", 247, 20)],
)
def test_bytes_pass_both_ways_in_pieces_of_the_agreed_size(
    bluez: FakeBluez, flavour: str, mtu: int, longest_bytes: int
) -> None:
    bridge = bluez.add_bridge(flavour=flavour, mtu=mtu)
    data = random.Random(mtu).randbytes(3000)

    async def program() -> None:
        one = await listening(bridge)
        bridge.say(data)
        assert await one.hears(len(data)) == data
        assert max(map(len, one.heard)) == longest_bytes
        assert one.room_bytes == mtu - 3
        await one.write(data[: one.room_bytes])
        await one.client.disconnect()

    run(program)
    assert bridge.hear(mtu - 3) == data[: mtu - 3]


def test_thousands_of_notifications_arrive_in_order_and_none_is_lost(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()
    data = random.Random(3).randbytes(40_000)

    async def program() -> None:
        one = await listening(bridge)
        bridge.say(data)
        assert await one.hears(len(data)) == data
        assert len(one.heard) == 2000
        await one.client.disconnect()

    run(program)


def test_a_write_that_is_longer_than_the_mtu_carries_fails(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        with pytest.raises(BleakDBusError, match="Failed"):
            await one.write(bytes(21))
        bridge.set_mtu(100)
        await until(lambda: one.room_bytes == 97)
        await one.write(bytes(97))
        bridge.set_mtu(23)
        with pytest.raises(BleakDBusError, match="Failed"):
            await one.write(bytes(97))
        await one.client.disconnect()

    run(program)
    assert bridge.counts.largest_write_bytes == 97


def test_a_wire_from_tx_to_rx_brings_back_what_is_written(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge(flavour="hm10", board=EchoUart())

    async def program() -> None:
        one = await listening(bridge)
        await one.write(b"ping")
        assert await one.hears(4) == b"ping"
        await one.client.disconnect()

    run(program)


def test_a_pty_can_be_behind_a_module_and_its_end_is_the_modules(bluez: FakeBluez, board: PtyBoard) -> None:
    bridge = bluez.add_bridge(board=board.path)

    async def program() -> None:
        one = await listening(bridge)
        board.say(b"from the board")
        assert await one.hears(14) == b"from the board"
        await one.write(b"to the board")
        assert await asyncio.to_thread(board.hear, 12) == b"to the board"
        board.unplug()
        await one.loses_link()
        await one.client.disconnect()

    run(program)


# ---- several programs, and what they leave ----


def test_each_registration_for_notifications_brings_each_of_them_once_more(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        leaked = Listening(bridge, one.device)
        await leaked.start()
        assert bluez.listener_count == 2
        bridge.say(b"twice")
        assert await one.hears(10) == b"twicetwice"
        await one.client.disconnect()
        await leaked.client.disconnect()
        await until(lambda: bluez.listener_count == 0)

    run(program)


def test_a_registration_outlives_a_lost_link_until_its_program_lets_go_of_the_bus(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        clients = [await listening(bridge)]
        for count in (2, 3):
            bridge.lose_link()
            await clients[-1].loses_link()
            clients.append(await listening(bridge))
            assert bluez.listener_count == count
            bridge.say(b"x")
            assert await clients[-1].hears(count) == b"x" * count
        for one in clients:
            await one.client.disconnect()
        await until(lambda: bluez.listener_count == 0)

    run(program)


def test_a_program_that_dies_leaves_its_link_and_the_next_one_adopts_it(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def dying() -> None:
        one = await listening(bridge)
        await die(one)

    async def next_one() -> None:
        assert bridge.is_connected
        await until(lambda: bluez.listener_count == 0)
        device = await known(bridge)
        one = Listening(bridge, device)
        await one.start()
        bridge.say(b"adopted")
        assert await one.hears(7) == b"adopted"
        await one.client.disconnect()

    run(dying)
    run(next_one)
    assert bridge.counts.connects == 1
    assert not bridge.is_connected


def test_another_programs_link_shows_as_connected_and_listened_to(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        bluez.take(bridge)
        assert await shown(bridge) == (True, True)
        bluez.orphan(bridge)
        assert await shown(bridge) == (True, False)
        bluez.release(bridge)
        assert (await shown(bridge))[0] is False

    run(program)


def test_connections_to_the_bus_are_gone_after_disconnecting(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        await find(bridge)
        before = bluez.client_count
        for _ in range(10):
            one = await listening(bridge)
            assert bluez.client_count == before + 1
            await one.client.disconnect()
            await until(lambda: bluez.client_count == before)

    run(program)
    assert bluez.client_count == 0
    assert bluez.pair_count == 0


# ---- scans and connects at once ----


def test_a_second_scan_of_one_program_is_refused(bluez: FakeBluez) -> None:
    async def program() -> None:
        async with BleakScanner():
            with pytest.raises(BleakDBusError, match="InProgress"):
                await BleakScanner().start()

    run(program)
    assert bluez.overlap_count == 1


def test_a_scan_during_a_connect_is_refused(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        device = await find(bridge)
        bridge.hang_connects()
        connecting = asyncio.create_task(BleakClient(device).connect())
        await until(lambda: bluez.connecting_count)
        with pytest.raises(BleakDBusError, match="InProgress"):
            await BleakScanner().start()
        connecting.cancel()
        await asyncio.wait({connecting})
        assert await names(bluez) == {"tablewire"}

    run(program)
    assert bluez.overlap_count == 1


# ---- the other way to the same bytes ----


def test_a_pipe_carries_notifications_and_the_mtu(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge(mtu=185)

    async def program() -> None:
        one = Listening(bridge, await find(bridge))
        await one.start(by_pipe=True)
        bridge.say(bytes(400))
        await one.hears(400)
        assert list(map(len, one.heard)) == [182, 182, 36]
        await one.client._backend._acquire_mtu()  # type: ignore[attr-defined]
        assert one.client.mtu_size == 185
        await one.client.disconnect()

    run(program)


def test_a_pipe_that_is_read_too_slowly_loses_what_a_signal_does_not(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program(*, by_pipe: bool) -> int:
        one = Listening(bridge, await find(bridge))
        await one.start(by_pipe=by_pipe)
        # The loop is here meanwhile, and reads nothing.
        bridge.say(bytes(20) * 5000 + b"end")
        await until(lambda: one.heard)
        await asyncio.sleep(0)
        if not by_pipe:
            await one.hears(100_003)
        heard_count = len(one.heard)
        await one.client.disconnect()
        return heard_count

    assert run(lambda: program(by_pipe=True)) < 5001
    assert run(lambda: program(by_pipe=False)) == 5001
