"""Readers of the twin's model on a bus of their own: what an SPI master does with them, byte by byte.

Registers and bits are the data sheet's (MFRC522, chapter 9). Nothing here knows the firmware's driver.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from enum import IntEnum, IntFlag
from typing import NamedTuple, Self

from tablewire.twin.chip import BUILD_FOLDER

LIBRARY = BUILD_FOLDER / "twin" / "librack.so"
PS_PER_US = 1_000_000
BYTE_US = 2
"""Eight bits at 4 MHz, the clock of the board's bus."""
AWAKE_US = 1000
"""A reader's oscillator after its reset line has gone high."""
FIELD_US = 5000
"""After a field has come on, a tag must answer by then (ISO/IEC 14443-3)."""
PATIENCE_US = 40_000
POLL_US = 20
"""Between two looks at the interrupts: what a driver does meanwhile."""
FIFO_SIZE = 64


class Reg(IntEnum):
    """Addresses of registers."""

    COMMAND = 0x01
    COM_IRQ = 0x04
    DIV_IRQ = 0x05
    ERROR = 0x06
    STATUS1 = 0x07
    STATUS2 = 0x08
    FIFO_DATA = 0x09
    FIFO_LEVEL = 0x0A
    WATER_LEVEL = 0x0B
    CONTROL = 0x0C
    BIT_FRAMING = 0x0D
    COLL = 0x0E
    MODE = 0x11
    TX_MODE = 0x12
    RX_MODE = 0x13
    TX_CONTROL = 0x14
    TX_ASK = 0x15
    RX_SEL = 0x17
    CRC_HIGH = 0x21
    CRC_LOW = 0x22
    T_MODE = 0x2A
    T_PRESCALER = 0x2B
    T_RELOAD_HIGH = 0x2C
    T_RELOAD_LOW = 0x2D
    T_COUNTER_HIGH = 0x2E
    T_COUNTER_LOW = 0x2F
    AUTO_TEST = 0x36
    VERSION = 0x37


class Command(IntEnum):
    """What CommandReg takes."""

    IDLE = 0
    MEM = 1
    RANDOM = 2
    CALC_CRC = 3
    TRANSMIT = 4
    TRANSCEIVE = 12
    SOFT_RESET = 15


class Irq(IntFlag):
    """Bits of ComIrqReg."""

    TIMER = 0x01
    ERR = 0x02
    LOW = 0x04
    HIGH = 0x08
    IDLE = 0x10
    RX = 0x20
    TX = 0x40


class Err(IntFlag):
    """Bits of ErrorReg."""

    NONE = 0
    PROTOCOL = 0x01
    PARITY = 0x02
    CRC = 0x04
    COLLISION = 0x08
    OVERFLOW = 0x10
    WRITE = 0x80


class Health(IntEnum):
    """What is wrong with a reader."""

    WELL = 0
    MISSING = 1
    LOADS = 2
    MUTE = 3
    DEAF = 4
    STUCK = 5


class Heard(NamedTuple):
    """What a Transceive brought: `last_bits` of the last byte are valid, 0 is all; `coll` is CollReg."""

    data: bytes
    last_bits: int
    irq: Irq
    error: Err
    coll: int
    us: float


