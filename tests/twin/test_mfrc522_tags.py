"""Tags in the fields of the model's readers, against ISO/IEC 14443-3: states, collisions, times, faults."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.twin.rack import AWAKE_US, BYTE_US, FIELD_US, POLL_US, Command, Err, Health, Irq, Rack, Reg
from tests.twin.reading import (
    KEEP_AFTER_COLLISION,
    NOT_VALID,
    REQA,
    WUPA,
    crc_a,
    inventory,
    request,
    select_tag,
)

BIT_US = 128 / 13.56
CLASSIC, NTAG = "DEADBEEF", "04A1B2C3D4E5F6"
SELECT_CLASSIC = bytes.fromhex("9370 DEADBEEF 22")


@pytest.fixture
def rack() -> Iterator[Rack]:
    with Rack() as one:
        one.start()
        yield one


def answers(rack: Rack, command: bytes = REQA) -> bool:
    return Irq.RX in request(rack, command).irq


# ---- one tag ----


@pytest.mark.parametrize(("uid", "atqa"), [(CLASSIC, "0400"), (NTAG, "4400")])
def test_a_request_is_answered_with_the_atqa_of_the_uids_length(rack: Rack, uid: str, atqa: str) -> None:
    rack.put(uid)
    rack.wait(FIELD_US)
    heard = request(rack)
    assert (heard.data, heard.last_bits, heard.error) == (bytes.fromhex(atqa), 0, Err.NONE)
    assert heard.coll & NOT_VALID


def test_a_uid_of_four_bytes_takes_one_level(rack: Rack) -> None:
    rack.put(CLASSIC)
    rack.wait(FIELD_US)
    request(rack)
    assert rack.transceive(b"\x93\x20").data == bytes.fromhex("DEADBEEF22")
    selected = rack.transceive(SELECT_CLASSIC + crc_a(SELECT_CLASSIC))
    assert selected.data == b"\x08" + crc_a(b"\x08")


def test_a_uid_of_seven_bytes_takes_two_and_the_sak_says_so(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    request(rack)
    first, second = bytes.fromhex("9370 8804A1B2 9F"), bytes.fromhex("9570 C3D4E5F6 04")
    assert rack.transceive(b"\x93\x20").data == first[2:]
    assert rack.transceive(first + crc_a(first)).data == b"\x04" + crc_a(b"\x04")
    assert rack.transceive(b"\x95\x20").data == second[2:]
    assert rack.transceive(second + crc_a(second)).data == b"\x00" + crc_a(b"\x00")


def test_a_first_byte_of_88_alone_is_no_cascade_tag(rack: Rack) -> None:
    """A UID of four bytes may begin so by a counterfeiter's hand; the SAK is what tells."""
    rack.put("88010203")
    rack.wait(FIELD_US)
    assert inventory(rack) == ["88010203"]


