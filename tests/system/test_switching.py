"""From the cable to Bluetooth LE and back in the middle of a game, by itself or by another --port."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.bridge import Bridge
from tests.system.games import place
from tests.system.live import LiveTable, assert_scored
from tests.system.sittings import LINES

from tablewire.link.address import BleBoard, SerialPath
from tablewire.link.finding import FoundLink, Limits, Sources
from tablewire.link.last_good import LastGood
from tablewire.link.opening import Bluetooth
from tablewire.link.ports import SerialPort
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.greeting import Greeting

QUICK = Limits(greet_s=6.0, grace_s=0.1, replug_s=0.1, scan_s=1.0)
"""What hangs nowhere is not waited for long; a module that is not heard in time is looked for again."""


class Desk:
    """One board that has a cable and a module, and lies on a desk: now the one is used, now the other."""

    def __init__(self, folder: Path, bluez: FakeBluez) -> None:
        self.cable = folder / "ttyACM0"
        self.data = folder / "data"
        self._board = VirtualBoard(1)
        address = "C0:" + ":".join(f"{byte:02X}" for byte in os.urandom(5))
        self._bridge: Bridge = bluez.add_bridge("tablewire", address, board=self._board)

    def to_cable(self) -> None:
        self._bridge.switch_to_usb(self.cable)

    def to_module(self) -> None:
        self._bridge.switch_to_ble()

    def lay(self, number: int) -> None:
        answer = self._bridge.command(place(LINES[number], 60))
        assert answer == "ok"

    def ports(self, **_: object) -> tuple[SerialPort, ...]:
        """The serial ports of this computer."""
        return (SerialPort(str(self.cable), (0x2341, 0x0042)),) if self.cable.exists() else ()

    def search(self) -> FoundLink:
        """A link to wherever the board is."""
        self.data.mkdir(exist_ok=True)
        sources = Sources(ports=self.ports, radio=Bluetooth(Greeting))
        memory = LastGood(self.data / "board.json", lambda _: None)
        return FoundLink(greet=Greeting, last_good=memory, sources=sources, limits=QUICK)

    def close(self) -> None:
        self._board.close()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    with FakeBluez() as bluez:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", bluez.address)
        made = Desk(tmp_path, bluez)
        yield made
    made.close()


def test_a_game_goes_on_when_the_board_is_taken_off_its_cable_and_back(desk: Desk) -> None:
    """Nobody tells the table: it looks where the board was, then everywhere, and plays on there."""
    desk.to_cable()
    with LiveTable(desk.data, desk.search()) as table:
        assert table.up()["link"]["kind"] == "serial"
        desk.lay(0)
        table.moves(1)
        desk.to_module()
        doc = table.until(lambda doc: (doc["link"]["state"], doc["link"]["kind"]) == ("up", "ble"))
        assert doc["link"]["port"] == "ble:tablewire"
        desk.lay(1)
        table.moves(2)
        desk.to_cable()
        doc = table.until(lambda doc: (doc["link"]["state"], doc["link"]["kind"]) == ("up", "serial"))
        assert doc["link"]["port"] == str(desk.cable)
        desk.lay(2)
        assert_scored(table.moves(3), LINES[:3])


def test_moves_made_between_the_cable_and_the_module_are_not_lost(desk: Desk) -> None:
    """The board lives on a battery meanwhile: what it saw it tells over the other link."""
    desk.to_cable()
    with LiveTable(desk.data, desk.search()) as table:
        table.up()
        desk.lay(0)
        table.moves(1)
        desk.to_module()
        desk.lay(1)
        assert_scored(table.moves(2), LINES[:2])


def test_a_restart_with_another_port_goes_on_with_the_game(desk: Desk) -> None:
    desk.to_cable()
    with LiveTable(desk.data, port=SerialPath(str(desk.cable))) as table:
        table.up()
        desk.lay(0)
        table.moves(1)
    desk.to_module()
    with LiveTable(desk.data, port=BleBoard("tablewire")) as table:
        assert table.up()["moves"] == 1
        desk.lay(1)
        table.moves(2)
    desk.to_cable()
    with LiveTable(desk.data, port=SerialPath(str(desk.cable))) as table:
        table.up()
        desk.lay(2)
        assert_scored(table.moves(3), LINES[:3])


def test_a_restart_without_a_port_finds_the_board_where_it_is_now(desk: Desk) -> None:
    """It was at the cable last; that is gone, and the module answers."""
    desk.to_cable()
    with LiveTable(desk.data, desk.search()) as table:
        table.up()
        desk.lay(0)
        table.moves(1)
    assert (desk.data / "board.json").exists()
    desk.to_module()
    with LiveTable(desk.data, desk.search()) as table:
        assert table.up()["link"]["kind"] == "ble"
        desk.lay(1)
        assert_scored(table.moves(2), LINES[:2])
