"""The file of a capture, and the thread that writes it.

Owns the file, the queue to it, and what is said when it cannot be written. Must not know what a line means.

A capture never stops a game: whoever writes puts lines into a queue and goes on. A disk that is full, gone or
hangs ends the capture, with one line in `trouble`; what is in the file by then are whole lines.
"""

from __future__ import annotations

import json
import os
import queue
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tablewire.errors import UserError, one_line

QUEUE_CAP_COUNT = 20_000
"""Batches that wait for the disk: minutes of a talking board, and a few megabytes."""
CLOSE_LIMIT_S = 5.0
"""How long the end of the program waits for what is left: a disk that takes longer hangs."""

Line = Mapping[str, Any]


class CaptureFile:
    """A new file of JSON Lines. `write` is for one thread and never waits."""

    def __init__(self, path: Path, queue_cap_count: int = QUEUE_CAP_COUNT) -> None:
        """Create the file. UserError when it exists already, or cannot be written."""
        self._path = path
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
            self._fd = os.open(path, flags, 0o666)
        except FileExistsError:
            raise UserError(
                f"--capture {one_line(path)}: there is such a file already, and a capture never overwrites "
                "one: choose another name"
            ) from None
        except (OSError, ValueError) as exc:
            reason = exc.strerror if isinstance(exc, OSError) else "no file can have this name"
            raise UserError(f"--capture {one_line(path)}: cannot be written: {reason}") from exc
        self.trouble: str | None = None
        self._batches: queue.Queue[bytes | None] = queue.Queue(queue_cap_count)
        # A daemon thread: a disk that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="capture", daemon=True)
        self._thread.start()

    def write(self, lines: Iterable[Line]) -> None:
        """Have these lines written soon, one after another and whole. Nothing comes of it after trouble."""
        if self.trouble is not None:
            return
        batch = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
        try:
            self._batches.put_nowait(batch)
        except queue.Full:
            self._give_up("the disk does not answer")

    def close(self) -> None:
        """Write what is left and close the file. May be called twice."""
        if self._thread.is_alive():
            with suppress(queue.Full):
                self._batches.put(None, timeout=CLOSE_LIMIT_S)
            self._thread.join(CLOSE_LIMIT_S)

    def discard(self) -> None:
        """Close the file and remove it: nothing has happened that would be worth keeping."""
        self.close()
        with suppress(OSError):
            self._path.unlink()

    def _run(self) -> None:
        size = 0
        try:
            while (batch := self._batches.get()) is not None:
                try:
                    self._write(batch)
                except OSError as exc:
                    # What stands there is whole, as far as that can still be done.
                    with suppress(OSError):
                        os.ftruncate(self._fd, size)
                    self._give_up(exc.strerror or str(exc))
                    return
                size += len(batch)
        finally:
            with suppress(OSError):
                os.close(self._fd)

    def _write(self, batch: bytes) -> None:
        left = memoryview(batch)
        while left:
            left = left[os.write(self._fd, left) :]

    def _give_up(self, reason: str) -> None:
        self.trouble = (
            f"the capture {one_line(self._path)} ends here: {reason}; the game goes on and is kept without it"
        )
