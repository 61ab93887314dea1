"""Correcting: the list of moves is replayed, and the table follows."""

from __future__ import annotations

from typing import Any

from tests.games.by_hand import few
from tests.table.scene import Scene, laid, opened

from tablewire.games.live import Told


def match() -> Scene:
    """A match whose first round red ends with move 4; the board is cleared, and green has begun round 2."""
    scene = Scene(target=10, match=100)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    scene.place(13_000, "red", 10)
    assert scene.act("next_round") is None
    scene.clear(17_000, 1, 2, 3, 4, 5, 10)
    scene.quiet(19_000)
    scene.place(20_000, "green", 6)
    return scene


def preview(scene: Scene, name: str = "correct", **body: Any) -> dict[str, Any]:
    """What an action would do; nothing is done."""
    before = scene.doc
    told = scene.table.act(name, {**body, "preview": True})
    assert isinstance(told, Told), told
    assert scene.doc == before
    found = told.body["preview"]
    assert isinstance(found, dict)
    return found


def lines(scene: Scene) -> list[str]:
    """The lines of the record after its header."""
    return scene.table.record().splitlines()[1:]


def test_the_player_of_an_entry_is_corrected_and_scores_follow() -> None:
    """It was green who began: red's arrow on 16 touches it, so nothing else changes."""
    scene = Scene(players=("red", "green", "purple"))
    scene.place(1_000, "red", 6)
    assert scene.act("correct", n=1, line={"player": "green", "spaces": [6], "forced": True}) is None
    assert laid(scene) == [("green", [6])]
    assert scene.doc["turn"] == "purple"
    assert scene.doc["history"][0]["forced"] == ["not_your_turn"]


def test_a_correction_that_says_what_lies_there_asks_for_nothing() -> None:
    """A magnet did not read: red's wedge is in truth a small slice, and its other space reads now."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.land(9_000, "red", 15)
    assert scene.quiet(12_000)["phase"] == "hold"
    assert scene.act("correct", n=1, line={"player": "red", "spaces": [6, 15]}, note="misread") is None
    assert scene.doc["message"] is None
    assert scene.doc["phase"] == "playing"
    assert laid(scene) == [("red", [6, 15])]


def test_a_correction_that_makes_a_piece_larger_names_the_space_that_does_not_read_and_play_goes_on() -> None:
    """A magnet never read: red's wedge is in truth a small slice, and its other sensor says nothing."""
    scene = opened()
    assert scene.act("correct", n=1, line={"player": "red", "spaces": [6, 15]}, note="misread") is None
    doc = scene.quiet(12_000)
    assert (doc["phase"], doc["turn"]) == ("playing", "red")
    assert doc["message"]["reasons"] == ["half_seated"]
    assert doc["message"]["steps"] == [{"do": "place", "spaces": [15], "colour": "red"}]
    scene.place(13_000, "red", 26)
    assert laid(scene) == [("red", [6, 15]), ("green", [16]), ("red", [26])]


def test_a_correction_guides_what_lies_differently() -> None:
    scene = opened()
    assert scene.act("correct", n=2, line={"player": "green", "spaces": [25]}) is None
    steps = scene.doc["message"]["steps"]
    assert [(step["do"], step["spaces"]) for step in steps] == [("lift", [16]), ("place", [25])]
    scene.land(9_000, "green", 25)
    scene.clear(9_500, 16)
    doc = scene.quiet(12_000)
    assert doc["message"] is None
    assert laid(scene) == [("red", [6]), ("green", [25])]


def test_an_entry_is_taken_out_and_another_is_put_in() -> None:
    scene = opened()
    assert scene.act("correct", n=2, do="remove") is None
    assert laid(scene) == [("red", [6])]
    assert scene.act("correct", n=2, do="insert", line={"player": "green", "spaces": [16]}) is None
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert scene.doc["message"] is None


def test_a_preview_names_the_first_entry_that_could_not_stay_and_changes_nothing() -> None:
    """Red began on 10 instead: green's arrow on 16 does not touch it; red's wedge on 26 touches 16 still."""
    scene = opened()
    scene.place(9_000, "red", 26)
    told = preview(scene, n=1, line={"player": "red", "spaces": [10]})
    assert told["possible"] is True
    assert told["first_illegal"]["n"] == 2
    assert told["first_illegal"]["reasons"] == ["not_touching_leader"]
    assert told["first_illegal"]["line"] == {"player": "green", "spaces": [16]}
    assert told["forced"] == [2]
    assert told["lost"] == []
    assert told["scores"] == {"red": 0, "green": 0}
    assert told["next"] == "green"
    refusal = scene.act("correct", n=1, line={"player": "red", "spaces": [10]})
    assert refusal is not None
    assert refusal.reason == "would_be_illegal"
    assert refusal.details["preview"] == told
    assert laid(scene)[0] == ("red", [6])


