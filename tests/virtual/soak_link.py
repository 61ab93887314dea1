"""Ten thousand changes over a line that drops and flips bytes both ways: none lost, doubled or out of order.

Not part of the quick suite: `make soak` runs it on every board. TABLEWIRE_EVENTS=500 makes it shorter.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict

import pytest
from tests.virtual.bench_table import Meet

from tablewire.wire.observed import Changes

EVENTS = int(os.environ.get("TABLEWIRE_EVENTS", "10000"))
SENSORS = 201
AHEAD_MAX = 48
"""Changes that the hands are ahead of the host. The ring holds 128; its overflow is another test's matter."""
PACE_MS = 20
"""Between two changes, as long as the host keeps up: fifty a second, more than any table sees."""
STUCK_MS = 120_000


@pytest.mark.parametrize("seed", [1, 2])
def test_on_a_bad_line_no_change_is_lost_or_doubled(seed: int, met: Meet) -> None:
    bench = met(seed)
    bench.do(f"fault drop percent=1 seed={seed}", f"fault flip percent=1 seed={seed}")
    rng = random.Random(seed)
    made: dict[int, list[tuple[int, int]]] = defaultdict(list)
    told: dict[int, list[tuple[int, int]]] = defaultdict(list)
    numbers: list[int] = []
    made_count, progress_ms = 0, bench.now_ms
    while len(numbers) < EVENTS:
        if made_count < EVENTS and made_count - len(numbers) < AHEAD_MAX:
            sensor = made_count * 7 % SENSORS  # each rests for seconds before it changes again
            lies = made[sensor][-1][1] if made[sensor] else 0
            magnet = rng.choice([one for one in range(5) if one != lies])
            made[sensor].append((lies, magnet))
            made_count += 1
            bench.board.command(f"magnet {sensor} {magnet}")
        for one in bench.run(PACE_MS):
            for change in one.changes if isinstance(one, Changes) else ():
                numbers.append(change.number)
                told[change.sensor].append((change.old, change.new))
                progress_ms = bench.now_ms
        assert bench.now_ms - progress_ms < STUCK_MS, f"nothing came after {len(numbers)} changes"
    bench.run(2_000)
    assert numbers == list(range(1, EVENTS + 1))
    assert told == {sensor: changes for sensor, changes in made.items() if changes}
    assert bench.believed() == bench.lying()
    counters = bench.counters()
    assert counters["ring_overflows"] == 0
    assert counters["tx_retries"] > EVENTS // 100, "the line was not bad at all"
