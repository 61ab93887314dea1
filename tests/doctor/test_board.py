"""A board that is visited: each kind of trouble that it, its line or its sensors can have is named.

The boards are simulated ones, on one clock with the visit: nothing waits, and every run repeats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from tests.builder.bench import PORT, Bench, BenchLink

from tablewire import __version__
from tablewire.doctor.checks_board import check_board, check_firmware, check_line, check_supply
from tablewire.doctor.checks_sensors import check_sensors
from tablewire.doctor.facts_board import Visit
from tablewire.doctor.finding import Check, Finding, Level
from tablewire.doctor.seen import Board, BoardLeftAlone, BoardSeen, NoBoard, PageSeen
from tablewire.games.cirkis.wiring_map import WIRES
from tablewire.link.contract import Link
from tablewire.link.faults import Tried
from tablewire.wire.account import Account, account_of, read_account
from tablewire.wire.frame import Decoder, encode_frame
from tablewire.wire.messages import MAJOR, MINOR, CalibrateStep, Hello, ResetCause, Settings
from tablewire.wire.session import HostSession

ALL = 255
NOWHERE = PageSeen("127.0.0.1:8750")


@pytest.fixture
def bench() -> Bench:
    return Bench()


def visit(bench: Bench, link: Link | None = None) -> Board:
    return Visit(link or bench.link(), bench.clock_s).look()


def seen(bench: Bench) -> BoardSeen:
    board = visit(bench)
    assert isinstance(board, BoardSeen), board
    return board


def calibrate_zero(bench: Bench) -> None:
    """As a builder leaves a board after the first step."""
    with bench.converse() as board:
        board.find()
        for step in (CalibrateStep.ZERO, CalibrateStep.SAVE):
            board.calibrate(step, ALL)
        while board.calibrate(CalibrateStep.SAVE, ALL).value:
            board.rest(0.1)


def judged(board: Board, page: PageSeen = NOWHERE) -> list[Finding]:
    """All that is said of a board, its line and its sensors."""
    return [
        *check_board(board, page),
        *check_firmware(board, page),
        *check_line(board, page),
        *check_supply(board, page),
        *check_sensors(board, page),
    ]


def levels(findings: Iterable[Finding]) -> dict[Check, Level]:
    return {finding.check: finding.level for finding in findings}


def said(findings: Iterable[Finding], level: Level = Level.TROUBLE) -> str:
    """Everything of one level, in one text."""
    return "\n".join(f"{one.text} -> {one.do}" for one in findings if one.level is level)


def with_account(board: BoardSeen, **changed: Any) -> BoardSeen:
    return replace(board, last=replace(board.last, **changed))


def with_status(board: BoardSeen, **changed: int) -> BoardSeen:
    return with_account(board, status={**board.last.status, **changed})


def test_a_board_in_order_has_no_trouble_of_any_kind(bench: Bench) -> None:
    calibrate_zero(bench)
    findings = judged(seen(bench))
    assert levels(findings) == dict.fromkeys(
        (Check.BOARD, Check.FIRMWARE, Check.LINE, Check.SUPPLY, Check.SENSORS), Level.OK
    )
    assert "201 sensors" in findings[0].text
    assert PORT in findings[0].text


def test_what_a_board_tells_the_doctor_is_told_again_to_the_table(bench: Bench) -> None:
    bench.do("place red 6,15", "wait 100", "place green 31", "wait 100", "lift 6,15", "wait 100")
    assert seen(bench).first.status["last_number"] == 5
    with bench.converse() as board:
        board.find()
        # One by one, as they happened, and not as a picture of how they ended.
        assert [change.sensor for change in board.take_changes()] == [5, 14, 30, 5, 14]


def test_a_port_where_nothing_answers(bench: Bench) -> None:
    bench.do("fault mute")
    assert f"no board answers at {PORT}" in said(judged(visit(bench)))


def test_a_port_where_something_else_speaks(bench: Bench) -> None:
    bench.do("fault flip percent=50 to=host")
    assert "is not a tablewire board, or speaks at another speed" in said(judged(visit(bench)))


def test_a_board_that_is_unplugged_while_it_is_looked_at(bench: Bench) -> None:
    for line in ("wait 1500", "unplug"):
        bench.board.command(line)
    board = visit(bench)
    assert isinstance(board, NoBoard)
    assert f"lost the board at {PORT}" in said(judged(board))


class Updated(BenchLink):
    """A cable to a board of the next major version."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._decoder = Decoder()

    def read(self, limit_s: float, /) -> bytes:
        frames = self._decoder.receive_data(super().read(limit_s))
        return b"".join(
            encode_frame(frame._replace(payload=bytes((MAJOR + 1,)) + frame.payload[1:]))
            for frame in frames
            if frame.type == Hello.TYPE
        )


def test_a_board_of_another_major_version_names_the_side_to_update(bench: Bench) -> None:
    found = said(judged(visit(bench, Updated(bench))))
    assert "update tablewire on this computer" in found


