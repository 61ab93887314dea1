"""The model of a reader against its data sheet: registers, buffer, checksums, timer, resets, self-test."""

from __future__ import annotations

import binascii
from collections.abc import Iterator

import pytest
from tests.twin.rack import AWAKE_US, BYTE_US, FIFO_SIZE, POLL_US, Command, Err, Health, Irq, Rack, Reg
from tests.twin.reading import crc_a, request

RESET_VALUES = {
    Reg.COMMAND: 0x20,
    Reg.COM_IRQ: 0x14,
    Reg.ERROR: 0x00,
    Reg.STATUS1: 0x21,
    Reg.STATUS2: 0x00,
    Reg.FIFO_LEVEL: 0x00,
    Reg.WATER_LEVEL: 0x08,
    Reg.CONTROL: 0x10,
    Reg.BIT_FRAMING: 0x00,
    Reg.MODE: 0x3F,
    Reg.TX_MODE: 0x00,
    Reg.RX_MODE: 0x00,
    Reg.TX_CONTROL: 0x80,
    Reg.TX_ASK: 0x00,
    Reg.RX_SEL: 0x84,
    Reg.CRC_HIGH: 0xFF,
    Reg.CRC_LOW: 0xFF,
    Reg.T_MODE: 0x00,
    Reg.AUTO_TEST: 0x40,
    0x19: 0x4D,
    0x1C: 0x62,
    0x1F: 0xEB,
    0x24: 0x26,
    0x26: 0x48,
    0x27: 0x88,
    0x28: 0x20,
    0x29: 0x20,
}
"""Table 21 of the data sheet and the tables of chapter 9.3."""

SELF_TEST = {
    0x91: "00C637D532B7575CC2D87C4DD970C77310E6D2AA5EA13E5A14AF3061C970DB2E"
    "642272B5BD65F4EC22BCD37235CDAA411FA7F35314DE7E02D90FB55E251D2979",
    0x92: "00EB66BA57BF2395D0E30D3D27895CDE9D3BA700215B8982513AEB020CA50049"
    "7C844DB3CCD21B815D4876D5716121A986968338CF9D5B6DDC15BA3E7D953B2F",
}
"""Chapter 16.1.1, by VersionReg."""


@pytest.fixture
def rack() -> Iterator[Rack]:
    with Rack() as one:
        one.wait(AWAKE_US)
        yield one


def crc_of(rack: Rack, data: bytes) -> bytes:
    rack.write(Reg.COMMAND, Command.IDLE)
    rack.write(Reg.DIV_IRQ, 0x04)
    rack.write(Reg.FIFO_LEVEL, 0x80)
    rack.write(Reg.FIFO_DATA, *data)
    rack.write(Reg.COMMAND, Command.CALC_CRC)
    for _ in range(100):
        if rack.read(Reg.DIV_IRQ) & 0x04:
            break
    rack.write(Reg.COMMAND, Command.IDLE)
    return bytes((rack.read(Reg.CRC_LOW), rack.read(Reg.CRC_HIGH)))


def self_test_of(rack: Rack, prepared: bool = True) -> bytes:
    rack.write(Reg.COMMAND, Command.SOFT_RESET)
    rack.wait(AWAKE_US)
    rack.write(Reg.FIFO_DATA, *[0 if prepared else 1] * 25)
    rack.write(Reg.COMMAND, Command.MEM)
    rack.write(Reg.AUTO_TEST, 0x09)
    rack.write(Reg.FIFO_DATA, 0)
    rack.write(Reg.COMMAND, Command.CALC_CRC)
    for _ in range(2000):
        if rack.read(Reg.FIFO_LEVEL) >= FIFO_SIZE:
            break
    return rack.read_fifo()


# ---- registers and the bus ----


def test_registers_have_their_reset_values(rack: Rack) -> None:
    assert {register: rack.read(register) for register in RESET_VALUES} == RESET_VALUES
    assert rack.read(Reg.COLL) & 0xA0 == 0xA0