class Rack:
    """Readers on a bus; time passes with every byte, and in `wait`."""

    def __init__(self, count: int = 1, seed: int = 1) -> None:
        assert LIBRARY.is_file(), f"{LIBRARY} is not built: make -C firmware twin"
        self._library = ctypes.CDLL(str(LIBRARY))
        for name in ("rack_build", "rack_put", "rack_take", "rack_exchange", "rack_at_once"):
            getattr(self._library, name).restype = ctypes.c_uint64
        self._library.rack_build.restype = ctypes.c_void_p
        self._library.rack_put.restype = self._library.rack_take.restype = ctypes.c_bool
        self._library.rack_exchange.restype = ctypes.c_uint8
        self._rack = ctypes.c_void_p(self._library.rack_build(ctypes.c_uint8(count), ctypes.c_uint64(seed)))
        self.now_ps = 0
        self.reader = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.rack_end(self._rack)

    @property
    def now_us(self) -> float:
        """Microseconds since power came."""
        return self.now_ps / PS_PER_US

    def wait(self, us: float) -> None:
        """Let time pass."""
        self.now_ps += int(us * PS_PER_US)

    # ---- what lies there ----

    def put(self, uid: str, *readers: int) -> None:
        """A tag lies in the fields of these readers, of the first when none is named."""
        mask = sum(1 << reader for reader in readers) or 1
        raw = bytes.fromhex(uid)
        assert self._library.rack_put(self._rack, raw, len(raw), ctypes.c_uint64(mask), self._now())

    def take(self, uid: str) -> None:
        """A tag goes."""
        raw = bytes.fromhex(uid)
        assert self._library.rack_take(self._rack, raw, len(raw), self._now())

    def misread(self, silent_percent: int, flip_percent: int) -> None:
        """How often tags do not hear the first reader, and how often it hears a wrong bit."""
        self._library.rack_misread(self._rack, 0, silent_percent, flip_percent)

    def health(self, health: Health, reader: int = 0) -> None:
        """Something happens to a reader."""
        self._library.rack_health(self._rack, reader, int(health), self._now())

    def version(self, version: int) -> None:
        """What the first reader's VersionReg shows."""
        self._library.rack_version(self._rack, 0, version)

    @property
    def at_once(self) -> int:
        """Frames that began while another reader's exchange was under way."""
        return int(self._library.rack_at_once(self._rack))

    # ---- the bus ----

    def _now(self) -> ctypes.c_uint64:
        return ctypes.c_uint64(self.now_ps)

    def reset_line(self, high: bool) -> None:
        """The line that all readers' NRSTPD hang on."""
        self._library.rack_reset_line(self._rack, ctypes.c_bool(high), self._now())

    def exchange(self, data: Iterable[int]) -> list[int]:
        """One transfer: NSS low, bytes both ways, NSS high."""
        self._library.rack_select(self._rack, self.reader)
        come = []
        for byte in data:
            self.wait(BYTE_US)
            come.append(int(self._library.rack_exchange(self._rack, ctypes.c_uint8(byte), self._now())))
        self._library.rack_select(self._rack, -1)
        return come

    def write(self, register: int, *values: int) -> None:
        """One register, once or more often."""
        self.exchange([register << 1, *values])

    def read(self, register: int) -> int:
        """One register."""
        return self.exchange([register << 1 | 0x80, 0])[1]

    def read_fifo(self) -> bytes:
        """All of the buffer, in one transfer."""
        level = self.read(Reg.FIFO_LEVEL)
        return bytes(self.exchange([Reg.FIFO_DATA << 1 | 0x80] * level + [0])[1:]) if level else b""

    # ---- what every driver does ----

    def start(self, timer_us: int = 1000) -> None:
        """Wait for the oscillator, set up for type A (100 % ASK, CRC_A, timer, antenna), wait for tags."""
        self.wait(AWAKE_US)
        ticks = round(timer_us / 25) - 1
        self.write(Reg.T_MODE, 0x80)  # starts by itself behind a frame
        self.write(Reg.T_PRESCALER, 169)  # 339 periods of 13.56 MHz: 25 us
        self.write(Reg.T_RELOAD_HIGH, ticks >> 8)
        self.write(Reg.T_RELOAD_LOW, ticks & 0xFF)
        self.write(Reg.TX_ASK, 0x40)
        self.write(Reg.MODE, 0x3D)  # 0x6363
        self.antenna(True)
        self.wait(FIELD_US)

    def antenna(self, on: bool) -> None:
        """Both drivers."""
        kept = self.read(Reg.TX_CONTROL)
        self.write(Reg.TX_CONTROL, kept | 3 if on else kept & ~3)

    def send(self, data: bytes, last_bits: int = 0, align: int = 0) -> None:
        """Begin a Transceive."""
        self.write(Reg.COMMAND, Command.IDLE)
        self.write(Reg.COM_IRQ, 0x7F)
        self.write(Reg.FIFO_LEVEL, 0x80)
        self.write(Reg.FIFO_DATA, *data)
        self.write(Reg.COMMAND, Command.TRANSCEIVE)
        self.write(Reg.BIT_FRAMING, 0x80 | align << 4 | last_bits)

    def wait_for(self, irq: Irq) -> Irq:
        """Poll ComIrqReg until any of these is set."""
        end_us = self.now_us + PATIENCE_US
        while True:
            now = Irq(self.read(Reg.COM_IRQ))
            if now & irq:
                return now
            self.wait(POLL_US)
            assert self.now_us < end_us, f"none of {irq!r}, but {now!r}"

    def transceive(self, data: bytes, last_bits: int = 0, align: int = 0) -> Heard:
        """Send, and wait for an answer or the timer."""
        begun_us = self.now_us
        self.send(data, last_bits, align)
        irq = self.wait_for(Irq.RX | Irq.TIMER)
        us = self.now_us - begun_us
        error, coll = Err(self.read(Reg.ERROR)), self.read(Reg.COLL)
        last = self.read(Reg.CONTROL) & 7
        return Heard(self.read_fifo(), last, irq, error, coll, us)
