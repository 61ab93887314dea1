"""The event stream through the real web server, read from plain sockets: well, slowly, not at all, and no
more.
"""

import contextlib
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.web.documents import playing
from tests.web.operators import WrittenOperator

from tablewire.errors import UserError
from tablewire.web.app import create_app
from tablewire.web.feed import Feed
from tablewire.web.server import CONNECTION_CAP_COUNT, Server, serve
from tablewire.web.streams import Streams

PATIENCE_S = 15.0


class Listener:
    """One client of the event stream that reads when a test says so."""

    def __init__(self, url: str, receive_bytes: int | None = None) -> None:
        host, _, port = url.removeprefix("http://").rstrip("/").partition(":")
        self._socket = socket.socket()
        if receive_bytes is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self._socket.settimeout(PATIENCE_S)
        self._socket.connect((host, int(port)))
        request = f"GET /api/events HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: text/event-stream\r\n\r\n"
        self._socket.sendall(request.encode("ascii"))
        self._file = self._socket.makefile("rb")

    def status(self) -> int:
        """Read the head; the status."""
        status = int(self._file.readline().split()[1])
        while self._file.readline() not in (b"\r\n", b""):
            pass
        return status

    def block(self) -> list[str]:
        """The lines of the next event or comment; empty when the stream has ended."""
        size = int(self._file.readline().strip() or b"0", 16)
        data = self._file.read(size)
        self._file.readline()
        return data.decode("ascii").strip().split("\n") if size else []

    def event(self) -> tuple[int, dict[str, Any]]:
        """The id and document of the next event, whatever comments come before."""
        lines = self.block()
        while not lines[0].startswith("id: "):
            lines = self.block()
        return int(lines[0].removeprefix("id: ")), json.loads(lines[1].removeprefix("data: "))

    def close(self) -> None:
        self._file.close()
        self._socket.close()


Start = Callable[..., tuple[Server, Streams]]


