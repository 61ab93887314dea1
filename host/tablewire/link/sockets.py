"""Serial ports of this computer as places where a board may be.

Owns what a place's mark is made of: by it a search knows that something else is plugged in there. Must not
know what is asked there, nor when.
"""

from __future__ import annotations

from pathlib import Path

from tablewire.link.last_good import KnownBoard
from tablewire.link.places import Place
from tablewire.link.ports import SerialPort


def serial_place(port: SerialPort) -> Place:
    """A port of the list, as it is now."""
    board = KnownBoard("serial", port.path, port.serial_number, port.usb_id, port.description or None)
    return Place(port.path, board, (_mark(port.path), port.usb_id, port.serial_number))


def unlisted_place(board: KnownBoard) -> Place | None:
    """A pseudo-terminal, or a link that somebody made: in no list, but there; None: it is not."""
    mark = _mark(board.port)
    return None if mark is None else Place(board.port, board, mark)


def _mark(path: str) -> object:
    """Changes when the system makes the port anew, and when its rights change."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_ctime_ns
