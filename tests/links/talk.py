"""A host at a link: a session that the test's own thread drives, or a LinkThread does."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from tests.links.kinds import PATIENCE_S

from tablewire.link.contract import Link
from tablewire.link.events import Chunk, LinkEvent, Lost, Opened
from tablewire.link.faults import LinkLost, LinkRefused
from tablewire.link.supervisor import LinkThread
from tablewire.wire.observed import Changes, Complete, Snapshot
from tablewire.wire.session import HostSession, Told

READ_S = 0.02


def now_ms() -> int:
    """The host's clock."""
    return time.monotonic_ns() // 1_000_000


def open_patiently(link: Link) -> int:
    """Open, as often as it takes; how often it was refused. A port that comes back takes a moment."""
    end_s, refused_count = time.monotonic() + PATIENCE_S, 0
    while True:
        try:
            link.open()
        except LinkRefused:
            assert time.monotonic() < end_s
            refused_count += 1
        else:
            return refused_count


def lose(link: Link) -> LinkLost:
    """Read until the link is lost; how it says so."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        try:
            link.read(PATIENCE_S)
        except LinkLost as lost:
            return lost
    raise AssertionError("the link is never lost")


class Ear:
    """What a session makes of a board: `numbers` of its changes in order, and the table it believes in."""

    def __init__(self) -> None:
        self.session = HostSession()
        self.numbers: list[int] = []
        self.snapshot_count = 0
        self.classes = bytearray()

    def take(self, told: list[Told]) -> None:
        for one in told:
            match one:
                case Changes(nonce, changes):
                    for change in changes:
                        self.numbers.append(change.number)
                        self.classes[change.sensor] = change.new
                    self.session.acknowledge(changes[-1].number, nonce)
                case Snapshot(nonce, number, _, classes):
                    self.snapshot_count += 1
                    self.classes = bytearray(classes)
                    self.session.acknowledge(number, nonce)
                case Complete():
                    pass

    @property
    def lying(self) -> set[int]:
        """The sensors that read a magnet."""
        return {sensor for sensor, cls in enumerate(self.classes) if cls}


class Talk(Ear):
    """A session on an open link, driven by whoever waits for something."""

    def __init__(self, link: Link) -> None:
        super().__init__()
        self.link = link
        self.session.link_opened(now_ms())

    def until(self, true: Callable[[], bool]) -> None:
        """Let both talk until it is so."""
        end_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end_s
            data = self.session.data_to_send(now_ms())
            if data:
                self.link.write(data)
            self.take(self.session.receive_data(self.link.read(READ_S), now_ms()))

    def meet(self) -> None:
        """Let both talk until the session knows what lies there."""
        self.until(lambda: self.session.synced)

    def reopen(self) -> None:
        """The link was lost and is open again."""
        self.session.link_lost(now_ms())
        self.session.link_opened(now_ms())


class Kept(Ear):
    """A session on a LinkThread: its events are taken in by the test's own thread."""

    def __init__(self, link: Link, pace: float = 0.01) -> None:
        super().__init__()
        self.opened_count = self.lost_count = 0
        self.lost_texts: list[str] = []
        self._events: queue.Queue[LinkEvent] = queue.Queue()
        self.thread = LinkThread(link, self._events.put, pace)
        self.thread.start()

    def until(self, true: Callable[[], bool]) -> None:
        """Take in events until it is so."""
        end_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end_s
            try:
                event = self._events.get(timeout=READ_S)
            except queue.Empty:
                event = None
            match event:
                case Opened():
                    self.opened_count += 1
                    self.session.link_opened(now_ms())
                case Lost(reason):
                    self.lost_count += 1
                    self.lost_texts.append(reason)
                    self.session.link_lost(now_ms())
                case Chunk(data):
                    self.take(self.session.receive_data(data, now_ms()))
                case _:
                    pass
            data = self.session.data_to_send(now_ms())
            if data:
                self.thread.write(data)
