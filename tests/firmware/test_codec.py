"""The firmware's codec says the same as the vectors and as the host's codec."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.firmware.native import Codec
from tests.wire.vectors import MESSAGES, STREAMS, named

from tablewire.wire.frame import Decoder, Frame, encode_frame


@pytest.fixture(scope="module")
def codec() -> Iterator[Codec]:
    one = Codec()
    yield one
    one.close()


@pytest.mark.parametrize("message", MESSAGES, ids=named)
def test_every_message_of_the_vectors_is_framed_and_found(codec: Codec, message: dict[str, Any]) -> None:
    frame = Frame(message["type"], message["seq"], message["ack"], bytes.fromhex(message["payload"]))
    assert codec.encode(frame).hex() == message["frame"]
    assert codec.decode([bytes.fromhex(message["frame"])]) == ([frame], {})


@pytest.mark.parametrize("stream", STREAMS, ids=named)
def test_every_hard_stream_of_the_vectors_gives_its_frames(codec: Codec, stream: dict[str, Any]) -> None:
    data = bytes.fromhex(stream["hex"])
    for chunks in ([data], [bytes((byte,)) for byte in data]):
        frames, drops = codec.decode(chunks)
        assert [frame.type for frame in frames] == stream["types"]
        assert {drop.value: count for drop, count in drops.items()} == stream["drops"]


def test_a_payload_longer_than_a_frame_holds_is_refused(codec: Codec) -> None:
    with pytest.raises(AssertionError, match="a payload of 116 bytes"):
        codec.encode(Frame(1, 2, 3, bytes(116)))


@pytest.mark.parametrize("size", [0, 4, 115])
def test_a_frame_with_any_bit_wrong_is_none(codec: Codec, size: int) -> None:
    sound = encode_frame(Frame(0x42, 7, 9, bytes(range(1, size + 1))))
    for at in range(8, (len(sound) - 1) * 8):  # a delimiter may be replaced by the next one
        damaged = bytearray(sound)
        damaged[at // 8] ^= 1 << at % 8
        assert codec.decode([bytes(damaged)])[0] == [], at


BYTE = st.integers(0, 255)
FRAMES = st.builds(Frame, BYTE, BYTE, BYTE, st.binary(max_size=115))
# Zeros and ones are what byte stuffing turns on.
NOISE = st.binary(max_size=300) | st.lists(st.sampled_from((0, 0, 1, 2, 255)), max_size=300).map(bytes)


@settings(deadline=None)  # the answers come from another process
@given(frame=FRAMES)
def test_the_firmware_frames_as_the_host_does(codec: Codec, frame: Frame) -> None:
    assert codec.encode(frame) == encode_frame(frame)


@settings(deadline=None)  # the answers come from another process
@given(data=st.data())
def test_damaged_streams_give_the_same_frames_and_drops_as_on_the_host(
    codec: Codec, data: st.DataObject
) -> None:
    pieces = data.draw(st.lists(FRAMES.map(encode_frame) | NOISE, max_size=6))
    stream = bytearray(b"".join(pieces))
    for _ in range(data.draw(st.integers(0, 3)) if stream else 0):
        at = data.draw(st.integers(0, len(stream) - 1))
        match data.draw(st.sampled_from(("flip", "drop", "insert"))):
            case "flip":
                stream[at] ^= 1 << data.draw(st.integers(0, 7))
            case "drop":
                stream[at : at + 1] = b""
            case _:
                stream[at:at] = bytes((data.draw(BYTE),))
        if not stream:
            break
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    chunks = [bytes(stream[begin:end]) for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    host = Decoder()
    frames = host.receive_data(bytes(stream))
    assert codec.decode(chunks) == (frames, dict(host.drops))