def test_an_entry_whose_space_is_filled_now_is_given_up_only_when_that_is_asked_for() -> None:
    """Red's first piece covers 6 and 15; later green came to 15, which cannot be any more."""
    scene = opened()
    scene.place(9_000, "red", 26)
    scene.place(12_000, "green", 25)
    body: dict[str, Any] = {"n": 1, "line": {"player": "red", "spaces": [16, 6]}}
    told = preview(scene, **body)
    assert told["lost"] == [2]
    assert told["first_illegal"]["reasons"] == ["space_filled"]
    refusal = scene.act("correct", **body, keep_forced=True)
    assert refusal is not None
    assert refusal.details["preview"]["lost"] == [2]
    assert len(laid(scene)) == 4
    assert scene.act("correct", **body, keep_forced=True, drop_rest=True) is None
    assert laid(scene) == [("red", [6, 16]), ("red", [26]), ("green", [25])]


def test_what_cannot_be_laid_is_no_correction_whatever_is_kept_or_given_up() -> None:
    scene = opened()
    for spaces in ([6], [7, 16, 99], [], [0], [166]):
        line = {"player": "green", "spaces": spaces}
        assert preview(scene, n=2, line=line)["possible"] is False
        refusal = scene.act("correct", n=2, line=line, keep_forced=True, drop_rest=True)
        assert refusal is not None
        assert refusal.reason == "would_be_illegal"
    assert laid(scene) == [("red", [6]), ("green", [16])]


def test_the_entry_that_ended_the_game_is_corrected() -> None:
    """Red's last wedge lay on 11, not 10: the round goes on or ends as the rules say, as do the scores."""
    scene = Scene(target=10)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    scene.place(13_000, "red", 10)
    assert scene.doc["phase"] == "over"
    assert scene.act("correct", n=3, line={"player": "red", "spaces": [10]}, drop_rest=True) is None
    assert scene.doc["phase"] != "over"
    assert scene.doc["result"] is None
    assert {player["colour"]: player["score"] for player in scene.doc["players"]} == {"red": 0, "green": 0}
    assert laid(scene) == [("red", [2, 3]), ("green", [4, 5]), ("red", [10])]


def test_a_pass_becomes_a_turn_and_a_turn_a_forced_pass() -> None:
    scene = Scene(voluntary_pass=True)
    scene.place(1_000, "red", 6)
    assert scene.act("pass") is None
    scene.place(4_000, "red", 16)
    told = preview(scene, n=2, line={"player": "green", "spaces": [2]})
    assert told["forced"] == [3]
    assert scene.act("correct", n=2, line={"player": "green", "spaces": [2]}, keep_forced=True) is None
    assert [line["player"] for line in scene.doc["history"]] == ["red", "green", "red"]
    scene = opened()
    assert scene.act("correct", n=2, line={"player": "green", "pass": True, "forced": True}) is None
    assert scene.doc["turn"] == "red"
    assert scene.doc["history"][1]["forced"] == ["pass_while_able"]


def test_a_pass_that_the_rules_do_not_allow_is_put_in_as_forced() -> None:
    """Red has left the table for a moment; the others agree that the turn is lost."""
    scene = opened()
    body: dict[str, Any] = {"n": 3, "do": "insert", "line": {"player": "red", "pass": True}}
    assert preview(scene, **body)["forced"] == [3]
    assert scene.act("correct", **body, keep_forced=True, note="phone") is None
    assert scene.doc["turn"] == "green"
    assert lines(scene)[2] == '{"player": "red", "pass": true, "forced": true}'
    scene.place(9_000, "green", 26)
    assert laid(scene)[-1] == ("green", [26])


def test_a_ruling_is_corrected_and_taken_out() -> None:
    scene = opened()
    assert scene.act("ruling", points={"red": 5}, note="dropped") is None
    line = {"ruling": {"points": {"red": 15, "green": -5}, "note": "both dropped"}}
    assert scene.act("correct", n=3, line=line) is None
    assert [player["score"] for player in scene.doc["players"]] == [15, -5]
    assert scene.act("correct", n=3, do="remove") is None
    assert [player["score"] for player in scene.doc["players"]] == [0, 0]


