"""A whole examination: what hangs or breaks keeps nothing else from a person, and it ends by itself."""

from __future__ import annotations

import _thread
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.linking import nothing_is_left
from tests.doctor.looks import CH340, PATIENT, Computer, hold, let_go, only, troubles, wanted

from tablewire.doctor import examination, facts_computer
from tablewire.doctor.checks_board import check_board
from tablewire.doctor.checks_computer import check_page
from tablewire.doctor.examination import CHECKS, Limits, examine, visit
from tablewire.doctor.facts_page import LOOK_LIMIT_S, look_at_page
from tablewire.doctor.finding import Check, Finding, Level
from tablewire.doctor.limits import Late, within
from tablewire.doctor.seen import BoardLeftAlone, NoBoard, PageSeen, PowerSeen
from tablewire.link.address import Address, BleBoard, SerialPath
from tablewire.link.faults import LinkLost, LinkRefused
from tablewire.link.last_good import KnownBoard, LastGood
from tablewire.link.ports import SerialPort
from tablewire.virtual.board import VirtualBoard

LIMIT_S = 60.0
NO_PORT = SerialPath("/dev/ttyNOPE")
"""With a place named, nothing is searched."""


def looked_at(computer: Computer, address: Address | None = None, limits: Limits = PATIENT) -> list[Finding]:
    """The findings on a computer without serial ports."""
    asked = wanted(computer.folder / "data", address)
    return examine(asked, roots=computer.roots, lister=lambda **_: (), limits=limits)


@pytest.fixture
def boards() -> Iterator[list[VirtualBoard]]:
    """Boards that are closed at the end."""
    made: list[VirtualBoard] = []
    yield made
    for board in made:
        board.close()


def test_every_check_is_made_and_tells_something(computer: Computer, bluez: FakeBluez) -> None:
    findings = looked_at(computer)
    assert {finding.check for finding in findings} == set(Check) == set(CHECKS)
    assert only(findings, Check.BLUETOOTH).level is Level.OK
    assert [finding.check for finding in troubles(findings)] == [Check.PORTS]
    assert not (computer.folder / "data").exists()


def test_a_look_that_breaks_is_a_finding(
    computer: Computer, bluez: FakeBluez, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_: object) -> PowerSeen:
        raise ZeroDivisionError("never thought\nof")

    monkeypatch.setattr(facts_computer, "look_at_power", breaks)
    findings = looked_at(computer, NO_PORT)
    finding = only(findings, Check.POWER)
    assert finding.level is Level.SKIPPED
    assert finding.text == "could not be looked at: ZeroDivisionError: never thought\\nof"
    assert only(findings, Check.DISK).level is Level.OK


