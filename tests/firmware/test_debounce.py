"""One table of what the debounce believes, for the firmware's rule and the simulated board's."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.firmware.native import ROOT, Codec

from tablewire.virtual.debounce import at_rest, debounce

TABLE: dict[str, Any] = json.loads((ROOT / "tests" / "vectors" / "debounce.json").read_text(encoding="utf-8"))
READING_MAX_MS = 10
JUMP_PERIODS_MAX = 3

Believe = Callable[[list[tuple[int, int]], int], list[int]]


def simulated(readings: list[tuple[int, int]], settle_ms: int) -> list[int]:
    """The simulated board's rule."""
    state, believed = at_rest(0), []
    for raw, elapsed_ms in readings:
        state = debounce(state, raw, elapsed_ms, settle_ms)
        believed.append(state.stable)
    return believed


@pytest.fixture(scope="module", params=["firmware", "simulated"])
def believe(request: pytest.FixtureRequest) -> Iterator[Believe]:
    if request.param == "simulated":
        yield simulated
        return
    codec = Codec()
    yield codec.debounce
    codec.close()


def scan_times(scan_hz: int, jumping: bool, end_ms: int) -> list[int]:
    """When the scans end, in whole milliseconds as the board counts them."""
    rng = random.Random(scan_hz)
    times, scan = [], 0
    while scan * 1000 // scan_hz < end_ms:
        times.append(scan * 1000 // scan_hz)
        scan += rng.randint(1, JUMP_PERIODS_MAX) if jumping else 1
    return times


def read_at(inputs: list[list[int]], ms: int) -> int:
    """What the sensor reads."""
    return next((one for since_ms, one in reversed(inputs) if since_ms <= ms), 0)


# A magnet that bounces faster than the scan may look like one that lies still: such a case is for fast scans.
REPLAYS = [
    pytest.param(case, scan_hz, jumping, id=f"{case['name']}-{scan_hz}-{'jumping' if jumping else 'even'}")
    for case in TABLE["cases"]
    for scan_hz in TABLE["scan_hz"]
    for jumping in (False, True)
    if scan_hz >= case.get("least_hz", 0) * (JUMP_PERIODS_MAX if jumping else 1)
]


@pytest.mark.parametrize(("case", "scan_hz", "jumping"), REPLAYS)
def test_a_class_is_believed_when_it_has_settled(
    believe: Believe, case: dict[str, Any], scan_hz: int, jumping: bool
) -> None:
    gap_ms = -(-1000 * (JUMP_PERIODS_MAX if jumping else 1) // scan_hz)
    times = scan_times(scan_hz, jumping, case["end_ms"])
    readings = [
        (read_at(case["inputs"], ms), ms - before) for before, ms in zip([0, *times], times, strict=False)
    ]
    believed = believe(readings, case["settle_ms"])
    changes = [
        (ms, old, new) for ms, old, new in zip(times, [0, *believed], believed, strict=False) if old != new
    ]
    settle_ms = case["settle_ms"]
    allowed_ms = gap_ms + max(settle_ms + gap_ms, -(-settle_ms // READING_MAX_MS) * gap_ms)
    assert [(old, new) for _, old, new in changes] == [(old, new) for _, old, new in case["changes"]]
    for (ms, _, _), (earliest_ms, _, _) in zip(changes, case["changes"], strict=True):
        assert earliest_ms <= ms <= earliest_ms - settle_ms + allowed_ms


@pytest.mark.parametrize("case", TABLE["readings"], ids=lambda case: case["name"])
def test_each_reading_counts_for_its_time(believe: Believe, case: dict[str, Any]) -> None:
    readings = [(raw, elapsed_ms) for raw, elapsed_ms, _ in case["rows"]]
    assert believe(readings, case["settle_ms"]) == [believed for _, _, believed in case["rows"]]
