"""The game thread around the core: its inbox, its end, and what is said when it breaks."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tablewire.core import Core
from tablewire.daemon import Daemon
from tablewire.link.events import Chunk, Lost, Opened
from tablewire.store.journal import Journal
from tablewire.web.feed import Feed

LIMIT_S = 30.0


class NoBoard:
    """A link thread to which no board is ever plugged. `written` is set when the host has spoken."""

    def __init__(self) -> None:
        self.written = threading.Event()
        self.reopened: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.closed = threading.Event()

    def start(self) -> None:
        """Nothing to open."""

    def write(self, _data: bytes) -> None:
        """Note that something was said."""
        self.written.set()

    def reopen(self, reason: str) -> None:
        """Note why nobody is believed to answer."""
        self.reopened.put(reason)

    def close(self) -> None:
        """Note the end."""
        self.closed.set()


class Table:
    """A daemon on a new data folder. `said` are the lines reported to the person who started it."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal.open(folder, lambda: datetime.now(UTC))
        self.feed = Feed()
        self.core = Core(self.journal, self.feed.publish, "port")
        self.said: list[str] = []
        self.link = NoBoard()
        self.daemon = Daemon(self.core, self.feed, self.said.append)

    def close(self) -> None:
        """Stop whatever runs."""
        self.daemon.stop()
        self.journal.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def test_an_open_port_is_spoken_to_and_a_lost_one_is_on_the_page(table: Table) -> None:
    table.daemon.start(table.link)
    table.daemon.hear(Opened("port"))
    assert table.link.written.wait(LIMIT_S)
    table.daemon.hear(Chunk(b"noise"))
    table.daemon.hear(Lost("the cable is out"))
    answer = table.daemon.act("new_game", {"players": ["red", "green"]})
    assert answer.status == 200
    assert table.core.document()["link"]["text"] == "the cable is out"


def test_reads_and_actions_of_the_page_are_answered_in_turn(table: Table) -> None:
    table.daemon.start(table.link)
    assert table.daemon.header() == ""
    assert table.daemon.health() == {"sensors": [], "board": None}
    assert table.daemon.legal()["placements"] == []
    version = table.daemon.act("new_game", {"players": ["red", "green"]}).body["version"]
    legal = table.daemon.legal()
    assert (legal["version"], legal["player"]) == (version, "red")
    assert json.loads(table.daemon.header())["players"] == ["red", "green"]


def test_stopping_finishes_what_was_asked_and_closes_the_link(table: Table) -> None:
    table.daemon.start(table.link)
    for _ in range(100):
        table.daemon.hear(Chunk(b"\x01\x02"))
    table.daemon.stop()
    assert table.link.closed.is_set()
    table.daemon.hear(Chunk(b"too late"))
    table.daemon.stop()


def test_a_daemon_that_never_started_stops(table: Table) -> None:
    table.daemon.stop()
    assert not table.link.closed.is_set()


def test_a_mistake_of_ours_ends_the_game_thread_with_one_line(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(_now_ms: int, _port: str, _kind: str, _tried: object) -> None:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(table.core, "link_opened", break_down)
    table.daemon.start(table.link)
    table.daemon.hear(Opened("port"))
    assert table.daemon.failed.wait(LIMIT_S)
    (line,) = table.said
    assert "\n" not in line
    assert "ZeroDivisionError: a mistake" in line
    assert "the game is kept" in line
