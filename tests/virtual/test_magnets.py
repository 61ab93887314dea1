"""When a reading changes although nobody touches anything: a board that sleeps until then misses none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewire.virtual.magnets import Chatter, Magnets, Stuck
from tablewire.wire.messages import MagnetClass


@given(
    hz=st.integers(1, 200),
    since_ms=st.integers(0, 50),
    moves=st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(MagnetClass), st.integers(0, 60)), max_size=6
    ),
    press_ms=st.sampled_from([1, 8, 60]),
)
def test_looking_only_when_told_to_sees_what_looking_each_millisecond_sees(
    hz: int, since_ms: int, moves: list[tuple[int, MagnetClass, int]], press_ms: int
) -> None:
    magnets = Magnets(4)
    magnets.press_ms = press_ms
    magnets.break_sensor(3, Chatter(hz, since_ms), since_ms)
    magnets.break_sensor(2, Stuck(MagnetClass.S_WEAK), 0)
    now_ms = 60
    for sensor, magnet, wait_ms in moves:
        magnets.put(sensor, magnet, now_ms)
        end_ms = now_ms + wait_ms
        due_ms = now_ms
        seen = [MagnetClass.EMPTY] * 4
        while now_ms <= end_ms:
            now = [magnets.reading(one, now_ms) for one in range(4)]
            if now_ms == due_ms:
                seen = now
                due_ms = magnets.next_change_ms(now_ms) or end_ms + 1
                assert due_ms > now_ms
            assert seen == now
            now_ms += 1


@pytest.mark.parametrize("magnet", [MagnetClass.N_WEAK, MagnetClass.N_STRONG])
def test_at_rest_nothing_is_due(magnet: MagnetClass) -> None:
    magnets = Magnets(2)
    magnets.put(0, magnet, 0)
    assert magnets.next_change_ms(0) == magnets.press_ms
    assert magnets.next_change_ms(magnets.press_ms) is None
