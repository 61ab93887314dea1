"""A finger that straightens what the game does not take: the page goes on saying what it said."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.scene import Scene, opened

from tablewire.games.cirkis.wiring import sensor_of


def nudge(scene: Scene, at_ms: int, off_ms: int, colour: str, *spaces: int) -> None:
    """Magnets go for `off_ms` and come back; at each moment the page must say what it said before."""
    before = scene.quiet(at_ms)
    for moment_ms, step in ((at_ms, "off"), (at_ms + off_ms, "on")):
        for space in spaces:
            if step == "off":
                scene.clear(moment_ms, space)
            else:
                scene.land(moment_ms, colour, space)
            assert said(scene.doc) == said(before), (step, space)
    for moment_ms in range(at_ms + off_ms + 100, at_ms + off_ms + 2_000, 100):
        assert said(scene.quiet(moment_ms)) == said(before), moment_ms


def said(doc: dict[str, Any]) -> dict[str, Any]:
    """The document but for the offers to take the table as it lies: these wait until it is at rest."""
    return {**doc, "message": {**doc["message"], "choices": []}}


@pytest.mark.parametrize("off_ms", [20, 300, 800])
@pytest.mark.parametrize(
    ("colour", "spaces", "kind"),
    [
        ("green", (17,), "illegal"),  # out of turn
        ("red", (60,), "illegal"),  # far from the Leader
        ("red", (60, 93), "illegal"),
        ("purple", (60,), "unexplained"),  # nobody's
        ("red", (60, 120), "illegal"),  # two pieces
    ],
)
def test_a_refused_piece_that_is_straightened_stays_refused_all_the_while(
    colour: str, spaces: tuple[int, ...], kind: str, off_ms: int
) -> None:
    scene = opened()
    scene.land(9_000, colour, *spaces, every_ms=40)
    assert scene.quiet(11_000)["message"]["kind"] == kind
    nudge(scene, 12_000, off_ms, colour, *spaces)


def test_one_space_of_a_refused_piece_is_straightened_time_and_again() -> None:
    scene = opened()
    scene.land(9_000, "red", 60, 93, every_ms=40)
    scene.quiet(11_000)
    for at_ms in (12_000, 15_000, 18_000):
        nudge(scene, at_ms, 500, "red", 93)


def test_a_move_that_was_not_judged_yet_still_waits_for_its_quiet_time() -> None:
    scene = opened()
    scene.land(9_000, "red", 60)
    scene.clear(9_100, 60)
    scene.land(9_900, "red", 60)
    assert scene.quiet(10_400)["message"] is None
    assert scene.quiet(10_600)["message"]["kind"] == "illegal"


def test_a_refused_piece_that_becomes_legal_while_straightened_counts_once_it_is_at_rest() -> None:
    scene = opened()
    scene.land(9_000, "green", 17)
    scene.quiet(11_000)
    scene.land(12_000, "red", 7)
    scene.clear(12_100, 17)
    scene.land(12_400, "green", 17)
    assert [line["spaces"] for line in scene.quiet(12_700)["history"]][2:] == [[7]]
    assert [line["spaces"] for line in scene.quiet(13_100)["history"]][2:] == [[7], [17]]


def test_a_weak_piece_that_is_pressed_space_by_space_is_not_judged_in_between() -> None:
    scene = Scene(("red", "purple"))
    scene.place(1_000, "red", 6)
    scene.place(4_000, "purple", 16)
    scene.land(9_000, "red", 60, 93)
    assert "hook" in scene.quiet(11_000)["message"]["text"]
    scene.land(12_000, "purple", 60, 93)
    scene.quiet(14_000)
    scene.land(15_000, "red", 60)
    between = scene.quiet(15_030)["message"]
    assert between is None or not between["text"].startswith("Red")
    scene.land(15_030, "red", 93)
    assert "Red's hook" in scene.quiet(17_000)["message"]["text"]


def test_a_straightened_piece_takes_no_doubt_of_a_sensor_away() -> None:
    scene = opened()
    scene.land(9_000, "green", 60)
    scene.land(9_000, "red", 90, 120)
    doc = scene.quiet(80_000)
    assert set(doc["health"]["spaces"]) == {"60", "90", "120"}
    scene.read(80_000, sensor_of(6), 1)  # red's magnet on space 6 reads weak while it is touched
    assert scene.doc["health"] == doc["health"]
    scene.land(80_040, "red", 6)
    assert scene.quiet(83_000) == doc


def test_a_piece_moved_by_a_space_that_is_straightened_there_is_no_move() -> None:
    scene = Scene()
    scene.place(1_000, "red", 2, 7)
    scene.place(4_000, "green", 18)
    scene.clear(9_000, 7)
    scene.land(9_030, "red", 8)
    assert scene.quiet(18_000)["phase"] == "hold"
    nudge(scene, 19_000, 300, "red", 8)
    assert scene.doc["moves"] == 2
    scene.clear(22_000, 8)
    scene.land(22_100, "red", 7)
    assert scene.quiet(25_000)["message"] is None
    assert scene.doc["phase"] == "playing"


@pytest.mark.parametrize("space", [2, 8])
def test_neither_end_of_a_moved_piece_makes_a_move_by_way_of_a_weak_read(space: int) -> None:
    scene = Scene()
    scene.place(1_000, "red", 2, 7)
    scene.place(4_000, "green", 18)
    scene.clear(9_000, 7)
    scene.land(9_030, "red", 8)
    before = scene.quiet(18_000)
    scene.clear(19_000, space)
    scene.land(19_300, "purple", space)
    scene.land(19_340, "red", space)
    assert scene.quiet(22_000) == before


@pytest.mark.parametrize(
    ("lands", "kind"),
    [
        ({"red": (26, 36), "green": (56,)}, "ambiguous"),  # a slice, or a wedge before green's and one after
        ({"red": (36,), "green": (100,)}, "illegal"),  # far from the Leader
    ],
)
def test_straightening_changes_nothing_of_what_is_asked_after_a_cut(
    lands: dict[str, tuple[int, ...]], kind: str
) -> None:
    """New pieces one by one, and pieces of the game."""
    scene = opened()
    scene.reboot(lands=lands)
    assert scene.quiet(scene.now_ms + 3_000)["message"]["kind"] == kind
    new = [(colour, space) for colour, spaces in lands.items() for space in spaces]
    for colour, space in [*new, ("red", 6), ("green", 16)]:
        nudge(scene, scene.now_ms + 3_000, 300, colour, space)
