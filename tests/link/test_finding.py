"""A board is found wherever it is, what is none is left in peace, and it is said what was tried."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from tests.link.answering import MEGA, UNKNOWN, Answering

from tablewire.link.ble import BleSeen
from tablewire.link.events import LinkEvent, Trying
from tablewire.link.faults import Cause, LinkLost, LinkRefused, Tried
from tablewire.link.finding import FoundLink, Limits, Sources
from tablewire.link.last_good import KnownBoard, LastGood
from tablewire.link.ports import SerialPort
from tablewire.link.serial_port import Port, SerialLink, open_with_pyserial
from tablewire.link.supervisor import LinkThread
from tablewire.wire.frame import Decoder
from tablewire.wire.greeting import Greeting
from tablewire.wire.messages import HostHello

LIMIT_S = 60.0
SHORT_S = 0.1
"""How long a silent place is asked here. What speaks is waited for, however busy the machine is."""

SHORT = Limits(greet_s=SHORT_S)
PATIENT = Limits(greet_s=LIMIT_S, grace_s=LIMIT_S, replug_s=0)

Make = Callable[..., Answering]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Plugs things in under names; all are unplugged after the test."""
    made: list[Answering] = []

    def make_one(name: str, **how: object) -> Answering:
        made.append(Answering(tmp_path / name, **how))  # type: ignore[arg-type]
        return made[-1]

    yield make_one
    for one in made:
        one.unplug()


class Search:
    """A FoundLink over a list of ports that the test changes.

    `told` is where it said it looks, `opened` the ports that were opened, in order.
    """

    def __init__(
        self,
        *ports: SerialPort,
        last_good: LastGood | None = None,
        opener: Callable[[str, int], Port] = open_with_pyserial,
        limits: Limits = PATIENT,
        speakers: Sequence[Answering] = (),
    ) -> None:
        """`speakers` are those that say something else than a board would."""
        self.ports: Sequence[SerialPort] = ports
        self.told: list[str] = []
        self.opened: list[str] = []

        def noted(port: str, baud: int) -> Port:
            self.opened.append(port)
            return opener(port, baud)

        paths = {str(speaker.path) for speaker in speakers}
        self.link = FoundLink(
            greet=Greeting,
            last_good=last_good,
            tell=self.told.append,
            sources=Sources(
                ports=lambda **_: self.ports,
                serial=lambda path, baud: (Speaker if path in paths else SerialLink)(path, baud, noted),
            ),
            limits=limits,
        )

    def refusal(self) -> LinkRefused:
        """Open, which finds nothing."""
        with pytest.raises(LinkRefused) as refused:
            self.link.open()
        assert refused.value.tried == self.link.tried
        return refused.value

    def open_until_found(self) -> None:
        """Open round after round, as the link thread does."""
        open_until_found(self.link)


def open_until_found(link: FoundLink) -> None:
    """Open round after round, as the link thread does."""
    until_s = time.monotonic() + LIMIT_S
    while True:
        try:
            link.open()
        except LinkRefused:
            assert time.monotonic() < until_s
            threading.Event().wait(0.02)
        else:
            return


