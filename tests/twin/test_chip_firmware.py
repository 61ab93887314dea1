"""What the real firmware asks of the chip: its converter, line, clock, EEPROM, watchdog, lights and sound."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.twin.desk import Desk, Talk, only

from tablewire.games.cirkis.wiring import SENSOR_COUNT
from tablewire.wire.frame import Sender
from tablewire.wire.messages import (
    Calibrate,
    CalibrateStep,
    Hello,
    HostHello,
    HostMessage,
    Light,
    Param,
    ParamKey,
    ParamOp,
    Raw,
    RawReq,
    ResetCause,
    Result,
    ResultCode,
    Settings,
    Signal,
    SnapshotReq,
    Sound,
    Status,
    StatusReq,
)

RAW_ROWS = 56
SLOW_SETTLE_US = 2.0
ROWS_OF_CHECKER = ((165, 183), (166, 184))
"""Sensors of one multiplexer each on two channels that follow one another."""


@pytest.fixture
def talk() -> Talk:
    """The firmware after its boot, greeted."""
    talk = Talk()
    talk.wake()
    return talk


def readings(talk: Talk) -> list[int]:
    """What every sensor reads now, in ADC counts."""
    counts: list[int] = []
    for first in range(0, SENSOR_COUNT, RAW_ROWS):
        (raw,) = only(Raw, talk.say(RawReq(first, first, min(RAW_ROWS, SENSOR_COUNT - first)), 200_000))
        counts += [row.adc for row in raw.rows]
    return counts


def test_every_sensor_is_read_where_it_is(talk: Talk) -> None:
    with talk.chip as chip:
        expected = [400 + sensor for sensor in range(SENSOR_COUNT)]
        for sensor, counts in enumerate(expected):
            chip.zero(sensor, counts)
        talk.run(500_000)
        assert readings(talk) == expected


def test_slow_multiplexers_and_strong_neighbours_do_not_mix(talk: Talk) -> None:
    # 24 us are twelve time constants of 2 us; two microseconds would be one.
    with talk.chip as chip:
        chip.settle(SLOW_SETTLE_US)
        for sensor in range(SENSOR_COUNT):
            chip.zero(sensor, 0 if sensor % 2 else 1023)
        talk.run(500_000)
        for sensor, counts in enumerate(readings(talk)):
            assert abs(counts - (0 if sensor % 2 else 1023)) <= 1, sensor


def test_the_select_lines_move_after_a_hold_and_long_before_the_next_also_on_a_busy_line(
    talk: Talk,
) -> None:
    with talk.chip as chip:
        chip.figures(reset=True)
        for _ in range(20):
            for message in (StatusReq(), SnapshotReq(), RawReq(1, 0, RAW_ROWS)):
                talk.say(message, 700)
        figures = chip.figures()
        assert figures["hold_to_move_min_us"] > 0
        assert figures["settle_min_us"] > 20
        assert figures["scans"] > 0


def noise_bytes(count: int) -> bytes:
    """Bytes of no pattern without a zero: no frame is in them."""
    return bytes((7 * index * index + 3 * index) % 255 + 1 for index in range(count))


def test_a_line_half_full_of_noise_costs_no_byte_no_row_and_no_change() -> None:
    desk = Desk()
    with desk.chip as chip:
        desk.run(500_000)
        for step in range(500):
            chip.rx(noise_bytes(25))  # of 50 that fit into a millisecond
            if step % 5 == 0:
                chip.field(step // 5, 248)
            desk.run(1000)
        desk.run(1_500_000)
        assert sorted(sensor for _, sensor in desk.told) == list(range(100))
        (*_, status) = only(Status, [message for _, message in desk.sent])
        assert (status.rx_overrun, status.scan_overruns) == (0, 0)
        assert chip.figures()["rx_overruns"] == 0
        assert status.rx_bad_length + status.rx_bad_cobs + status.rx_bad_crc > 0


def test_a_line_quite_full_of_noise_costs_no_change_and_what_it_costs_is_counted() -> None:
    desk = Desk()
    with desk.chip as chip:
        desk.run(500_000)
        chip.rx(noise_bytes(20_000))
        for sensor in range(100):
            chip.field(sensor, 248)
        desk.run(2_000_000)
        assert sorted(sensor for _, sensor in desk.told) == list(range(100))
        (*_, status) = only(Status, [message for _, message in desk.sent])
        assert chip.figures()["rx_overruns"] <= status.rx_overrun < 2000
        assert status.scan_overruns < 50  # three scans of 2 s


def test_a_second_of_the_board_is_a_second(talk: Talk) -> None:
    with talk.chip:
        first = only(Status, talk.say(StatusReq(), 10_000))[-1]
        talk.run(2_000_000 - 10_000)
        last = only(Status, talk.say(StatusReq(), 10_000))[-1]
        assert abs(last.device_ms - first.device_ms - 2000) <= 1


@pytest.mark.parametrize("mv", [4500, 5000, 5250])
def test_the_supply_is_measured(talk: Talk, mv: int) -> None:
    with talk.chip as chip:
        chip.supply(mv)
        status = only(Status, talk.run(2_500_000))[-1]
        assert abs(status.supply_mv - mv) < 15  # one count of 225 is 0.4 %, half of it either way


@pytest.mark.parametrize(
    ("reset", "cause"),
    [
        ("power", ResetCause.POWER_ON),
        ("external", ResetCause.EXTERNAL),
        ("brownout", ResetCause.BROWN_OUT),
    ],
)
def test_hello_says_why_the_board_started(talk: Talk, reset: str, cause: ResetCause) -> None:
    with talk.chip as chip:
        chip.reset(reset)
        (hello,) = only(Hello, talk.run(500_000))
        assert hello.reset_cause == cause


def test_a_firmware_that_hangs_is_reset_after_half_a_second_and_says_so(talk: Talk) -> None:
    with talk.chip as chip:
        chip.hang()
        assert talk.run(450_000) == []
        hello, *_ = only(Hello, talk.run(300_000))
        assert hello.reset_cause == ResetCause.WATCHDOG
        assert chip.figures()["resets"] == 1
        talk.run(2_000_000)
        assert chip.figures()["resets"] == 1


def test_no_two_boots_have_the_same_nonce_even_without_noise(talk: Talk) -> None:
    with talk.chip as chip:
        nonces = []
        for _ in range(10):
            chip.reset("external")
            nonces += [hello.nonce for hello in only(Hello, talk.run(300_000))]
        assert len(set(nonces)) == len(nonces) == 10


def test_two_blank_boards_have_different_nonces() -> None:
    nonces = set()
    for seed in range(8):
        talk = Talk(seed)
        with talk.chip:
            nonces |= {hello.nonce for hello in only(Hello, talk.wake())}
    assert len(nonces) == 8


def test_the_same_seed_gives_the_same_bytes() -> None:
    runs = []
    for _ in range(2):
        talk = Talk(5, noise_counts=3.0)
        with talk.chip as chip:
            talk.wake()
            chip.field(17, 200)
            runs.append((talk.run(1_000_000), chip.figures()))
    assert runs[0] == runs[1]


def test_a_parameter_is_kept_over_a_power_cut(tmp_path: Path) -> None:
    file = tmp_path / "eeprom"
    talk = Talk(eeprom=file)
    with talk.chip as chip:
        talk.wake()
        assert only(Status, talk.say(StatusReq()))[-1].settings == Settings.NONE
        talk.say(Param(1, ParamOp.SET, ParamKey.DEBOUNCE_MS, 33))
        talk.say(Calibrate(2, CalibrateStep.SAVE, 255), 10_000_000)
        chip.reset("power")
        talk.wake()
        assert only(Status, talk.say(StatusReq()))[-1].settings == Settings.STORED
    talk = Talk(eeprom=file)
    with talk.chip:
        talk.wake()
        (result,) = only(Result, talk.say(Param(3, ParamOp.GET, ParamKey.DEBOUNCE_MS, 0)))
        assert (result.code, result.value) == (ResultCode.OK, 33)


def test_a_board_begins_with_what_lies_there_when_it_speaks_however_long_it_read_its_settings(
    talk: Talk,
) -> None:
    with talk.chip as chip:
        for value in (33, 34):  # both places of the EEPROM are in use
            talk.say(Param(value, ParamOp.SET, ParamKey.DEBOUNCE_MS, value), 5_500_000)
        for sensor in range(SENSOR_COUNT):
            chip.field(sensor, 248)
        chip.reset("power")
        talk.run(25_000)  # the scan is on, and the settings are not read yet
        for sensor in range(SENSOR_COUNT):
            chip.field(sensor, 0)
        talk.wake()
        assert only(Status, talk.say(StatusReq()))[-1].last_number == 0


def test_nothing_is_written_to_the_eeprom_while_bytes_come_in(talk: Talk) -> None:
    with talk.chip as chip:
        talk.run(500_000)
        talk.say(Param(1, ParamOp.SET, ParamKey.DEBOUNCE_MS, 33), 300)
        before = chip.figures()["eeprom_writes"]
        chip.rx(b"\1" * 25_000)
        talk.run(490_000)
        assert chip.figures()["eeprom_writes"] == before
        talk.run(2_000_000)
        assert chip.figures()["eeprom_writes"] > before


def test_lights_are_on_their_pins(talk: Talk) -> None:
    with talk.chip as chip:
        for players in (0b0001, 0b0010, 0b0100, 0b1000, 0b0101):
            talk.say(Signal(players, players, Light.OFF, Sound.NONE))
            assert chip.pins()[:3] == (players, False, False)
        talk.say(Signal(20, 0, Light.LEGAL, Sound.NONE))
        assert chip.pins()[:3] == (0, True, False)
        talk.say(Signal(21, 0, Light.ILLEGAL, Sound.NONE))
        assert chip.pins()[1:3] == (False, True)


def test_every_sound_is_heard_and_ends(talk: Talk) -> None:
    with talk.chip as chip:
        heard: dict[Sound, list[int]] = {}
        for token, sound in enumerate((Sound.LEGAL, Sound.ILLEGAL, Sound.HOLD, Sound.POINTS, Sound.OVER)):
            talk.say(Signal(token, 0, Light.OFF, sound), 1000)
            tones = []
            for _ in range(100):
                tones.append(chip.pins().tone_hz)
                talk.run(20_000)
            heard[sound] = tones
            assert tones[-1] == 0
            assert all(100 < tone < 5000 for tone in tones if tone)
        assert len({tuple(tones) for tones in heard.values()}) == 5


def test_the_line_is_500000_baud(talk: Talk) -> None:
    with talk.chip as chip:
        assert chip.host_baud(0) == 500_000


def test_the_stack_keeps_away_from_the_variables_also_at_its_deepest(talk: Talk) -> None:
    with talk.chip as chip:
        sender = Sender()
        everything: list[HostMessage] = [HostHello(1, 0), StatusReq(), SnapshotReq(), RawReq(1, 0, RAW_ROWS)]
        chip.rx(b"".join(sender.encode(one.TYPE, one.encode()) for one in everything))
        for sensor in range(0, SENSOR_COUNT, 2):
            chip.field(sensor, -200)
        status = only(Status, talk.run(3_000_000))[-1]
        assert status.stack_free == chip.figures()["stack_free"] > 1000
