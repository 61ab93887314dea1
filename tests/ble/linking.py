"""Links over the fake BlueZ, that tests open and that leave nothing behind.

Owns the limits that tests use, and the look at what is left. Must not know what is tested.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest
from bleak import BleakScanner
from tests.ble.bluez import FakeBluez
from tests.ble.programs import run
from tests.ble.programs import until as until_async

from tablewire.link.ble import BleLimits, BleLink
from tablewire.link.ble_connection import ConnectLimits
from tablewire.link.faults import LinkLost, LinkRefused
from tablewire.link.stranger import Greet

PATIENCE_S = 60.0
"""For a busy machine; nothing here takes more than a second or two."""

PATIENT = BleLimits(find_s=PATIENCE_S, connect=ConnectLimits(PATIENCE_S, PATIENCE_S, PATIENCE_S))
"""Where the board is there: whatever has a limit ends as soon as it is done."""

NOBODY = BleLimits(find_s=0.2, find_any_s=0.1, gather_s=0.1, greet_s=0.2)
"""Where nobody is to be heard, so that the wait is the whole of the test."""

SILENT = replace(PATIENT, gather_s=0.1, greet_s=0.2)
"""Where a board is to be heard that does not answer."""


@contextmanager
def ble_link(
    wanted: str | None = None, *, greet: Greet | None = None, limits: BleLimits | None = None
) -> Iterator[BleLink]:
    """A link that is closed at the end, whatever happened."""
    link = BleLink(wanted, greet=greet, limits=limits or PATIENT)
    try:
        yield link
    finally:
        link.close()


@contextmanager
def opened(wanted: str | None = None, *, limits: BleLimits | None = None) -> Iterator[BleLink]:
    """The same, open."""
    with ble_link(wanted, limits=limits) as link:
        link.open()
        yield link


@contextmanager
def heard_by_others(count: int) -> Iterator[None]:
    """Another program scans meanwhile and has heard so many: they are at hand on a busy machine too."""
    are_heard, is_over = threading.Event(), threading.Event()

    async def program() -> None:
        async with BleakScanner() as scanner:
            await until_async(lambda: len(scanner.discovered_devices) >= count)
            are_heard.set()
            await asyncio.to_thread(is_over.wait, PATIENCE_S)

    with ThreadPoolExecutor(1) as other:
        scanning = other.submit(run, program)
        try:
            assert are_heard.wait(PATIENCE_S)
            yield
        finally:
            is_over.set()
            scanning.result(PATIENCE_S)


def refusal(link: BleLink) -> LinkRefused:
    """How an open is refused."""
    with pytest.raises(LinkRefused) as refused:
        link.open()
    return refused.value


def read_all(link: BleLink, count: int) -> bytes:
    """The next `count` bytes, or what had come when the link was lost."""
    heard, end_s = b"", time.monotonic() + PATIENCE_S
    while len(heard) < count and time.monotonic() < end_s:
        heard += link.read(PATIENCE_S)
    return heard


def read_until_lost(link: BleLink) -> str:
    """How the link says that it is lost."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        try:
            link.read(PATIENCE_S)
        except LinkLost as lost:
            return str(lost)
    raise AssertionError("the link is never lost")


def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds."""
    end_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end_s
        time.sleep(0.002)


def nothing_is_left(bluez: FakeBluez) -> bool:
    """Whether no connection to the bus, no registration and no thread outlives the links.

    Each is waited for: the daemon hears of a connection that has gone only after that.
    """

    def is_left() -> bool:
        threads = {one.name for one in threading.enumerate()}
        return bluez.client_count > 0 or bluez.listener_count > 0 or "radio" in threads

    until(lambda: not is_left())
    return True
