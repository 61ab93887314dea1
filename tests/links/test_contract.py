"""What every link promises, sentence by sentence, whatever it goes over. The same tests for each kind."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.links.kinds import PATIENCE_S, Place, state
from tests.links.talk import Kept, Talk, lose, open_patiently

from tablewire.link.contract import Link
from tablewire.link.faults import LinkLost, LinkRefused
from tablewire.wire.frame import Decoder, Frame, Sender
from tablewire.wire.messages import MAJOR, MINOR, Hello, HostHello

CUT_MS = 100
"""Longer than the longest turn of a simulated board: a shorter one is over before anybody has seen it."""
MARK = "THIS-WAS-SAID-BEFORE"
BURST = range(1, 120, 2)
"""Sixty spaces, on which pieces of one space land at one moment, and from which they go at another."""


def test_it_says_what_it_is(place: Place) -> None:
    assert place.link.kind == place.kind
    assert place.link.name.isprintable()
    assert place.link.name


def test_a_link_that_was_never_opened_neither_reads_nor_writes_and_can_be_closed(place: Place) -> None:
    link = place.link
    link.close()
    link.wake()
    for _ in range(2):
        with pytest.raises(LinkLost):
            link.read(0)
        with pytest.raises(LinkLost):
            link.write(b"\0")
        link.close()
    link.open()
    Talk(link).meet()


def test_a_closed_link_neither_reads_nor_writes(place: Place) -> None:
    link = place.link
    link.open()
    Talk(link).meet()
    link.close()
    link.close()
    link.wake()
    with pytest.raises(LinkLost):
        link.read(0)
    with pytest.raises(LinkLost):
        link.write(b"\0")


def test_a_session_is_told_every_change_once_and_in_order(place: Place) -> None:
    """HELLO, SNAPSHOT and a burst of sixty moves in EVENTS; no byte is changed on the way."""
    place.link.open()
    talk = Talk(place.link)
    talk.meet()
    assert talk.session.hello is not None
    assert talk.snapshot_count == 1
    place.do(*(f"place red {space}" for space in BURST))
    talk.until(lambda: talk.lying == {space - 1 for space in BURST})
    place.do(*(f"lift {space}" for space in BURST))
    talk.until(lambda: talk.lying == set())
    assert talk.numbers == list(range(1, 121))
    assert talk.snapshot_count == 1
    assert talk.session.decoder.drops.total() == 0


@pytest.mark.parametrize("mtu", [4, 23, 185])
def test_a_session_does_not_mind_where_chunks_are_cut(place: Place, mtu: int) -> None:
    place.do(f"fault mtu {mtu}")
    place.link.open()
    talk = Talk(place.link)
    talk.meet()
    place.do("place red 6,15 over 20", "place green 16")
    talk.until(lambda: talk.lying == {5, 14, 15})
    assert talk.session.decoder.drops.total() == 0
    assert talk.numbers == [1, 2, 3]


def test_every_frame_that_is_written_arrives(place: Place) -> None:
    """A board answers each greeting; it need not hear a second one before it has."""
    place.link.open()
    Talk(place.link).meet()
    before = state(place)["counters"]
    sender, decoder = Sender(), Decoder()
    end_s = time.monotonic() + PATIENCE_S
    for _ in range(50):
        assert place.link.write(sender.encode(HostHello.TYPE, HostHello(MAJOR, MINOR).encode()))
        answers: list[Frame] = []
        while all(frame.type != Hello.TYPE for frame in answers):
            answers += decoder.receive_data(place.link.read(PATIENCE_S))
            assert time.monotonic() < end_s
    after = state(place)["counters"]
    assert after["rx_frames"] - before["rx_frames"] == 50
    for counter in ("rx_bad_crc", "rx_bad_cobs", "rx_bad_length", "rx_lost"):
        assert after[counter] == before[counter]


def test_what_comes_ends_a_read_that_waits(place: Place) -> None:
    place.link.open()
    Talk(place.link).meet()
    with ThreadPoolExecutor(1) as hands:
        hands.submit(place.do, "wait 50", f"fault boot-text text={MARK}")
        heard, end_s = b"", time.monotonic() + PATIENCE_S
        while MARK.encode() not in heard:
            heard += place.link.read(PATIENCE_S)
            assert time.monotonic() < end_s


def test_a_read_ends_with_nothing_when_its_time_is_over(place: Place) -> None:
    place.do("fault mute")
    place.link.open()
    for limit_s in (0.0, 0.01, 0.05):
        assert place.link.read(limit_s) == b""


def test_a_read_is_woken_whether_it_waits_already_or_not(place: Place) -> None:
    place.do("fault mute")
    place.link.open()
    began_s = time.monotonic()
    place.link.wake()
    assert place.link.read(PATIENCE_S) == b""
    with ThreadPoolExecutor(1) as other:
        for _ in range(20):
            other.submit(place.link.wake)
            assert place.link.read(PATIENCE_S) == b""
    assert time.monotonic() - began_s < PATIENCE_S


def test_giving_up_ends_a_read_that_waits_and_whatever_comes_after(place: Place) -> None:
    place.do("fault mute")
    place.link.open()
    with ThreadPoolExecutor(1) as other:
        losing = other.submit(lose, place.link)
        place.link.give_up()
        assert str(losing.result(PATIENCE_S)).isprintable()
    place.link.close()
    with pytest.raises(LinkRefused, match="the program ends"):
        place.link.open()
    with pytest.raises(LinkLost):
        place.link.read(0)


def test_giving_up_ends_an_opening_that_hangs(place: Place) -> None:
    reached = threading.Event()
    hanging = place.hanging_link(reached)
    if hanging is None:  # then there is nothing in it that could hang
        assert place.kind == "memory"
        return
    link, release = hanging
    with ThreadPoolExecutor(1) as other:
        opening = other.submit(link.open)
        assert reached.wait(PATIENCE_S)
        link.give_up()
        with pytest.raises(LinkRefused, match="the program ends"):
            opening.result(PATIENCE_S)
    release()
    link.close()


def test_opening_twice_is_opening_anew(place: Place) -> None:
    """What was said before belongs to the opening before."""
    link = place.link
    link.open()
    Talk(link).meet()
    place.do(f"fault boot-text text={MARK}")
    link.open()
    talk, heard = Talk(link), list[bytes]()
    read = link.read

    def listen(limit_s: float) -> bytes:
        heard.append(read(limit_s))
        return heard[-1]

    talk.link = _Overheard(link, listen)
    talk.meet()
    assert MARK.encode() not in b"".join(heard)
    assert talk.session.decoder.drops.total() == 0


class _Overheard:
    """A link of which every read is noted."""

    def __init__(self, link: Link, listen: Callable[[float], bytes]) -> None:
        self.name, self.kind = link.name, link.kind
        self.open, self.write, self.wake, self.give_up, self.close = (
            link.open,
            link.write,
            link.wake,
            link.give_up,
            link.close,
        )
        self.read = listen


def test_a_pulled_cable_is_a_lost_link_for_whoever_reads(place: Place) -> None:
    place.do("fault mute")
    place.link.open()
    with ThreadPoolExecutor(1) as other:
        losing = other.submit(lose, place.link)
        place.do("unplug")
        text = str(losing.result(PATIENCE_S))
    assert place.link.name in text
    assert text.isprintable()


def test_a_pulled_cable_is_a_lost_link_for_whoever_writes(place: Place) -> None:
    place.link.open()
    Talk(place.link).meet()
    place.do("unplug")

    def write_on() -> None:
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            place.link.write(b"\0")

    with pytest.raises(LinkLost):
        write_on()
    place.link.close()


def test_what_is_away_is_refused_until_it_is_back(place: Place) -> None:
    link = place.link
    place.do("unplug")
    with pytest.raises(LinkRefused) as caught:
        link.open()
    assert str(caught.value).isprintable()
    with pytest.raises(LinkLost):
        link.read(0)
    place.do("plug")
    open_patiently(link)
    Talk(link).meet()


@pytest.mark.parametrize("after", [0, 1, 20, 40])
def test_a_cut_in_the_middle_of_a_frame_leaves_nothing_for_the_next_opening(place: Place, after: int) -> None:
    link = place.link
    link.open()
    talk = Talk(link)
    talk.meet()
    place.do(f"fault cut after={after} ms={CUT_MS}", "place red 6,15,24 over 5")
    with pytest.raises(LinkLost):
        talk.until(lambda: False)
    open_patiently(link)
    talk.reopen()
    dropped = talk.session.decoder.drops.total()
    talk.until(lambda: talk.lying == {5, 14, 23})
    assert talk.numbers == [1, 2, 3]
    # One may have been on its way as the port was opened.
    assert talk.session.decoder.drops.total() <= dropped + 1


def test_writing_to_a_board_that_does_not_listen_takes_no_longer_than_it_may(place: Place) -> None:
    place.link.open()
    place.do("fault deaf 60000")
    began_s = time.monotonic()
    for _ in range(50):
        assert place.link.write(bytes(1000)) in (True, False)
    assert time.monotonic() - began_s < PATIENCE_S
    assert place.link.read(0) == b""


def test_a_link_thread_survives_ten_cuts(place: Place) -> None:
    """Each change is told once and in order, though the link goes ten times, each time elsewhere."""
    kept = Kept(place.link)
    try:
        kept.until(lambda: kept.session.synced)
        for cut in range(10):
            place.do(f"fault cut after={cut * 7} ms={CUT_MS}", f"place red {cut * 10 + 1}")
            kept.until(lambda: kept.lost_count > cut and kept.opened_count > cut + 1)  # noqa: B023
            kept.until(lambda: cut * 10 in kept.lying)  # noqa: B023 - called at once
        assert kept.numbers == list(range(1, 11))
        assert kept.snapshot_count == 1
        assert kept.lying == {cut * 10 for cut in range(10)}
    finally:
        kept.thread.close()
    assert not kept.thread.alive
