"""The link comes back by itself after whatever happened, and says so once."""

import queue
import random
import threading
from collections.abc import Callable, Iterator

import pytest
from tests.link.pty_board import PtyBoard

from tablewire.link.events import Chunk, LinkEvent, Lost, Opened, Trying
from tablewire.link.faults import Cause, LinkLost, LinkRefused, Tried
from tablewire.link.serial_port import SerialLink, open_with_pyserial
from tablewire.link.supervisor import MAX_OUTBOUND_BYTES, LinkThread

AT_ONCE = 0.001
"""A thousandth of every delay."""


LIMIT_S = 60.0
"""For a busy machine; nothing here takes more than a second."""


class Listener:
    """Collects the events of a link."""

    def __init__(self) -> None:
        self._events: queue.Queue[LinkEvent] = queue.Queue()

    def __call__(self, event: LinkEvent) -> None:
        self._events.put(event)

    def next(self) -> LinkEvent:
        return self._events.get(timeout=LIMIT_S)

    def heard(self, count: int) -> bytes:
        """The bytes of the next chunks, until `count` of them have come."""
        data = b""
        while len(data) < count:
            event = self.next()
            assert isinstance(event, Chunk), event
            data += event.data
        return data

    def empty(self) -> bool:
        return self._events.empty()


class FakeLink:
    """A link whose calls are given as functions; `read` waits for nothing."""

    name = "fake"
    kind = "serial"

    def __init__(
        self, opening: Callable[[int], None], reading: Callable[[], bytes], writing: Callable[[bytes], bool]
    ) -> None:
        self.opened_count = 0
        self._opening, self._reading, self._writing = opening, reading, writing

    def open(self) -> None:
        self.opened_count += 1
        self._opening(self.opened_count)

    def read(self, _limit_s: float, /) -> bytes:
        return self._reading()

    def write(self, data: bytes) -> bool:
        return self._writing(data)

    def wake(self) -> None:
        return

    def give_up(self) -> None:
        self.wake()

    def close(self) -> None:
        return


class SilentLink(FakeLink):
    """A link on which nothing comes: a read ends when it is woken, and not before."""

    def __init__(self, writing: Callable[[bytes], bool]) -> None:
        super().__init__(lambda _: None, bytes, writing)
        self._woken = threading.Semaphore(0)

    def read(self, _limit_s: float, /) -> bytes:
        assert self._woken.acquire(timeout=LIMIT_S)
        return b""

    def wake(self) -> None:
        self._woken.release()


