"""What a service manager is told, as sd_notify(3) has it: ready, how things are, alive, stopping.

Owns the socket and when something is said. Must not know what the table does, threads, or what keeps the game
thread going: it is told how often that has gone round. Where no service manager asks, nothing happens.

Thirty lines of a datagram protocol that has not changed since 2010: the packages for it are either not kept
up, or need systemd's own library to build.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Self

from tablewire.errors import one_line

PING_S = 5.0
"""Between two signs of life: one small datagram, many times within the unit's WatchdogSec."""
PINGS_PER_LIMIT = 3
"""Where somebody has set a shorter limit, so many signs of life fit into it: two may be late."""
STATUS_MAX_CHARS = 200
"""One line in `systemctl status`; a place may have a long name."""


class Service:
    """The service manager that started this program, if one did. One thread.

    service = Service.of_environment(os.environ)
    ...
    service.look(now_s, turn_count, "board /dev/ttyACM0: connected")   # again and again
    service.stopping()
    """

    def __init__(self, address: str, limit_s: float | None = None) -> None:
        """`address`: NOTIFY_SOCKET, empty when nobody asks; `limit_s`: how long silence is put up with."""
        self._socket = _socket_for(address)
        # An address that begins with @ is an abstract one, which is in no folder.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._ping_s = PING_S if limit_s is None else min(PING_S, limit_s / PINGS_PER_LIMIT)
        self._is_ready = False
        self._words: str | None = None
        self._turn_count = 0
        self._pinged_s: float | None = None

    @classmethod
    def of_environment(cls, environ: Mapping[str, str], pid: int | None = None) -> Self:
        """As the service manager says in the environment."""
        limit_us = environ.get("WATCHDOG_USEC", "")
        meant_for = environ.get("WATCHDOG_PID", "")
        is_ours = not meant_for or meant_for == str(os.getpid() if pid is None else pid)
        has_limit = is_ours and limit_us.isascii() and limit_us.isdigit() and int(limit_us[:18]) > 0
        return cls(environ.get("NOTIFY_SOCKET", ""), int(limit_us[:18]) / 1e6 if has_limit else None)

    def look(self, now_s: float, turn_count: int, words: str) -> None:
        """Say what is to be said: ready once the game thread has gone round, `words` when they are others,
        and a sign of life when it has gone round since the last one. A thread that hangs says nothing.

        `turn_count`: how often it has gone round; it only rises.
        """
        if turn_count == self._turn_count:
            return
        lines = []
        if not self._is_ready:
            lines.append("READY=1")
        if words != self._words:
            lines.append(f"STATUS={one_line(words)[:STATUS_MAX_CHARS]}")
        if self._pinged_s is None or now_s - self._pinged_s >= self._ping_s:
            lines.append("WATCHDOG=1")
        # What the manager did not take is said again the next time.
        if lines and self._tell(lines):
            self._is_ready, self._words = True, words
            if lines[-1] == "WATCHDOG=1":
                self._pinged_s, self._turn_count = now_s, turn_count

    def stopping(self) -> None:
        """Say that the end has begun, and let go of the socket. May be called twice."""
        self._tell(["STOPPING=1"])
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _tell(self, lines: list[str]) -> bool:
        if self._socket is None:
            return True
        with suppress(OSError):
            # To the address each time: a manager that was started anew has another socket there.
            self._socket.sendto("\n".join(lines).encode(), self._address)
            return True
        return False


def _socket_for(address: str) -> socket.socket | None:
    """A socket to send from; None where nobody asks, or in a way that is not known here."""
    if address[:1] not in ("/", "@") or not hasattr(socket, "AF_UNIX"):
        return None
    ours = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    # A manager that does not read must not hold up the table.
    ours.setblocking(False)
    return ours
