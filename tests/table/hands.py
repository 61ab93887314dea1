"""Messy hands as sensor changes in device time, and three ways for a host to hear of them.

Owns gestures and the telling of them. Knows nothing of how a table reads them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablewire.entries import Entry
from tablewire.games.catalogue import playable
from tablewire.games.live import Refusal, Told
from tablewire.table import Table, restore
from tablewire.wire.observed import Changes, Complete, Observation, SensorChange, SensorId, Snapshot

NONCE = 77
SPACES = 165
SENSORS = SPACES + 36
MAGNET = {"red": 2, "green": 4, "purple": 1, "yellow": 3}
WEAK_OF = {2: 1, 4: 3}
GROWTH_MS = 1_500
NUDGE_REST_MS = 400
"""Between two nudges of one magnet: more would be a sensor that flickers."""


@dataclass
class Hands:
    """A script of sensor changes: (device time, sensor, class), in any order until `take` sorts them.

    `on` says which magnet lies on each space when the script is over, `down` since when.
    """

    rng: random.Random
    script: list[tuple[int, int, int]] = field(default_factory=list)
    on: dict[int, int] = field(default_factory=dict)
    down: dict[int, int] = field(default_factory=dict)
    classes: list[int] = field(default_factory=lambda: [0] * SENSORS)
    number: int = 0
    busy: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def put(self, at_ms: int, space: int, magnet: int) -> None:
        """A space reads a class."""
        self.script.append((at_ms, space - 1, magnet))

    def land(self, at_ms: int, colour: str, space: int) -> int:
        """A magnet comes down; strong ones may read weak first, any may bounce. When it is down for good."""
        magnet, rng = MAGNET[colour], self.rng
        self.on[space], self.down[space] = magnet, at_ms
        if magnet in WEAK_OF and rng.random() < 0.3:
            self.put(at_ms, space, WEAK_OF[magnet])
            at_ms += rng.randint(5, 90)
        self.put(at_ms, space, magnet)
        if rng.random() < 0.15:
            for read in (0, magnet):
                at_ms += rng.randint(20, 60)
                self.put(at_ms, space, read)
        self.busy[space] = at_ms + 1
        return at_ms

    def lay(self, at_ms: int, colour: str, spaces: Iterable[int], slow: float = 0.3) -> int:
        """A piece comes down magnet by magnet: within a settle time, or as slowly as growth allows."""
        order = list(spaces)
        self.rng.shuffle(order)
        begun_ms = end_ms = at_ms
        for step, space in enumerate(order):
            if step:
                low, high = (601, GROWTH_MS) if self.rng.random() < slow else (0, 550)
                at_ms = max(end_ms, begun_ms + self.rng.randint(low, high))
                begun_ms = at_ms
            end_ms = self.land(at_ms, colour, space)
        return end_ms

    def lift(self, at_ms: int, spaces: Iterable[int]) -> int:
        """Magnets go one after another, perhaps reading weak once more. When the last one has gone."""
        for space in spaces:
            at_ms = max(at_ms, self.busy[space])
            magnet = self.on.pop(space)
            if magnet in WEAK_OF and self.rng.random() < 0.3:
                self.put(at_ms, space, WEAK_OF[magnet])
                at_ms += self.rng.randint(5, 60)
            self.put(at_ms, space, 0)
            self.busy[space] = at_ms + 1
            at_ms += self.rng.choice([0, 0, 30, 100, 300])
        return at_ms

    def nudge(self, at_ms: int, space: int) -> None:
        """A magnet that lies there goes for 20 to 800 ms and comes back."""
        if at_ms < max(self.busy[space], self.down[space] + 1):
            return
        magnet, rng = self.on[space], self.rng
        weak = magnet in WEAK_OF and rng.random() < 0.4
        if weak:
            self.put(at_ms, space, WEAK_OF[magnet])
            at_ms += rng.randint(5, 40)
        self.put(at_ms, space, 0)
        at_ms += rng.randint(20, 800)
        if weak:
            self.put(at_ms, space, WEAK_OF[magnet])
            at_ms += rng.randint(5, 40)
        self.put(at_ms, space, magnet)
        self.busy[space] = at_ms + NUDGE_REST_MS

    def take(self) -> list[SensorChange]:
        """The script as the board would tell it; then it is empty."""
        found: list[SensorChange] = []
        for at_ms, sensor, new in sorted(self.script, key=lambda row: row[0]):
            if self.classes[sensor] != new:
                self.number += 1
                old, self.classes[sensor] = self.classes[sensor], new
                found.append(SensorChange(self.number, SensorId(sensor), old, new, at_ms))
        self.script.clear()
        return found


@dataclass
class Feed:
    """One table, and everything its journal would hold."""

    pinned: dict[str, Any]
    table: Table = field(init=False)
    kept: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.table = Table.begin(self.pinned)
        self.tell(Snapshot(NONCE, 0, 0, bytes(SENSORS)))

    def tell(self, observation: Observation) -> None:
        """Take in an observation."""
        self.table, entries = self.table.observe(observation)
        self.kept += entries

    def act(self, name: str, body: Mapping[str, Any]) -> Refusal | None:
        """An operator's action; the refusal, if it is one."""
        answer = self.table.act(name, body)
        if isinstance(answer, Refusal):
            return answer
        assert not isinstance(answer, Told), "this asks for something to be done"
        self.table, entries = self.table.enter(answer)
        self.kept += entries
        return None

    def after(self, choice: str) -> dict[str, Any]:
        """The document as it would be after a choice."""
        answer = self.table.act("choose", {"id": choice})
        assert isinstance(answer, tuple), "a choice that is shown is open"
        return self.table.enter(answer)[0].document()

    def restored(self) -> Table:
        """The table after a restart."""
        return restore(self.pinned, self.kept)

    def wait(self, until_ms: int) -> None:
        """The board says that it is quiet whenever something may be due."""
        while (due_ms := self.table.next_deadline_ms()) is not None and due_ms <= until_ms:
            self.tell(Complete(NONCE, due_ms))


