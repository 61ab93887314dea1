"""What is soldered to a BLE-UART module: nothing but a test, a VirtualBoard, or the pty of a board's program.

Owns how bytes get from and to each. Must not know the radio. Everything here but `hear` runs in the event
loop of the module.
"""

from __future__ import annotations

import asyncio
import os
import termios
import threading
import time
import tty
from pathlib import Path
from typing import Protocol

from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.board_pty import BoardPty

TICK_S = 0.005  # as the simulated board's own program: finer than a scan of the board
TURN_MAX_MS = 50  # a machine that was busy for longer lets the board fall behind
REOPEN_S = 0.02  # soon enough for a test, and seldom enough to cost nothing
READ_BYTES = 4096  # what a pseudo-terminal holds


class Module(Protocol):
    """The module, as its UART sees it."""

    def say(self, data: bytes) -> None: ...
    def follow_plug(self, plugged: bool) -> None: ...


class Uart(Protocol):
    """What a module is soldered to."""

    def attach(self, module: Module) -> None: ...
    def receive(self, data: bytes) -> None: ...
    def hear(self, count: int, limit_s: float) -> bytes: ...
    def close(self) -> None: ...


class BareUart:
    """No board: a test says and hears the bytes itself."""

    def __init__(self) -> None:
        self._heard = bytearray()
        self._news = threading.Condition()
        self._module: Module | None = None

    def attach(self, module: Module) -> None:
        self._module = module

    def receive(self, data: bytes) -> None:
        with self._news:
            self._heard += data
            self._news.notify_all()

    def hear(self, count: int, limit_s: float) -> bytes:
        with self._news:
            self._news.wait_for(lambda: len(self._heard) >= count, limit_s)
            heard = bytes(self._heard[:count])
            del self._heard[:count]
        return heard

    def close(self) -> None:
        return


class EchoUart(BareUart):
    """RX and TX joined by a wire: what is written comes back."""

    def receive(self, data: bytes) -> None:
        assert self._module is not None
        self._module.say(data)


class BoardUart(BareUart):
    """A VirtualBoard in real time: on the module, or on a pty as on its USB cable, never on both."""

    def __init__(self, board: VirtualBoard, tick_s: float = TICK_S) -> None:
        super().__init__()
        self.board = board
        self._tick_s = tick_s
        self._pty: BoardPty | None = None
        self._pulled_count = board.cable.pulled_count
        self._turned_s = time.monotonic()
        self._board_ms: float = board.table_ms
        self._tick: asyncio.TimerHandle | None = None

    def attach(self, module: Module) -> None:
        super().attach(module)
        self._turned_s = time.monotonic()
        self._turn()

    def _turn(self) -> None:
        self._advance()
        self._tick = asyncio.get_running_loop().call_later(self._tick_s, self._turn)

    def _advance(self) -> None:
        now_s = time.monotonic()
        self._board_ms += min((now_s - self._turned_s) * 1000, TURN_MAX_MS)
        self._turned_s = now_s
        self.board.advance(int(self._board_ms))
        self._carry()

    def _carry(self) -> None:
        if self._pty is not None:
            self._pty.pump(self.board)
            return
        assert self._module is not None
        if self.board.cable.pulled_count != self._pulled_count:
            # Also a plug that is in again since the last turn: what was said before it was pulled is gone.
            self._pulled_count = self.board.cable.pulled_count
            self._module.follow_plug(False)
            self.board.chunks_to_send()
        for chunk in self.board.chunks_to_send():
            self._module.say(chunk)
        self._module.follow_plug(self.board.plugged)

    def receive(self, data: bytes) -> None:
        if self._pty is None:
            self.board.receive_data(data)
            self._advance()

    async def command(self, *lines: str) -> str:
        """Do commands, all at this moment or one after the other; the last one's answer, once it is there."""
        tickets = [self.board.command(line) for line in lines]
        self._advance()
        while (answer := tickets[-1].answer) is None:
            await asyncio.sleep(self._tick_s)
        return answer

    def switch_to_usb(self, link: Path | None) -> str:
        """Plug in the cable; the path of its port."""
        self._pty = BoardPty(link)
        return self._pty.open()

    def switch_to_ble(self) -> None:
        """Pull the cable: whoever has its port open gets an error."""
        if self._pty is not None:
            self._pty.close()
            self._pty = None
            self.board.set_host_baud(0)
            self.board.chunks_to_send()  # said to nobody

    def close(self) -> None:
        if self._tick is not None:
            self._tick.cancel()
        self.switch_to_ble()


class PtyUart(BareUart):
    """The port of a board that runs as a program of its own, such as the twin: the module has it open.

    When the program pulls its plug, the module has no supply, until there is a port at the path again.
    """

    def __init__(self, path: str | Path, baud: int = 500_000) -> None:
        super().__init__()
        self._path = str(path)
        self._speed = getattr(termios, f"B{baud}")
        self._fd: int | None = None
        self._unsent = bytearray()
        self._opening: asyncio.TimerHandle | None = None

    def attach(self, module: Module) -> None:
        super().attach(module)
        self._open()

    def _open(self) -> None:
        fd = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(fd, termios.TCSANOW)
        settings = termios.tcgetattr(fd)
        settings[4] = settings[5] = self._speed
        termios.tcsetattr(fd, termios.TCSANOW, settings)
        self._fd = fd
        asyncio.get_running_loop().add_reader(fd, self._read)

    def _open_again(self) -> None:
        assert self._module is not None
        try:
            self._open()
        except (OSError, termios.error):  # nothing is plugged in yet
            self._opening = asyncio.get_running_loop().call_later(REOPEN_S, self._open_again)
        else:
            self._module.follow_plug(True)

    def _read(self) -> None:
        assert self._fd is not None
        assert self._module is not None
        try:
            data = os.read(self._fd, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:  # the board's program pulled its plug
            data = b""
        if data:
            self._module.say(data)
        else:
            self._let_go()
            self._module.follow_plug(False)
            self._open_again()

    def receive(self, data: bytes) -> None:
        self._unsent += data
        self._write()

    def _write(self) -> None:
        if self._fd is None:
            self._unsent.clear()
            return
        loop = asyncio.get_running_loop()
        try:
            del self._unsent[: os.write(self._fd, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()
        if self._unsent:
            loop.add_writer(self._fd, self._write)
        else:
            loop.remove_writer(self._fd)

    def close(self) -> None:
        if self._opening is not None:
            self._opening.cancel()
        self._let_go()

    def _let_go(self) -> None:
        if self._fd is not None:
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._fd)
            loop.remove_writer(self._fd)
            os.close(self._fd)
            self._fd = None
