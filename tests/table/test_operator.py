"""What an operator may do: undo, redo, passes, rulings, corrections, rounds."""

from __future__ import annotations

import random
from pathlib import Path

from tests.table.scene import Scene, laid

from tablewire.games.records import score_text

SEED_WITH_A_PASS = 2
"""A random game in which somebody is passed over who has used up what would fit."""


def opened(**options: object) -> Scene:
    scene = Scene(**options)  # type: ignore[arg-type]
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    return scene


def test_undo_waits_for_the_piece_to_be_lifted_and_does_not_read_it_again() -> None:
    scene = opened()
    assert scene.act("undo") is None
    assert laid(scene) == [("red", [6])]
    doc = scene.quiet(9_000)
    assert doc["phase"] == "hold"
    assert doc["message"]["steps"] == [{"do": "lift", "spaces": [16], "colour": "green"}]
    scene.clear(9_100, 16)
    doc = scene.quiet(10_400)
    assert doc["message"] is None
    assert doc["turn"] == "green"
    scene.land(11_000, "green", 25)
    scene.quiet(11_700)
    assert laid(scene) == [("red", [6]), ("green", [25])]


def test_undo_to_empty_and_redo_all() -> None:
    scene = opened()
    before = scene.doc
    assert scene.act("undo") is None
    assert scene.act("undo") is None
    assert scene.doc["moves"] == 0
    refusal = scene.act("undo")
    assert refusal is not None
    assert refusal.reason == "nothing_to_undo"
    assert scene.act("redo") is None
    assert scene.act("redo") is None
    after = scene.doc
    assert {key: after[key] for key in ("laid", "players", "turn", "message", "leader")} == {
        key: before[key] for key in ("laid", "players", "turn", "message", "leader")
    }
    assert scene.act("redo") is not None


def test_a_pass_needs_the_option() -> None:
    scene = opened()
    refusal = scene.act("pass")
    assert refusal is not None
    assert refusal.reason == "pass_while_able"
    scene = opened(voluntary_pass=True)
    assert scene.doc["actions"]["pass"] is True
    assert scene.act("pass") is None
    assert scene.doc["turn"] == "green"


def test_a_ruling_changes_the_score_and_goes_into_the_record() -> None:
    scene = opened()
    assert scene.act("ruling", points={"red": 5}, note="dropped piece") is None
    assert scene.doc["players"][0]["score"] == 5
    assert "dropped piece" in scene.table.record()
    refusal = scene.act("ruling", points={"purple": 5})
    assert refusal is not None
    assert refusal.malformed


def test_a_correction_replays_everything_after_it() -> None:
    scene = opened()
    assert scene.act("correct", n=2, line={"player": "green", "spaces": [25]}, note="misread") is None
    assert laid(scene) == [("red", [6]), ("green", [25])]
    assert scene.quiet(9_000)["message"]["kind"] == "restore"


def test_a_correction_that_makes_a_later_entry_illegal_is_refused_or_kept_as_forced() -> None:
    """Red's first piece on 10 instead: green's dart on 16 no longer touches the Leader."""
    scene = opened()
    line = {"player": "red", "spaces": [10]}
    refusal = scene.act("correct", n=1, line=line, note="")
    assert refusal is not None
    assert refusal.reason == "would_be_illegal"
    assert refusal.text == (
        "Move 2, green's arrow on space 16, would be against the rules: it does not touch the Leader, the "
        "piece placed last."
    )
    assert scene.act("correct", n=1, line=line, note="", keep_forced=True) is None
    assert scene.doc["last"]["forced"] == ["not_touching_leader"]


def test_the_record_of_a_corrected_game_scores_the_same() -> None:
    scene = opened()
    scene.act("ruling", points={"green": 5})
    scene.act("correct", n=1, line={"player": "red", "spaces": [10]}, note="", keep_forced=True)
    *lines, result = score_text(scene.table.record(), "record", Path())
    assert lines[-1] == scene.doc["last"]
    assert result["result"]["scores"] == {p["colour"]: p["score"] for p in scene.doc["players"]}


