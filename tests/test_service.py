"""What the service manager hears, over a real socket, and that a game thread which hangs falls silent."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablewire.service import PING_S, STATUS_MAX_CHARS, Service


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
