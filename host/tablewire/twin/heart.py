"""The real firmware, in an emulated chip below the simulated table.

Owns how the chip's time, resets and bytes become a heart's, and its bytes the units that line faults work on.
What lies on the table gets to the chip in laying.py. Must not know commands, faults or ports, nor how the
chip is emulated.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

from tablewire.errors import UserError
from tablewire.twin.chip import Chip, find_twin
from tablewire.twin.laying import laying_of
from tablewire.virtual.heart import COUNTERS, Lights, Surroundings
from tablewire.wire.messages import PAYLOAD_MAX, ResetCause, Status

LINE_BAUD = 500_000
HOST_BAUDS = (300, 2_000_000)  # what the chip's line takes; beyond, everything is garbled anyway
BITS_PER_BYTE = 10
AHEAD_BYTES = 20_000  # given to the chip's line at a time; it holds 65536
FRAME_MAX_BYTES = PAYLOAD_MAX + 8  # two delimiters, stuffing, type, seq, ack, CRC
STATUS_SYMBOL = "link_status"
RESETS = {ResetCause.POWER_ON: "power", ResetCause.EXTERNAL: "external", ResetCause.BROWN_OUT: "brownout"}


class TwinHeart:
    """A Heart of compiled C. `eeprom` is a file that keeps what is stored, over the program's end too.

    UserError when the firmware or the emulator is not built, or there is no such board; BoardError when the
    firmware crashes.
    """

    def __init__(
        self, around: Surroundings, *, firmware: Path | None = None, eeprom: Path | None = None
    ) -> None:
        files = find_twin(around.kind)
        self._around = around
        self._chip = Chip(
            firmware or files.firmware,
            eeprom,
            crc32(f"{around.seed} {around.entropy}".encode()),
            files.program,
        )
        try:
            self._laying = laying_of(around, self._chip)
        except UserError:
            self._chip.close()
            raise
        self._booted_ms = 0
        self._units = UnitCutter()
        self._host_set_baud = 0
        self._host_baud = LINE_BAUD
        self._waiting = b""  # of the host, not given to the chip's line yet
        self._line_free_us = 0  # when all that was given will have arrived

    # ---- what it tells ----

    def _status(self) -> Status:
        nothing: dict[str, Any] = {**dict.fromkeys(Status.__slots__, 0), "readers": ()}
        size = len(Status(**nothing).encode())
        # Its last byte counts readers, whose rows the firmware adds as it speaks.
        return Status.parse(self._chip.peek(STATUS_SYMBOL, size)[:-1] + b"\0")

    @property
    def nonce(self) -> int:
        """Of this boot."""
        return self._status().nonce

    @property
    def last_number(self) -> int:
        """The last change that happened in this boot."""
        return self._status().last_number

    def device_ms(self, now_ms: int) -> int:
        """The device's own clock."""
        return now_ms - self._booted_ms

    def counters(self) -> Mapping[str, int]:
        """COUNTERS of this boot, as the firmware keeps them."""
        status = self._status()
        return {name: getattr(status, name) for name in COUNTERS}

    def lights(self) -> Lights:
        """What the pins drive."""
        pins = self._chip.pins()
        return Lights(pins.players, pins.green, pins.red)

    # ---- what happens to it ----

    def reset(self, cause: ResetCause, now_ms: int) -> None:
        """Boot anew; what the UART was sending ends in the middle of a byte."""
        self._live(now_ms)
        self._chip.reset(RESETS[cause])
        self._booted_ms = now_ms
        self._waiting = b""
        self._line_free_us = self._chip.now_us
        self._emit(self._units.rest())

    def run(self, now_ms: int) -> None:
        """Live until now, and let the chip sense what lies there now."""
        self._live(now_ms)
        self._laying.settle(now_ms)

    def next_due_ms(self, now_ms: int) -> int | None:
        """When something on the table changes, or the line takes more of what the host wrote."""
        due = [self._laying.next_due_ms(now_ms)]
        if self._waiting:
            due.append(max(now_ms + 1, (self._line_free_us - self._us_of(AHEAD_BYTES) // 2) // 1000))
        return min((ms for ms in due if ms is not None), default=None)

    def receive_data(self, chunk: bytes, now_ms: int) -> None:
        """Bytes that begin to arrive now, behind those still on their way."""
        self._live(now_ms)
        self._waiting += chunk
        self._feed()

    @property
    def backlog_bytes(self) -> int:
        """What waits to be given to the chip's line."""
        return len(self._waiting)

    def set_host_baud(self, baud: int) -> None:
        """The rate at which the host sends and listens."""
        if baud == self._host_set_baud:
            return
        self._host_set_baud = baud
        self._host_baud = min(max(baud, HOST_BAUDS[0]), HOST_BAUDS[1]) if baud else LINE_BAUD
        self._chip.host_baud(self._host_baud if baud else 0)

    def close(self) -> None:
        """End the emulation."""
        self._chip.close()

    # ---- time and bytes ----

    def _live(self, now_ms: int) -> None:
        left_us = now_ms * 1000 - self._chip.now_us
        if left_us <= 0:
            return
        for _, data in self._chip.run(left_us):
            for unit in self._units.cut(data):
                self._emit(unit)
        self._feed()

    def _emit(self, unit: bytes) -> None:
        if unit:
            self._around.emit(unit)

    def _us_of(self, count: int) -> int:
        return count * BITS_PER_BYTE * 1_000_000 // self._host_baud

    def _feed(self) -> None:
        now_us = self._chip.now_us
        while self._waiting and self._line_free_us - now_us < self._us_of(AHEAD_BYTES):
            chunk, self._waiting = self._waiting[:AHEAD_BYTES], self._waiting[AHEAD_BYTES:]
            self._chip.rx(chunk)
            self._line_free_us = max(self._line_free_us, now_us) + self._us_of(len(chunk))


class UnitCutter:
    """Cuts a stream of bytes behind each frame's closing zero.

    What is no frame is cut where it is as long as the longest one.
    """

    def __init__(self) -> None:
        self._kept = b""

    def cut(self, data: bytes) -> list[bytes]:
        """The units that are complete."""
        units = []
        for at in range(len(data)):
            byte = data[at : at + 1]
            self._kept += byte
            ends = byte == b"\0" and self._kept.strip(b"\0")
            if ends or len(self._kept) >= FRAME_MAX_BYTES:
                units.append(self.rest())
        return units

    def rest(self) -> bytes:
        """What was begun; it is forgotten."""
        kept, self._kept = self._kept, b""
        return kept
