"""The person at the terminal: lines out, and lines in without ever waiting for them.

Owns standard input and where text goes. Must not know what is talked about. Lines are read on a thread of
their own, so that the board is looked at while a person thinks; a program that pipes its answers in is served
alike.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol


class Person(Protocol):
    """Who is asked. `hear` gives the next line said, stripped and in lower case, or None when none was."""

    def tell(self, text: str) -> None: ...
    def hear(self) -> str | None: ...


class Left(Exception):  # noqa: N818 - the word says what happened
    """The person wants to stop, or nobody is there to answer any more."""


class Nobody(Left):
    """Nobody is there to answer any more."""


READ_BYTES = 1024
"""Far more than any answer has."""
QUIT = ("q", "quit", "exit")


class Terminal:
    """A person at a terminal, or a program in front of it. Lines come from the file descriptor `stdin`."""

    def __init__(self, say: Callable[[str], None], stdin: int = 0) -> None:
        self._say = say
        self._stdin = stdin
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ended = False
        # A daemon thread: one that waits for a line must not keep the program from ending.
        threading.Thread(target=self._read, name="answers", daemon=True).start()

    def _read(self) -> None:
        # Not through sys.stdin: a thread that waits inside its buffer crashes the interpreter's end.
        begun = b""
        # A terminal that went away has nobody in front of it either.
        with suppress(OSError):
            while data := os.read(self._stdin, READ_BYTES):
                *lines, begun = (begun + data).split(b"\n")
                for line in lines:
                    self._heard.put(line.decode("utf-8", "replace"))
                begun = begun[:READ_BYTES]
        if begun:
            self._heard.put(begun.decode("utf-8", "replace"))
        self._heard.put(None)

    def tell(self, text: str) -> None:
        """Show a line."""
        self._say(text)

    def hear(self) -> str | None:
        """The next line, if one was said. Left when it is `q`, or when there will be none."""
        if self._ended:
            raise Nobody("there is nobody to answer: standard input has ended")
        try:
            line = self._heard.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            self._ended = True
            raise Nobody("there is nobody to answer: standard input has ended")
        word = line.strip().lower()
        if word in QUIT:
            raise Left("stopped")
        return word
