"""What a disturbed table can be taken as: which buttons there are and when, and what a match keeps of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.scene import Scene, laid, opened
from tests.table.test_accept import relaid, three

BY_HAND = (26, 36, 45, 56, 66, 65, 46)


def offers(doc: dict[str, Any]) -> list[str]:
    """The buttons that take the table as it lies."""
    found = [] if doc["message"] is None else doc["message"]["choices"]
    return [choice["text"] for choice in found if choice["id"].startswith("accept:")]


@pytest.mark.parametrize(("moves_count", "is_offered"), [(8, True), (9, False)])
def test_a_new_piece_on_a_cleared_table_is_offered_only_where_few_moves_would_go(
    moves_count: int, is_offered: bool
) -> None:
    """Two rounds of four players are eight moves; a game of more than these was cleared, not played on."""
    scene = opened()
    for space in BY_HAND[: moves_count - 2]:
        assert scene.act("place", player=scene.doc["turn"], spaces=[space], forced=True) is None
    doc = relaid(scene, 14_000, red=[7])
    assert doc["phase"] == "hold"
    assert bool(offers(doc)) is is_offered
    assert scene.act("accept") is None
    assert laid(scene) == [("red", [7])]


def test_nothing_is_offered_while_a_piece_is_still_coming_down() -> None:
    scene = three()
    doc = relaid(scene, 14_000, red=[6, 26], green=[25])
    assert len(offers(doc)) == 1
    scene.land(18_000, "green", 36)
    assert offers(scene.quiet(18_300)) == []
    assert len(offers(scene.quiet(19_000))) == 1


def test_what_lies_there_in_a_later_round_of_a_match_leaves_the_earlier_ones_alone() -> None:
    """Red's 1 fills the middle star and ends the first round; green begins the second with 6."""
    scene = Scene(target=5, match=100, rulebook="international")
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    assert scene.act("next_round") is None
    scene.clear(14_000, 1, 2, 3, 4, 5)
    scene.quiet(17_000)
    scene.place(18_000, "green", 6)
    scene.place(22_000, "red", 16)
    scene.place(26_000, "green", 26)
    before = scene.doc["history"][:5]
    relaid(scene, 30_000, green=[6, 26], red=[25])
    assert scene.act("accept") is None
    assert laid(scene) == [("green", [6]), ("red", [25]), ("green", [26])]
    assert scene.doc["history"][:5] == before
    assert len(scene.doc["history"]) == 7
