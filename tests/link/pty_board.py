"""The far end of a real pseudo-terminal: what a board is to a serial port."""

import os
import select
import tty
from pathlib import Path


class PtyBoard:
    """A pseudo-terminal whose near end has a path; `unplug` takes it away, `plug` brings another."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._far = -1
        self.plug()

    def plug(self) -> None:
        self._far, near = os.openpty()
        tty.setraw(near)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(near))
        os.close(near)

    def unplug(self) -> None:
        if self._far >= 0:
            os.close(self._far)
            self._far = -1
            self.path.unlink()

    def say(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._far, data) :]

    def hear(self, count: int) -> bytes:
        """The next `count` bytes, or fewer when none come for 5 s."""
        heard = b""
        while len(heard) < count and select.select([self._far], [], [], 5)[0]:
            heard += os.read(self._far, count - len(heard))
        return heard
