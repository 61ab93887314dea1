"""What the firmware's page says, against the sources: files, pins, interrupts, limits, layouts, examples."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.wire.vectors import MESSAGES, ROOT

from tablewire.games.cirkis.wiring import sensor_of
from tablewire.games.cirkis.wiring_map import WIRES
from tablewire.virtual.device import PARAM_RANGES as HALL_RANGES
from tablewire.virtual.tag_device import PARAM_RANGES as TAG_RANGES
from tablewire.wire.messages import Light, ParamKey, Sound

FIRMWARE = ROOT / "firmware"
SOURCES = FIRMWARE / "src"
PAGE = (FIRMWARE / "README.md").read_text(encoding="utf-8")


def source(name: str) -> str:
    """The text of one file of the firmware."""
    return (SOURCES / name).read_text(encoding="utf-8")


def section(heading: str) -> str:
    """The part of the page below a heading."""
    return PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def first_column(heading: str) -> list[str]:
    """What stands between backquotes in the first column of a section's tables."""
    return re.findall(r"^\| `([^`]+)` \|", section(heading), re.MULTILINE)


def defined(name: str, constant: str) -> int:
    """The number that a #define of a source file stands for, unless the build says otherwise."""
    (value,) = re.findall(rf"^#define {constant} (\d+)u?\b", source(name), re.MULTILINE)
    return int(value)


def test_every_source_file_is_in_the_list_and_nothing_else() -> None:
    """`board` stands for board.c and board.h."""
    listed = set()
    for name in first_column("Files"):
        listed |= {name} if "." in name else {f"{name}.c", f"{name}.h"}
    assert listed == {path.name for path in SOURCES.iterdir()}


def test_every_interrupt_is_in_the_list_and_nothing_else() -> None:
    chip = "".join(
        source(name) for name in ("hal_avr.c", "hal_avr_link.c", "hal_avr_readers.c", "hal_avr_scan.c")
    )
    found = re.findall(r"^ISR\((\w+)", chip, re.MULTILINE)
    assert sorted(first_column("Interrupts and clocks")[: len(found)]) == sorted(found)


def test_every_function_of_the_chip_s_contract_is_in_the_list_for_porting_in_its_order() -> None:
    contract = re.findall(r"^[a-z][\w *]*?\b(hal_\w+)\(", source("hal.h"), re.MULTILINE)
    assert first_column("Porting to another chip") == contract
    assert len(contract) > 15


def test_the_pins_are_those_of_the_list_that_the_firmware_is_built_with() -> None:
    rows = re.findall(r"^\| (.+?) \| (P.+?) \| ([AD].+?) \|$", section("Pins"), re.MULTILINE)
    port, pin = (rf"{one}\d+(?:(?: -|,) {one}\d+)?" for one in ("P[A-L]", "[AD]"))
    listed = re.findall(rf"^ \*   (.+?) +({port}) +({pin})\b", source("hal_pins.h"), re.MULTILINE)
    assert sorted(rows) == sorted(listed)
    assert len(rows) == 15


def test_the_limits_are_those_of_the_build() -> None:
    makefile = (FIRMWARE / "Makefile").read_text(encoding="utf-8")
    for name, words in (("FLASH_MAX_BYTES", "bytes of flash"), ("RAM_MAX_BYTES", "bytes of static RAM")):
        (limit,) = re.findall(rf"^{name} := (\d+)$", makefile, re.MULTILINE)
        assert f"{limit} {words}" in PAGE


