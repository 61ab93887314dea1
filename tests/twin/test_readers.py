"""The compiled firmware of the board with readers: cards are found, told once, and gone when they are gone.

Tags, collisions and faults are the chip model's; what is expected is what somebody at the table would.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.twin.tag_desk import TagDesk, uid_of

from tablewire.wire.messages import ParamKey, ReaderState, Sight

CLASSIC = "DEADBEEF"
SOUND = ReaderState.SEEN | ReaderState.TESTED | ReaderState.WELL
GONE_US = 2_000_000
"""Every pad's resting cards are looked at within this, several times."""


@pytest.fixture
def desk() -> Iterator[TagDesk]:
    one = TagDesk()
    one.boot()
    yield one
    one.chip.close()


def uids(*numbers: int) -> list[str]:
    return [uid_of(number) for number in numbers]


def test_every_reader_is_seen_tested_and_well(desk: TagDesk) -> None:
    assert [(row.version, row.state) for row in desk.status().readers] == [(0x92, SOUND)] * 16


@pytest.mark.parametrize("uid", [CLASSIC, uid_of(1), "88010203"])
def test_a_card_that_comes_is_told_once_and_gone_once(desk: TagDesk, uid: str) -> None:
    desk.lay([uid], 5)
    ((_, came),) = desk.wait_for(1, Sight.CAME)
    assert (came.source, came.uid) == (5, uid)
    desk.run(500_000)
    desk.lay([uid])
    ((_, gone),) = desk.wait_for(1, Sight.GONE)
    assert (gone.source, gone.uid) == (5, uid)
    desk.run(500_000)
    assert [one.what for _, one in desk.told] == [Sight.ANEW, Sight.CAME, Sight.GONE]


def test_its_time_is_when_it_was_read_not_when_it_was_told(desk: TagDesk) -> None:
    begun_ms = desk.chip.now_us // 1000
    desk.lay([CLASSIC], 0)
    ((at_us, came),) = desk.wait_for(1, Sight.CAME)
    assert begun_ms <= came.device_ms <= at_us // 1000


def test_what_lies_there_at_power_on_was_there_already() -> None:
    desk = TagDesk()
    try:
        desk.lay(uids(1, 2), 3)
        desk.boot()
        assert [one.what for _, one in desk.told] == [Sight.ANEW, Sight.FOUND, Sight.FOUND]
        assert desk.lying() == {(3, uid) for uid in uids(1, 2)}
    finally:
        desk.chip.close()


def test_ten_cards_laid_at_once_on_one_pad_are_all_read(desk: TagDesk) -> None:
    pile = uids(*range(10))
    desk.lay(pile, 9)
    desk.wait_for(10, Sight.CAME)
    assert desk.lying() == {(9, uid) for uid in pile}
    desk.run(GONE_US)
    assert desk.lying() == {(9, uid) for uid in pile}, "one of a resting pile was lost"


def test_stickers_of_one_roll_and_of_both_kinds_are_told_apart(desk: TagDesk) -> None:
    pile = [f"04A1B2C3D4E5{number:02X}" for number in range(8)] + ["04A1B2C3", "04A1B2C4"]
    desk.lay(pile, 0)
    desk.wait_for(10, Sight.CAME)
    assert desk.lying() == {(0, uid) for uid in pile}


def test_a_card_under_a_pile_goes_and_the_others_stay(desk: TagDesk) -> None:
    pile = uids(*range(5))
    desk.lay(pile, 4)
    desk.wait_for(5, Sight.CAME)
    desk.lay(pile[2:3])
    ((_, gone),) = desk.wait_for(1, Sight.GONE, GONE_US)
    assert gone.uid == pile[2]
    desk.run(GONE_US)
    assert desk.lying() == {(4, uid) for uid in pile if uid != pile[2]}


def test_resting_cards_that_are_missed_now_and_then_are_not_gone(desk: TagDesk) -> None:
    """Of the failures that people report: a tag that reads in turn, and thirty wrong answers of a hundred."""
    pile = uids(*range(4))
    desk.lay(pile, 6)
    desk.wait_for(4, Sight.CAME)
    desk.chip.doze(6, None)
    desk.run(GONE_US)
    desk.chip.doze(6, 0)
    desk.chip.misread(6, 0, 30)
    desk.run(GONE_US)
    assert Sight.GONE not in [one.what for _, one in desk.told]


