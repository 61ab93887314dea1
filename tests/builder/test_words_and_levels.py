"""What readings are taken for, and how places are named: the judgements behind the builder's tools."""

from __future__ import annotations

import os

import pytest

from tablewire.builder.dialogue import Left, Terminal
from tablewire.builder.levels import Oddity, fits, magnet_of, margins, oddity, taken_for
from tablewire.builder.monitor import words_of
from tablewire.builder.places import place_of, places_of
from tablewire.builder.report import margin_lines, report_json
from tablewire.builder.steady import Steady
from tablewire.wire.messages import CalibrationRow, MagnetClass

NOTHING = CalibrationRow(0, 0, 0, 0, 0, 0)
EMPTY, N_WEAK, N_STRONG, S_WEAK, S_STRONG = MagnetClass


@pytest.mark.parametrize(
    ("sensors", "words"),
    [
        ([], ""),
        ([36], "space 37"),
        ([0, 1], "spaces 1, 2"),
        ([0, 1, 2, 8, 30, 31, 32, 33], "spaces 1-3, 9, 31-34"),
        ([168], "purple's hole 15"),
        ([165, 166, 167, 200], "purple's holes 0-10, yellow's hole 40"),
        ([36, 174, 176], "space 37, red's holes 0, 10"),
        ([2, 0, 1, 1], "spaces 1-3"),
        (
            range(201),
            "spaces 1-165, purple's holes 0-40, red's holes 0-40, green's holes 0-40, yellow's holes 0-40",
        ),
    ],
)
def test_places_in_a_list(sensors: list[int], words: str) -> None:
    assert places_of(sensors) == words


def test_a_long_list_ends_with_a_count() -> None:
    assert places_of(range(0, 40, 2), listed_max=3) == "spaces 1, 3, 5, and 17 more"


def test_what_is_left_out_of_a_list_is_counted_in_places_not_in_ranges() -> None:
    sensors = [0, 2, 4, *range(99, 165), *range(165, 170)]
    assert places_of(sensors, listed_max=3) == "spaces 1, 3, 5, and 71 more"


def test_every_sensor_has_a_name_of_its_own() -> None:
    assert len({place_of(sensor) for sensor in range(201)}) == 201
    assert place_of(201) == "sensor 201"


@pytest.mark.parametrize(
    ("readings", "found"),
    [
        ([512, 513, 511], None),
        ([570, 571, 570], None),  # a zero as far off as data sheets allow, and a little
        ([600, 601, 600], Oddity.FIELD),
        ([424, 424, 424], Oddity.FIELD),
        ([505, 522, 512], Oddity.NOISE),
        ([504, 520, 512], None),  # as noisy as the hysteresis is wide
        ([0, 0, 3], Oddity.RAIL),
        ([1023, 1023, 1020], Oddity.RAIL),
    ],
)
def test_what_an_empty_sensor_may_read(readings: list[int], found: Oddity | None) -> None:
    assert oddity(readings) is found


def test_a_magnet_is_never_refused_as_what_it_should_be() -> None:
    """Near a level that was measured, the usual threshold would give a magnet the name that is wanted."""
    strong_at_150 = NOTHING._replace(zero=512, n_strong=75)
    assert not fits(140, N_WEAK, strong_at_150)
    assert taken_for(140, N_WEAK) is N_STRONG
    weak_at_150 = NOTHING._replace(zero=512, s_weak=75)
    assert not fits(-180, S_STRONG, weak_at_150)
    assert taken_for(-180, S_STRONG) is S_WEAK
    assert taken_for(-180, N_STRONG) is S_STRONG
    assert taken_for(80, S_WEAK) is N_WEAK


@pytest.mark.parametrize(
    ("field", "magnet"),
    [
        (0, EMPTY), (43, EMPTY), (-43, EMPTY),
        (44, N_WEAK), (168, N_WEAK), (169, N_STRONG), (500, N_STRONG),
        (-44, S_WEAK), (-168, S_WEAK), (-169, S_STRONG),
    ],
)  # fmt: skip
def test_a_field_is_taken_for_the_nearest_usual_magnet(field: int, magnet: MagnetClass) -> None:
    assert magnet_of(field) is magnet