@pytest.mark.parametrize(
    ("firmware", "minor", "words"),
    [
        ("0.0.9", MINOR, "older than this program"),
        (__version__, MINOR + 1, "newer than this program"),
        ("99.0", MINOR, "newer than this program"),
    ],
)
def test_firmware_of_another_version_is_named(bench: Bench, firmware: str, minor: int, words: str) -> None:
    board = with_account(seen(bench), firmware=firmware, minor=minor)
    assert words in said(check_firmware(board, NOWHERE), Level.NOTE)


def test_older_firmware_is_brought_up_by_flash(bench: Bench) -> None:
    board = with_account(seen(bench), firmware="0.0.9")
    assert "tablewire flash" in said(check_firmware(board, NOWHERE), Level.NOTE)


def test_a_board_whose_firmware_hung(bench: Bench) -> None:
    board = with_account(seen(bench), reset_cause=ResetCause.WATCHDOG)
    assert "firmware hung" in said(check_firmware(board, NOWHERE))


def test_a_board_that_runs_out_of_memory(bench: Bench) -> None:
    board = seen(bench)
    assert "only 12 bytes" in said(check_firmware(with_status(board, stack_free=12), NOWHERE))
    for enough in (0, 64, 3000):  # 0: it does not tell
        assert said(check_firmware(with_status(board, stack_free=enough), NOWHERE)) == ""


def test_a_line_that_damages_what_comes_from_the_board(bench: Bench) -> None:
    bench.do("fault flip percent=0.5 to=host")
    found = said(judged(seen(bench)))
    assert "damaged on the way to this computer in 3 s -> try another, shorter cable" in found


def test_a_line_that_damages_what_goes_to_the_board(bench: Bench) -> None:
    bench.do("fault flip percent=2 to=board")
    assert "on the way to the board in 3 s -> try another, shorter cable" in said(judged(seen(bench)))


@pytest.mark.parametrize(
    ("lost", "level"), [(0, Level.OK), (1, Level.NOTE), (2, Level.NOTE), (3, Level.TROUBLE)]
)
def test_one_or_two_frames_lost_are_chance_and_three_are_trouble(
    bench: Bench, lost: int, level: Level
) -> None:
    assert levels(check_line(with_status(seen(bench), rx_lost=lost), NOWHERE)) == {Check.LINE: level}


def test_damage_of_earlier_is_worth_knowing_and_no_trouble(bench: Bench) -> None:
    board = seen(bench)
    counts = {"rx_overrun": 7}
    before = replace(
        board,
        first=replace(board.first, status={**board.first.status, **counts}),
        last=replace(board.last, status={**board.last.status, **counts}),
    )
    assert levels(check_line(before, NOWHERE)) == {Check.LINE: Level.NOTE}
    assert "7 bytes the board was too late for" in said(check_line(before, NOWHERE), Level.NOTE)


def test_counters_that_wrap_are_counted_on(bench: Bench) -> None:
    board = seen(bench)
    first = replace(board.first, status={**board.first.status, "rx_lost": 65_534})
    assert "5 frames lost" in said(check_line(replace(with_status(board, rx_lost=3), first=first), NOWHERE))


def test_a_board_that_begins_anew_while_it_is_looked_at(bench: Bench) -> None:
    for line in ("wait 1500", "reset"):
        bench.board.command(line)
    assert "began anew while it was looked at -> look at its power" in said(judged(seen(bench)))


@pytest.mark.parametrize(
    ("supply_mv", "level"),
    [(4_200, Level.TROUBLE), (4_600, Level.NOTE), (5_000, Level.OK), (5_900, Level.TROUBLE)],
)
def test_the_supply_of_the_board(bench: Bench, supply_mv: int, level: Level) -> None:
    (finding,) = check_supply(with_status(seen(bench), supply_mv=supply_mv), NOWHERE)
    assert (finding.level, f"{supply_mv / 1000:.2f} V" in finding.text) == (level, True)


def test_a_supply_that_broke_down(bench: Bench) -> None:
    board = with_account(seen(bench), reset_cause=ResetCause.BROWN_OUT)
    assert "its supply broke down" in said(check_supply(board, NOWHERE))


def test_a_board_that_was_never_calibrated(bench: Bench) -> None:
    found = said(judged(seen(bench)), Level.NOTE)
    assert "never calibrated: it goes by typical levels -> tablewire calibrate" in found


def test_a_calibration_that_was_lost(bench: Bench) -> None:
    found = said(check_sensors(with_status(seen(bench), settings=Settings.DAMAGED), NOWHERE))
    assert "has lost its calibration" in found


def test_a_sensor_that_comes_and_goes(bench: Bench) -> None:
    calibrate_zero(bench)
    bench.do("sensor 36 chatter 60")
    found = said(judged(seen(bench)))
    assert "restless: space 37" in found


