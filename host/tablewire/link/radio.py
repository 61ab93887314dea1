"""The one thread that all Bluetooth of this process runs on, while somebody needs it.

Owns the thread, its asyncio loop, the time limit on whatever runs there, and that only one scan or connect
runs at a time. Must not know boards, links, or the Bluetooth library.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from tablewire.link import radio_bleak

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")

TIDY_LIMIT_S = 0.4
"""How long the caller of something cancelled waits for it to tidy up: an open that is given up is to end
within half a second. What takes longer is tidied up without anybody waiting."""

END_LIMIT_S = 5.0
"""Ending the loop takes a few round trips over a local bus, which a busy computer may make slow; a bus that
hangs is left behind."""

LAST_ROUNDS_COUNT = 20
"""A D-Bus connection that was ended closes its socket only once it has read what still waits there, a piece
in each round of the loop. Rounds cost nothing, and a socket left open is one file less for the table."""


class RadioSilent(Exception):  # noqa: N818 - the word says what happened
    """What was asked of the radio did not end within its limit, or was given up."""


class _Loop:
    """A loop on a thread of its own, from the first lease to the end of the last."""

    def __init__(self, at_end: Callable[[], Awaitable[None]]) -> None:
        self.loop = asyncio.new_event_loop()
        self.turn = asyncio.Lock()
        self._at_end = at_end
        # A daemon thread: a radio that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="radio", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            asyncio.set_event_loop(None)
            self.loop.close()

    def end(self) -> None:
        """Cancel what still runs, let the library close its buses, and end the thread."""
        asyncio.run_coroutine_threadsafe(self._wind_up(), self.loop)
        if self._thread is not threading.current_thread():
            self._thread.join(END_LIMIT_S)

    async def _wind_up(self) -> None:
        try:
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            if left:
                await asyncio.wait(left, timeout=END_LIMIT_S / 3)
            async with asyncio.timeout(END_LIMIT_S / 3):
                await self._at_end()
        except Exception:
            _LOG.debug("the radio did not end cleanly", exc_info=True)
        finally:
            for _ in range(LAST_ROUNDS_COUNT):
                await asyncio.sleep(0)
            self.loop.call_soon(self.loop.stop)


class Lease:
    """The right to use the radio, until it is released. One thread runs things; any may `cancel`."""

    def __init__(self, radio: Radio, loop: _Loop) -> None:
        self._radio = radio
        self._loop = loop
        self._guard = threading.Lock()
        self._current: concurrent.futures.Future[Any] | None = None
        self._is_cancelled = False
        self._is_released = False

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """Where what was started on this lease runs."""
        return self._loop.loop

    @property
    def turn(self) -> asyncio.Lock:
        """To be held while scanning and while connecting: adapters do one of them at a time."""
        return self._loop.turn

    def run(self, work: Callable[[], Coroutine[Any, Any, _T]], limit_s: float) -> _T:
        """What `work` comes to on the radio's thread. RadioSilent after `limit_s`, or when cancelled."""
        return self._run(work, limit_s, is_last=False)

    def run_last(self, work: Callable[[], Coroutine[Any, Any, object]], limit_s: float) -> None:
        """Run what lets go of things, also on a lease that is cancelled. Never fails."""
        try:
            self._run(work, limit_s, is_last=True)
        except Exception:
            _LOG.debug("letting go of a connection failed", exc_info=True)

    def _run(self, work: Callable[[], Coroutine[Any, Any, _T]], limit_s: float, is_last: bool) -> _T:
        tidied = threading.Event()

        async def tracked() -> _T:
            try:
                async with asyncio.timeout(limit_s):
                    return await work()
            finally:
                tidied.set()

        with self._guard:
            if self._is_released or (self._is_cancelled and not is_last):
                raise RadioSilent("it is given up")
            future = asyncio.run_coroutine_threadsafe(tracked(), self.loop)
            self._current = None if is_last else future
        try:
            # The loop keeps the limit; waiting a little longer is for a loop that hangs altogether.
            return future.result(limit_s + TIDY_LIMIT_S)
        except concurrent.futures.CancelledError:
            tidied.wait(TIDY_LIMIT_S)
            raise RadioSilent("it is given up") from None
        except TimeoutError:
            future.cancel()
            raise RadioSilent(f"it does not answer within {limit_s:g} seconds") from None
        finally:
            with self._guard:
                self._current = None

    def check(self) -> None:
        """RadioSilent once the lease is cancelled."""
        if self._is_cancelled:
            raise RadioSilent("it is given up")

    def cancel(self) -> None:
        """End what runs now, and refuse what comes later, but for `run_last`."""
        with self._guard:
            self._is_cancelled = True
            if self._current is not None:
                self._current.cancel()

    def release(self) -> None:
        """Give the radio back; it ends with its last lease. May be called twice."""
        with self._guard:
            if self._is_released:
                return
            self._is_released = True
        self._radio.give_back()


class Radio:
    """The radio's thread, there while it is leased; each time with a fresh loop, so with nothing stale."""

    def __init__(self, at_end: Callable[[], Awaitable[None]] = radio_bleak.let_go) -> None:
        self._at_end = at_end
        self._guard = threading.Lock()
        self._loop: _Loop | None = None
        self._lease_count = 0

    def lease(self) -> Lease:
        """Use the radio, and start it when nobody did so far."""
        with self._guard:
            if self._loop is None:
                self._loop = _Loop(self._at_end)
            self._lease_count += 1
            return Lease(self, self._loop)

    def give_back(self) -> None:
        """One lease less; the last one ends the thread."""
        with self._guard:
            self._lease_count -= 1
            if self._lease_count:
                return
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.end()


RADIO = Radio()
"""The one of this process."""