def test_a_soft_reset_brings_them_back_and_the_field_goes(rack: Rack) -> None:
    rack.start()
    rack.put("01020304")
    rack.write(0x26, 0x70)
    rack.write(Reg.COMMAND, Command.SOFT_RESET)
    assert rack.read(Reg.COMMAND) & 0x10, "it is ready before it is"
    rack.wait(AWAKE_US)
    assert {register: rack.read(register) for register in RESET_VALUES} == RESET_VALUES
    rack.write(Reg.TX_ASK, 0x40)
    rack.write(Reg.T_MODE, 0x80)
    rack.write(Reg.T_RELOAD_LOW, 200)
    assert Irq.RX not in request(rack).irq


def test_reserved_bits_keep_their_value(rack: Rack) -> None:
    for register, kept in ((Reg.MODE, 0x3F & ~0xAB), (Reg.TX_CONTROL, 0), (Reg.WATER_LEVEL, 0)):
        rack.write(register, 0)
        assert rack.read(register) == kept
    rack.write(Reg.WATER_LEVEL, 0xFF)
    assert rack.read(Reg.WATER_LEVEL) == 0x3F


def test_what_can_only_be_read_stays(rack: Rack) -> None:
    rack.write(Reg.VERSION, 0x55)
    rack.write(Reg.ERROR, 0xFF)
    assert (rack.read(Reg.VERSION), rack.read(Reg.ERROR)) == (0x92, 0)


def test_one_transfer_reads_as_many_registers_as_it_names(rack: Rack) -> None:
    """The byte behind an address is that register's value, and may be the next address."""
    asked = [Reg.VERSION, Reg.MODE, Reg.TX_CONTROL]
    assert rack.exchange([*(register << 1 | 0x80 for register in asked), 0]) == [0, 0x92, 0x3F, 0x80]


@pytest.mark.parametrize("version", [0x91, 0x92, 0x88, 0x12])
def test_a_reader_says_its_version(rack: Rack, version: int) -> None:
    rack.version(version)
    assert rack.read(Reg.VERSION) == version


def test_a_reader_held_in_reset_or_not_selected_answers_nothing() -> None:
    with Rack(2) as rack:
        rack.wait(AWAKE_US)
        rack.reset_line(False)
        assert rack.read(Reg.VERSION) == 0
        rack.reset_line(True)
        assert rack.read(Reg.COMMAND) & 0x10, "the oscillator has started at once"
        rack.wait(AWAKE_US)
        assert rack.read(Reg.COMMAND) == 0x20
        rack.reader = 2
        assert rack.read(Reg.VERSION) == 0


@pytest.mark.parametrize(
    ("health", "mended_by_soft_reset", "mended_by_hard_reset"),
    [(Health.MISSING, False, False), (Health.MUTE, False, True)],
)
def test_a_reader_that_answers_nothing(
    rack: Rack, health: Health, mended_by_soft_reset: bool, mended_by_hard_reset: bool
) -> None:
    rack.health(health)
    assert rack.read(Reg.VERSION) == 0
    rack.write(Reg.COMMAND, Command.SOFT_RESET)
    rack.wait(AWAKE_US)
    assert (rack.read(Reg.VERSION) == 0x92) is mended_by_soft_reset
    rack.reset_line(False)
    rack.reset_line(True)
    rack.wait(AWAKE_US)
    assert (rack.read(Reg.VERSION) == 0x92) is mended_by_hard_reset


def test_a_clone_that_does_not_let_go_silences_the_others() -> None:
    with Rack(2) as rack:
        rack.wait(AWAKE_US)
        rack.health(Health.LOADS, 1)
        assert rack.read(Reg.VERSION) == 0
        rack.reader = 1
        assert rack.read(Reg.VERSION) == 0x92


# ---- the buffer ----


def test_the_buffer_gives_each_byte_once_in_order(rack: Rack) -> None:
    rack.write(Reg.FIFO_DATA, 1, 2, 3)
    assert rack.read(Reg.FIFO_LEVEL) == 3
    assert [rack.read(Reg.FIFO_DATA) for _ in range(3)] == [1, 2, 3]
    assert rack.read(Reg.FIFO_LEVEL) == 0


def test_the_address_of_the_last_byte_takes_nothing_out(rack: Rack) -> None:
    rack.write(Reg.FIFO_DATA, 1, 2, 3)
    assert rack.exchange([Reg.FIFO_DATA << 1 | 0x80, Reg.FIFO_DATA << 1 | 0x80, 0])[1:] == [1, 2]
    assert rack.read(Reg.FIFO_LEVEL) == 1


