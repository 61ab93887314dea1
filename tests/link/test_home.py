"""After a loss only the board that was played on is waited for, for a while, and only where it may be."""

import pytest

from tablewire.link.home import Home
from tablewire.link.last_good import KnownBoard
from tablewire.link.places import Place
from tablewire.link.ports import SerialPort

CH340, FTDI = (0x1A86, 0x7523), (0x0403, 0x6001)
OLD, NEW, OTHER = "/dev/ttyUSB0", "/dev/ttyUSB1", "/dev/ttyUSB2"


def home(serial_number: str | None = None, kind: str = "serial") -> Home:
    board = KnownBoard(kind, OLD, serial_number, CH340)
    return Home(Place(OLD, board), frozenset((OLD, OTHER)), window_s=5.0)


def test_the_wait_begins_with_the_first_question_after_the_loss_and_ends() -> None:
    waited = home()
    assert [waited.is_waited_for(now_s) for now_s in (100.0, 104.9, 105.0, 200.0)] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("port", "may_be"),
    [
        (SerialPort(OLD, CH340), True),
        (SerialPort(NEW, CH340), True),
        (SerialPort(NEW, CH340, "A1"), False),  # ours has no number
        (SerialPort(NEW, FTDI), False),
        (SerialPort(NEW), False),
        (SerialPort(OTHER, CH340), False),  # it was there all the time
    ],
)
def test_a_board_without_a_serial_number_may_be_at_a_new_port_of_its_make(
    port: SerialPort, may_be: bool
) -> None:
    assert home().may_be_at([port]) == ([port] if may_be else [])


@pytest.mark.parametrize(
    ("port", "may_be"),
    [
        (SerialPort(NEW, CH340, "B2"), True),
        (SerialPort(NEW, CH340, "A1"), False),
        (SerialPort(NEW, CH340), False),
    ],
)
def test_a_board_with_a_serial_number_is_known_by_it(port: SerialPort, may_be: bool) -> None:
    assert home("B2").may_be_at([port]) == ([port] if may_be else [])


def test_a_board_on_the_radio_is_at_no_port() -> None:
    assert home(kind="ble").may_be_at([SerialPort(OLD, CH340)]) == []


def test_a_board_on_the_radio_may_come_back_on_a_cable_that_was_not_there_before() -> None:
    ports = [SerialPort(OLD), SerialPort(NEW)]
    assert home(kind="ble").came_since(ports) == [ports[1]]
    assert home().came_since(ports) == []
