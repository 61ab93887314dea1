"""A thread with an event loop, and calls into it from others.

Owns the thread. Must not know what runs in it.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from typing import Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

CALL_LIMIT_S = 60.0  # a call takes microseconds; a busy machine may take its time


class LoopThread:
    """An event loop that runs in a thread of its own from the first moment to `close`."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.close()

    def wait(self, work: Coroutine[object, object, T], limit_s: float = CALL_LIMIT_S) -> T:
        """Run a coroutine in the loop, and give what it gives."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(limit_s)

    def call(self, work: Callable[[], T]) -> T:
        """Run a function in the loop, and give what it gives; at once when this is the loop's thread."""
        if threading.current_thread() is self._thread:
            return work()

        async def once() -> T:
            return work()

        return self.wait(once())

    def close(self) -> None:
        """End the loop and its thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(CALL_LIMIT_S)


class InLoop(Protocol):
    """What lives in a loop."""

    _thread: LoopThread


S = TypeVar("S", bound=InLoop)


def in_loop(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Makes a method run in the loop of its object, whichever thread calls it; it returns when it is done."""

    @functools.wraps(method)
    def hop(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._thread.call(lambda: method(self, *args, **kwargs))

    return hop
