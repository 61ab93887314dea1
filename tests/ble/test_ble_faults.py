"""What goes wrong on a radio, and what a link over it makes of that: said once, let go of, opened again.

Owns one test for each fault of a link; what goes well is in test_ble_link.py, what is wrong with Bluetooth
itself in test_ble_bluetooth.py.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.ble.bluez import FakeBluez
from tests.ble.bridge import Bridge
from tests.ble.linking import (
    NOBODY,
    PATIENCE_S,
    PATIENT,
    ble_link,
    nothing_is_left,
    opened,
    read_all,
    read_until_lost,
    refusal,
    until,
)
from tests.ble.uart import EchoUart
from tests.links.talk import Kept, Talk, open_patiently

from tablewire.link.ble import BleLimits, BleLink
from tablewire.link.ble_connection import MAX_UNSENT_BYTES, ConnectLimits
from tablewire.link.faults import Cause, LinkLost
from tablewire.virtual.board import VirtualBoard

BOTH = pytest.mark.parametrize("flavour", ["nus", "hm10"])

SOON = replace(PATIENT, connect=ConnectLimits(connect_s=0.3, subscribe_s=PATIENCE_S))
STALLS = replace(PATIENT, connect=replace(PATIENT.connect, write_s=0.3))
"""Where the board is there and does not answer, so that the wait is the whole of the test."""


def write_until_lost(link: BleLink) -> str:
    """Write until the link is lost; how it says so."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        try:
            link.write(b"\0\0")
            link.read(0.002)
        except LinkLost as lost:
            return str(lost)
    raise AssertionError("the link is never lost")


# ---- the link is lost ----

