"""A program that uses bleak as it is, for the tests of the fake itself.

Owns what such a program does in two lines. Must not know our link: what it sees is what bleak sees.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from bleak import BleakClient, BleakScanner
from bleak.backends.bluezdbus import defs, manager
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from dbus_fast import Message
from tests.ble.bluez import FakeBluez
from tests.ble.bridge import Bridge

T = TypeVar("T")

DEADLINE_S = 60.0  # a busy machine may take its time
BRIEF_S = 0.05  # for what is never answered


def run(program: Callable[[], Coroutine[object, object, T]]) -> T:
    """Run one program from its start to its end; what bleak leaves open at the end is closed."""

    async def whole() -> T:
        try:
            async with asyncio.timeout(DEADLINE_S):
                return await program()
        finally:
            await close_library()

    # In a thread of its own: where a browser is driven, this one has a loop that runs.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, whole()).result()


async def close_library() -> None:
    """Close the D-Bus connection that bleak keeps for this loop: it has no call for it."""
    left = manager._global_instances.pop(asyncio.get_running_loop(), None)
    if left is not None and left._bus is not None:
        left._bus.disconnect()
        await left._bus.wait_for_disconnect()  # type: ignore[no-untyped-call]
        if left._bus_watcher_task is not None:
            await asyncio.wait({left._bus_watcher_task})


async def until(condition: Callable[[], object]) -> None:
    """Wait until it holds."""
    while not condition():
        await asyncio.sleep(0.002)


async def find(bridge: Bridge) -> BLEDevice:
    """Scan until a module is heard."""
    found = await BleakScanner.find_device_by_address(
        bridge.address, DEADLINE_S, service_uuids=[bridge.flavour.service_uuid]
    )
    assert found is not None
    return found


async def hear(bluez: FakeBluez, *service_uuids: str) -> tuple[tuple[BLEDevice, AdvertisementData], ...]:
    """What a scan hears in two rounds: everything that is there."""
    async with BleakScanner(service_uuids=list(service_uuids)) as scanner:
        begun_count = bluez.round_count
        await until(lambda: bluez.round_count >= begun_count + 2)
        await catch_up()
        return tuple(scanner.discovered_devices_and_advertisement_data.values())


async def names(bluez: FakeBluez, *service_uuids: str) -> set[str | None]:
    """The names of what a scan hears."""
    return {device.name for device, _ in await hear(bluez, *service_uuids)}


class Listening:
    """A client that is connected and listens: `heard` is what came, a value for each notification."""

    def __init__(self, bridge: Bridge, device: BLEDevice, timeout_s: float = DEADLINE_S) -> None:
        self.heard: list[bytes] = []
        self.lost_count = 0
        self.client = BleakClient(device, disconnected_callback=self._lose, timeout=timeout_s)
        self.device = device
        self._bridge = bridge

    def _lose(self, _: BleakClient) -> None:
        self.lost_count += 1

    async def start(self, *, by_pipe: bool = False) -> None:
        """Connect and listen."""
        await self.client.connect()
        await self.client.start_notify(
            self._char("notify"),
            lambda _, value: self.heard.append(bytes(value)),
            bluez={"use_start_notify": not by_pipe},
        )

    def _char(self, flag: str) -> BleakGATTCharacteristic:
        uuid = next(one.uuid for one in self._bridge.flavour.characteristics if flag in one.flags)
        char = self.client.services.get_characteristic(uuid)
        assert char is not None
        return char

    async def write(self, data: bytes, response: bool = False) -> None:
        """One write."""
        await self.client.write_gatt_char(self._char("write-without-response"), data, response=response)

    @property
    def room_bytes(self) -> int:
        """What one write without response carries."""
        return self._char("write-without-response").max_write_without_response_size

    async def hears(self, count: int) -> bytes:
        """The first `count` bytes that came."""
        await until(lambda: sum(map(len, self.heard)) >= count)
        return b"".join(self.heard)

    async def loses_link(self) -> None:
        """bleak has told that the link is lost."""
        await until(lambda: self.lost_count)


async def listening(bridge: Bridge) -> Listening:
    """Scan, connect and listen."""
    one = Listening(bridge, await find(bridge))
    await one.start()
    return one


async def die(one: Listening) -> None:
    """End as a killed program does: its connections to the bus are closed, and nothing is said on them."""
    client = one.client._backend
    await client._release_bus()  # type: ignore[attr-defined]
    client._disconnect_monitor_event.set()  # type: ignore[attr-defined]
    await close_library()


async def objects() -> dict[str, dict[str, dict[str, Any]]]:
    """What BlueZ shows to this program."""
    return (await manager.get_global_bluez_manager())._properties


async def catch_up() -> None:
    """Hear every signal that BlueZ has sent so far: an answer comes after them."""
    bus = (await manager.get_global_bluez_manager())._bus
    assert bus is not None
    await bus.call(Message(defs.BLUEZ_SERVICE, "/", defs.OBJECT_MANAGER_INTERFACE, "GetManagedObjects"))


async def known(bridge: Bridge) -> BLEDevice:
    """A module that BlueZ knows, also one that is connected, so that no scan hears it."""
    for path, interfaces in (await objects()).items():
        properties = interfaces.get(defs.DEVICE_INTERFACE)
        if properties is not None and properties["Address"] == bridge.address:
            return BLEDevice(bridge.address, bridge.name, {"path": path, "props": properties})
    raise LookupError(f"BlueZ does not know {bridge.address}")


async def shown(bridge: Bridge) -> tuple[bool, bool]:
    """Whether BlueZ, asked afresh, shows a module as connected, and as listened to."""
    await close_library()
    found = await objects()
    device = (await known(bridge)).details["path"]
    notifying = [
        properties["Notifying"]
        for path, interfaces in found.items()
        if path.startswith(device)
        and "Notifying" in (properties := interfaces.get(defs.GATT_CHARACTERISTIC_INTERFACE, {}))
    ]
    return found[device][defs.DEVICE_INTERFACE]["Connected"], any(notifying)
