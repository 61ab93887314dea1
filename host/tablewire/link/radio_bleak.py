"""The Bluetooth library, bleak: its scan, its client, its errors in words, and what has to be worked around.

Owns every import of bleak, done when Bluetooth is first used, so that a computer without it plays over USB.
Must not know links, threads, or what goes over the air. Each name of bleak that is used is held to by a test.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablewire.errors import short_line
from tablewire.link import radio_bluez
from tablewire.link.ble_boards import UNKNOWN_RSSI_DBM, BleSeen, flavour_of
from tablewire.link.faults import Cause, LinkRefused

if TYPE_CHECKING:
    from bleak import BleakClient
    from bleak.backends.device import BLEDevice
    from bleak.backends.scanner import AdvertisementData

_LOG = logging.getLogger(__name__)

IS_BLUEZ = sys.platform == "linux"

START_LIMIT_S = 5.0
"""Starting a scan is a few round trips over a local bus, and one to the adapter."""

STOP_LIMIT_S = 2.0
"""Less than for the start: what was heard is wanted, and a scan that goes on ends with the radio."""

VERSION_LIMIT_S = 2.0
"""bleak starts `bluetoothctl --version`, which takes milliseconds."""

WHY_CHAR_COUNT_MAX = 120
"""The words of somebody else's error, in a line of ours."""

NO_LIBRARY = "Bluetooth needs the Python package bleak: pip install bleak"


@dataclass(frozen=True, slots=True)
class Found:
    """A thing that may be connected to: what is known of it, and what the library calls it.

    `board` is None when it does not say that it offers a UART.
    """

    device: BLEDevice
    address: str
    name: str | None
    board: BleSeen | None


def check_library() -> None:
    """LinkRefused when bleak cannot be used here."""
    try:
        import bleak  # noqa: F401
    except ImportError as exc:
        raise LinkRefused(f"{NO_LIBRARY} ({words(exc)})", Cause.OFF) from exc
    except Exception as exc:
        # Half of an installation, or a system that bleak does not know, fails in any way it likes.
        raise LinkRefused(f"Bluetooth cannot be used here: {words(exc)}", Cause.OFF) from exc


async def scan(
    adapter: str | None,
    services: tuple[str, ...] | None,
    limit_s: float,
    gather_s: float | None,
    is_enough: Callable[[Found], bool],
    turn: asyncio.Lock,
) -> Mapping[str, Found]:
    """What is heard within `limit_s`, by address; until one is enough, or `gather_s` after the first board.

    `services` None: everything, not only what offers a UART. `turn` is held meanwhile. LinkRefused.
    """
    from bleak import BleakScanner

    heard: dict[str, Found] = {}
    is_first, is_over = asyncio.Event(), asyncio.Event()

    def hear(device: BLEDevice, advertisement: AdvertisementData) -> None:
        found = _found(device, advertisement)
        heard[found.address] = found
        if found.board is not None:
            is_first.set()
        if is_enough(found):
            is_over.set()

    async def listen() -> None:
        async with asyncio.timeout(limit_s):
            if gather_s is not None:
                await is_first.wait()
                async with asyncio.timeout(gather_s):
                    await is_over.wait()
            await is_over.wait()

    async with turn:
        scanner = BleakScanner(
            hear,
            service_uuids=None if services is None else list(services),
            bluez={} if adapter is None else {"adapter": adapter},
        )
        try:
            async with asyncio.timeout(START_LIMIT_S):
                await scanner.start()
            with contextlib.suppress(TimeoutError):
                await listen()
        except TimeoutError as exc:
            raise LinkRefused(_HANGS, Cause.HANGS) from exc
        except Exception as exc:
            raise refused(exc) from exc
        finally:
            await _stop(scanner)
    return heard


async def _stop(scanner: Any) -> None:
    try:
        async with asyncio.timeout(STOP_LIMIT_S):
            await scanner.stop()
    except Exception:
        # A daemon that is gone scans no more; whatever was heard is still good.
        _LOG.debug("ending a scan failed", exc_info=True)


def _found(device: BLEDevice, advertisement: AdvertisementData) -> Found:
    name = advertisement.local_name or device.name
    flavour = flavour_of(advertisement.service_uuids)
    board = None
    if flavour is not None:
        board = BleSeen(device.address, name, advertisement.rssi, flavour.name)
    return Found(device, device.address, name, board)


def at_hand(board: radio_bluez.Known) -> Found:
    """A board that BlueZ has at hand, as something to connect to: bleak takes a connection over."""
    from bleak.backends.device import BLEDevice

    device = BLEDevice(board.address, board.name, {"path": board.path, "props": dict(board.properties)})
    rssi_dbm = UNKNOWN_RSSI_DBM if board.rssi_dbm is None else board.rssi_dbm
    seen = BleSeen(board.address, board.name, rssi_dbm, board.flavour.name, board.is_used)
    return Found(device, board.address, board.name, seen)