def test_a_full_buffer_takes_no_more_and_says_so_until_it_is_flushed(rack: Rack) -> None:
    rack.write(Reg.FIFO_DATA, *range(FIFO_SIZE))
    assert Err(rack.read(Reg.ERROR)) == Err.NONE
    rack.write(Reg.FIFO_DATA, 99)
    assert Err.OVERFLOW in Err(rack.read(Reg.ERROR))
    assert Irq.ERR in Irq(rack.read(Reg.COM_IRQ))
    assert rack.read_fifo() == bytes(range(FIFO_SIZE))
    rack.write(Reg.FIFO_LEVEL, 0x80)
    assert Err(rack.read(Reg.ERROR)) == Err.NONE


def test_the_alerts_follow_the_water_level(rack: Rack) -> None:
    rack.write(Reg.WATER_LEVEL, 4)
    rack.write(Reg.FIFO_DATA, *range(5))
    rack.write(Reg.COM_IRQ, 0x7F)
    assert rack.read(Reg.STATUS1) & 3 == 0
    rack.write(Reg.FIFO_DATA, *range(FIFO_SIZE - 4 - 5))
    assert rack.read(Reg.STATUS1) & 3 == 2
    assert Irq(rack.read(Reg.COM_IRQ)) == Irq.HIGH
    rack.write(Reg.FIFO_LEVEL, 0x80)
    assert rack.read(Reg.STATUS1) & 3 == 1


# ---- interrupts ----


def test_interrupt_bits_are_set_and_cleared_by_their_mask(rack: Rack) -> None:
    rack.write(Reg.COM_IRQ, 0x7F)
    assert rack.read(Reg.COM_IRQ) == 0
    rack.write(Reg.COM_IRQ, 0x80 | Irq.RX | Irq.TIMER)
    assert Irq(rack.read(Reg.COM_IRQ)) == Irq.RX | Irq.TIMER
    rack.write(Reg.COM_IRQ, Irq.RX)
    assert Irq(rack.read(Reg.COM_IRQ)) == Irq.TIMER


def test_a_command_that_ends_by_itself_says_idle_and_one_that_is_stopped_does_not(rack: Rack) -> None:
    rack.write(Reg.COM_IRQ, 0x7F)
    rack.write(Reg.COMMAND, Command.TRANSCEIVE)
    rack.write(Reg.COMMAND, Command.IDLE)
    assert Irq.IDLE not in Irq(rack.read(Reg.COM_IRQ))
    rack.write(Reg.COMMAND, Command.RANDOM)
    assert Irq.IDLE in Irq(rack.read(Reg.COM_IRQ))
    rack.write(Reg.COM_IRQ, 0x7F)
    rack.write(Reg.COMMAND, 0x0B)  # there is no such command
    assert Irq.IDLE in Irq(rack.read(Reg.COM_IRQ))
    assert rack.read(Reg.COMMAND) & 0x0F == Command.IDLE


def test_the_memory_gives_back_twenty_five_bytes(rack: Rack) -> None:
    rack.write(Reg.FIFO_DATA, *range(25))
    rack.write(Reg.COMMAND, Command.MEM)
    assert rack.read(Reg.FIFO_LEVEL) == 0
    rack.write(Reg.COMMAND, Command.MEM)
    assert rack.read_fifo() == bytes(range(25))


# ---- checksums ----


@pytest.mark.parametrize(("data", "crc"), [("0000", "A01E"), ("1234", "26CF"), ("5000", "57CD")])
def test_the_coprocessor_computes_the_standards_crc(rack: Rack, data: str, crc: str) -> None:
    """ISO/IEC 14443-3, annex B, and the HLTA that every trace shows."""
    rack.write(Reg.MODE, 0x3D)
    assert crc_of(rack, bytes.fromhex(data)) == bytes.fromhex(crc)


