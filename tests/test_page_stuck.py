"""A page that is stuck costs the game nothing: clients that never read or finish, and no web thread."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tablewire.entries import EntryKind
from tablewire.link.address import SerialPath
from tablewire.run import RunningTable, Wanted
from tablewire.store.journal import Journal
from tablewire.virtual.remote import BoardProcess, Hand
from tablewire.web.app import STREAM_CAP_COUNT
from tablewire.web.server import ORDINARY_THREAD_COUNT

HEADER = {"record": 1, "game": "cirkis", "rulebook": "hasbro", "players": ["red", "green"], "options": {}}
LIMIT_S = 60.0
"""A placement takes a moment on a fast board; on a machine busy with other things, many times that."""


@pytest.fixture
def board() -> Iterator[BoardProcess]:
    """A simulated board, ten times as quick as a real one."""
    with BoardProcess(1, fast=True) as board:
        yield board


def until(table: RunningTable, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first document that is wanted, as the game thread publishes it."""
    version, end_s = -1, time.monotonic() + LIMIT_S
    while time.monotonic() < end_s:
        newest = table.feed.wait_newer(version, 1.0)
        if newest is not None:
            version, document = newest.version, json.loads(newest.body(None))
            if wanted(document):
                return dict(document)
    raise AssertionError("the game does not go on")


def ask(stack: ExitStack, url: str, request: str) -> None:
    """Send a request from a client that never reads what comes."""
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    client = stack.enter_context(closing(socket.socket()))
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    client.connect((host, int(port)))
    client.sendall(request.format(host=f"{host}:{port}").encode("ascii"))


def test_the_game_goes_on_while_no_page_reads_and_no_web_thread_runs(
    board: BoardProcess, tmp_path: Path
) -> None:
    asked = Wanted(SerialPath(str(board.port)), 500_000, tmp_path, "127.0.0.1", 0, HEADER, new=False)
    hand = Hand(board.socket_path)
    with closing(RunningTable(asked, print)) as table, ExitStack() as clients:
        until(table, lambda doc: doc["link"]["state"] == "up")
        for _ in range(STREAM_CAP_COUNT):
            ask(clients, table.url, "GET /api/events HTTP/1.1\r\nHost: {host}\r\n\r\n")
        for _ in range(2 * ORDINARY_THREAD_COUNT):
            ask(clients, table.url, "GET /api/board HTTP/1.1\r\nHost: {host}\r\n\r\n" * 4)
            ask(clients, table.url, "POST /api/undo HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n")
        assert hand.do(["place red 6,15 over 200"]) == ["ok"]
        until(table, lambda doc: doc["moves"] == 1 and not doc["provisional"])
        server = table._server
        assert server is not None
        server._stopping.set()
        server._thread.join(LIMIT_S)
        assert not server._thread.is_alive()
        assert hand.do(["place green 16"]) == ["ok"]
        until(table, lambda doc: doc["moves"] == 2 and not doc["provisional"])
        assert table.daemon is not None
        assert table.daemon.act("ruling", {"points": {"red": 5}}).status == 200
        server._stopping.clear()  # so that closing ends its other threads
    hand.close()
    with Journal.open(tmp_path, lambda: datetime.now(UTC)) as journal:
        game = journal.current_game()
        assert game is not None
        kinds = [entry.kind for entry in journal.entries(game.game_id)]
    assert (kinds.count(EntryKind.COMMIT), kinds.count(EntryKind.RULING)) == (2, 1)
