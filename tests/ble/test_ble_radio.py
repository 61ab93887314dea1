"""The parts below a link by radio: the thread, the inbox, what a board is called, and errors in words.

Owns what needs no Bluetooth at all, also what other systems than Linux say.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakDeviceNotFoundError,
    BleakError,
)
from hypothesis import given
from hypothesis import strategies as st

from tablewire.link import ble, ble_boards
from tablewire.link.ble_boards import (
    BleSeen,
    flavour_of,
    in_order,
    is_wanted,
    label,
    plain,
    unusable_on,
)
from tablewire.link.ble_claim import Claim
from tablewire.link.ble_inbox import Inbox
from tablewire.link.faults import Cause, LinkLost, LinkRefused
from tablewire.link.radio import Radio, RadioSilent
from tablewire.link.radio_bleak import is_final, refused

PATIENCE_S = 60.0


async def nothing() -> None:
    """At the end of a radio without Bluetooth."""


def radio_threads() -> int:
    return sum(thread.name == "radio" for thread in threading.enumerate())


# ---- the thread ----


def test_the_radio_is_there_while_somebody_uses_it() -> None:
    radio = Radio(nothing)
    first, second = radio.lease(), radio.lease()
    assert radio_threads() == 1
    first.release()
    first.release()
    assert radio_threads() == 1
    assert second.run(_name, PATIENCE_S) == "radio"
    second.release()
    assert radio_threads() == 0
    third = radio.lease()
    assert third.run(_name, PATIENCE_S) == "radio"
    third.release()


async def _name() -> str:
    return threading.current_thread().name


def test_whatever_runs_there_has_its_limit() -> None:
    lease = Radio(nothing).lease()
    with pytest.raises(RadioSilent, match=r"0\.05 seconds"):
        lease.run(_for_ever, 0.05)
    lease.release()


async def _for_ever() -> None:
    await asyncio.Event().wait()


def test_what_is_cancelled_tidies_up_and_nothing_begins_after_it() -> None:
    lease, began, tidied = Radio(nothing).lease(), threading.Event(), threading.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            tidied.set()

    with ThreadPoolExecutor(1) as other:
        running = other.submit(lease.run, work, PATIENCE_S)
        assert began.wait(PATIENCE_S)
        lease.cancel()
        with pytest.raises(RadioSilent):
            running.result(PATIENCE_S)
    assert tidied.wait(PATIENCE_S)
    with pytest.raises(RadioSilent):
        lease.run(_name, PATIENCE_S)
    with pytest.raises(RadioSilent):
        lease.check()
    done = threading.Event()

    async def last() -> None:
        done.set()

    lease.run_last(last, PATIENCE_S)
    assert done.is_set()
    lease.release()
    with pytest.raises(RadioSilent):
        lease.run(_name, PATIENCE_S)


def test_what_still_runs_when_the_radio_ends_is_ended() -> None:
    lease, ended = Radio(nothing).lease(), threading.Event()

    async def leave_running() -> asyncio.Task[None]:
        return asyncio.create_task(work())

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    lease.run(leave_running, PATIENCE_S)
    lease.run(_turn, PATIENCE_S)
    lease.release()
    assert ended.is_set()
    assert radio_threads() == 0


async def _turn() -> None:
    await asyncio.sleep(0)


def test_a_fault_in_ending_ends_the_radio_all_the_same() -> None:
    async def fail() -> None:
        raise OSError("the bus is gone")

    lease = Radio(fail).lease()
    lease.release()
    assert radio_threads() == 0


# ---- the inbox ----


def test_what_waits_at_a_connection_that_was_ended_is_read_before_the_radio_ends() -> None:
    """As dbus-fast has it: shut down at once, closed when all of it has been read."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)

    async def end_a_connection() -> None:
        theirs.send(b"news")
        theirs.close()
        asyncio.get_running_loop().add_reader(ours, read_a_piece)

    def read_a_piece() -> None:
        if not ours.recv(1):
            asyncio.get_running_loop().remove_reader(ours)
            ours.close()

    Radio(end_a_connection).lease().release()
    assert ours.fileno() == -1


