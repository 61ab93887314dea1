"""The converter and the multiplexers of the simulated chip, against the data sheet.

Chapter 26: a conversion takes 13 clocks of the converter (25 the first), the channel is taken when it starts,
the voltage is held 1.5 clocks later. A clock is 32 cycles here.
"""

from __future__ import annotations

from tests.twin.probe import probe, results_of

from tablewire.games.cirkis.wiring import SENSOR_COUNT

CHANNEL_0 = (165, 174, 183, 192, 90, 116, 48, 39, 140, 52, 73, 0, 19)
"""The sensors of the wiring table's first row, by multiplexer."""
FIRST_OF_CHANNEL_1 = 166
ZERO = 512
ADC_CLOCK = 32
BANDGAP_COUNTS = 225  # 1.1 V of 5 V, in 1024 steps
POLLING_CYCLES = 24
"""A loop that waits for a flag sees it so late at most, and reading the timer takes some, too."""


def test_every_multiplexer_is_read_at_its_own_input() -> None:
    with probe("adc") as chip:
        for mux, sensor in enumerate(CHANNEL_0):
            chip.field(sensor, 10 * mux - 60)
        assert results_of(chip)[:13] == tuple(ZERO + 10 * mux - 60 for mux in range(13))


def test_the_simulator_alone_reads_nothing_at_the_upper_inputs() -> None:
    """But zeros, and what happens to lie in its memory."""
    with probe("adc", unmended="adc") as chip:
        for sensor in CHANNEL_0:
            chip.field(sensor, 33)
        read = results_of(chip)[8:13]
        assert 0 in read
        assert set(read) != {ZERO + 33}


def test_a_conversion_takes_13_clocks_and_the_first_25() -> None:
    with probe("adc") as chip:
        results = results_of(chip)
    # The converter's clock runs by itself: up to one of them passes before a conversion begins.
    assert 25 * ADC_CLOCK <= results[13] <= 26 * ADC_CLOCK + POLLING_CYCLES
    assert 13 * ADC_CLOCK <= results[14] <= 14 * ADC_CLOCK + POLLING_CYCLES


def test_the_channel_is_taken_when_the_conversion_starts() -> None:
    with probe("adc") as chip:
        assert results_of(chip)[15] == BANDGAP_COUNTS


def test_the_simulator_alone_takes_the_channel_when_the_result_is_read() -> None:
    with probe("adc", unmended="adc") as chip:
        assert results_of(chip)[15] == 0


def test_a_select_line_that_moves_after_the_hold_changes_nothing() -> None:
    with probe("adc") as chip:
        chip.field(CHANNEL_0[0], -100)
        chip.field(FIRST_OF_CHANNEL_1, 300)
        results = results_of(chip)
        assert (results[16], results[18]) == (ZERO - 100, ZERO + 300)


def test_a_multiplexer_that_has_not_settled_misreads() -> None:
    with probe("adc") as chip:
        chip.settle(4.0)
        chip.field(CHANNEL_0[0], -100)
        chip.field(FIRST_OF_CHANNEL_1, 300)
        results = results_of(chip)
        # Held 4 to 7 us after the select lines moved: one to two time constants of the way.
        assert ZERO - 100 + 0.6 * 400 < results[17] < ZERO - 100 + 0.85 * 400
        assert results[18] == ZERO + 300


def test_the_bandgap_is_right_only_after_a_while_and_tells_the_supply() -> None:
    with probe("adc") as chip:
        chip.supply(4500)
        results = results_of(chip)
        assert results[19] == 1100 * 1024 // 4500
        assert results[20] != results[19]


def test_a_short_reads_nothing_and_an_open_sensor_keeps_what_its_multiplexer_had() -> None:
    with probe("adc") as chip:
        chip.field(CHANNEL_0[3], 150)
        chip.short(CHANNEL_0[1])
        chip.open(FIRST_OF_CHANNEL_1)
        chip.field(CHANNEL_0[0], 77)
        results = results_of(chip)
        assert (results[1], results[3]) == (0, ZERO + 150)
        assert results[18] == ZERO + 77
        chip.mend(CHANNEL_0[1])
        chip.mend(FIRST_OF_CHANNEL_1)
        chip.reset()
        results = results_of(chip)
        assert (results[1], results[18]) == (ZERO, ZERO)


def test_readings_end_at_the_converters_range() -> None:
    with probe("adc") as chip:
        chip.field(CHANNEL_0[0], 1023)
        chip.field(CHANNEL_0[1], -1023)
        chip.zero(CHANNEL_0[2], 480)
        assert results_of(chip)[:3] == (1023, 0, 480)


def test_noise_is_as_wide_as_asked_and_repeats_with_its_seed() -> None:
    readings: dict[int, list[tuple[int, ...]]] = {}
    for seed in (1, 2, 1):
        with probe("adc", seed=seed) as chip:
            chip.noise(4.0)
            runs = []
            for _ in range(40):
                runs.append(results_of(chip)[:13])
                chip.reset()
        if seed in readings:
            assert readings[seed] == runs
        readings[seed] = runs
    assert readings[1] != readings[2]
    errors = [value - ZERO for run in readings[1] for value in run]
    sigma = (sum(error * error for error in errors) / len(errors)) ** 0.5
    assert abs(sum(errors) / len(errors)) < 0.7
    assert 3.6 < sigma < 4.4


def test_every_sensor_of_the_table_can_be_set() -> None:
    with probe("adc") as chip:
        for sensor in range(SENSOR_COUNT):
            chip.field(sensor, 5)
        assert results_of(chip)[:13] == (ZERO + 5,) * 13
