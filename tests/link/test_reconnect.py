"""When a lost or refused link is tried again, read off the table and lived through."""

from __future__ import annotations

import random
from itertools import accumulate, pairwise

import pytest

from tablewire.link.faults import Cause
from tablewire.link.reconnect import (
    AT_ONCE,
    BUSY,
    BY_CAUSE,
    FLAPPING,
    FORBIDDEN,
    HANGS,
    OFF,
    REPLUG,
    SILENT,
    STEADY_S,
    TABLE,
    TAKEN,
    Delay,
    Event,
    Reconnect,
    State,
)

EVENTS: tuple[Event | Cause, ...] = (*Event, *Cause)
CANNOT_BE = {
    # What is not open cannot be given up, nor lost after it was good.
    *((state, event) for state in (State.CLOSED, State.LOST) for event in (Event.LOST, Event.GIVEN_UP)),
    # What is open is not opened, so nothing refuses it.
    *((State.OPEN, event) for event in (Event.OPENED, *Cause)),
}

DELAYS = sorted({delay for _, delay in TABLE.values()}, key=lambda delay: delay.name)


def test_every_event_in_every_state_has_a_row_or_cannot_be() -> None:
    every = {(state, event) for state in State for event in EVENTS}
    assert set(TABLE) == every - CANNOT_BE


@pytest.mark.parametrize(("state", "event"), sorted(CANNOT_BE, key=str))
def test_what_cannot_be_is_an_error_and_not_passed_over(state: State, event: Event | Cause) -> None:
    with pytest.raises(KeyError):
        TABLE[state, event]


def test_only_opening_leads_to_open_and_every_other_event_away_from_it() -> None:
    for (_, event), (after, _) in TABLE.items():
        assert (after is State.OPEN) is (event is Event.OPENED)


def test_the_delays_are_in_the_order_in_which_a_person_waits() -> None:
    first = [delay.first_s for delay in (AT_ONCE, REPLUG, BUSY, OFF, TAKEN, SILENT)]
    assert first == sorted(first)
    caps = [delay.cap_s for delay in (AT_ONCE, REPLUG, BUSY, FORBIDDEN, HANGS, TAKEN, OFF, SILENT)]
    assert caps == sorted(caps)
    # A board that is plugged in is found within a second; nothing is left alone for more than a minute.
    assert BY_CAUSE[Cause.ABSENT].cap_s <= 1
    assert max(delay.cap_s for delay in DELAYS) <= 60
    assert set(BY_CAUSE) == set(Cause)


@pytest.mark.parametrize("delay", DELAYS, ids=lambda delay: delay.name)
def test_a_delay_doubles_to_its_cap_and_stays_there(delay: Delay) -> None:
    waits = [delay.after(count, lambda: 0.0) for count in (*range(20), 10**9)]
    assert waits[0] == delay.first_s
    assert waits[-1] == delay.cap_s
    assert all(later == min(2 * earlier, delay.cap_s) for earlier, later in pairwise(waits[:-1]))
    hurried = [delay.after(count, lambda: 0.999) for count in range(20)]
    assert all(w * (1 - delay.jitter) <= h <= w for w, h in zip(waits, hurried, strict=False))


def test_two_that_wait_for_the_same_radio_do_not_keep_step() -> None:
    one, other = (Reconnect(random.Random(seed).random) for seed in (1, 2))
    waits = [(one.refused(Cause.TAKEN), other.refused(Cause.TAKEN)) for _ in range(6)]
    assert all(a != b for a, b in waits)


def test_a_board_that_was_good_is_tried_at_once_and_its_new_port_within_a_second() -> None:
    link = Reconnect(lambda: 0.0)
    link.opened(10.0)
    assert link.lost(10.0 + STEADY_S) == 0
    settling = [link.refused(cause) for cause in (Cause.ABSENT, Cause.FORBIDDEN, Cause.BUSY) * 10]
    assert settling[0] == 0.1
    assert max(settling) == 1.0
    link.opened(50.0)
    assert link.state is State.OPEN


def test_a_loose_plug_slows_down_and_a_good_hour_forgives_it() -> None:
    link, waits = Reconnect(lambda: 0.0), []
    for turn in range(10):
        link.opened(float(turn))
        waits.append(link.lost(turn + 0.1))
    assert waits[0] == FLAPPING.first_s
    assert waits[-1] == FLAPPING.cap_s
    link.opened(100.0)
    assert link.lost(3700.0) == 0
    link.opened(3701.0)
    assert link.lost(3701.1) == FLAPPING.first_s


def waits_for(kind: str, count: int) -> list[float]:
    """The pauses while a board that was played on is not there."""
    link = Reconnect(lambda: 0.0)
    link.opened(0.0)
    assert link.lost(60.0) == 0
    waits = [link.refused(Cause.ABSENT, kind) for _ in range(count)]
    assert link.refused(Cause.BUSY, kind) <= 1.0
    return waits


def test_a_board_on_the_radio_is_looked_for_with_short_pauses_and_then_with_longer_ones() -> None:
    """One look takes seconds, and while it lasts nothing else of the house gets to the radio."""
    assert (waits_for("serial", 100)[0], waits_for("serial", 100)[-1]) == (0.1, 1.0)
    waits = waits_for("ble", 100)
    assert min(waits) == waits[0] == 1.0
    assert (waits[-1], max(waits)) == (15.0, 15.0)
    look_s = 7.0
    ends_s = list(accumulate(look_s + wait_s for wait_s in waits))
    soon = [wait_s for wait_s, end_s in zip(waits, ends_s, strict=True) if end_s < 300]
    assert max(soon) == 4.0, "who switches the board off and on sits beside it"
    # Where a look ends at once, as it does while the board refuses: still no storm.
    assert sum(end_s <= 60 for end_s in accumulate(waits)) <= 16


def test_a_silent_board_is_given_up_without_a_wait_however_often() -> None:
    link = Reconnect(lambda: 0.0)
    for turn in range(5):
        link.opened(10.0 * turn)
        assert link.lost(10.0 * turn + 8, is_given_up=True) == 0


def test_the_pace_stretches_every_delay() -> None:
    assert Reconnect(lambda: 0.0, pace=0.01).refused(Cause.SILENT) == pytest.approx(0.01 * SILENT.first_s)
