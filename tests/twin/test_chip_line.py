"""The UART of the simulated chip and the line to the host, against the data sheet (chapter 22)."""

from __future__ import annotations

import time
from itertools import pairwise

from tests.twin.probe import heard_from, probe, results_of

BIT_CYCLES = 32
"""16 MHz at 500 kbaud."""
POLLING_CYCLES = 24
"""A loop that waits for a flag sees it so late at most, and reading the timer takes some, too."""
DOR = 0x8000
POLLING_US, POLLING_S = 200_000, 20.0
"""What takes 45 s with the simulator's pauses, and 30 ms without."""


def test_a_character_takes_its_bits_at_the_rate_of_the_registers_whatever_their_order() -> None:
    with probe("rate") as chip:
        results = results_of(chip)
    # 8N1 fast, 8N1 slow, 8N1 at UBRR 16, 8N2, 7E1, 5N1; then two characters in a row.
    expected = (
        10 * BIT_CYCLES,
        10 * 2 * BIT_CYCLES,
        10 * 8 * 17,
        11 * BIT_CYCLES,
        10 * BIT_CYCLES,
        7 * BIT_CYCLES,
    )
    for measured, cycles in zip((*results[:6], results[7]), (*expected, 20 * BIT_CYCLES), strict=True):
        assert cycles <= measured <= cycles + POLLING_CYCLES


def test_the_simulator_alone_misses_a_later_doubling_of_the_rate() -> None:
    with probe("rate", unmended="uart") as chip:
        assert abs(results_of(chip)[0] - 10 * BIT_CYCLES) > POLLING_CYCLES


def test_one_byte_waits_while_another_is_sent() -> None:
    with probe("rate") as chip:
        assert results_of(chip)[6] == 3


def test_bytes_leave_at_the_pace_of_the_line() -> None:
    with probe("echo") as chip:
        chip.run(1000)
        for byte in b"abc":
            chip.rx(bytes([byte]))
        times = [at_us for us in range(120) for at_us, _ in chip.run(1)]
        assert len(times) == 3
        assert {later - earlier for earlier, later in pairwise(times)} == {20}


def test_a_pause_begins_a_new_answer() -> None:
    with probe("echo") as chip:
        chip.run(1000)
        chip.rx(b"one")
        chip.run(40)
        chip.rx(b" and the same")
        chip.run(600)
        chip.rx(b"two")
        chip.run(30)
        said = chip.run(1000)
        assert [data for _, data in said] == [b"two"]
    with probe("echo") as chip:
        chip.run(1000)
        chip.rx(b"one")
        first = chip.run(200)
        assert [data for _, data in first] == [b"one"]


def test_what_nobody_reads_is_lost_beyond_two_bytes_and_a_shift_register() -> None:
    with probe("receive") as chip:
        chip.run(100)
        chip.rx(bytes([1, 2, 3, 4, 5, 6]))
        count, *found = results_of(chip)[:5]
        assert (count, found[:3]) == (3, [1 | DOR, 2, 6])
        assert chip.figures()["rx_overruns"] == 3


def test_three_bytes_are_kept() -> None:
    with probe("receive") as chip:
        chip.run(100)
        chip.rx(bytes([1, 2, 3]))
        assert results_of(chip)[:4] == (3, 1, 2, 3)
        assert chip.figures()["rx_overruns"] == 0


def test_a_host_at_another_rate_is_garbled_both_ways() -> None:
    text = bytes(range(0x20, 0x60))
    with probe("echo") as chip:
        chip.run(1000)
        assert chip.host_baud(115200) == 500000
        chip.rx(text)
        garbled = heard_from(chip, 50_000)
        assert garbled
        assert garbled != text
        assert chip.figures()["garbled_bytes"] > 0
        chip.host_baud(500000)
        chip.rx(text)
        assert heard_from(chip, 50_000) == text


def test_a_host_that_is_a_little_off_is_still_understood() -> None:
    # Half a bit in ten: a receiver bears some 4 %.
    text = bytes(range(0x20, 0x60))
    for baud, understood in ((490_000, True), (511_000, True), (460_000, False), (545_000, False)):
        heard = b""
        with probe("echo") as chip:
            chip.run(1000)
            for byte in text:
                chip.host_baud(baud)
                chip.rx(bytes([byte]))
                chip.host_baud(0)  # the way back is at the board's own rate
                heard += heard_from(chip, 100)
        assert (heard == text) is understood, baud


def test_bytes_on_their_way_arrive_after_a_reset_but_not_after_a_power_cut() -> None:
    for cause, arrives in (("external", 10), ("power", 0)):
        with probe("echo") as chip:
            chip.run(1000)
            # A byte without another falling edge than its first is found again by a receiver that was away.
            chip.rx(b"\xff" * 14)
            chip.run(50)
            chip.reset(cause)
            heard = heard_from(chip, 2000)
            assert arrives <= len(heard) <= arrives + 2
            assert set(heard) <= {0xFF}


def test_polling_costs_no_more_than_it_costs_the_chip() -> None:
    """The simulator alone pauses in real time at each look at the flags, until a byte has passed."""
    with probe("polling") as chip:
        begun_s = time.perf_counter()
        chip.run(POLLING_US)
        assert time.perf_counter() - begun_s < POLLING_S
        chip.rx(b"polled")
        assert heard_from(chip, 500_000) == b"polled"
        assert chip.now_us == POLLING_US + 500_000
