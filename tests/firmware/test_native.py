"""The firmware builds for the chip within its limits, and its own tests pass on this computer."""

from __future__ import annotations

import re

from tests.firmware.native import BUILD, FIRMWARE, make

GCC = (("gcc", "gcc"),)


def test_the_firmware_builds_and_prints_its_size_and_the_limit() -> None:
    said = make(needs=(("avr-gcc", "gcc-avr avr-libc"), ("avr-size", "binutils-avr")))
    size = re.search(r"flash (\d+) of at most (\d+) bytes, static RAM (\d+) of at most (\d+) bytes", said)
    assert size is not None, said
    flash, flash_max, ram, ram_max = map(int, size.groups())
    assert 0 < flash <= flash_max <= 49152
    assert 0 < ram <= ram_max <= 6144
    hex_lines = (BUILD / "tablewire.hex").read_text(encoding="ascii").split()
    assert hex_lines[-1] == ":00000001FF"  # the record that ends every such file


def test_what_does_not_touch_the_chip_includes_no_header_of_the_chip() -> None:
    chips = re.compile(r"#include <(avr|util)/")
    users = {
        path.name for path in (FIRMWARE / "src").iterdir() if chips.search(path.read_text(encoding="utf-8"))
    }
    assert users == {"hal_avr.c", "wiring.h"}  # the wiring stays in flash, which takes the chip's own reading


def test_every_native_test_passes_under_the_sanitizers() -> None:
    said = make("native", needs=GCC)
    plans = [int(count) for count in re.findall(r"^1\.\.(\d+)$", said, re.MULTILINE)]
    passed = re.findall(r"^ok \d+ - (\w+)$", said, re.MULTILINE)
    assert "not ok" not in said
    assert len(plans) == len(list((FIRMWARE / "tests").glob("test_*.c")))
    assert len(passed) == sum(plans)
    assert len(set(passed)) == len(passed)


def test_the_fuzzer_finds_no_stream_on_which_the_parser_fails() -> None:
    said = make("fuzz", needs=(("clang-14", "clang-14 libclang-rt-14-dev"),))
    runs = re.search(r"number_of_executed_units: (\d+)", said)
    assert runs is not None, said
    assert int(runs.group(1)) >= 10_000