LOSSES: dict[str, Callable[[FakeBluez, Bridge], None]] = {
    "interference": lambda _, bridge: bridge.lose_link(),
    "no power": lambda _, bridge: bridge.vanish(),
    "another host": lambda _, bridge: bridge.go_elsewhere(),
    "adapter off": lambda bluez, _: bluez.power(False),
    "adapter pulled": lambda bluez, _: bluez.remove_adapter(),
    "no bus": lambda bluez, _: bluez.kill_bus(),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_a_read_that_waits_notices_the_loss(bluez: FakeBluez, loss: str) -> None:
    bridge = bluez.add_bridge("tablewire")
    with opened("tablewire") as link:
        bridge.say(b"last words")
        assert read_all(link, 10) == b"last words"
        LOSSES[loss](bluez, bridge)
        text = read_until_lost(link)
        assert text.startswith("lost the board at ble:tablewire (")
        with pytest.raises(LinkLost):
            link.write(b"\0")


@BOTH
def test_a_link_lost_in_the_middle_of_a_write_is_lost_and_opens_again(bluez: FakeBluez, flavour: str) -> None:
    bridge = bluez.add_bridge("tablewire", flavour=flavour)
    with opened("tablewire") as link:
        bridge.drop_at_write(30)
        link.write(bytes(100))
        assert "lost the board" in read_until_lost(link)
        assert bridge.hear(100, 0.0) == bytes(30)
        link.open()
        link.write(b"again")
        assert bridge.hear(5) == b"again"
    assert nothing_is_left(bluez)


def test_what_came_before_the_loss_is_read_first(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    with opened("tablewire") as link:
        bridge.say(b"last words")
        bridge.lose_link()
        assert read_all(link, 10) == b"last words"
        assert "disconnected" in read_until_lost(link)


def test_a_killed_bluetooth_service_is_noticed_at_the_next_write(bluez: FakeBluez) -> None:
    bluez.add_bridge("tablewire", board=EchoUart())
    with opened("tablewire") as link:
        bluez.kill_bluetoothd()
        assert link.read(0.05) == b""  # nobody says so: it takes a heartbeat
        assert "lost the board" in write_until_lost(link)
        refused = refusal(link)
        assert refused.cause is Cause.OFF
        assert "the Bluetooth service does not run" in str(refused)
        bluez.start_bluetoothd()
        link.open()
        link.write(b"again")
        assert read_all(link, 5) == b"again"
    assert nothing_is_left(bluez)


def test_a_restarted_bus_serves_the_next_open(bluez: FakeBluez) -> None:
    bluez.add_bridge("tablewire", board=EchoUart())
    with opened("tablewire") as link:
        bluez.kill_bus()
        read_until_lost(link)
        assert refusal(link).cause is Cause.OFF
        bluez.start_bus()
        link.open()
        link.write(b"again")
        assert read_all(link, 5) == b"again"
    assert nothing_is_left(bluez)


# ---- it cannot be opened ----


def test_a_board_that_refuses_is_asked_again_and_holds_nothing_meanwhile(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    bridge.refuse_connects(2)
    with ble_link("tablewire") as link:
        for _ in range(2):
            assert "le-connection-refused" in str(refusal(link))
            assert nothing_is_left(bluez)
        link.open()


def test_a_connect_that_hangs_ends_and_the_next_one_is_not_disturbed(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    bridge.hang_connects()
    with ble_link("tablewire", limits=SOON) as link:
        refused = refusal(link)
        assert refused.cause is Cause.HANGS
        assert "does not answer" in str(refused)
        assert nothing_is_left(bluez)
    with opened("tablewire") as link:
        assert bridge.is_connected


def test_a_board_whose_services_never_come_is_let_go(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    bridge.slow_services(None)
    with ble_link("tablewire", limits=SOON) as link:
        assert refusal(link).cause is Cause.HANGS
    until(lambda: not bridge.is_connected)
    assert nothing_is_left(bluez)


def test_services_that_come_late_are_waited_for(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    bridge.slow_services(0.2)
    with opened("tablewire") as link:
        link.write(b"hello")
        assert bridge.hear(5) == b"hello"


def test_a_disconnect_that_hangs_holds_up_nobody(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    with opened("tablewire") as link:
        bridge.hang_disconnects()
        link.close()
        assert nothing_is_left(bluez)
        # It is connected still, and nobody listens: it is taken over.
        link.open()
        link.write(b"again")
        assert bridge.hear(5) == b"again"


# ---- writes ----


def test_a_radio_without_room_holds_up_nobody_and_is_given_up(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    with opened("tablewire", limits=STALLS) as link:
        bridge.stall_writes()
        assert link.write(bytes(MAX_UNSENT_BYTES))
        assert not link.write(b"\0")
        assert link.dropped_count == 1
        assert "a write failed" in read_until_lost(link)


def test_single_writes_that_fail_are_lost_and_the_link_is_not(
    bluez: FakeBluez, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(10)
    bridge = bluez.add_bridge("tablewire")
    with opened("tablewire") as link:
        for number in range(30):
            if chance.random() < 0.3:
                # Smaller than anything that is ever written: this write fails, whatever its size.
                bridge.set_mtu(4)
                failed_count = link.failed_count
                link.write(b"to nobody")
                until(lambda: link.failed_count > failed_count)  # noqa: B023 - it ends here
                bridge.set_mtu(23)
            message = f"{number:9}".encode()
            link.write(message)
            assert bridge.hear(9) == message


def test_a_board_that_takes_no_write_any_more_is_lost(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire")
    with opened("tablewire") as link:
        bridge.set_mtu(4)
        assert "a write failed" in write_until_lost(link)


# ---- again and again ----


@BOTH
def test_after_ten_reconnects_everything_comes_once(bluez: FakeBluez, flavour: str) -> None:
    bridge = bluez.add_bridge("tablewire", flavour=flavour)
    with ble_link("tablewire") as link:
        for number in range(10):
            link.open()
            assert bluez.listener_count == 1
            bridge.say(f"message {number}".encode())
            assert read_all(link, 9) == f"message {number}".encode()
            assert link.read(0) == b""
            if number % 2:
                bridge.lose_link()
                read_until_lost(link)
    assert nothing_is_left(bluez)
    assert bluez.overlap_count == 0


# ---- with a session on it ----


@BOTH
def test_a_session_survives_what_the_radio_does_to_its_bytes(bluez: FakeBluez, flavour: str) -> None:
    """A changed size, a notification cut in half, every notification twice, a flipped byte, a reset board."""
    bridge = bluez.add_bridge("tablewire", flavour=flavour, mtu=247, board=VirtualBoard(1))
    with opened("tablewire") as link:
        talk = Talk(link)
        talk.meet()
        lying: set[int] = set()
        faults: tuple[Callable[[], object], ...] = (
            lambda: bridge.set_mtu(23),
            lambda: bridge.set_mtu(185),
            lambda: bridge.cut_chunks(3),
            lambda: bridge.repeat_notifications(2),
            lambda: bridge.repeat_notifications(1),
            lambda: bridge.command("fault flip percent=5 seed=3"),
            lambda: bridge.command("fault off flip"),
        )
        for space, fault in enumerate(faults, start=1):
            fault()
            bridge.command(f"place red {space}")
            lying.add(space - 1)
            talk.until(lambda: talk.lying == lying)
        assert talk.numbers == sorted(set(talk.numbers))
        nonce = talk.session.nonce
        bridge.command("reset")
        talk.until(lambda: talk.session.nonce != nonce and talk.session.synced)
        assert talk.lying == lying
    assert nothing_is_left(bluez)


def test_a_board_that_boots_when_it_is_connected_is_met(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire", board=VirtualBoard(1))
    bridge.command("fault boot-text")
    bridge.command("fault deaf ms=300")
    with opened("tablewire") as link:
        bridge.command("reset")
        Talk(link).meet()


def test_a_link_thread_keeps_a_session_over_cuts_and_a_restart_of_bluetooth(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire", board=VirtualBoard(1))
    link = BleLink("tablewire", limits=NOBODY)
    kept = Kept(link)
    try:
        kept.until(lambda: kept.session.synced)
        for space in range(1, 6):
            bridge.lose_link()
            bridge.command(f"place red {space}")
            kept.until(lambda: len(kept.lying) == len(kept.numbers) == space)  # noqa: B023 - it ends here
            assert kept.opened_count == space + 1
        bluez.kill_bus()
        bridge.command("place red 6")
        bluez.start_bus()
        kept.until(lambda: len(kept.lying) == 6)
        assert kept.numbers == list(range(1, 7))
        assert kept.snapshot_count == 1
    finally:
        kept.thread.close()
    until(lambda: not kept.thread.alive)
    assert nothing_is_left(bluez)


def test_a_board_that_comes_later_is_found_when_it_comes(bluez: FakeBluez) -> None:
    bridge = bluez.add_bridge("tablewire", board=VirtualBoard(1))
    bridge.command("unplug")
    with ble_link("tablewire", limits=BleLimits(find_s=0.1, find_any_s=0.05)) as link:
        assert refusal(link).cause is Cause.ABSENT
        bridge.command("plug")
        open_patiently(link)
        Talk(link).meet()
