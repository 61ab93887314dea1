"""Asks whoever is at the other end of an open link whether it is a board.

Owns how long one is asked, and what it means that nobody answers. Must not know what a greeting says (that is
given), nor how the link was found or opened.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from tablewire.link.contract import Link
from tablewire.link.faults import Cause, LinkRefused, Tried

GREET_LIMIT_S = 6.0
"""Opening a port resets many boards, which are deaf for 2 s; three times that, for a slow bootloader."""

READ_LIMIT_S = 0.05
"""A quarter of the time between two greetings. A read ends as soon as anything comes."""


class Greeted(Protocol):
    """An answer: whether a usable board gave it, and who that is, or why it is of no use."""

    @property
    def is_usable(self) -> bool: ...
    @property
    def words(self) -> str: ...


class Greeting(Protocol):
    """What is said to one stranger; `wire.greeting.Greeting` is one."""

    def data_to_send(self, now_ms: int) -> bytes: ...
    def receive_data(self, chunk: bytes, now_ms: int) -> Greeted | None: ...
    @property
    def silence(self) -> str: ...


Greet = Callable[[], Greeting]
"""A new greeting for each opening of a link."""


def greet_over(
    link: Link, greet: Greet, limit_s: float = GREET_LIMIT_S, is_over: Callable[[], bool] = lambda: False
) -> Greeted:
    """Greet over an open link until a usable board answers; who it is. LinkRefused, LinkLost.

    `is_over` is asked after each read, so `link.wake` ends the asking early once it is true.
    """
    greeting = greet()
    until_s = time.monotonic() + limit_s
    while not is_over() and time.monotonic() < until_s:
        now_ms = time.monotonic_ns() // 1_000_000
        data = greeting.data_to_send(now_ms)
        if data:
            link.write(data)
        chunk = link.read(READ_LIMIT_S)
        greeted = greeting.receive_data(chunk, now_ms) if chunk else None
        if greeted is not None and greeted.is_usable:
            return greeted
        if greeted is not None:
            raise LinkRefused(f"{link.name}: {greeted.words}", Cause.OTHER, [Tried(link.name, greeted.words)])
    words = "it was not asked to the end" if is_over() else greeting.silence
    raise LinkRefused(f"{link.name}: {words}", Cause.SILENT, [Tried(link.name, words)])
