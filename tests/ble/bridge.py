"""One transparent BLE-UART module on the air: what it advertises, whom it lets connect, what bytes become.

Owns the module's side of the radio and every fault of it. Must not know D-Bus; the computer that is connected
is a `Host`. Methods may be called from any thread, and are done when they return.

What it does not simulate: the connection interval (on a radio a notification waits 7.5 to 50 ms), buffers
that overflow, lost packets that are repeated, pairing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.ble.gatt import FLAVOURS, Flavour
from tests.ble.loop_thread import LoopThread, in_loop
from tests.ble.uart import BoardUart, Uart

ATT_HEADER_BYTES = 3  # of each notification and write; the MTU counts them
HANGS = "hangs"  # of a connect: nobody answers it
ABORTED = "le-connection-abort-by-local"  # BlueZ says so when it connected and lost the link at once


class Host(Protocol):
    """The computer that is connected."""

    def notified(self, value: bytes, times: int) -> None: ...
    def dropped(self) -> None: ...
    def mtu_changed(self) -> None: ...


@dataclass
class Counts:
    """What came to pass at the module."""

    connects: int = 0
    writes: int = 0
    largest_write_bytes: int = 0
    notifications: int = 0


class Bridge:
    """A module; `uart` is what it is soldered to."""

    def __init__(
        self,
        thread: LoopThread,
        name: str | None,
        address: str,
        flavour: str,
        mtu: int,
        rssi_dbm: int,
        uart: Uart,
    ) -> None:
        self._thread = thread
        self.name = name
        self.address = address
        self.flavour: Flavour = FLAVOURS[flavour]
        self.mtu = mtu
        self.rssi_dbm = rssi_dbm
        self.uart = uart
        self.counts = Counts()
        self.resolve_s: float | None = 0.0
        self.hung_disconnects = 0
        self.on_the_way_to_host: Callable[[bytes], bytes] = bytes
        self.on_the_way_to_board: Callable[[bytes], bytes] = bytes
        self.host: Host | None = None
        self._stalled: list[Callable[[], None]] | None = None
        self._powered = True
        self._plugged = True
        self._elsewhere = False
        self._in_range = True
        self._refusals: deque[str] = deque()
        self._repeat_count = 1
        self._cut_count = 0
        self._drop_after_bytes: int | None = None
        uart.attach(self)

    # ---- what the computer sees ----

    @property
    def is_advertising(self) -> bool:
        """Whether a scan finds it: it has one connection, and is silent while that lasts."""
        on = self._powered and self._plugged
        return on and self._in_range and not self._elsewhere and self.host is None

    @property
    def is_connected(self) -> bool:
        """Whether this computer is connected to it."""
        return self.host is not None

    @property
    def payload_max_bytes(self) -> int:
        """What one write without response carries."""
        return self.mtu - ATT_HEADER_BYTES

    def meet_connect(self) -> str | None:
        """What becomes of a connect: None is well, otherwise HANGS or BlueZ's words."""
        if not self.is_advertising:
            return HANGS
        return self._refusals.popleft() if self._refusals else None

    def connected(self, host: Host) -> None:
        """The computer is connected."""
        self.host = host
        self.counts.connects += 1

    def disconnected(self) -> None:
        """The computer has let go, or the link is lost."""
        self.host = None

    def written(self, value: bytes) -> bool:
        """The computer wrote; False when the link was lost meanwhile."""
        self.counts.writes += 1
        self.counts.largest_write_bytes = max(self.counts.largest_write_bytes, len(value))
        if not self._in_range:
            return True
        dropping = self._drop_after_bytes
        if dropping is not None:
            value = value[:dropping]
            self._drop_after_bytes = dropping - len(value)
        self.uart.receive(self.on_the_way_to_board(value))
        if self._drop_after_bytes == 0:
            self._drop_after_bytes = None
            self._drop()
            return False
        return True

    # ---- what the board says ----

    @in_loop
    def say(self, data: bytes) -> None:
        """The UART brought this: it goes out at once; lost when nobody is connected."""
        data = self.on_the_way_to_host(data)
        room = min(self.payload_max_bytes, self.flavour.notify_max_bytes)
        for at in range(0, len(data), room):
            if self.host is None or not self._in_range:
                return
            piece = data[at : at + room]
            if self._cut_count:
                self._cut_count -= 1
                piece = piece[: len(piece) // 2]
            self.counts.notifications += 1
            self.host.notified(piece, self._repeat_count)

    # ---- faults ----

    def _drop(self) -> None:
        host, self.host = self.host, None
        if host is not None:
            host.dropped()

    @in_loop
    def vanish(self) -> None:
        """Its power is gone: the link is lost, and nothing is advertised."""
        self._powered = False
        self._drop()

    @in_loop
    def appear(self) -> None:
        """Its power is back, it is in range again, and nobody else has it: it advertises."""
        self._powered = self._in_range = True
        self._elsewhere = False

    @in_loop
    def leave_range(self) -> None:
        """Nothing passes any more, and the computer has not noticed yet (see `lose_link`)."""
        self._in_range = False

    @in_loop
    def enter_range(self) -> None:
        """It passes again; what was sent meanwhile is lost."""
        self._in_range = True

    @in_loop
    def lose_link(self) -> None:
        """The link is lost, as from interference; it can be connected again at once."""
        self._drop()

    @in_loop
    def refuse_connects(self, count: int = 1, text: str = "le-connection-refused") -> None:
        """The next connects fail with BlueZ's `text`; with ABORTED they come about and are lost at once."""
        self._refusals.extend([text] * count)

    @in_loop
    def hang_connects(self, count: int = 1) -> None:
        """The next connects are not answered, until BlueZ itself gives up."""
        self._refusals.extend([HANGS] * count)

    @in_loop
    def hang_disconnects(self, count: int = 1) -> None:
        """The next requests to disconnect are not answered and do nothing."""
        self.hung_disconnects += count

    @in_loop
    def slow_services(self, delay_s: float | None) -> None:
        """The services are known only so long after the connect; None: never."""
        self.resolve_s = delay_s

    @in_loop
    def stall_writes(self) -> None:
        """Writes are neither answered nor done until `resume_writes`, as on a radio that has no room."""
        self._stalled = []

    @in_loop
    def resume_writes(self) -> None:
        """The radio has room again, for what has waited too."""
        stalled, self._stalled = self._stalled, None
        for write in stalled or ():
            write()

    def stall(self, write: Callable[[], None]) -> bool:
        """Whether a write has to wait; it is called when it has waited."""
        if self._stalled is None:
            return False
        self._stalled.append(write)
        return True

    @in_loop
    def drop_at_write(self, after_bytes: int = 0) -> None:
        """The link is lost once so many further bytes have been written, in the middle of a write."""
        self._drop_after_bytes = after_bytes

    @in_loop
    def set_mtu(self, mtu: int) -> None:
        """Another MTU is agreed on, also in the middle of a connection."""
        self.mtu = mtu
        if self.host is not None:
            self.host.mtu_changed()

    @in_loop
    def cut_chunks(self, count: int = 1) -> None:
        """The next notifications lose their second halves, and nobody says so."""
        self._cut_count += count

    @in_loop
    def repeat_notifications(self, times: int = 2) -> None:
        """Each notification comes so many times, as with registrations left from before; 1 ends it."""
        self._repeat_count = times

    @in_loop
    def go_elsewhere(self) -> None:
        """Another computer or phone has connected to it: it advertises no more (see `appear`)."""
        self._drop()
        self._elsewhere = True

    # ---- its board ----

    def hear(self, count: int, limit_s: float = 60.0) -> bytes:
        """The next `count` bytes that were written to a bridge without a board, or what came in the limit."""
        return self.uart.hear(count, limit_s)

    def command(self, *lines: str) -> str:
        """Do commands of a simulated board at the VirtualBoard behind it; the last one's answer."""
        return self._thread.wait(self._board.command(*lines))

    @in_loop
    def switch_to_usb(self, link: Path | None = None) -> str:
        """Take the board off the module and plug it in by its cable; the path of its port."""
        path = self._board.switch_to_usb(link)
        self.follow_plug(False)
        return path

    @in_loop
    def switch_to_ble(self) -> None:
        """Pull the cable, and put the board on the module again."""
        self._board.switch_to_ble()
        self.follow_plug(self._board.board.plugged)

    @in_loop
    def follow_plug(self, plugged: bool) -> None:
        """The board's plug is the module's supply, as long as `vanish` does not take that away too."""
        self._plugged = plugged
        if not plugged:
            self._drop()

    @property
    def _board(self) -> BoardUart:
        if not isinstance(self.uart, BoardUart):
            raise TypeError("there is no VirtualBoard behind this bridge")
        return self.uart
