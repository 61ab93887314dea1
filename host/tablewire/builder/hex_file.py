"""Intel HEX files: whether one is whole, and how much of the chip it takes.

Owns the format. Must not know programmers or boards. Source: Intel's Hexadecimal Object File Format, revision
A.
"""

from __future__ import annotations

from typing import NamedTuple

from tablewire.errors import UserError

FLASH_BYTES = 262_144
BOOTLOADER_BYTES = 8_192
"""The end of the flash holds the bootloader that writes the rest: it must never be written over."""
ROOM_BYTES = FLASH_BYTES - BOOTLOADER_BYTES

_DATA, _END, _SEGMENT, _START_SEGMENT, _LINEAR, _START_LINEAR = range(6)
_RECORD_MIN_BYTES = 5  # count, address, type, checksum


class HexImage(NamedTuple):
    """What a file writes: so many bytes, none at or behind `end_address`."""

    size_bytes: int
    end_address: int


def parse_hex(text: str, name: str) -> HexImage:
    """Read a whole file; `name` stands in errors. UserError when it is none, damaged, or does not fit."""
    base = size_bytes = end_address = 0
    ended = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        if ended:
            raise UserError(f"{where}: something follows the end of the file")
        kind, address, data = _parse_record(line.strip(), where)
        if kind == _DATA:
            size_bytes += len(data)
            end_address = max(end_address, base + address + len(data))
        elif kind == _END:
            ended = True
        elif kind in (_SEGMENT, _LINEAR):
            if len(data) != 2:
                raise UserError(f"{where}: an address of {len(data)} bytes")
            base = int.from_bytes(data, "big") << (4 if kind == _SEGMENT else 16)
        elif kind not in (_START_SEGMENT, _START_LINEAR):
            raise UserError(f"{where}: unknown kind of record {kind}")
    if not ended:
        raise UserError(f"{name}: it ends too early, so it was cut off; build it again")
    if size_bytes == 0:
        raise UserError(f"{name}: nothing is in it")
    if end_address > ROOM_BYTES:
        raise UserError(
            f"{name}: it does not fit: it reaches to {end_address} bytes, and the chip has room for "
            f"{ROOM_BYTES}"
        )
    return HexImage(size_bytes, end_address)


def _parse_record(line: str, where: str) -> tuple[int, int, bytes]:
    """One line's kind, address and data."""
    if not line.startswith(":"):
        raise UserError(f"{where}: this is no Intel HEX file (a line begins with a colon)")
    try:
        record = bytes.fromhex(line[1:])
    except ValueError:
        raise UserError(f"{where}: these are not pairs of hexadecimal digits") from None
    if len(record) < _RECORD_MIN_BYTES or len(record) != _RECORD_MIN_BYTES + record[0]:
        raise UserError(f"{where}: the line is too short or too long, so the file is damaged")
    if sum(record) % 256 != 0:
        raise UserError(f"{where}: the checksum is wrong, so the file is damaged")
    return record[3], int.from_bytes(record[1:3], "big"), record[4:-1]
