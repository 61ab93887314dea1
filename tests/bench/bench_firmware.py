"""The figures of the firmware, from the cycles of the simulated chip: they repeat exactly.

    python -m tests.bench.bench_firmware

Prints each figure with its limit and ends with 1 when one is missed.
"""

from __future__ import annotations

import random
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from tests.twin.desk import Desk

from tablewire.games.cirkis.wiring import SENSOR_COUNT
from tablewire.twin.chip import BUILD_FOLDER
from tablewire.wire.frame import Sender
from tablewire.wire.messages import HostMessage, MagnetClass, RawReq, SnapshotReq, StatusReq

CLOCK_HZ = 16_000_000
ADC_LIMIT_HZ = CLOCK_HZ / 32 / 13 / SENSOR_COUNT
"""One conversion after the other, 13 clocks of the converter each, of 32 cycles each."""
DEBOUNCE_MS = 20
SEED = 1
STRONG_COUNTS = 248
QUIET_US = (40_000, 80_000)
"""Between two changes: a scan takes 6 ms, so that every moment of it comes up."""
PLACEMENTS = 200
CROWD, CROWDS = 100, 20
FLOOD_BYTES = 2000
FLOODS = 20

SCAN_SHARE_MIN = 0.80
LATENCY_MAX_MS = DEBOUNCE_MS + 15
CROWD_MAX_MS = 50
SETTLE_MIN_US = 20
"""Ten times what a long wire without a capacitor was seen to need."""
IRQ_OFF_MAX_US = 20
"""A byte at 500 kbaud; the chip keeps two more."""
STACK_FREE_MIN_BYTES = 1024
"""Several times what the deepest call with the deepest interrupt takes."""


@dataclass(frozen=True)
class Figure:
    """One line of the table; `limit` says in words what `holds` tells."""

    name: str
    value: str
    limit: str
    holds: bool


def measure_scan(desk: Desk) -> Iterator[Figure]:
    """Scans of a quiet table with a host that listens, over ten seconds."""
    desk.chip.figures(reset=True)
    desk.run(10_000_000)
    figures = desk.chip.figures()
    scans_hz = figures["scans"] / (figures["cycles"] / CLOCK_HZ)
    share = scans_hz / ADC_LIMIT_HZ
    yield Figure(
        "full scans a second",
        f"{scans_hz:.1f}, {share:.1%} of the converter's {ADC_LIMIT_HZ:.1f}",
        f"at least {SCAN_SHARE_MIN:.0%}",
        share >= SCAN_SHARE_MIN,
    )
    asleep = figures["asleep_cycles"] / figures["cycles"]
    yield Figure("asleep", f"{asleep:.1%} of the time", "none", True)


def measure_placements(desk: Desk) -> Iterator[Figure]:
    """From the moment a magnet lands to the last bit of its EVENTS, at random moments of the scan."""
    draw = random.Random(SEED)
    latencies_ms: list[float] = []
    for _ in range(PLACEMENTS):
        sensor = draw.randrange(SENSOR_COUNT)
        desk.run(draw.randrange(*QUIET_US))
        begun_us, seen = desk.chip.now_us, len(desk.sent)
        north = draw.random() < 0.5
        desk.chip.field(sensor, STRONG_COUNTS if north else -STRONG_COUNTS)
        at_us, events = desk.wait_for_events(seen)
        latencies_ms.append((at_us - begun_us) / 1000)
        landed = MagnetClass.N_STRONG if north else MagnetClass.S_STRONG
        assert [(row.sensor, row.classes) for row in events.rows] == [(sensor, landed)]
        desk.run(draw.randrange(*QUIET_US))
        desk.chip.field(sensor, 0)
    worst_ms = max(latencies_ms)
    yield Figure(
        f"placement to EVENTS on the wire, of {PLACEMENTS}",
        f"median {statistics.median(latencies_ms):.1f} ms, worst {worst_ms:.1f} ms",
        f"{DEBOUNCE_MS} ms of debounce + {LATENCY_MAX_MS - DEBOUNCE_MS} ms",
        worst_ms <= LATENCY_MAX_MS,
    )


