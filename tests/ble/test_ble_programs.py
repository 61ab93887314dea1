"""Two programs, one board by radio: each a process of its own, and one of them is killed.

Owns what only processes can do; what threads can is in test_ble_link.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.linking import ble_link, nothing_is_left, until
from tests.ble.uart import EchoUart

from tablewire.link.faults import Cause, LinkRefused

HOLD = """
import sys
from tablewire.link.ble import BleLink
link = BleLink("tablewire")
link.open()
print("open", flush=True)
sys.stdin.read()
link.close()
"""

LOOK = """
import sys
import tablewire.cli, tablewire.link.ble
print([name for name in ("bleak", "dbus_fast") if name in sys.modules])
"""


@contextmanager
def program(text: str, bluez: FakeBluez) -> Iterator[subprocess.Popen[str]]:
    """A Python program on the same bus; whatever becomes of it, it has ended at the end."""
    with subprocess.Popen(
        [sys.executable, "-c", text],
        env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": bluez.address},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def test_a_board_is_the_other_programs_until_that_is_killed_and_then_ours(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire", board=EchoUart())
    with program(HOLD, bluez) as other, ble_link("tablewire") as link:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(LinkRefused) as refused:
            link.open()
        assert refused.value.cause is Cause.TAKEN
        assert bridge.is_connected
        other.kill()
        other.wait()
        until(lambda: bluez.client_count == 0)
        # Nobody has said Disconnect: it is connected still, and advertises nothing.
        assert bridge.is_connected
        link.open()
        assert bridge.counts.connects == 1
        link.write(b"ours")
        assert link.read(60.0) == b"ours"
    until(lambda: not bridge.is_connected)
    assert nothing_is_left(bluez)


def test_a_program_that_ends_as_it_should_leaves_nothing(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    with program(HOLD, bluez) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        assert bridge.is_connected
        other.communicate("")
        assert other.returncode == 0
    until(lambda: not bridge.is_connected)
    assert nothing_is_left(bluez)


def test_nothing_of_bluetooth_is_loaded_before_it_is_used(bluez: FakeBluez) -> None:
    with program(LOOK, bluez) as other:
        said, _ = other.communicate()
    assert said == "[]\n"
