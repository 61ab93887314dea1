"""A computer with Bluetooth for each test, and a pty to hang a module on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.ble.bluez import FakeBluez
from tests.link.pty_board import PtyBoard


@pytest.fixture
def bluez(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBluez]:
    """A fake BlueZ on a private bus, which is the system bus of this process until the test ends."""
    with FakeBluez() as fake:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", fake.address)
        yield fake


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    """A board on a real pseudo-terminal, plugged in."""
    board = PtyBoard(tmp_path / "port")
    yield board
    board.unplug()