def test_a_card_comes_through_bad_reads(desk: TagDesk) -> None:
    for pad in range(4):
        desk.chip.misread(pad, 5, 10)
        desk.lay(uids(pad), pad)
    desk.wait_for(4, Sight.CAME)
    assert desk.lying() == {(pad, uid_of(pad)) for pad in range(4)}, "a card nobody laid was read"


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_however_fields_are_staggered_all_is_found_and_goes(desk: TagDesk, groups: int) -> None:
    desk.adjust(ParamKey.FIELD_GROUPS, groups)
    for pad in range(16):
        desk.lay(uids(pad, pad + 100), pad)
    desk.wait_for(32, Sight.CAME, GONE_US)
    assert desk.lying() == {(pad, uid_of(pad + more)) for pad in range(16) for more in (0, 100)}
    for pad in range(16):
        desk.lay(uids(pad))
    desk.wait_for(16, Sight.GONE, 2 * GONE_US)
    assert desk.lying() == {(pad, uid_of(pad + 100)) for pad in range(16)}
    assert desk.chip.radio()["at_once"] == 0, "two readers transmitted at the same time"


def test_a_card_between_two_pads_is_told_by_one_of_them_or_both(desk: TagDesk) -> None:
    desk.lay([CLASSIC], 1, 2)
    desk.wait_for(1, Sight.CAME)
    desk.run(GONE_US)
    there = desk.lying()
    assert there
    assert there <= {(1, CLASSIC), (2, CLASSIC)}
    desk.lay([CLASSIC])
    desk.run(GONE_US)
    assert desk.lying() == set()


@pytest.mark.parametrize("health", ["missing", "mute", "stuck"])
def test_a_reader_that_fails_is_named_and_the_others_go_on(desk: TagDesk, health: str) -> None:
    desk.chip.reader(7, health)
    desk.run(GONE_US)
    assert ReaderState.DEAF in ReaderState(desk.status().readers[7].state)
    desk.lay([CLASSIC], 8)
    ((at_us, _),) = desk.wait_for(1, Sight.CAME)
    assert [row.state for index, row in enumerate(desk.status().readers) if index != 7] == [SOUND] * 15
    assert at_us


@pytest.mark.parametrize("health", ["missing", "stuck"])
def test_a_reader_that_comes_back_reads_what_lies_on_it(desk: TagDesk, health: str) -> None:
    desk.chip.reader(7, health)
    desk.run(1_000_000)
    desk.chip.reader(7, "well")
    desk.lay([CLASSIC], 7)
    ((_, came),) = desk.wait_for(1, Sight.CAME, 10_000_000)
    assert (came.source, came.uid) == (7, CLASSIC)


@pytest.mark.parametrize("version", [0x91, 0x88, 0x12])
def test_clones_are_told_by_their_version_and_read_all_the_same(desk: TagDesk, version: int) -> None:
    for reader in range(16):
        desk.chip.version(reader, version)
    desk.chip.reset("power")
    desk.boot()
    rows = desk.status().readers
    assert {row.version for row in rows} == {version}
    known = version != 0x12  # of which nobody has printed what its self-test must give
    assert {ReaderState.WELL in ReaderState(row.state) for row in rows} == {known}
    desk.lay([CLASSIC], 3)
    desk.wait_for(1, Sight.CAME)


def test_buttons_are_told_as_they_are_pressed_and_let_go(desk: TagDesk) -> None:
    for button in range(4):
        desk.chip.button(button, down=True)
        ((_, down),) = desk.wait_for(1, Sight.DOWN)
        desk.chip.button(button, down=False)
        ((_, up),) = desk.wait_for(1, Sight.UP)
        assert (down.source, up.source) == (button, button)


def test_a_button_that_bounces_is_pressed_once(desk: TagDesk) -> None:
    for _ in range(5):
        desk.chip.button(2, down=True)
        desk.run(1000)
        desk.chip.button(2, down=False)
        desk.run(1000)
    desk.chip.button(2, down=True)
    desk.run(200_000)
    assert [one.what for _, one in desk.told] == [Sight.ANEW, Sight.DOWN]