Start = Callable[..., LinkThread]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a supervisor and ends it after the test."""
    threads: list[LinkThread] = []

    def start_one(*args: object, **kwargs: object) -> LinkThread:
        thread = LinkThread(*args, **kwargs)  # type: ignore[arg-type]
        threads.append(thread)
        thread.start()
        return thread

    yield start_one
    for thread in threads:
        thread.close()
        assert not thread.alive


def test_bytes_pass_both_ways(board: PtyBoard, start: Start) -> None:
    listener = Listener()
    link = start(SerialLink(str(board.path)), listener)
    assert listener.next() == Opened(str(board.path))
    board.say(b"\0hello\0")
    assert listener.heard(7) == b"\0hello\0"
    link.write(b"\0ack")
    link.write(b"\0")
    assert board.hear(5) == b"\0ack\0"


def test_a_flood_from_the_board_arrives_whole_while_we_answer(board: PtyBoard, start: Start) -> None:
    flood = random.Random(5).randbytes(200_000)
    listener = Listener()
    link = start(SerialLink(str(board.path)), listener)
    assert isinstance(listener.next(), Opened)
    heard = b""
    for offset in range(0, len(flood), 1000):
        board.say(flood[offset : offset + 1000])
        link.write(b"ack")
        heard += listener.heard(1000)
        assert board.hear(3) == b"ack"
    assert heard == flood
    assert link.dropped_count == 0


def test_unplugging_is_said_once_and_plugging_in_again_goes_on(board: PtyBoard, start: Start) -> None:
    listener = Listener()
    link = start(SerialLink(str(board.path)), listener, AT_ONCE)
    for turn in (b"one", b"two", b"three"):
        assert listener.next() == Opened(str(board.path))
        board.say(turn)
        assert listener.heard(len(turn)) == turn
        board.unplug()
        lost, missing = listener.next(), listener.next()
        assert isinstance(lost, Lost)
        assert "lost the board" in lost.reason
        assert isinstance(missing, Lost)
        assert "nothing is plugged in there" in missing.reason
        link.write(b"into the void")
        board.plug()
    assert listener.next() == Opened(str(board.path))
    link.write(b"now")
    assert board.hear(3) == b"now"


def test_starting_without_a_board_waits_for_one(board: PtyBoard, start: Start) -> None:
    board.unplug()
    listener = Listener()
    start(SerialLink(str(board.path)), listener, AT_ONCE)
    assert isinstance(listener.next(), Lost)
    board.plug()
    assert listener.next() == Opened(str(board.path))


def test_a_port_that_another_program_holds_is_taken_when_it_is_free(board: PtyBoard, start: Start) -> None:
    other = SerialLink(str(board.path))
    other.open()
    listener = Listener()
    start(SerialLink(str(board.path)), listener, AT_ONCE)
    refusal = listener.next()
    assert isinstance(refusal, Lost)
    assert "another program uses it" in refusal.reason
    other.close()
    assert listener.next() == Opened(str(board.path))


def test_a_port_that_is_denied_six_times_after_unplugging_is_opened_the_seventh(
    board: PtyBoard, start: Start
) -> None:
    calls: list[int] = []

    def denied_at_first(port: str, baud: int) -> object:
        calls.append(baud)
        if len(calls) <= 6:
            raise PermissionError(13, "Access is denied")
        return open_with_pyserial(port, baud)

    listener = Listener()
    start(SerialLink(str(board.path), opener=denied_at_first), listener, AT_ONCE)  # type: ignore[arg-type]
    assert isinstance(listener.next(), Lost)
    assert listener.next() == Opened(str(board.path))
    assert len(calls) == 7


def test_a_board_that_is_away_for_long_is_said_once(start: Start) -> None:
    done: queue.Queue[int] = queue.Queue()

    def opening(n: int) -> None:
        if n == 50:
            done.put(n)
        raise LinkRefused("cannot open fake: nothing is plugged in there")

    listener = Listener()
    start(FakeLink(opening, bytes, lambda _: True), listener, AT_ONCE)
    assert done.get(timeout=LIMIT_S) == 50
    assert listener.next() == Lost("cannot open fake: nothing is plugged in there")
    assert listener.empty()


def test_write_errors_at_random_lose_the_link_but_never_the_thread(start: Start) -> None:
    draw = random.Random(6)
    written: queue.Queue[bytes] = queue.Queue()

    def writing(data: bytes) -> bool:
        if draw.random() < 0.5:
            raise LinkLost("lost the board at fake (Input/output error)")
        written.put(data)
        return True

    listener = Listener()
    link = start(FakeLink(lambda _: None, bytes, writing), listener, AT_ONCE)
    losses = 0
    while losses < 10:
        if listener.empty():
            link.write(b"light")
            continue
        losses += isinstance(listener.next(), Lost)
    assert link.alive
    assert written.get(timeout=LIMIT_S).startswith(b"light")


def test_a_mistake_in_the_link_or_the_listener_does_not_end_the_thread(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    listener = Listener()

    def opening(n: int) -> None:
        if n == 1:
            raise ZeroDivisionError

    def listening(event: LinkEvent) -> None:
        listener(event)
        raise KeyError(event)

    def reading() -> bytes:
        if listener.empty():
            return b"x"
        return b""

    start(FakeLink(opening, reading, lambda _: True), listening, AT_ONCE)
    first = listener.next()
    assert isinstance(first, Lost)
    assert "ZeroDivisionError" in first.reason
    assert listener.next() == Opened("fake")
    assert listener.next() == Chunk(b"x")
    assert {record.levelname for record in caplog.records} == {"ERROR"}


def test_what_a_deaf_board_does_not_take_is_dropped_and_not_heaped_up(start: Start) -> None:
    gate: queue.Queue[None] = queue.Queue()
    taken: queue.Queue[bytes] = queue.Queue()

    def writing(data: bytes) -> bool:
        gate.get(timeout=LIMIT_S)
        taken.put(data)
        return True

    listener = Listener()
    link = start(FakeLink(lambda _: None, bytes, writing), listener, AT_ONCE)
    assert listener.next() == Opened("fake")
    for _ in range(1000):
        link.write(bytes(100))
    assert link.dropped_count > 900
    accepted = (1000 - link.dropped_count) * 100
    drained = 0
    while drained < accepted:
        gate.put(None)
        drained += len(taken.get(timeout=LIMIT_S))
    assert drained == accepted <= MAX_OUTBOUND_BYTES + 1000


def test_what_was_meant_for_a_lost_link_is_not_sent_to_the_next(start: Start) -> None:
    gate: queue.Queue[bool] = queue.Queue()
    taken: queue.Queue[bytes] = queue.Queue()

    def writing(data: bytes) -> bool:
        if not gate.get(timeout=LIMIT_S):
            raise LinkLost("lost the board at fake")
        taken.put(data)
        return True

    listener = Listener()
    link = start(FakeLink(lambda _: None, bytes, writing), listener, AT_ONCE)
    assert listener.next() == Opened("fake")
    link.write(b"old" * 1000)
    gate.put(False)
    assert isinstance(listener.next(), Lost)
    assert listener.next() == Opened("fake")
    gate.put(True)
    link.write(b"new")
    assert taken.get(timeout=LIMIT_S) == b"new"


def test_a_long_write_goes_out_at_once_while_the_board_is_silent(start: Start) -> None:
    taken: queue.Queue[bytes] = queue.Queue()

    def writing(data: bytes) -> bool:
        taken.put(data)
        return True

    listener = Listener()
    link = start(SilentLink(writing), listener)
    assert listener.next() == Opened("fake")
    long = random.Random(7).randbytes(4000)
    link.write(long)
    heard = b""
    while len(heard) < len(long):
        heard += taken.get(timeout=LIMIT_S)
    assert heard == long


def test_closing_ends_the_thread_at_once_while_the_board_is_silent(start: Start) -> None:
    listener = Listener()
    link = start(SilentLink(lambda _: True), listener)
    assert listener.next() == Opened("fake")
    link.close()
    assert not link.alive


def test_closing_ends_the_thread_while_it_waits_to_try_again(start: Start) -> None:
    def opening(n: int) -> None:
        raise LinkRefused("cannot open fake")

    listener = Listener()
    link = start(FakeLink(opening, bytes, lambda _: True), listener, 36_000.0)
    assert isinstance(listener.next(), Lost)
    link.close()
    assert not link.alive


def test_a_link_that_waits_to_be_tried_again_is_tried_at_once_when_that_is_asked(start: Start) -> None:
    def opening(n: int) -> None:
        if n < 3:
            raise LinkRefused("cannot open fake")

    listener = Listener()
    link = start(FakeLink(opening, bytes, lambda _: True), listener, 36_000.0)
    assert isinstance(listener.next(), Lost)
    while listener.empty():
        link.reopen("the computer has slept")
    assert listener.next() == Opened("fake")


def test_a_link_that_was_tried_at_once_when_that_was_asked_waits_again_afterwards(start: Start) -> None:
    """Each attempt may reset a board, or take the radio from others."""
    tried = threading.Semaphore(0)

    def opening(n: int) -> None:
        tried.release()
        raise LinkRefused("cannot open fake")

    link = start(FakeLink(opening, bytes, lambda _: True), Listener(), 36_000.0)
    assert tried.acquire(timeout=LIMIT_S)
    link.reopen("the computer has slept")
    assert tried.acquire(timeout=LIMIT_S)
    assert not tried.acquire(timeout=0.1)


def test_closing_gives_the_port_to_the_next_program(board: PtyBoard, start: Start) -> None:
    listener = Listener()
    link = start(SerialLink(str(board.path)), listener)
    assert isinstance(listener.next(), Opened)
    link.close()
    assert not link.alive
    other = SerialLink(str(board.path))
    other.open()
    other.close()
    assert listener.empty()


def test_a_link_over_which_nobody_answers_is_opened_anew_when_that_is_asked(start: Start) -> None:
    listener = Listener()
    link = start(SilentLink(lambda _: True), listener, AT_ONCE)
    link.reopen("before it is open nothing can be given up")
    for turn in range(3):
        assert listener.next() == Opened("fake")
        link.reopen(f"nobody answers, {turn}")
        assert listener.next() == Lost(f"nobody answers, {turn}")
    assert listener.next() == Opened("fake")


class SeekingLink(SilentLink):
    """A link that says where it looks before it refuses; each tenth opening finds something."""

    def __init__(self) -> None:
        super().__init__(lambda _: True)
        self.tried: tuple[Tried, ...] = ()
        self.tell: Callable[[str], None] = lambda _: None

    def open(self) -> None:
        super().open()
        if self.opened_count % 10:
            self.tell(f"looking at {'AB'[self.opened_count % 2]}")
            raise LinkRefused("no board", Cause.ABSENT, [Tried("A", "no answer")])
        self.tried = (Tried("B", "another board answers there"),)


def test_where_a_board_is_looked_for_is_told_once_until_one_is_found(start: Start) -> None:
    """It may go on for days, and each news is a version on disk and a redrawn page."""
    listener = Listener()
    link = start(SeekingLink(), listener, AT_ONCE)
    for _ in range(2):
        for place in "BA":
            assert listener.next() == Trying(f"looking at {place}")
            assert listener.next() == Lost("no board", (Tried("A", "no answer"),))
        assert listener.next() == Opened("fake", "serial", (Tried("B", "another board answers there"),))
        link.reopen("nobody answers")
        assert listener.next() == Lost("nobody answers")


def test_an_open_link_that_speaks_of_a_refusal_is_a_lost_one(start: Start) -> None:
    def reading() -> bytes:
        raise LinkRefused("not allowed any more", Cause.FORBIDDEN)

    listener = Listener()
    link = start(FakeLink(lambda _: None, reading, lambda _: True), listener, AT_ONCE)
    for _ in range(3):
        assert listener.next() == Opened("fake")
        assert listener.next() == Lost("not allowed any more")
    assert link.alive
