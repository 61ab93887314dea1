"""The emulated chip below a simulated table: time, fields and bytes between the two."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewire.errors import UserError
from tablewire.twin.heart import FRAME_MAX_BYTES, TwinHeart, UnitCutter
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.board_pty import BoardPty
from tablewire.wire.frame import Decoder, Frame, encode_frame
from tablewire.wire.messages import BoardKind, Hello, HostHello, Raw, RawReq, ResetCause

FRAMES = st.builds(
    Frame, st.integers(0, 255), st.integers(0, 255), st.integers(0, 255), st.binary(max_size=115)
)


@given(st.lists(FRAMES, max_size=5), st.integers(1, 40))
def test_a_frame_is_one_unit_however_its_bytes_come(frames: list[Frame], step: int) -> None:
    """Line faults lose, double and swap whole frames, as on a board that hands them over whole."""
    stream = b"".join(map(encode_frame, frames))
    cutter = UnitCutter()
    units = [unit for at in range(0, len(stream), step) for unit in cutter.cut(stream[at : at + step])]
    assert units == [encode_frame(frame) for frame in frames]
    assert cutter.rest() == b""


@given(st.lists(st.binary(max_size=300), max_size=10))
def test_whatever_comes_nothing_is_lost_and_little_is_kept(chunks: list[bytes]) -> None:
    cutter = UnitCutter()
    units = [unit for chunk in chunks for unit in cutter.cut(chunk)]
    assert all(len(unit) <= FRAME_MAX_BYTES for unit in units)
    rest = cutter.rest()
    assert len(rest) < FRAME_MAX_BYTES
    assert b"".join(units) + rest == b"".join(chunks)


def fill(port: int) -> int:
    """Write until the kernel takes no more; how many bytes it took."""
    written = 0
    with suppress(BlockingIOError):
        while True:
            written += os.write(port, bytes(4096))
    return written


def test_a_host_that_writes_faster_than_the_line_has_to_wait() -> None:
    """As in front of a USB bridge; kept in memory, a flood would grow there without end."""
    board, pty = VirtualBoard(1, heart=TwinHeart), BoardPty()
    port = os.open(pty.open(), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        pty.pump(board)
        for _ in range(50):
            fill(port)
            pty.pump(board)
        assert 0 < board.backlog_bytes < 100_000
    finally:
        os.close(port)
        pty.close()
        board.close()


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    """The emulated board, booted and met by a host."""
    made = VirtualBoard(1, heart=TwinHeart)
    made.advance(50)
    made.receive_data(encode_frame(Frame(HostHello.TYPE, 0, 0, HostHello(1, 0).encode())))
    made.advance(100)
    made.data_to_send()
    yield made
    made.close()


def test_more_than_the_line_holds_waits_for_its_turn(board: VirtualBoard) -> None:
    """200 kB written at once take four seconds at 500 kbaud; a question behind them is answered then."""
    board.receive_data(bytes(200_000))
    board.receive_data(encode_frame(Frame(RawReq.TYPE, 1, 0, RawReq(9, 0, 3).encode())))
    decoder = Decoder()
    answered_ms = None
    for now_ms in range(200, 6_000, 100):
        board.advance(now_ms)
        if any(frame.type == Raw.TYPE for frame in decoder.receive_data(board.data_to_send())):
            answered_ms = now_ms
            break
    assert answered_ms is not None
    assert 4_100 <= answered_ms <= 4_300
    assert board.heart.counters()["rx_overrun"] == 0


def test_a_reset_ends_what_was_being_said_in_the_middle(board: VirtualBoard) -> None:
    """Half a frame reaches the host, which drops it and hears the greeting of the new start."""
    board.receive_data(encode_frame(Frame(HostHello.TYPE, 1, 0, HostHello(1, 0).encode())))
    board.advance(101)
    assert board.data_to_send() == b""
    board.do("reset")
    cut_off = board.data_to_send()
    assert cut_off
    decoder = Decoder()
    assert decoder.receive_data(cut_off) == []
    board.advance(300)
    (greeting,) = decoder.receive_data(board.data_to_send())
    assert Hello.parse(greeting.payload).reset_cause == ResetCause.POWER_ON
    assert decoder.drops.total() == 1


def test_a_table_with_more_pads_than_one_board_has_is_refused_in_words() -> None:
    with pytest.raises(UserError, match="the emulated board has 16 pads, not 48"):
        VirtualBoard(1, heart=TwinHeart, kind=BoardKind.LIGRETTO, pads=48)


def test_what_lies_on_readers_outlives_a_reset() -> None:
    """The card is told again as found, under another boot."""
    board = VirtualBoard(1, heart=TwinHeart, kind=BoardKind.LIGRETTO)
    try:
        board.do("lay red:blue:1 3", "wait 1000")
        before = board.state()
        board.do("reset", "wait 1000")
        after = board.state()
        assert before["pads"] == after["pads"] == {"3": ["red:blue:1"]}
        assert before["nonce"] != after["nonce"]
        assert (before["last_number"], after["last_number"]) == (2, 2)
    finally:
        board.close()
