"""Every kind of link, each leading to a simulated board that lives in real time, and the hands at its plug.

What differs between kinds is here; the suite that uses them is the same for all. A board is commanded by
lines, whatever it hangs on: `unplug`, `plug`, `fault cut` do to each what a pulled cable does.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from tests.ble.bluez import FakeBluez

from tablewire.link.ble import BleLimits, BleLink
from tablewire.link.contract import Link
from tablewire.link.serial_port import SerialLink, open_with_pyserial
from tablewire.twin.heart import TwinHeart
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.board_pty import BoardPty
from tablewire.virtual.memory_link import MemoryLink

PATIENCE_S = 60.0
"""For a busy machine; nothing here takes more than a second."""
TURN_S = 0.002
TURN_MAX_MS = 50
"""A board that cannot keep up falls behind, as the board's own program lets it."""

BUS = "DBUS_SYSTEM_BUS_ADDRESS"
SHORT = BleLimits(find_s=0.5, find_any_s=0.1, gather_s=0.05)
"""How long a module that is away is looked for."""


class Place(Protocol):
    """A board, the link to it, and hands."""

    kind: str
    link: Link

    def do(self, *lines: str) -> list[str]:
        """Give the board commands, and wait until they are done; their answers."""

    def hanging_link(self, reached: threading.Event) -> tuple[Link, Callable[[], None]] | None:
        """A link to the place whose `open` sets `reached` and then hangs until it is released; None where
        opening cannot hang."""

    def close(self) -> None:
        """End of the test."""


class InMemory:
    """No port at all."""

    kind = "memory"

    def __init__(self) -> None:
        self._board = VirtualBoard(1)
        self._memory = MemoryLink(self._board)
        self.link: Link = self._memory

    def do(self, *lines: str) -> list[str]:
        return self._memory.do(*lines)

    def hanging_link(self, reached: threading.Event) -> None:
        """Nothing can hang there."""

    def close(self) -> None:
        self.link.close()
        self._board.close()


class Living:
    """A board that a thread of its own lets live in real time, at a pseudo-terminal."""

    def __init__(self, board: VirtualBoard, at: Path) -> None:
        self._board = board
        self._pty = BoardPty(at)
        self._pty.open()
        self._turned = threading.Condition()
        self._over = False
        self._thread = threading.Thread(target=self._live, name="board")
        self._thread.start()

    def _live(self) -> None:
        then_ms, board_ms = time.monotonic_ns() // 1_000_000, self._board.lived_ms
        with self._turned:
            while not self._over:
                now_ms = time.monotonic_ns() // 1_000_000
                board_ms += min(now_ms - then_ms, TURN_MAX_MS)
                then_ms = now_ms
                self._board.advance(board_ms)
                self._pty.pump(self._board)
                self._turned.notify_all()
                self._turned.wait(TURN_S)

    def do(self, *lines: str) -> list[str]:
        """Give commands, and wait until they are done and the pseudo-terminal is as they leave it."""
        with self._turned:
            tickets = [self._board.command(line) for line in lines]
            done = self._turned.wait_for(
                lambda: all(ticket.answer is not None for ticket in tickets), PATIENCE_S
            )
            assert done, lines
            self._pty.pump(self._board)
        return [ticket.answer or "" for ticket in tickets]

    def close(self) -> None:
        with self._turned:
            self._over = True
        self._thread.join()
        self._pty.close()
        self._board.close()


class AtPty:
    """A serial port: pyserial on a real pseudo-terminal, behind it either board."""

    kind = "serial"

    def __init__(self, folder: Path, board: VirtualBoard) -> None:
        self._path = folder / "port"
        self._living = Living(board, self._path)
        self.link: Link = SerialLink(str(self._path))

    def do(self, *lines: str) -> list[str]:
        return self._living.do(*lines)

    def hanging_link(self, reached: threading.Event) -> tuple[Link, Callable[[], None]]:
        release = threading.Event()

        def hang(port: str, baud: int) -> Any:
            reached.set()
            release.wait(PATIENCE_S)
            return open_with_pyserial(port, baud)

        return SerialLink(str(self._path), opener=hang), release.set

    def close(self) -> None:
        self.link.close()
        self._living.close()


class OverBle:
    """The real Bluetooth library and a BLE-UART module on the air of a fake BlueZ."""

    kind = "ble"

    def __init__(self, flavour: str, mtu: int) -> None:
        self.bluez = FakeBluez()
        self._bus_before = os.environ.get(BUS)
        os.environ[BUS] = self.bluez.address
        self._board = VirtualBoard(1)
        # Programs of one computer keep off each other's boards, and tests beside this one are such programs.
        address = "C0:" + ":".join(f"{byte:02X}" for byte in os.urandom(5))
        self.bridge = self.bluez.add_bridge("tablewire", address, flavour, mtu, self._board)
        self.link: Link = BleLink("tablewire", limits=SHORT)

    def do(self, *lines: str) -> list[str]:
        return [self.bridge.command(line) for line in lines]

    def another_link(self) -> Link:
        """Another program's link to the same module."""
        return BleLink("tablewire", limits=SHORT)

    def hanging_link(self, reached: threading.Event) -> tuple[Link, Callable[[], None]]:
        self.bridge.hang_connects()
        link = BleLink("tablewire")

        def watch() -> None:
            while not self.bluez.connecting_count and not reached.is_set():
                reached.wait(TURN_S)
            reached.set()

        watching = threading.Thread(target=watch)
        watching.start()

        def release() -> None:
            reached.set()
            watching.join()

        return link, release

    def close(self) -> None:
        self.link.close()
        self.bluez.close()
        self._board.close()
        if self._bus_before is None:
            del os.environ[BUS]
        else:
            os.environ[BUS] = self._bus_before


def state(place: Place) -> dict[str, Any]:
    """What the board says of itself to hands."""
    (answer,) = place.do("state")
    told = json.loads(answer.removeprefix("ok "))
    assert isinstance(told, dict)
    return told


KINDS: Mapping[str, Callable[[Path], Place]] = {
    "memory": lambda _: InMemory(),
    "pty": lambda folder: AtPty(folder, VirtualBoard(1)),
    "twin": lambda folder: AtPty(folder, VirtualBoard(1, heart=TwinHeart)),
    "nus": lambda _: OverBle("nus", 23),
    "hm10": lambda _: OverBle("hm10", 185),
}
"""One maker for each kind of link."""
