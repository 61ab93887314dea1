"""Probes: tiny programs for the chip, each of which tries one part of it and leaves results in its RAM."""

from __future__ import annotations

import struct
from pathlib import Path

from tablewire.twin.chip import BUILD_FOLDER, Chip

PROGRAM = BUILD_FOLDER / "twin" / "tablewire-twin"
RESULT_COUNT = 24
SETTLED_US = 30_000
"""By then every probe has finished."""


def probe(name: str, eeprom: Path | None = None, seed: int = 0, unmended: str | None = None) -> Chip:
    """A chip with a probe as its program; `unmended` leaves one part of it as the simulator has it."""
    elf = BUILD_FOLDER / "twin" / "probes" / f"{name}.elf"
    assert elf.is_file(), f"{elf} is not built: make -C firmware twin"
    return Chip(elf, eeprom, seed, program=PROGRAM, unmended=unmended)


def results_of(chip: Chip) -> tuple[int, ...]:
    """Let the probe come to its end; what it measured."""
    chip.run(SETTLED_US)
    assert chip.peek("finished", 1) == b"\1"
    return struct.unpack(f"<{RESULT_COUNT}H", chip.peek("results", 2 * RESULT_COUNT))


def heard_from(chip: Chip, us: int) -> bytes:
    """Let time pass; the bytes that the host heard."""
    return b"".join(data for _, data in chip.run(us))
