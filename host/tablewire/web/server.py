"""The web server: waitress, set up for streams that stay open for hours.

Owns the listening socket, the server's threads and their limits. Must not know the routes or the game.

Threads: one ("web") runs waitress's select loop and does all socket I/O; a fixed number of workers run the
application. An event stream keeps its worker for as long as it is open, so there are as many workers as
streams and some more for ordinary requests.
"""

import errno
import logging
import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from tablewire.errors import UserError, one_line, quoted
from tablewire.web.actions import BODY_MAX_BYTES
from tablewire.web.feed import Feed
from tablewire.web.streams import Streams

# Ordinary requests take milliseconds; an action may wait a moment for the game thread.
ORDINARY_THREAD_COUNT = 6
# A client that takes nothing for this long is let go. Longer than a phone needs to change its network.
STALL_MS = 30_000
# What the kernel and waitress each hold for one client: a few documents, so that a slow client gets the
# newest state soon and a stalled one costs little memory.
SEND_BUFFER_BYTES = 64 * 1024
# select() serves up to 1024 descriptors; a table never needs a hundred.
CONNECTION_CAP_COUNT = 200
# Above so many, connections that wait for nothing are closed, the oldest first. A program that opens hundreds
# and never says what it wants would keep everybody else out until each has been idle for a minute; whoever
# asks something is answered within milliseconds, long before it is the oldest.
CROWDED_COUNT = 100
# An idle keep-alive connection without a request.
IDLE_S = 60
# Browsers send a few hundred bytes; names and cookies of other local sites add some.
HEADER_MAX_BYTES = 16 * 1024
PORT_MAX = 65_535
# For each way to say "every address", an address that is nobody's (RFC 5737, RFC 3849): only the route to it
# is asked for.
OUTSIDE = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104  compared with, never bound to
# How long the select loop sleeps when nothing happens: waitress looks for idle connections when it wakes.
SELECT_S = 1.0


class Server:
    """A running web server. `url` is where the page is; `close` ends it and every stream."""

    def __init__(self, waitress: Any, sockets: dict[int, Any], feed: Feed, url: str) -> None:
        self._waitress = waitress
        self._sockets = sockets
        self._feed = feed
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._select, name="web", daemon=True)
        self.url = url
        self._thread.start()

    def _select(self) -> None:
        while not self._stopping.is_set():
            wasyncore.loop(timeout=SELECT_S, map=self._sockets, count=1)
            self._make_room()

    def _make_room(self) -> None:
        """Close what is over the limit, but never a connection that is being answered, nor a stream."""
        channels = list(self._waitress.active_channels.values())
        over_count = len(channels) - CROWDED_COUNT
        if over_count <= 0:
            return
        waiting = [channel for channel in channels if not channel.requests]
        # Last those that still take an answer: a slow one is no fault of theirs.
        waiting.sort(key=lambda channel: (channel.total_outbufs_len > 0, channel.creation_time))
        for channel in waiting[:over_count]:
            channel.handle_close()

    def close(self) -> None:
        """Close every connection and wait for the threads to end. May be called twice."""
        if self._stopping.is_set():
            return
        self._feed.close()
        self._stopping.set()
        self._waitress.pull_trigger()
        self._thread.join()
        # Nobody selects any more. Workers first: they still write to the trigger, whose number must not be
        # another file's by then; one that waits for a stalled client ends when that connection is closed.
        for channel in list(self._waitress.active_channels.values()):
            channel.handle_close()
        self._waitress.task_dispatcher.shutdown()
        wasyncore.close_all(self._sockets)


def serve(app: Flask, host: str, port: int, *, stall_ms: int = STALL_MS) -> Server:
    """Serve the application on `host` and `port` (0: any free one) in threads of its own.

    UserError when the address cannot be listened on. On systems without TCP_USER_TIMEOUT (all but Linux) a
    stalled client keeps its stream until its connection breaks.
    """
    listening = _listen(host, port, stall_ms)
    streams: Streams = app.extensions["tablewire.streams"]
    # Waitress warns about a queue of one, which is how a pool that was idle a moment ago looks.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sockets: dict[int, Any] = {}
    waitress = create_server(
        app,
        map=sockets,
        sockets=[listening],
        threads=streams.cap_count + ORDINARY_THREAD_COUNT,
        connection_limit=CONNECTION_CAP_COUNT,
        channel_timeout=IDLE_S,
        # Reading ahead is how waitress notices that the client of a running stream went away.
        channel_request_lookahead=1,
        outbuf_high_watermark=SEND_BUFFER_BYTES,
        max_request_header_size=HEADER_MAX_BYTES,
        # The application refuses earlier and in JSON; this one guards the memory.
        max_request_body_size=4 * BODY_MAX_BYTES,
        clear_untrusted_proxy_headers=True,
        log_socket_errors=False,
        ident=None,
    )
    bound_port = listening.getsockname()[1]
    url = f"http://{_shown(host, listening.family)}:{bound_port}/"
    return Server(waitress, sockets, app.extensions["tablewire.feed"], url)


def _shown(host: str, family: socket.AddressFamily) -> str:
    """The host as a browser needs it: of every address, the one by which other computers know this one."""
    if host in OUTSIDE:
        # Connecting a datagram socket sends nothing; it only asks by which address packets would leave.
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((OUTSIDE[host], 9))
                host = probe.getsockname()[0]
            except OSError:
                host = "localhost"
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int, stall_ms: int) -> socket.socket:
    """A listening socket. Accepted sockets inherit its options; waitress has no setting for them."""
    # The resolver takes any number and uses its lower 16 bits.
    if not 0 <= port <= PORT_MAX:
        raise UserError(f"cannot listen on port {port}: a port is a number from 0 to {PORT_MAX}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise UserError(f"cannot listen on {quoted(host)} port {port}: no such address") from None
    listening = socket.socket(family, kind, protocol)
    try:
        # Only so that a restart need not wait for old connections to time out; on Windows it would share the
        # port.
        if hasattr(socket, "SO_REUSEPORT"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, stall_ms)
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        raise UserError(f"cannot listen on {one_line(host)} port {port}: {_said(error)}") from None
    return listening


def _said(error: OSError) -> str:
    return {
        errno.EADDRINUSE: "another program already uses it; stop that one, or take another with --listen",
        errno.EACCES: "ports below 1024 are reserved; choose a higher one",
        errno.EADDRNOTAVAIL: "this computer does not have that address",
    }.get(error.errno or 0, error.strerror or str(error))
