"""What the service manager hears, over a real socket, and that a game thread which hangs falls silent."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tablewire.core import Core
from tablewire.daemon import Daemon
from tablewire.link.supervisor import LinkThread
from tablewire.service import PING_S, STATUS_MAX_CHARS, Service
from tablewire.store.journal import Journal
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.memory_link import MemoryLink
from tablewire.web.feed import Feed

LIMIT_S = 60.0
"""For what takes a second on a machine with nothing else to do."""


class Manager:
    """The service manager's end: a datagram socket, in a folder or abstract."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self.socket.setblocking(False)

    def heard(self) -> list[list[str]]:
        """The messages since the last call, each as its lines."""
        messages = []
        try:
            while True:
                messages.append(self.socket.recv(4096).decode().split("\n"))
        except BlockingIOError:
            return messages


@pytest.fixture(params=["folder", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    abstract = f"@tablewire-test-{os.getpid()}"
    manager = Manager(abstract if request.param == "abstract" else str(tmp_path / "notify"))
    yield manager
    manager.socket.close()


def test_it_is_ready_once_the_game_thread_has_gone_round(manager: Manager) -> None:
    service = Service(manager.address)
    service.look(0.0, 0, "looking for it")
    assert manager.heard() == []
    service.look(0.5, 1, "looking for it")
    assert manager.heard() == [["READY=1", "STATUS=looking for it", "WATCHDOG=1"]]
    service.stopping()
    assert manager.heard() == [["STOPPING=1"]]


def test_new_words_are_told_once_each(manager: Manager) -> None:
    service = Service(manager.address)
    for moment, words in enumerate(("a", "a", "b\nREADY=0", "b\nREADY=0")):
        service.look(moment / 10, moment + 1, words)
    told = [line for message in manager.heard() for line in message if line.startswith("STATUS")]
    assert told == ["STATUS=a", r"STATUS=b\nREADY=0"]
    service.look(1.0, 9, "x" * 5000)
    assert manager.heard() == [[f"STATUS={'x' * STATUS_MAX_CHARS}"]]
    service.stopping()


def test_signs_of_life_come_while_the_game_thread_goes_round_and_end_with_it(manager: Manager) -> None:
    service = Service(manager.address)
    for moment in range(100):
        service.look(moment / 2, moment + 1, "")
    assert sum("WATCHDOG=1" in message for message in manager.heard()) == pytest.approx(50 / PING_S, abs=1)
    service.look(50.0, 101, "")
    manager.heard()
    for moment in range(100):
        service.look(50.5 + moment / 2, 101, "")
    assert sum("WATCHDOG=1" in message for message in manager.heard()) <= 1
    service.look(101.0, 102, "")
    assert manager.heard() == [["WATCHDOG=1"]]
    service.stopping()


def test_a_shorter_limit_is_kept_too(manager: Manager) -> None:
    pings = 0
    environment = {"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"}
    for pid, expected in ((7, 10), (8, 2)):
        service = Service.of_environment(environment, pid)
        for moment in range(20):
            service.look(moment / 2, moment + 1, "")
        pings = sum("WATCHDOG=1" in message for message in manager.heard())
        assert pings == expected
        service.stopping()
        manager.heard()


def test_a_manager_that_was_away_hears_what_it_missed(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    service = Service(address)
    service.look(0.0, 1, "connected")
    manager = Manager(address)
    service.look(0.5, 2, "connected")
    assert manager.heard() == [["READY=1", "STATUS=connected", "WATCHDOG=1"]]
    service.stopping()
    manager.socket.close()


def test_a_manager_that_does_not_read_holds_nothing_up(manager: Manager) -> None:
    service = Service(manager.address)
    for moment in range(3000):
        service.look(float(moment), moment + 1, str(moment))
    assert manager.heard()[0][0] == "READY=1"
    service.stopping()


@pytest.mark.parametrize(
    "address", ["", "nonsense", "vsock:2:1234", "/nowhere/notify", "/" + "x" * 300], ids=lambda one: one[:20]
)
def test_where_nobody_asks_nothing_happens(address: str) -> None:
    service = Service.of_environment({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "soon"})
    service.look(0.0, 1, "connected")
    service.stopping()
    service.stopping()


class Holdable:
    """Where a table's documents go. Whoever holds `lock` holds up the thread that hands one in."""

    def __init__(self) -> None:
        self.feed = Feed()
        self.lock = threading.Lock()
        self.held_up = threading.Event()

    def publish(self, version: int, document: dict[str, Any]) -> None:
        if not self.lock.acquire(blocking=False):
            self.held_up.set()
            self.lock.acquire()
        self.feed.publish(version, document)
        self.lock.release()


def wait_until(is_so: Callable[[], object]) -> None:
    until_s = time.monotonic() + LIMIT_S
    while not is_so():
        assert time.monotonic() < until_s
        threading.Event().wait(0.02)


def test_a_game_thread_that_hangs_gives_no_sign_of_life_until_it_goes_on(
    manager: Manager, tmp_path: Path
) -> None:
    """A whole table, with a board in memory, whose game thread is really held up by a lock."""
    place, board = Holdable(), VirtualBoard(1)
    moments = count()
    service = Service(manager.address, limit_s=3.0)
    with Journal.open(tmp_path, lambda: datetime.now(UTC)) as journal, closing(board):
        daemon = Daemon(Core(journal, place.publish, "memory"), place.feed, print)
        link = MemoryLink(board)
        daemon.start(LinkThread(link, daemon.hear))

        def pings() -> int:
            """Signs of life in 20 s of the service manager's time."""
            for _ in range(40):
                service.look(next(moments) / 2, daemon.turn_count, "playing")
            return sum("WATCHDOG=1" in message for message in manager.heard())

        try:
            wait_until(pings)
            with place.lock:
                link.command("fault cut")
                wait_until(place.held_up.is_set)
                pings()  # of what it had done before
                assert pings() == 0
            wait_until(pings)
        finally:
            daemon.stop()
            service.stopping()


def test_the_table_says_when_its_page_is_there_how_the_board_is_reached_and_that_it_ends(
    manager: Manager, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "tablewire", "run", "--port", str(tmp_path / "no-board")]
    running = subprocess.Popen(
        [*command, "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0"],
        env={**os.environ, "NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "3000000"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    heard: list[str] = []

    def has_heard(words: str) -> bool:
        heard.extend(line for message in manager.heard() for line in message)
        return any(words in line for line in heard)

    try:
        wait_until(lambda: has_heard("READY=1"))
        assert running.stdout.readline().startswith("page http://127.0.0.1:")  # said before
        wait_until(lambda: has_heard("nothing is plugged in there"))
        heard.clear()
        wait_until(lambda: has_heard("WATCHDOG=1"))
        running.send_signal(signal.SIGTERM)
        assert running.wait(LIMIT_S) == 0
        assert has_heard("STOPPING=1")
    finally:
        running.kill()
        running.communicate()