def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds."""
    until_s = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < until_s
        threading.Event().wait(0.002)


class Speaker(SerialLink):
    """A port at which something speaks: it is waited for, however short the time for asking is."""

    has_spoken = False

    def read(self, limit_s: float) -> bytes:
        """The bytes that have come."""
        data = super().read(limit_s if self.has_spoken else LIMIT_S)
        self.has_spoken = True
        return data


def no_thread_is_left(name: str = "find") -> bool:
    """Whether every thread that asked has ended, within the limit."""
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(LIMIT_S)
    return not any(thread.name == name for thread in threading.enumerate())


def test_the_board_that_answers_is_used_over_the_link_that_is_already_open(make: Make) -> None:
    """Opening it again would reset many a board again."""
    board = make("ttyACM0")
    search = Search(board.port())
    search.link.open()
    assert search.opened == [str(board.path)]
    assert (search.link.name, search.link.kind, search.link.tried) == (str(board.path), "serial", ())
    assert search.told == [f"looking for a board at {board.path}"]
    board.says = b"more"
    assert search.link.write(Greeting().data_to_send(0))
    until_s, heard = time.monotonic() + LIMIT_S, b""
    while b"more" not in heard and time.monotonic() < until_s:
        heard += search.link.read(1)
    assert heard.endswith(b"more")
    search.link.close()
    with pytest.raises(LinkLost):
        search.link.read(0)
    assert no_thread_is_left()


def test_a_board_that_is_reset_by_being_opened_is_waited_for(make: Make) -> None:
    search = Search(make("ttyACM0", deaf_count=5).port())
    search.link.open()
    search.link.close()


def test_known_usb_ids_come_before_others_and_the_computers_own_uart_comes_last(make: Make) -> None:
    """What is no board hears greetings and nothing else, and only when nothing better answered."""
    uart, gps, mega = make("ttyS0"), make("ttyUSB0"), make("ttyACM3")
    search = Search(uart.port(None), gps.port(UNKNOWN), mega.port())
    search.link.open()
    assert search.link.name == str(mega.path)
    assert not uart.heard
    assert not gps.heard
    search.link.close()


def test_what_is_no_board_is_named_with_why_and_hears_greetings_only(make: Make) -> None:
    printer = make("ttyUSB0", says=b"\x1b@ ready\r\n")
    silent = make("ttyS1", deaf_count=1000)
    other = make("ttyACM0", major=2)
    gone = SerialPort("/dev/tablewire-is-not-there", MEGA)
    ports = (printer.port(UNKNOWN), silent.port(None), other.port(), gone)
    search = Search(*ports, limits=SHORT, speakers=(printer, other))
    refusal = search.refusal()
    why = {tried.port: tried.why for tried in refusal.tried}
    assert "no board is found at any of 4 places" in str(refusal)
    assert refusal.cause is Cause.ABSENT
    assert "no tablewire board, or speaks at another speed" in why[str(printer.path)]
    assert why[str(silent.path)] == "no board answers there"
    assert "update tablewire on this computer" in why[str(other.path)]
    assert "nothing is plugged in there" in why[gone.path]
    for thing in (printer, silent, other):
        assert thing.greeted.wait(LIMIT_S)
        decoder = Decoder()
        assert {frame.type for frame in decoder.receive_data(bytes(thing.heard))} == {HostHello.TYPE}
        assert not decoder.drops
    assert no_thread_is_left()
    # All are closed again: another program can have them.
    for thing in (printer, silent, other):
        link = SerialLink(str(thing.path))
        link.open()
        link.close()


def test_what_did_not_answer_is_left_in_peace_until_it_is_plugged_in_again(make: Make) -> None:
    gps = make("ttyUSB0", says=b"$GPGGA\r\n")
    search = Search(gps.port(UNKNOWN), limits=SHORT, speakers=[gps])
    first = search.refusal()
    for _ in range(5):
        assert search.refusal().tried == first.tried
    assert len(search.opened) == len(search.told) == 1
    search.ports = ()
    assert search.refusal().tried == ()
    search.ports = (gps.port(UNKNOWN),)
    assert search.refusal().tried == first.tried
    assert len(search.opened) == 2
    # The same name, but made anew meanwhile.
    gps.unplug()
    gps.says = None
    gps.plug()
    search.link.open()
    assert len(search.opened) == 3
    search.link.close()


def test_a_port_that_another_program_has_is_named_and_taken_when_it_is_free(make: Make) -> None:
    board = make("ttyACM0")
    other = SerialLink(str(board.path))
    other.open()
    search = Search(board.port())
    refusal = search.refusal()
    assert "another program uses it" in str(refusal)
    assert [tried.port for tried in refusal.tried] == [str(board.path)]
    other.close()
    search.open_until_found()
    search.link.close()


def test_of_two_boards_the_first_in_order_is_taken_and_the_other_is_named(make: Make) -> None:
    second, first = make("ttyACM1"), make("ttyACM0")
    search = Search(first.port(), second.port())
    search.link.open()
    assert search.link.name == str(first.path)
    words = f"another board answers there; --port {second.path} takes it"
    assert search.link.tried == (Tried(str(second.path), words),)
    assert no_thread_is_left()
    free = SerialLink(str(second.path))
    free.open()
    free.close()
    search.link.close()


def test_the_board_that_answered_last_comes_first_also_when_its_port_has_another_number(
    make: Make, tmp_path: Path
) -> None:
    known, other = make("ttyACM7"), make("ttyACM0")
    ports = (other.port(serial_number="A1"), known.port(serial_number="B2"))
    LastGood(tmp_path / "board.json").save(KnownBoard("serial", "/dev/ttyACM2", "B2", MEGA))
    search = Search(*ports, last_good=LastGood(tmp_path / "board.json"))
    search.link.open()
    assert search.link.name == str(known.path)
    assert not other.heard
    search.link.close()
    noted = LastGood(tmp_path / "board.json").load()
    assert noted == KnownBoard("serial", str(known.path), "B2", MEGA)


def test_a_last_good_place_that_is_in_no_list_is_looked_at_too(make: Make, tmp_path: Path) -> None:
    board = make("link-to-a-pty")
    LastGood(tmp_path / "board.json").save(KnownBoard("serial", str(board.path)))
    search = Search(last_good=LastGood(tmp_path / "board.json"))
    search.link.open()
    assert search.link.name == str(board.path)
    search.link.close()


def test_after_a_loss_only_the_same_board_is_waited_for_at_first(make: Make) -> None:
    mine, other = make("ttyACM0"), make("ttyACM1")
    search = Search(mine.port(serial_number="A1"), limits=Limits(greet_s=LIMIT_S, replug_s=LIMIT_S))
    search.link.open()
    mine.unplug()
    with pytest.raises(LinkLost):
        search.link.read(LIMIT_S)
    search.ports = (other.port(serial_number="B2"),)
    for _ in range(3):
        assert [tried.port for tried in search.refusal().tried] == [str(mine.path)]
    assert not other.heard
    mine.plug(mine.path.with_name("ttyACM9"))
    search.ports = (other.port(serial_number="B2"), mine.port(serial_number="A1"))
    search.link.open()
    assert search.link.name == str(mine.path)
    assert not other.heard
    search.link.close()


def test_a_board_without_a_serial_number_is_known_again_by_its_new_port(make: Make) -> None:
    """As most copies with a cheap bridge are; one of the same make that was there all the time is another."""
    mine, other = make("ttyUSB0"), make("ttyUSB1")
    search = Search(mine.port(), other.port(), limits=Limits(greet_s=LIMIT_S, replug_s=LIMIT_S))
    search.link.open()
    mine.unplug()
    search.ports = (other.port(),)
    opened = [path for path in search.opened if path == str(other.path)]
    assert [tried.port for tried in search.refusal().tried] == [str(mine.path)]
    mine.plug(mine.path.with_name("ttyUSB2"))
    search.ports = (other.port(), mine.port())
    search.link.open()
    assert search.link.name == str(mine.path)
    assert [path for path in search.opened if path == str(other.path)] == opened
    search.link.close()


def test_when_the_same_board_does_not_come_back_another_is_taken(make: Make) -> None:
    mine, other = make("ttyACM0"), make("ttyACM1")
    search = Search(mine.port())
    search.link.open()
    mine.unplug()
    search.ports = (other.port(),)
    search.open_until_found()
    assert search.link.name == str(other.path)
    search.link.close()


def test_a_search_that_waits_is_given_up_at_once_and_leaves_nothing_open(make: Make) -> None:
    things = [make(f"ttyUSB{n}", deaf_count=1000) for n in range(4)]
    search = Search(*(thing.port() for thing in things))
    ended = threading.Event()

    def look() -> None:
        with pytest.raises(LinkRefused, match="the program ends"):
            search.link.open()
        ended.set()

    looker = threading.Thread(target=look)
    looker.start()
    for thing in things:
        assert thing.greeted.wait(LIMIT_S)
    search.link.give_up()
    assert ended.wait(LIMIT_S / 2), "each is asked for as long as the limit"
    looker.join()
    assert no_thread_is_left()
    for thing in things:
        free = SerialLink(str(thing.path))
        free.open()
        free.close()
    with pytest.raises(LinkRefused, match="the program ends"):
        search.link.open()


def test_a_board_that_has_answered_is_let_go_when_the_search_is_given_up_meanwhile(make: Make) -> None:
    first, answers = make("ttyUSB0", deaf_count=1000), make("ttyUSB1")
    search = Search(first.port(), answers.port())
    with ThreadPoolExecutor(1) as looker:
        looking = looker.submit(search.refusal)
        assert first.greeted.wait(LIMIT_S)
        until(lambda: sum(thread.name == "find" for thread in threading.enumerate()) == 1)
        search.link.give_up()
        assert "the program ends" in str(looking.result(LIMIT_S / 2))
    assert no_thread_is_left()
    free = SerialLink(str(answers.path))
    free.open()
    free.close()


def test_what_is_still_asked_when_a_board_is_found_is_left_to_others_at_once(make: Make) -> None:
    deaf, board = make("ttyUSB0", deaf_count=10**6), make("ttyUSB1")
    search = Search(deaf.port(), board.port(), limits=Limits(greet_s=2 * LIMIT_S))
    search.link.open()
    assert search.link.name == str(board.path)
    until(lambda: all(thread.name != "find" for thread in threading.enumerate()))
    free = SerialLink(str(deaf.path))
    free.open()
    free.close()
    search.link.close()


def test_once_a_board_was_found_what_had_not_answered_before_is_asked_anew_after_its_loss(make: Make) -> None:
    board, late = make("ttyACM0"), make("ttyUSB0", says=b"not yet")
    limits = Limits(greet_s=SHORT_S, replug_s=0)
    search = Search(late.port(UNKNOWN), speakers=(board, late), limits=limits)
    search.refusal()
    search.ports = (board.port(), late.port(UNKNOWN))
    search.link.open()
    assert search.link.name == str(board.path)
    board.unplug()
    late.says = None
    search.ports = (late.port(UNKNOWN),)
    search.link.open()
    assert search.link.name == str(late.path)
    search.link.close()


def test_an_opener_that_hangs_holds_up_neither_the_search_nor_the_board_and_is_called_once(
    make: Make,
) -> None:
    release = threading.Event()

    def opener(port: str, baud: int) -> Port:
        if port == "/dev/ttyHANGS":
            release.wait(LIMIT_S)
            raise OSError("at last")
        return open_with_pyserial(port, baud)

    board = make("ttyACM0")
    hanging = SerialPort("/dev/ttyHANGS", MEGA)
    search = Search(hanging, board.port(), opener=opener, limits=Limits(greet_s=LIMIT_S, replug_s=0))
    for _ in range(3):
        search.link.open()
        assert search.link.name == str(board.path)
        search.link.close()
    assert search.opened.count("/dev/ttyHANGS") == 1
    release.set()
    assert no_thread_is_left()


def test_a_link_thread_ends_while_an_opener_hangs_and_a_board_is_looked_for(make: Make) -> None:
    release, told = threading.Event(), queue.SimpleQueue[LinkEvent]()

    def opener(port: str, baud: int) -> Port:
        if port == "/dev/ttyHANGS":
            release.wait(LIMIT_S)
        return open_with_pyserial(port, baud)

    silent = make("ttyACM0", deaf_count=10**6)
    search = Search(SerialPort("/dev/ttyHANGS", MEGA), silent.port(), opener=opener)
    thread = LinkThread(search.link, told.put)
    thread.start()
    assert told.get(timeout=LIMIT_S) == Trying(f"looking for a board at /dev/ttyHANGS, {silent.path}")
    assert silent.greeted.wait(LIMIT_S)
    thread.close(limit_s=LIMIT_S)
    assert not thread.alive
    release.set()
    assert no_thread_is_left()
    assert no_thread_is_left("open")


def test_when_the_list_of_ports_hangs_the_last_good_place_is_still_tried(make: Make, tmp_path: Path) -> None:
    board = make("ttyACM0")
    LastGood(tmp_path / "board.json").save(KnownBoard("serial", str(board.path)))

    def ports(**_: object) -> Sequence[SerialPort]:
        raise LinkRefused("listing the serial ports hangs in a driver", Cause.HANGS)

    link = FoundLink(
        greet=Greeting, last_good=LastGood(tmp_path / "board.json"), sources=Sources(ports=ports)
    )
    link.open()
    assert link.name == str(board.path)
    link.close()
    board.unplug()
    nothing = FoundLink(greet=Greeting, sources=Sources(ports=ports))
    with pytest.raises(LinkRefused, match="hangs in a driver"):
        nothing.open()


def test_a_list_of_ports_that_hangs_is_given_up_at_once() -> None:
    asked, ended = threading.Event(), threading.Event()

    def ports(stop: threading.Event) -> Sequence[SerialPort]:
        asked.set()
        assert stop.wait(LIMIT_S)
        raise LinkRefused("the serial ports are not listed: the program ends")

    link = FoundLink(greet=Greeting, sources=Sources(ports=ports))

    def look() -> None:
        with pytest.raises(LinkRefused, match="the program ends"):
            link.open()
        ended.set()

    looker = threading.Thread(target=look)
    looker.start()
    assert asked.wait(LIMIT_S)
    link.give_up()
    assert ended.wait(LIMIT_S / 2)
    looker.join()


def test_with_nothing_plugged_in_it_says_what_to_do() -> None:
    refusal = Search().refusal()
    assert "nothing is plugged in" in str(refusal)
    assert refusal.tried == ()


def test_a_link_that_breaks_in_its_own_code_does_not_end_the_search(make: Make) -> None:
    board = make("ttyACM1")

    def opener(port: str, baud: int) -> Port:
        if port == "/dev/ttyACM0":
            raise ZeroDivisionError("a mistake")
        return open_with_pyserial(port, baud)

    search = Search(SerialPort("/dev/ttyACM0", MEGA), board.port(), opener=opener)
    search.link.open()
    assert search.link.name == str(board.path)
    search.link.close()


class PtyRadio:
    """A radio whose things are at pseudo-terminals. `seen` and `trouble` are what the next scan comes to."""

    def __init__(self, *things: Answering) -> None:
        self.things = things
        self.seen: list[BleSeen] = []
        self.trouble: LinkRefused | None = None
        self.scans_count = 0
        self.hangs = threading.Event()
        self.hangs.set()
        self.is_asked = threading.Event()

    def scan(self, limit_s: float, /) -> Sequence[BleSeen]:
        """What is seen."""
        assert limit_s > 0
        self.scans_count += 1
        self.is_asked.set()
        assert self.hangs.wait(LIMIT_S)
        if self.trouble is not None:
            raise self.trouble
        return self.seen

    def link(self, address: str, /) -> SerialLink:
        """The pseudo-terminal of that number."""
        return SerialLink(str(self.things[int(address)].path))


def by_radio(radio: PtyRadio, *ports: SerialPort, last_good: LastGood | None = None) -> FoundLink:
    """A search over ports and a radio."""
    sources = Sources(ports=lambda **_: ports, radio=radio)
    return FoundLink(greet=Greeting, last_good=last_good, sources=sources, limits=PATIENT)


def test_by_radio_only_what_calls_itself_ours_is_asked_the_nearest_first(make: Make, tmp_path: Path) -> None:
    far, near, lamp = make("far"), make("near"), make("lamp")
    radio = PtyRadio(far, near, lamp)
    radio.seen = [
        BleSeen("0", "Tablewire", -80, "nus"),
        BleSeen("1", "tablewire 2", -40, "hm10"),
        BleSeen("2", "HMSoft", -30, "hm10"),
        BleSeen("3", "tablewire 3", -127, "nus", is_taken=True),
    ]
    link = by_radio(radio, last_good=LastGood(tmp_path / "board.json"))
    link.open()
    assert (link.name, link.kind) == ("ble:tablewire 2", "ble")
    assert link.tried == (
        Tried("ble:Tablewire", "another board answers there; --port ble:Tablewire takes it"),
    )
    assert not lamp.heard
    assert LastGood(tmp_path / "board.json").load() == KnownBoard("ble", "1", name="tablewire 2")
    link.close()


def test_what_is_seen_by_radio_and_not_tried_is_told_with_how_to_try_it() -> None:
    radio = PtyRadio()
    radio.seen = [
        BleSeen("B", "HMSoft", -30, "hm10"),
        BleSeen("A", None, -50, "nus"),
        BleSeen("C", "tablewire", -127, "nus", is_taken=True),
    ]
    link = by_radio(radio)
    until_s = time.monotonic() + 0.3  # a scan would be due after a tenth, were it asked for as ports are
    while time.monotonic() < until_s:
        with pytest.raises(LinkRefused) as refused:
            link.open()
        assert refused.value.tried == (
            Tried("ble:A", "not tried, it does not call itself tablewire; --port ble:A takes it"),
            Tried("ble:HMSoft", "not tried, it does not call itself tablewire; --port ble:HMSoft takes it"),
            Tried("ble:tablewire", "another program of this computer is connected to it"),
        )
    assert radio.scans_count == 1


def test_a_serial_board_comes_before_the_radio_which_is_then_left_alone(make: Make) -> None:
    board, radio = make("ttyACM0"), PtyRadio()
    link = by_radio(radio, board.port())
    link.open()
    assert radio.scans_count == 0
    link.close()


def test_the_board_that_answered_last_is_asked_by_radio_before_any_port(make: Make, tmp_path: Path) -> None:
    bridge, mega = make("bridge"), make("ttyACM0")
    LastGood(tmp_path / "board.json").save(KnownBoard("ble", "0", name="my bridge"))
    radio = PtyRadio(bridge)
    link = by_radio(radio, mega.port(), last_good=LastGood(tmp_path / "board.json"))
    link.open()
    assert (link.name, radio.scans_count) == ("ble:my bridge", 0)
    assert not mega.heard
    link.close()


def test_bluetooth_that_is_off_is_one_line_among_those_tried() -> None:
    radio = PtyRadio()
    radio.trouble = LinkRefused("Bluetooth is off; bluetoothctl power on", Cause.OFF)
    link = by_radio(radio)
    with pytest.raises(LinkRefused, match="nothing is plugged in") as refused:
        link.open()
    assert refused.value.tried == (Tried("Bluetooth", "Bluetooth is off; bluetoothctl power on"),)


def test_a_board_plugged_in_while_the_radio_is_asked_is_found_at_once(make: Make) -> None:
    radio = PtyRadio()
    radio.hangs.clear()
    search = Search(limits=PATIENT)
    link = FoundLink(
        greet=Greeting, sources=Sources(ports=lambda **_: search.ports, radio=radio), limits=PATIENT
    )
    found = threading.Event()

    def look() -> None:
        while not found.is_set():
            with suppress(LinkRefused):
                link.open()
                found.set()

    looker = threading.Thread(target=look)
    looker.start()
    assert radio.is_asked.wait(LIMIT_S)
    search.ports = (make("ttyACM0").port(),)
    assert found.wait(LIMIT_S)
    assert radio.scans_count == 1
    radio.hangs.set()
    looker.join()
    link.close()
    assert no_thread_is_left()


def test_what_a_scan_saw_in_an_earlier_search_is_no_news_in_the_next(make: Make) -> None:
    """A cable may be found before a scan has ended, and be lost hours later."""
    radio, ports = PtyRadio(), list[SerialPort]()
    radio.hangs.clear()
    radio.seen = [BleSeen("0", "HMSoft", -40, "hm10")]
    sources = Sources(ports=lambda **_: tuple(ports), radio=radio)
    link = FoundLink(greet=Greeting, sources=sources, limits=PATIENT)
    with ThreadPoolExecutor(1) as looker:
        looking = looker.submit(open_until_found, link)
        assert radio.is_asked.wait(LIMIT_S)
        board = make("ttyACM0")
        ports.append(board.port())
        looking.result(LIMIT_S)
    radio.hangs.set()
    assert no_thread_is_left()
    link.close()
    board.unplug()
    ports.clear()
    radio.seen = []
    with pytest.raises(LinkRefused) as refused:
        link.open()
    assert refused.value.tried == ()
    assert radio.scans_count == 2
    assert no_thread_is_left()


def test_a_board_plugged_in_while_one_on_the_radio_does_not_answer_is_found_at_once(make: Make) -> None:
    deaf, ports = make("far", deaf_count=10**6), list[SerialPort]()
    radio = PtyRadio(deaf)
    radio.seen = [BleSeen("0", "tablewire", -40, "nus")]
    link = FoundLink(
        greet=Greeting, sources=Sources(ports=lambda **_: tuple(ports), radio=radio), limits=PATIENT
    )
    with ThreadPoolExecutor(1) as looker:
        looking = looker.submit(open_until_found, link)
        assert deaf.greeted.wait(LIMIT_S)
        board = make("ttyACM0")
        ports.append(board.port())
        looking.result(LIMIT_S / 2)  # each is asked for as long as the limit
    assert link.name == str(board.path)
    link.close()
    assert no_thread_is_left()


def test_a_board_plugged_in_while_other_ports_are_asked_is_asked_beside_them(make: Make) -> None:
    silent, board = make("ttyUSB0", deaf_count=10**6), make("ttyUSB1")
    search = Search(silent.port(), limits=Limits(greet_s=4 * LIMIT_S))
    with ThreadPoolExecutor(1) as looker:
        looking = looker.submit(search.link.open)
        assert silent.greeted.wait(LIMIT_S)
        search.ports = (silent.port(), board.port(UNKNOWN))
        looking.result(LIMIT_S)
    assert search.link.name == str(board.path)
    assert search.opened.count(str(silent.path)) == 1
    search.link.close()
    assert no_thread_is_left()


HOME_BY_RADIO = Limits(greet_s=4 * LIMIT_S, radio_first_s=4 * LIMIT_S, replug_s=4 * LIMIT_S)
"""What waits for one of these limits waits too long."""


@contextmanager
def lost_by_radio(
    make: Make, limits: Limits, *ports_then: SerialPort
) -> Iterator[tuple[FoundLink, list[SerialPort], Answering]]:
    """A board that was found by radio, and then was switched off: the link, the ports there are, the board.

    `ports_then` were there when it was found.
    """
    far, ports = make("far"), list(ports_then)
    radio = PtyRadio(far)
    radio.seen = [BleSeen("0", "tablewire", -40, "nus")]
    sources = Sources(ports=lambda **_: tuple(ports), radio=radio)
    link = FoundLink(greet=Greeting, sources=sources, limits=limits)
    with closing(link):
        open_until_found(link)
        assert link.kind == "ble"
        link.close()
        far.deafen()
        yield link, ports, far
    assert no_thread_is_left()


def test_a_cable_that_is_plugged_in_ends_the_wait_for_the_same_board_by_radio(make: Make) -> None:
    with lost_by_radio(make, HOME_BY_RADIO) as (link, ports, far), ThreadPoolExecutor(1) as looker:
        looking = looker.submit(link.open)
        assert far.greeted.wait(LIMIT_S)
        board = make("ttyACM0")
        ports.append(board.port())
        looking.result(LIMIT_S)
        assert (link.name, link.kind) == (str(board.path), "serial")


def test_a_cable_that_came_before_the_loss_is_asked_when_the_radio_has_had_its_time(make: Make) -> None:
    limits = replace(HOME_BY_RADIO, radio_first_s=0.05)
    with lost_by_radio(make, limits) as (link, ports, _):
        board = make("ttyACM0")
        ports.append(board.port())
        link.open()
        assert (link.name, link.kind) == (str(board.path), "serial")


def test_a_port_that_was_there_when_the_board_was_found_is_left_alone_at_first(make: Make) -> None:
    """Failure 3: what stood beside the board all the time is something else."""
    other = make("ttyACM1", deaf_count=10**6)
    limits = Limits(greet_s=SHORT_S, radio_first_s=0.0, replug_s=LIMIT_S)
    with lost_by_radio(make, replace(limits, greet_s=2.0), other.port()) as (link, _, far):
        heard = bytes(other.heard)
        with pytest.raises(LinkRefused):
            link.open()
        assert far.greeted.is_set()
        assert bytes(other.heard) == heard


def test_something_else_that_is_plugged_in_does_not_end_the_wait_for_the_board_by_radio(make: Make) -> None:
    with lost_by_radio(make, HOME_BY_RADIO) as (link, ports, far), ThreadPoolExecutor(1) as looker:
        looking = looker.submit(link.open)
        assert far.greeted.wait(LIMIT_S)
        printer = make("ttyUSB0", says=b"$GPGGA\r\n")
        ports.append(printer.port(UNKNOWN))
        assert printer.greeted.wait(LIMIT_S)
        far.deafen(0)
        looking.result(LIMIT_S)
        assert link.kind == "ble"


def test_a_scan_that_hangs_is_given_up_at_once() -> None:
    radio = PtyRadio()
    radio.hangs.clear()
    link = by_radio(radio)
    ended = threading.Event()

    def look() -> None:
        with pytest.raises(LinkRefused, match="the program ends"):
            link.open()
        ended.set()

    looker = threading.Thread(target=look)
    looker.start()
    assert radio.is_asked.wait(LIMIT_S)
    link.give_up()
    assert ended.wait(LIMIT_S / 2)
    looker.join()
    radio.hangs.set()
    assert no_thread_is_left()


def test_a_search_that_goes_round_for_days_tells_each_thing_once(make: Make) -> None:
    """Each news is a version on disk and a redrawn page."""
    gps, lamp = make("ttyUSB0", deaf_count=10**6), BleSeen("B", "HMSoft", -30, "hm10")
    radio = PtyRadio()
    radio.seen = [lamp]
    told: list[str] = []
    ports = (gps.port(UNKNOWN), SerialPort("/dev/tablewire-is-not-there", MEGA))
    sources = Sources(ports=lambda **_: ports, radio=radio)
    link = FoundLink(greet=Greeting, tell=told.append, sources=sources, limits=SHORT)
    said = set()
    for turn in range(20):
        with pytest.raises(LinkRefused) as refused:
            link.open()
        if turn:
            said.add((str(refused.value), refused.value.tried))
    assert len(said) == 1
    assert len(told) == len(set(told)) == 3
