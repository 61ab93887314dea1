"""The players' thread of the demo, whatever they play: it reads the page's document and moves a hand.

Owns the thread, its pauses, how it ends, and how players begin the next game. Must not know any one game, nor
how players think. What a game needs besides is a subclass of `Sitting`.
"""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tablewire.daemon import Daemon
from tablewire.errors import BoardError, StoreError, UserError
from tablewire.run import RunningTable, Say
from tablewire.virtual.remote import Hand
from tablewire.web.feed import Feed

JOIN_LIMIT_S = 6.0
"""A little more than the longest wait of the players' thread once everything else is closed: an action's."""
DONE = 200
"""The status of an action that was done."""

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DemoWanted:
    """What the command line asks for. `pace`: seconds a player thinks, 0 for as fast as the table reads."""

    data: Path | None
    host: str
    http_port: int
    header: dict[str, Any]
    new: bool
    seed: int | None
    pace: float
    once: bool
    capture: Path | None = None


class Sitting(threading.Thread, ABC):
    """The players' thread. `failed`: why it ended before it was to."""

    def __init__(
        self,
        table: RunningTable,
        hand: Hand,
        wanted: DemoWanted,
        seed: int,
        stop: threading.Event,
        say: Say,
    ) -> None:
        super().__init__(name="players", daemon=True)
        self.failed: Exception | None = None
        self._feed: Feed = table.feed
        self._daemon: Daemon = _started(table)
        self._hand = hand
        self._wanted = wanted
        self._seed = seed
        self._stop_event = stop
        self._say = say
        self._moods = Random(seed)  # noqa: S311 - how long somebody thinks

    def run(self) -> None:
        """Set the table up and play."""
        try:
            document = self._newest()
            if document["phase"] == "over":
                self._go_on(document)
                document = self._newest()
            self._set_up(document)
            self._hand.do(["plug"])
            self._play()
        except (BoardError, StoreError, UserError, TimeoutError) as exc:
            # Whatever breaks once we are stopping breaks because we are.
            if not self._stop_event.is_set():
                self.failed = exc if not isinstance(exc, TimeoutError) else StoreError(str(exc))
        except Exception as exc:
            self.failed = exc

    def leave(self) -> None:
        """Wait for the thread, which ends soon after its hand is closed."""
        self._stop_event.set()
        self._hand.close()
        self.join(JOIN_LIMIT_S)

    @abstractmethod
    def _set_up(self, document: Mapping[str, Any]) -> None:
        """Lay on the bare board what the document shows, which nobody can read yet."""

    @abstractmethod
    def _play(self) -> None:
        """Play until the stop, or to the end of a game with `once`."""

    def _newest(self) -> Document:
        newest = self._feed.current()
        document: Document = json.loads(newest.body(None)) if newest is not None else {}
        return document

    def _think(self, paces: float) -> None:
        self._stop_event.wait(self._wanted.pace * paces * self._moods.uniform(0.6, 1.4))

    def _do(self, lines: Iterable[str]) -> list[str]:
        """Give the board commands; their answers."""
        return self._hand.do(list(lines))

    def _go_on(self, document: Mapping[str, Any]) -> None:
        """The next round of a match, or the next game, as an operator begins it."""
        if document["actions"].get("next_round"):
            answer = self._daemon.act("next_round", {})
        else:
            answer = self._daemon.act("new_game", self._wanted.header)
        if answer.status != DONE:
            raise StoreError(f"the next game cannot begin: {answer.body.get('text', answer.status)}")


def _started(table: RunningTable) -> Daemon:
    if table.daemon is None:
        raise RuntimeError("the table has no daemon")
    return table.daemon
