"""A computer with Bluetooth for each test, and a pty to hang a module on."""

from collections.abc import Iterator

import pytest
from tests.ble.bluez import FakeBluez
from tests.link.conftest import board  # noqa: F401 - the fixture


@pytest.fixture
def bluez(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBluez]:
    """A fake BlueZ on a private bus, which is the system bus of this process until the test ends."""
    with FakeBluez() as fake:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", fake.address)
        yield fake
