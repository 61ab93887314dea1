"""A driver that others wrote for the real chip, as PyPI has it, reads tags from the twin's model.

pi-rc522 (MIT) is installed without what it depends on: that wants a Raspberry Pi. It sends requests, selects,
halts, computes checksums with the chip, and reads UIDs of both lengths. It resolves no collisions: of two at
once it must report an error, as with the real chip.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from tests.twin.rack import AWAKE_US, FIELD_US, Rack
from tests.twin.raspberry import modules

LOCK = Path(__file__).resolve().parents[2] / "host" / "locks" / "drivers.lock"
CLASSIC, NTAG, OTHER = "DEADBEEF", "04A1B2C3D4E5F6", "04112233445566"


@pytest.fixture
def rack() -> Iterator[Rack]:
    with Rack(2) as one:
        one.wait(AWAKE_US)
        yield one


@pytest.fixture
def driver(rack: Rack, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The driver, imported anew with the simulated bus below it."""
    for name, module in modules(rack).items():
        monkeypatch.setitem(sys.modules, name, module)
    for name in [name for name in sys.modules if name.partition(".")[0] == "pirc522"]:
        monkeypatch.delitem(sys.modules, name)
    logging.getLogger("pirc522.rfid").setLevel(logging.ERROR)
    reader = rfid(importlib.import_module("pirc522"))
    yield reader
    for name in [name for name in sys.modules if name.partition(".")[0] == "pirc522"]:
        del sys.modules[name]


def rfid(package: Any, device: int = 0) -> Any:
    """As its documentation makes one, without the interrupt's wire."""
    return package.RFID(device=device, pin_irq=None)


def read(rack: Rack, driver: Any) -> str | None:
    rack.wait(FIELD_US)
    uid = driver.read_id()
    return None if uid is None else bytes(uid).hex().upper()


def test_it_is_the_version_that_is_locked() -> None:
    assert f"pi-rc522=={version('pi-rc522')} " in LOCK.read_text("utf-8")


@pytest.mark.parametrize("uid", [CLASSIC, NTAG])
def test_it_reads_a_tag(rack: Rack, driver: Any, uid: str) -> None:
    rack.wait(FIELD_US)
    assert read(rack, driver) is None
    rack.put(uid)
    assert read(rack, driver) == uid
    rack.take(uid)
    assert read(rack, driver) is None


def test_it_reads_one_tag_after_another(rack: Rack, driver: Any) -> None:
    for uid in (NTAG, CLASSIC, OTHER, NTAG):
        rack.put(uid)
        assert read(rack, driver) == uid
        rack.take(uid)


def test_what_it_selects_and_halts_says_nothing_until_it_is_woken(rack: Rack, driver: Any) -> None:
    rack.put(CLASSIC)
    rack.wait(FIELD_US)
    assert driver.request() == (False, 16)
    error, uid = driver.anticoll()
    assert not error
    assert bytes(uid) == bytes.fromhex(CLASSIC + "22")
    assert driver.select_tag(uid) is False
    halted = [0x50, 0x00]
    driver.card_write(driver.mode_transrec, halted + driver.calculate_crc(halted))
    assert driver.request()[0] is True
    assert driver.request(driver.act_reqall) == (False, 16)


def test_of_two_tags_at_once_it_says_that_it_cannot_tell(rack: Rack, driver: Any) -> None:
    rack.put(NTAG)
    rack.put(OTHER)
    assert read(rack, driver) is None
    rack.take(OTHER)
    for _ in range(2):  # a request in the middle of a selection only ends that
        found = read(rack, driver)
    assert found == NTAG


def test_two_readers_on_one_bus_are_two_drivers(rack: Rack, driver: Any) -> None:
    rack.put(NTAG, 1)
    assert read(rack, driver) is None
    other = rfid(sys.modules["pirc522"], device=1)
    rack.wait(FIELD_US)
    assert bytes(other.read_id()).hex().upper() == NTAG
