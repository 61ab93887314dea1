"""What bluetoothd knows of one module: Device1, its service, its characteristics, and one connection to it.

Owns connecting, the services' objects, who asked for notifications, and writes. Must not know scanning.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable

from dbus_fast import Message, Variant
from tests.ble.bridge import ABORTED, HANGS, Bridge
from tests.ble.gatt import Characteristic
from tests.ble.tree import Interfaces, Properties, Refusal, Send, Tree

DEVICE = "org.bluez.Device1"
SERVICE = "org.bluez.GattService1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"

CONNECT_S = 0.002  # on a radio tens to hundreds of milliseconds; not zero, so that it can be interrupted
CONNECT_LIMIT_S = 20.0  # when the kernel gives a connect up that nobody answers
FORGET_S = 30.0  # bluetoothd's TemporaryTimeout: a module it has not seen for so long is no object any more

FAILED = "org.bluez.Error.Failed"
IN_PROGRESS = "org.bluez.Error.InProgress"
NOT_CONNECTED = "org.bluez.Error.NotConnected"
NOT_SUPPORTED = "org.bluez.Error.NotSupported"
OTHER_PROGRAM = ":other"  # stands for the bus name of another program of this computer


class Device:
    """One module at one adapter, from when it is first seen until it is forgotten."""

    def __init__(
        self,
        tree: Tree,
        reply: Send,
        adapter: str,
        bridge: Bridge,
        forget: Callable[[], None],
        is_heard: bool,
    ):
        self._tree = tree
        self._reply = reply
        self._forget = forget
        self.bridge = bridge
        self.path = f"{adapter}/dev_{bridge.address.replace(':', '_')}"
        self.is_connected = False
        self._connecting: Message | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._forgetting: asyncio.TimerHandle | None = None
        self._listeners: dict[str, list[str]] = {}
        self._pipes: dict[str, socket.socket] = {}
        dashed = bridge.address.replace(":", "-")
        properties: Properties = {
            "Address": Variant("s", bridge.address),
            "AddressType": Variant("s", "random"),
            "Alias": Variant("s", bridge.name or dashed),
            "Adapter": Variant("o", adapter),
            "UUIDs": Variant("as", [bridge.flavour.service_uuid]),
            "ServicesResolved": Variant("b", False),
        }
        if is_heard:
            properties["RSSI"] = Variant("n", bridge.rssi_dbm)
        if bridge.name is not None:
            properties["Name"] = Variant("s", bridge.name)
        for name in ("Connected", "Paired", "Bonded", "Trusted", "Blocked", "LegacyPairing"):
            properties[name] = Variant("b", False)
        tree.add(self.path, {DEVICE: properties})
        self.stay()

    @property
    def is_connecting(self) -> bool:
        """Whether a connect is under way."""
        return self._connecting is not None

    # ---- how long it is known ----

    def stay(self) -> None:
        """It has just been seen, or let go: it is forgotten if that does not happen again for long."""
        self._cancel_forgetting()
        if not (self.is_connected or self.is_connecting):
            self._forgetting = asyncio.get_running_loop().call_later(FORGET_S, self._forget)

    def _cancel_forgetting(self) -> None:
        if self._forgetting is not None:
            self._forgetting.cancel()
            self._forgetting = None

    def remove(self) -> None:
        """Let go of it, and of its objects."""
        self.disconnect()
        self._cancel_forgetting()
        self._tree.remove(self.path)

    def leave(self) -> None:
        """bluetoothd has died: the link ends, and nobody says so."""
        self._cancel_timer()
        self._cancel_forgetting()
        self._close_pipes()
        if self.is_connected:
            self.bridge.disconnected()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _later(self, delay_s: float, call: Callable[[], None]) -> None:
        self._cancel_timer()
        self._timer = asyncio.get_running_loop().call_later(delay_s, call)

    # ---- Connect and Disconnect ----

    def connect(self, call: Message) -> Message | None:
        """Device1.Connect: answered when the link stands, or when it does not."""
        if self._connecting is not None:
            raise Refusal(IN_PROGRESS, "Operation already in progress")
        if self.is_connected:
            return Message.new_method_return(call)
        self._connecting = call
        self._cancel_forgetting()
        fate = self.bridge.meet_connect()
        if fate is None:
            self._later(CONNECT_S, self._link_up)
        elif fate == HANGS:
            self._later(CONNECT_LIMIT_S, lambda: self._fail_connect(ABORTED))
        else:
            self._later(CONNECT_S, lambda: self._refuse_connect(fate))
        return None

    def _refuse_connect(self, text: str) -> None:
        if text == ABORTED:
            # The link stood for a moment, and programs were told so.
            self._tell(Connected=Variant("b", True))
            self._fail_connect(text)
            self._tell(Connected=Variant("b", False))
        else:
            self._fail_connect(text)

    def _fail_connect(self, text: str) -> None:
        call, self._connecting = self._connecting, None
        if call is not None:
            self._reply(Message.new_error(call, FAILED, text))
        self.stay()

    def _link_up(self) -> None:
        if not self.bridge.is_advertising:  # it was taken or went away meanwhile
            self._later(CONNECT_LIMIT_S, lambda: self._fail_connect(ABORTED))
            return
        call, self._connecting = self._connecting, None
        self.is_connected = True
        self._cancel_forgetting()
        self.bridge.connected(self)
        self._tell(Connected=Variant("b", True))
        if call is not None:
            self._reply(Message.new_method_return(call))
        if self.bridge.resolve_s is not None:
            self._later(self.bridge.resolve_s, self._resolve)

    def hold(self, is_listening: bool) -> None:
        """Another program of this computer has connected, and listens, or has died since."""
        if not self.is_connected:
            self._link_up()
            self._resolve()
        for characteristic in self.bridge.flavour.characteristics if is_listening else ():
            if characteristic.notifies:
                self._listen(OTHER_PROGRAM, characteristic)

    def _resolve(self) -> None:
        flavour = self.bridge.flavour
        if flavour.service_path(self.path) not in self._tree:
            self._add_services()
        self.mtu_changed()
        self._tell(ServicesResolved=Variant("b", True))

    def _add_services(self) -> None:
        flavour = self.bridge.flavour
        service: Interfaces = {
            SERVICE: {
                "UUID": Variant("s", flavour.service_uuid),
                "Device": Variant("o", self.path),
                "Primary": Variant("b", True),
                "Includes": Variant("ao", []),
            }
        }
        self._tree.add(flavour.service_path(self.path), service)
        for one in flavour.characteristics:
            properties: Properties = {
                "UUID": Variant("s", one.uuid),
                "Service": Variant("o", flavour.service_path(self.path)),
                "Flags": Variant("as", list(one.flags)),
                "MTU": Variant("q", self.bridge.mtu),
            }
            if one.notifies:
                properties["Notifying"] = Variant("b", False)
                properties["NotifyAcquired"] = Variant("b", False)
            if one.takes_writes:
                properties["WriteAcquired"] = Variant("b", False)
            self._tree.add(flavour.path(self.path, one), {CHARACTERISTIC: properties})

    def disconnect(self, call: Message | None = None) -> Message | None:
        """Device1.Disconnect, whoever had connected; it ends a connect under way too."""
        if call is not None and self.bridge.hung_disconnects:
            self.bridge.hung_disconnects -= 1
            return None
        if self._connecting is not None:
            self._cancel_timer()
            self._fail_connect("Operation was cancelled")
        elif self.is_connected:
            self.bridge.disconnected()
            self.dropped()
        elif call is not None:
            raise Refusal(NOT_CONNECTED, "Not Connected")
        return None if call is None else Message.new_method_return(call)

    def dropped(self) -> None:
        """The link is lost. Objects and registrations for notifications stay, as bluetoothd keeps them."""
        self.is_connected = False
        self._cancel_timer()
        self._close_pipes()
        self._tell(ServicesResolved=Variant("b", False))
        self._tell(Connected=Variant("b", False))
        self.stay()

    def _tell(self, **changed: Variant) -> None:
        self._tree.change(self.path, DEVICE, changed)

    # ---- notifications ----

    def notified(self, value: bytes, times: int) -> None:
        """The module sent something: told once for each program that listens, to everybody."""
        for one in self.bridge.flavour.characteristics:
            path = self.bridge.flavour.path(self.path, one)
            pipe = self._pipes.get(f"notify {path}")
            for _ in range(times if one.notifies else 0):
                if pipe is not None:
                    # What does not fit is lost: that is how AcquireNotify treats a slow reader.
                    with contextlib.suppress(OSError):
                        pipe.send(value)
                for _ in self._listeners.get(path, ()):
                    self._tree.change(path, CHARACTERISTIC, {"Value": Variant("ay", value)})

    def start_notify(self, call: Message, one: Characteristic) -> Message:
        """GattCharacteristic1.StartNotify; without a link it holds for the next one."""
        sender = call.sender or ""
        path = self.bridge.flavour.path(self.path, one)
        if not one.notifies:
            raise Refusal(NOT_SUPPORTED, "Operation is not supported")
        if sender in self._listeners.get(path, ()):
            raise Refusal(FAILED if self.is_connected else IN_PROGRESS, "Already notifying")
        if f"notify {path}" in self._pipes:
            raise Refusal("org.bluez.Error.NotPermitted", "Notify acquired")
        self._listen(sender, one)
        return Message.new_method_return(call)

    def _listen(self, who: str, one: Characteristic) -> None:
        path = self.bridge.flavour.path(self.path, one)
        listeners = self._listeners.setdefault(path, [])
        if who not in listeners:
            listeners.append(who)
        self._tree.change(path, CHARACTERISTIC, {"Notifying": Variant("b", True)})

    def stop_notify(self, call: Message, one: Characteristic) -> Message:
        """GattCharacteristic1.StopNotify."""
        path = self.bridge.flavour.path(self.path, one)
        if call.sender not in self._listeners.get(path, ()):
            raise Refusal(FAILED, "No notify session started")
        self.forget_listener(call.sender or "")
        return Message.new_method_return(call)

    def forget_listener(self, who: str) -> None:
        """A program listens no more, or is gone. The link stays."""
        for path, listeners in self._listeners.items():
            if who in listeners:
                listeners.remove(who)
                if not listeners:
                    self._tree.change(path, CHARACTERISTIC, {"Notifying": Variant("b", False)})

    @property
    def listener_count(self) -> int:
        """How many registrations for notifications there are."""
        return sum(map(len, self._listeners.values()))

    # ---- writes ----

    def write(self, call: Message, one: Characteristic) -> Message | None:
        """GattCharacteristic1.WriteValue, with or without response."""
        value, options = bytes(call.body[0]), call.body[1]
        is_request = "type" in options and options["type"].value == "request"
        if not self.is_connected:
            raise Refusal(FAILED, "Not connected")
        if "write" not in one.flags if is_request else not one.takes_writes:
            raise Refusal(NOT_SUPPORTED, "Operation is not supported")
        if len(value) > self.bridge.payload_max_bytes:
            # A long write is a procedure of its own, which these modules do not know.
            raise Refusal(NOT_SUPPORTED, "") if is_request else Refusal(FAILED, "Failed to initiate write")
        if self.bridge.stall(lambda: self._reply(self._write_now(call, value, is_request))):
            return None
        return self._write_now(call, value, is_request)

    def _write_now(self, call: Message, value: bytes, is_request: bool) -> Message:
        is_there = self.is_connected and self.bridge.written(value)
        if is_request and not is_there:
            return Message.new_error(call, FAILED, "Operation failed with ATT error: 0x0e")
        return Message.new_method_return(call)

    # ---- MTU, and the pipes that carry what signals and calls carry otherwise ----

    def mtu_changed(self) -> None:
        """Another MTU is agreed on."""
        for one in self.bridge.flavour.characteristics:
            path = self.bridge.flavour.path(self.path, one)
            if self._tree.value(path, CHARACTERISTIC, "MTU") != self.bridge.mtu:
                self._tree.change(path, CHARACTERISTIC, {"MTU": Variant("q", self.bridge.mtu)})

    def acquire(self, call: Message, one: Characteristic, direction: str) -> Message:
        """AcquireNotify and AcquireWrite: a socket that keeps the values apart, and the MTU."""
        path = self.bridge.flavour.path(self.path, one)
        if not self.is_connected:
            raise Refusal(FAILED, "Not connected")
        if not (one.notifies if direction == "notify" else one.takes_writes):
            raise Refusal(NOT_SUPPORTED, "Operation is not supported")
        if f"{direction} {path}" in self._pipes or (direction == "notify" and self._listeners.get(path)):
            raise Refusal("org.bluez.Error.NotPermitted", "Already acquired")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        self._pipes[f"{direction} {path}"] = ours
        name = "NotifyAcquired" if direction == "notify" else "WriteAcquired"
        self._tree.change(path, CHARACTERISTIC, {name: Variant("b", True)})
        loop = asyncio.get_running_loop()
        loop.add_reader(ours.fileno(), lambda: self._read_pipe(f"{direction} {path}"))
        # The message duplicates the descriptor when it is sent, which it is before the loop turns again.
        loop.call_soon(theirs.close)
        fd = theirs.fileno()
        return Message.new_method_return(call, "hq", [0, self.bridge.mtu], unix_fds=[fd])

    def _read_pipe(self, key: str) -> None:
        try:
            value = self._pipes[key].recv(1024)
        except BlockingIOError:
            return
        except OSError:
            value = b""
        if value:
            self.bridge.written(value[: self.bridge.payload_max_bytes])
        else:
            self._close_pipe(key)

    def _close_pipe(self, key: str) -> None:
        pipe = self._pipes.pop(key)
        asyncio.get_running_loop().remove_reader(pipe.fileno())
        pipe.close()
        direction, path = key.split(" ")
        name = "NotifyAcquired" if direction == "notify" else "WriteAcquired"
        self._tree.change(path, CHARACTERISTIC, {name: Variant("b", False)})

    def _close_pipes(self) -> None:
        for key in list(self._pipes):
            self._close_pipe(key)