def test_a_round_that_can_no_longer_open_takes_all_of_it_along_and_says_so() -> None:
    """Without red's last piece the round before is not over: nothing of the next one can stand."""
    scene = match()
    assert scene.act("ruling", points={"green": 5}) is None
    told = preview(scene, n=4, do="remove")
    assert told["lost"] == [4, 5, 6]
    assert told["first_illegal"]["n"] == 4
    assert scene.act("correct", n=4, do="remove", drop_rest=True) is None
    assert scene.doc["round"] == 1
    assert laid(scene) == [("red", [2, 3]), ("green", [4, 5]), ("red", [1])]


def test_a_correction_of_an_earlier_round_moves_the_totals_and_not_the_table() -> None:
    scene = match()
    line = {"ruling": {"points": {"green": 5}}}
    assert scene.act("correct", n=5, do="insert", line=line) is None
    assert scene.doc["totals"] == {"red": 10, "green": 5}
    assert scene.doc["round"] == 2
    assert scene.doc["message"] is None


def test_a_correction_is_corrected_back() -> None:
    scene = opened()
    before = scene.doc
    assert scene.act("correct", n=2, line={"player": "green", "spaces": [25]}) is None
    assert scene.act("correct", n=2, line={"player": "green", "spaces": [16]}) is None
    after = scene.doc
    for key in ("laid", "players", "turn", "message", "phase", "history", "leader"):
        assert after[key] == before[key], key


def test_after_a_correction_of_another_entry_the_last_piece_can_still_be_lifted_and_grow() -> None:
    scene = opened()
    scene.land(9_000, "red", 26)
    scene.quiet(9_700)
    assert scene.act("ruling", points={"red": 5}) is None
    assert scene.act("correct", n=4, do="remove") is None
    assert scene.act("correct", n=1, line={"player": "red", "spaces": [15]}, keep_forced=True) is None
    assert scene.doc["history"][-1]["player"] == "red"
    scene.land(10_000, "red", 36)
    scene.quiet(13_000)
    assert laid(scene)[-1] == ("red", [26, 36])


def test_a_malformed_correction_says_what_is_wrong_with_it() -> None:
    scene = opened()
    for body, word in (
        ({"n": 3, "line": {"player": "red", "spaces": [6]}}, "1 to 2"),
        ({"n": 4, "do": "insert", "line": {"player": "red", "spaces": [6]}}, "1 to 3"),
        ({"n": 1}, "line"),
        ({"n": 1, "do": "swap"}, "replace, insert, remove"),
        ({"n": 1, "line": {"player": "red"}}, "line"),
        ({"n": 1, "do": "remove", "line": {"player": "red", "spaces": [6]}}, "removal"),
        ({"n": 1, "do": "remove", "note": "x" * 501}, "note"),
        ({"n": 1, "do": "remove", "by": ""}, "by"),
    ):
        refusal = scene.act("correct", **body)
        assert refusal is not None
        assert refusal.malformed
        assert word in refusal.text
    assert len(laid(scene)) == 2


def test_a_piece_that_was_corrected_to_what_lies_there_is_taken_back_by_lifting_it() -> None:
    """The other magnet of red's wedge on 26 was heard so late that it is asked about."""
    scene = opened()
    scene.place(9_000, "red", 26)
    scene.land(12_000, "red", 36)
    assert scene.quiet(14_000)["message"]["kind"] == "ambiguous"
    assert scene.act("correct", n=3, line={"player": "red", "spaces": [26, 36]}) is None
    assert scene.doc["message"] is None
    scene.clear(15_000, 26, 36)
    assert scene.quiet(17_000)["phase"] == "playing"
    assert laid(scene) == [("red", [6]), ("green", [16])]


def test_a_pass_that_only_stated_what_happened_by_itself_is_given_up_when_it_no_longer_does() -> None:
    """Red has spent its three wedges and is passed over after green's 9. With a Sliver in place of red's 8
    one wedge is left: the same line would be a pass that red chose, which nobody ever did."""
    scene = Scene(pieces=few(wedge=3, sliver=9), voluntary_pass=True)
    for spaces in ([6], [], [7], [], [8], [9]):
        player = scene.doc["turn"]
        answer = scene.act("place", player=player, spaces=spaces) if spaces else scene.act("pass")
        assert answer is None
    assert scene.doc["passed_over"] == ["red"]
    stated = {"player": "red", "pass": True}
    assert scene.act("correct", n=7, do="insert", line=stated) is None
    assert len(scene.doc["history"]) == 7
    change: dict[str, Any] = {
        "n": 5,
        "line": {"player": "red", "spaces": [156]},
        "keep_forced": True,
    }
    assert preview(scene, **change)["lost"] == [7]
    assert scene.act("correct", **change, drop_rest=True) is None
    assert [line["player"] for line in scene.doc["history"]] == ["red", "green"] * 3
