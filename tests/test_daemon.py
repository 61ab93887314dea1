"""The game thread around the core: its inbox, its end, and what is said when it breaks."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.wire.scripted_board import GREETING, HEARTBEAT

from tablewire.core import Core
from tablewire.daemon import SLEPT_MIN_MS, Daemon, host_ms, slept_ms
from tablewire.link.events import Chunk, Lost, Opened, Trying
from tablewire.link.faults import Tried
from tablewire.store.journal import Journal
from tablewire.web.feed import Feed
from tablewire.wire.frame import Sender
from tablewire.wire.greeting import Greeting

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
        self.slept_ms = 5_000
        self.daemon = Daemon(self.core, self.feed, self.said.append, slept_ms=lambda: self.slept_ms)

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


def test_a_link_over_which_nobody_answers_is_opened_anew_once_until_something_becomes_of_it(
    table: Table,
) -> None:
    table.daemon.start(table.link)
    table.daemon.hear(Opened("/dev/ttyACM7"))
    # Eight seconds are long for a test; after a sleep of the computer it is two.
    assert table.link.written.wait(LIMIT_S)
    table.slept_ms += 3_600_000
    said = table.link.reopened.get(timeout=LIMIT_S)
    assert said == "no board answers at /dev/ttyACM7; the game is kept and the link made anew"
    turns = table.daemon.turn_count
    for _ in range(20):
        table.daemon.header()
    assert table.daemon.turn_count >= turns + 20
    assert table.link.reopened.empty()
    table.daemon.hear(Lost(said))
    table.daemon.hear(Opened("/dev/ttyACM7"))
    table.daemon.header()
    table.slept_ms += 3_600_000
    assert table.link.reopened.get(timeout=LIMIT_S) == said


def test_what_speaks_but_is_no_board_is_named_as_that(table: Table) -> None:
    """Failure 7: noise, another device, or a board at another speed."""
    table.daemon.start(table.link)
    table.daemon.hear(Opened("/dev/ttyUSB0"))
    table.daemon.hear(Chunk(b"$GPGGA,123519,4807.038,N,01131.000,E\r\n" * 100))
    table.daemon.header()
    table.slept_ms += 3_600_000
    said = table.link.reopened.get(timeout=LIMIT_S)
    assert said.startswith("what speaks at /dev/ttyUSB0 is no tablewire board, or speaks at another speed")


def test_what_says_after_us_what_we_said_is_named_as_no_board(table: Table) -> None:
    table.daemon.start(table.link)
    table.daemon.hear(Opened("/dev/ttyUSB0"))
    table.daemon.hear(Chunk(Greeting().data_to_send(0)))
    table.daemon.header()
    table.slept_ms += 3_600_000
    said = table.link.reopened.get(timeout=LIMIT_S)
    assert said.startswith("what speaks at /dev/ttyUSB0 is no tablewire board")


def test_a_board_that_speaks_but_does_not_hear_is_named_as_that(table: Table) -> None:
    table.daemon.start(table.link)
    table.daemon.hear(Opened("/dev/ttyACM7"))
    table.daemon.hear(Chunk(Sender().encode(HEARTBEAT.TYPE, HEARTBEAT.encode())))
    table.daemon.header()
    table.slept_ms += 3_600_000
    said = table.link.reopened.get(timeout=LIMIT_S)
    assert said == (
        "the board at /dev/ttyACM7 speaks, but does not hear: switch it off and on, and look at its wires"
    )


def test_why_nobody_answers_stays_on_the_page_while_the_link_is_made_anew(table: Table) -> None:
    """A link that opens says nothing of a board: whoever looks a moment later must still read it."""

    def text() -> object:
        table.daemon.header()
        return table.core.document()["link"].get("text")

    table.daemon.start(table.link)
    table.daemon.hear(Opened("/dev/ttyACM7"))
    table.daemon.header()
    table.slept_ms += 3_600_000
    said = table.link.reopened.get(timeout=LIMIT_S)
    table.daemon.hear(Lost(said))
    table.daemon.hear(Opened("/dev/ttyACM7"))
    assert text() == said
    table.daemon.hear(Chunk(Sender().encode(GREETING.TYPE, GREETING.encode())))
    assert text() is None
    table.daemon.hear(Lost("it was unplugged"))
    table.daemon.hear(Opened("/dev/ttyACM7"))
    assert text() is None


def test_a_board_was_never_heard_in_the_future(table: Table) -> None:
    """Who asks for the age reads the clock on another thread than the one that hears."""
    later_ms = host_ms() + 3_600_000
    table.core.link_opened(later_ms)
    table.core.receive(Sender().encode(GREETING.TYPE, GREETING.encode()), later_ms)
    assert table.daemon.age_ms() is None, "what the game thread has not told yet nobody else looks up"
    table.daemon.start(table.link)
    table.daemon.header()
    table.daemon.header()
    assert table.daemon.age_ms() == 0


def test_a_moment_between_two_clocks_is_no_sleep(table: Table) -> None:
    table.daemon.start(table.link)
    before_ms = host_ms()
    table.daemon.hear(Opened("port"))
    for _ in range(20):
        table.slept_ms += 900
        table.daemon.header()
    assert not table.core.session.is_given_up(before_ms + 7_999)


def test_this_computers_clocks_tell_how_long_it_slept() -> None:
    first = slept_ms()
    assert 0 <= slept_ms() - first < SLEPT_MIN_MS


def test_where_a_board_is_looked_for_and_why_none_is_used_is_on_the_page(table: Table) -> None:
    table.daemon.start(table.link)
    table.daemon.hear(Trying("looking for a board at /dev/ttyS0"))
    table.daemon.header()
    assert table.core.document()["link"]["text"] == "looking for a board at /dev/ttyS0"
    table.daemon.hear(Lost("no board", (Tried("/dev/ttyS0", "no answer"),)))
    table.daemon.header()
    shown = table.core.document()["link"]
    assert (shown["text"], shown["tried"]) == ("no board", [{"port": "/dev/ttyS0", "why": "no answer"}])
    table.daemon.hear(Opened("ble:tablewire", "ble", (Tried("ble:other", "another board answers there"),)))
    table.daemon.header()
    shown = table.core.document()["link"]
    assert "text" not in shown
    assert (shown["port"], shown["kind"]) == ("ble:tablewire", "ble")
    assert shown["tried"] == [{"port": "ble:other", "why": "another board answers there"}]


def test_what_foreign_devices_call_themselves_is_shown_on_one_line_and_not_without_end(table: Table) -> None:
    table.daemon.start(table.link)
    rude = Tried("ble:" + "x" * 1000, "a\nb\u202e" * 500)
    table.daemon.hear(Lost("y" * 10_000, (rude,) * 100))
    table.daemon.header()
    shown = table.core.document()["link"]
    assert len(shown["text"]) == 500
    assert len(shown["tried"]) == 32
    for row in shown["tried"]:
        assert len(row["port"]) == len(row["why"]) == 200
        assert row["why"].isprintable()


def test_after_a_sleep_a_link_that_is_not_open_is_tried_at_once(table: Table) -> None:
    table.daemon.start(table.link)
    table.daemon.hear(Lost("Bluetooth is off"))
    table.daemon.header()
    table.slept_ms += 3_600_000
    assert table.link.reopened.get(timeout=LIMIT_S) == "the computer has slept"
