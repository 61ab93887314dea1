"""The person at the terminal: lines out, and lines in without ever waiting for them.

Owns standard input and where text goes. Must not know what is talked about. Lines are read on a thread of
their own, so that the board is looked at while a person thinks; a program that pipes its answers in is served
alike.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable
from typing import Protocol, TextIO


class Person(Protocol):
    """Who is asked. `hear` gives the next line said, stripped and in lower case, or None when none was."""

    def tell(self, text: str) -> None: ...
    def hear(self) -> str | None: ...


class Left(Exception):  # noqa: N818 - the word says what happened
    """The person wants to stop, or nobody is there to answer any more."""


QUIT = ("q", "quit", "exit")


class Terminal:
    """A person at a terminal, or a program in front of it."""

    def __init__(self, say: Callable[[str], None], lines: TextIO | None = None) -> None:
        self._say = say
        self._lines = sys.stdin if lines is None else lines
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ended = False
        # A daemon thread: one that waits for a line must not keep the program from ending.
        threading.Thread(target=self._read, name="answers", daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self._lines:
                self._heard.put(line)
        except (OSError, ValueError):
            pass  # the terminal went away, or what came is no text: nobody is there any more
        self._heard.put(None)

    def tell(self, text: str) -> None:
        """Show a line."""
        self._say(text)

    def hear(self) -> str | None:
        """The next line, if one was said. Left when it is `q`, or when there will be none."""
        if self._ended:
            raise Left("there is nobody to answer: standard input has ended")
        try:
            line = self._heard.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            self._ended = True
            raise Left("there is nobody to answer: standard input has ended")
        word = line.strip().lower()
        if word in QUIT:
            raise Left("stopped")
        return word
