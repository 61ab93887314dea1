"""What is wrong with a computer's Bluetooth itself, and what a link over it says of that.

Owns a service, an adapter and a library that are off, missing or too old; a link's own faults are in
test_ble_faults.py.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bleak.backends.bluezdbus.version import BlueZFeatures
from tests.ble.bluez import FakeBluez
from tests.ble.linking import (
    NOBODY,
    ble_link,
    nothing_is_left,
    opened,
    read_all,
    refusal,
)
from tests.ble.uart import EchoUart

from tablewire.link.ble import bluetooth_trouble, scan_for_boards
from tablewire.link.faults import Cause, LinkRefused


def _off(bluez: FakeBluez) -> None:
    bluez.power(False)


def _none(bluez: FakeBluez) -> None:
    bluez.remove_adapter()


def _no_service(bluez: FakeBluez) -> None:
    bluez.kill_bluetoothd()


def _no_bus(bluez: FakeBluez) -> None:
    bluez.kill_bus()


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (_off, "bluetoothctl power on"),
        (_none, "no Bluetooth adapter"),
        (_no_service, "the Bluetooth service does not run"),
        (_no_bus, "D-Bus"),
    ],
)
def test_what_is_wrong_with_bluetooth_is_said_with_what_to_do(
    bluez: FakeBluez, trouble: Callable[[FakeBluez], None], words: str
) -> None:
    bluez.add_bridge("tablewire")
    assert bluetooth_trouble() is None
    trouble(bluez)
    told = bluetooth_trouble()
    assert told is not None
    with ble_link("tablewire") as link:
        refused = refusal(link)
    with pytest.raises(LinkRefused) as scanned:
        scan_for_boards(0.1)
    for one in (told, refused, scanned.value):
        assert one.cause is Cause.OFF
        assert words in str(one)


def test_a_bus_address_that_makes_no_sense_is_no_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("nonsense", "unix:path=/nowhere/bus"):
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
        told = bluetooth_trouble()
        assert told is not None
        assert "D-Bus" in str(told)


def test_without_the_library_bluetooth_is_off_and_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "bleak", None)
    told = bluetooth_trouble()
    assert told is not None
    assert told.cause is Cause.OFF
    assert "pip install bleak" in str(told)
    with ble_link("tablewire") as link:
        assert "pip install bleak" in str(refusal(link))


def test_of_two_adapters_the_one_that_is_on_is_used_and_named(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire", board=EchoUart())
    bluez.add_adapter("hci1")
    bluez.power(False)
    with opened("tablewire") as link:
        link.write(b"hello")
        assert read_all(link, 5) == b"hello"
        link.close()
        bridge.vanish()
        with ble_link("tablewire", limits=NOBODY) as other:
            assert "by the Bluetooth adapter hci1" in str(refusal(other))


@pytest.mark.parametrize(("version", "is_good"), [("5.82", True), ("5.50", False)])
def test_a_bluetooth_service_that_is_too_old_is_named(
    bluez: FakeBluez, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, is_good: bool
) -> None:
    bluez.add_bridge("tablewire")
    program = tmp_path / "bluetoothctl"
    program.write_text(f"#!/bin/sh\necho bluetoothctl: {version}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(BlueZFeatures, "checked_bluez_version", False)
    monkeypatch.setattr(BlueZFeatures, "supported_version", True)
    monkeypatch.setattr(BlueZFeatures, "_check_bluez_event", None)
    with ble_link("tablewire") as link:
        if is_good:
            link.open()
        else:
            assert "requires BlueZ >= 5.55; it is tried again" in str(refusal(link))
    assert nothing_is_left(bluez)
