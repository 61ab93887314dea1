"""Every address leads to a link of its kind, which nothing is opened for yet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.link.answering import Answering
from tests.link.pty_board import PtyBoard

from tablewire.link.address import Address, AnyBoard, BleBoard, SerialNumber, SerialPath
from tablewire.link.ble import BleLink
from tablewire.link.finding import FoundLink
from tablewire.link.last_good import KnownBoard
from tablewire.link.opening import known_board, link_for
from tablewire.link.ports import SerialNumberLink
from tablewire.link.serial_port import SerialLink
from tablewire.wire.greeting import Greeting


@pytest.mark.parametrize(
    ("address", "kind", "name"),
    [
        (SerialPath("/dev/ttyACM7"), SerialLink, "/dev/ttyACM7"),
        (SerialNumber("75830303934351"), SerialNumberLink, "serial number 75830303934351"),
        (BleBoard(), BleLink, "ble"),
        (BleBoard("my bridge"), BleLink, "ble:my bridge"),
        (AnyBoard(), FoundLink, "auto"),
    ],
)
def test_each_kind_of_address_has_its_kind_of_link(address: Address, kind: type, name: str) -> None:
    link = link_for(address, greet=Greeting)
    assert type(link) is kind
    assert link.name == name
    link.close()


def test_a_board_that_was_named_is_noted_by_where_it_is(board: PtyBoard) -> None:
    link = link_for(SerialPath(str(board.path)), greet=Greeting)
    link.open()
    assert known_board(link) == KnownBoard("serial", str(board.path))
    link.close()
    assert known_board(BleLink("my bridge")) == KnownBoard("ble", "my bridge", name="my bridge")


def test_a_pseudo_terminal_is_not_noted_by_its_number(board: PtyBoard) -> None:
    """The number is given to the next terminal: greeting that would type into somebody's shell."""
    link = link_for(SerialPath(str(board.path.readlink())), greet=Greeting)
    link.open()
    assert known_board(link) is None
    link.close()


@pytest.mark.parametrize(
    "port", ["/dev/ttyS0", "/dev/ttyACM0", "/dev/ttyUSB0", "/dev/tty.usbmodem1", "COM10"]
)
def test_a_port_of_a_device_is_noted(port: str) -> None:
    assert known_board(SerialLink(port)) == KnownBoard("serial", port)


def test_what_bluetooth_needs_is_not_loaded_for_a_cable(tmp_path: Path) -> None:
    """It takes half a second, and may be missing or broken where nobody uses it."""
    board = Answering(tmp_path / "ttyACM0")
    try:
        said = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys\n"
                "from tablewire.link.opening import link_for\n"
                "from tablewire.link.address import SerialPath\n"
                "from tablewire.wire.greeting import Greeting\n"
                "link = link_for(SerialPath(sys.argv[1]), greet=Greeting)\n"
                "link.open()\nlink.close()\n"
                "print({'bleak', 'dbus_fast'} & set(sys.modules))",
                str(board.path),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert said.stdout == "set()\n"
    finally:
        board.unplug()
