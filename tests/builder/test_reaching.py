"""Which board the builder's commands talk to, and which port they write to, when no port is named."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from click.testing import CliRunner

from tablewire.builder.reaching import port_to_flash
from tablewire.cli import cli
from tablewire.errors import BoardError, UserError
from tablewire.link.address import parse_address
from tablewire.link.faults import Cause, LinkRefused
from tablewire.link.last_good import KnownBoard
from tablewire.link.ports import SerialPort

MEGA = SerialPort("/dev/ttyACM0", (0x2341, 0x0042), "5573")
CLONE = SerialPort("/dev/ttyUSB0", (0x1A86, 0x7523))
TWIN_CLONE = SerialPort("/dev/ttyUSB1", (0x1A86, 0x7523))
PRINTER = SerialPort("/dev/ttyUSB7", (0x04B8, 0x0202), "P1")
PLAIN = SerialPort("/dev/ttyS0")


def flashed(where: str, ports: Sequence[SerialPort], last: KnownBoard | None = None) -> tuple[str, list[str]]:
    """The port that would be written to, and what was said."""
    said: list[str] = []
    return port_to_flash(parse_address(where), said.append, lambda: ports, lambda: last), said


@pytest.mark.parametrize("path", ["/dev/ttyACM9", "COM10", "./mine"])
def test_a_named_port_is_taken_as_it_is(path: str) -> None:
    assert flashed(path, []) == (path, [])


def test_the_one_board_that_is_plugged_in_is_found_and_said() -> None:
    assert flashed("auto", [PRINTER, MEGA, PLAIN]) == (
        "/dev/ttyACM0",
        ["found at /dev/ttyACM0: Arduino Mega 2560 R3"],
    )


def test_the_last_good_board_goes_before_others_of_known_make() -> None:
    last = KnownBoard("serial", "/dev/ttyACM3", "5573", (0x2341, 0x0042))
    assert flashed("auto", [CLONE, MEGA], last)[0] == "/dev/ttyACM0"


@pytest.mark.parametrize(
    ("ports", "last"),
    [
        ([CLONE, MEGA], None),
        ([CLONE, MEGA], KnownBoard("ble", "AA:BB:CC:DD:EE:FF")),
        ([CLONE, MEGA], KnownBoard("serial", "/dev/ttyUSB9")),
    ],
)
def test_of_several_boards_none_is_picked(ports: list[SerialPort], last: KnownBoard | None) -> None:
    with pytest.raises(UserError, match="several boards may be meant") as raised:
        flashed("auto", ports, last)
    assert "/dev/ttyUSB0" in str(raised.value)
    assert "/dev/ttyACM0" in str(raised.value)
    assert "name one with --port" in str(raised.value)


@pytest.mark.parametrize("ports", [[], [PRINTER, PLAIN]])
def test_a_printer_is_never_written_to(ports: list[SerialPort]) -> None:
    with pytest.raises(BoardError, match="no board is plugged in, or its USB bridge is of an unknown make"):
        flashed("auto", ports)


def test_a_serial_number_is_found_wherever_it_is_plugged_in() -> None:
    assert flashed("p1", [MEGA, PRINTER])[0] == "/dev/ttyUSB7"
    with pytest.raises(BoardError, match="no serial port has the serial number 9999: plug the board in"):
        flashed("9999", [MEGA, CLONE])


def test_copies_with_one_serial_number_are_told_apart_by_a_person() -> None:
    copies = [SerialPort(port.path, port.usb_id, "0001") for port in (CLONE, TWIN_CLONE)]
    with pytest.raises(UserError, match=r"several boards may be meant \(/dev/ttyUSB0, /dev/ttyUSB1\)"):
        flashed("0001", copies)


@pytest.mark.parametrize("where", ["ble", "ble:tablewire"])
def test_nothing_is_flashed_over_the_air(where: str) -> None:
    with pytest.raises(UserError, match="flash writes over a cable, not over Bluetooth"):
        flashed(where, [MEGA])


def test_ports_that_cannot_be_listed_are_one_line() -> None:
    def hang() -> Sequence[SerialPort]:
        raise LinkRefused("the list of ports hangs", Cause.HANGS)

    with pytest.raises(BoardError, match="the list of ports hangs"):
        port_to_flash(parse_address("auto"), print, hang, lambda: None)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("", "no board is named"),
        ("ble:", "ble: must be followed by a name"),
        ("a\nb", "no control characters"),
    ],
)
@pytest.mark.parametrize("command", ["calibrate", "monitor", "wiring", "flash"])
def test_a_place_that_cannot_be_is_one_line(command: str, where: str, words: str) -> None:
    result = CliRunner().invoke(cli, [command, "--port", where])
    assert result.exit_code == 2
    assert words in result.output


def test_flash_offers_no_place_that_it_would_refuse() -> None:
    offered = {
        command: CliRunner().invoke(cli, [command, "--help"]).output
        for command in ("run", "doctor", "calibrate", "monitor", "wiring", "flash")
    }
    assert [command for command, text in offered.items() if "ble:NAME" not in text] == ["flash"]
    assert "Bluetooth" not in offered["flash"]
    assert all("--baud BAUD" in text and "500000" in text for text in offered.values())
