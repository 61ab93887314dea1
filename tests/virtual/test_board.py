"""What a hand does at the table arrives at the host: in order, in time, once."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.virtual.bench_table import Bench, met

from tablewire.games.cirkis.wiring import peg_sensor
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.messages import Calibrate, Param, Raw, RawReq, Result, Signal
from tablewire.wire.observed import Changes, Complete, SensorChange, Snapshot
from tablewire.wire.session import Known


def rows(changes: list[SensorChange]) -> list[tuple[int, int, int]]:
    """Sensor, old and new class."""
    return [(change.sensor, change.old, change.new) for change in changes]


def test_a_piece_lands_magnet_by_magnet() -> None:
    """Two magnets within 200 ms: two changes, their stamps as far apart as the landings."""
    bench = met()
    assert bench.do("place red 6,7 over 200", rest_ms=100) == ["ok"]
    changes = bench.changes()
    assert rows(changes) == [(5, 0, 2), (6, 0, 2)]
    assert 190 <= changes[1].device_ms - changes[0].device_ms <= 210


def test_from_landing_to_host_it_takes_a_few_scans() -> None:
    """The press, the settling time, a scan more, and the way: under 50 ms."""
    bench = met()
    bench.do("place red 6")
    assert 20 <= bench.wait_for_change(1) <= 50


def test_lifting_and_placing_again_are_two_changes_each() -> None:
    """Order is kept."""
    bench = met()
    bench.do("place yellow 165", "wait 200", "lift 165", "wait 200", "place purple 165", rest_ms=200)
    assert rows(bench.changes()) == [(164, 0, 3), (164, 3, 0), (164, 0, 1)]


def test_a_slide_visits_each_space_and_rests_on_the_last() -> None:
    """Failure 13 at the sensors: five neighbours, 300 ms on each."""
    bench = met()
    bench.do("slide green 30 31,32,33,34 dwell 300", rest_ms=200)
    seen = [(change.sensor, change.new) for change in bench.changes()]
    assert [sensor for sensor, magnet in seen if magnet == 4] == [29, 30, 31, 32, 33]
    assert bench.believed() == {33: 4}


def test_a_slide_moves_the_piece_that_lies_there() -> None:
    """And leaves its place bare."""
    bench = met()
    bench.do("place green 30", "wait 200", "slide green 30 31 dwell 100", rest_ms=200)
    assert bench.believed() == {30: 4}


def test_a_nudge_takes_off_and_puts_back() -> None:
    """Failure 31 at the sensors: several at once, each with its own magnet."""
    bench = met()
    bench.do("place red 6,7", "place green 22", "wait 200", "nudge 6,7,22 400", rest_ms=200)
    assert rows(bench.changes())[3:6] == [(5, 2, 0), (6, 2, 0), (21, 4, 0)]
    assert bench.believed() == {5: 2, 6: 2, 21: 4}


def test_a_peg_leaves_its_hole_for_another() -> None:
    """One peg per player, wherever it stood."""
    bench = met()
    bench.do("peg red 0", "wait 200", "peg red 10", rest_ms=300)
    assert rows(bench.changes()) == [
        (peg_sensor("red", 0), 0, 2),
        (peg_sensor("red", 0), 2, 0),
        (peg_sensor("red", 10), 0, 2),
    ]


def test_the_state_says_what_really_lies_there() -> None:
    """As the command language promises it."""
    bench = met()
    (*_, answer) = bench.do("place red 6,7", "place yellow 165", "peg green 40", "state")
    state = json.loads(answer.removeprefix("ok "))
    assert state["spaces"] == {"6": "red", "7": "red", "165": "yellow"}
    assert state["pegs"] == {"green": 40}
    assert state["counters"]["ring_overflows"] == 0


def test_commands_of_one_hand_wait_for_each_other_and_two_hands_do_not() -> None:
    """Both begin at once; each keeps its own order."""
    bench = met()
    left = [bench.board.command(line, hand=1) for line in ("wait 300", "place red 6")]
    right = [bench.board.command(line, hand=2) for line in ("wait 100", "place green 30")]
    bench.run(250)
    assert [ticket.answer for ticket in left + right] == [None, None, "ok", "ok"]
    bench.run(250)
    assert [ticket.answer for ticket in left] == ["ok", "ok"]
    assert [sensor for sensor, _, _ in rows(bench.changes())] == [29, 5]


def test_a_hand_that_left_finishes_what_it_began_and_begins_nothing() -> None:
    """A closed connection does not leave a piece hanging in the air."""
    bench = met()
    bench.board.command("place red 6,7 over 200", hand=1)
    waiting = bench.board.command("place red 8", hand=1)
    bench.board.drop_hand(1)
    bench.run(500)
    assert waiting.answer == "error the connection is gone"
    assert bench.believed() == {5: 2, 6: 2}


def test_two_sensors_a_millisecond_apart_are_two_changes() -> None:
    """Failure 32: nothing one sensor does hides what its neighbour does.

    Defence: a debounce state per sensor. With one state for the table, one of the two vanishes.
    """
    bench = met()
    tickets = [
        bench.board.command("magnet 5 2"),
        bench.board.command("wait 1"),
        bench.board.command("magnet 6 4"),
    ]
    bench.run(100)
    assert [ticket.answer for ticket in tickets] == ["ok"] * 3
    assert sorted(rows(bench.changes())) == [(5, 0, 2), (6, 0, 4)]


def test_a_strong_magnet_pressed_slowly_reads_weak_first() -> None:
    """On demand, long enough to be believed; without the fault it is too short to be seen."""
    bench = met()
    bench.do("place red 6", "wait 200", "fault slow-press ms=60", "place red 7", rest_ms=200)
    assert rows(bench.changes()) == [(5, 0, 2), (6, 0, 1), (6, 1, 2)]


def test_a_stuck_sensor_hides_what_happens_over_it() -> None:
    """Until it is mended."""
    bench = met()
    bench.do("place red 6", "wait 200", "sensor 5 stuck 2", "lift 6", rest_ms=500)
    assert bench.believed() == {5: 2}
    bench.do("sensor 5 ok", rest_ms=200)
    assert bench.believed() == {}


# ---- power, plug, pause, speed ----


def test_a_power_cycle_is_a_new_boot_of_the_same_table() -> None:
    """Another nonce, a snapshot with every magnet, and no change told twice."""
    bench = met()
    bench.do("place red 6,7", rest_ms=200)
    first = bench.session.nonce
    bench.do("reset", rest_ms=500)
    assert bench.session.nonce != first
    taken = [one.nonce for one in bench.told if isinstance(one, Snapshot)]
    assert taken == [first, bench.session.nonce]
    assert len(bench.changes()) == 2
    assert bench.believed() == {5: 2, 6: 2}


def test_two_runs_with_one_seed_are_two_boots_but_the_same_hands() -> None:
    """The nonce comes from outside, the jitter of the hands from the seed."""
    benches = [Bench(VirtualBoard(7, entropy=entropy)) for entropy in (1, 2)]
    for bench in benches:
        bench.run(300)
        bench.do("place red 6,7,8 over 300", rest_ms=200)
    stamps = [[change.device_ms for change in bench.changes()] for bench in benches]
    assert stamps[0] == stamps[1]
    assert benches[0].session.nonce != benches[1].session.nonce


def test_what_happens_while_unplugged_is_told_afterwards() -> None:
    """In order, without a snapshot, for the ring holds it."""
    bench = met()
    bench.do("unplug", "place red 6", "wait 200", "lift 6", "wait 200", "plug")
    bench.session.link_lost(bench.now_ms)
    bench.open()
    bench.run(1000)
    assert rows(bench.changes()) == [(5, 0, 2), (5, 2, 0)]
    assert sum(isinstance(one, Snapshot) for one in bench.told) == 1


def test_more_than_the_ring_holds_becomes_a_snapshot() -> None:
    """Never a silent loss: the order is gone, the table is right."""
    bench = met()
    bench.do("unplug")
    bench.do(*[f"magnet {sensor} 1" for sensor in range(150)], rest_ms=200)
    bench.do("plug")
    bench.session.link_lost(bench.now_ms)
    bench.open()
    bench.run(1000)
    assert isinstance(bench.told[-1], Snapshot | Complete)
    assert bench.believed() == dict.fromkeys(range(150), 1)
    bench.do("lift 1", rest_ms=200)
    assert rows(bench.changes()) == [(0, 1, 0)]


def test_an_overflow_while_connected_is_told_by_the_board_itself() -> None:
    """All 201 sensors at one moment: the host asks for nothing, and misses nothing."""
    bench = met()
    bench.do(*[f"magnet {sensor} 3" for sensor in range(201)], rest_ms=1500)
    assert bench.believed() == dict.fromkeys(range(201), 3)
    assert bench.board.device.outbox.overflow_count == 1


def test_a_paused_board_stands_still_and_resume_is_heard_at_once() -> None:
    """Even behind the pause, on the same connection."""
    bench = met()
    bench.do("pause")
    before_ms = bench.board.table_ms
    waiting = bench.board.command("place red 6")
    bench.run(4000)
    assert bench.board.table_ms == before_ms
    assert waiting.answer is None
    assert str(bench.session.state) == "down"
    assert bench.board.command("resume").answer == "ok"
    bench.run(500)
    assert str(bench.session.state) == "up"
    assert bench.believed() == {5: 2}


def test_fast_is_ten_times_as_fast() -> None:
    """Board time runs ahead; what is told is the same."""
    bench = met()
    bench.do("speed fast")
    begun_ms = bench.board.table_ms
    bench.run(100)
    assert bench.board.table_ms - begun_ms == 1000
    bench.do("place red 6,7 over 200", rest_ms=100)
    assert bench.believed() == {5: 2, 6: 2}


def test_the_host_may_be_restarted_at_any_moment() -> None:
    """It goes on from its journal, in order, without a snapshot."""
    bench = met()
    bench.do("place red 6,7 over 100")
    bench.run(20)
    kept = bench.changes()
    board, nonce = bench.board, bench.session.nonce
    assert nonce is not None
    again = Bench(board, Known(nonce, len(kept), bench.now_ms))
    again.now_ms = bench.now_ms
    again.open()
    again.run(500)
    assert rows(kept) + rows(again.changes()) == [(5, 0, 2), (6, 0, 2)]
    assert not any(isinstance(one, Snapshot) for one in again.told)


def test_the_device_clock_wraps_unnoticed() -> None:
    """49.7 days after boot, stamps go on rising."""
    bench = met(device_start_ms=2**32 - 1000)
    bench.do("place red 6", "wait 1500", "lift 6", rest_ms=1200)
    stamps = [change.device_ms for change in bench.changes()]
    assert stamps[0] < 2**32 < stamps[1]
    assert 1500 <= stamps[1] - stamps[0] <= 1530


# ---- what the host commands ----


def test_commands_of_the_host_are_done_once_and_answered() -> None:
    """Lights, parameters, calibration, readings."""
    bench = met()
    bench.do("place red 6", rest_ms=100)
    for command in (
        Signal(0, 2, 1, 1),
        Param(0, 1, 1, 30),
        Param(0, 0, 1, 0),
        Param(0, 1, 1, 9999),
        Param(0, 0, 77, 0),
        Calibrate(0, 1, 255),
        Calibrate(0, 99, 255),
        RawReq(0, 5, 2),
        RawReq(0, 201, 2),
    ):
        assert bench.session.submit(command)
    bench.run(500)
    answers = [outcome.answer for outcome in bench.session.take_outcomes()]
    results = [(answer.code, answer.value) for answer in answers if isinstance(answer, Result)]
    assert results == [(0, 0), (0, 30), (0, 30), (2, 30), (1, 0), (0, 0), (2, 0), (2, 0)]
    (reading,) = [answer for answer in answers if isinstance(answer, Raw)]
    assert [row.adc for row in reading.rows] == [760, 512]
    assert bench.board.device.lit.players == 2


def test_a_command_that_is_heard_twice_is_done_once() -> None:
    """Its answer was lost, so the host says it again, with the same token."""
    bench = met()
    bench.do("fault mute to=host")
    bench.session.submit(Signal(0, 1, 0, 0))
    bench.run(700)
    bench.do("fault off mute", rest_ms=1000)
    (outcome,) = bench.session.take_outcomes()
    assert outcome.answer is not None
    assert bench.board.device.counts["signals"] == 1


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_any_play_is_told_in_order_and_whole(data: st.DataObject) -> None:
    """Random hands: what the host believes is what lies there, and no number is missing or doubled."""
    bench = met(seed=data.draw(st.integers(0, 1000)))
    for _ in range(data.draw(st.integers(1, 12))):
        sensor, magnet = data.draw(st.integers(0, 200)), data.draw(st.integers(0, 4))
        bench.do(f"magnet {sensor} {magnet}", f"wait {data.draw(st.sampled_from([0, 10, 30, 300]))}")
    bench.run(500)
    assert bench.believed() == bench.lying()
    bench.assert_nothing_lost_or_doubled()
    stamps = [c.device_ms for one in bench.told if isinstance(one, Changes) for c in one.changes]
    assert stamps == sorted(stamps)
