"""How long a table takes to understand what lies on it, against the time that people and the board leave it.

A whole game of four is laid magnet by magnet in the board's time, then the table is swept; and pieces laid
while nobody watched, with one of the game's gone, are accepted. CPU time of one process, each with its limit.
"""

from __future__ import annotations

import random
from time import process_time

from tests.table.hands import MAGNET, NONCE, SENSORS, Feed, pinned

from tablewire.games.cirkis.wiring import sensor_of
from tablewire.games.live import Told
from tablewire.wire.observed import Changes, Complete, SensorChange, Snapshot

PLAYERS = ("red", "green", "purple", "yellow")
MOVE_MS = 2_600
MAGNET_MS = 120
SPEED_AIM = 20.0
"""Board time per CPU time: a computer a tenth as fast still keeps up with twice the hands."""
LOOK_LIMIT_MS = 60.0
"""The daemon asks the board for its time so often, and composes a document for each answer."""
ACCEPT_LIMIT_MS = 250.0
"""Nobody notices a wait so short, and the link's own patience is longer."""


class Laying:
    """One table, and hands that lay legal pieces drawn from `rng`."""

    def __init__(self, rng: random.Random) -> None:
        self.feed = Feed(pinned(PLAYERS, {"target": 1_000}))
        self.rng, self.now_ms, self.number = rng, 1_000, 0
        self.classes = bytearray(SENSORS)

    def tell(self, space: int, new: int) -> None:
        """One magnet comes or goes."""
        self.now_ms += MAGNET_MS
        self.number += 1
        sensor = sensor_of(space)
        change = SensorChange(self.number, sensor, self.classes[sensor], new, self.now_ms)
        self.classes[sensor] = new
        self.feed.tell(Changes(NONCE, (change,)))
        self.feed.table.document()

    def rest(self, ms: int) -> None:
        """Nothing happens, and the board says so whenever something may be due."""
        self.feed.wait(self.now_ms + ms)
        self.now_ms += ms
        self.feed.tell(Complete(NONCE, self.now_ms))
        self.feed.table.document()

    def drawn(self) -> tuple[str, list[int]] | None:
        """Who lays what next; None when the game is over."""
        legal = self.feed.table.legal()
        if not legal["placements"]:
            return None
        return legal["player"], self.rng.choice(legal["placements"])["spaces"]


def play(laying: Laying) -> int:
    """Lay a whole game; how many pieces."""
    moves = 0
    while (drawn := laying.drawn()) is not None:
        player, spaces = drawn
        for space in spaces:
            laying.tell(space, MAGNET[player])
        laying.rest(MOVE_MS)
        moves += 1
        message = laying.feed.table.document()["message"]
        if message is not None and message["choices"]:
            laying.feed.act("choose", {"id": message["choices"][0]["id"]})
    return moves


def swept_look_ms(laying: Laying) -> float:
    """The table is swept, magnet by magnet; CPU time of one look and its document, at worst."""
    worst_ms = 0.0
    spaces = sorted(map(int, laying.feed.table.document()["spaces"]))
    for space in [*spaces, None]:
        begun = process_time()
        if space is None:
            laying.now_ms += MOVE_MS
            laying.feed.tell(Complete(NONCE, laying.now_ms))
            laying.feed.table.document()
        else:
            laying.tell(space, 0)
        worst_ms = max(worst_ms, (process_time() - begun) * 1_000)
    return worst_ms


def accepted_round_ms(seed: int) -> float:
    """Of ten pieces six are the game's, and one of those is gone; CPU time to say what the table would be."""
    laying, shadow = Laying(random.Random(seed)), Laying(random.Random(seed))
    gone: list[int] = []
    for moves in range(10):
        drawn = shadow.drawn()
        if drawn is None:
            break
        gone = drawn[1] if moves == 2 else gone
        for one in (shadow, laying) if moves < 6 else (shadow,):
            for space in drawn[1]:
                one.tell(space, MAGNET[drawn[0]])
            one.rest(MOVE_MS)
    for space in gone:
        shadow.tell(space, 0)
    laying.feed.tell(Snapshot(NONCE + 1, 0, 10, bytes(shadow.classes)))
    laying.feed.tell(Complete(NONCE + 1, 20_000))
    begun = process_time()
    answer = laying.feed.table.act("accept", {"preview": True})
    took_ms = (process_time() - begun) * 1_000
    if not isinstance(answer, Told):
        raise SystemExit(f"seed {seed}: there is nothing to accept: {answer}")
    return took_ms


def main() -> None:
    """Print each figure with the limit it is held against."""
    laying = Laying(random.Random(4))
    begun = process_time()
    moves = play(laying)
    speed = laying.now_ms / 1_000 / (process_time() - begun)
    print(f"a game of {moves} moves: {speed:,.0f} x real time (aim: {SPEED_AIM:.0f})")
    look_ms = swept_look_ms(laying)
    print(
        f"one look at a table being swept: {look_ms:.1f} ms at worst, "
        f"{LOOK_LIMIT_MS / look_ms:.1f} x as quick as the limit"
    )
    accept_ms = max(accepted_round_ms(seed) for seed in range(12))
    print(f"a table to accept: {accept_ms:.0f} ms at worst, {ACCEPT_LIMIT_MS / accept_ms:.1f} x as quick")


if __name__ == "__main__":
    main()
