"""Tags on the pads, as a board with readers tells of them: since when, and what another game begins with."""

from __future__ import annotations

from tablewire.board.lies import Lies, TagState
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Complete, Sighting, Sightings, Snapshot, TagsLying

BOOT = 7
ONE, OTHER = "04A1B2C3D4E580", "04000000000001"


START = Lies().observe(Complete(BOOT, 0))
"""A board that was heard as it booted: table time is its own."""


def told(*rows: tuple[Sight, int, str, int]) -> Sightings:
    """Sightings numbered from 1: what, pad, tag, milliseconds of the board."""
    return Sightings(BOOT, tuple(Sighting(n, *row) for n, row in enumerate(rows, 1)))


def test_a_tag_lies_there_since_it_came_however_often_it_is_told() -> None:
    lies = START.observe(
        told(
            (Sight.ANEW, 0, "", 100),
            (Sight.CAME, 3, ONE, 500),
            (Sight.CAME, 3, ONE, 900),
            (Sight.FOUND, 3, ONE, 950),
        )
    )
    assert lies.tags == {(3, ONE): TagState(500, found=False)}


def test_a_tag_is_gone_from_the_pad_that_lost_it_only() -> None:
    lies = START.observe(
        told((Sight.CAME, 3, ONE, 500), (Sight.CAME, 4, ONE, 510), (Sight.GONE, 3, ONE, 700))
    )
    assert lies.tags == {(4, ONE): TagState(510, found=False)}


def test_all_told_anew_forgets_what_was_told_before() -> None:
    lies = START.observe(
        told((Sight.CAME, 3, ONE, 500), (Sight.ANEW, 0, "", 800), (Sight.FOUND, 9, OTHER, 800))
    )
    assert lies.tags == {(9, OTHER): TagState(800, found=True)}


def test_a_button_and_what_a_later_board_may_tell_move_no_tag() -> None:
    lies = START.observe(told((Sight.CAME, 3, ONE, 500), (Sight.DOWN, 3, "", 600), (Sight.UP, 3, "", 700)))
    later = lies.observe(Sightings(BOOT, (Sighting(4, 99, 3, ONE, 800),)))
    assert later.tags == lies.tags == {(3, ONE): TagState(500, found=False)}
    assert (later.number, later.now_ms) == (4, 800)


def test_another_game_begins_with_the_tags_as_they_lie_and_since_when() -> None:
    lies = START.observe(told((Sight.CAME, 3, ONE, 500), (Sight.CAME, 1, OTHER, 600)))
    seen = lies.observe(Complete(BOOT, 2_000)).snapshot()
    assert seen == TagsLying(BOOT, 2, 2_000, ((1, OTHER), (3, ONE)))
    assert lies.observe(seen).tags[3, ONE] == TagState(500, found=False)
    assert START.observe(seen).tags[3, ONE] == TagState(2_000, found=True)


def test_empty_pads_are_told_as_pads_and_not_as_sensors() -> None:
    """A game begun on them knows that it was a board with readers that saw nothing."""
    lies = START.observe(told((Sight.ANEW, 0, "", 100)))
    assert lies.snapshot() == TagsLying(BOOT, 1, 100, ())
    assert isinstance(lies.observe(Snapshot(8, 0, 5, bytes(3))).snapshot(), Snapshot)
