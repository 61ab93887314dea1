"""Frames on a stream: found however it is cut, and a damaged one costs nothing but itself."""

from __future__ import annotations

from binascii import crc_hqx
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.reference import crc16, frame_bytes
from tests.wire.vectors import MESSAGES, STREAMS, named

from tablewire.wire.frame import Decoder, Drop, Frame, Sender, encode_frame

GOOD = Frame(0x48, 1, 0, b"")
GOOD_BYTES = frame_bytes(0x48, 1, 0, b"")


def frame_of(row: dict[str, Any]) -> Frame:
    """The frame a vector describes."""
    return Frame(row["type"], row["seq"], row["ack"], bytes.fromhex(row["payload"]))


def drops_of(decoder: Decoder) -> dict[str, int]:
    """What was dropped, in the vectors' words."""
    return {reason.value: count for reason, count in decoder.drops.items()}


def test_the_reference_checksum_is_the_published_one() -> None:
    """The check value of CRC-16 started at 0xFFFF, from the catalogues of checksums."""
    assert crc16(b"123456789") == 0x29B1 == crc_hqx(b"123456789", 0xFFFF)


@pytest.mark.parametrize("row", MESSAGES, ids=named)
def test_a_message_encodes_to_its_bytes(row: dict[str, Any]) -> None:
    """The bytes on the wire are those written down."""
    assert encode_frame(frame_of(row)).hex() == row["frame"]


@pytest.mark.parametrize("row", MESSAGES, ids=named)
def test_a_message_is_found_whole_and_byte_by_byte(row: dict[str, Any]) -> None:
    """One chunk or many: the same frame, once, and nothing dropped."""
    data = bytes.fromhex(row["frame"])
    whole, slow = Decoder(), Decoder()
    assert whole.receive_data(data) == [frame_of(row)]
    assert [frame for byte in data for frame in slow.receive_data(bytes([byte]))] == [frame_of(row)]
    assert drops_of(whole) == drops_of(slow) == {}


@pytest.mark.parametrize("row", MESSAGES, ids=named)
def test_bytes_after_a_message_do_not_touch_it(row: dict[str, Any]) -> None:
    """Trailing bytes wait for their own delimiter."""
    decoder = Decoder()
    assert decoder.receive_data(bytes.fromhex(row["frame"]) + b"\x05trailing") == [frame_of(row)]
    assert decoder.receive_data(GOOD_BYTES) == [GOOD]
    assert drops_of(decoder) == {"byte stuffing": 1}


@pytest.mark.parametrize("row", STREAMS, ids=named)
def test_streams_give_the_frames_written_down(row: dict[str, Any]) -> None:
    """Types found and reasons for dropping, whole and byte by byte."""
    data = bytes.fromhex(row["hex"])
    whole, slow = Decoder(), Decoder()
    assert [frame.type for frame in whole.receive_data(data)] == row["types"]
    assert [f.type for byte in data for f in slow.receive_data(bytes([byte]))] == row["types"]
    assert drops_of(whole) == drops_of(slow) == row["drops"]


@pytest.mark.parametrize("row", MESSAGES, ids=named)
def test_one_wrong_byte_loses_only_its_frame(row: dict[str, Any]) -> None:
    """Failure 33: each byte in turn is wrong in four ways, delimiters and stuffing bytes too.

    The one damage the checksum cannot see is a closing delimiter that became 01: it adds a byte behind the
    payload, which no message reads.
    Defence: the delimiter ends a frame whatever its stuffing bytes claim. Waiting instead for as many bytes
    as a stuffing byte announces makes the frames behind it vanish here.
    """
    data = bytearray(bytes.fromhex(row["frame"]))
    sound = frame_of(row)
    for at in range(len(data)):
        for wrong in (data[at] ^ 0x01, data[at] ^ 0x80, 0x00, 0xFF):
            damaged = bytes([*data[:at], wrong, *data[at + 1 :]])
            found = Decoder().receive_data(GOOD_BYTES + damaged + GOOD_BYTES)
            kept = [sound] if wrong == data[at] else []
            if at == len(data) - 1 and wrong == 0x01:
                body = bytes(sound[:3]) + sound.payload
                kept = [sound._replace(payload=sound.payload + crc16(body).to_bytes(2, "big")[:1])]
            assert found == [GOOD, *kept, GOOD], (at, wrong)


