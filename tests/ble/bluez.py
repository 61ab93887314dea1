"""A computer's Bluetooth without a radio: a private system bus, a fake bluetoothd on it, modules on the air.

Owns the thread in which all of it runs, and what a test says to it. The real bleak runs against it:

    with FakeBluez() as bluez:                      # DBUS_SYSTEM_BUS_ADDRESS must be bluez.address
        bridge = bluez.add_bridge("tablewire")      # .say(b"...") and .hear(3) are the board's side
        board = bluez.add_bridge("HMSoft", flavour="hm10", board=VirtualBoard(1))
        board.command("place red 6,15")

What it does not simulate: a radio (see bridge.py), descriptors, passive scans, pairing, BR/EDR, advertising
by this computer, access rights on the bus, and the states that real adapters get stuck in.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.ble.bluetoothd import Bluetoothd, Mood
from tests.ble.bridge import Bridge
from tests.ble.bus import PrivateBus
from tests.ble.device import Device
from tests.ble.loop_thread import LoopThread, in_loop
from tests.ble.uart import BareUart, BoardUart, PtyUart, Uart

from tablewire.virtual.board import VirtualBoard

ADAPTER = "hci0"


def _fresh_address() -> str:
    """An address that no other test has, also none that runs beside it; the top bits make it a static one."""
    return ":".join(f"{byte:02X}" for byte in (0xC0, *os.urandom(5)))


class FakeBluez:
    """Everything above; `address` is the bus's. Methods may be called from any thread."""

    def __init__(self) -> None:
        self._thread = LoopThread("bluez")
        self._bus = PrivateBus()
        self.address = self._bus.address
        self._air: list[Bridge] = []
        self._daemon: Bluetoothd | None = None
        self.start_bluetoothd()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End everything."""
        self._thread.wait(self._end())
        self._bus.close()
        self._thread.close()

    async def _end(self) -> None:
        if self._daemon is not None:
            await self._daemon.stop()
        for bridge in self._air:
            bridge.uart.close()

    # ---- modules ----

    def add_bridge(
        self,
        name: str | None = "tablewire",
        address: str | None = None,
        flavour: str = "nus",
        mtu: int = 23,
        board: VirtualBoard | str | Path | Uart | None = None,
        rssi_dbm: int = -60,
    ) -> Bridge:
        """A module, switched on. `board`: what is behind it; a path is the pty of a board's program.

        `flavour` is "nus" or "hm10". Without a board the test itself says and hears the bytes.
        """
        match board:
            case None:
                uart: Uart = BareUart()
            case VirtualBoard():
                uart = BoardUart(board)
            case str() | Path():
                uart = PtyUart(board)
            case _:
                uart = board

        def add() -> Bridge:
            bridge = Bridge(self._thread, name, address or _fresh_address(), flavour, mtu, rssi_dbm, uart)
            self._air.append(bridge)
            return bridge

        return self._thread.call(add)

    def _device(self, bridge: Bridge) -> Device:
        return self._running.adapters[ADAPTER].device_of(bridge)

    @in_loop
    def take(self, bridge: Bridge) -> None:
        """Another program of this computer is connected to a module, and listens to it."""
        self._device(bridge).hold(is_listening=True)

    @in_loop
    def orphan(self, bridge: Bridge) -> None:
        """A program of this computer was connected to a module, and has died: the link is still there."""
        self._device(bridge).forget_listener(":other")
        self._device(bridge).hold(is_listening=False)

    @in_loop
    def release(self, bridge: Bridge) -> None:
        """Whoever is connected to a module lets go of it."""
        self._device(bridge).disconnect()

    @in_loop
    def forget(self, bridge: Bridge) -> None:
        """bluetoothd has not seen a module for long: it is no object any more."""
        self._running.adapters[ADAPTER].forget(bridge)

    # ---- adapters, and bluetoothd itself ----

    @property
    def _running(self) -> Bluetoothd:
        if self._daemon is None:
            raise RuntimeError("bluetoothd does not run")
        return self._daemon

    @in_loop
    def power(self, on: bool, adapter: str = ADAPTER) -> None:
        """Switch an adapter on or off."""
        self._running.adapters[adapter].power(on)

    @in_loop
    def hang(self) -> None:
        """bluetoothd runs, and answers nothing until `recover`."""
        self._running.mood = Mood.HANGS

    @in_loop
    def forbid(self) -> None:
        """The bus lets programs say nothing to bluetoothd until `recover`, as without the group bluetooth."""
        self._running.mood = Mood.FORBIDS

    @in_loop
    def recover(self) -> None:
        """bluetoothd answers again."""
        self._running.mood = Mood.ANSWERS

    @in_loop
    def add_adapter(self, adapter: str = ADAPTER, powered: bool = True) -> None:
        """Plug an adapter in: there is one already, hci0."""
        self._running.add_adapter(adapter, powered)

    @in_loop
    def remove_adapter(self, adapter: str = ADAPTER) -> None:
        """Pull an adapter."""
        self._running.remove_adapter(adapter)

    def kill_bluetoothd(self) -> None:
        """It crashes: no signal, no answer any more, and links are gone."""
        daemon, self._daemon = self._running, None
        self._thread.wait(daemon.stop())

    def start_bluetoothd(self) -> None:
        """It runs again, with one adapter, and knows no module."""
        self._daemon = Bluetoothd(self.address, self._air)
        self._thread.wait(self._daemon.start({ADAPTER: True}))

    def kill_bus(self) -> None:
        """dbus-daemon crashes: every connection to it is closed, and bluetoothd ends too."""
        if self._daemon is not None:
            self.kill_bluetoothd()
        self._bus.kill()

    def start_bus(self) -> None:
        """dbus-daemon and bluetoothd run again."""
        self._bus.start()
        self.start_bluetoothd()

    # ---- what programs did ----

    @property
    @in_loop
    def overlap_count(self) -> int:
        """How often a program scanned and connected at once, or scanned twice."""
        return sum(adapter.overlap_count for adapter in self._running.adapters.values())

    @property
    @in_loop
    def listener_count(self) -> int:
        """How many registrations for notifications there are."""
        adapters = self._running.adapters.values()
        return sum(device.listener_count for adapter in adapters for device in adapter.devices.values())

    @property
    @in_loop
    def round_count(self) -> int:
        """How often a scan has heard every module that advertises: what two rounds miss is not there."""
        return sum(adapter.round_count for adapter in self._running.adapters.values())

    @property
    @in_loop
    def connecting_count(self) -> int:
        """How many connects are under way."""
        adapters = self._running.adapters.values()
        return sum(device.is_connecting for adapter in adapters for device in adapter.devices.values())

    @property
    @in_loop
    def pair_count(self) -> int:
        """How often a program asked to pair."""
        return self._running.pair_count

    @property
    def client_count(self) -> int:
        """How many connections to the bus programs have."""
        return self._thread.wait(self._running.count_clients())
