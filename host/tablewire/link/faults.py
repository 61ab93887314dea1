"""What can go wrong with a port, in one line that a person can act on.

Owns the two link errors and their wording. Must not know what the bytes mean or who reads them.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from tablewire.errors import one_line


class Cause(Enum):
    """Why a link could not be opened: it decides when that is tried again."""

    ABSENT = "absent"
    """Nothing is there."""
    BUSY = "busy"
    """Another program of this computer has it."""
    TAKEN = "taken"
    """Another host has it, and is not to be robbed of it."""
    FORBIDDEN = "forbidden"
    """The system does not let us."""
    HANGS = "hangs"
    """The driver does not answer."""
    SILENT = "silent"
    """Something is there, but no board of ours answers."""
    OFF = "off"
    """Bluetooth is switched off, or this computer has none."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Tried:
    """One place where a board was looked for, and why none is used there, in words."""

    port: str
    why: str


class LinkRefused(Exception):  # noqa: N818 - the word says what happened
    """The link could not be opened; the text is one line that names it, why, and what to do.

    `tried`: where else a board was looked for, when it was.
    """

    def __init__(self, text: str, cause: Cause = Cause.OTHER, tried: Iterable[Tried] = ()) -> None:
        super().__init__(text)
        self.cause = cause
        self.tried = tuple(tried)


class LinkLost(Exception):  # noqa: N818 - the word says what happened
    """The port was open and is no more; the text is one line. Opening it again may work."""


_BUSY = "another program uses it; close that program, it is tried again"
_GONE = "nothing is plugged in there; plug the board in, it is tried again"
_FORBIDDEN = (
    "permission denied; serial ports belong to the group dialout: "
    "sudo usermod -aG dialout $USER, then log out and in again"
)
_NO_PORT = "it is not a serial port; name the one the board is plugged into with --port"

_BY_ERRNO = {
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EAGAIN: _BUSY,
    errno.EBUSY: _BUSY,
    errno.ENOENT: _GONE,
    errno.ENODEV: _GONE,
    errno.ENXIO: _GONE,
    errno.EIO: _GONE,
    errno.ENOTTY: _NO_PORT,
    errno.EISDIR: _NO_PORT,
    errno.ENOTDIR: _NO_PORT,
    errno.EINVAL: _NO_PORT,
    errno.ELOOP: _NO_PORT,
    errno.ENAMETOOLONG: _NO_PORT,
}


def error_number(exc: BaseException | None) -> int | None:
    """The errno behind an exception: pyserial and termios hide it in arguments, causes and contexts."""
    seen = 0
    while exc is not None and seen < 8:
        first = exc.args[0] if exc.args else None
        number = exc.errno if isinstance(exc, OSError) else first
        if isinstance(number, int):
            return number
        exc, seen = exc.__cause__ or exc.__context__, seen + 1
    return None


def refused(port: str, exc: BaseException) -> LinkRefused:
    """A LinkRefused for whatever opening `port` raised."""
    number = error_number(exc)
    why = _BY_ERRNO.get(number) if number is not None else None
    if why is None and number is not None and number > 0:
        why = f"{os.strerror(number)}; it is tried again"
    return LinkRefused(f"cannot open {one_line(port)}: {why or one_line(exc) + '; it is tried again'}")


def lost(port: str, exc: BaseException) -> LinkLost:
    """A LinkLost for whatever reading or writing `port` raised."""
    number = error_number(exc)
    why = os.strerror(number) if number is not None and number > 0 else one_line(exc)
    return LinkLost(f"lost the board at {one_line(port)} ({why}); the game is kept and the port tried again")
