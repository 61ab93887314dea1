"""No port named, and the board is on the air: found, noted, lost, and found again. The real bleak does it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.linking import nothing_is_left, until
from tests.link.answering import MEGA, Answering

from tablewire.link.faults import LinkLost, LinkRefused, Tried
from tablewire.link.finding import FoundLink, Limits, Sources
from tablewire.link.last_good import KnownBoard, LastGood
from tablewire.link.opening import Bluetooth
from tablewire.link.ports import SerialPort
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.greeting import Greeting

LIMIT_S = 60.0
LIMITS = Limits(greet_s=LIMIT_S, radio_first_s=0.5, scan_s=0.3, replug_s=0)


class Computer:
    """A search over a list of ports that the test changes, and the real Bluetooth of the machine."""

    def __init__(self, last_good: LastGood | None = None) -> None:
        self.ports: Sequence[SerialPort] = ()
        sources = Sources(ports=lambda **_: self.ports, radio=Bluetooth(Greeting))
        self.link = FoundLink(greet=Greeting, last_good=last_good, sources=sources, limits=LIMITS)

    def open_until_found(self) -> None:
        """Round after round, as the link thread does."""
        until_s = time.monotonic() + LIMIT_S
        while True:
            try:
                self.link.open()
            except LinkRefused:
                assert time.monotonic() < until_s
            else:
                return

    def read_until_lost(self) -> None:
        """Until the link says that it is."""
        until_s = time.monotonic() + LIMIT_S
        with suppress(LinkLost):
            while time.monotonic() < until_s:
                self.link.read(1)
            raise AssertionError("it is never lost")


def test_with_nothing_on_a_cable_our_board_is_found_on_the_air_and_others_are_left_alone(
    bluez: FakeBluez, tmp_path: Path
) -> None:
    lamp = bluez.add_bridge("HMSoft", flavour="hm10", rssi_dbm=-20)
    ours = bluez.add_bridge("Tablewire", board=VirtualBoard(2))
    known = LastGood(tmp_path / "board.json")
    computer = Computer(known)
    with closing(computer.link):
        computer.open_until_found()
        assert (computer.link.name, computer.link.kind) == ("ble:Tablewire", "ble")
        assert known.load() == KnownBoard("ble", ours.address, name="Tablewire")
    assert lamp.hear(1, limit_s=0.0) == b""
    assert nothing_is_left(bluez)


def test_what_is_on_the_air_but_not_ours_is_told_with_how_to_try_it(bluez: FakeBluez) -> None:
    bluez.add_bridge("HMSoft", flavour="hm10")
    taken = bluez.add_bridge("tablewire", board=VirtualBoard(2))
    bluez.take(taken)
    told = (
        Tried("ble:HMSoft", "not tried, it does not call itself tablewire; --port ble:HMSoft takes it"),
        Tried("ble:tablewire", "another program of this computer is connected to it"),
    )

    def is_told() -> bool:
        """A scan on a busy machine may be over before all have been heard."""
        with pytest.raises(LinkRefused) as refused:
            Computer().link.open()
        return refused.value.tried == told and "at any of 2 places" in str(refused.value)

    until(is_told)
    until(lambda: bluez.client_count == 0)


def test_the_last_good_board_that_others_have_now_is_told_once(bluez: FakeBluez, tmp_path: Path) -> None:
    ours = bluez.add_bridge("tablewire", board=VirtualBoard(1))
    known = LastGood(tmp_path / "board.json")
    known.save(KnownBoard("ble", ours.address, name="tablewire"))
    bluez.take(ours)

    def is_told() -> bool:
        """A scan on a busy machine may be over before it has been heard."""
        computer = Computer(known)
        with closing(computer.link), pytest.raises(LinkRefused) as refused:
            computer.link.open()
        (told,) = refused.value.tried
        return "another program of this computer is connected to it" in told.why

    until(is_told)
    until(lambda: bluez.client_count == 0)


def test_a_game_goes_from_the_cable_to_the_air_and_back(bluez: FakeBluez, tmp_path: Path) -> None:
    cable = Answering(tmp_path / "ttyACM0")
    computer = Computer()
    computer.ports = (cable.port(MEGA),)
    try:
        with closing(computer.link):
            computer.link.open()
            assert computer.link.kind == "serial"
            bridge = bluez.add_bridge("tablewire", board=VirtualBoard(1))
            cable.unplug()
            computer.ports = ()
            computer.read_until_lost()
            computer.open_until_found()
            assert (computer.link.name, computer.link.kind) == ("ble:tablewire", "ble")
            assert bridge.command("unplug") == "ok"
            computer.read_until_lost()
            cable.plug()
            computer.ports = (cable.port(MEGA),)
            computer.open_until_found()
            assert (computer.link.name, computer.link.kind) == (str(cable.path), "serial")
    finally:
        cable.unplug()
    assert nothing_is_left(bluez)


def test_bluetooth_that_is_off_is_told_with_what_to_do(bluez: FakeBluez) -> None:
    bluez.power(False)
    computer = Computer()
    with pytest.raises(LinkRefused, match="nothing is plugged in") as refused:
        computer.link.open()
    (told,) = refused.value.tried
    assert told.port == "Bluetooth"
    assert "bluetoothctl power on" in told.why