def test_what_came_is_read_at_once_and_in_order() -> None:
    inbox = Inbox()
    inbox.put(b"one ")
    inbox.put(b"two")
    assert inbox.take(0) == b"one two"
    assert inbox.take(0) == b""


def test_a_full_inbox_loses_its_oldest_chunks_whole_and_counts_them() -> None:
    inbox = Inbox(cap_bytes=10)
    for chunk in (b"aaaa", b"bbbb", b"cccc", b"dd"):
        inbox.put(chunk)
    assert inbox.dropped_count == 1
    assert inbox.take(0) == b"bbbbccccdd"


@given(st.lists(st.binary(min_size=1, max_size=20)), st.integers(20, 60))
def test_an_inbox_gives_the_newest_chunks_that_it_can_hold(chunks: list[bytes], cap_bytes: int) -> None:
    inbox = Inbox(cap_bytes)
    for chunk in chunks:
        inbox.put(chunk)
    kept = inbox.take(0)
    assert len(kept) <= cap_bytes
    assert kept == b"".join(chunks[inbox.dropped_count :])
    if inbox.dropped_count:
        assert len(b"".join(chunks[inbox.dropped_count - 1 :])) > cap_bytes


def test_the_first_reason_of_a_loss_stands_and_comes_after_the_bytes() -> None:
    inbox = Inbox()
    inbox.put(b"last")
    inbox.fail("the first")
    inbox.fail("the second")
    assert inbox.take(PATIENCE_S) == b"last"
    for _ in range(2):
        with pytest.raises(LinkLost, match="the first"):
            inbox.take(PATIENCE_S)


# ---- a claim ----


def test_a_board_is_claimed_by_one_at_a_time() -> None:
    mine, other, elsewhere = (
        Claim("C0:FF:EE:00:00:01"),
        Claim("c0:ff:ee:00:00:01"),
        Claim("C0:FF:EE:00:00:02"),
    )
    assert mine.take()
    assert mine.take()
    assert not other.take()
    assert elsewhere.take()
    mine.release()
    mine.release()
    assert other.take()
    other.release()
    elsewhere.release()


