"""Computers laid out in a folder, a computer with a fake Bluetooth, and a board at a pty."""

from pathlib import Path

import pytest
from tests.ble.conftest import bluez  # noqa: F401 - the fixture
from tests.doctor.looks import Computer
from tests.link.conftest import board  # noqa: F401 - the fixture
from tests.store.conftest import open_folder  # noqa: F401 - the fixture


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    """One with nothing on it."""
    return Computer(tmp_path / "computer")
