"""The host's side of a link as the daemon has it: a link thread, an inbox, a session on the caller's thread.

Owns the pump between them. Must not know what the link goes over, nor what the changes mean.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from tablewire.link.contract import Link
from tablewire.link.events import Chunk, LinkEvent, Lost, Opened
from tablewire.link.supervisor import LinkThread
from tablewire.wire.observed import Changes, SensorChange, Snapshot
from tablewire.wire.session import HostSession, Told

DEADLINE_S = 60.0  # a busy machine may take its time
TURN_S = 0.02  # the session's timers are looked at so often, when nothing comes


class Host:
    """One host; what it was told, in order: `changes` with when each came, `losses` of the link in words.

    `lies` is what it takes to lie on each sensor that is not empty.
    """

    def __init__(self, link: Link) -> None:
        self.session = HostSession()
        self.changes: list[tuple[SensorChange, float]] = []
        self.losses: list[str] = []
        self.lies: dict[int, int] = {}
        self._is_open = False
        self._inbox: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
        self._link = LinkThread(link, self._inbox.put)

    def __enter__(self) -> Self:
        self._link.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.close()

    @property
    def is_synced(self) -> bool:
        """Whether it has a board, and a table without holes."""
        return self._is_open and self.session.synced

    def run_until(self, condition: Callable[[], object]) -> None:
        """Play the session until the condition holds. TimeoutError when it does not within DEADLINE_S."""
        end_s = time.monotonic() + DEADLINE_S
        while not condition():
            if time.monotonic() > end_s:
                raise TimeoutError(f"{self.session.state}; {self.lies}; {self.losses}")
            self.turn()

    def turn(self, limit_s: float = TURN_S) -> None:
        """Wait for one event, and let the session answer."""
        with suppress(queue.Empty):
            self._take(self._inbox.get(timeout=limit_s))
        data = self.session.data_to_send(_now_ms())
        if data:
            self._link.write(data)

    def _take(self, event: LinkEvent) -> None:
        match event:
            case Opened():
                self._is_open = True
                self.session.link_opened(_now_ms())
            case Lost(reason):
                self._is_open = False
                self.losses.append(reason)
                self.session.link_lost(_now_ms())
            case Chunk(data):
                for told in self.session.receive_data(data, _now_ms()):
                    self._keep(told)

    def _keep(self, told: Told) -> None:
        match told:
            case Changes(nonce, changes):
                now_s = time.perf_counter()
                for one in changes:
                    self.changes.append((one, now_s))
                    self.lies[one.sensor] = one.new
                self.session.acknowledge(changes[-1].number, nonce)
            case Snapshot(nonce, number, _, classes):
                self.lies = dict(enumerate(classes))
                self.session.acknowledge(number, nonce)
        self.lies = {sensor: lies for sensor, lies in self.lies.items() if lies}


def _now_ms() -> int:
    return int(time.monotonic() * 1000)
