"""The one map from sensor to multiplexer channel: whole, right in every copy, and short in its wires."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tablewire.games.cirkis.tiling import board
from tablewire.games.cirkis.wiring import SENSOR_COUNT, peg_of, space_of
from tablewire.games.cirkis.wiring_map import CHANNEL_COUNT, MUX_COUNT, WIRES

ROOT = Path(__file__).parent.parent.parent
HARDWARE = ROOT / "hardware"
TABLE = HARDWARE / "wiring.csv"


def rows() -> list[dict[str, str]]:
    """The map as it stands in the csv."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def place_of(sensor: int) -> str:
    """What the game says lies above a sensor, in the words of the map."""
    space, peg = space_of(sensor), peg_of(sensor)
    return f"space {space}" if space is not None else " ".join(map(str, peg or ()))


def generate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the generator that stands in `folder`."""
    command = [sys.executable, str(folder / "hardware" / "generate.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A tree with the map, its generator and all that is generated."""
    for name in (
        "hardware/wiring.csv",
        "hardware/generate.py",
        "hardware/WIRING.md",
        "firmware/protocol/generated.py",
        "firmware/src/wiring.h",
        "host/tablewire/games/cirkis/wiring_map.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_sensor_stands_in_the_map_once_with_the_place_the_game_gives_it() -> None:
    assert [int(row["sensor"]) for row in rows()] == list(range(SENSOR_COUNT))
    assert [row["place"] for row in rows()] == [place_of(sensor) for sensor in range(SENSOR_COUNT)]


def test_no_two_sensors_share_an_input_and_the_last_channel_is_read_on_six_multiplexers_only() -> None:
    inputs = [(int(row["mux"]), int(row["channel"])) for row in rows()]
    assert len(set(inputs)) == SENSOR_COUNT
    whole = {(mux, channel) for mux in range(13) for channel in range(15)}
    assert set(inputs) == whole | {(mux, 15) for mux in range(6)}


def test_generated_files_are_what_the_map_says() -> None:
    found = generate(ROOT, "--check")
    assert (found.returncode, found.stderr) == (0, "")


def test_the_firmware_reads_every_sensor_where_the_map_has_it() -> None:
    text = (ROOT / "firmware" / "src" / "wiring.h").read_text(encoding="utf-8")
    table = [
        [int(n) for n in line.split(",")] for line in re.findall(r"^ {4}\{([\d, ]+)\}", text, re.MULTILINE)
    ]
    read = {sensor: (mux, channel) for channel, row in enumerate(table) for mux, sensor in enumerate(row)}
    assert [read[int(row["sensor"])] for row in rows()] == [
        (int(row["mux"]), int(row["channel"])) for row in rows()
    ]
    assert sorted(read) == [*range(SENSOR_COUNT), 255]


def test_the_host_knows_the_same_inputs() -> None:
    assert [tuple(wire) for wire in WIRES] == [(int(row["mux"]), int(row["channel"])) for row in rows()]
    assert (MUX_COUNT, CHANNEL_COUNT) == (13, 16)


def test_the_solder_list_has_a_line_for_every_sensor() -> None:
    text = (HARDWARE / "WIRING.md").read_text(encoding="utf-8")
    sections = re.split(r"^## Multiplexer (\d+): common pin to A\1$", text, flags=re.MULTILINE)[1:]
    listed = {
        (place, int(sensor), int(mux), int(channel))
        for mux, body in zip(sections[::2], sections[1::2], strict=True)
        for channel, place, sensor in re.findall(r"^\| (\d+) \| ([a-z]+ \d+) \| (\d+) \|", body, re.MULTILINE)
    }
    assert listed == {(r["place"], int(r["sensor"]), int(r["mux"]), int(r["channel"])) for r in rows()}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0,space 1,11,0", "0,space 1,11,1", "sensors 0 and 25 share an input"),
        ("0,space 1,11,0", "0,space 1,13,0", "no input 0 on 13"),
        ("0,space 1,11,0", "0,space 1,6,15", "no input 15 on 6"),
        ("0,space 1,11,0\n", "", "not every sensor"),
        ("sensor,place", "sensor,name", "the columns are"),
    ],
)
def test_a_map_that_cannot_be_wired_is_refused(copy: Path, old: str, new: str, said: str) -> None:
    table = copy / "hardware" / "wiring.csv"
    text = table.read_text(encoding="utf-8")
    assert text.count(old) == 1
    table.write_text(text.replace(old, new), encoding="utf-8")
    found = generate(copy)
    assert found.returncode != 0
    assert said in found.stderr


def test_two_sensors_exchanged_in_the_map_make_every_copy_stale(copy: Path) -> None:
    assert generate(copy, "--check").returncode == 0
    table = copy / "hardware" / "wiring.csv"
    text = table.read_text(encoding="utf-8")
    text = text.replace("0,space 1,11,0\n", "0,space 1,11,9\n").replace(
        "17,space 18,11,9\n", "17,space 18,11,0\n"
    )
    table.write_text(text, encoding="utf-8")
    found = generate(copy, "--check")
    assert found.returncode == 1
    assert {line.split(";")[0] for line in found.stderr.splitlines()} == {
        "stale: wiring.h",
        "stale: wiring_map.py",
        "stale: WIRING.md",
    }


def test_no_space_lies_farther_from_another_on_its_multiplexer_than_half_the_board() -> None:
    """150 mm of a 300 mm board; the list says how far for each."""
    text = (HARDWARE / "WIRING.md").read_text(encoding="utf-8")
    spans = [int(mm) for mm in re.findall(r"its spaces lie at most (\d+) mm apart", text)]
    assert len(spans) == 13
    assert max(spans) < 150


def is_inside(x: float, y: float, corners: tuple[tuple[float, float], ...]) -> bool:
    """Whether a ray to the right crosses the outline an odd number of times."""
    crossings = 0
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossings += 1
    return crossings % 2 == 1


def test_every_sensor_lies_under_its_space_a_few_millimetres_from_the_edge() -> None:
    """The list is read by a person with a drill. A sensor is 4 mm wide, so it fits under its own space."""
    text = (HARDWARE / "WIRING.md").read_text(encoding="utf-8")
    places = re.findall(r"\| space (\d+) \| \d+ \| (-?[\d.]+) \| (-?[\d.]+) \|", text)
    assert len(places) == 165
    short_edge_mm = 300 / 2 / 8.4721359
    for number, x_mm, y_mm in places:
        space = board().spaces[int(number) - 1]
        corners = tuple((short_edge_mm * x, short_edge_mm * y) for x, y in space.corners)
        for aside_mm, up_mm in ((0, 0), (2, 0), (-2, 0), (0, 2), (0, -2)):
            assert is_inside(float(x_mm) + aside_mm, float(y_mm) + up_mm, corners), number
