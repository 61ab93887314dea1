"""A computer with Bluetooth for each test."""

from collections.abc import Iterator

import pytest
from tests.ble.bluez import FakeBluez


@pytest.fixture
def bluez(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeBluez]:
    """A fake BlueZ on a private bus, which is the system bus of this process until the test ends."""
    with FakeBluez() as fake:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", fake.address)
        yield fake
