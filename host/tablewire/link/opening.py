"""The one place that turns an address into a link.

Owns which link goes with which kind of address, how Bluetooth is reached when a board is looked for, and what
is noted of a board that was named. Must not know what a board says; the greeting is given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress

from tablewire.link.address import (
    DEFAULT_BAUD,
    Address,
    AnyBoard,
    BleBoard,
    SerialNumber,
    SerialPath,
    is_same_path,
)
from tablewire.link.contract import Link
from tablewire.link.faults import LinkRefused
from tablewire.link.finding import FoundLink, Memory, Sources
from tablewire.link.last_good import KnownBoard
from tablewire.link.places import SeenBoard
from tablewire.link.ports import SerialNumberLink, list_serial_ports
from tablewire.link.serial_port import SerialLink
from tablewire.link.stranger import Greet


class Bluetooth:
    """This computer's Bluetooth, as a search asks for it. What it needs is loaded when it is first used."""

    def __init__(self, greet: Greet) -> None:
        self._greet = greet

    def scan(self, limit_s: float, /) -> Sequence[SeenBoard]:
        """What has a UART service and can be seen. LinkRefused."""
        from tablewire.link.ble import bluetooth_trouble, scan_for_boards

        trouble: LinkRefused | None = bluetooth_trouble()
        if trouble is not None:
            raise trouble
        return scan_for_boards(limit_s)

    def link(self, address: str | None, /) -> Link:
        """A link to one of them; None: whichever answers."""
        from tablewire.link.ble import BleLink

        return BleLink(address, greet=self._greet)


_LENT = re.compile(r"/dev/(pts/|tty[sp-t]\w)")
"""Pseudo-terminals of Linux and macOS by their own names. Tomorrow the same one is somebody's shell."""


def known_board(link: Link) -> KnownBoard | None:
    """The board at an open link that answers, to be noted as the last good one. None: its place is lent."""
    if link.kind == "ble":
        name = link.name.removeprefix("ble:")
        address = getattr(link, "address", None)
        return KnownBoard("ble", name if address is None else address, name=name)
    if _LENT.match(link.name):
        return None
    with suppress(LinkRefused):
        for port in list_serial_ports():
            if is_same_path(port.path, os.path.realpath(link.name)):
                return KnownBoard(
                    "serial", link.name, port.serial_number, port.usb_id, port.description or None
                )
    return KnownBoard("serial", link.name)


def link_for(
    address: Address,
    baud: int = DEFAULT_BAUD,
    *,
    greet: Greet,
    last_good: Memory | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Link:
    """A link to the board at `address`, not open yet.

    `greet` makes a greeting for each stranger that is asked; `last_good` remembers a board that was looked
    for; `tell` is told, on the thread that opens, where is looked.
    """
    match address:
        case SerialPath(path):
            return SerialLink(path, baud)
        case SerialNumber(number):
            return SerialNumberLink(number, baud)
        case BleBoard(wanted):
            return Bluetooth(greet).link(wanted)
        case AnyBoard():
            sources = Sources(radio=Bluetooth(greet))
            return FoundLink(baud, greet=greet, last_good=last_good, tell=tell, sources=sources)