def client(
    found: Found, adapter: str | None, limit_s: float, on_disconnected: Callable[[], None]
) -> BleakClient:
    """A client for this board, not connected yet. It never pairs: a table asks nobody for a number."""
    from bleak import BleakClient

    return BleakClient(
        found.device,
        disconnected_callback=lambda _: on_disconnected(),
        timeout=limit_s,
        bluez={} if adapter is None else {"adapter": adapter},
    )


async def state() -> radio_bluez.State | None:
    """What the system says of adapter and connections, or None where it cannot be asked. LinkRefused."""
    if not IS_BLUEZ:
        return None
    found = await radio_bluez.look()
    await _settle_version()
    return found


async def is_taken(found: Found) -> bool:
    """Whether another program has this board by now, where the system can be asked. LinkRefused."""
    return IS_BLUEZ and await radio_bluez.listens_to(found.address)


async def _settle_version() -> None:
    # bleak 3.1 asks for BlueZ's version at the first connect; when that is cancelled meanwhile, every later
    # connect waits for the answer for ever.
    from bleak.backends.bluezdbus.version import BlueZFeatures

    if BlueZFeatures.checked_bluez_version:
        return
    try:
        async with asyncio.timeout(VERSION_LIMIT_S):
            await BlueZFeatures.check_bluez_version()
    except TimeoutError:
        _LOG.debug("bluetoothctl does not say its version")
    finally:
        BlueZFeatures.checked_bluez_version = True


async def let_go() -> None:
    """Close the D-Bus connection that bleak keeps for the running loop, before that loop ends.

    bleak has no call for it and closes it only when a later loop asks for one.
    """
    if not IS_BLUEZ or "bleak.backends.bluezdbus.manager" not in sys.modules:
        return
    from bleak.backends.bluezdbus import manager

    instances = getattr(manager, "_global_instances", {})
    instance = instances.pop(asyncio.get_running_loop(), None)
    bus = getattr(instance, "_bus", None)
    if bus is not None:
        bus.disconnect()
        await bus.wait_for_disconnect()
    watcher = getattr(instance, "_bus_watcher_task", None)
    if watcher is not None:
        await asyncio.wait({watcher})


_NOT_AVAILABLE = {
    "NO_BLUETOOTH": (radio_bluez.NO_ADAPTER, Cause.OFF),
    "NO_BLE_CENTRAL_ROLE": (radio_bluez.NO_CENTRAL, Cause.OFF),
    "DENIED_BY_USER": (
        "this program may not use Bluetooth: allow it in the system's privacy settings",
        Cause.FORBIDDEN,
    ),
    "DENIED_BY_SYSTEM": (radio_bluez.FORBIDDEN, Cause.FORBIDDEN),
    "DENIED_BY_UNKNOWN": ("the system does not let this program use Bluetooth", Cause.FORBIDDEN),
}

_HANGS = radio_bluez.HANGS if IS_BLUEZ else "Bluetooth does not answer; switch it off and on"
_SWITCHED_OFF = radio_bluez.SWITCHED_OFF if IS_BLUEZ else "Bluetooth is switched off; switch it on"


def refused(exc: BaseException) -> LinkRefused:
    """Whatever bleak or the bus raised, as a refusal: what is wrong, in words, and its cause."""
    from bleak.exc import (
        BleakBluetoothNotAvailableError,
        BleakDBusError,
        BleakDeviceNotFoundError,
    )

    match exc:
        case LinkRefused():
            return exc
        case BleakBluetoothNotAvailableError():
            return LinkRefused(*_NOT_AVAILABLE.get(exc.reason.name, (_SWITCHED_OFF, Cause.OFF)))
        case BleakDeviceNotFoundError():
            return LinkRefused("it is there no more; is it still on and near?", Cause.ABSENT)
        case BleakDBusError():
            known = radio_bluez.trouble(exc.dbus_error)
            if known is not None:
                return known
            if exc.dbus_error.endswith(".InProgress"):
                return LinkRefused("Bluetooth is busy with something else; it is tried again", Cause.BUSY)
            why = exc.dbus_error_details or exc.dbus_error.rsplit(".", 1)[-1]
            return LinkRefused(f"Bluetooth says {words(why)}; it is tried again", Cause.OTHER)
        case TimeoutError():
            return LinkRefused("it does not answer; is it still on and near? It is tried again", Cause.HANGS)
        case OSError() | EOFError() if IS_BLUEZ:
            return LinkRefused(radio_bluez.NO_BUS, Cause.OFF)
    return LinkRefused(f"{words(exc)}; it is tried again", Cause.OTHER)


def is_final(exc: BaseException) -> bool:
    """Whether a write that failed so says that the connection is gone, not only that this write was."""
    from bleak.exc import BleakDBusError

    if isinstance(exc, BleakDBusError):
        return exc.dbus_error.rsplit(".", 1)[-1] in _FINAL
    return isinstance(exc, TimeoutError | OSError | EOFError)


_FINAL = {"ServiceUnknown", "NameHasNoOwner", "UnknownObject", "UnknownMethod", "NotConnected", "NoReply"}


def words(exc: BaseException | str) -> str:
    """An error's own words, on one line and not too many."""
    return short_line(str(exc).strip().rstrip(".") or type(exc).__name__, WHY_CHAR_COUNT_MAX)
