"""The simulated Ligretto board behind every way to it: a program with port and socket, a link in memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest
from tests.virtual.tag_bench import uid

from tablewire.link.contract import Link
from tablewire.link.serial_port import SerialLink
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.memory_link import MemoryLink
from tablewire.virtual.remote import BoardProcess, Hand
from tablewire.wire.messages import BoardKind, Sight
from tablewire.wire.observed import Sighting, Sightings
from tablewire.wire.session import HostSession

PATIENCE_S = 30.0  # for a busy machine; it takes a fifth of a second
READ_S = 0.05
PADS = 20

Do = Callable[[str], str]
Way = Callable[[], AbstractContextManager[tuple[Link, Do]]]


@contextmanager
def in_memory() -> Iterator[tuple[Link, Do]]:
    """A board of this process."""
    board = VirtualBoard(1, kind=BoardKind.LIGRETTO, pads=PADS)
    link = MemoryLink(board)
    yield link, lambda line: link.do(line)[0]
    board.close()


@contextmanager
def as_a_program() -> Iterator[tuple[Link, Do]]:
    """A board of another process, at a port of its own."""
    with ExitStack() as things:
        program = BoardProcess(1, fast=False, kind=BoardKind.LIGRETTO, pads=PADS)
        things.callback(program.close)
        hand = Hand(program.socket_path)
        things.callback(hand.close)
        yield SerialLink(str(program.port)), lambda line: hand.do([line])[0]


def hear(link: Link, session: HostSession, sight: Sight) -> Sighting:
    """Talk until something of this kind is told. Fails when that takes too long."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        now_ms = time.monotonic_ns() // 1_000_000
        link.write(session.data_to_send(now_ms))
        for told in session.receive_data(link.read(READ_S), now_ms):
            if not isinstance(told, Sightings):
                continue
            session.acknowledge(told.sightings[-1].number, told.nonce)
            for one in told.sightings:
                if one.what == sight:
                    return one
    raise AssertionError(f"nobody told {sight.name}")


@pytest.mark.parametrize("way", [in_memory, as_a_program])
def test_cards_and_buttons_are_told_over_the_link(way: Way) -> None:
    with way() as (link, do):
        session = HostSession()
        link.open()
        session.link_opened(time.monotonic_ns() // 1_000_000)
        hear(link, session, Sight.ANEW)
        assert session.hello is not None
        assert (session.hello.kind, session.hello.reader_count) == (BoardKind.LIGRETTO, PADS)
        assert do("lay red:blue:1 17") == "ok"
        came = hear(link, session, Sight.CAME)
        assert (came.source, came.uid) == (17, uid("red:blue:1"))
        assert do("press 4") == "ok"
        assert hear(link, session, Sight.DOWN).source == 4
        link.close()
