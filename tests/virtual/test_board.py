"""What a hand does at the table arrives at the host: in order, in time, once."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.boards import NewBoard
from tests.virtual.bench_table import Bench, Meet

from tablewire.games.cirkis.wiring import peg_sensor
from tablewire.wire.commands import Answer, Command
from tablewire.wire.frame import Frame, encode_frame
from tablewire.wire.messages import (
    Calibrate,
    CalibrateStep,
    Light,
    Param,
    ParamKey,
    ParamOp,
    Raw,
    RawReq,
    Result,
    ResultCode,
    Settings,
    Signal,
    Sound,
)
from tablewire.wire.observed import Changes, Complete, SensorChange, Snapshot
from tablewire.wire.session import Known

SCAN_MS = 8
"""How long a board takes, at most, to look at all its sensors."""
NOISE_COUNTS = 12
"""How far a reading may be off, at six times the noise of a sensor."""


def rows(changes: list[SensorChange]) -> list[tuple[int, int, int]]:
    """Sensor, old and new class."""
    return [(change.sensor, change.old, change.new) for change in changes]


def test_a_piece_lands_magnet_by_magnet(met: Meet) -> None:
    """Two magnets within 200 ms: two changes, their stamps as far apart as the landings."""
    bench = met()
    assert bench.do("place red 6,7 over 200", rest_ms=100) == ["ok"]
    changes = bench.changes()
    assert rows(changes) == [(5, 0, 2), (6, 0, 2)]
    assert 190 <= changes[1].device_ms - changes[0].device_ms <= 210


def test_from_landing_to_host_it_takes_a_few_scans(met: Meet) -> None:
    """The press, the settling time, a scan more, and the way: under 50 ms."""
    bench = met()
    bench.do("place red 6")
    assert 20 <= bench.wait_for_change(1) <= 50


def test_lifting_and_placing_again_are_two_changes_each(met: Meet) -> None:
    """Order is kept."""
    bench = met()
    bench.do("place yellow 165", "wait 200", "lift 165", "wait 200", "place purple 165", rest_ms=200)
    assert rows(bench.changes()) == [(164, 0, 3), (164, 3, 0), (164, 0, 1)]


def test_a_slide_visits_each_space_and_rests_on_the_last(met: Meet) -> None:
    """Failure 13 at the sensors: five neighbours, 300 ms on each."""
    bench = met()
    bench.do("slide green 30 31,32,33,34 dwell 300", rest_ms=200)
    seen = [(change.sensor, change.new) for change in bench.changes()]
    assert [sensor for sensor, magnet in seen if magnet == 4] == [29, 30, 31, 32, 33]
    assert bench.believed() == {33: 4}


def test_a_slide_moves_the_piece_that_lies_there(met: Meet) -> None:
    """And leaves its place bare."""
    bench = met()
    bench.do("place green 30", "wait 200", "slide green 30 31 dwell 100", rest_ms=200)
    assert bench.believed() == {30: 4}


def test_a_nudge_takes_off_and_puts_back(met: Meet) -> None:
    """Failure 31 at the sensors: several at once, each with its own magnet."""
    bench = met()
    bench.do("place red 6,7", "place green 22", "wait 200", "nudge 6,7,22 400", rest_ms=200)
    assert sorted(rows(bench.changes())[3:6]) == [(5, 2, 0), (6, 2, 0), (21, 4, 0)]
    assert bench.believed() == {5: 2, 6: 2, 21: 4}


def test_a_peg_leaves_its_hole_for_another(met: Meet) -> None:
    """One peg per player, wherever it stood."""
    bench = met()
    bench.do("peg red 0", "wait 200", "peg red 10", rest_ms=300)
    assert rows(bench.changes()) == [
        (peg_sensor("red", 0), 0, 2),
        (peg_sensor("red", 0), 2, 0),
        (peg_sensor("red", 10), 0, 2),
    ]


def test_the_state_says_what_really_lies_there(met: Meet) -> None:
    """As the command language promises it."""
    bench = met()
    (*_, answer) = bench.do("place red 6,7", "place yellow 165", "peg green 40", "state")
    state = json.loads(answer.removeprefix("ok "))
    assert state["spaces"] == {"6": "red", "7": "red", "165": "yellow"}
    assert state["pegs"] == {"green": 40}
    assert state["counters"]["ring_overflows"] == 0


def test_commands_of_one_hand_wait_for_each_other_and_two_hands_do_not(met: Meet) -> None:
    """Both begin at once; each keeps its own order."""
    bench = met()
    left = [bench.board.command(line, hand=1) for line in ("wait 300", "place red 6")]
    right = [bench.board.command(line, hand=2) for line in ("wait 100", "place green 30")]
    bench.run(250)
    assert [ticket.answer for ticket in left + right] == [None, None, "ok", "ok"]
    bench.run(250)
    assert [ticket.answer for ticket in left] == ["ok", "ok"]
    assert [sensor for sensor, _, _ in rows(bench.changes())] == [29, 5]


def test_a_hand_that_left_finishes_what_it_began_and_begins_nothing(met: Meet) -> None:
    """A closed connection does not leave a piece hanging in the air."""
    bench = met()
    bench.board.command("place red 6,7 over 200", hand=1)
    waiting = bench.board.command("place red 8", hand=1)
    bench.board.drop_hand(1)
    bench.run(500)
    assert waiting.answer == "error the connection is gone"
    assert bench.believed() == {5: 2, 6: 2}


def test_two_sensors_a_millisecond_apart_are_two_changes(met: Meet) -> None:
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


def test_a_strong_magnet_pressed_slowly_reads_weak_first(met: Meet) -> None:
    """On demand, long enough to be believed; without the fault it is too short to be seen."""
    bench = met()
    bench.do("place red 6", "wait 200", "fault slow-press ms=60", "place red 7", rest_ms=200)
    assert rows(bench.changes()) == [(5, 0, 2), (6, 0, 1), (6, 1, 2)]


def test_a_stuck_sensor_hides_what_happens_over_it(met: Meet) -> None:
    """Until it is mended."""
    bench = met()
    bench.do("place red 6", "wait 200", "sensor 5 stuck 2", "lift 6", rest_ms=500)
    assert bench.believed() == {5: 2}
    bench.do("sensor 5 ok", rest_ms=200)
    assert bench.believed() == {}


# ---- power, plug, pause, speed ----


def test_a_power_cycle_is_a_new_boot_of_the_same_table(met: Meet) -> None:
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


def test_two_runs_with_one_seed_are_two_boots_but_the_same_hands(new_board: NewBoard) -> None:
    """The nonce comes from outside, the jitter of the hands from the seed."""
    # The firmware's own noise may move a stamp by one scan.
    benches = [Bench(new_board(7, entropy=entropy)) for entropy in (1, 2)]
    for bench in benches:
        bench.run(300)
        bench.do("place red 6,7,8 over 300", rest_ms=200)
    stamps = [[change.device_ms for change in bench.changes()] for bench in benches]
    for one, other in zip(*stamps, strict=True):
        assert abs(one - other) <= SCAN_MS
    assert benches[0].session.nonce != benches[1].session.nonce


def test_what_happens_while_unplugged_is_told_afterwards(met: Meet) -> None:
    """In order, without a snapshot, for the ring holds it."""
    bench = met()
    bench.do("unplug", "place red 6", "wait 200", "lift 6", "wait 200", "plug")
    bench.session.link_lost(bench.now_ms)
    bench.open()
    bench.run(1000)
    assert rows(bench.changes()) == [(5, 0, 2), (5, 2, 0)]
    assert sum(isinstance(one, Snapshot) for one in bench.told) == 1


def test_more_than_the_ring_holds_becomes_a_snapshot(met: Meet) -> None:
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
    assert rows(bench.changes())[-1:] == [(0, 1, 0)]


def test_an_overflow_while_connected_is_told_by_the_board_itself(met: Meet) -> None:
    """All 201 sensors at one moment: the host asks for nothing, and misses nothing."""
    bench = met()
    bench.do(*[f"magnet {sensor} 3" for sensor in range(201)], rest_ms=1500)
    assert bench.believed() == dict.fromkeys(range(201), 3)
    assert bench.counters()["ring_overflows"] == 1


def test_a_paused_board_stands_still_and_resume_is_heard_at_once(met: Meet) -> None:
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


def test_fast_is_ten_times_as_fast(met: Meet) -> None:
    """Board time runs ahead; what is told is the same."""
    bench = met()
    bench.do("speed fast")
    begun_ms = bench.board.table_ms
    bench.run(100)
    assert bench.board.table_ms - begun_ms == 1000
    bench.do("place red 6,7 over 200", rest_ms=100)
    assert bench.believed() == {5: 2, 6: 2}


def test_the_host_may_be_restarted_at_any_moment(met: Meet) -> None:
    """It goes on from its journal, in order, without a snapshot."""
    bench = met()
    bench.do("place red 6,7 over 100")
    bench.run(20)
    kept = bench.changes()
    board, nonce = bench.board, bench.session.nonce
    assert nonce is not None
    again = Bench(board, Known(nonce, len(kept), bench.now_ms))
    again.open()
    again.run(500)
    assert rows(kept) + rows(again.changes()) == [(5, 0, 2), (6, 0, 2)]
    assert not any(isinstance(one, Snapshot) for one in again.told)


# ---- what the host commands ----


def answers_to(bench: Bench, *commands: Command, within_ms: int = 800) -> list[Answer | None]:
    """What the board answers to commands of the host, each begun after the one before."""
    for command in commands:
        assert bench.session.submit(command)
    bench.run(within_ms)
    return [outcome.answer for outcome in bench.session.take_outcomes()]


def test_settings_are_read_set_and_refused(met: Meet) -> None:
    """A value out of range or an unknown key changes nothing, and the answer says what counts now."""
    bench = met()
    answers = answers_to(
        bench,
        Param(0, ParamOp.SET, ParamKey.DEBOUNCE_MS, 30),
        Param(0, ParamOp.GET, ParamKey.DEBOUNCE_MS, 0),
        Param(0, ParamOp.SET, ParamKey.DEBOUNCE_MS, 9999),
        Param(0, ParamOp.GET, 77, 0),
    )
    assert [(answer.code, answer.value) for answer in answers if isinstance(answer, Result)] == [
        (ResultCode.OK, 30),
        (ResultCode.OK, 30),
        (ResultCode.BAD_VALUE, 30),
        (ResultCode.UNKNOWN, 0),
    ]


def test_the_debounce_time_that_is_set_counts_at_once(met: Meet) -> None:
    """With 100 ms a piece is told so much later."""
    bench = met()
    answers_to(bench, Param(0, ParamOp.SET, ParamKey.DEBOUNCE_MS, 100))
    bench.do("place yellow 6")
    assert 90 <= bench.wait_for_change(1) <= 130


def test_what_is_stored_outlives_a_reset(met: Meet) -> None:
    """A board says what it found at its start: nothing the first time; and when all is stored."""
    bench = met()
    assert bench.session.status is not None
    assert bench.session.status.settings == Settings.NONE
    answers_to(bench, Param(0, ParamOp.SET, ParamKey.DEBOUNCE_MS, 30))
    for _ in range(20):
        (saved,) = answers_to(bench, Calibrate(0, CalibrateStep.SAVE, 255))
        assert isinstance(saved, Result)
        if saved.value == 0:
            break
    bench.run(1_100)
    assert bench.session.status.settings == Settings.STORED, "nobody has to restart a board to be told"
    bench.do("reset", rest_ms=500)
    assert bench.session.status.settings == Settings.STORED
    (kept,) = answers_to(bench, Param(0, ParamOp.GET, ParamKey.DEBOUNCE_MS, 0))
    assert isinstance(kept, Result)
    assert kept.value == 30


def test_raw_readings_are_asked_for(met: Meet) -> None:
    """In counts of the converter: 512 without a field, more over a north pole, less over a south pole."""
    bench = met()
    bench.do("place red 6", "place yellow 7", rest_ms=100)
    reading, none = answers_to(bench, RawReq(0, 5, 3), RawReq(0, 201, 2))
    assert isinstance(reading, Raw)
    expected = (512 + 248, 512 - 88, 512)
    assert all(abs(row.adc - at) <= NOISE_COUNTS for row, at in zip(reading.rows, expected, strict=True))
    assert isinstance(none, Result)
    assert none.code == ResultCode.BAD_VALUE


def test_the_lights_shine_as_the_host_says(met: Meet) -> None:
    """Each player's LED, and green for a legal move."""
    bench = met()
    (answer,) = answers_to(bench, Signal(0, 0b0110, Light.LEGAL, Sound.NONE))
    assert isinstance(answer, Result)
    assert answer.code == ResultCode.OK
    assert bench.board.lights() == (0b0110, True, False)


def test_a_command_that_is_heard_twice_is_done_once(met: Meet) -> None:
    """Its answer was lost, so the host says it again, with the same token: the answer is that of the first
    time, although another field has come since."""
    bench = met()
    said = encode_frame(Frame(Calibrate.TYPE, 0, 0, Calibrate(77, CalibrateStep.ZERO, 30).encode()))
    for magnet in (0, 2):
        bench.do(f"magnet 30 {magnet}", rest_ms=200)
        bench.board.receive_data(said)
        bench.run(300)
    answers = [Result.parse(frame.payload) for frame in bench.heard if frame.type == Result.TYPE]
    first, *again = answers
    assert first.code == ResultCode.OK
    assert abs((first.value & 0xFFFF) - 512) <= NOISE_COUNTS
    assert again
    assert set(again) == {first}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_play_is_told_in_order_and_whole(data: st.DataObject, met: Meet) -> None:
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
