"""Every fault at any moment, in any company: when all are over, the host knows what lies there."""

from __future__ import annotations

import random

import pytest
from tests.virtual.bench_table import Bench, Meet

SETTINGS = {
    "drop": ("percent=1", "percent=10"),
    "flip": ("percent=1", "percent=10"),
    "insert": ("percent=3",),
    "duplicate": ("percent=40",),
    "reorder": ("percent=40",),
    "mute": ("to=host", "to=board", "to=both"),
    "deaf": ("ms=700",),
    "boot-text": ("",),
    "reset-on-open": ("ms=400",),
    "cut": ("after=7 ms=300", "after=900 ms=300"),
    "mtu": ("n=23", "n=185"),
    "cut-chunk": ("count=6",),
    "noise": ("bytes=900 to=both", "bytes=300 kind=nonzero to=both"),
    "stale-snapshot": ("count=3",),
    "slow-press": ("ms=60",),
}
TURNS = 30
SENSORS = 201
LOOK_MS = 50
RECOVERED_MS = 5_000
"""Three seconds until silence is noticed, and what was held up."""


class Weather:
    """A bench whose host opens the port again whenever it is back."""

    def __init__(self, bench: Bench, rng: random.Random) -> None:
        self.bench = bench
        self._rng = rng
        self._open = True

    def run(self, ms: int) -> None:
        """Let time pass; the host notices within 50 ms that the port has gone or come."""
        for _ in range(0, ms, LOOK_MS):
            self.bench.run(LOOK_MS)
            plugged = self.bench.board.plugged
            if plugged and not self._open:
                self.bench.open()
            elif self._open and not plugged:
                self.bench.session.link_lost(self.bench.now_ms)
            self._open = plugged

    def blow(self) -> None:
        """One thing goes wrong, or right again, while magnets come and go."""
        rng, name = self._rng, self._rng.choice(list(SETTINGS))
        line = rng.choice(
            (
                f"fault {name} {rng.choice(SETTINGS[name])}",
                f"fault {name} {rng.choice(SETTINGS[name])}",
                f"fault off {name}",
                rng.choice(("reset", "unplug", "plug", f"sensor {rng.randrange(SENSORS)} chatter 12")),
            )
        )
        self.bench.board.command(line)
        for _ in range(rng.randrange(12)):
            self.bench.board.command(f"magnet {rng.randrange(SENSORS)} {rng.randrange(5)}")
        self.run(rng.choice((0, 100, 300, 1_500)))

    def clear(self) -> None:
        """Everything is mended and plugged in."""
        for name in SETTINGS:
            self.bench.board.command(f"fault off {name}")
        for sensor in range(SENSORS):
            self.bench.board.command(f"sensor {sensor} ok")
        self.bench.board.command("plug")


@pytest.mark.parametrize("seed", range(2))
def test_after_any_storm_the_host_knows_what_lies_there(seed: int, met: Meet) -> None:
    """And was told nothing twice or with a hole, all the while."""
    bench = met(seed)
    weather = Weather(bench, random.Random(seed))
    for _ in range(TURNS):
        weather.blow()
    weather.clear()
    weather.run(RECOVERED_MS)
    assert bench.session.synced
    assert bench.lying()
    assert bench.believed() == bench.lying()
    bench.assert_nothing_lost_or_doubled()
