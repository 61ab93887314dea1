"""One Bluetooth adapter as bluetoothd shows it: Adapter1, scanning, and the modules it has seen.

Owns discovery, its filters and its clients, and power. Must not know what is done with a module.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from dbus_fast import Message, Variant
from tests.ble.bridge import Bridge
from tests.ble.device import DEVICE, FAILED, IN_PROGRESS, Device
from tests.ble.tree import Refusal, Send, Tree

ADAPTER = "org.bluez.Adapter1"
ADVERTISING_S = 0.02  # a module's usual interval is 20 ms to 1 s; the quickest, so that tests are quick
RSSI_STEP_DB = 8  # bluetoothd tells of smaller changes only when asked to


class Adapter:
    """An adapter, from when it is plugged in until it is pulled."""

    def __init__(self, tree: Tree, reply: Send, name: str, air: Sequence[Bridge], powered: bool) -> None:
        self._tree = tree
        self._reply = reply
        self._air = air
        self.path = f"/org/bluez/{name}"
        self.devices: dict[str, Device] = {}
        self._filters: dict[str, frozenset[str]] = {}
        self._scanning: set[str] = set()
        self._seen: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self.overlap_count = 0
        self.round_count = 0
        booleans = {"Powered": powered, "Discoverable": False, "Pairable": False, "Discovering": False}
        number = int(name.removeprefix("hci"))
        properties = {name: Variant("b", value) for name, value in booleans.items()} | {
            "Address": Variant("s", f"00:1A:7D:DA:71:{number:02X}"),
            "AddressType": Variant("s", "public"),
            "Name": Variant("s", "fake"),
            "Alias": Variant("s", "fake"),
            "Class": Variant("u", 0),
            "UUIDs": Variant("as", []),
            "Modalias": Variant("s", "usb:v1D6Bp0246d0542"),
            "Roles": Variant("as", ["central", "peripheral"]),
        }
        tree.add(self.path, {ADAPTER: properties})

    @property
    def is_powered(self) -> bool:
        return bool(self._tree.value(self.path, ADAPTER, "Powered"))

    def expect_power(self) -> None:
        """Refuses what needs a radio that is switched on."""
        if not self.is_powered:
            raise Refusal("org.bluez.Error.NotReady", "Resource Not Ready")

    def power(self, on: bool) -> None:
        """Switch it; off, every link is lost and every scan ends."""
        if on == self.is_powered:
            return
        if not on:
            for device in self.devices.values():
                device.disconnect()
            self._scanning.clear()
            self._rest()
        self._tree.change(self.path, ADAPTER, {"Powered": Variant("b", on)})

    def remove(self) -> None:
        """It is pulled."""
        self.power(False)
        for device in self.devices.values():
            device.remove()
        self.devices.clear()
        self._tree.remove(self.path)

    def leave(self) -> None:
        """bluetoothd has died."""
        self._cancel_timer()
        for device in self.devices.values():
            device.leave()

    # ---- scanning ----

    def set_filter(self, call: Message) -> Message:
        """Adapter1.SetDiscoveryFilter: of each client; only the services count here."""
        uuids = call.body[0].get("UUIDs")
        self._filters[call.sender or ""] = (
            frozenset(one.lower() for one in uuids.value) if uuids else frozenset()
        )
        return Message.new_method_return(call)

    def start_discovery(self, call: Message) -> Message:
        """Adapter1.StartDiscovery: once for each client, and not while a connect is under way."""
        self.expect_power()
        sender = call.sender or ""
        if sender in self._scanning or any(device.is_connecting for device in self.devices.values()):
            self.overlap_count += 1
            raise Refusal(IN_PROGRESS, "Operation already in progress")
        self._scanning.add(sender)
        if len(self._scanning) == 1:
            self._seen.clear()
            self._tree.change(self.path, ADAPTER, {"Discovering": Variant("b", True)})
            self._timer = asyncio.get_running_loop().call_later(ADVERTISING_S, self._listen)
        return Message.new_method_return(call)

    def stop_discovery(self, call: Message) -> Message:
        """Adapter1.StopDiscovery."""
        self.expect_power()
        if call.sender not in self._scanning:
            raise Refusal(FAILED, "No discovery started")
        self._end_scan(call.sender or "")
        return Message.new_method_return(call)

    def _end_scan(self, who: str) -> None:
        self._scanning.discard(who)
        if not self._scanning:
            self._rest()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rest(self) -> None:
        self._cancel_timer()
        if self._tree.value(self.path, ADAPTER, "Discovering"):
            for device in self.devices.values():
                self._tree.change(device.path, DEVICE, {}, gone=["RSSI"])
            self._tree.change(self.path, ADAPTER, {"Discovering": Variant("b", False)})

    def _wants(self, bridge: Bridge) -> bool:
        filters = [self._filters.get(who, frozenset()) for who in self._scanning]
        return any(not one or bridge.flavour.service_uuid in one for one in filters)

    def _listen(self) -> None:
        """One round of advertisements."""
        self.round_count += 1
        for bridge in self._air:
            if bridge.is_advertising and self._wants(bridge):
                self._see(bridge)
        self._timer = asyncio.get_running_loop().call_later(ADVERTISING_S, self._listen)

    def _see(self, bridge: Bridge) -> None:
        device = self.devices.get(bridge.address)
        if device is None:
            self.device_of(bridge, is_heard=True)
        else:
            device.stay()
            told = self._tree.value(device.path, DEVICE, "RSSI")
            if not isinstance(told, int) or abs(told - bridge.rssi_dbm) >= RSSI_STEP_DB:
                self._tree.change(device.path, DEVICE, {"RSSI": Variant("n", bridge.rssi_dbm)})

    def device_of(self, bridge: Bridge, is_heard: bool = False) -> Device:
        """What is known of a module, from now on if it was not yet; its strength only from a scan."""
        if bridge.address not in self.devices:
            self.devices[bridge.address] = Device(
                self._tree, self._reply, self.path, bridge, lambda: self.forget(bridge), is_heard
            )
        return self.devices[bridge.address]

    def forget(self, bridge: Bridge) -> None:
        """A module is no object any more: it has not been seen for long, or a program asked for it."""
        device = self.devices.pop(bridge.address, None)
        if device is not None:
            device.remove()

    def remove_device(self, call: Message) -> Message:
        """Adapter1.RemoveDevice."""
        for device in self.devices.values():
            if device.path == call.body[0]:
                self.forget(device.bridge)
                return Message.new_method_return(call)
        raise Refusal("org.bluez.Error.DoesNotExist", "Does Not Exist")

    def connect(self, call: Message, device: Device) -> Message | None:
        """Device1.Connect: a scan that runs is interrupted by it, in the kernel, and goes on afterwards."""
        self.expect_power()
        self.overlap_count += call.sender in self._scanning
        return device.connect(call)

    def forget_client(self, who: str) -> None:
        """A program is gone: so are its scan, its filter, and its wish for notifications; its links stay."""
        self._filters.pop(who, None)
        if who in self._scanning:
            self._end_scan(who)
        for device in self.devices.values():
            device.forget_listener(who)

    def find(self, path: str) -> Device | None:
        """The module that has an object at or above this path."""
        return next((d for d in self._all() if f"{path}/".startswith(f"{d.path}/")), None)

    def _all(self) -> Iterable[Device]:
        return self.devices.values()
