"""Keeps one link open: opens, reads, writes, and tries again after every loss, until it is stopped.

Owns the link's thread and the outbound buffer. Must not know what the bytes mean, nor what the listener does
with an event; how long to wait before the next attempt is `reconnect.py`'s.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable

from tablewire.link.contract import Link, Seeking
from tablewire.link.events import Chunk, LinkEvent, Lost, Opened, Trying
from tablewire.link.faults import LinkLost, LinkRefused, Tried
from tablewire.link.reconnect import Reconnect, State

_LOG = logging.getLogger(__name__)

READ_LIMIT_S = 0.5
"""A read returns as soon as a byte comes or something is to be sent; this only bounds a missed wake-up."""

CLOSE_LIMIT_S = 2.0
"""Every call of a healthy port ends within READ_LIMIT_S; four times that is a driver that hangs."""

MAX_OUTBOUND_BYTES = 4096
"""80 ms of the line at 500 kbaud, and far more than commands and acks in flight: a fuller buffer is a board
that does not listen, and what is dropped is repeated by the session."""

MAX_WRITE_BYTES = 512
"""Written between two reads, so that output (10 ms of line) never holds up input."""


class LinkThread:
    """One thread that owns `link`. `listener` is called on that thread for each event and must not block.

    `pace` stretches every delay between attempts; `dropped_count` counts what was not sent.
    """

    def __init__(self, link: Link, listener: Callable[[LinkEvent], None], pace: float = 1.0) -> None:
        self._link = link
        self._listener = listener
        self._reconnect = Reconnect(random.random, pace)
        self._given_up: str | None = None
        self._said: tuple[str, tuple[Tried, ...]] | None = None
        self._places_said: set[str] = set()
        self.dropped_count = 0
        self._outbound = bytearray()
        self._lock = threading.Lock()
        self._is_open = False
        self._stopping = threading.Event()
        self._no_wait = threading.Event()
        # A daemon thread: a driver that hangs in a call must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)
        if isinstance(link, Seeking):
            link.tell = self._tell_where

    def start(self) -> None:
        """Begin; the first event is Opened or Lost."""
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread runs: from `start` to `close`, whatever happens to the port."""
        return self._thread.is_alive()

    def close(self, limit_s: float = CLOSE_LIMIT_S) -> None:
        """Give the port up and end the thread; a driver's call that hangs is left behind after `limit_s`."""
        self._stopping.set()
        self._no_wait.set()
        self._link.give_up()
        if self.alive and self._thread is not threading.current_thread():
            self._thread.join(limit_s)

    def write(self, data: bytes) -> None:
        """Queue bytes without waiting, best effort: dropped whole when the link is down or lags behind."""
        with self._lock:
            if not self._is_open or len(self._outbound) + len(data) > MAX_OUTBOUND_BYTES:
                self.dropped_count += 1
                return
            self._outbound += data
        self._link.wake()

    def reopen(self, reason: str) -> None:
        """Close the link and open it anew, for nobody answers over it; any thread may ask for that.

        `reason` is told as that of a loss. A link that is not open is tried again without any further wait.
        """
        with self._lock:
            if self._is_open:
                self._given_up = reason
        self._link.wake()
        self._no_wait.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            # Whoever asks from here on asks for the attempt after this one.
            self._no_wait.clear()
            if self._stopping.is_set():
                break
            try:
                self._link.open()
                self._set_open(True)
                self._reconnect.opened(time.monotonic())
                others = self._link.tried if isinstance(self._link, Seeking) else ()
                self._tell(Opened(self._link.name, self._link.kind, others))
                self._said = None
                self._places_said.clear()
                self._exchange()
            except LinkRefused as exc:
                reason, tried, wait_s = str(exc), exc.tried, self._wait_after_refusal(exc)
            except LinkLost as exc:
                reason, tried, wait_s = str(exc), (), self._wait_after_loss()
            except Exception as exc:
                # A fault of ours in the link must not end the thread either; the log has the place.
                _LOG.exception("the link to %s failed", self._link.name)
                reason = f"lost the board at {self._link.name}: {type(exc).__name__}; it is tried again"
                tried, wait_s = (), self._wait_after_loss()
            else:
                break
            finally:
                self._set_open(False)
                self._link.close()
            if self._stopping.is_set():
                break
            if (reason, tried) != self._said:
                self._tell(Lost(reason, tried))
                self._said = (reason, tried)
            self._no_wait.wait(wait_s)

    def _wait_after_refusal(self, refusal: LinkRefused) -> float:
        # Only opening is refused: whoever says that of an open link has lost it.
        if self._reconnect.state is State.OPEN:
            return self._wait_after_loss()
        return self._reconnect.refused(refusal.cause, self._link.kind)

    def _wait_after_loss(self) -> float:
        with self._lock:
            is_given_up = self._given_up is not None
        return self._reconnect.lost(time.monotonic(), is_given_up=is_given_up)

    def _exchange(self) -> None:
        """Read and write until the link is lost (LinkLost) or the thread is to stop (returns)."""
        while not self._stopping.is_set():
            data = self._link.read(READ_LIMIT_S)
            if data:
                self._tell(Chunk(data))
            with self._lock:
                if self._given_up is not None:
                    raise LinkLost(self._given_up)
                piece = bytes(self._outbound[:MAX_WRITE_BYTES])
                del self._outbound[:MAX_WRITE_BYTES]
                more = bool(self._outbound)
            if piece:
                self._link.write(piece)
            if more:
                self._link.wake()

    def _set_open(self, is_open: bool) -> None:
        with self._lock:
            self._is_open = is_open
            self._given_up = None
            # Bytes for a connection that is gone mean nothing to the next one.
            self._outbound.clear()

    def _tell_where(self, text: str) -> None:
        """A seeking link says where it looks; after that, what became of it is news again.

        Each place is told once until a board is found: it may be looked for for days, and each news is a
        version on disk and a redrawn page.
        """
        if text not in self._places_said:
            self._places_said.add(text)
            self._tell(Trying(text))
            self._said = None

    def _tell(self, event: LinkEvent) -> None:
        try:
            self._listener(event)
        except Exception:
            _LOG.exception("a listener failed on a link event")
