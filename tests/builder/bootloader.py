"""An Arduino Mega's serial port, by its bootloader and by what was flashed: the far end of a real
pseudo-terminal.

The bootloader speaks STK500v2 (Atmel's application note AVR068) as far as the Mega's own does. What is
written ends up in `flash`; when programming mode is left, a simulated board with the new version greets at
the same port.
"""

from __future__ import annotations

import os
import selectors
import threading
import time
import tty
from functools import reduce

from tablewire.virtual.device import Device

START, TOKEN = 0x1B, 0x0E
SIGN_ON, SET_PARAMETER, GET_PARAMETER, LOAD_ADDRESS = 0x01, 0x02, 0x03, 0x06
ENTER, LEAVE, ERASE, PROGRAM_FLASH, READ_FLASH = 0x10, 0x11, 0x12, 0x13, 0x14
READ_FUSE, READ_SIGNATURE, SPI_MULTI = 0x18, 0x1B, 0x1D
OK = 0x00
SIGNATURE = bytes((0x1E, 0x98, 0x01))  # of an ATmega2560
PARAMETERS = {0x90: 0x01, 0x91: 0x02, 0x92: 0x0A}  # hardware and software version


class Mega:
    """The port, at `path`. `spoil` is one bad behaviour: "silent", "wrong" (reads back otherwise), "dies",
    "mute" (does not greet afterwards), or "foreign" (another chip).
    """

    def __init__(self, old: str | None = "0.0.9", new: str = "1.2.3", spoil: str = "") -> None:
        self.flash = bytearray(b"\xff" * 262_144)
        self.spoil = spoil
        self.died = threading.Event()
        self._new = new
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._heard = b""
        self._in_bootloader = False
        self._address = 0
        self._written_count = 0
        self._began_s = time.monotonic()
        self._device = None if old is None else self._boot(old)
        self._stop_read, self._stop_write = os.pipe()
        self._thread = threading.Thread(target=self._run, name="mega")
        self._thread.start()

    def close(self) -> None:
        os.write(self._stop_write, b"x")
        self._thread.join()
        for number in (self._slave, self._stop_read, self._stop_write):
            os.close(number)
        if self._master >= 0:
            os.close(self._master)

    def _now_ms(self) -> int:
        return int((time.monotonic() - self._began_s) * 1000)

    def _boot(self, version: str) -> Device:
        return Device(99, 201, lambda _: 0, self._send, firmware=version, start_ms=self._now_ms())

    def _send(self, data: bytes) -> None:
        os.write(self._master, data)

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._stop_read, selectors.EVENT_READ)
            selector.register(self._master, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in selector.select(0.005)}
                if self._stop_read in ready:
                    return
                if self._master in ready:
                    self._hear(os.read(self._master, 4096))
                if self._device is not None:
                    self._device.run(self._now_ms(), frozenset())

    def _hear(self, data: bytes) -> None:
        if data[:1] == bytes((START,)) and not self._in_bootloader:
            self._device = None  # opening the port has reset the chip, and the bootloader listens first
            self._in_bootloader = True
        if self._device is not None:
            self._device.receive_data(data, self._now_ms())
            return
        if self.spoil == "silent" or not self._in_bootloader:
            return
        self._heard += data
        while len(self._heard) >= 6:
            if self._heard[0] != START:
                self._heard = self._heard[1:]
                continue
            size = int.from_bytes(self._heard[2:4], "big")
            if len(self._heard) < 6 + size:
                return
            message, self._heard = self._heard[: 6 + size], self._heard[6 + size :]
            assert reduce(lambda a, b: a ^ b, message) == 0
            assert message[4] == TOKEN
            self._answer(message[1], self._obey(message[5:-1]))

    def _answer(self, seq: int, body: bytes) -> None:
        if not body:
            return
        head = bytes((START, seq)) + len(body).to_bytes(2, "big") + bytes((TOKEN,))
        message = head + body
        self._send(message + bytes((reduce(lambda a, b: a ^ b, message),)))
        if body[0] == LEAVE:
            self._in_bootloader = False
            self._device = None if self.spoil == "mute" else self._boot(self._new)

    def _obey(self, body: bytes) -> bytes:
        command = body[0]
        match command:
            case 0x01:
                return bytes((command, OK, 8)) + b"AVRISP_2"
            case 0x03:
                return bytes((command, OK, PARAMETERS.get(body[1], 0)))
            case 0x06:
                self._address = (int.from_bytes(body[1:5], "big") & 0x7FFFFFFF) * 2
                return bytes((command, OK))
            case 0x13:
                return self._program(body)
            case 0x14:
                count = int.from_bytes(body[1:3], "big")
                data = bytearray(self.flash[self._address : self._address + count])
                if self.spoil == "wrong":
                    data[7] ^= 0x10
                self._address += count
                return bytes((command, OK)) + bytes(data) + bytes((OK,))
            case 0x1D:
                return bytes((command, OK)) + self._spi(body[4:8]) + bytes((OK,))
            case 0x18 | 0x1B:
                return bytes(
                    (command, OK, self._signature(body[4]) if command == READ_SIGNATURE else 0xFF, OK)
                )
            case _:
                return bytes((command, OK))

    def _program(self, body: bytes) -> bytes:
        count = int.from_bytes(body[1:3], "big")
        self.flash[self._address : self._address + count] = body[10 : 10 + count]
        self._address += count
        self._written_count += 1
        if self.spoil == "dies" and self._written_count == 3:
            self.spoil = "silent"
            self.died.set()
            return b""
        return bytes((body[0], OK))

    def _spi(self, sent: bytes) -> bytes:
        read = self._signature(sent[2]) if sent[0] == 0x30 else 0x00
        return bytes((0x00, sent[0], sent[1], read))

    def _signature(self, at: int) -> int:
        return 0x77 if self.spoil == "foreign" else SIGNATURE[at % 3]