def test_a_look_that_hangs_is_a_finding(
    computer: Computer, bluez: FakeBluez, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    monkeypatch.setattr(facts_computer, "look_at_power", lambda _: released.wait(LIMIT_S))
    try:
        findings = looked_at(computer, NO_PORT, limits=Limits(look_s=1.0))
    finally:
        released.set()
    assert only(findings, Check.POWER).text == "could not be looked at: it took too long"


def test_a_call_that_does_not_come_back_is_left_to_itself() -> None:
    released = threading.Event()
    begun_s = time.monotonic()
    with pytest.raises(Late):
        within(0.05, lambda: released.wait(LIMIT_S))
    assert time.monotonic() - begun_s < LIMIT_S / 2
    released.set()


class Endless:
    """A link that never finds anything, and ends when it is given up."""

    name = "auto"
    kind = "serial"

    def __init__(self) -> None:
        self.given_up = threading.Event()
        self.closed = threading.Event()

    def open(self) -> None:
        self.given_up.wait(LIMIT_S)
        raise LinkRefused("the program ends")

    def read(self, limit_s: float, /) -> bytes:
        raise LinkLost(f"nothing came within {limit_s} s")

    def write(self, data: bytes) -> bool:
        raise LinkLost(f"{len(data)} bytes were not taken")

    def wake(self) -> None:
        return

    def give_up(self) -> None:
        self.given_up.set()

    def close(self) -> None:
        self.closed.set()


def test_a_search_without_end_is_given_up_and_nothing_is_kept_open() -> None:
    link = Endless()
    board = visit(link, Limits(board_s=0.05))
    assert isinstance(board, NoBoard)
    assert board.text.startswith("no board answered within")
    assert link.given_up.is_set()
    assert link.closed.wait(LIMIT_S)


def test_what_each_thing_may_take_is_less_than_what_a_person_was_told() -> None:
    assert Limits().total_s <= examination.TOTAL_LIMIT_S == 25


def test_who_stops_it_leaves_no_board_connected() -> None:
    class Stopped(Endless):
        """A link during whose search a person presses Ctrl-C."""

        def open(self) -> None:
            _thread.interrupt_main()
            super().open()

    link = Stopped()
    # Whatever ran in this process before may listen to Ctrl-C in its own way.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            visit(link, PATIENT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert link.given_up.is_set()
    assert link.closed.wait(LIMIT_S)


# ---- ports that others use ----


def test_a_port_that_another_program_has_open_is_not_greeted(computer: Computer, bluez: FakeBluez) -> None:
    far, near = os.openpty()
    path = os.ttyname(near)
    process = hold(path)
    try:
        everything = replace(computer.roots, proc=Path("/proc"))
        port = SerialPort(path, CH340)
        asked = wanted(computer.folder / "data")
        findings = examine(asked, roots=everything, lister=lambda **_: [port], limits=PATIENT)
        assert select.select([far], [], [], 0)[0] == []  # not a byte was sent to it
    finally:
        let_go(process)
        os.close(near)
        os.close(far)
    assert troubles(findings) == [only(findings, Check.IN_USE)]
    assert f"(process {process.pid})" in only(findings, Check.IN_USE).text


# ---- Bluetooth ----


def test_a_board_behind_bluetooth_is_examined(
    computer: Computer, bluez: FakeBluez, boards: list[VirtualBoard]
) -> None:
    boards.append(VirtualBoard(1))
    bluez.add_bridge("tablewire", mtu=247, board=boards[0])
    findings = looked_at(computer, BleBoard("tablewire"))
    assert only(findings, Check.BOARD).level is Level.OK
    assert "over Bluetooth" in only(findings, Check.BOARD).text
    assert only(findings, Check.LINE).level is Level.OK
    assert only(findings, Check.PORTS).text == "no serial port; a board over Bluetooth needs none"
    assert nothing_is_left(bluez)


def test_bluetooth_that_is_off_is_trouble_for_a_board_behind_it(computer: Computer, bluez: FakeBluez) -> None:
    bluez.power(False)
    findings = looked_at(computer, BleBoard())
    assert only(findings, Check.BLUETOOTH).level is Level.TROUBLE
    assert "off" in only(findings, Check.BLUETOOTH).text
    assert troubles(findings) == [only(findings, Check.BLUETOOTH)]  # one cause is told once


def test_bluetooth_that_is_off_is_trouble_where_the_board_was_last(
    computer: Computer, bluez: FakeBluez
) -> None:
    bluez.power(False)
    folder = computer.folder / "data"
    folder.mkdir()
    LastGood(folder / "board.json").save(KnownBoard("ble", "C0:00:00:00:00:01", name="tablewire"))
    findings = looked_at(computer)
    assert only(findings, Check.BLUETOOTH).level is Level.TROUBLE


def test_without_an_adapter_a_cable_is_enough(computer: Computer, bluez: FakeBluez) -> None:
    bluez.remove_adapter()
    findings = looked_at(computer)
    finding = only(findings, Check.BLUETOOTH)
    assert finding.level is Level.NOTE
    assert "only a board without a cable needs it" in finding.text


def test_without_d_bus_it_is_said(
    computer: Computer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/no-bus")
    findings = looked_at(computer)
    assert "D-Bus" in only(findings, Check.BLUETOOTH).text


# ---- where the page would be ----


def page_of(status: str, body: bytes) -> PageSeen:
    """What is seen of a web server that answers so, whatever it is asked."""

    def answer(server: socket.socket) -> None:
        with suppress(OSError):  # it was closed
            while True:
                connection, _ = server.accept()
                with connection:
                    if connection.recv(4096):
                        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n"
                        connection.sendall(head.encode() + body)

    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        thread = threading.Thread(target=answer, args=(server,))
        thread.start()
        seen = look_at_page("127.0.0.1", server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)
        thread.join(LIMIT_S)
    return seen


@pytest.mark.parametrize("body", [b"{}", b"<html>", b"[1]", b'{"link": 1, "sensors": []}', b"\xff" * 100])
def test_another_program_where_the_page_would_be(body: bytes) -> None:
    finding = only(check_page(page_of("200 OK", body)), Check.PAGE)
    assert finding.level is Level.TROUBLE
    assert "is taken by another program" in finding.text
    assert "--listen" in str(finding.do)


def test_a_table_that_is_starting_is_no_other_program() -> None:
    text = "the table is starting; there is no state yet"
    page = page_of("503 Service Unavailable", f'{{"reason": "starting", "text": "{text}"}}'.encode())
    assert only(check_page(page), Check.PAGE).level is Level.OK
    finding = only(check_board(BoardLeftAlone("the table uses it"), page), Check.BOARD)
    assert (finding.level, text in finding.text) == (Level.SKIPPED, True)


def test_an_answer_without_an_end_is_not_read_to_its_end() -> None:
    assert page_of("200 OK", b" " * (3 << 20)).who == "other"


def test_a_page_that_may_be_anywhere_is_nobodys() -> None:
    assert look_at_page("127.0.0.1", 0) == PageSeen("127.0.0.1:0")


def drops(say: bytes, endless: bytes, enough: threading.Event) -> Callable[[socket.socket], None]:
    """A web server that goes on in small pieces, each long before anybody would give it up."""

    def answer(server: socket.socket) -> None:
        with suppress(OSError):  # nobody listens any more
            connection, _ = server.accept()  # who only looks whether it is taken
            connection.close()
            connection, _ = server.accept()
            with connection:
                connection.sendall(say)
                while not enough.wait(0.01):
                    connection.sendall(endless)

    return answer


@pytest.mark.parametrize(
    ("say", "endless"),
    [
        (b"HTTP/1.1 200 OK\r\n", b"X"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 100_000, b"["),
    ],
)
def test_an_answer_in_drops_is_another_programs_and_no_other_look_waits(say: bytes, endless: bytes) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        enough = threading.Event()
        thread = threading.Thread(target=drops(say, endless, enough), args=(server,))
        thread.start()
        seen = look_at_page("127.0.0.1", server.getsockname()[1], limit_s=1.0)
        enough.set()
        server.shutdown(socket.SHUT_RDWR)
        thread.join(LIMIT_S)
    assert seen.who == "other"


def test_all_questions_to_a_page_end_before_the_look_is_given_up() -> None:
    assert Limits().look_s > LOOK_LIMIT_S


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-computer.invalid", "\u2603.invalid", "a" * 70])
def test_an_address_that_this_computer_does_not_have_is_not_called_free(host: str) -> None:
    finding = only(check_page(look_at_page(host, 8750)), Check.PAGE)
    assert finding.level is Level.TROUBLE
    assert f"{host}:8750 is no address of this computer" in finding.text
    assert "--listen" in str(finding.do)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])  # noqa: S104  looked at only
def test_an_address_of_this_computer_is_free(host: str) -> None:
    assert only(check_page(look_at_page(host, 1)), Check.PAGE).level is Level.OK