@pytest.fixture
def start(feed: Feed, operator: WrittenOperator, board: dict[str, Any]) -> Iterator[Start]:
    servers: list[Server] = []

    def start_server(cap_count: int = 4, heartbeat_s: int = 15, **settings: int) -> tuple[Server, Streams]:
        streams = Streams(feed, cap_count, heartbeat_s=heartbeat_s)
        app = create_app(
            feed,
            operator,
            boards={"cirkis": board},
            first_game="cirkis",
            writable=True,
            hosts=["127.0.0.1"],
            streams=streams,
        )
        servers.append(serve(app, "127.0.0.1", 0, **settings))
        return servers[-1], streams

    yield start_server
    for server in servers:
        server.close()


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether something comes true within the patience of a test."""
    deadline_s, pause = time.monotonic() + PATIENCE_S, threading.Event()
    while not holds():
        if time.monotonic() > deadline_s:
            return False
        pause.wait(0.02)
    return True


def state_version(server: Server) -> int:
    with urllib.request.urlopen(f"{server.url}api/state", timeout=PATIENCE_S) as answer:  # noqa: S310
        return int(json.load(answer)["version"])


def test_the_current_document_comes_first_and_every_later_one_whole(start: Start, feed: Feed) -> None:
    feed.publish(3, playing(3))
    server, _ = start()
    with contextlib.closing(Listener(server.url)) as listener:
        assert listener.status() == 200
        assert listener.block() == ["retry: 2000"]
        version, document = listener.event()
        assert version == 3
        assert document == {**playing(3), "link": {**playing(3)["link"], "silent_ms": 40}}
        for version in (4, 5):
            feed.publish(version, playing(version, moves=version))
            assert (listener.event()[0], version) == (version, version)


def test_a_late_client_gets_the_whole_state_and_not_the_past(start: Start, feed: Feed) -> None:
    server, _ = start()
    for version in range(1, 40):
        feed.publish(version, playing(version))
    with contextlib.closing(Listener(server.url)) as listener:
        listener.status()
        assert listener.event()[0] == 39


def test_a_quiet_stream_beats(start: Start, feed: Feed) -> None:
    feed.publish(1, playing())
    server, _ = start(heartbeat_s=1)
    with contextlib.closing(Listener(server.url)) as listener:
        listener.status()
        listener.event()
        assert listener.block() == [": still here"]


def test_a_client_that_stops_reading_holds_up_nobody_and_is_let_go(start: Start, feed: Feed) -> None:
    feed.publish(1, playing(1))
    server, streams = start(stall_ms=1500)
    padding = "x" * 60_000
    with (
        contextlib.closing(Listener(server.url, receive_bytes=4096)) as stalled,
        contextlib.closing(Listener(server.url)) as reader,
    ):
        assert stalled.status() == reader.status() == 200
        slowest_s = 0.0
        for version in range(2, 42):
            began_s = time.monotonic()
            feed.publish(version, playing(version, padding=padding))
            slowest_s = max(slowest_s, time.monotonic() - began_s)
            if version % 5 == 1:
                while reader.event()[0] < version:
                    pass
        assert slowest_s < 0.5
        assert state_version(server) == 41
        assert streams.free_count == 2
        assert eventually(lambda: streams.free_count == 3)
        feed.publish(42, playing(42))
        assert reader.event()[0] == 42


def test_clients_that_went_away_free_their_streams(start: Start, feed: Feed) -> None:
    feed.publish(1, playing())
    server, streams = start(cap_count=2)
    for _ in range(3):
        first, second = Listener(server.url), Listener(server.url)
        assert first.status() == second.status() == 200
        first.close()
        second.close()
        assert eventually(lambda: streams.free_count == 2)


def test_with_all_streams_taken_the_next_is_told_and_ordinary_requests_are_answered(
    start: Start, feed: Feed
) -> None:
    feed.publish(1, playing())
    server, _ = start(cap_count=2)
    with contextlib.closing(Listener(server.url)) as one, contextlib.closing(Listener(server.url)) as two:
        assert one.status() == two.status() == 200
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{server.url}api/events", timeout=PATIENCE_S)  # noqa: S310
        with refused.value as answer:
            assert answer.status == 503
            assert answer.headers["Retry-After"] == "5"
            assert json.load(answer)["reason"] == "streams_full"
        assert [state_version(server) for _ in range(20)] == [1] * 20


def test_asking_for_the_head_of_the_stream_takes_no_stream(start: Start, feed: Feed) -> None:
    server, streams = start(cap_count=1)
    request = urllib.request.Request(f"{server.url}api/events", method="HEAD")  # noqa: S310
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
        assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert streams.free_count == 1


def test_connections_that_never_ask_keep_nobody_out(start: Start, feed: Feed) -> None:
    feed.publish(1, playing(1))
    server, _ = start()
    address = ("127.0.0.1", int(server.url.rstrip("/").rpartition(":")[2]))
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(contextlib.closing(Listener(server.url)))
        assert listener.status() == 200
        assert listener.event()[0] == 1
        for _ in range(CONNECTION_CAP_COUNT + 50):
            idler = stack.enter_context(socket.create_connection(address, timeout=PATIENCE_S))
            # The first ones may have been let go by now.
            with contextlib.suppress(OSError):
                idler.sendall(b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert [state_version(server) for _ in range(3)] == [1] * 3
        feed.publish(2, playing(2))
        assert listener.event()[0] == 2


def test_closing_the_server_ends_every_stream_and_frees_the_port(start: Start, feed: Feed) -> None:
    feed.publish(1, playing())
    server, streams = start()
    port = int(server.url.rstrip("/").rpartition(":")[2])
    with contextlib.closing(Listener(server.url)) as listener:
        listener.status()
        listener.event()
        server.close()
        assert listener.block() == []
    assert streams.free_count == streams.cap_count
    assert not any(thread.name == "web" for thread in threading.enumerate())
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))


def test_a_request_that_is_no_http_gets_an_error_and_the_server_goes_on(start: Start, feed: Feed) -> None:
    feed.publish(1, playing())
    server, _ = start()
    port = int(server.url.rstrip("/").rpartition(":")[2])
    for nonsense in (
        b"\x00\x01\x02\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 40_000,
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as client:
            client.sendall(nonsense)
            answer = client.recv(4096)
        assert answer.startswith(b"HTTP/1.")
        assert answer.split()[1].startswith(b"4")
    assert state_version(server) == 1


@pytest.mark.parametrize(
    ("host", "port", "said"),
    [
        ("no.such.host.invalid", 0, "no such address"),
        ("127.0.0.1", 70_000, "0 to 65535"),
        ("127.0.0.1", -1, "0 to 65535"),
        ("192.0.2.1", 0, "does not have that address"),
    ],
)
def test_an_address_that_cannot_be_listened_on_is_one_clear_line(
    feed: Feed, operator: WrittenOperator, board: dict[str, Any], host: str, port: int, said: str
) -> None:
    app = create_app(
        feed, operator, boards={"cirkis": board}, first_game="cirkis", writable=True, hosts=["127.0.0.1"]
    )
    with pytest.raises(UserError) as refused:
        serve(app, host, port)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_port_in_use_is_named(
    start: Start, feed: Feed, operator: WrittenOperator, board: dict[str, Any]
) -> None:
    server, _ = start()
    port = int(server.url.rstrip("/").rpartition(":")[2])
    app = create_app(
        feed, operator, boards={"cirkis": board}, first_game="cirkis", writable=True, hosts=["127.0.0.1"]
    )
    with pytest.raises(UserError, match=f"port {port}: another program already uses it"):
        serve(app, "127.0.0.1", port)
