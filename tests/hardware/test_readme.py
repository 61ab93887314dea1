"""What the builder's page says, against the piece set, the firmware's pins and the arithmetic of magnets."""

from __future__ import annotations

import re
from math import hypot, pi
from pathlib import Path

import pytest

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.wiring import DEFAULT_MAGNETS, SENSOR_COUNT
from tablewire.wire.messages import MagnetClass

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
PINS = (ROOT / "firmware" / "src" / "hal_pins.h").read_text(encoding="utf-8")


def part_count(words: str) -> int:
    """How many of a part the bill of materials asks for."""
    (row,) = [line for line in README.splitlines() if line.startswith(f"| {words}")]
    return int(row.split("|")[2])


def axis_mt(diameter_mm: float, height_mm: float, distance_mm: float) -> float:
    """The field on the axis of a disc magnet of N35, 1.2 T, in mT: the formula of every magnet seller."""
    radius_mm, far_mm = diameter_mm / 2, distance_mm + height_mm
    return 1200 / 2 * (far_mm / hypot(radius_mm, far_mm) - distance_mm / hypot(radius_mm, distance_mm))


@pytest.mark.parametrize(
    "row",
    re.findall(
        r"^\| \w+, (\d+) mV/mT \| ([\d.]+) mm \| (\d+) counts \| (\d+) counts \|", README, re.MULTILINE
    ),
)
def test_the_readings_of_the_magnets_are_those_of_the_formula(row: tuple[str, str, str, str]) -> None:
    mv_per_mt, distance_mm, strong, weak = map(float, row)
    counts_per_mt = mv_per_mt / 5000 * 1024
    assert strong == round(axis_mt(5, 2, distance_mm) * counts_per_mt)
    assert weak == round(axis_mt(3, 1.5, distance_mm) * counts_per_mt)


def test_there_is_a_distance_at_which_both_magnets_read_what_the_firmware_assumes() -> None:
    """About 248 and 88 counts; the table names it."""
    assert "| DRV5055A2, 50 mV/mT | 5.3 mm | 256 counts | 88 counts |" in README


def aside_mt(diameter_mm: float, height_mm: float, distance_mm: float, aside_mm: float) -> float:
    """The upright field beside a disc magnet, taken for a dipole in its middle."""
    up_mm = distance_mm + height_mm / 2
    moment = 1200 * pi * diameter_mm**2 / 4 * height_mm / (4 * pi)
    return moment * (2 * up_mm**2 - aside_mm**2) / hypot(up_mm, aside_mm) ** 5


def test_neighbours_together_do_not_reach_the_threshold_of_an_empty_space() -> None:
    """On the places of the solder list, with strong magnets at the distance that the page recommends."""
    listed = (ROOT / "hardware" / "WIRING.md").read_text(encoding="utf-8")
    found = re.findall(r"\| space \d+ \| \d+ \| (-?[\d.]+) \| (-?[\d.]+) \|", listed)
    places = [(float(x), float(y)) for x, y in found]
    apart = [sorted(hypot(x - other_x, y - other_y) for other_x, other_y in places)[1:] for x, y in places]
    nearest = min(one[0] for one in apart)
    counts_per_mt = 50 / 5000 * 1024
    alone = -aside_mt(5, 2, 5.3, nearest) * counts_per_mt
    together = max(-sum(aside_mt(5, 2, 5.3, mm) for mm in one) * counts_per_mt for one in apart)
    assert f"nearest sensors lie {nearest:.1f} mm apart" in README
    assert f"reads {round(alone)} counts" in README
    assert f"all of them together read {round(together)} counts" in README
    assert together < 44 - 16 / 2


def test_there_are_magnets_for_every_space_of_every_piece() -> None:
    pieces = default_piece_set()
    spaces = sum(shape.count * len(shape.example) for shape in pieces.shapes)
    strong = sum("STRONG" in magnet.name for magnet in DEFAULT_MAGNETS.values())
    assert part_count("magnets for strong colours") == strong * spaces
    assert part_count("magnets for weak colours") == (len(PlayerColour) - strong) * spaces
    assert part_count("magnets for pegs") == len(PlayerColour)
    assert f"{spaces} magnets a colour" in README


def test_there_is_a_sensor_for_every_place_and_a_capacitor_for_every_chip() -> None:
    assert part_count("linear Hall sensor") == SENSOR_COUNT
    assert part_count("CD74HC4067") == 13
    assert part_count("ceramic capacitor 100 nF") == SENSOR_COUNT + 13


def test_every_colour_has_the_magnet_the_host_expects() -> None:
    words = {
        MagnetClass.N_STRONG: "north, strong | rises far",
        MagnetClass.N_WEAK: "north, weak | rises a little",
        MagnetClass.S_STRONG: "south, strong | falls far",
        MagnetClass.S_WEAK: "south, weak | falls a little",
    }
    for colour, magnet in DEFAULT_MAGNETS.items():
        assert f"| {colour} | {words[magnet]} |" in README


def test_the_supply_is_the_sum_of_what_it_feeds_and_stronger_than_that() -> None:
    rows = re.findall(r"^\| (.+?) \| (?:below )?(\d+) mA \| (\d+) mA \|$", README, re.MULTILINE)
    *parts, (together, typical, most) = rows
    assert together == "together"
    assert parts[0][0].startswith(f"{SENSOR_COUNT} sensors")
    assert sum(int(row[1]) for row in parts) == int(typical)
    assert sum(int(row[2]) for row in parts) == int(most) < 3000


@pytest.mark.parametrize(
    ("what", "pins"),
    [
        ("multiplexer select S0-S3", "D22 - D25"),
        ("multiplexer outputs 0-7", "A0 - A7"),
        ("multiplexer outputs 8-12", "A8 - A12"),
        ("left open, for noise", "A15"),
        ("player LEDs 0-3", "D37 - D34"),
        ("verdict LED, green", "D33"),
        ("verdict LED, red", "D32"),
        ("piezo", "D5"),
    ],
)
def test_the_pins_are_those_of_the_firmware(what: str, pins: str) -> None:
    """The firmware's own list names them so; the page has the same ones."""
    (line,) = [line for line in PINS.splitlines() if line.startswith(f" *   {what} ")]
    assert f" {pins} " in line
    first, _, last = pins.partition(" - ")
    for pin in filter(None, (first, last)):
        assert re.search(rf"\b{pin}\b", README.split("## Pins")[1].split("## Building")[0]) or pin in (
            "A7",
            "A8",
        )


def test_every_file_that_is_named_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / "hardware" / target).exists(), target