def test_100_kb_without_a_zero_is_one_drop_and_no_memory() -> None:
    """Failure 7 and 33: the cap is before the keeping, so nothing grows, and the next frame is heard.

    Defence: `receive_data` keeps one frame's bytes at most. Without the cut, `_kept` grows to 100 kB here.
    """
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.receive_data(b"U" * 100) == []
        assert len(decoder._kept) < 130
    assert decoder.receive_data(GOOD_BYTES) == [GOOD]
    assert drops_of(decoder) == {"too long": 1}


numbers = st.integers(0, 255)
frames = st.builds(Frame, numbers, numbers, numbers, st.binary(max_size=115))


@given(frame=frames)
def test_any_frame_comes_back(frame: Frame) -> None:
    """Encoding agrees with the slow reference, and decoding with encoding."""
    data = encode_frame(frame)
    assert data == frame_bytes(*frame)
    assert Decoder().receive_data(data) == [frame]


@given(
    parts=st.lists(st.one_of(frames.map(encode_frame), st.binary(max_size=300)), max_size=8),
    cuts=st.lists(st.integers(0, 2000), max_size=20),
)
def test_any_cut_into_chunks_gives_the_same_frames(parts: list[bytes], cuts: list[int]) -> None:
    """Frames between noise, cut at random: the same frames and the same counters."""
    data = b"".join(parts)
    whole, cut = Decoder(), Decoder()
    found = whole.receive_data(data)
    edges = sorted({0, len(data), *(at for at in cuts if at < len(data))})
    assert [f for start, end in pairwise(edges) for f in cut.receive_data(data[start:end])] == found
    assert cut.drops == whole.drops


@given(noise=st.binary(max_size=500), frame=frames)
def test_noise_in_front_never_costs_a_frame(noise: bytes, frame: Frame) -> None:
    """The zero in front of a frame ends whatever came before.

    Defence: that zero. Encoding without it loses the frame to nearly any noise.
    """
    assert Decoder().receive_data(noise + encode_frame(frame))[-1] == frame


def test_a_payload_that_no_frame_holds_is_refused() -> None:
    """116 bytes are ours to refuse before they are sent."""
    with pytest.raises(ValueError, match="116"):
        encode_frame(Frame(1, 0, 0, bytes(116)))


def test_a_reopened_link_begins_with_a_clean_slate() -> None:
    """Half a frame from before does not swallow the beginning of the first one after."""
    decoder = Decoder()
    decoder.receive_data(GOOD_BYTES[:-1])
    decoder.forget()
    assert decoder.receive_data(GOOD_BYTES[1:]) == [GOOD]
    assert drops_of(decoder) == {}


@pytest.mark.parametrize(
    ("seqs", "lost"),
    [([0, 1, 2], 0), ([0, 3], 2), ([254, 255, 0, 1], 0), ([5, 5, 6], 0), ([7, 6, 7], 0), ([250, 4], 9)],
)
def test_missing_frames_are_counted_and_repeats_are_not(seqs: list[int], lost: int) -> None:
    """By the sender's own numbering, over its wrap."""
    sender = Sender()
    for seq in seqs:
        sender.heard(Frame(1, seq, 0, b""))
    assert sender.lost_count == lost


def test_a_sender_numbers_its_frames_and_repeats_what_it_heard() -> None:
    """seq rises and wraps; ack is the last seq of the other side."""
    sender, decoder = Sender(), Decoder()
    sender.heard(Frame(1, 77, 0, b""))
    found = decoder.receive_data(b"".join(sender.encode(0x48, b"") for _ in range(257)))
    assert [frame.seq for frame in found] == [*range(256), 0]
    assert {frame.ack for frame in found} == {77}


def test_a_zero_inside_is_no_run() -> None:
    """What `parse_frame` is given by hand is refused too, not waited on for ever."""
    from tablewire.wire.frame import parse_frame

    assert parse_frame(b"\x02a\0\0") is Drop.BAD_COBS
