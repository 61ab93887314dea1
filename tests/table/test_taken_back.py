"""Taking moves back and bringing them back: the list of moves follows, and so does the table."""

from __future__ import annotations

from tests.table.scene import Scene, laid, opened
from tests.table.test_corrections import match


def test_several_moves_are_taken_back_and_brought_back_at_once() -> None:
    scene = opened()
    scene.place(9_000, "red", 26)
    before = scene.doc
    assert scene.act("undo", count=3) is None
    assert laid(scene) == []
    steps = scene.doc["message"]["steps"]
    assert {step["do"] for step in steps} == {"lift"}
    assert sorted(space for step in steps for space in step["spaces"]) == [6, 16, 26]
    assert scene.doc["phase"] == "hold"
    assert scene.act("redo", count=3) is None
    after = scene.doc
    for key in ("laid", "players", "turn", "leader", "message", "phase", "history"):
        assert after[key] == before[key], key


def test_more_than_there_are_cannot_be_taken_back_and_then_nothing_is() -> None:
    scene = opened()
    refusal = scene.act("undo", count=3)
    assert refusal is not None
    assert refusal.reason == "nothing_to_undo"
    assert len(laid(scene)) == 2
    assert scene.act("undo") is None
    refusal = scene.act("redo", count=2)
    assert refusal is not None
    assert refusal.reason == "nothing_to_redo"
    assert len(laid(scene)) == 1


def test_what_was_asked_of_another_list_of_moves_is_not_done() -> None:
    """A move came in between; nobody knows which ones were meant now."""
    scene = opened()
    for name, body in (
        ("undo", {"count": 1}),
        ("correct", {"n": 1, "do": "remove", "keep_forced": True, "drop_rest": True}),
    ):
        refusal = scene.act(name, seen=1, **body)
        assert refusal is not None
        assert (refusal.reason, refusal.malformed) == ("changed", False)
    assert len(laid(scene)) == 2
    assert scene.act("undo", count=1, seen=2) is None
    assert len(laid(scene)) == 1


def test_a_count_that_is_none_is_malformed() -> None:
    for count in (0, -1, True, "2", 1.0):
        refusal = opened().act("undo", count=count)
        assert refusal is not None
        assert refusal.malformed


def test_moves_are_taken_back_past_the_end_of_a_round_and_brought_back() -> None:
    scene = match()
    before = scene.doc
    assert scene.act("undo", count=3) is None
    assert scene.doc["round"] == 1
    assert laid(scene) == [("red", [2, 3]), ("green", [4, 5]), ("red", [1])]
    assert scene.doc["turn"] == "red"
    steps = scene.doc["message"]["steps"]
    assert steps[0]["do"] == "lift"
    assert steps[0]["spaces"] == [6]
    assert sorted(space for step in steps[1:] for space in step["spaces"]) == [1, 2, 3, 4, 5]
    assert scene.act("redo", count=3) is None
    after = scene.doc
    for key in ("laid", "players", "turn", "message", "phase", "round", "totals", "history"):
        assert after[key] == before[key], key


def test_taking_back_only_the_opening_of_a_round_asks_for_nothing() -> None:
    """The round before is over: what lies on the table then does not matter, cleared or not."""
    scene = match()
    assert scene.act("undo", count=2) is None
    assert scene.doc["phase"] == "over"
    assert scene.doc["result"]["winners"] == ["red"]
    assert scene.doc["message"] is None or scene.doc["message"]["kind"] != "restore"
    assert scene.act("redo") is None
    assert scene.doc["round"] == 2
    assert scene.doc["phase"] == "waiting"
    assert scene.doc["message"]["steps"][0]["spaces"] == [6]


def test_taking_back_the_first_move_is_not_special() -> None:
    scene = Scene()
    scene.place(1_000, "red", 6)
    assert scene.act("undo") is None
    assert scene.doc["phase"] == "hold"
    assert scene.doc["message"]["kind"] == "restore"
    scene.clear(4_000, 6)
    assert scene.quiet(6_000)["phase"] == "playing"
    scene.place(7_000, "red", 6)
    assert laid(scene) == [("red", [6])]


def test_lifting_a_piece_that_was_brought_back_takes_it_back_again() -> None:
    scene = opened()
    assert scene.act("undo") is None
    assert scene.act("redo") is None
    scene.clear(9_000, 16)
    doc = scene.quiet(11_000)
    assert laid(scene) == [("red", [6])]
    assert doc["message"] is None
    assert scene.act("redo") is None
    assert scene.doc["message"]["steps"] == [{"do": "place", "spaces": [16], "colour": "green"}]


def test_undo_with_the_piece_in_hand_takes_back_that_piece_and_no_other() -> None:
    """The piece is off its space for a moment only when Undo is touched; then it is laid elsewhere."""
    scene = opened()
    scene.clear(9_000, 16)
    scene.quiet(9_400)
    assert scene.act("undo") is None
    assert laid(scene) == [("red", [6])]
    doc = scene.quiet(12_000)
    assert laid(scene) == [("red", [6])]
    assert doc["phase"] == "playing"
    assert doc["message"] is None
    scene.place(13_000, "green", 25)
    assert laid(scene) == [("red", [6]), ("green", [25])]


def test_after_an_undo_lifting_another_piece_takes_nothing_back() -> None:
    """Red's 6 was not the last move when it was laid down; it is asked for, like any piece that goes."""
    scene = opened()
    assert scene.act("undo") is None
    scene.clear(9_000, 16, 6)
    doc = scene.quiet(12_000)
    assert laid(scene) == [("red", [6])]
    assert doc["message"]["steps"] == [{"do": "place", "spaces": [6], "colour": "red"}]


def test_a_move_that_is_no_longer_legal_is_not_brought_back() -> None:
    """Green's arrow touched red on 6; a correction has put red elsewhere meanwhile."""
    scene = opened()
    assert scene.act("undo") is None
    assert scene.act("correct", n=1, line={"player": "red", "spaces": [10]}) is None
    refusal = scene.act("redo")
    assert refusal is not None
    assert refusal.reason == "no_longer_legal"
    assert laid(scene) == [("red", [10])]


def test_before_any_board_was_seen_moves_can_be_taken_back_too() -> None:
    """A game from a record, with no board connected."""
    scene = Scene.__new__(Scene)
    fresh = Scene()
    scene.pinned, scene.kept, scene.table = fresh.pinned, [], type(fresh.table).begin(fresh.pinned)
    assert scene.act("place", player="red", spaces=[6]) is None
    assert scene.act("undo") is None
    assert laid(scene) == []
    assert scene.doc["phase"] == "playing"
