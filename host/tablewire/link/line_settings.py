"""Two settings of an open serial port that pyserial does not make: no hang-up at closing, nobody else in.

Owns the system calls for them, where the system knows them. Must not know what goes over the line. No port is
refused for a setting that it does not know.
"""

from __future__ import annotations

import contextlib
import os
import re

_PSEUDO_TERMINAL = re.compile(r"/dev/(?:pts/|ttys)[0-9]+")
"""What Linux and macOS call them."""


def keep_line_up(descriptor: int) -> None:
    """Leave DTR as it is when the port is closed (HUPCL off), so that opening it again makes no edge.

    The edge resets a board with the usual capacitor between DTR and its reset pin. The first opening after
    the board was plugged in still makes one. avrdude lowers and raises DTR itself, and is not bothered.
    """
    # Not there on Windows; and a line that is already gone says so at the next read.
    with contextlib.suppress(Exception):
        import termios

        settings = termios.tcgetattr(descriptor)
        settings[2] &= ~termios.HUPCL
        termios.tcsetattr(descriptor, termios.TCSANOW, settings)


def keep_others_out(descriptor: int) -> None:
    """Refuse the port to programs that take no lock before they open it, such as terminal programs.

    Until the port is closed; root comes in anyhow. Not on a pseudo-terminal, which may outlive us: when its
    other user keeps it open and we are killed, nobody would ever be let in again.
    """
    with contextlib.suppress(Exception):
        import fcntl
        import termios

        if not _PSEUDO_TERMINAL.fullmatch(os.ttyname(descriptor)):
            fcntl.ioctl(descriptor, termios.TIOCEXCL)
