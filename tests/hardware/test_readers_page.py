"""What the builder's page for tag readers says, against the firmware's pins and the arithmetic of parts."""

from __future__ import annotations

import re
from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "hardware" / "READERS.md").read_text(encoding="utf-8")
PINS = (ROOT / "firmware" / "src" / "hal_pins.h").read_text(encoding="utf-8")
READERS = 16


def part_count(words: str) -> int:
    """How many of a part the bill of materials asks for."""
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {words}")]
    return int(row.split("|")[2])


def spread(pins: str) -> list[str]:
    """`D22 - D25` as the single pins, in that order; `D52, D51` are two."""
    first, dash, last = pins.partition(" - ")
    if not dash:
        return re.findall(r"[AD]\d+", pins)
    low, high = int(first[1:]), int(last[1:])
    step = 1 if high > low else -1
    return [f"{first[0]}{pin}" for pin in range(low, high + step, step)]


@pytest.mark.parametrize(
    ("what", "wired"),
    [
        ("decoder's address A0-A3", r"(.+?) \| 74HC4050 \| 74HC154 A0, A1, A2, A3 "),
        ("decoder's enable", r"(D\d+).*? \| 74HC4050 \| 74HC154 enable"),
        ("readers' reset", r"(D\d+).*? \| 74HC4050 \| RST of all readers"),
        ("readers' MISO", r"(D\d+) \| 74AHCT125 \| the outputs of all sixteen MISO buffers"),
        ("stop buttons 0-3", r"(.+?) \| nothing: .*? \| stop button of player 0, 1, 2, 3"),
        ("player LEDs 0-3", r"(.+?) \| 330 ohm \| LED of player 0, 1, 2, 3"),
        ("piezo", r"(D\d+) \| 220 ohm \| piezo"),
        ("left open, for noise", r"(A\d+) \| nothing \| leave open"),
    ],
)
def test_the_pins_are_those_of_the_firmware(what: str, wired: str) -> None:
    (line,) = [line for line in PINS.splitlines() if line.startswith(f" *   {what} ")]
    (pins,) = re.findall(r"P[A-L]\d+(?:(?: -|,) P[A-L]\d+)? +([AD]\d+(?:(?: -|,) [AD]\d+)?) ", line)
    (shown,) = re.findall(rf"^\| {wired}", PAGE, re.MULTILINE)
    assert re.findall(r"[AD]\d+", shown) == spread(pins)


def test_clock_data_and_verdict_go_to_the_pins_of_the_firmware() -> None:
    assert re.search(r"SCK and MOSI +PB1, PB2 +D52, D51 ", PINS)
    assert "| D52 | 74HC4050 | SCK of all readers |" in PAGE
    assert "| D51 | 74HC4050 | MOSI of all readers |" in PAGE
    assert re.search(r"green +PC4 +D33 ", PINS)
    assert re.search(r"red +PC5 +D32 ", PINS)
    assert "| D33, D32 | 330 ohm | verdict LED, green and red;" in PAGE


def test_every_reader_has_an_output_of_the_decoder_and_a_pad_of_the_grid() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \| Y(\d+), pin (\d+) \| (\d) \| (\d) \|$", PAGE, re.MULTILINE)
    table = [tuple(map(int, row)) for row in rows]
    assert [row[:3] for row in table] == [(k, k, k) for k in range(READERS)]
    # Of a 74HC154: outputs 0 to 10 are pins 1 to 11, 12 is ground, and 11 to 15 are pins 13 to 17.
    assert [row[3] for row in table] == [*range(1, 12), *range(13, 18)]
    assert [(row[4], row[5]) for row in table] == [(k // 4 + 1, k % 4 + 1) for k in range(READERS)]


def test_there_are_buffers_shifters_and_capacitors_for_all_of_them() -> None:
    shifted = len(re.findall(r"D\d+", "".join(re.findall(r"^\| (.*?) \| 74HC4050 ", PAGE, re.MULTILINE))))
    assert part_count("reader module") == READERS
    assert part_count("74HC125") * 4 == READERS
    assert part_count("74HC4050") == -(-shifted // 6)
    chips = sum(part_count(name) for name in ("74HC154", "74HC125", "74HC4050", "74AHCT125"))
    assert part_count("ceramic capacitor 100 nF") == READERS + chips
    held = re.findall(r"10 kilohm to", PAGE.split("## Wiring")[1].split("Each reader")[0])
    assert part_count("resistor 10 kilohm") == len(held)


def test_the_supply_is_the_sum_of_what_it_feeds_and_stronger_than_that() -> None:
    rows = re.findall(r"^\| (.+?) \| (\d+) mA \| (\d+) mA \|$", PAGE, re.MULTILINE)
    *parts, (together, typical, most) = rows
    assert together == "together"
    assert int(parts[0][1]) == READERS * (60 + 13.5)
    assert int(parts[0][2]) == READERS * (100 + 19)
    assert sum(int(row[1]) for row in parts) == int(typical)
    assert sum(int(row[2]) for row in parts) == int(most) < 3000


def test_pads_are_three_antennas_apart_or_their_fields_take_turns() -> None:
    """On a chess board the next of the same colour is a diagonal away, in four groups every other one."""
    apart_mm = 3 * 40
    assert f"{apart_mm} mm from middle to middle" in PAGE
    assert f"FIELD_GROUPS=2` builds for {round(apart_mm / 2**0.5)} mm" in PAGE
    assert f"`FIELD_GROUPS=4` for {apart_mm // 2} mm" in PAGE


def test_stickers_of_values_that_follow_one_another_lie_apart_and_within_the_antenna() -> None:
    rows = re.findall(r"^\| (\d+) \| (-?\d+) \| (-?\d+) \|$", PAGE, re.MULTILINE)
    assert [int(value) for value, _, _ in rows] == list(range(1, 11))
    places = [(int(right), int(above)) for _, right, above in rows]
    assert len(set(places)) == len(places)
    assert all(11 < hypot(*place) < 13 for place in places)
    gaps = [hypot(x - u, y - v) for (x, y), (u, v) in pairwise(places)]
    assert all(18 < gap < 21 for gap in gaps)


def test_it_says_that_a_pile_of_stickers_is_unproven() -> None:
    assert "**Ten stickers on top of one another are unproven.**" in PAGE


def test_every_file_that_is_named_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (ROOT / "hardware" / target).exists(), target
