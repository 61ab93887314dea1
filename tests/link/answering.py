"""What may be at the far end of a serial port when a board is looked for: boards, and what is none."""

from __future__ import annotations

import os
import select
import threading
import tty
from pathlib import Path

from tests.wire.scripted_board import GREETING

from tablewire.link.ports import SerialPort
from tablewire.wire.frame import Decoder, Sender
from tablewire.wire.messages import HostHello

MEGA = (0x2341, 0x0042)
"""The USB id of an Arduino Mega 2560 R3."""
UNKNOWN = (0x1234, 0x5678)


class Answering:
    """A thing on a real pseudo-terminal at `path`. Until it is told otherwise, it answers each HELLO.

    `deaf_count`: so many greetings it does not hear, as a board that is reset; `says`: what it says in place
    of a greeting. `heard` is every byte that was written to it; `opened_count` counts who opened its port.
    """

    def __init__(self, path: Path, *, deaf_count: int = 0, says: bytes | None = None, major: int = 1) -> None:
        self.path = path
        self.says = says
        self.heard = bytearray()
        self.greeted = threading.Event()
        self._deaf_count = deaf_count
        self._major = major
        self._far = self._near = -1
        self.plug()

    def deafen(self, count: int = 10**6) -> None:
        """So many greetings it does not hear from now on, as one that is switched off; 0: it hears again."""
        self._deaf_count = count
        self.greeted.clear()

    def plug(self, path: Path | None = None) -> None:
        """Appear, at another path if one is given."""
        self.path = path or self.path
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        self.path.symlink_to(os.ttyname(self._near))
        self._wake_read, self._wake_write = os.pipe()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def unplug(self) -> None:
        """Disappear."""
        if self._far < 0:
            return
        os.write(self._wake_write, b"x")
        self._thread.join()
        for descriptor in (self._far, self._near, self._wake_read, self._wake_write):
            os.close(descriptor)
        self._far = -1
        self.path.unlink()

    def port(
        self, usb_id: tuple[int, int] | None = MEGA, serial_number: str | None = None, text: str = ""
    ) -> SerialPort:
        """It, as the system lists it."""
        return SerialPort(str(self.path), usb_id, serial_number, text)

    def _run(self) -> None:
        decoder, sender = Decoder(), Sender()
        while self._wake_read not in (ready := select.select([self._far, self._wake_read], [], [])[0]):
            if self._far not in ready:
                continue
            data = os.read(self._far, 4096)
            self.heard += data
            for frame in decoder.receive_data(data):
                if frame.type == HostHello.TYPE:
                    self._answer(sender)

    def _answer(self, sender: Sender) -> None:
        self.greeted.set()
        if self._deaf_count:
            self._deaf_count -= 1
            return
        if self.says is not None:
            os.write(self._far, self.says)
            return
        payload = bytes([self._major]) + GREETING.encode()[1:]
        os.write(self._far, sender.encode(GREETING.TYPE, payload))