def test_a_second_request_in_a_row_is_not_answered_and_the_third_is(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    assert [answers(rack) for _ in range(4)] == [True, False, True, False]


def test_a_halted_tag_keeps_quiet_until_it_is_woken(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    assert inventory(rack) == [NTAG]
    assert not answers(rack)
    assert answers(rack, WUPA)
    assert not answers(rack), "a request sends a tag that was woken back to sleep"
    assert not answers(rack)
    assert inventory(rack, WUPA) == [NTAG]


def test_without_its_field_a_tag_forgets_that_it_was_halted_and_wants_five_milliseconds(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    assert inventory(rack) == [NTAG]
    rack.antenna(False)
    assert not answers(rack, WUPA)
    rack.antenna(True)
    rack.wait(3000)
    assert not answers(rack)
    rack.wait(FIELD_US - 3000)
    assert inventory(rack) == [NTAG]


def test_a_damaged_or_a_strangers_selection_is_not_answered(rack: Rack) -> None:
    rack.put(CLASSIC)
    rack.wait(FIELD_US)
    for frame in (SELECT_CLASSIC + b"\0\0", bytes.fromhex("9370 DEADBEEE 23")):
        assert answers(rack)
        assert Irq.TIMER in rack.transceive(frame if len(frame) == 9 else frame + crc_a(frame)).irq
    assert answers(rack)
    assert Irq.TIMER in rack.transceive(b"\x95\x20").irq, "the second level comes after the first"


@pytest.mark.parametrize("register", [Reg.TX_ASK, Reg.TX_CONTROL])
def test_tags_understand_full_modulation_of_both_drivers_only(rack: Rack, register: int) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    rack.write(register, 0x02)
    assert not answers(rack)


def test_frames_take_their_time_on_the_air(rack: Rack) -> None:
    """9.44 us a bit, and 86 or 91 us from the end of a frame to the answer."""
    rack.put(CLASSIC)
    rack.wait(FIELD_US)
    delays = (1172 / 13.56, 1236 / 13.56)
    request(rack)
    heard = rack.transceive(b"\x93\x20")
    bits = (18 + 2) + (45 + 2)
    begun_us = 9 * 2 * BYTE_US  # the writes that come before it begins
    least_us, most_us = bits * BIT_US + delays[0], bits * BIT_US + delays[1] + begun_us + 2 * POLL_US
    assert least_us <= heard.us <= most_us


def test_the_whole_of_seven_bytes_takes_about_four_and_a_half_milliseconds(rack: Rack) -> None:
    """As the data sheets' times add up, the bus included."""
    rack.put(NTAG)
    rack.wait(FIELD_US)
    begun_us = rack.now_us
    request(rack)
    assert select_tag(rack) == NTAG
    assert 4000 <= rack.now_us - begun_us <= 5200


def test_a_receiver_that_waits_too_long_misses_the_answer(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    rack.write(Reg.RX_SEL, 0x80 | 20)  # 20 bits: twice the time a tag takes
    assert not answers(rack)


# ---- several tags ----


def collision(rack: Rack, left: str, right: str, keep: bool = False) -> tuple[int, bytes]:
    rack.put(left)
    rack.put(right)
    rack.wait(FIELD_US)
    rack.write(Reg.COLL, KEEP_AFTER_COLLISION if keep else 0)
    request(rack)
    heard = rack.transceive(b"\x93\x20")
    assert Err.COLLISION in heard.error
    assert Irq.ERR in heard.irq
    return heard.coll & 0x3F, heard.data


@pytest.mark.parametrize(
    ("left", "right", "position"),
    [
        ("00000000", "01000000", 1),
        ("00000000", "80000000", 8),
        ("00000000", "00010000", 9),
        ("11223344", "11221344", 22),
        ("00000000", "00000080", 0),
    ],
)
def test_the_position_is_that_of_the_first_bit_that_differs_and_thirty_two_reads_zero(
    rack: Rack, left: str, right: str, position: int
) -> None:
    assert collision(rack, left, right)[0] == position


@pytest.mark.parametrize(("keep", "heard"), [(False, "0F000000"), (True, "0F80FFFF")])
def test_what_comes_after_a_collision_is_cleared_unless_it_is_wanted(
    rack: Rack, keep: bool, heard: str
) -> None:
    assert collision(rack, "0F00FFFF", "0F80FFFF", keep)[1][:4] == bytes.fromhex(heard)


def test_the_position_counts_from_the_first_byte_received(rack: Rack) -> None:
    """Thirteen bits are known, five of them in the byte that goes on: bit 20 is the twelfth of the buffer."""
    rack.put("AA150800")
    rack.put("AA150000")
    rack.wait(FIELD_US)
    rack.write(Reg.COLL, 0)
    request(rack)
    heard = rack.transceive(bytes.fromhex("9335AA15"), last_bits=5, align=5)
    assert heard.coll & 0x1F == 12
    assert heard.data[0] & 0x1F == 0, "bits below RxAlign are not the tag's"


def test_a_tag_that_another_beginning_is_meant_for_stays_silent_and_waits(rack: Rack) -> None:
    rack.put("AA000000")
    rack.wait(FIELD_US)
    request(rack)
    assert Irq.TIMER in rack.transceive(bytes.fromhex("9330BB")).irq
    assert rack.transceive(bytes.fromhex("9330AA")).data == bytes.fromhex("000000AA")


@settings(deadline=None, max_examples=40)
@given(
    st.sets(st.binary(min_size=4, max_size=4).filter(lambda uid: uid[0] != 0x88), max_size=4),
    st.sets(st.binary(min_size=7, max_size=7).filter(lambda uid: uid[0] != 0x88), max_size=4),
    st.integers(0, 2**32),
)
def test_every_tag_of_a_stack_is_found_once(four: set[bytes], seven: set[bytes], seed: int) -> None:
    with Rack(seed=seed) as rack:
        tags = sorted(uid.hex().upper() for uid in four | seven)
        random.Random(seed).shuffle(tags)
        for uid in tags:
            rack.put(uid)
        rack.start()
        assert sorted(inventory(rack)) == sorted(tags)
        assert not answers(rack), "one of them was not halted"


def test_waking_a_stack_and_halting_one_halts_them_all(rack: Rack) -> None:
    """Those that were not chosen go back to where they were woken from: a request does not reach them."""
    for uid in (NTAG, CLASSIC):
        rack.put(uid)
    rack.wait(FIELD_US)
    assert len(inventory(rack)) == 2
    assert len(inventory(rack, WUPA)) == 1


def test_ten_stickers_of_one_roll_are_told_apart(rack: Rack) -> None:
    """Same maker, same beginning: they differ in the second level only."""
    tags = [f"04A1B2C3D4E5{number:02X}" for number in range(10)]
    for uid in tags:
        rack.put(uid)
    rack.wait(FIELD_US)
    assert sorted(inventory(rack)) == tags


# ---- several antennas ----


def test_a_tag_between_two_pads_answers_either_and_is_halted_for_both() -> None:
    with Rack(2) as rack:
        rack.start()
        rack.reader = 1
        rack.start()
        rack.put(NTAG, 0, 1)
        rack.wait(FIELD_US)
        assert answers(rack)
        rack.reader = 0
        assert not answers(rack), "it is READY: a second request, from wherever, sends it back"
        assert inventory(rack) == [NTAG]
        rack.reader = 1
        assert not answers(rack)
        rack.reader = 0
        rack.antenna(False)
        rack.reader = 1
        assert not answers(rack), "the other field still feeds it"
        rack.antenna(False)
        rack.antenna(True)
        rack.wait(FIELD_US)
        assert inventory(rack) == [NTAG]


def test_a_tag_is_heard_by_its_own_reader_alone() -> None:
    with Rack(2) as rack:
        rack.start()
        rack.reader = 1
        rack.start()
        rack.put(NTAG, 0)
        rack.wait(FIELD_US)
        assert inventory(rack) == []
        rack.reader = 0
        assert inventory(rack) == [NTAG]


def test_frames_at_the_same_time_are_counted() -> None:
    with Rack(2) as rack:
        rack.start()
        rack.reader = 1
        rack.start()
        request(rack)
        assert rack.at_once == 0
        rack.send(b"\x93\x20")
        rack.reader = 0
        rack.send(b"\x26", last_bits=7)
        assert rack.at_once == 1


# ---- what goes wrong ----


def test_a_tag_that_goes_in_the_middle_does_not_answer_the_next_frame(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    assert answers(rack)
    rack.take(NTAG)
    assert Irq.TIMER in rack.transceive(b"\x93\x20").irq


def test_a_tag_that_is_put_elsewhere_starts_anew() -> None:
    with Rack(2) as rack:
        rack.start()
        rack.put(NTAG, 0)
        rack.wait(FIELD_US)
        assert inventory(rack) == [NTAG]
        rack.reader = 1
        rack.start()
        rack.put(NTAG, 1)
        rack.wait(FIELD_US)
        assert inventory(rack) == [NTAG]


def test_tags_that_do_not_hear_are_missed_as_often_as_was_asked_for(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    rack.misread(silent_percent=30, flip_percent=0)
    woken = 0
    for _ in range(200):
        woken += answers(rack, WUPA)
        rack.misread(0, 0)
        rack.transceive(b"\x95\x20")  # sends it back
        rack.misread(30, 0)
    assert 0.6 < woken / 200 < 0.8


def test_a_wrong_bit_is_a_parity_error_or_a_wrong_check(rack: Rack) -> None:
    rack.put(CLASSIC)
    rack.wait(FIELD_US)
    errors = set()
    for _ in range(60):
        rack.misread(0, 0)
        assert answers(rack, WUPA)
        rack.misread(0, 100)
        heard = rack.transceive(b"\x93\x20")
        assert Irq.RX in heard.irq
        assert heard.error in (Err.NONE, Err.PARITY)
        right = heard.data == bytes.fromhex("DEADBEEF22")
        assert not (right and heard.error == Err.NONE)
        errors.add(heard.error)
        rack.transceive(b"\x95\x20")
    assert errors == {Err.NONE, Err.PARITY}, "two wrong bits in a byte hide from its parity"


def test_a_deaf_reader_looks_like_an_empty_pad_until_it_is_reset(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    rack.health(Health.DEAF)
    heard = request(rack)
    assert Irq.TIMER in heard.irq
    assert rack.read(Reg.VERSION) == 0x92
    rack.write(Reg.COMMAND, Command.SOFT_RESET)
    rack.start()
    assert inventory(rack) == [NTAG]


def test_a_stuck_reader_ends_nothing_until_it_is_reset(rack: Rack) -> None:
    rack.put(NTAG)
    rack.wait(FIELD_US)
    rack.health(Health.STUCK)
    rack.send(REQA, last_bits=7)
    rack.wait(100_000)
    assert Irq(rack.read(Reg.COM_IRQ)) & (Irq.TX | Irq.RX | Irq.TIMER) == 0
    rack.reset_line(False)
    rack.reset_line(True)
    rack.wait(AWAKE_US)
    rack.start()
    assert inventory(rack) == [NTAG]


def test_a_byte_written_while_the_answer_is_awaited_is_an_error(rack: Rack) -> None:
    rack.send(REQA, last_bits=7)
    rack.write(Reg.FIFO_DATA, 1)
    assert Err.WRITE in Err(rack.read(Reg.ERROR))
