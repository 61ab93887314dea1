"""How a person says where the board is, as a value: what `--port` takes.

Owns the forms and their texts, and the speed of a port where none is said. Must not know which ports there
are, nor how any of them is opened. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

BLE = "ble"
AUTO = "auto"
SERIAL = "serial"

DEFAULT_BAUD = 500_000
"""What the board's firmware runs its line at."""

PATH_CHARS_MAX = 4096
"""PATH_MAX of Linux, the longest of the three systems."""
NUMBER_CHARS_MAX = 126
"""A USB string has 255 bytes at most: two of header, then UTF-16."""
BLE_NAME_CHARS_MAX = 248
"""The longest name that a Bluetooth device can have, in bytes (Core specification, GAP)."""


@dataclass(frozen=True, slots=True)
class AnyBoard:
    """Whichever is there: the last good one first, then those of known make, then any that answers."""


@dataclass(frozen=True, slots=True)
class SerialPath:
    """The serial port at this path, such as /dev/ttyACM0, a pty, or COM10."""

    path: str


@dataclass(frozen=True, slots=True)
class SerialNumber:
    """The USB serial port with this serial number, wherever it is plugged in."""

    number: str


@dataclass(frozen=True, slots=True)
class BleBoard:
    """A board behind Bluetooth LE, by its name or its address; None: the one that answers."""

    wanted: str | None = None


Address = AnyBoard | SerialPath | SerialNumber | BleBoard

# COM10, com10:, \\.\COM10: pyserial itself puts the prefix before what needs it.
_WINDOWS_PORT = re.compile(r"(?:\\\\[.?]\\)?(COM[0-9]{1,5}):?", re.IGNORECASE)
# What Linux, macOS and the BSDs call their ports, without the folder.
_DEVICE_NAME = re.compile(r"tty[A-Z0-9]\S*|(?:tty|cu)\..+|cua\w+")
# On macOS opening tty.X waits for a carrier that no board gives; cu.X is the same port without the wait.
_WAITS_FOR_CARRIER = re.compile(r"/dev/tty\.(.+)")
_HARDWARE_ADDRESS = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}", re.IGNORECASE)
_MACOS_ADDRESS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def parse_address(text: str) -> Address:
    """What this text names. ValueError, with a text for a person, when it names nothing."""
    text = text.strip()
    if not text:
        raise ValueError("no board is named: give a path, a serial number, ble or ble:NAME")
    # Controls, and the two characters that end a line without being controls.
    if any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in text):
        raise ValueError("a port's name has no control characters in it")
    _no_longer_than(PATH_CHARS_MAX, text, "a path")
    if text.lower() == AUTO:
        return AnyBoard()
    transport, colon, wanted = (part.strip() for part in text.partition(":"))
    if transport.lower() == BLE:
        return _ble_board(wanted, is_named=bool(colon))
    if transport.lower() == SERIAL and colon:
        return _serial_number(wanted)
    if windows := _WINDOWS_PORT.fullmatch(text):
        return SerialPath(windows[1].upper())
    if "/" in text or "\\" in text:
        return SerialPath(_WAITS_FOR_CARRIER.sub(r"/dev/cu.\1", text))
    if _DEVICE_NAME.fullmatch(text):
        return SerialPath(_WAITS_FOR_CARRIER.sub(r"/dev/cu.\1", f"/dev/{text}"))
    return _serial_number(text)


def _ble_board(wanted: str, *, is_named: bool) -> BleBoard:
    if is_named and not wanted:
        raise ValueError("ble: must be followed by a name or an address; ble alone takes any board")
    _no_longer_than(BLE_NAME_CHARS_MAX, wanted, "the name of a Bluetooth device")
    if _HARDWARE_ADDRESS.fullmatch(wanted):
        return BleBoard(wanted.replace("-", ":").upper())
    if _MACOS_ADDRESS.fullmatch(wanted):
        return BleBoard(wanted.upper())
    return BleBoard(wanted or None)


def _serial_number(number: str) -> SerialNumber:
    if not number:
        raise ValueError("serial: must be followed by a serial number; tablewire ports lists them")
    _no_longer_than(NUMBER_CHARS_MAX, number, "a serial number")
    return SerialNumber(number)


def _no_longer_than(chars_max: int, text: str, what: str) -> None:
    if len(text) > chars_max:
        raise ValueError(f"{what} has at most {chars_max} characters, not {len(text)}")


def format_address(address: Address) -> str:
    """The text that `parse_address` reads as this address."""
    match address:
        case AnyBoard():
            return AUTO
        case SerialPath(path):
            return path if _reads_as(path, address) else f"./{path}"
        case SerialNumber(number):
            return number if _reads_as(number, address) else f"{SERIAL}:{number}"
        case BleBoard(None):
            return BLE
        case BleBoard(wanted):
            return f"{BLE}:{wanted}"


def _reads_as(text: str, address: Address) -> bool:
    try:
        return parse_address(text) == address
    except ValueError:
        return False


def is_same_path(one: str, other: str) -> bool:
    """Whether both name one port: Windows does not look at the case of COM10, nor at its prefix."""
    return _comparable(one) == _comparable(other)


def _comparable(path: str) -> str:
    windows = _WINDOWS_PORT.fullmatch(path)
    return windows[1].upper() if windows else _WAITS_FOR_CARRIER.sub(r"/dev/cu.\1", path)


def is_same_number(one: str, other: str) -> bool:
    """Whether both are one serial number: some drivers of Windows turn it into capitals."""
    return one.strip().casefold() == other.strip().casefold()
