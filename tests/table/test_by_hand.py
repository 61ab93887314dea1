"""Pieces entered by hand, masks, and pieces that were larger than they were read."""

from __future__ import annotations

from tests.table.scene import Scene, laid, opened
from tests.table.test_corrections import lines

from tablewire.entries import Entry, EntryKind
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.findings import Merge
from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.referee import CirkisTable
from tablewire.games.cirkis.tiling import mask_of


def test_a_piece_on_masked_spaces_is_entered_by_hand_and_play_goes_on() -> None:
    scene = opened()
    assert scene.act("mask", sensors=[25], masked=True) is None
    assert scene.act("place", player="red", spaces=[26], note="its sensor is dead") is None
    doc = scene.quiet(12_000)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [26])]
    assert doc["turn"] == "green"
    assert doc["message"] is None
    assert doc["phase"] == "playing"


def test_a_piece_entered_by_hand_against_the_rules_needs_to_be_forced() -> None:
    scene = opened()
    refusal = scene.act("place", player="green", spaces=[60])
    assert refusal is not None
    assert refusal.reason == "illegal"
    assert refusal.details == {"reasons": ["not_touching_leader", "not_your_turn"]}
    assert scene.act("place", player="green", spaces=[60], forced=True) is None
    assert scene.doc["last"]["forced"] == ["not_touching_leader", "not_your_turn"]
    for spaces in ([60], [6, 60], [166], []):
        refusal = scene.act("place", player="red", spaces=spaces, forced=True)
        assert refusal is not None
        assert refusal.reason == "illegal"
    assert len(laid(scene)) == 3


def test_a_piece_entered_by_hand_that_is_legal_is_not_marked_as_forced() -> None:
    scene = opened()
    assert scene.act("place", player="red", spaces=[26], forced=True) is None
    assert lines(scene)[-1] == '{"player": "red", "spaces": [26]}'


def test_a_mask_is_set_once_and_lifted_once() -> None:
    scene = opened()
    assert scene.act("mask", sensors=[30, 170], masked=True) is None
    assert scene.table.lies.masked == {30, 170}
    refusal = scene.act("mask", sensors=[30], masked=True)
    assert refusal is not None
    assert refusal.reason == "nothing_to_mask"
    assert scene.act("mask", sensors=[30, 31], masked=False) is None
    assert scene.table.lies.masked == {170}
    for sensors in ([], [201], [-1], [True], "30"):
        refusal = scene.act("mask", sensors=sensors, masked=True)
        assert refusal is not None
        assert refusal.malformed


def test_a_masked_space_need_not_be_lifted() -> None:
    """Its magnet is stuck to the sensor: after the undo nobody can make it read nothing."""
    scene = opened()
    assert scene.act("undo") is None
    assert scene.doc["phase"] == "hold"
    assert scene.act("mask", sensors=[15], masked=True) is None
    assert scene.doc["message"] is None
    assert scene.doc["phase"] == "playing"


def grown(scene: Scene, how: dict[str, str]) -> None:
    """Red's arrow on 2 was a boomerang on 1 and 2: purple's 5 completed the star then, and was to go on."""
    line = {"line": {"player": "red", "spaces": [1, 2]}, "last_ms": 0, "grows_until_ms": None}
    entry = Entry(EntryKind.REWRITE, scene.now_ms, {"by": "Ada", **how, "index": 0, **line})
    scene.table = scene.table.evolve(entry)
    scene.kept.append(entry)
    scene.check_restart()


def four() -> Scene:
    """Red 2, green 3 and 4, purple 5, yellow 14."""
    scene = Scene(players=("red", "green", "purple", "yellow"))
    scene.place(1_000, "red", 2)
    scene.place(4_000, "green", 3, 4)
    scene.place(7_000, "purple", 5)
    scene.place(10_000, "yellow", 14)
    assert len(laid(scene)) == 4
    return scene


def test_a_growth_that_a_person_chose_keeps_later_entries_as_forced() -> None:
    scene = four()
    grown(scene, {"how": "choice"})
    assert laid(scene) == [("red", [1, 2]), ("green", [3, 4]), ("purple", [5]), ("yellow", [14])]
    assert scene.doc["history"][3]["forced"] == ["not_your_turn"]
    assert scene.doc["history"][2]["free_turn"] == "center_star"


def test_a_growth_by_the_sensors_alone_has_later_pieces_judged_again_and_loses_no_others() -> None:
    """Yellow's piece lies there and is refused now; what was entered by hand after it stays, as forced."""
    scene = four()
    assert scene.act("place", player="red", spaces=[24]) is None
    grown(scene, {"by": "table"})
    assert laid(scene) == [("red", [1, 2]), ("green", [3, 4]), ("purple", [5]), ("red", [24])]
    assert scene.doc["history"][3]["forced"] == ["not_touching_any", "not_your_turn"]


def test_two_pieces_that_are_one_become_the_entry_of_the_first() -> None:
    """Red's wedges on 6 and 15 and a new magnet on 1 are one kite; green's arrow in between touches it."""
    scene = opened()
    scene.place(9_000, "red", 15)
    game = scene.table.game
    assert isinstance(game, CirkisTable)
    kite = default_piece_set().by_mask[mask_of((1, 6, 15))]
    merge = Merge(0, 2, PlayerColour.RED, kite)
    entry = game.entry(merge, scene.table.lies, "Ada", {"how": "choice"})
    said = scene.table.intervention(entry)
    assert said is not None
    assert said.text == (
        "Chosen on the page: Move 3, red's wedge on space 15, was taken out; move 1: red's wedge on space "
        "6 became a kite on spaces 1, 6 and 15."
    )
    scene.land(12_000, "red", 1)
    scene.table, entries = scene.table.enter((entry,))
    scene.kept += entries
    assert laid(scene) == [("red", [1, 6, 15]), ("green", [16])]
    scene.quiet(15_000)
    assert scene.doc["message"] is None
    assert scene.doc["turn"] == "red"
