"""A visit on the simulated board and on the real firmware alike: all that is asked is answered."""

from __future__ import annotations

from tests.boards import NewBoard
from tests.builder.bench import Bench
from tests.doctor.test_board import calibrate_zero, judged, said, seen

from tablewire.doctor.finding import Level


def test_a_board_in_order_has_no_trouble_on_either(new_board: NewBoard) -> None:
    bench = Bench(new_board(1))
    calibrate_zero(bench)
    board = seen(bench)
    findings = judged(board)
    assert said(findings) == ""
    assert len(board.rows) == len(board.readings[0]) == 201
    assert said(findings, Level.SKIPPED) == ""


def test_a_sensor_that_comes_and_goes_is_named_on_either(new_board: NewBoard) -> None:
    bench = Bench(new_board(1))
    calibrate_zero(bench)
    bench.do("sensor 36 chatter 60")
    assert "space 37" in said(judged(seen(bench)))


def test_a_bad_line_is_named_on_either(new_board: NewBoard) -> None:
    bench = Bench(new_board(1))
    bench.do("fault flip percent=1")
    found = said(judged(seen(bench)))
    assert "on the way to this computer" in found
    assert "try another, shorter cable" in found
