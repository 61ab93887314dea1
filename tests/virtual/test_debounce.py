"""Debounce as tables of time and reading, replayed at ten scan rates, smooth and jumping."""

from __future__ import annotations

import pytest

from tablewire.virtual.debounce import SETTLE_MS, at_rest, debounce

SCAN_PERIODS_MS = (1, 2, 3, 4, 5, 6, 8, 11, 16, 22)  # 22 ms is the slowest the board was measured at

Segments = list[tuple[int, int]]  # (class, for so many ms)

# What lies over the sensor, and the classes believed one after another. A segment is either far longer than
# the settling time at every rate, or shorter than it.
TABLES: dict[str, tuple[Segments, list[int]]] = {
    "at rest": ([(0, 500)], []),
    "set down": ([(0, 100), (2, 400)], [2]),
    "set down and lifted": ([(0, 100), (2, 300), (0, 300)], [2, 0]),
    "bounces before it lies": ([(0, 100), (2, 4), (0, 4), (2, 4), (0, 4), (2, 400)], [2]),
    "only brushed": ([(0, 100), (2, 12), (0, 400)], []),
    "brushed again and again": ([(0, 100), *[(2, 12), (0, 60)] * 5, (0, 300)], []),
    "weak on its way to strong": ([(0, 100), (1, 8), (2, 400)], [2]),
    "slowly pressed": ([(0, 100), (1, 150), (2, 400)], [1, 2]),
    "replaced by the other pole": ([(2, 100), (4, 400)], [4]),
    "three readings of three kinds": ([(0, 100), (1, 9), (2, 9), (3, 9), (0, 300)], []),
}


def replay(segments: Segments, times_ms: list[int]) -> list[tuple[int, int]]:
    """What is believed after scans at these times: (when, class) of each change."""
    state = at_rest(segments[0][0])
    changes, before_ms = [], 0
    for now_ms in times_ms:
        raw = reading(segments, now_ms)
        after = debounce(state, raw, now_ms - before_ms)
        if after.stable != state.stable:
            changes.append((now_ms, after.stable))
        state, before_ms = after, now_ms
    return changes


def reading(segments: Segments, now_ms: int) -> int:
    """The class at a time; the last segment goes on."""
    for magnet, lasts_ms in segments:
        if now_ms < lasts_ms:
            return magnet
        now_ms -= lasts_ms
    return segments[-1][0]


@pytest.mark.parametrize("period_ms", SCAN_PERIODS_MS)
@pytest.mark.parametrize("table", TABLES)
def test_smooth_time(table: str, period_ms: int) -> None:
    """The same classes are believed at every scan rate."""
    segments, expected = TABLES[table]
    length_ms = sum(lasts_ms for _, lasts_ms in segments)
    changes = replay(segments, list(range(0, length_ms, period_ms)))
    assert [magnet for _, magnet in changes] == expected


@pytest.mark.parametrize("period_ms", SCAN_PERIODS_MS)
@pytest.mark.parametrize("table", TABLES)
def test_jumping_time(table: str, period_ms: int) -> None:
    """Scans that come late by up to 30 ms, now and then, believe the same."""
    segments, expected = TABLES[table]
    length_ms = sum(lasts_ms for _, lasts_ms in segments)
    times_ms, now_ms, scan = [], 0, 0
    while now_ms < length_ms:
        times_ms.append(now_ms)
        scan += 1
        now_ms += period_ms + (30 if scan % 7 == 0 else 0)
    assert [magnet for _, magnet in replay(segments, times_ms)] == expected


@pytest.mark.parametrize("period_ms", SCAN_PERIODS_MS)
def test_how_long_it_takes(period_ms: int) -> None:
    """At least the settling time after the landing, and at most four scans more, or three of the slowest."""
    ((when_ms, _),) = replay([(0, 101), (2, 400)], list(range(0, 500, period_ms)))
    assert SETTLE_MS <= when_ms - 101 <= SETTLE_MS + 2 * max(period_ms, 12)


def test_two_late_readings_alone_convince_nobody() -> None:
    """After a stalled scan, whatever the clock says, three readings must agree.

    Defence: one reading speaks for `READING_MAX_MS` at most; without that cap (tried) two are enough.
    """
    state = debounce(debounce(at_rest(0), 2, 500), 2, 500)
    assert state.stable == 0
    assert debounce(state, 2, 500).stable == 2


@pytest.mark.parametrize("hz", [26, 30, 40, 60, 100])
def test_fast_flicker_is_never_believed(hz: int) -> None:
    """Failure 16: half on, half off, faster than the settling time: nothing changes in 10 s.

    Defence: readings of the old class take the time back. If they only stopped the count, it would add up.
    """
    half_ms = 500 // hz
    assert (
        replay(
            [(2, 100), *[(0, half_ms), (2, half_ms)] * (10_000 // (2 * half_ms))], list(range(0, 10_000, 6))
        )
        == []
    )
