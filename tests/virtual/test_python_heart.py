"""What only the Python firmware can be asked: its clock can begin anywhere."""

from __future__ import annotations

from functools import partial

from tests.virtual.bench_table import meet

from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.python_heart import PythonHeart


def test_the_device_clock_wraps_unnoticed() -> None:
    """49.7 days after boot, stamps go on rising."""
    bench = meet(VirtualBoard(1, heart=partial(PythonHeart, device_start_ms=2**32 - 1000)))
    bench.do("place red 6", "wait 1500", "lift 6", rest_ms=1200)
    stamps = [change.device_ms for change in bench.changes()]
    assert stamps[0] < 2**32 < stamps[1]
    assert 1500 <= stamps[1] - stamps[0] <= 1530
