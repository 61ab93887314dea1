"""One byte of a frame is wrong, in every field in turn, on its way through a BLE-UART module, both ways.

A change is told once for all that, and no more than its own frame is lost. Over a cable:
tests/system/test_flipped.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.links.kinds import OverBle
from tests.links.talk import Kept
from tests.system.test_flipped import BOTH_WAYS, MIN_BYTES, Damage, Once

from tablewire.wire.messages import Ack, Events

MTU = 185
"""A frame goes in one chunk, so that each of its bytes can be found."""
WAYS = {"on_the_way_to_host": Events.TYPE, "on_the_way_to_board": Ack.TYPE}


@pytest.fixture
def air() -> Iterator[OverBle]:
    made = OverBle("nus", MTU)
    yield made
    made.close()


@BOTH_WAYS
@pytest.mark.parametrize("way", WAYS)
def test_a_wrong_byte_on_the_radio_costs_a_moment(way: str, damage: Damage, air: OverBle) -> None:
    kept = Kept(air.link)
    try:
        kept.until(lambda: kept.session.synced)
        at, last, drops = 0, 0, kept.session.decoder.drops
        while at <= last:
            once = Once(WAYS[way], at, damage)
            setattr(air.bridge, way, once)
            air.do(f"magnet 180 {1 + at % 2}")
            kept.until(lambda: once.struck and kept.session.number > at)  # noqa: B023 - called at once
            assert kept.session.synced
            at, last = at + 1, once.last
        setattr(air.bridge, way, bytes)
        air.do("place red 6")
        kept.until(lambda: kept.session.number > at)
        assert last > MIN_BYTES
        assert kept.numbers == list(range(1, at + 2))
        assert kept.lost_count == 0
        assert drops.total() <= 2 * at, "frames after the damaged ones were lost as well"
    finally:
        kept.thread.close()
