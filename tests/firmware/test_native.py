"""The firmware builds for the chip within its limits, and its own tests pass on this computer."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest
from tests.firmware.native import BUILD, FIRMWARE, make

from tablewire import __version__

LINES_MAX = 400
FUZZ_RUNS = 20_000
FUZZ_LIMIT_S = 200


class Bare:
    """The firmware's sources, and a system on which nothing is installed but what every one has."""

    def __init__(self, folder: Path) -> None:
        self._tools = folder / "bin"
        self._tools.mkdir()
        for tool in ("sh", "make", "mkdir", "touch", "echo", "awk", "rm", "printf"):
            (self._tools / tool).symlink_to(Path(shutil.which(tool) or tool))
        self._sources = folder / "firmware"
        shutil.copytree(FIRMWARE, self._sources, ignore=shutil.ignore_patterns("build"))

    def tool(self, name: str, line: str) -> None:
        """Install a program that does what the shell line says."""
        path = self._tools / name
        path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        path.chmod(0o755)

    def make(self, target: str) -> str:
        """What `make` complains of; it must fail."""
        said = subprocess.run(
            ["make", "-C", str(self._sources), target],
            env={"PATH": str(self._tools)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert said.returncode != 0
        return said.stderr


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return Bare(tmp_path)


@pytest.mark.parametrize("board", ["tablewire", "ligretto"])
def test_the_firmware_builds_and_prints_its_size_and_the_limit(board: str) -> None:
    said = make()
    size = re.search(
        rf"{board}: flash (\d+) of at most (\d+) bytes, static RAM (\d+) of at most (\d+) bytes", said
    )
    assert size is not None, said
    flash, flash_max, ram, ram_max = map(int, size.groups())
    assert 0 < flash <= flash_max <= 49152
    assert 0 < ram <= ram_max <= 6144
    hex_lines = (BUILD / f"{board}.hex").read_text(encoding="ascii").split()
    assert hex_lines[-1] == ":00000001FF"  # the record that ends every such file


def test_no_board_carries_what_only_the_other_one_needs() -> None:
    """Thresholds of magnets are of no use to readers, nor tags to sensors."""
    make()
    symbols = {
        board: subprocess.run(
            ["avr-nm", str(BUILD / f"{board}.elf")], capture_output=True, text=True, check=True
        ).stdout
        for board in ("tablewire", "ligretto")
    }
    assert "wiring_sensors" in symbols["tablewire"]
    assert "rfid_find" in symbols["ligretto"]
    assert not re.search("rfid_|mfrc522|sightings|reader_care|hal_reader", symbols["tablewire"])
    assert not re.search("wiring|classify|calibrate|levels", symbols["ligretto"])


def test_the_firmware_tells_the_version_of_the_package_it_comes_with() -> None:
    header = (FIRMWARE / "src" / "version.h").read_text(encoding="utf-8")
    assert re.findall(r'#define VERSION_FIRMWARE "(.{1,8})"', header) == [__version__]


@pytest.mark.parametrize(
    ("target", "gone", "package"),
    [("all", "avr-gcc", "gcc-avr"), ("native", "gcc", "gcc"), ("fuzz", "clang", "clang")],
)
def test_a_missing_tool_is_named_with_its_package(bare: Bare, target: str, gone: str, package: str) -> None:
    said = bare.make(target)
    assert re.search(rf"missing here: {gone}\S*\. On Debian: sudo apt install .*{package}", said)


def test_a_compiler_without_its_companions_is_told_what_they_are_in(bare: Bare) -> None:
    bare.tool("avr-gcc", "exit 0")
    assert "missing here: avr-objcopy. On Debian: sudo apt install binutils-avr\n" in bare.make("all")


def test_all_that_the_twin_lacks_is_one_line_to_type(bare: Bare) -> None:
    said = bare.make("twin")
    line = next(line for line in said.splitlines() if line.startswith("missing here"))
    assert line.endswith("gcc-avr avr-libc binutils-avr gcc libc6-dev libsimavr-dev libelf-dev")
    bare.tool("avr-gcc", "exit 0")
    bare.tool("cc", "while read -r line; do case $line in *simavr*|*elf.h*) exit 1;; esac; done")
    said = bare.make("twin")
    assert "missing here: libsimavr-dev libelf-dev. On Debian: sudo apt install --no-" in said
    bare.tool("cc", "while read -r line; do case $line in *elf.h*) exit 1;; esac; done")
    assert "missing here: libelf-dev. On Debian:" in bare.make("twin")


def test_what_does_not_touch_the_chip_includes_no_header_of_the_chip() -> None:
    chips = re.compile(r"#include <(avr|util)/")
    users = {
        path.name for path in (FIRMWARE / "src").iterdir() if chips.search(path.read_text(encoding="utf-8"))
    }
    chip = {"hal_avr.c", "hal_avr.h", "hal_avr_link.c", "hal_avr_readers.c", "hal_avr_scan.c"}
    assert users == {*chip, "wiring.h"}  # the wiring stays in flash, which takes the chip's own reading


@pytest.mark.parametrize("folder", ["src", "twin"])
def test_every_part_says_first_what_it_owns_and_is_short(folder: str) -> None:
    openings: dict[str, str] = defaultdict(str)
    long = []
    for path in (FIRMWARE / folder).glob("*.[ch]"):
        text = path.read_text(encoding="utf-8")
        openings[path.stem] += text[: text.find("*/")] if text.startswith("/*") else ""
        if text.count("\n") >= LINES_MAX:
            long.append(path.name)
    assert len(openings) > 10
    assert [name for name, opening in openings.items() if "Owns" not in opening] == []
    assert long == []


def test_every_native_test_passes_under_the_sanitizers() -> None:
    said = make("native")
    plans = [int(count) for count in re.findall(r"^1\.\.(\d+)$", said, re.MULTILINE)]
    passed = re.findall(r"^ok \d+ - (\w+)$", said, re.MULTILINE)
    assert "not ok" not in said
    assert len(plans) == len(list((FIRMWARE / "tests").glob("test_*.c")))
    assert len(passed) == sum(plans)
    assert len(set(passed)) == len(passed)


def test_the_fuzzer_finds_no_stream_on_which_the_parser_fails() -> None:
    # Bounded by runs: how many fit into some seconds is the machine's affair.
    said = make("fuzz", f"FUZZ_RUNS={FUZZ_RUNS}", f"FUZZ_S={FUZZ_LIMIT_S}")
    runs = re.search(r"number_of_executed_units: (\d+)", said)
    assert runs is not None, said
    assert int(runs.group(1)) >= FUZZ_RUNS
