"""What goes wrong with links in people's hands: a whole table in real time, over each kind of link."""

from __future__ import annotations

import errno
import random
import threading
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from tests.links.kinds import AtPty, InMemory, OverBle, Place
from tests.links.talk import Kept
from tests.system.games import place as laying
from tests.system.live import PATIENCE_S, LiveTable, assert_scored
from tests.system.sittings import LINES

from tablewire.link.address import SerialPath
from tablewire.link.contract import Link
from tablewire.link.faults import LinkLost
from tablewire.link.serial_port import Port, SerialLink, open_with_pyserial
from tablewire.virtual.board import VirtualBoard

MAKERS: Mapping[str, Callable[[Path], Place]] = {
    "memory": lambda _: InMemory(),
    "pty": lambda folder: AtPty(folder, VirtualBoard(1)),
    "nus": lambda _: OverBle("nus", 23),
}
NOISES = (
    "fault noise bytes=3000 kind=random seed=3",
    "fault noise bytes=3000 kind=nul",
    "fault noise bytes=100000 kind=nonzero seed=4",
)
"""The last is 100 kB without a zero byte, which no frame can hold."""


@pytest.fixture(params=MAKERS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    made = MAKERS[str(request.param)](tmp_path)
    yield made
    made.close()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[AtPty]:
    made = AtPty(tmp_path, VirtualBoard(1))
    yield made
    made.close()


@pytest.fixture
def air() -> Iterator[OverBle]:
    made = OverBle("nus", 23)
    yield made
    made.close()


def page(table: LiveTable) -> int:
    """Ask for the page, as a browser does; the status of the answer."""
    with urllib.request.urlopen(table.table.url, timeout=PATIENCE_S) as answer:  # noqa: S310 - our own
        return int(answer.status)


def test_a_port_that_is_denied_and_then_hangs_keeps_nobody_from_the_page(wire: AtPty, tmp_path: Path) -> None:
    release, tries = threading.Event(), list[int]()

    def opener(port: str, baud: int) -> Port:
        tries.append(baud)
        if len(tries) <= 2:
            raise PermissionError(errno.EACCES, "Access is denied")
        if len(tries) == 3:
            release.wait(PATIENCE_S)
        return open_with_pyserial(port, baud)

    with LiveTable(tmp_path / "data", SerialLink(wire.link.name, opener=opener)) as table:
        doc = table.until(lambda doc: "does not answer" in str(doc["link"].get("text")))
        assert len(tries) == 3
        assert doc["link"]["state"] == "down"
        assert page(table) == 200
        release.set()
        table.up()
        wire.do(laying(LINES[0], 60))
        assert_scored(table.moves(1), LINES[:1])


def test_two_tables_on_one_port_take_no_byte_from_each_other(wire: AtPty, tmp_path: Path) -> None:
    port = SerialPath(wire.link.name)
    with LiveTable(tmp_path / "second", port=port) as second:
        second.up()
        with LiveTable(tmp_path / "first", port=port) as first:
            refused = first.until(lambda doc: "another program uses it" in str(doc["link"].get("text")))
            assert refused["link"]["state"] == "down"
            wire.do(laying(LINES[0], 60))
            assert_scored(second.moves(1), LINES[:1])
            second.table.close()
            first.up()


def test_two_tables_do_not_take_a_module_from_each_other(air: OverBle, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "second", air.link) as second:
        second.up()
        with LiveTable(tmp_path / "first", air.another_link()) as first:
            refused = first.until(lambda doc: "another program" in str(doc["link"].get("text")))
            assert refused["link"]["state"] == "down"
            air.do(laying(LINES[0], 60))
            assert_scored(second.moves(1), LINES[:1])
            second.table.close()
            first.up()


def test_at_commands_and_boot_texts_in_the_stream_are_dropped(place: Place, tmp_path: Path) -> None:
    """A modem manager that asks who is there, as a board without our settings echoes it."""
    with LiveTable(tmp_path / "data", place.link) as table:
        table.up()
        for number, line in enumerate(LINES[:2]):
            place.do("fault boot-text text=AT+GCAP", laying(line, 120), "fault boot-text text=AT")
            table.until(lambda doc: doc["moves"] > number)  # noqa: B023 - called at once
        assert_scored(table.moves(2), LINES[:2])


def test_a_board_that_boots_and_is_deaf_is_asked_until_it_hears(place: Place, tmp_path: Path) -> None:
    """It prints a text, has another boot number, and hears nothing for two seconds; the game is the same."""
    with LiveTable(tmp_path / "data", place.link) as table:
        table.up()
        place.do("fault boot-text", laying(LINES[0], 60))
        table.moves(1)
        place.do("reset", "fault deaf 2000", laying(LINES[1], 60))
        assert_scored(table.moves(2), LINES[:2])


def test_garbage_of_any_kind_is_counted_and_play_goes_on(place: Place, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", place.link) as table:
        table.up()
        for number, noise in enumerate(NOISES):
            place.do(noise, laying(LINES[number], 60))
            table.until(lambda doc: doc["moves"] > number)  # noqa: B023 - called at once
        assert_scored(table.moves(len(NOISES)), LINES[: len(NOISES)])


def test_after_ten_reconnects_there_is_one_listener_and_each_change_counts_once(air: OverBle) -> None:
    """And where each notification does come twice, what is in it counts once: changes are numbered."""
    kept = Kept(air.link)
    try:
        for count in range(10):
            kept.until(lambda: kept.session.synced and kept.opened_count > count)  # noqa: B023
            air.bridge.lose_link()
            kept.until(lambda: kept.lost_count > count)  # noqa: B023 - called at once
        kept.until(lambda: kept.session.synced and kept.opened_count > 10)
        assert air.bluez.listener_count == 1
        # A frame fits into a chunk: a longer one, of which each chunk came twice, would be no frame at all.
        air.bridge.set_mtu(185)
        air.bridge.repeat_notifications(2)
        air.do("place red 6,15 over 60", "place green 16")
        kept.until(lambda: kept.lying == {5, 14, 15})
        assert kept.numbers == [1, 2, 3]
    finally:
        kept.thread.close()


class Unwilling:
    """A link whose writes fail at random: some take nothing, some lose the link."""

    def __init__(self, link: Link) -> None:
        self._link, self._chance = link, random.Random(10)
        self.name, self.kind = link.name, link.kind
        self.read, self.wake = link.read, link.wake
        self.open, self.close, self.give_up = link.open, link.close, link.give_up
        self.lost_count = 0

    def write(self, data: bytes) -> bool:
        draw = self._chance.random()
        if draw < 0.2:
            self.lost_count += 1
            raise LinkLost(f"lost the board at {self.name} (write failed)")
        return draw > 0.5 and self._link.write(data)


def test_writes_that_fail_at_random_cost_lights_and_no_move(place: Place, tmp_path: Path) -> None:
    link = Unwilling(place.link)
    with LiveTable(tmp_path / "data", link) as table:
        for number, line in enumerate(LINES[:3]):
            place.do(laying(line, 60))
            table.until(lambda doc: doc["moves"] > number)  # noqa: B023 - called at once
        assert_scored(table.moves(3), LINES[:3])
    assert link.lost_count


def test_the_mtu_may_change_in_the_middle_of_a_game(air: OverBle, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", air.link) as table:
        for number, mtu in enumerate((23, 185, 247, 23)):
            air.bridge.set_mtu(mtu)
            air.do(laying(LINES[number], 60))
            table.until(lambda doc: doc["moves"] > number)  # noqa: B023 - called at once
        assert_scored(table.moves(4), LINES[:4])
        assert air.bridge.counts.largest_write_bytes <= 244


def test_a_chunk_that_is_cut_without_a_word_is_told_again(place: Place, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", place.link) as table:
        table.up()
        place.do("fault mtu 23")
        for number in range(3):
            place.do(f"fault cut-chunk count=2 seed={number}", laying(LINES[number], 60))
            table.until(lambda doc: doc["moves"] > number)  # noqa: B023 - called at once
        assert_scored(table.moves(3), LINES[:3])


def test_flipped_and_lost_bytes_cost_time_and_no_move(place: Place, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", place.link) as table:
        table.up()
        place.do("fault flip percent=1 seed=5", "fault drop percent=1 seed=6")
        for number in range(2):
            place.do(laying(LINES[number], 60))
            table.until(lambda doc: doc["moves"] > number)  # noqa: B023 - called at once
        place.do("fault off all")
        assert_scored(table.moves(2), LINES[:2])
