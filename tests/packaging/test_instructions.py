"""What the documents say about connecting is so: files, makes of bridges, and speeds."""

from __future__ import annotations

import re
from pathlib import Path

from tablewire.link.ports import KNOWN_USB
from tablewire.packaging import SERVICE

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PACKAGING = (ROOT / "host/tablewire/packaging/README.md").read_text("utf-8")
HARDWARE = (ROOT / "hardware/README.md").read_text("utf-8")
CLOCK_HZ = 16_000_000
OFF_AT_MOST = 0.01


def off(baud: int) -> float:
    """How far the chip is from a speed with its nearest divider, as a part of it."""
    return abs(CLOCK_HZ / 8 / round(CLOCK_HZ / 8 / baud) / baud - 1)


def test_the_unit_is_where_the_instructions_copy_it_from() -> None:
    assert f"sudo cp {SERVICE.relative_to(ROOT).as_posix()} /etc/systemd/system/" in PACKAGING


def test_nothing_is_built_as_root_in_the_folder_of_whoever_set_it_up() -> None:
    """pip builds where the source is: `make` could not write there any more."""
    installed = re.findall(r"^sudo \S+/pip install (.*)$", PACKAGING, re.M)
    assert installed == ["--force-reinstall build/wheel/tablewire-*.whl"]
    assert "\n.venv/bin/pip wheel --no-deps -w build/wheel ." in PACKAGING


def test_the_options_shown_are_where_the_unit_takes_them_from() -> None:
    unit = SERVICE.read_text("utf-8")
    assert "$TABLEWIRE_OPTIONS" in unit
    (shown,) = re.findall(r'^Environment="TABLEWIRE_OPTIONS=.*"$', PACKAGING, re.M)
    assert shown in unit


def test_the_makes_in_the_readme_are_those_that_are_known() -> None:
    named = re.search(r"known USB id\s+\((.*?)\)", README, re.S)
    assert named is not None
    makes = {make.strip() for make in re.split(r",\s", named[1])}
    known = {name.removesuffix(" bridge") for name in KNOWN_USB.values()}
    assert makes <= known | {"Arduino Mega"}


def test_the_speeds_for_bridges_are_such_as_the_chip_can_keep() -> None:
    speeds = {int(baud) for baud in re.findall(r"^\| [^|]*\| (\d+) \| `make firmware", HARDWARE, re.M)}
    assert speeds == {500_000, 250_000, 57_600}
    assert max(map(off, speeds)) < OFF_AT_MOST
    said = re.search(r"its 115200 and 230400 .* \(([\d.]+) and ([\d.]+) % off\)", HARDWARE)
    assert said is not None
    assert [round(100 * off(baud), 1) for baud in (115_200, 230_400)] == [float(one) for one in said.groups()]


def test_each_speed_but_the_default_is_built_for_by_name() -> None:
    rows = re.findall(r"^\| [^|]*\| (\d+) \| `make firmware(?: BAUD=(\d+))?` \|", HARDWARE, re.M)
    assert [(speed, named) for speed, named in rows if named not in (speed, "")] == []
    assert [speed for speed, named in rows if not named] == ["500000"]