def test_every_target_that_is_named_is_there() -> None:
    makefile = (FIRMWARE / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^make -C firmware (\w+)", PAGE, re.MULTILINE)
    assert targets == ["twin", "native", "fuzz"]
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_every_file_that_is_linked_or_named_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (FIRMWARE / target).exists(), target
    named = set(re.findall(r"`((?:\.\./|src/|tests/|protocol/|twin/|host/)[\w./*]+)`", PAGE))
    assert len(named) > 15
    for name in named:
        assert any(list(base.glob(name)) for base in (FIRMWARE, ROOT)) or (FIRMWARE / name).exists(), name


def test_the_examples_are_frames_that_both_sides_are_tested_with() -> None:
    shown = re.findall(r"^```\n((?:[0-9a-f]{2} ?)+)\n```$", PAGE, re.MULTILINE)
    frames = [next(row["frame"] for row in MESSAGES if row["name"] == name) for name in ("EVENTS", "ACK")]
    assert [line.replace(" ", "") for line in shown] == frames


def test_the_sensor_of_the_example_is_wired_as_the_page_says() -> None:
    wire = WIRES[sensor_of(6)]
    words = f"space 6: sensor {sensor_of(6)}, on channel {wire.channel} of multiplexer {wire.mux}."
    assert words in section("One placement, from magnet to EVENTS")


def test_the_counts_of_the_example_are_classified_as_the_page_says() -> None:
    """Thresholds are half of weak, and halfway from weak to strong."""
    zero, weak, strong = (
        defined("classify.h", f"CLASSIFY_{name}_COUNTS") for name in ("ZERO", "WEAK", "STRONG")
    )
    near, far = weak // 2, (weak + strong) // 2
    assert (
        f"{zero + weak} counts are {weak} above\n   zero, more than {near}, less than {far}: N_WEAK" in PAGE
    )
    assert f"{zero + strong} counts are N_STRONG" in PAGE
    assert f"zero {zero}, weak {weak}, strong {strong}" in section("Calibration")


@pytest.mark.parametrize(
    ("name", "key"),
    [("levels.c", key) for key in HALL_RANGES] + [("table_tags.c", key) for key in TAG_RANGES],
)
def test_the_parameters_are_those_of_both_boards(name: str, key: ParamKey) -> None:
    """A range of the simulated board is one of numbers, or a choice of some powers of two."""
    (row,) = re.findall(rf"^\| {key.name} \| (\d+) \| (\d+) \| (\d+) \|", section("Parameters"), re.MULTILINE)
    default, least, most = map(int, row)
    simulated = (HALL_RANGES if name == "levels.c" else TAG_RANGES)[key]
    powers = "true" if key is ParamKey.FIELD_GROUPS else "false"
    allowed = [value for value in range(5000) if value in simulated]
    assert allowed == [
        value for value in range(least, most + 1) if powers == "false" or value.bit_count() == 1
    ]
    built = source(name).replace(", FIELD_GROUPS}", f", {defined('table_tags.c', 'FIELD_GROUPS')}}}")
    assert f"{{TW_PARAM_KEY_{key.name}, {powers}, {least}, {most}, {default}}}" in built


def test_the_eeprom_is_laid_out_as_the_page_says() -> None:
    rows = [
        (int(at), int(count))
        for at, count in re.findall(r"^\| (\d+) \| (\d+) \|", section("EEPROM"), re.MULTILINE)
    ]
    slots_at, slots = defined("store.c", "SLOTS_AT"), defined("store.c", "SLOT_COUNT")
    slot_bytes = (defined("hal.h", "HAL_EEPROM_BYTES") - slots_at) // slots
    boots, header, record = 5, 7, 2 * len(HALL_RANGES) + 7 * len(WIRES)
    expected: list[tuple[int, int]] = [(0, boots), (boots, boots)]
    for slot in range(slots):
        at = slots_at + slot * slot_bytes
        expected += [(at, header), (at + header, record)]
    assert rows == expected
    assert header + record <= slot_bytes


def test_every_light_and_sound_is_described() -> None:
    rows = re.findall(r"^\| ?(\w*) \|[^|]*\| \| (\w*) \|", section("Lights and sound"), re.MULTILINE)
    lights, sounds = ({name for name in column if name} for column in zip(*rows, strict=True))
    assert lights - {"light"} == {light.name for light in Light}
    assert sounds - {"sound"} == {sound.name for sound in Sound} - {"NONE"}


def test_both_languages_have_the_modules_that_are_named_together() -> None:
    pairs: dict[str, Any] = dict(re.findall(r"`(?:wire|virtual)/(frame|debounce|numbered)\.(py)`", PAGE))
    assert sorted(pairs) == ["debounce", "frame", "numbered"]