def test_two_buses_are_two_radios(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Claim("C0:FF:EE:00:00:03")
    assert mine.take()
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/another/bus")
    other = Claim("C0:FF:EE:00:00:03")
    assert other.take()
    mine.release()
    other.release()


# ---- what a board is known by ----


@pytest.mark.parametrize(
    ("services", "flavour"),
    [
        (["6E400001-B5A3-F393-E0A9-E50E24DCCA9E"], "nus"),
        (["0000ffe0-0000-1000-8000-00805f9b34fb"], "hm10"),
        (["0000ffe0-0000-1000-8000-00805f9b34fb", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"], "nus"),
        (["0000180f-0000-1000-8000-00805f9b34fb"], None),
        ([], None),
    ],
)
def test_a_bridge_is_known_by_its_service(services: list[str], flavour: str | None) -> None:
    found = flavour_of(services)
    assert (found.name if found else None) == flavour


def test_a_board_is_called_by_its_name_where_that_says_which() -> None:
    address = "C0:00:00:00:00:01"
    assert label(address, "tablewire") == "ble:tablewire"
    assert label(address, " tablewire ", ["lamp", None]) == "ble:tablewire"
    assert label(address, "HMSoft", ["hmsoft"]) == f"ble:{address}"
    assert label(address, None) == label(address, "  ") == f"ble:{address}"


def test_a_name_or_an_address_is_wanted_whatever_its_case() -> None:
    assert is_wanted("TABLEWIRE", "C0:00:00:00:00:01", "tablewire ")
    assert is_wanted("c0:00:00:00:00:01", "C0:00:00:00:00:01", None)
    assert not is_wanted("table", "C0:00:00:00:00:01", "tablewire")


@given(st.text())
def test_a_text_from_the_air_is_printable_and_short(text: str) -> None:
    assert plain(text).isprintable() or not plain(text)
    assert len(plain(text)) <= ble_boards.TEXT_CHAR_COUNT_MAX


def test_the_strongest_comes_first_and_the_unknown_last() -> None:
    boards = [BleSeen("B", None, ble_boards.UNKNOWN_RSSI_DBM, "nus"), BleSeen("A", None, -80, "nus")]
    boards += [BleSeen("D", None, -40, "nus"), BleSeen("C", None, -40, "hm10")]
    assert [board.address for board in in_order(boards)] == ["C", "D", "A", "B"]


def test_macos_knows_no_addresses_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unusable_on("linux", "C0:00:00:00:00:01") is None
    assert unusable_on("win32", "C0:00:00:00:00:01") is None
    assert unusable_on("darwin", "tablewire") is None
    assert unusable_on("darwin", None) is None
    assert unusable_on("darwin", "5B9F2E4C-0B1D-4B1E-9F0E-0C1D2E3F4A5B") is None
    monkeypatch.setattr(ble, "PLATFORM", "darwin")
    with pytest.raises(LinkRefused, match="give the board's name"):
        ble.BleLink("C0:00:00:00:00:01").open()


# ---- errors in words ----


@pytest.mark.parametrize("reason", BleakBluetoothNotAvailableReason, ids=lambda reason: reason.name)
def test_whatever_keeps_bluetooth_from_being_used_is_said(reason: BleakBluetoothNotAvailableReason) -> None:
    told = refused(BleakBluetoothNotAvailableError("bleak's words", reason))
    denied = reason.name.startswith("DENIED")
    assert told.cause is (Cause.FORBIDDEN if denied else Cause.OFF)
    assert "bleak's words" not in str(told)


@pytest.mark.parametrize(
    ("error", "cause", "words"),
    [
        (BleakDeviceNotFoundError("C0"), Cause.ABSENT, "there no more"),
        (BleakDBusError("org.bluez.Error.NotReady", []), Cause.OFF, "bluetoothctl power on"),
        (BleakDBusError("org.bluez.Error.InProgress", ["busy"]), Cause.BUSY, "busy"),
        (BleakDBusError("org.bluez.Error.Failed", ["le-timeout"]), Cause.OTHER, "Bluetooth says le-timeout"),
        (BleakDBusError("org.bluez.Error.Failed", []), Cause.OTHER, "Bluetooth says Failed"),
        (BleakDBusError("org.freedesktop.DBus.Error.AccessDenied", []), Cause.FORBIDDEN, "usermod"),
        (BleakDBusError("org.freedesktop.DBus.Error.Spawn.ExecFailed", []), Cause.OFF, "does not run"),
        (TimeoutError(), Cause.HANGS, "does not answer"),
        (FileNotFoundError(), Cause.OFF, "D-Bus"),
        (EOFError(), Cause.OFF, "D-Bus"),
        (BleakError("a\nb" + "c" * 500), Cause.OTHER, "a\\nbccc"),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, Exception) else None,
)
def test_an_error_becomes_one_line_with_a_cause(error: Exception, cause: Cause, words: str) -> None:
    told = refused(error)
    assert told.cause is cause
    assert words in str(told)
    assert str(told).isprintable()
    assert len(str(told)) < 200


def test_only_some_failed_writes_say_that_the_link_is_gone() -> None:
    assert is_final(BleakDBusError("org.freedesktop.DBus.Error.ServiceUnknown", []))
    assert is_final(BleakDBusError("org.freedesktop.DBus.Error.UnknownObject", []))
    assert is_final(TimeoutError())
    assert is_final(EOFError())
    assert not is_final(BleakDBusError("org.bluez.Error.Failed", ["Failed to initiate write"]))
    assert not is_final(BleakError("anything else"))
