"""Frames on a stream of bytes: found, checked, taken apart and put together.

Owns the delimiters, byte stuffing, the checksum, and why bytes are dropped. Must not know messages, sessions,
ports or clocks.

A frame is `00 | COBS( type, seq, ack, payload, CRC-16 big-endian ) | 00`. The zero in front keeps noise
before a frame from costing the frame. The CRC is CRC-16/XMODEM started at 0xFFFF. `seq` counts the frames of
its sender modulo 256, `ack` is the seq of the last valid frame from the other side; only the counters of loss
use them.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections import Counter
from enum import Enum
from typing import NamedTuple

from tablewire.wire.messages import PAYLOAD_MAX

_HEAD_BYTES = 3  # type, seq, ack
_CRC_BYTES = 2
_CRC_START = 0xFFFF
_BODY_MIN_BYTES = _HEAD_BYTES + _CRC_BYTES
_BODY_MAX_BYTES = _BODY_MIN_BYTES + PAYLOAD_MAX
# Below 254 bytes, byte stuffing adds exactly one byte. What is longer cannot be a frame, so it is never kept.
_STUFFED_MAX_BYTES = _BODY_MAX_BYTES + 1


class Drop(Enum):
    """Why the bytes between two zeros are no frame."""

    TOO_LONG = "too long"
    TOO_SHORT = "too short"
    BAD_COBS = "byte stuffing"
    BAD_CRC = "checksum"


class Frame(NamedTuple):
    """One valid frame."""

    type: int
    seq: int
    ack: int
    payload: bytes


def encode_frame(frame: Frame) -> bytes:
    """The bytes of a frame with both delimiters. ValueError when the payload is too long."""
    if len(frame.payload) > PAYLOAD_MAX:
        raise ValueError(f"a payload of {len(frame.payload)} bytes; a frame holds {PAYLOAD_MAX}")
    body = bytes((frame.type, frame.seq, frame.ack)) + frame.payload
    body += crc_hqx(body, _CRC_START).to_bytes(_CRC_BYTES, "big")
    stuffed = b"".join(bytes((len(run) + 1,)) + run for run in body.split(b"\0"))
    return b"\0" + stuffed + b"\0"


def _unstuff(stuffed: bytes) -> bytes | None:
    """Undo the byte stuffing; None when a run is empty or points past the end."""
    runs = []
    at, end = 0, len(stuffed)
    while at < end:
        after = at + stuffed[at]
        if not at < after <= end:
            return None
        runs.append(stuffed[at + 1 : after])
        at = after
    return b"\0".join(runs)


def parse_frame(stuffed: bytes) -> Frame | Drop:
    """Read what stood between two zeros (no zero inside, not empty)."""
    if len(stuffed) > _STUFFED_MAX_BYTES:
        return Drop.TOO_LONG
    body = _unstuff(stuffed)
    if body is None:
        return Drop.BAD_COBS
    if len(body) < _BODY_MIN_BYTES:
        return Drop.TOO_SHORT
    # A CRC over data and its own CRC leaves nothing. It stays nothing over one zero more, which is what a
    # closing delimiter damaged to 01 adds: such a frame comes through with one byte behind its payload. One
    # sound frame in 256 looks the same, so it is left to the messages, which ignore a byte they do not know.
    if crc_hqx(body, _CRC_START) != 0:
        return Drop.BAD_CRC
    return Frame(body[0], body[1], body[2], body[_HEAD_BYTES:-_CRC_BYTES])


class Decoder:
    """Finds the frames in a stream that arrives in chunks of any size.

    Keeps at most one frame's bytes, whatever comes. `drops` counts what was dropped, by reason; it and the
    frames found do not depend on how the stream was cut into chunks.
    """

    def __init__(self) -> None:
        self.drops: Counter[Drop] = Counter()
        self._kept = b""

    def receive_data(self, chunk: bytes) -> list[Frame]:
        """The frames completed by this chunk, in order."""
        pieces = (self._kept + chunk).split(b"\0")
        # One byte more than the longest frame is enough to know, at the next zero, that this was none.
        self._kept = pieces.pop()[: _STUFFED_MAX_BYTES + 1]
        frames = []
        for piece in pieces:
            if not piece:
                continue
            found = parse_frame(piece)
            if isinstance(found, Drop):
                self.drops[found] += 1
            else:
                frames.append(found)
        return frames

    def forget(self) -> None:
        """Drop the begun frame: the next bytes come from another opening of the link."""
        self._kept = b""


class Sender:
    """Numbers the frames of one side, and counts the frames of the other that went missing."""

    def __init__(self) -> None:
        self.lost_count = 0
        self._next_seq = 0
        self._peer_seq: int | None = None

    def encode(self, frame_type: int, payload: bytes) -> bytes:
        """The next frame's bytes."""
        frame = Frame(frame_type, self._next_seq, self._peer_seq or 0, payload)
        self._next_seq = (self._next_seq + 1) % 256
        return encode_frame(frame)

    def heard(self, frame: Frame) -> None:
        """Note a valid frame from the other side."""
        if self._peer_seq is not None:
            missing = (frame.seq - self._peer_seq - 1) % 256
            # A repeated or overtaken frame looks like a jump of almost a whole turn: it is no loss.
            if missing < 128:
                self.lost_count += missing
        self._peer_seq = frame.seq
