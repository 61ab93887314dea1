"""What a board behind Bluetooth LE is known by: its services, its name, its address.

Owns the two kinds of BLE-UART bridge, what a scan says of a board, and whether it is the wanted one. Must not
know radios, buses or threads. Pure.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablewire.errors import short_line


@dataclass(frozen=True, slots=True)
class Flavour:
    """A kind of BLE-UART bridge: the service it offers, where to write, and where to listen."""

    name: str
    service: str
    to_board: str
    from_board: str


_SIG_BASE = "0000{:04x}-0000-1000-8000-00805f9b34fb"
_NUS_BASE = "6e40{:04x}-b5a3-f393-e0a9-e50e24dcca9e"

NUS = Flavour("nus", _NUS_BASE.format(1), to_board=_NUS_BASE.format(2), from_board=_NUS_BASE.format(3))
"""The Nordic UART Service. RX and TX are named as the bridge sees them: we write to its RX."""

HM10 = Flavour("hm10", _SIG_BASE.format(0xFFE0), _SIG_BASE.format(0xFFE1), _SIG_BASE.format(0xFFE1))
"""HM-10 modules and those like it: one characteristic for both directions."""

FLAVOURS = (NUS, HM10)

SERVICES = tuple(flavour.service for flavour in FLAVOURS)
"""The services that a scan asks for."""

UNKNOWN_RSSI_DBM = -127
"""How strong a board is that is connected, and so says nothing: weaker than any that is heard."""

TEXT_CHAR_COUNT_MAX = 40
"""Names come over the air, up to 248 bytes of anything: enough of one to know the thing by."""


@dataclass(frozen=True, slots=True)
class BleSeen:
    """One thing that offers a UART over Bluetooth LE. `is_taken`: another program of this computer has it.

    `address` is what the system calls it: on macOS a UUID that only that computer knows.
    """

    address: str
    name: str | None
    rssi_dbm: int
    flavour: str
    is_taken: bool = False


def flavour_of(services: Iterable[str]) -> Flavour | None:
    """Which bridge offers these services; the Nordic one where something offers both."""
    offered = {service.lower() for service in services}
    return next((flavour for flavour in FLAVOURS if flavour.service in offered), None)


def is_wanted(wanted: str, address: str, name: str | None) -> bool:
    """Whether `wanted`, a name or an address in whatever case, is this thing."""
    folded = wanted.strip().casefold()
    return folded == address.casefold() or (name is not None and folded == name.strip().casefold())


def plain(text: str) -> str:
    """A text from the air, as it may stand in a line for a person."""
    return short_line(text.strip(), TEXT_CHAR_COUNT_MAX)


def label(address: str, name: str | None, others: Sequence[str | None] = ()) -> str:
    """What a person calls the place: by name, or by address where the name is none or not the only one.

    `others`: the names of what else is there.
    """
    name = (name or "").strip()
    folded = name.casefold()
    alone = name and all((other or "").strip().casefold() != folded for other in others)
    return f"ble:{plain(name if alone else address)}"


def in_order(seen: Iterable[BleSeen]) -> tuple[BleSeen, ...]:
    """The strongest first; by address where that decides nothing."""
    return tuple(sorted(seen, key=lambda board: (-board.rssi_dbm, board.address)))


_ADDRESS = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}", re.IGNORECASE)

NO_ADDRESSES = "macOS does not tell the addresses of Bluetooth devices; give the board's name: ble:NAME"


def unusable_on(platform: str, wanted: str | None) -> str | None:
    """Why `wanted` can never be found on this platform, or None."""
    if platform == "darwin" and wanted is not None and _ADDRESS.fullmatch(wanted.strip()):
        return NO_ADDRESSES
    return None


PLATFORM = sys.platform
