"""A board that is named by its serial number is found wherever it is plugged in."""

import threading
from pathlib import Path

import pytest
from tests.link.pty_board import PtyBoard

from tablewire.link.faults import Cause, LinkLost, LinkRefused, Tried
from tablewire.link.ports import SerialNumberLink, SerialPort
from tablewire.link.serial_port import Port, open_with_pyserial

MEGA = (0x2341, 0x0042)
CH340 = (0x1A86, 0x7523)
ARDUINO = SerialPort("/dev/ttyACM0", MEGA, "75735")
CLONE = SerialPort("/dev/ttyUSB0", CH340)


class Bench:
    """Boards on pseudo-terminals, as a list of ports."""

    def __init__(self) -> None:
        self.ports: list[SerialPort] = []
        self.opened: list[str] = []

    def list(self, *, stop: threading.Event | None = None) -> list[SerialPort]:
        assert stop is None or not stop.is_set()
        return self.ports

    def open(self, path: str, baud: int) -> Port:
        self.opened.append(path)
        return open_with_pyserial(path, baud)

    def link(self, number: str) -> SerialNumberLink:
        return SerialNumberLink(number, ports=self.list, opener=self.open)


def test_a_board_is_found_by_its_serial_number_and_again_at_another_place(
    board: PtyBoard, tmp_path: Path
) -> None:
    other = PtyBoard(tmp_path / "ttyACM1")
    bench = Bench()
    bench.ports = [
        SerialPort(str(tmp_path / "nothing"), MEGA, "999"),
        SerialPort(str(board.path), MEGA, "75A35"),
    ]
    link = bench.link("75a35")
    assert link.name == "serial number 75a35"
    link.open()
    assert link.name == str(board.path)
    board.say(b"here")
    assert link.read(60)[:1] == b"h"
    board.unplug()
    read_on = iter(lambda: link.read(60), b"")
    with pytest.raises(LinkLost):
        list(read_on)
    bench.ports = [SerialPort(str(other.path), MEGA, "75A35")]
    link.open()
    assert link.name == str(other.path)
    assert link.write(b"again")
    assert other.hear(5) == b"again"
    link.close()
    assert bench.opened == [str(board.path), str(other.path)]
    other.unplug()


def test_a_serial_number_that_is_not_there_is_refused_with_those_that_are() -> None:
    bench = Bench()
    bench.ports = [ARDUINO, CLONE]
    link = bench.link("1234")
    with pytest.raises(
        LinkRefused, match="no USB port has the serial number 1234; plug the board in"
    ) as caught:
        link.open()
    assert caught.value.cause is Cause.ABSENT
    assert caught.value.tried == (
        Tried("/dev/ttyACM0", "its serial number is 75735"),
        Tried("/dev/ttyUSB0", "it has no serial number"),
    )
    assert bench.opened == []


def test_of_copies_with_one_number_the_one_that_can_be_opened_is_taken(
    board: PtyBoard, tmp_path: Path
) -> None:
    bench = Bench()
    gone = SerialPort(str(tmp_path / "gone"), CH340, "0001")
    bench.ports = [gone, SerialPort(str(board.path), CH340, "0001")]
    link = bench.link("0001")
    link.open()
    assert link.name == str(board.path)
    link.close()
    bench.ports = [gone]
    with pytest.raises(LinkRefused, match="nothing is plugged in there") as caught:
        link.open()
    assert caught.value.cause is Cause.ABSENT


def test_a_link_by_number_that_was_never_open_keeps_its_promises() -> None:
    link = Bench().link("1234")
    link.wake()
    link.close()
    link.close()
    with pytest.raises(LinkLost):
        link.read(0)
    with pytest.raises(LinkLost):
        link.write(b"x")
    link.give_up()
    with pytest.raises(LinkRefused, match="the program ends"):
        link.open()


def test_giving_up_a_link_by_number_ends_an_opening_that_hangs() -> None:
    hanging, release = threading.Event(), threading.Event()

    def hang(path: str, baud: int) -> Port:
        hanging.set()
        release.wait(60)
        raise OSError

    bench = Bench()
    bench.ports = [ARDUINO]
    link = SerialNumberLink("75735", ports=bench.list, opener=hang)
    said: list[str] = []

    def opening() -> None:
        with pytest.raises(LinkRefused) as caught:
            link.open()
        said.append(str(caught.value))

    thread = threading.Thread(target=opening)
    thread.start()
    assert hanging.wait(60)
    link.give_up()
    thread.join(60)
    assert said == ["/dev/ttyACM0 is not opened: the program ends"]
    release.set()
