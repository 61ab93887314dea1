"""A chip with the real firmware on a desk, and a host that acknowledges at once: no ports, no real time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TypeVar

from tablewire.twin.chip import Chip, find_twin
from tablewire.wire.frame import Decoder, Frame, Sender
from tablewire.wire.messages import BOARD_PARSERS, BoardKind, BoardMessage, Events, HostHello, HostMessage
from tablewire.wire.observed import Changes, Snapshot
from tablewire.wire.session import HostSession, Told

STEP_US = 1000
WAITING_STEP_US = 100
PATIENCE_US = 1_000_000
M = TypeVar("M", bound=BoardMessage)


class Wired(ABC):
    """A chip and a host at its line. `sent`: every message of the board, and when its last byte was out."""

    def __init__(self, kind: BoardKind, seed: int, eeprom: Path | None = None) -> None:
        files = find_twin(kind)
        self.chip = Chip(files.firmware, eeprom, seed, files.program)
        self.session = HostSession()
        self.session.link_opened(0)
        self.sent: list[tuple[int, BoardMessage]] = []
        self._frames = Decoder()

    @abstractmethod
    def take(self, at_us: int, one: Told) -> None:
        """What the session told, to be acknowledged."""

    def run(self, us: int, step_us: int = STEP_US) -> None:
        """Let time pass, bytes going both ways."""
        end_us = self.chip.now_us + us
        while self.chip.now_us < end_us:
            for at_us, data in self.chip.run(min(step_us, end_us - self.chip.now_us)):
                self._note(at_us, data)
                for one in self.session.receive_data(data, at_us // 1000):
                    self.take(at_us, one)
            said = self.session.data_to_send(self.chip.now_us // 1000)
            if said:
                self.chip.rx(said)

    def _note(self, at_us: int, data: bytes) -> None:
        for item in self._frames.receive_data(data):
            if isinstance(item, Frame):
                self.sent.append((at_us, BOARD_PARSERS[item.type](item.payload)))


class Desk(Wired):
    """A board with sensors. `told`: the session's changes."""

    def __init__(self, seed: int = 1, eeprom: Path | None = None, noise_counts: float = 2.0) -> None:
        super().__init__(BoardKind.CIRKIS, seed, eeprom)
        self.chip.noise(noise_counts)
        self.told: list[tuple[int, int]] = []

    def take(self, at_us: int, one: Told) -> None:
        """Changes are kept, and snapshots acknowledged."""
        if isinstance(one, Changes):
            self.told += [(at_us, change.sensor) for change in one.changes]
            self.session.acknowledge(one.changes[-1].number, one.nonce)
        elif isinstance(one, Snapshot):
            self.session.acknowledge(one.number, one.nonce)

    def wait_for_events(self, after: int) -> tuple[int, Events]:
        """The first EVENTS among `sent` from index `after` on, and when it was out."""
        end_us = self.chip.now_us + PATIENCE_US
        while self.chip.now_us < end_us:
            for at_us, message in self.sent[after:]:
                if isinstance(message, Events):
                    return at_us, message
            self.run(WAITING_STEP_US, WAITING_STEP_US)
        raise AssertionError("no EVENTS for a second")

    def wait_for_told(self, count: int) -> None:
        """Let time pass until the session has told so many changes."""
        end_us = self.chip.now_us + PATIENCE_US
        while len(self.told) < count:
            assert self.chip.now_us < end_us, f"{len(self.told)} changes of {count} after a second"
            self.run(WAITING_STEP_US, WAITING_STEP_US)


class Talk:
    """The firmware without a session: what a test says itself, and what is answered."""

    def __init__(self, seed: int = 1, eeprom: Path | None = None, noise_counts: float = 0.0) -> None:
        files = find_twin()
        self.chip = Chip(files.firmware, eeprom, seed, files.program)
        self.chip.noise(noise_counts)
        self._frames = Decoder()
        self._sender = Sender()

    def wake(self) -> list[BoardMessage]:
        """Boot, and greet, so that the board says more than HELLO."""
        return self.run(100_000) + self.say(HostHello(1, 0))

    def run(self, us: int) -> list[BoardMessage]:
        """Let time pass; what the board said."""
        return [
            BOARD_PARSERS[item.type](item.payload)
            for _, data in self.chip.run(us)
            for item in self._frames.receive_data(data)
            if isinstance(item, Frame)
        ]

    def say(self, message: HostMessage, us: int = 50_000) -> list[BoardMessage]:
        """Send a message and let time pass; what the board said."""
        self.chip.rx(self._sender.encode(message.TYPE, message.encode()))
        return self.run(us)


def only(kind: type[M], messages: list[BoardMessage]) -> list[M]:
    """The messages of one kind."""
    return [message for message in messages if isinstance(message, kind)]
