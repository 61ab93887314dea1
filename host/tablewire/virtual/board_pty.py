"""The port of a simulated board: a pseudo-terminal that a host opens like a serial port.

Owns the pseudo-terminal, the link that leads to it, and the rate a host has set on it. Must not know commands
or clocks, nor what the bytes mean.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import termios
import tty
from pathlib import Path

from tablewire.errors import UserError
from tablewire.virtual.board import VirtualBoard

READ_BYTES = 4096  # what a pseudo-terminal holds
# As a USB bridge does, the board lets a host wait that writes faster than the line carries; and one that
# never stops writing must not keep the board from everything else.
BACKLOG_MAX_BYTES = READ_BYTES
READS_MAX_COUNT = 16
# Linux tells any rate with this call; termios.tcgetattr knows a list of rates only.
_TCGETS2 = 0x802C542A
_TERMIOS2 = struct.Struct("=IIIIB19sII")  # four words of flags, line discipline, control characters, in, out


class BoardPty:
    """The pseudo-terminal a host opens like a serial port.

    `path` is the side to open; None while unplugged. `link`, if given, is a symbolic link that always leads
    to it. Nothing here blocks: what a host does not read in time is lost, as on a UART.
    """

    def __init__(self, link: Path | None = None) -> None:
        self.path: str | None = None
        self._link = link
        self._master: int | None = None
        self._host_there = False
        self._held_back = False
        self._unsent: list[bytes] = []
        self._pulled_count: int | None = None

    def open(self) -> str:
        """Plug in; the path to open. UserError when the link's place is taken."""
        master, slave = os.openpty()
        self.path = os.ttyname(slave)
        # Without a slave of our own, the first and last hosts show as EIO, which is how their coming is seen.
        os.close(slave)
        os.set_blocking(master, False)
        self._master = master
        self._host_there = False
        if self._link is not None:
            point_link(self._link, self.path)
        return self.path

    def close(self) -> None:
        """Unplug: whoever has the port open gets an error, as from a pulled cable."""
        if self._master is None:
            return
        os.close(self._master)
        if self._link is not None and self._link.is_symlink() and str(self._link.readlink()) == self.path:
            self._link.unlink()
        self._master = self.path = None
        self._unsent = []

    def fileno(self) -> int | None:
        """What to wait on for bytes of the host; None while there is no host, or none of it is taken."""
        return self._master if self._host_there and not self._held_back else None

    def pump(self, board: VirtualBoard) -> None:
        """Bring the pseudo-terminal to the board's plug, and carry bytes both ways as far as they go."""
        pulled_count, self._pulled_count = self._pulled_count, board.cable.pulled_count
        if board.plugged and pulled_count not in (None, self._pulled_count):
            # Pulled and put in again since the last look: whoever had the port has lost it all the same.
            self.close()
            board.chunks_to_send()
        if board.plugged and self._master is None:
            self.open()
        if self._master is not None:
            self._read(board)
        board.set_host_baud(self.host_baud())
        chunks = board.chunks_to_send()
        if self._master is not None and self._host_there:
            self._write(chunks)
        if not board.plugged and self._master is not None:
            self.close()

    def _read(self, board: VirtualBoard) -> None:
        for _ in range(READS_MAX_COUNT):
            self._held_back = board.backlog_bytes > BACKLOG_MAX_BYTES
            if self._master is None or self._held_back:
                return
            try:
                chunk = os.read(self._master, READ_BYTES)
            except BlockingIOError:
                self._see_host(True, board)
                return
            except OSError:  # EIO: nobody has the other side open
                self._see_host(False, board)
                return
            if not chunk:
                self._see_host(False, board)
                return
            self._see_host(True, board)
            board.set_host_baud(self.host_baud())
            board.receive_data(chunk)

    def _see_host(self, there: bool, board: VirtualBoard) -> None:
        if there and not self._host_there and self._master is not None:
            # The last host's settings went with it; until this one sets its own, nothing may be echoed.
            tty.setraw(self._master, termios.TCSANOW)
            board.chunks_to_send()  # said to nobody
            board.port_opened()
        if not there:
            self._unsent = []
        self._host_there = there

    def host_baud(self) -> int:
        """The rate that is set on the host's side; 0 where that cannot be told."""
        if self._master is None or sys.platform != "linux":
            return 0
        try:
            settings = fcntl.ioctl(self._master, _TCGETS2, bytes(_TERMIOS2.size))
        except OSError:
            return 0
        return int(_TERMIOS2.unpack(settings)[-1])

    def _write(self, chunks: list[bytes]) -> None:
        self._unsent += chunks
        while self._unsent and self._master is not None:
            try:
                sent = os.write(self._master, self._unsent[0])
            except (BlockingIOError, OSError):
                break
            rest = self._unsent[0][sent:]
            self._unsent[:1] = [rest] if rest else []
        # A host that does not read loses whole chunks, the oldest of those that did not fit.
        while sum(map(len, self._unsent)) > READ_BYTES:
            del self._unsent[0]


def point_link(link: Path, target: str) -> None:
    """Make `link` lead to `target`, at one stroke. UserError when something other than a link is there."""
    if link.exists() and not link.is_symlink():
        raise UserError(
            f"{link} exists and is no link: choose another place for the link to the board's port"
        )
    fresh = link.with_name(f".{link.name}.{os.getpid()}")
    try:
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        fresh.replace(link)
    except OSError as error:
        raise UserError(f"cannot make the link {link}: {error.strerror}") from error
