"""What can go wrong with a port, in one line that a person can act on.

Owns the two link errors and their wording. Must not know what the bytes mean or who reads them.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from tablewire.errors import one_line, short_line
from tablewire.link.port_rights import denied_words
from tablewire.link.port_users import User, users_of


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

    `tried`: where else a board was looked for, when it was; `users`: who has it, where that is known.
    """

    def __init__(
        self,
        text: str,
        cause: Cause = Cause.OTHER,
        tried: Iterable[Tried] = (),
        users: Iterable[User] = (),
    ) -> None:
        super().__init__(text)
        self.cause = cause
        self.tried = tuple(tried)
        self.users = tuple(users)


class LinkLost(Exception):  # noqa: N818 - the word says what happened
    """The port was open and is no more; the text is one line. Opening it again may work."""


_AGAIN = "it is tried again"
_PROMISE = re.compile(
    r"(; the game is kept and the (port|board) tried again"
    r"|[,;] it is (tried again|asked again|looked for( again and again)?)"
    r"| It is tried again)$"
)
"""How a line of a link ends that tells somebody who plays what the program does next."""
_BUSY = f"another program uses it; close that program, {_AGAIN}"
_GONE = f"nothing is plugged in there; plug the board in, {_AGAIN}"
_NO_PORT = "it is not a serial port; name the one the board is plugged into with --port"
_BAD_LINE = f"the USB line fails; try another cable or another socket, {_AGAIN}"
_HANGS = "it does not answer; unplug the board and plug it in again"
_FULL = f"this computer has no room for more open files; close other programs, {_AGAIN}"
_BAD_BAUD = "it cannot run at that speed; give another with --baud"
_DENIED = ""
"""In place of words: they are found out at the port itself."""

_BY_ERRNO: dict[int, tuple[Cause, str]] = {
    errno.EACCES: (Cause.FORBIDDEN, _DENIED),
    errno.EPERM: (Cause.FORBIDDEN, _DENIED),
    errno.EAGAIN: (Cause.BUSY, _BUSY),
    errno.EWOULDBLOCK: (Cause.BUSY, _BUSY),
    errno.EBUSY: (Cause.BUSY, _BUSY),
    errno.ENOENT: (Cause.ABSENT, _GONE),
    errno.ENODEV: (Cause.ABSENT, _GONE),
    errno.ENXIO: (Cause.ABSENT, _GONE),
    errno.EIO: (Cause.ABSENT, _GONE),
    errno.ESHUTDOWN: (Cause.ABSENT, _GONE),
    errno.EPROTO: (Cause.OTHER, _BAD_LINE),
    errno.EPIPE: (Cause.OTHER, _BAD_LINE),
    errno.EILSEQ: (Cause.OTHER, _BAD_LINE),
    errno.EOVERFLOW: (Cause.OTHER, _BAD_LINE),
    errno.ETIMEDOUT: (Cause.HANGS, _HANGS),
    errno.EMFILE: (Cause.OTHER, _FULL),
    errno.ENFILE: (Cause.OTHER, _FULL),
    errno.ENOTTY: (Cause.OTHER, _NO_PORT),
    errno.EISDIR: (Cause.OTHER, _NO_PORT),
    errno.ENOTDIR: (Cause.OTHER, _NO_PORT),
    errno.EINVAL: (Cause.OTHER, _NO_PORT),
    errno.ELOOP: (Cause.OTHER, _NO_PORT),
    errno.ENAMETOOLONG: (Cause.OTHER, _NO_PORT),
}

_BY_WINDOWS: dict[int, tuple[Cause, str]] = {
    2: (Cause.ABSENT, _GONE),  # ERROR_FILE_NOT_FOUND
    3: (Cause.ABSENT, _GONE),  # ERROR_PATH_NOT_FOUND
    5: (Cause.BUSY, _BUSY),  # ERROR_ACCESS_DENIED: on ports it means that somebody has it
    21: (Cause.ABSENT, _GONE),  # ERROR_NOT_READY
    22: (Cause.ABSENT, _GONE),  # ERROR_BAD_COMMAND: of a port that was unplugged
    31: (Cause.ABSENT, _GONE),  # ERROR_GEN_FAILURE, the same while it goes
    32: (Cause.BUSY, _BUSY),  # ERROR_SHARING_VIOLATION
    55: (Cause.ABSENT, _GONE),  # ERROR_DEV_NOT_EXIST
    87: (Cause.OTHER, _BAD_BAUD),  # ERROR_INVALID_PARAMETER: of the settings
    121: (Cause.HANGS, _HANGS),  # ERROR_SEM_TIMEOUT
    123: (Cause.OTHER, _NO_PORT),  # ERROR_INVALID_NAME
    433: (Cause.ABSENT, _GONE),  # ERROR_NO_SUCH_DEVICE
    1167: (Cause.ABSENT, _GONE),  # ERROR_DEVICE_NOT_CONNECTED
}
"""System error codes as winerror.h has them. pyserial tells them on Windows, but only within its text."""

