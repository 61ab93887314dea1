"""Taking back, correcting and accepting on the whole table: pieces, page and record agree in the end."""

from __future__ import annotations

from pathlib import Path

from tests.system.conftest import NewRig
from tests.system.games import header, place, random_game
from tests.system.rig import Rig
from tests.system.sittings import (
    FINAL_MS,
    LINES,
    PATIENCE_MS,
    act,
    asked,
    assert_scored,
    game,
    lay,
    lying,
    obey,
    said,
    sat_down,
)

from tablewire.games.records import score_text

SOON_MS = 2_500
SHORT = header("red", "green", target=5)
SHORT_LINES = random_game(17, SHORT)
"""A game that ends with its fifth move."""


def assert_record_scores(rig: Rig) -> None:
    """What `tablewire score` says of the record is what the page shows."""
    *lines, result = score_text(rig.core.table.record(), "record", Path())
    shown = [{k: v for k, v in line.items() if k not in ("spaces", "note")} for line in rig.doc["history"]]
    assert shown == lines
    assert result["result"]["scores"] == {p["colour"]: p["score"] for p in rig.doc["players"]}


def test_moves_taken_back_are_lifted_and_brought_back_are_laid(new_rig: NewRig) -> None:
    """Three back, two of them brought back before anybody has lifted a piece, and the last one later."""
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    act(rig, "undo", count=3, by="Ann")
    doc = rig.run(500)
    assert (doc["phase"], doc["moves"], doc["undone"]) == ("hold", 1, 3)
    assert asked(doc["message"]) == {"17", "27", "16", "31", "46", "47"}
    act(rig, "redo", count=2)
    doc = rig.run(500)
    assert (doc["moves"], asked(doc["message"])) == (3, {"46", "47"})
    obey(rig)
    assert (rig.doc["phase"], rig.doc["turn"]) == ("playing", "green")
    act(rig, "redo")
    doc = rig.run(500)
    assert (doc["phase"], asked(doc["message"])) == ("hold", {"46", "47"})
    obey(rig)
    assert game(rig) == before
    assert lying(rig) == there
    lay(rig, 4)
    rig.run(FINAL_MS)
    assert_scored(rig, 5)


def test_the_move_that_ended_the_game_can_be_taken_back(new_rig: NewRig) -> None:
    """Kind 22: the piece is lifted and the game is on again; laid once more, it ends as before."""
    rig = new_rig(header=SHORT)
    for number, line in enumerate(SHORT_LINES):
        rig.do(place(line, 60))
        rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)  # noqa: B023 - called at once
        rig.run(FINAL_MS - 800)
    ended = rig.run(FINAL_MS)
    assert ended["phase"] == "over"
    last = {str(space) for space in SHORT_LINES[-1]["spaces"]}
    act(rig, "undo")
    doc = rig.run(500)
    assert (doc["phase"], doc["result"], asked(doc["message"])) == ("hold", None, last)
    obey(rig)
    assert rig.doc["phase"] == "playing"
    rig.do(place(SHORT_LINES[-1], 60))
    rig.run(FINAL_MS + 800)
    assert {key: rig.doc[key] for key in ("phase", "result", "history")} == {
        key: ended[key] for key in ("phase", "result", "history")
    }
    assert_record_scores(rig)


def test_an_earlier_move_is_corrected_and_the_table_follows(new_rig: NewRig) -> None:
    """Green's second piece was another one: previewed, done, and the page asks for the piece to be moved."""
    rig = sat_down(new_rig)
    there = lying(rig)
    act(rig, "ruling", points={"green": 5}, note="a bet", by="Ann")
    body = {"n": 4, "line": {"player": "green", "spaces": [46]}, "by": "Ann", "note": "it was a wedge"}
    preview = act(rig, "correct", **body, preview=True)["preview"]
    assert (preview["possible"], preview["first_illegal"]) == (True, None)
    assert rig.doc["history"][3]["spaces"] == [46, 47]
    act(rig, "correct", **body)
    doc = rig.run(SOON_MS)
    assert doc["history"][3]["spaces"] == [46]
    assert (doc["phase"], asked(doc["message"])) == ("hold", {"47"})
    obey(rig)
    assert lying(rig) == {space: colour for space, colour in there.items() if space != "47"}
    assert rig.doc["phase"] == "playing"
    assert_record_scores(rig)
    rig.restart()
    rig.run(SOON_MS)
    assert rig.doc["phase"] == "playing"
    assert_record_scores(rig)


def test_the_table_is_taken_as_it_lies(new_rig: NewRig) -> None:
    """A whole round was laid while nobody watched, all of it at once."""
    rig = sat_down(new_rig, 2)
    rig.kill()
    rig.board.command("fault power-cut ms=0")
    for line in LINES[2:4]:
        rig.board.command(place(line, 0))
    rig.now_ms += 1_000
    rig.board.advance(rig.now_ms)
    rig.board.data_to_send()
    rig.board.command("fault off power-cut")
    rig.start()
    rig.run(SOON_MS)
    # The same magnets could be a piece for each space, which is a round as legal: only a person knows.
    message = rig.doc["message"]
    assert (rig.doc["moves"], message["kind"]) == (2, "ambiguous")
    played = message["choices"][0]  # the fewest pieces come first
    assert played["spaces"] == [*LINES[2]["spaces"], *LINES[3]["spaces"]]
    act(rig, "choose", id=played["id"])
    rig.run(SOON_MS)
    assert_scored(rig, 4)


def test_a_piece_that_was_turned_is_kept_as_it_lies(new_rig: NewRig) -> None:
    """A correction with a note; not a move is lost, and pieces that nobody touched are what they were."""
    rig = sat_down(new_rig)
    before = [line["spaces"] for line in rig.doc["history"]]
    said(rig, "fault turn at=17 seed=1")
    doc = rig.run(SOON_MS)
    assert doc["phase"] == "hold"
    there = lying(rig)
    assert doc["actions"]["accept"]
    preview = act(rig, "accept", preview=True)["preview"]
    assert preview["text"]
    act(rig, "accept", by="Ann", note="it lies better so")
    doc = rig.run(SOON_MS)
    assert (doc["phase"], doc["message"]) == ("playing", None)
    assert doc["spaces"] == there == lying(rig)
    assert [line["spaces"] for line in doc["history"]] == [before[0], [7, 17], *before[2:]]
    assert_record_scores(rig)