def measure_crowd(desk: Desk) -> Iterator[Figure]:
    """Many magnets land in the same instant, and are lifted in the same instant."""
    worst_us = 0
    draw = random.Random(SEED)
    crowd = [2 * index for index in range(CROWD)]
    for counts in (STRONG_COUNTS, 0, -STRONG_COUNTS, 0) * (CROWDS // 4):
        desk.run(draw.randrange(*QUIET_US))
        begun_us, seen = desk.chip.now_us, len(desk.told)
        for sensor in crowd:
            desk.chip.field(sensor, counts)
        desk.wait_for_told(seen + CROWD)
        assert sorted(sensor for _, sensor in desk.told[seen:]) == crowd
        worst_us = max(worst_us, desk.told[-1][0] - begun_us)
    yield Figure(
        f"{CROWD} sensors at once, the last one delivered",
        f"{worst_us / 1000:.1f} ms",
        f"at most {CROWD_MAX_MS} ms",
        worst_us <= 1000 * CROWD_MAX_MS,
    )


def flood() -> bytes:
    """Requests that all want an answer, longer than the line can answer at once."""
    sender = Sender()
    wanted: list[HostMessage] = [StatusReq(), SnapshotReq(), RawReq(1, 0, 56)]
    data = b""
    while len(data) < FLOOD_BYTES:
        for message in wanted:
            data += sender.encode(message.TYPE, message.encode())
    return data


def measure_worst(desk: Desk) -> Iterator[Figure]:
    """Interrupts, settling, stack and losses over all of the above and a line that is full both ways."""
    data = flood()
    for _ in range(FLOODS):
        desk.chip.rx(data)
        desk.run(40_000)
    figures = desk.chip.figures()
    irq_off_us = figures["irq_off_max_us"]
    settle_us, lost, stack = figures["settle_min_us"], figures["rx_overruns"], figures["stack_free"]
    yield Figure(
        "worst time with interrupts off",
        f"{irq_off_us:.1f} us",
        f"at most {IRQ_OFF_MAX_US} us",
        irq_off_us <= IRQ_OFF_MAX_US,
    )
    yield Figure(
        "a multiplexer settles before it is read",
        f"{settle_us:.1f} us",
        f"at least {SETTLE_MIN_US} us",
        settle_us >= SETTLE_MIN_US,
    )
    yield Figure("received bytes the UART lost", str(lost), "0", lost == 0)
    yield Figure(
        "RAM the stack never reached",
        f"{stack} bytes",
        f"at least {STACK_FREE_MIN_BYTES} bytes",
        stack >= STACK_FREE_MIN_BYTES,
    )


def measure_sizes(board: str = "tablewire") -> Iterator[Figure]:
    """What the build measures and limits, of one of its boards."""
    built = subprocess.run(
        ["make", "--no-print-directory", "-C", str(BUILD_FOLDER.parent)], capture_output=True, text=True
    )
    sizes = rf"{board}: flash (\d+) of at most (\d+) bytes, static RAM (\d+) of at most (\d+) bytes"
    found = re.search(sizes, built.stdout)
    assert found is not None, built.stderr
    flash, flash_max, ram, ram_max = map(int, found.groups())
    yield Figure("flash", f"{flash} bytes", f"at most {flash_max} bytes", flash <= flash_max)
    yield Figure("static RAM", f"{ram} bytes", f"at most {ram_max} bytes", ram <= ram_max)


def main() -> int:
    """Print the table; 1 when a limit is missed."""
    figures = list(measure_sizes())
    desk = Desk(SEED)
    desk.run(1_000_000)
    assert desk.session.synced, "the board was not found"
    for measure in (measure_scan, measure_placements, measure_crowd, measure_worst):
        figures += measure(desk)
    desk.chip.close()
    for figure in figures:
        verdict = "ok" if figure.holds else "MISSED"
        print(f"{figure.name:44}  {figure.value:42}  {figure.limit:30}  {verdict}")
    return 0 if all(figure.holds for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
