"""Games put aside for another evening: the table is cleared, set up again, and the game goes on as it was."""

from __future__ import annotations

import pytest
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
    put_right,
    said,
    sat_down,
)

SEEN_MS = 2_000
OTHER = header("green", "red")
OTHER_LINES = random_game(1, OTHER)[:2]


def put_aside(rig: Rig) -> str:
    """Put the current game aside and clear the table; the game's id."""
    game_id = str(rig.doc["game_id"])
    act(rig, "put_aside")
    doc = rig.run(500)
    assert (doc["phase"], doc["game_id"]) == ("waiting", None)
    said(rig, "fault sweep")
    rig.run(SEEN_MS)
    assert rig.doc["phase"] == "waiting"
    return game_id


def play_another(rig: Rig) -> None:
    """Begin another game, make two moves, and clear the table."""
    act(rig, "new_game", **OTHER)
    for number, line in enumerate(OTHER_LINES):
        rig.do(place(line, 60))
        rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)  # noqa: B023 - called at once
    rig.run(FINAL_MS)


def test_a_game_put_aside_goes_on_when_the_table_is_set_up_again(new_rig: NewRig) -> None:
    """Another game is played meanwhile, and the host restarted. The page asks for each piece."""
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    game_id = put_aside(rig)
    play_another(rig)
    other_id = put_aside(rig)
    rig.restart()
    rig.run(SEEN_MS)
    act(rig, "resume_game", game_id=game_id)
    doc = rig.run(SEEN_MS)
    assert (doc["game_id"], doc["phase"], doc["message"]["kind"]) == (game_id, "hold", "restore")
    assert asked(doc["message"]) == set(there)
    obey(rig)
    assert lying(rig) == there
    assert game(rig) == before
    lay(rig, 4)
    rig.run(FINAL_MS)
    assert_scored(rig, 5)
    act(rig, "resume_game", game_id=other_id)
    rig.run(SEEN_MS)
    assert [line["spaces"] for line in rig.doc["history"]] == [sorted(line["spaces"]) for line in OTHER_LINES]
    assert rig.doc["phase"] == "hold"


@pytest.mark.parametrize("when", ["before it is resumed", "after it is resumed"])
def test_a_table_set_up_wrongly_is_put_right_before_play_goes_on(when: str, new_rig: NewRig) -> None:
    """Two pieces changed places and one is forgotten, whether the button was pressed before or after."""
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    game_id = put_aside(rig)
    if when == "after it is resumed":
        act(rig, "resume_game", game_id=game_id)
    rig.do("place red 46,47 over 100", "place green 16,31 over 100", "place red 2,8 over 100")
    rig.run(SEEN_MS)
    if when == "before it is resumed":
        act(rig, "resume_game", game_id=game_id)
        rig.run(SEEN_MS)
    assert (rig.doc["phase"], rig.doc["message"]["kind"]) == ("hold", "restore")
    assert asked(rig.doc["message"]) == {"46", "47", "16", "31", "17", "27"}
    obey(rig)
    assert lying(rig) == there
    assert game(rig) == before


def test_a_game_may_be_resumed_at_any_moment_of_setting_up(new_rig: NewRig) -> None:
    """The hand is in the middle of a piece when the button is pressed; what lies there counts as put back."""
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    game_id = put_aside(rig)
    rig.do("place red 2,8 over 50")
    rig.board.command("place green 17,27 over 400")
    rig.run(200)
    act(rig, "resume_game", game_id=game_id)
    rig.run(SEEN_MS)
    assert asked(rig.doc["message"]) == {"16", "31", "46", "47"}
    put_right(rig, there, 2)
    rig.run(SEEN_MS)
    assert game(rig) == before
    lay(rig, 4)
    assert rig.doc["history"][-1]["spaces"] == sorted(LINES[4]["spaces"])
