"""bluetoothd without a radio: the name org.bluez on a bus, and an answer to every call.

Owns the connection to the bus, and which call goes to which object. Must not know what the objects do.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from enum import Enum
from typing import Any

from dbus_fast import Message, MessageFlag, MessageType, RequestNameReply
from dbus_fast.aio import MessageBus
from tests.ble.adapter import ADAPTER, Adapter
from tests.ble.bridge import Bridge
from tests.ble.device import CHARACTERISTIC, DEVICE, Device
from tests.ble.gatt import Characteristic
from tests.ble.tree import PROPERTIES, Refusal, Tree, unknown_object

NAME = "org.bluez"
DAEMON = "org.freedesktop.DBus"


class _PatientSocket:
    """A socket whose full buffer is no error: dbus-fast closes its bus on EAGAIN (python-dbus-next 153)."""

    def __init__(self, real: socket.socket) -> None:
        self._real = real

    def send(self, data: memoryview) -> int:
        try:
            return self._real.send(data)
        except BlockingIOError:
            return 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class Mood(Enum):
    """How calls are met."""

    ANSWERS = "answers"
    HANGS = "hangs"
    FORBIDS = "forbids"


class Bluetoothd:
    """One life of bluetoothd, from `start` to `stop`."""

    def __init__(self, address: str, air: Sequence[Bridge]) -> None:
        self._address = address
        self._air = air
        self._bus: MessageBus | None = None
        self._tree = Tree(self.send)
        self.adapters: dict[str, Adapter] = {}
        self.pair_count = 0
        self.mood = Mood.ANSWERS

    async def start(self, adapters: dict[str, bool]) -> None:
        """Own the name, with these adapters, switched on or off."""
        bus = MessageBus(bus_address=self._address, negotiate_unix_fd=True)
        await bus.connect()
        assert bus._writer is not None
        assert bus._sock is not None
        bus._writer.sock = _PatientSocket(bus._sock)  # type: ignore[assignment]
        bus.add_message_handler(self._hear)
        self._bus = bus
        for name, powered in adapters.items():
            self.add_adapter(name, powered)
        rule = f"type='signal',sender='{DAEMON}',interface='{DAEMON}',member='NameOwnerChanged'"
        added = await bus.call(
            Message(DAEMON, "/org/freedesktop/DBus", DAEMON, "AddMatch", signature="s", body=[rule])
        )
        assert added is not None
        assert added.message_type is MessageType.METHOD_RETURN
        assert await bus.request_name(NAME) is RequestNameReply.PRIMARY_OWNER

    async def stop(self) -> None:
        """Die: the name has no owner any more, links end, and no signal says so."""
        bus, self._bus = self._bus, None
        for adapter in self.adapters.values():
            adapter.leave()
        if bus is not None:
            bus.disconnect()
            await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]

    async def count_clients(self) -> int:
        """How many other connections to the bus there are."""
        assert self._bus is not None
        answer = await self._bus.call(Message(DAEMON, "/org/freedesktop/DBus", DAEMON, "ListNames"))
        assert answer is not None
        return sum(name.startswith(":") and name != self._bus.unique_name for name in answer.body[0])

    def send(self, message: Message) -> None:
        """A signal or a late answer; to nobody when the bus is gone."""
        if self._bus is not None and self._bus.connected:
            self._bus.send(message)

    def add_adapter(self, name: str, powered: bool) -> None:
        """An adapter is plugged in."""
        self.adapters[name] = Adapter(self._tree, self.send, name, self._air, powered)

    def remove_adapter(self, name: str) -> None:
        """An adapter is pulled."""
        self.adapters.pop(name).remove()

    # ---- calls ----

    def _hear(self, message: Message) -> Message | bool:
        if message.message_type is MessageType.SIGNAL:
            if message.member == "NameOwnerChanged" and not message.body[2]:
                for adapter in self.adapters.values():
                    adapter.forget_client(message.body[0])
            return False
        if message.message_type is not MessageType.METHOD_CALL:
            return False
        try:
            if self.mood is Mood.HANGS:
                return True
            if self.mood is Mood.FORBIDS:
                raise Refusal("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message")
            answer = self._answer(message)
        except Refusal as refusal:
            answer = Message.new_error(message, refusal.name, refusal.text)
        silent = message.flags & MessageFlag.NO_REPLY_EXPECTED
        return True if answer is None or silent else answer

    def _answer(self, call: Message) -> Message | None:
        """The answer; None when it comes later or never."""
        if (call.interface, call.member) == (PROPERTIES, "Set"):
            return self._set(call)
        answer = self._tree.answer(call)
        if answer is not None:
            return answer
        path = call.path or "/"
        if path not in self._tree:
            raise unknown_object(path)
        for adapter in self.adapters.values():
            device = adapter.find(path)
            if path == adapter.path and call.interface == ADAPTER:
                return self._ask_adapter(call, adapter)
            if device is not None and path == device.path and call.interface == DEVICE:
                return self._ask_device(call, adapter, device)
            if device is not None and call.interface == CHARACTERISTIC:
                return self._ask_characteristic(call, device)
        raise _unknown_method(call)

    def _set(self, call: Message) -> Message:
        interface, name, value = call.body
        for adapter in self.adapters.values():
            if (call.path, interface, name) == (adapter.path, ADAPTER, "Powered"):
                adapter.power(value.value)
                return Message.new_method_return(call)
        self._tree.change(call.path or "/", interface, {name: value})
        return Message.new_method_return(call)

    def _ask_adapter(self, call: Message, adapter: Adapter) -> Message:
        match call.member:
            case "SetDiscoveryFilter":
                return adapter.set_filter(call)
            case "StartDiscovery":
                return adapter.start_discovery(call)
            case "StopDiscovery":
                return adapter.stop_discovery(call)
            case "RemoveDevice":
                return adapter.remove_device(call)
        raise _unknown_method(call)

    def _ask_device(self, call: Message, adapter: Adapter, device: Device) -> Message | None:
        match call.member:
            case "Connect":
                return adapter.connect(call, device)
            case "Disconnect":
                return device.disconnect(call)
            case "Pair":
                self.pair_count += 1
                raise Refusal("org.bluez.Error.AuthenticationFailed", "Authentication Failed")
        raise _unknown_method(call)

    def _ask_characteristic(self, call: Message, device: Device) -> Message | None:
        one = _characteristic(call, device)
        match call.member:
            case "StartNotify":
                return device.start_notify(call, one)
            case "StopNotify":
                return device.stop_notify(call, one)
            case "WriteValue":
                return device.write(call, one)
            case "AcquireNotify":
                return device.acquire(call, one, "notify")
            case "AcquireWrite":
                return device.acquire(call, one, "write")
        raise _unknown_method(call)


def _characteristic(call: Message, device: Device) -> Characteristic:
    flavour = device.bridge.flavour
    for one in flavour.characteristics:
        if flavour.path(device.path, one) == call.path:
            return one
    raise _unknown_method(call)


def _unknown_method(call: Message) -> Refusal:
    text = (
        f'Method "{call.member}" with signature "{call.signature}" on interface "{call.interface}" is unknown'
    )
    return Refusal("org.freedesktop.DBus.Error.UnknownMethod", text)