@pytest.mark.parametrize(
    ("field", "wanted", "row", "good"),
    [
        (248, N_STRONG, NOTHING, True),
        (150, N_STRONG, NOTHING, True),  # weaker than usual, but no weak one
        (88, N_STRONG, NOTHING, False),
        (-248, N_STRONG, NOTHING, False),
        (43, N_WEAK, NOTHING, False),
        (88, N_WEAK, NOTHING, True),
        (150, N_WEAK, NOTHING, True),
        (248, N_WEAK, NOTHING, False),
        (-88, S_WEAK, NOTHING, True),
        (-248, S_STRONG, NOTHING, True),
        # A weak one of 130 counts was measured here: 150 is the same again, 170 is another.
        (150, N_STRONG, CalibrationRow(512, 65, 0, 0, 0, 2), False),
        (170, N_STRONG, CalibrationRow(512, 65, 0, 0, 0, 2), True),
        # A strong one of 150 counts was measured here.
        (130, N_WEAK, CalibrationRow(512, 0, 75, 0, 0, 2), False),
        (110, N_WEAK, CalibrationRow(512, 0, 75, 0, 0, 2), True),
        # What was measured of the other pole says nothing.
        (150, N_STRONG, CalibrationRow(512, 0, 0, 65, 0, 2), True),
    ],
)
def test_a_field_fits_a_colour(field: int, wanted: MagnetClass, row: CalibrationRow, good: bool) -> None:
    assert fits(field, wanted, row) is good


def test_margins_are_half_the_distance_in_times_the_noise_narrowest_first() -> None:
    rows = [
        CalibrationRow(512, 44, 124, 0, 0, 4),
        CalibrationRow(512, 0, 124, 40, 0, 0),  # noise of less than a count is taken for one
        CalibrationRow(0, 44, 124, 0, 0, 0),  # without a zero nothing is known
    ]
    assert [tuple(margin) for margin in margins(rows)] == [
        (0, EMPTY, N_WEAK, 44, 11),
        (0, N_WEAK, N_STRONG, 80, 20),
        (1, EMPTY, S_WEAK, 40, 40),
        (1, EMPTY, N_STRONG, 124, 124),
    ]


def test_narrow_margins_are_named_with_what_to_do() -> None:
    lines = margin_lines([CalibrationRow(512, 44, 50, 0, 0, 4)])
    assert lines[1] == "  space 1: purple and red 6 counts from their threshold, 1.5 times the noise"
    assert lines[-1].startswith("  1 below 3 times the noise: bring those sensors nearer")
    assert margin_lines([NOTHING]) == ["Margins: nothing was measured with a magnet."]


def test_a_report_of_nothing_names_everything_as_missing() -> None:
    report = report_json([NOTHING] * 201, finished=False, stored=True)
    assert report["zero"]["measured"] == 0
    assert len(report["zero"]["missing"]) == 201
    assert report["classes"]["red"] == {
        "measured": 0,
        "missing": [f"space {n}" for n in range(1, 166)],
        "ready": False,
    }
    assert report["pegs"]["measured"] == 0


def test_a_field_is_steady_after_three_readings_that_agree() -> None:
    steady = Steady([500, 512])
    for reading in (512, 600, 760, 758):
        steady.take([reading, 512])
        assert steady.field(0) is None
    steady.take([762, 512])
    assert steady.field(0) == 260
    assert steady.field(1) == 0
    assert steady.active(44) == {0}


@pytest.mark.parametrize(("magnet", "words"), [(0, "empty"), (1, "N weak"), (4, "S strong"), (9, "class 9")])
def test_classes_in_a_monitor(magnet: int, words: str) -> None:
    assert words_of(magnet) == words


def heard(data: bytes) -> list[str]:
    """What a terminal hears when `data` is typed and then nothing more."""
    near, far = os.pipe()
    os.write(far, data)
    os.close(far)
    terminal = Terminal(lambda _: None, near)
    lines: list[str] = []
    try:
        while True:
            line = terminal.hear()
            if line is not None:
                lines.append(line)
    except Left as left:
        return [*lines, str(left)]
    finally:
        os.close(near)


def test_lines_are_heard_in_lower_case_until_there_are_no_more() -> None:
    gone = "there is nobody to answer: standard input has ended"
    assert heard(b"\n Leave \nlast") == ["", "leave", "last", gone]
    assert heard(b"\xff\xfe\n") == ["\ufffd\ufffd", gone]


@pytest.mark.parametrize("word", [b"q", b"Q", b"quit", b"exit "])
def test_whoever_wants_to_stop_says_so(word: bytes) -> None:
    assert heard(b"\n" + word + b"\nmore\n") == ["", "stopped"]
