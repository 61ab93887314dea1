"""The framing again, written the slow and obvious way, as an oracle for the fast one."""

from __future__ import annotations


def crc16(data: bytes) -> int:
    """CRC-16 with polynomial 0x1021, started at 0xFFFF, bit by bit."""
    register = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            out = register >> 15
            register = (register << 1) & 0xFFFF
            if out != byte >> bit & 1:
                register ^= 0x1021
    return register


def stuff(data: bytes) -> bytes:
    """Consistent overhead byte stuffing, for fewer than 254 bytes."""
    stuffed = []
    run: list[int] = []
    for byte in [*data, 0]:
        if byte:
            run.append(byte)
        else:
            stuffed += [len(run) + 1, *run]
            run = []
    return bytes(stuffed)


def frame_bytes(frame_type: int, seq: int, ack: int, payload: bytes) -> bytes:
    """A whole frame with both delimiters."""
    body = bytes([frame_type, seq, ack]) + payload
    return b"\0" + stuff(body + crc16(body).to_bytes(2, "big")) + b"\0"
