"""What the Linux Bluetooth daemon, BlueZ, says of its adapters and of who is connected.

Owns the one look at BlueZ over D-Bus that the Bluetooth library does not offer: who holds a board, and which
adapter is on. Asked afresh each time, since the library goes on with what it knew when the daemon was killed.
Must not know links. Linux only.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tablewire.link.ble_boards import FLAVOURS, Flavour, flavour_of
from tablewire.link.faults import Cause, LinkRefused

LOOK_LIMIT_S = 5.0
"""One round trip over a local socket takes a millisecond; D-Bus may have to start the daemon first."""

SERVICE = "org.bluez"
ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"

NO_BUS = (
    "Bluetooth needs D-Bus, and the system bus does not answer; on Debian: "
    "sudo apt install dbus bluez && sudo systemctl start bluetooth"
)
NO_DAEMON = (
    "the Bluetooth service does not run; on Debian: "
    "sudo apt install bluez && sudo systemctl enable --now bluetooth"
)
NO_ADAPTER = "this computer has no Bluetooth adapter; plug one in, or connect the board by USB"
NO_CENTRAL = "this computer's Bluetooth adapter knows no Bluetooth LE; plug another one in"
SWITCHED_OFF = (
    "Bluetooth is switched off: bluetoothctl power on (if that fails, first: rfkill unblock bluetooth)"
)
HANGS = "the Bluetooth service does not answer: sudo systemctl restart bluetooth"
FORBIDDEN = (
    "the system does not let this user use Bluetooth: "
    "sudo usermod -aG bluetooth $USER, then log out and in again"
)

_BY_ERROR = {
    "org.freedesktop.DBus.Error.ServiceUnknown": (NO_DAEMON, Cause.OFF),
    "org.freedesktop.DBus.Error.NameHasNoOwner": (NO_DAEMON, Cause.OFF),
    "org.freedesktop.DBus.Error.AccessDenied": (FORBIDDEN, Cause.FORBIDDEN),
    "org.freedesktop.DBus.Error.NoReply": (HANGS, Cause.HANGS),
    "org.freedesktop.DBus.Error.TimedOut": (HANGS, Cause.HANGS),
    "org.bluez.Error.NotReady": (SWITCHED_OFF, Cause.OFF),
}
_SPAWN = "org.freedesktop.DBus.Error.Spawn"

Properties = Mapping[str, Any]
Objects = Mapping[str, Mapping[str, Properties]]


@dataclass(frozen=True, slots=True)
class Known:
    """A board that BlueZ has at hand: it is connected, or some program's scan hears it right now.

    `is_used`: a program listens to it, so it is that one's. `rssi_dbm` is None for what is connected.
    """

    path: str
    address: str
    name: str | None
    flavour: Flavour
    is_used: bool
    rssi_dbm: int | None
    properties: Properties


@dataclass(frozen=True, slots=True)
class State:
    """The adapter to use, by name, and the boards that it has at hand."""

    adapter: str
    known: tuple[Known, ...]


def trouble(error_name: str) -> LinkRefused | None:
    """What a D-Bus error means for a person, where it is about this computer and not about the board."""
    if error_name.startswith(_SPAWN):
        return LinkRefused(NO_DAEMON, Cause.OFF)
    known = _BY_ERROR.get(error_name)
    return None if known is None else LinkRefused(*known)


async def look() -> State:
    """What BlueZ says now. LinkRefused when there is no Bluetooth to use, with what to do."""
    try:
        async with asyncio.timeout(LOOK_LIMIT_S):
            objects = await _objects()
    except TimeoutError:
        raise LinkRefused(HANGS, Cause.HANGS) from None
    except (OSError, EOFError) as exc:
        # No socket, nobody at it, or a bus that hangs up.
        raise LinkRefused(NO_BUS, Cause.OFF) from exc
    adapter = _adapter(objects)
    return State(adapter.rsplit("/", 1)[-1], tuple(_known(objects, adapter)))


async def listens_to(address: str) -> bool:
    """Whether some program of this computer listens to the board of this address now. LinkRefused."""
    return any(known.is_used and known.address == address for known in (await look()).known)


async def _objects() -> Objects:
    from dbus_fast import AuthError, BusType, InvalidAddressError, Message, MessageType, unpack_variants
    from dbus_fast.aio import MessageBus

    try:
        bus = MessageBus(bus_type=BusType.SYSTEM)
    except InvalidAddressError as exc:
        raise LinkRefused(NO_BUS, Cause.OFF) from exc
    try:
        await bus.connect()
    except AuthError as exc:
        raise LinkRefused(FORBIDDEN, Cause.FORBIDDEN) from exc
    try:
        reply = await bus.call(
            Message(
                destination=SERVICE,
                path="/",
                interface="org.freedesktop.DBus.ObjectManager",
                member="GetManagedObjects",
            )
        )
        if reply.message_type is MessageType.ERROR:
            name = reply.error_name or ""
            raise trouble(name) or LinkRefused(f"the Bluetooth service answers with {name[:80]}", Cause.OTHER)
        objects: Objects = unpack_variants(reply.body[0])
        return objects
    finally:
        bus.disconnect()
        # The socket is closed only when its end has been read; a bus that died says again why.
        with contextlib.suppress(Exception):
            await bus.wait_for_disconnect()  # type: ignore[no-untyped-call]


def _adapter(objects: Objects) -> str:
    """The path of the adapter to use: the first by name that is on, so the same one each time."""
    adapters = {path: found[ADAPTER] for path, found in objects.items() if ADAPTER in found}
    if not adapters:
        raise LinkRefused(NO_ADAPTER, Cause.OFF)
    # BlueZ before 5.66 names no roles; every adapter it lists may then be tried.
    fit = {path: found for path, found in adapters.items() if "central" in found.get("Roles", ("central",))}
    if not fit:
        raise LinkRefused(NO_CENTRAL, Cause.OFF)
    on = sorted(path for path, found in fit.items() if found.get("Powered"))
    if not on:
        raise LinkRefused(SWITCHED_OFF, Cause.OFF)
    return on[0]


def _known(objects: Objects, adapter: str) -> Iterator[Known]:
    for path, found in objects.items():
        device = found.get(DEVICE)
        if device is None or device.get("Adapter") != adapter:
            continue
        # A strength is there only while a scan runs. Where that is another program's, and it is steady, our
        # own scan is told nothing of the device.
        rssi_dbm = device.get("RSSI")
        if device.get("Connected"):
            rssi_dbm = None
        elif not isinstance(rssi_dbm, int):
            continue
        flavour = flavour_of(device.get("UUIDs", ()))
        if flavour is None:
            continue
        address = str(device.get("Address", ""))
        alias = device.get("Name") or device.get("Alias")
        name = None if alias is None or alias == address.replace(":", "-") else str(alias)
        used = rssi_dbm is None and is_used(objects, path)
        yield Known(path, address, name, flavour, used, rssi_dbm, device)


def is_used(objects: Objects, device_path: str) -> bool:
    """Whether any program of this computer listens to the UART of this device."""
    talking = {flavour.from_board for flavour in FLAVOURS}
    return any(
        path.startswith(f"{device_path}/")
        and str(char.get("UUID", "")).lower() in talking
        and bool(char.get("Notifying") or char.get("NotifyAcquired"))
        for path, found in objects.items()
        if (char := found.get(CHARACTERISTIC)) is not None
    )