Telling = Callable[[Feed, Sequence[SensorChange], int], None]


def one_by_one(feed: Feed, changes: Sequence[SensorChange], until_ms: int) -> None:
    """Each change as it happens, and the board's word whenever something may be due."""
    for change in changes:
        feed.wait(change.device_ms)
        feed.tell(Changes(NONCE, (change,)))
    feed.wait(until_ms)
    feed.tell(Complete(NONCE, until_ms))


def late_and_at_once(feed: Feed, changes: Sequence[SensorChange], until_ms: int) -> None:
    """Everything in one batch, when all is over."""
    if changes:
        feed.tell(Changes(NONCE, tuple(changes)))
    feed.tell(Complete(NONCE, until_ms))


def in_batches(rng: random.Random) -> Telling:
    """Batches of up to 16, with heartbeats at random moments in between."""

    def tell(feed: Feed, changes: Sequence[SensorChange], until_ms: int) -> None:
        rows = list(changes)
        while rows:
            count = rng.randint(1, 16)
            batch, rows = rows[:count], rows[count:]
            feed.tell(Changes(NONCE, tuple(batch)))
            next_ms = rows[0].device_ms if rows else until_ms
            moments = sorted(rng.randint(batch[-1].device_ms, next_ms) for _ in range(rng.randint(0, 2)))
            for at_ms in moments:
                feed.tell(Complete(NONCE, at_ms))
        feed.tell(Complete(NONCE, until_ms))

    return tell


def pinned(players: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """What a game is begun with."""
    game = playable("cirkis")
    header = {"record": 1, "game": "cirkis", "players": list(players), "options": dict(options)}
    return {"header": game.pin(header), "rules_version": game.rules_version, "lying": None}


def laid(doc: Mapping[str, Any]) -> list[tuple[str, list[int]]]:
    """The pieces of the document, oldest first."""
    return [(str(piece["player"]), sorted(piece["spaces"])) for piece in doc["laid"]]
