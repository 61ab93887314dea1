"""From where a person says the board is to a link for the bench, or to the port to flash.

Owns what the builder's commands do when no port is named, and that flashing needs a cable. Must not know how
a link is opened or what is said over it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import platformdirs

from tablewire.errors import BoardError, UserError, one_line
from tablewire.link.address import Address, AnyBoard, BleBoard, SerialNumber, SerialPath, is_same_number
from tablewire.link.contract import Link
from tablewire.link.faults import LinkRefused
from tablewire.link.last_good import FILE_NAME, KnownBoard, LastGood
from tablewire.link.opening import link_for
from tablewire.link.ports import SerialPort, in_order, list_serial_ports, what_it_is
from tablewire.wire.greeting import Greeting

Say = Callable[[str], None]
Lister = Callable[[], Sequence[SerialPort]]

OVER_A_CABLE = (
    "flash writes over a cable, not over Bluetooth: plug the board in, and name its port with --port"
)
NO_BOARD = (
    "no board is plugged in, or its USB bridge is of an unknown make: tablewire ports lists what there is, "
    "--port names it"
)


def last_board(say: Say) -> LastGood:
    """What is remembered of the last board, beside the games of this user."""
    return LastGood(_file(), say)


def _file() -> Path:
    return platformdirs.user_data_path("tablewire") / FILE_NAME


def link_to(address: Address, baud: int, say: Say) -> Link:
    """A link to the board at this address, not open yet; `say` is told where one is looked for."""
    return link_for(address, baud, greet=Greeting, last_good=last_board(say), tell=say)


def port_to_flash(
    address: Address,
    say: Say,
    ports: Lister = list_serial_ports,
    last: Callable[[], KnownBoard | None] | None = None,
) -> str:
    """The path of the port to write to. UserError when it is not clear which, BoardError when none is there.

    Without a named port: where the last good board is plugged in, or the one that is of known make. Nothing
    is asked who it is: a new board has no firmware yet that could answer.
    """
    match address:
        case SerialPath(path):
            return path
        case BleBoard():
            raise UserError(OVER_A_CABLE)
    try:
        listed = ports()
    except LinkRefused as exc:
        raise BoardError(one_line(exc)) from exc
    if isinstance(address, SerialNumber):
        found = [port for port in listed if is_same_number(port.serial_number or "", address.number)]
        none = (
            f"no serial port has the serial number {one_line(address.number)}: plug the board in; "
            "tablewire ports lists those there are"
        )
    else:
        lasting, known, *_ = in_order(listed, last_board(say).load() if last is None else last())
        found = list(lasting if len(lasting) == 1 else (*lasting, *known))
        none = NO_BOARD
    if not found:
        raise BoardError(none)
    if len(found) > 1:
        places = ", ".join(one_line(port.path) for port in found)
        raise UserError(f"several boards may be meant ({places}): name one with --port")
    say(f"found at {one_line(found[0].path)}: {what_it_is(found[0])}")
    return found[0].path


def needs_greeting(address: Address) -> bool:
    """Whether the board has to show that it is one of ours before it is written to unasked.

    Printers and other machines have the same chip behind the same USB bridge.
    """
    return isinstance(address, AnyBoard)
