"""A short game with the compiled firmware, in an emulated chip whose UART a BLE module is soldered to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.bridge import Bridge
from tests.links.kinds import BUS, SHORT, Living
from tests.system.games import place
from tests.system.live import LiveTable, assert_scored
from tests.system.sittings import LINES

from tablewire.link.ble import BleLink
from tablewire.twin.heart import TwinHeart
from tablewire.virtual.board import VirtualBoard

FRAME_CUT_MTU = 23
"""What a module begins with; a snapshot of the table is cut into many of its notifications."""


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[Living]:
    """The chip, in real time, and hands."""
    living = Living(VirtualBoard(1, heart=TwinHeart), tmp_path / "uart")
    yield living
    living.close()


@pytest.fixture
def module(chip: Living, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bridge]:
    """The module at its UART."""
    address = "C0:" + ":".join(f"{byte:02X}" for byte in os.urandom(5))
    with FakeBluez() as bluez:
        monkeypatch.setenv(BUS, bluez.address)
        yield bluez.add_bridge("tablewire", address, mtu=FRAME_CUT_MTU, board=tmp_path / "uart")


def test_a_game_over_the_radio_with_the_real_firmware(chip: Living, module: Bridge, tmp_path: Path) -> None:
    """A move; a lost link, and a move meanwhile; the chip is reset, and a move after that."""
    with LiveTable(tmp_path / "data", BleLink("tablewire", limits=SHORT)) as table:
        assert table.up()["link"]["kind"] == "ble"
        accidents: list[Callable[[], object]] = [list, module.lose_link, lambda: chip.do("reset")]
        for number, happen in enumerate(accidents):
            happen()
            chip.do(place(LINES[number], 60))
            table.until(lambda doc: doc["moves"] > number)  # noqa: B023 - called at once
        assert_scored(table.moves(3), LINES[:3])
    assert module.counts.connects == 2
