"""How fast frames and changes are decoded, against what the line can carry.

The line is 500,000 baud, ten bits a byte: 50,000 bytes a second. Everything goes through the session, in
chunks of 64 bytes, as a serial port hands them over: decoding, checksum, parsing, numbers, class table,
observation.
"""

from __future__ import annotations

import time
from dataclasses import replace

from tablewire.wire.frame import Decoder, Sender
from tablewire.wire.messages import BATCH_MAX, EventRow, Events, Hello, Snapshot, Status
from tablewire.wire.observed import Changes
from tablewire.wire.session import HostSession

LINE_BYTES_PER_S = 50_000
CHUNK_BYTES = 64
BATCHES = 2000
SENSORS = 201
NONCE = 7

HELLO = Hello(1, 0, "bench", 1, SENSORS, 0, 0, 1, 115, 64, NONCE, 1, 0, 0, 1)
HEARTBEAT = Status(NONCE, 0, 0, 159, 5000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, ())


def stream(batch: int) -> tuple[bytes, int, int]:
    """A board's words with so many changes a batch and a heartbeat per 16 batches: bytes, frames, changes."""
    sender = Sender()
    messages: list[Hello | Snapshot | Events | Status] = [HELLO, Snapshot(NONCE, 0, 0, bytes(SENSORS))]
    number, covered = 1, [False] * SENSORS
    for index in range(BATCHES):
        rows = []
        for row in range(batch):
            sensor = (index * batch + row) % SENSORS
            rows.append(EventRow(sensor, 0x20 if covered[sensor] else 0x02, row))
            covered[sensor] = not covered[sensor]
        messages.append(Events(NONCE, number, 20 * index, tuple(rows)))
        number += batch
        if index % 16 == 0:
            messages.append(replace(HEARTBEAT, device_ms=20 * index + 19, last_number=number - 1))
    data = b"".join(sender.encode(message.TYPE, message.encode()) for message in messages)
    return data, len(messages), number - 1


def seconds_to_decode(data: bytes) -> tuple[float, int]:
    """How long the decoder alone takes, and how many frames it found."""
    decoder, found = Decoder(), 0
    begun_s = time.perf_counter()
    for at in range(0, len(data), CHUNK_BYTES):
        found += len(decoder.receive_data(data[at : at + CHUNK_BYTES]))
    return time.perf_counter() - begun_s, found


def seconds_to_observe(data: bytes) -> tuple[float, int]:
    """How long the whole session takes, acknowledging included, and how many changes it told."""
    session, told = HostSession(), 0
    session.link_opened(0)
    begun_s = time.perf_counter()
    for at in range(0, len(data), CHUNK_BYTES):
        for one in session.receive_data(data[at : at + CHUNK_BYTES], 0):
            if isinstance(one, Changes):
                told += len(one.changes)
                session.acknowledge(one.changes[-1].number, NONCE)
        session.data_to_send(0)
    return time.perf_counter() - begun_s, told


def main() -> None:
    """Print one line per batch size: the best of three runs."""
    for batch in (1, 4, BATCH_MAX):
        data, frames, changes = stream(batch)
        decode_s, found = min(seconds_to_decode(data) for _ in range(3))
        observe_s, told = min(seconds_to_observe(data) for _ in range(3))
        assert (found, told) == (frames, changes)
        print(
            f"{batch:2} changes a batch: {frames / decode_s:9,.0f} frames/s decoded, "
            f"{changes / observe_s:9,.0f} changes/s through the session, "
            f"{len(data) / observe_s / LINE_BYTES_PER_S:5.1f} x the line at 500 kbaud"
        )


if __name__ == "__main__":
    main()