def test_a_dead_multiplexer_is_one_trouble_and_not_sixteen(bench: Bench) -> None:
    board = seen(bench)
    off = {sensor for sensor, wire in enumerate(WIRES) if wire.mux == 3} | {0}
    readings = tuple(
        tuple(1023 if sensor in off else counts for sensor, counts in enumerate(look))
        for look in board.readings
    )
    found = said(check_sensors(replace(board, readings=readings), NOWHERE))
    assert "multiplexer 3 is dead" in found
    assert "read as if their wires were off or shorted: space 1 ->" in found
    assert len(found.splitlines()) == 2


def test_a_reading_between_two_classes(bench: Bench) -> None:
    board = seen(bench)
    # Half of what a weak magnet shows, by the typical levels that count where nothing was measured.
    for counts, is_near in ((44, True), (44 + 7, True), (44 - 7, True), (44 + 9, False), (44 - 9, False)):
        readings = tuple((512 + counts, *look[1:]) for look in board.readings)
        found = said(check_sensors(replace(board, readings=readings), NOWHERE))
        assert ("at a threshold, so they may read either way: space 1 ->" in found) is is_near, counts


def test_classes_that_lie_too_near_each_other(bench: Bench) -> None:
    board = seen(bench)
    # Weak 40 counts, strong 44, noise 4: half of the distance is less than the noise.
    narrow = board.rows[0]._replace(zero=512, n_weak=20, n_strong=22, noise=4)
    found = said(check_sensors(replace(board, rows=(narrow, *board.rows[1:])), NOWHERE))
    assert "less than 3 times the noise from their thresholds: space 1" in found


def test_firmware_that_does_not_tell_readings_is_said_and_nothing_else(bench: Bench) -> None:
    board = replace(seen(bench), readings=(), rows=(), not_told="its firmware does not tell")
    assert said(check_sensors(board, NOWHERE), Level.SKIPPED).startswith("its firmware does not tell")


@pytest.mark.parametrize(
    ("state", "level", "words"),
    [
        ("chattering", Level.TROUBLE, "space 37: comes and goes"),
        ("stuck", Level.TROUBLE, "space 37: reads a magnet where none can be"),
        ("silent", Level.TROUBLE, "space 37: does not read what lies there"),
        ("masked", Level.NOTE, "left out by hand: space 37"),
        ("ok", Level.OK, "every sensor can be believed"),
    ],
)
def test_what_the_table_says_of_its_sensors(state: str, level: Level, words: str) -> None:
    page = replace(NOWHERE, who="tablewire", link_state="up", sensors=({"sensor": 36, "state": state},))
    (finding,) = check_sensors(BoardLeftAlone("it plays"), page)
    assert (finding.level, finding.text) == (level, words)


def test_a_line_that_the_table_finds_bad(bench: Bench) -> None:
    bench.do("fault flip percent=0.5 to=host")
    bad = seen(bench)
    page = replace(
        NOWHERE, who="tablewire", link_state="up", first=bad.first, last=bad.last, window_s=bad.window_s
    )
    assert "damaged on the way to this computer in 3 s" in said(check_line(BoardLeftAlone("it plays"), page))


def test_another_board_that_answers_is_named(bench: Bench) -> None:
    other = Tried("/dev/ttyUSB1", "another board answers there; --port /dev/ttyUSB1 takes it")
    board = replace(seen(bench), others=(other,))
    found = said(check_board(board, NOWHERE), Level.NOTE)
    assert "/dev/ttyUSB1: another board answers there; --port /dev/ttyUSB1 takes it" in found


def test_a_table_without_a_board_tells_where_it_looked() -> None:
    page = replace(
        NOWHERE,
        who="tablewire",
        link_state="searching",
        text="no board answers",
        tried=(Tried("/dev/ttyUSB0", "no board answers there"),),
    )
    board = BoardLeftAlone("the table uses it")
    (finding,) = check_board(board, page)
    assert finding.level is Level.TROUBLE
    assert finding.text == "the table that runs has no board: no board answers"
    assert finding.do == "looked at /dev/ttyUSB0: no board answers there"


def test_without_a_board_its_checks_say_that_they_were_not_made() -> None:
    assert levels(judged(NoBoard("no board answers"))) == {
        Check.BOARD: Level.TROUBLE,
        **dict.fromkeys((Check.FIRMWARE, Check.LINE, Check.SUPPLY, Check.SENSORS), Level.SKIPPED),
    }


def test_an_account_reads_back_as_it_was_told(bench: Bench) -> None:
    account = seen(bench).last
    assert read_account(account.to_json()) == account


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        {},
        {"firmware": 1},
        {**Account("1" * 100, 0, 201, 1, 7, {}, {}, {}).to_json()},
        {**Account("1", 0, 201, 1, 7, {}, {}, {}).to_json(), "status": {"rx_lost": "many"}},
        {**Account("1", 0, 201, 1, 7, {}, {}, {}).to_json(), "minor": True},
        {**Account("1", 0, 201, 1, 7, {}, {}, {}).to_json(), "counts": {str(n): n for n in range(1000)}},
    ],
)
def test_what_is_no_account_is_refused(told: object) -> None:
    with pytest.raises(ValueError, match="no account"):
        read_account(told)


def test_a_session_without_a_board_has_no_account() -> None:
    assert account_of(HostSession()) is None