_WINDOWS_ERROR = re.compile(r"\w*Error\(\d+, .*, None, (\d+)\)")
_NO_SUCH_BAUD = re.compile(r"baud ?rate", re.IGNORECASE)

_UNPLUGGED = "it was unplugged, or another program reads the port"
_UNPLUGGED_ERRNOS = frozenset(
    (errno.EIO, errno.ENODEV, errno.ENXIO, errno.ESHUTDOWN, errno.EPIPE, errno.EPROTO, errno.EBADF)
)
"""What reading and writing a port that is gone may give, or one that slept through a suspend."""
_HUNG_UP = "readiness to read but returned no data"
"""What pyserial says of a port that hung up."""

PORT_CHARS_MAX = 200
"""Longer than the path of any port; what a person typed in its place is cut short."""
WHY_CHARS_MAX = 160
"""Two lines of a terminal: the rest of what a driver says helps nobody."""


def error_number(exc: BaseException | None) -> int | None:
    """The errno behind an exception: pyserial and termios hide it in arguments, causes and contexts."""
    seen = 0
    while exc is not None and seen < 8:
        if isinstance(exc, OSError):
            number = exc.errno
        else:
            # termios.error is no OSError; the first argument of other exceptions says something else.
            number = exc.args[0] if type(exc).__module__ == "termios" and exc.args else None
        if isinstance(number, int):
            return number
        exc, seen = exc.__cause__ or exc.__context__, seen + 1
    return None


def refused(port: str, exc: BaseException) -> LinkRefused:
    """A LinkRefused for whatever opening `port` raised."""
    cause, why = _judged(exc)
    if cause is Cause.FORBIDDEN:
        why = denied_words(port)
    users = users_of(port) if cause is Cause.BUSY else ()
    return LinkRefused(f"cannot open {port_words(port)}: {_with_users(why, users)}", cause, users=users)


def _judged(exc: BaseException) -> tuple[Cause, str]:
    windows = _by_windows(exc)
    if windows is not None:
        return windows
    if isinstance(exc, ValueError) and _NO_SUCH_BAUD.search(str(exc)):
        return Cause.OTHER, _BAD_BAUD
    number = error_number(exc)
    if number in _BY_ERRNO:
        return _BY_ERRNO[number]
    why = os.strerror(number) if number is not None and number > 0 else short_line(exc, WHY_CHARS_MAX)
    return Cause.OTHER, f"{why}; {_AGAIN}"


def _by_windows(exc: BaseException) -> tuple[Cause, str] | None:
    told = _WINDOWS_ERROR.search(str(exc))
    return _BY_WINDOWS.get(int(told[1])) if told else None


def _with_users(why: str, users: Sequence[User]) -> str:
    if not users:
        return why
    first, *others = map(one_line, users)
    named = first + (f" and {len(others)} more" if others else "")
    return why.replace("another program uses it", f"another program uses it: {named}", 1)


def lost(port: str, exc: BaseException) -> LinkLost:
    """A LinkLost for whatever reading or writing `port` raised."""
    number, windows = error_number(exc), _by_windows(exc)
    gone_on_windows = windows is not None and windows[0] in (Cause.ABSENT, Cause.BUSY)
    if number in _UNPLUGGED_ERRNOS or _HUNG_UP in str(exc) or gone_on_windows:
        why = _UNPLUGGED
    elif number is not None and number > 0:
        why = os.strerror(number)
    else:
        why = short_line(exc, WHY_CHARS_MAX)
    return LinkLost(
        f"lost the board at {port_words(port)} ({why}); the game is kept and the port tried again"
    )


def port_words(port: str) -> str:
    """A port's name as it stands in a message: on one line, and no longer than can be read."""
    return short_line(port, PORT_CHARS_MAX)


def without_promise(text: str) -> str:
    """A line of a link for somebody who asked once: nothing is tried again but by that person."""
    return _PROMISE.sub("", text)
