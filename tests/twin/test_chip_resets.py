"""Resets, the watchdog, interrupts, sleep, SPI and crashes of the simulated chip, against the data sheet."""

from __future__ import annotations

import time

import pytest
from tests.twin.probe import heard_from, probe, results_of

from tablewire.errors import BoardError

PORF, EXTRF, BORF, WDRF = 1, 2, 4, 8
BOOT_US = 100_000
UNUSED_RAM = ("__bss_end", 64)
"""What a program that starts does not write."""


def test_the_program_learns_why_it_started() -> None:
    with probe("watchdog") as chip:
        assert heard_from(chip, BOOT_US) == bytes([PORF])
        chip.reset("external")
        assert heard_from(chip, BOOT_US) == bytes([EXTRF])
        chip.reset("brownout")
        assert heard_from(chip, BOOT_US) == bytes([BORF])
        chip.reset()
        assert heard_from(chip, BOOT_US) == bytes([PORF])


def test_a_program_that_hangs_is_reset_by_the_watchdog_once() -> None:
    with probe("watchdog") as chip:
        chip.run(BOOT_US)
        chip.rx(b"h")
        assert heard_from(chip, 16_000) == b""
        assert heard_from(chip, 10_000) == bytes([WDRF])
        assert heard_from(chip, 1_000_000) == b""
        assert chip.peek("boots", 1) == b"\2"


def test_a_watchdog_left_running_resets_for_ever() -> None:
    with probe("watchdog") as chip:
        chip.run(BOOT_US)
        chip.rx(b"u")
        heard = heard_from(chip, 1_000_000)
        assert set(heard) == {WDRF}
        assert 55 < len(heard) < 65  # every 16 ms


def test_the_watchdog_ticks_as_an_interrupt() -> None:
    with probe("watchdog") as chip:
        chip.run(BOOT_US)
        chip.rx(b"t")
        chip.run(165_000)
        assert chip.peek("ticks", 1) == b"\12"


def test_ram_survives_a_reset_but_not_a_power_cut() -> None:
    with probe("watchdog") as chip:
        chip.run(BOOT_US)
        for _ in range(3):
            chip.reset("external")
            chip.run(BOOT_US)
        assert chip.peek("boots", 1) == b"\4"
        before = chip.peek(*UNUSED_RAM)
        chip.reset("external")
        assert chip.peek(*UNUSED_RAM) == before
        chip.reset("brownout")
        assert chip.peek(*UNUSED_RAM) != before
        before = chip.peek(*UNUSED_RAM)
        chip.reset("power")
        assert chip.peek(*UNUSED_RAM) != before
        chip.run(BOOT_US)
        assert chip.peek("boots", 1) == b"\1"


def test_time_goes_on_through_resets() -> None:
    with probe("watchdog") as chip:
        for cause in ("external", "power", "brownout"):
            before = chip.now_us
            chip.run(30_000)
            chip.reset(cause)
            chip.run(30_000)
            assert chip.now_us == before + 60_000


def test_an_interrupt_is_entered_after_the_time_the_chip_takes() -> None:
    with probe("interrupts") as chip:
        # Five cycles to enter, three for the jump of the vector, up to three for the instruction under way.
        assert 8 <= results_of(chip)[1] <= 11


def test_an_interrupt_out_of_sleep_takes_four_cycles_more() -> None:
    with probe("interrupts") as chip:
        assert 12 <= results_of(chip)[2] <= 13


def test_the_longest_time_without_interrupts_is_measured() -> None:
    with probe("interrupts") as chip:
        results_of(chip)
        assert 1000 / 16 <= chip.figures()["irq_off_max_us"] <= 1010 / 16


def test_sleep_without_the_enable_bit_does_not_sleep() -> None:
    with probe("interrupts") as chip:
        assert results_of(chip)[0] == 100


def test_sleep_costs_no_real_time() -> None:
    with probe("echo") as chip:
        begun_s = time.perf_counter()
        chip.run(60_000_000)
        assert time.perf_counter() - begun_s < 60  # what it would take in real time
        assert chip.now_us == 60_000_000
        figures = chip.figures()
        assert figures["asleep_cycles"] > 0.99 * figures["cycles"]


def test_a_byte_over_spi_takes_eight_bits_at_the_divider() -> None:
    with probe("spi") as chip:
        results = results_of(chip)
    for measured, divider in zip(results[:5], (4, 16, 64, 128, 2), strict=True):
        assert 8 * divider <= measured <= 8 * divider + 12
    assert results[5] == 0


def test_the_simulator_alone_takes_100_us_over_spi() -> None:
    with probe("spi", unmended="spi") as chip:
        assert results_of(chip)[0] >= 1600


@pytest.mark.parametrize(
    ("order", "why"),
    [
        (b"n", "it ran out of its program"),
        (b"i", "it met an invalid instruction"),
        (b"m", "it touched memory that is not there"),
    ],
)
def test_a_program_that_crashes_is_told_and_a_reset_starts_it_again(order: bytes, why: str) -> None:
    with probe("crash") as chip:
        chip.run(1000)
        chip.rx(order)
        with pytest.raises(BoardError, match=rf"the firmware crashed at PC 0x[0-9a-f]+: {why}"):
            chip.run(1_000_000)
        with pytest.raises(BoardError, match="crashed"):
            chip.run(1)
        chip.reset()
        chip.run(1000)


def test_sleep_with_interrupts_off_is_no_crash() -> None:
    with probe("crash") as chip:
        chip.run(1000)
        chip.rx(b"s")
        assert chip.run(1_000_000) == []
