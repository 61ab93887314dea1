"""Everything that goes wrong with Bluetooth, as bleak sees it on the fake BlueZ.

Owns one test for each fault: what is told, what is not, and that all is well after it. Must not know our
link.
"""

from __future__ import annotations

import asyncio

import pytest
from bleak import BleakClient, BleakScanner
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakError,
)
from tests.ble.bluez import FakeBluez
from tests.ble.bridge import ABORTED
from tests.ble.programs import BRIEF_S, Listening, catch_up, find, listening, names, run, until


def test_a_module_that_loses_its_power_is_lost_at_once_and_back_when_it_is_back(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bridge.vanish()
        await one.loses_link()
        assert not one.client.is_connected
        await one.client.disconnect()
        assert await names(bluez) == set()
        bridge.appear()
        again = await listening(bridge)
        bridge.say(b"back")
        assert await again.hears(4) == b"back"
        assert one.heard == []
        await again.client.disconnect()

    run(program)


def test_out_of_range_nothing_passes_and_nobody_says_so_before_the_link_is_lost(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bridge.leave_range()
        bridge.say(b"unheard")
        await one.write(b"unheard")
        assert one.client.is_connected
        bridge.enter_range()
        bridge.say(b"heard")
        assert await one.hears(5) == b"heard"
        await one.write(b"heard")
        bridge.leave_range()
        bridge.lose_link()
        await one.loses_link()
        await one.client.disconnect()
        assert await names(bluez) == set()

    run(program)
    assert bridge.hear(5) == b"heard"


def test_connects_are_refused_as_often_as_asked(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()
    bridge.refuse_connects(2)

    async def program() -> None:
        device = await find(bridge)
        for _ in range(2):
            with pytest.raises(BleakDBusError, match="le-connection-refused"):
                await BleakClient(device).connect()
        one = Listening(bridge, device)
        await one.start()
        await one.client.disconnect()

    run(program)
    assert bridge.counts.connects == 1


def test_a_connect_that_is_lost_at_once_is_tried_again_by_bleak_itself(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()
    bridge.refuse_connects(2, ABORTED)

    async def program() -> None:
        one = await listening(bridge)
        await one.client.disconnect()

    run(program)
    assert bridge.counts.connects == 1


def test_a_connect_that_nobody_answers_ends_by_the_programs_own_limit(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        device = await find(bridge)
        bridge.hang_connects()
        with pytest.raises(TimeoutError):
            await BleakClient(device, timeout=BRIEF_S).connect()
        assert bluez.connecting_count == 0
        one = Listening(bridge, device)
        await one.start()
        await one.client.disconnect()

    run(program)


def test_a_module_that_another_computer_took_after_the_scan_does_not_answer(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        device = await find(bridge)
        bridge.go_elsewhere()
        with pytest.raises(TimeoutError):
            await BleakClient(device, timeout=BRIEF_S).connect()

    run(program)
    assert bridge.counts.connects == 0


def test_services_that_come_late_are_waited_for_and_those_that_never_come_too(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()
    bridge.slow_services(0.1)

    async def program() -> None:
        one = await listening(bridge)
        await one.client.disconnect()
        bluez.forget(bridge)
        bridge.slow_services(None)
        device = await find(bridge)
        with pytest.raises(TimeoutError):
            await BleakClient(device, timeout=BRIEF_S).connect()

    run(program)
    assert not bridge.is_connected


def test_a_link_lost_before_the_services_are_known_fails_the_connect(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()
    bridge.slow_services(None)

    async def program() -> None:
        connecting = asyncio.create_task(BleakClient(await find(bridge)).connect())
        await until(lambda: bridge.is_connected)
        bridge.lose_link()
        with pytest.raises(BleakError, match="disconnected"):
            await connecting

    run(program)


def test_a_disconnect_that_nobody_answers_can_be_given_up(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bridge.hang_disconnects()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(BRIEF_S):
                await one.client.disconnect()
        assert bridge.is_connected

    run(program)


def test_a_link_lost_in_the_middle_of_writing_has_carried_what_came_before(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bridge.drop_at_write(after_bytes=25)
        await one.write(b"a" * 20)
        await one.write(b"b" * 20)
        await one.loses_link()
        with pytest.raises(BleakError):
            await one.write(b"c" * 20)
        await one.client.disconnect()

    run(program)
    assert bridge.hear(25) == b"a" * 20 + b"b" * 5


def test_a_write_that_the_radio_has_no_room_for_is_answered_late(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bridge.stall_writes()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(BRIEF_S):
                await one.write(b"late")
        assert bridge.counts.writes == 0
        bridge.resume_writes()
        assert await asyncio.to_thread(bridge.hear, 4) == b"late"
        await one.client.disconnect()

    run(program)


def test_a_chunk_is_cut_without_a_word_and_the_next_is_whole(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bridge.cut_chunks()
        bridge.say(b"abcd")
        bridge.say(b"efgh")
        assert await one.hears(6) == b"abefgh"
        await one.client.disconnect()

    run(program)


def test_notifications_come_as_often_as_they_are_repeated(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bridge.repeat_notifications(2)
        bridge.say(b"abc")
        bridge.repeat_notifications(1)
        bridge.say(b"d")
        assert await one.hears(7) == b"abcabcd"
        await one.client.disconnect()

    run(program)


# ---- the computer's side ----


async def expect_unavailable(reason: BleakBluetoothNotAvailableReason) -> None:
    with pytest.raises(BleakBluetoothNotAvailableError) as refused:
        await BleakScanner().start()
    assert refused.value.reason is reason


def test_bluetooth_switched_off_ends_links_and_refuses_scans_until_it_is_on(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bluez.power(False)
        await one.loses_link()
        await one.client.disconnect()
        await expect_unavailable(BleakBluetoothNotAvailableReason.POWERED_OFF)
        bluez.power(True)
        await catch_up()
        again = await listening(bridge)
        await again.client.disconnect()

    run(program)


def test_an_adapter_that_is_pulled_ends_links_and_another_one_serves(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bluez.remove_adapter()
        await one.loses_link()
        await one.client.disconnect()
        await expect_unavailable(BleakBluetoothNotAvailableReason.NO_BLUETOOTH)
        bluez.add_adapter("hci1")
        await catch_up()
        again = Listening(bridge, await find(bridge))
        await again.start()
        assert "/hci1/" in again.device.details["path"]
        await again.client.disconnect()

    run(program)


def test_a_killed_bluetoothd_says_nothing_and_answers_nothing(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bluez.kill_bluetoothd()
        assert not bridge.is_connected
        with pytest.raises(BleakDBusError, match="ServiceUnknown"):
            await one.write(b"void")
        assert one.client.is_connected
        assert one.lost_count == 0
        with pytest.raises(BleakDBusError, match="ServiceUnknown"):
            await one.client.disconnect()
        bluez.start_bluetoothd()
        again = await listening(bridge)
        bridge.say(b"back")
        assert await again.hears(4) == b"back"
        await again.client.disconnect()

    run(program)


def test_a_killed_bus_is_a_socket_that_is_not_there(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bluez.kill_bus()
        await one.loses_link()
        await one.client.disconnect()
        with pytest.raises(OSError, match=r"No such file|refused"):
            await BleakScanner().start()
        bluez.start_bus()
        again = await listening(bridge)
        await again.client.disconnect()

    run(program)


def test_a_bluetoothd_that_hangs_keeps_everybody_waiting(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge()

    async def program() -> None:
        one = await listening(bridge)
        bluez.hang()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(BRIEF_S):
                await one.write(b"void")
        bluez.recover()
        await one.write(b"heard")
        await one.client.disconnect()

    run(program)
    assert bridge.hear(5) == b"heard"


def test_a_program_without_rights_is_refused_by_the_bus(bluez: FakeBluez) -> None:
    bluez.add_bridge()

    async def program() -> None:
        bluez.forbid()
        with pytest.raises(BleakDBusError, match="AccessDenied"):
            await BleakScanner().start()
        bluez.recover()
        assert await names(bluez) == {"tablewire"}

    run(program)
