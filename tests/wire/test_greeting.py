"""A stranger is asked one question, and only a board's answer counts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.wire.scripted_board import GREETING, HEARTBEAT

from tablewire.wire.frame import Decoder, Sender
from tablewire.wire.greeting import Greeting
from tablewire.wire.messages import HostHello


def test_hello_is_repeated_every_200_ms_and_nothing_else_is_sent() -> None:
    greeting, decoder = Greeting(), Decoder()
    sent = [greeting.data_to_send(now_ms) for now_ms in range(0, 2001, 50)]
    assert [n for n, data in enumerate(sent) if data] == list(range(0, 41, 4))
    assert {frame.type for data in sent for frame in decoder.receive_data(data)} == {HostHello.TYPE}


def test_a_board_answers_with_its_kind_and_firmware_however_the_bytes_come() -> None:
    answer = Sender().encode(GREETING.TYPE, GREETING.encode())
    noise = b"ATE1\r\r\nOK\r\n" + bytes(range(256))
    for size in (1, 7, 1000):
        greeting, data = Greeting(), noise + answer + b"\x05more"
        told = [greeting.receive_data(data[at : at + size], 0) for at in range(0, len(data), size)]
        (greeted,) = [one for one in told if one is not None]
        assert (greeted.is_usable, greeted.firmware, greeted.board_kind) == (True, "test", "Cir*Kis")
        assert greeted.words == "a Cir*Kis board, firmware test"


def test_a_board_of_a_kind_to_come_is_named_by_its_number() -> None:
    hello = replace(GREETING, kind=9, firmware="")
    greeted = Greeting().receive_data(Sender().encode(hello.TYPE, hello.encode()), 0)
    assert greeted is not None
    assert greeted.words == "a kind 9 board, firmware unnamed"


@pytest.mark.parametrize(("major", "side"), [(0, "the board's firmware"), (2, "tablewire on this computer")])
def test_a_board_of_another_major_version_is_no_use_and_the_older_side_is_named(
    major: int, side: str
) -> None:
    frame = Sender().encode(GREETING.TYPE, bytes([major, 7]) + b"who knows")
    greeted = Greeting().receive_data(frame, 0)
    assert greeted is not None
    assert not greeted.is_usable
    assert f"update {side}" in greeted.words


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no board answers there"),
        (b"$GPGGA,123519,4807.038,N\r\n", "no tablewire board, or speaks at another speed"),
        (Sender().encode(HostHello.TYPE, HostHello(1, 0).encode()), "no tablewire board"),
        (Sender().encode(HEARTBEAT.TYPE, HEARTBEAT.encode()), "does not answer a greeting"),
        (Sender().encode(GREETING.TYPE, b""), "does not answer a greeting"),
        (Sender().encode(GREETING.TYPE, bytes([1, 0])), "does not answer a greeting"),
    ],
)
def test_what_came_in_place_of_an_answer_is_said(data: bytes, words: str) -> None:
    greeting = Greeting()
    assert greeting.receive_data(data, 0) is None
    assert words in greeting.silence
    assert greeting.silence.isprintable()
