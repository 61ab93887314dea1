"""The event stream: one iterator of server-sent events per client, and how many of them there may be.

Owns the wire form of an event, the heartbeat and the slots. Must not know Flask or the WSGI server, beyond
the question "has this client gone?", and not what a document says.
"""

import threading
from collections.abc import Callable, Iterator

from tablewire.web.feed import Feed, Published

# Proxies and phones drop a connection that is silent for 30 to 60 s; half of the shorter one.
HEARTBEAT_S = 15
# How soon a stream notices that its client went away or that the daemon stops. One wake-up a second is free.
LOOK_S = 1.0
# What a browser waits before it opens a lost stream again: shorter than a person takes to wonder.
RETRY_MS = 2000


class Streams:
    """The slots for event streams: `open` hands one out or None when all are taken."""

    def __init__(self, feed: Feed, cap_count: int, *, heartbeat_s: int = HEARTBEAT_S) -> None:
        self._feed = feed
        self._lock = threading.Lock()
        self._free_count = cap_count
        self._heartbeat_s = heartbeat_s
        self.cap_count = cap_count

    def open(self, silent_ms: Callable[[], int | None], gone: Callable[[], bool]) -> "EventStream | None":
        """A stream for one client, or None when there is no slot."""
        with self._lock:
            if self._free_count == 0:
                return None
            self._free_count -= 1
        return EventStream(self._feed, silent_ms, gone, self._heartbeat_s, self._release)

    @property
    def free_count(self) -> int:
        """Slots not taken now."""
        return self._free_count

    def _release(self) -> None:
        with self._lock:
            self._free_count += 1


class EventStream(Iterator[bytes]):
    """The events of one client, the current document first. A class and no generator: a generator that is
    closed before its first step never runs its `finally`, and the slot would be lost."""

    def __init__(
        self,
        feed: Feed,
        silent_ms: Callable[[], int | None],
        gone: Callable[[], bool],
        heartbeat_s: int,
        release: Callable[[], None],
    ) -> None:
        self._feed = feed
        self._silent_ms = silent_ms
        self._gone = gone
        self._heartbeat_s = heartbeat_s
        self._release: Callable[[], None] | None = release
        self._version: int | None = None

    def __next__(self) -> bytes:
        if self._version is None:
            self._version = -1
            return f"retry: {RETRY_MS}\n\n".encode("ascii")
        waited_s = 0.0
        while not (self._feed.closed or self._gone()):
            newer = self._feed.wait_newer(self._version, LOOK_S)
            if newer is not None:
                self._version = newer.version
                return encode_event(newer, self._silent_ms())
            waited_s += LOOK_S
            if waited_s >= self._heartbeat_s:
                return b": still here\n\n"
        raise StopIteration

    def close(self) -> None:
        """Give the slot back; the WSGI server calls this whenever the response ends, however it ends."""
        release, self._release = self._release, None
        if release is not None:
            release()


def encode_event(published: Published, silent_ms: int | None) -> bytes:
    """One server-sent event: `id:` is the version, `data:` the whole document on one line."""
    return b"id: %d\ndata: %s\n\n" % (published.version, published.body(silent_ms))
