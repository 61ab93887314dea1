"""Kind 33: one byte of a frame is wrong, in every field in turn, on its way to the host and to the board.

A change is told once for all that, and no more than its own frame is lost.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.system.conftest import NewRig
from tests.system.rig import Rig
from tests.system.sittings import assert_scored, lay, sat_down

from tablewire.wire.messages import Ack, Events

TOLD_MS = 2_000
"""A board says it again after 30 ms, then after twice that, and so on; a host that misses one asks."""
MIN_BYTES = 8
"""00, COBS, type, seq, ack, two bytes of checksum, 00; the payload comes on top."""

Damage = Callable[[int], int]
DAMAGES: dict[str, Damage] = {"flipped": lambda byte: byte ^ 0x55, "zero": lambda _: 0}
BOTH_WAYS = pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())


class Once:
    """Damages byte `at` of the first frame of a type that comes by. `last`: the number of its last byte."""

    def __init__(self, kind: int, at: int, damage: Damage) -> None:
        self._kind, self._at, self._damage = kind, at, damage
        self.struck, self.last = False, at

    def __call__(self, data: bytes) -> bytes:
        if self.struck:
            return data
        end = 0
        while (begin := data.find(b"\0", end)) >= 0 and (end := data.find(b"\0", begin + 1)) >= 0:
            # COBS leaves the type where it is: it is the first byte, and never zero.
            if end - begin > 2 and data[begin + 2] == self._kind:
                self.struck = True
                self.last = end - begin
                at = begin + self._at
                return data[:at] + bytes([self._damage(data[at])]) + data[at + 1 :]
            end += end - begin > 1
        return data


def change_a_sensor(rig: Rig, number: int) -> None:
    """A peg is put into its hole, or goes: a change that is no move."""
    rig.board.command(f"magnet 180 {2 if number % 2 else 0}")


@BOTH_WAYS
def test_a_wrong_byte_on_the_way_to_the_host_costs_a_moment(damage: Damage, new_rig: NewRig) -> None:
    rig = sat_down(new_rig)
    at, last = 0, 0
    while at <= last:
        before = rig.core.session.number
        once = rig.on_the_way_to_host = Once(Events.TYPE, at, damage)
        change_a_sensor(rig, at + 1)
        rig.until(lambda _: rig.core.session.number > before, TOLD_MS)  # noqa: B023 - called at once
        assert once.struck
        rig.run(100)
        assert rig.core.session.number == before + 1
        assert rig.core.session.synced
        at, last = at + 1, once.last
    assert last > MIN_BYTES
    assert rig.core.session.decoder.drops.total() <= 2 * at, "frames after the damaged ones were lost as well"
    lay(rig, 4)
    rig.run(2_000)
    assert_scored(rig, 5)


@BOTH_WAYS
def test_a_wrong_byte_on_the_way_to_the_board_costs_a_moment(damage: Damage, new_rig: NewRig) -> None:
    """An acknowledgement that comes to nothing: the board tells the change again, and the host drops it."""
    rig = sat_down(new_rig)
    at, last = 0, 0
    while at <= last:
        before = rig.core.session.number
        once = rig.on_the_way_to_board = Once(Ack.TYPE, at, damage)
        change_a_sensor(rig, at + 1)
        rig.until(lambda _: rig.core.session.number > before, TOLD_MS)  # noqa: B023 - called at once
        rig.run(200)
        assert once.struck
        assert rig.core.session.number == before + 1
        at, last = at + 1, once.last
    assert last > MIN_BYTES
    lay(rig, 4)
    rig.run(2_000)
    assert_scored(rig, 5)
