"""How a person says where the board is, as a value: what `--port` takes.

Owns the forms and their texts. Must not know which ports there are, nor how any of them is opened. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BLE = "ble"
AUTO = "auto"


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

_WINDOWS_PORT = re.compile(r"(\\\\\.\\)?COM[0-9]+", re.IGNORECASE)
_DEVICE_NAME = re.compile(r"(tty|cu\.)\S+")


def parse_address(text: str) -> Address:
    """What this text names. ValueError, with a text for a person, when it names nothing."""
    text = text.strip()
    if not text:
        raise ValueError("no board is named: give a path, a serial number, ble or ble:NAME")
    if text.lower() == AUTO:
        return AnyBoard()
    transport, colon, wanted = text.partition(":")
    if transport.lower() == BLE:
        if colon and not wanted.strip():
            raise ValueError("ble: must be followed by a name or an address; ble alone takes any board")
        return BleBoard(wanted.strip() or None)
    if _WINDOWS_PORT.fullmatch(text) or "/" in text or "\\" in text:
        return SerialPath(text)
    if _DEVICE_NAME.fullmatch(text):
        return SerialPath(f"/dev/{text}")
    return SerialNumber(text)


def format_address(address: Address) -> str:
    """The text that `parse_address` reads as this address."""
    match address:
        case AnyBoard():
            return AUTO
        case SerialPath(path):
            return path
        case SerialNumber(number):
            return number
        case BleBoard(None):
            return BLE
        case BleBoard(wanted):
            return f"{BLE}:{wanted}"
