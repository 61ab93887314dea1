"""Computers laid out in a folder, and a computer with a fake Bluetooth."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.ble.bluez import FakeBluez
from tests.doctor.looks import Computer
from tests.store.unprivileged import give_away


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    """One with nothing on it."""
    return Computer(tmp_path / "computer")


@pytest.fixture
def bluez(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBluez]:
    """A fake BlueZ on a private bus, which is the system bus of this process until the test ends."""
    with FakeBluez() as fake:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", fake.address)
        yield fake


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that an unprivileged user can reach: pytest's own belongs to whoever runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="tablewire-test-"))
    give_away(folder)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)