def test_the_presets_are_those_of_mode_register(rack: Rack) -> None:
    data = b"123456789"
    rack.write(Reg.MODE, 0x3C)
    zero = crc_of(rack, data)
    assert int.from_bytes(zero, "little") == 0x2189  # CRC-16/KERMIT
    rack.write(Reg.MODE, 0x3F)
    assert int.from_bytes(crc_of(rack, data), "little") == 0x6F91  # CRC-16/MCRF4XX
    rack.write(Reg.MODE, 0x3E)
    turned = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    preset = int(f"{0xA671:016b}"[::-1], 2)
    expected = int(f"{binascii.crc_hqx(turned, preset):016b}"[::-1], 2)
    assert int.from_bytes(crc_of(rack, data), "little") == expected


def test_the_readers_own_crc_goes_behind_a_frame_and_off_an_answer(rack: Rack) -> None:
    rack.put("01020304")
    rack.start()
    request(rack)
    rack.write(Reg.TX_MODE, 0x80)
    rack.write(Reg.RX_MODE, 0x80)
    heard = rack.transceive(bytes.fromhex("9370 01020304 04"))
    assert (heard.data, heard.error) == (b"\x08", Err.NONE)
    assert crc_a(b"\x08") == bytes.fromhex("B6DD")


# ---- the timer ----


@pytest.mark.parametrize(("prescaler", "reload"), [(169, 39), (0, 6779), (0x0FF, 99)])
def test_the_timer_runs_as_long_as_its_formula_says(rack: Rack, prescaler: int, reload: int) -> None:
    expected_us = (2 * prescaler + 1) * (reload + 1) / 13.56
    rack.write(Reg.T_MODE, prescaler >> 8)
    rack.write(Reg.T_PRESCALER, prescaler & 0xFF)
    rack.write(Reg.T_RELOAD_HIGH, reload >> 8)
    rack.write(Reg.T_RELOAD_LOW, reload & 0xFF)
    rack.write(Reg.COM_IRQ, 0x7F)
    rack.write(Reg.CONTROL, 0x40)
    begun_us = rack.now_us
    assert rack.read(Reg.STATUS1) & 0x08
    rack.wait(expected_us / 2)
    half = rack.read(Reg.T_COUNTER_HIGH) << 8 | rack.read(Reg.T_COUNTER_LOW)
    assert half == pytest.approx(reload / 2, rel=0.05)
    rack.wait_for(Irq.TIMER)
    assert expected_us <= rack.now_us - begun_us <= expected_us + 2 * POLL_US
    assert not rack.read(Reg.STATUS1) & 0x08


def test_a_timer_that_is_stopped_says_nothing(rack: Rack) -> None:
    rack.write(Reg.T_RELOAD_LOW, 200)
    rack.write(Reg.COM_IRQ, 0x7F)
    rack.write(Reg.CONTROL, 0x40)
    rack.write(Reg.CONTROL, 0x80)
    rack.wait(1000)
    assert Irq.TIMER not in Irq(rack.read(Reg.COM_IRQ))


def test_without_a_tag_the_timer_says_so_after_its_time_and_nothing_was_received(rack: Rack) -> None:
    rack.start(timer_us=1000)
    heard = request(rack)
    assert Irq.TIMER in heard.irq
    assert not heard.irq & (Irq.RX | Irq.ERR)
    assert heard.data == b""
    frame_us = 9 * 128 / 13.56
    assert 1000 + frame_us <= heard.us <= 1000 + frame_us + 20 * BYTE_US + 2 * POLL_US


def test_an_answer_stops_the_timer_that_started_by_itself(rack: Rack) -> None:
    rack.put("01020304")
    rack.start(timer_us=300)
    heard = request(rack)
    assert Irq.RX in heard.irq
    rack.wait(2000)
    assert Irq.TIMER not in Irq(rack.read(Reg.COM_IRQ))


# ---- the self-test ----


@pytest.mark.parametrize("version", sorted(SELF_TEST))
def test_the_self_test_gives_what_the_data_sheet_prints(rack: Rack, version: int) -> None:
    rack.version(version)
    assert self_test_of(rack).hex().upper() == SELF_TEST[version]


def test_a_self_test_that_was_not_prepared_or_a_counterfeits_gives_something_else(rack: Rack) -> None:
    assert self_test_of(rack, prepared=False).hex().upper() != SELF_TEST[0x92]
    rack.version(0x12)
    other = self_test_of(rack)
    assert len(other) == FIFO_SIZE
    assert other.hex().upper() not in SELF_TEST.values()
