"""A simulated board behind the fake's modules: what it says gets to a host, over the air and over its cable.

Owns the boards' side of the fake. Must not know what a game makes of it.
"""

from __future__ import annotations

import os
import select
import tty
from pathlib import Path

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.hosting import Host
from tests.ble.uart import BoardUart

from tablewire.link.ble import BleLink
from tablewire.link.serial_port import SerialLink
from tablewire.virtual.board import VirtualBoard

NORTH, SOUTH = 2, 4  # classes of magnets on the wire


@pytest.mark.parametrize(("flavour", "mtu"), [("nus", 23), ("nus", 247), ("hm10", 23)])
def test_what_lies_on_the_board_and_what_changes_there_gets_to_the_host(
    bluez: FakeBluez, flavour: str, mtu: int
) -> None:
    bridge = bluez.add_bridge(flavour=flavour, mtu=mtu, board=VirtualBoard(1))
    assert bridge.command("magnet 17 2") == "ok"
    with Host(BleLink("tablewire")) as host:
        host.run_until(lambda: host.lies == {17: NORTH})
        bridge.command("magnet 40 4")
        host.run_until(lambda: host.lies == {17: NORTH, 40: SOUTH})
        bridge.command("magnet 17 0")
        host.run_until(lambda: host.lies == {40: SOUTH})
        assert host.losses == []


def test_a_board_goes_from_the_air_to_its_cable_and_back_and_nothing_is_missed(
    bluez: FakeBluez, tmp_path: Path
) -> None:
    bridge = bluez.add_bridge(board=VirtualBoard(1))
    with Host(BleLink("tablewire")) as host:
        host.run_until(lambda: host.is_synced)
        bridge.command("magnet 17 2")
        host.run_until(lambda: host.lies == {17: NORTH})
        port = bridge.switch_to_usb(tmp_path / "port")
        host.run_until(lambda: host.losses)
        assert not bridge.is_advertising
        bridge.command("magnet 40 4")
        with Host(SerialLink(port)) as by_cable:
            by_cable.run_until(lambda: by_cable.lies == {17: NORTH, 40: SOUTH})
            bridge.switch_to_ble()
            by_cable.run_until(lambda: by_cable.losses)
        bridge.command("magnet 3 2")
        host.run_until(lambda: host.lies == {3: NORTH, 17: NORTH, 40: SOUTH})


def test_a_board_without_supply_takes_its_module_with_it(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge(board=VirtualBoard(1))
    with Host(BleLink("tablewire")) as host:
        host.run_until(lambda: host.is_synced)
        bridge.command("unplug")
        host.run_until(lambda: host.losses)
        assert not bridge.is_advertising
        bridge.command("magnet 17 2")
        bridge.command("plug")
        host.run_until(lambda: host.lies == {17: NORTH})


def test_a_module_without_power_is_away_though_its_board_is_not(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge(board=VirtualBoard(1))
    with Host(BleLink("tablewire")) as host:
        host.run_until(lambda: host.is_synced)
        bridge.vanish()
        host.run_until(lambda: host.losses)
        bridge.command("magnet 17 2", "wait 100")
        assert not bridge.is_advertising
        bridge.appear()
        host.run_until(lambda: host.lies == {17: NORTH})


def test_a_plug_that_is_out_for_a_moment_only_has_cost_the_link(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge(board=BoardUart(VirtualBoard(1), tick_s=0.05))
    with Host(BleLink("tablewire")) as host:
        host.run_until(lambda: host.is_synced)
        bridge.command("unplug", "magnet 17 2", "plug")
        host.run_until(lambda: host.losses)
        host.run_until(lambda: host.lies == {17: NORTH})


def test_a_boards_program_that_is_started_again_is_found_at_the_same_path(
    bluez: FakeBluez, tmp_path: Path
) -> None:
    path = tmp_path / "port"
    first, near = os.openpty()
    path.symlink_to(os.ttyname(near))
    os.close(near)
    bridge = bluez.add_bridge(board=path)
    with Host(BleLink("tablewire")) as host:
        host.run_until(lambda: bridge.is_connected)
        path.unlink()
        os.close(first)
        host.run_until(lambda: host.losses)
        second, near = os.openpty()
        tty.setraw(near)
        path.symlink_to(os.ttyname(near))
        os.close(near)
        try:
            # The host goes on greeting until it is heard: its first word may come before the path is open.
            host.run_until(lambda: bridge.is_connected and bool(select.select([second], [], [], 0)[0]))
            assert os.read(second, 1) == b"\0"
        finally:
            os.close(second)
