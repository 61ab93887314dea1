"""That only one tablewire of this computer connects to a board over Bluetooth LE at a time.

Owns the mark that says so. Must not know Bluetooth: BlueZ lets any number of programs use one connection, and
says that a program does only once it listens, which two that start together both find out too late.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
import zlib

HAS_ABSTRACT_SOCKETS = sys.platform == "linux"
"""Names that belong to a process and end with it, also when it is killed: no file is left behind."""


class Claim:
    """A board's address, held by this process until it is released. It may be claimed again after that."""

    def __init__(self, address: str) -> None:
        # An address is one board only among those that one Bluetooth service reaches.
        bus = zlib.crc32(os.environ.get("DBUS_SYSTEM_BUS_ADDRESS", "").encode())
        self._name = f"\0tablewire/ble/{bus:08x}/{address.lower()}"
        self._mark: socket.socket | None = None

    def take(self) -> bool:
        """Claim it; False when another tablewire, or another link of this one, has it."""
        if not HAS_ABSTRACT_SOCKETS or self._mark is not None:
            return True
        mark = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            mark.bind(self._name)
        except OSError as exc:
            mark.close()
            # Where such names cannot be had, the board is rather shared than lost.
            return exc.errno != errno.EADDRINUSE
        self._mark = mark
        return True

    def release(self) -> None:
        """Let go of it. May be called twice."""
        mark, self._mark = self._mark, None
        if mark is not None:
            mark.close()