def test_a_passed_over_player_who_lays_a_piece_hears_which_stock_says_so() -> None:
    """A seeded game up to the first pass for want of pieces; the player passed over then lays what would
    fit."""
    rng = random.Random(SEED_WITH_A_PASS)
    scene = Scene()
    at_ms = 1_000
    for _ in range(60):
        choice = rng.choice(scene.table.legal()["placements"])
        scene.land(at_ms, scene.doc["turn"], *choice["spaces"])
        doc = scene.quiet(at_ms + 2_200)
        at_ms += 2_300
        found = wanting(scene)
        if found is not None:
            break
        if doc["turn"] is None:
            raise AssertionError("the seed's game ended first: choose another seed")
    assert found is not None
    player, shape, spaces = found
    scene.land(at_ms, player, *spaces)
    message = scene.quiet(at_ms + 2_200)["message"]
    assert message["kind"] == "illegal"
    assert message["reasons"] == ["none_left", "not_your_turn"]
    assert f"the piece set in use says {player.capitalize()} has no {shape} left" in message["text"]
    assert "was passed over" in message["text"]


def wanting(scene: Scene) -> tuple[str, str, tuple[int, ...]] | None:
    """A player just passed over, and a piece that would fit if only the stock had one."""
    moves = scene.table.game.moves  # type: ignore[union-attr]
    for player in scene.doc["passed_over"]:
        for placement in moves.rules.pieces.placements:
            if moves.rules.judge(moves.state, player, placement.spaces) == ("none_left", "not_your_turn"):
                own = sum(1 << (space - 1) for space, colour in moves.position.items() if colour == player)
                if not any(
                    q.mask & placement.mask == placement.mask and q.mask & own
                    for q in moves.rules.pieces.placements
                ):
                    return str(player), placement.shape, placement.spaces
    return None


def test_after_the_end_lifts_record_nothing_and_undo_is_on_the_page() -> None:
    """Target 10: red completes the star and the game is over; clearing the table changes nothing."""
    scene = Scene(target=10, rulebook="international")
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    assert scene.doc["phase"] == "playing"
    scene = Scene(target=10)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    assert scene.doc["turn"] == "red"
    scene.place(13_000, "red", 10)
    over = scene.doc
    assert over["phase"] == "over"
    assert over["result"]["winners"] == ["red"]
    scene.clear(17_000, 1, 2, 3, 4, 5, 10)
    scene.quiet(20_000)
    assert scene.doc["laid"] == over["laid"]
    assert scene.doc["result"] == over["result"]
    assert scene.act("undo") is None
    assert scene.doc["result"] is None
    assert scene.doc["phase"] == "hold"
    assert scene.doc["message"]["kind"] == "restore"


def test_a_match_opens_the_next_round_on_a_cleared_board() -> None:
    scene = Scene(target=10, match=100)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    scene.place(13_000, "red", 10)
    assert scene.doc["phase"] == "over"
    assert scene.doc["actions"]["next_round"] is True
    assert scene.act("next_round") is None
    assert scene.doc["round"] == 2
    assert scene.doc["turn"] == "green"
    assert scene.doc["totals"] == {"red": 10, "green": 0}
    assert scene.doc["phase"] == "waiting"
    assert scene.quiet(20_000)["moves"] == 0
    scene.clear(21_000, 1, 2, 3, 4, 5, 10)
    assert scene.quiet(23_000)["phase"] == "playing"
    scene.land(24_000, "green", 6)
    assert scene.quiet(25_000)["moves"] == 1


def test_a_move_brought_back_after_its_piece_was_lifted_asks_for_the_piece() -> None:
    """Undo, lift as asked, redo: the move counts again, and its piece is to be put back."""
    scene = opened()
    assert scene.act("undo") is None
    scene.clear(9_000, 16)
    scene.quiet(10_300)
    assert scene.act("redo") is None
    assert laid(scene) == [("red", [6]), ("green", [16])]
    doc = scene.quiet(13_000)
    assert doc["message"]["kind"] == "restore"
    assert doc["message"]["steps"] == [{"do": "place", "spaces": [16], "colour": "green"}]
    scene.land(13_100, "green", 16)
    doc = scene.quiet(14_000)
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert doc["phase"] == "playing"
    assert doc["message"] is None


def test_what_was_undone_is_forgotten_only_with_another_move() -> None:
    """Neither a ruling, nor a mask, nor lifting a piece loses it; the next piece does."""
    scene = opened()
    scene.place(8_000, "red", 26)
    assert scene.act("undo", count=2) is None
    assert scene.act("ruling", points={"red": 5}) is None
    assert scene.act("mask", sensors=[150], masked=True) is None
    assert scene.act("redo") is None
    scene.clear(12_000, 26)
    scene.quiet(14_000)
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert scene.act("redo") is None
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [26])]
    assert scene.act("undo") is None
    scene.place(15_000, "red", 25)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [25])]
    refusal = scene.act("redo")
    assert refusal is not None
    assert refusal.reason == "nothing_to_redo"
