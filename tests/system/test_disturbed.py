"""Tables that hands have disturbed: play holds, the page says what to do, and the game goes on as it was."""

from __future__ import annotations

import pytest
from tests.system.conftest import NewRig
from tests.system.games import header, place
from tests.system.sittings import (
    FINAL_MS,
    LINES,
    asked,
    assert_scored,
    differing,
    free_beside,
    game,
    lay,
    lying,
    obey,
    put_right,
    said,
    sat_down,
)

DISTURBED = [
    "fault knock at=2,27 floor=0 seed=1",
    "fault knock at=16,17,8 floor=100",
    "fault knock at=2,16,17,46 floor=50 seed=2",
    "fault swap seed=3",
    "fault shove count=1 seed=4",
    "fault shove count=3 seed=5",
    "fault turn seed=6",
    "fault sweep",
]
SOON_MS = 2_500
"""What has been off for so long has been lifted, and what has landed is taken for what it is."""


def test_a_disturbed_table_is_held_until_the_page_is_obeyed(new_rig: NewRig) -> None:
    """Knocked over, swept, swapped, shoved, turned: each space that is wrong is named."""
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    for fault in DISTURBED:
        told = said(rig, fault)
        doc = rig.run(SOON_MS)
        wrong = differing(rig, there)
        assert wrong, (fault, told)
        assert (doc["phase"], doc["message"]["kind"]) == ("hold", "restore"), (fault, told, doc["message"])
        assert wrong <= asked(doc["message"]), (fault, told, doc["message"])
        assert doc["spaces"] == there
        obey(rig)
        assert game(rig) == before, (fault, told)
        assert lying(rig) == there
    lay(rig, 4)
    rig.run(FINAL_MS)
    assert_scored(rig, 5)


def test_a_disturbed_table_may_be_put_right_in_any_order(new_rig: NewRig) -> None:
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    for seed, fault in enumerate(DISTURBED):
        told = said(rig, fault)
        rig.run(SOON_MS)
        assert rig.doc["phase"] == "hold"
        put_right(rig, there, seed)
        rig.run(SOON_MS)
        assert game(rig) == before, (fault, told)
    assert_scored(rig, 4)


def test_the_hand_that_disturbs_is_not_taken_for_a_player(new_rig: NewRig) -> None:
    """Straightened, also while a piece is laid, bumped, a magnet carried over the board: not a word."""
    rig = sat_down(new_rig)
    before, shown = game(rig), len(rig.shown)
    for seed, fault in enumerate(["nudge", "nudge count=4 ms=800", "nudge count=4 ms=20", "jolt", "passing"]):
        said(rig, f"fault {fault}" + ("" if fault == "jolt" else f" seed={seed}"))
        rig.run(1_700)
        assert game(rig) == before, fault
        assert len(rig.shown) == shown, fault
    said(rig, "fault straighten-while-placing count=2 seed=8")
    for number in (4, 5):
        lay(rig, number)
        assert rig.doc["message"] is None
    rig.run(FINAL_MS)
    assert_scored(rig, 6)


@pytest.mark.parametrize("reads", ["nothing", "weak"])
def test_a_piece_half_in_its_seat_names_the_space(reads: str, new_rig: NewRig) -> None:
    """The next piece sits badly at a space, then one that lies there does: pressed down, play goes on."""
    rig = sat_down(new_rig)
    said(rig, f"fault half-seated reads={reads} seed=4")
    assert said(rig, "place red 26,36,56 over 60") == "half-seated: 36 does not sit well"
    doc = rig.run(SOON_MS)
    assert (doc["moves"], doc["phase"]) == (4, "hold")
    assert "36" in doc["message"]["text"], doc["message"]
    said(rig, "press 36")
    doc = rig.run(SOON_MS)
    assert (doc["history"][-1]["spaces"], doc["message"]) == ([26, 36, 56], None)
    for space in (16, 26):
        said(rig, f"fault half-seated at={space} reads={reads}")
        doc = rig.run(SOON_MS)
        assert (doc["phase"], doc["message"]["reasons"]) == ("playing", ["half_seated"])
        assert str(space) in doc["message"]["text"]
        said(rig, f"press {space}")
        rig.run(SOON_MS)
        assert rig.doc["message"] is None
    assert rig.doc["moves"] == 5


def test_a_piece_that_reads_as_a_smaller_one_grows_when_it_is_pressed_down(new_rig: NewRig) -> None:
    rig = sat_down(new_rig)
    said(rig, "fault half-seated seed=4")
    said(rig, place(LINES[4], 60))
    assert rig.run(1_000)["history"][-1]["shape"] == "small slice"
    said(rig, "press 107")
    rig.run(FINAL_MS)
    assert rig.doc["message"] is None
    assert_scored(rig, 5)


def test_what_is_laid_wrongly_is_refused_by_its_name_and_lifted(new_rig: NewRig) -> None:
    """A stranger, the wrong colour, out of turn: each is refused, nothing is recorded, and play goes on."""
    rig = sat_down(new_rig)
    before, there = game(rig), lying(rig)
    for line, reason, laying in (
        ("fault stranger seed=1", "unknown_player", None),
        ("fault out-of-turn seed=2", "not_your_turn", None),
        ("fault wrong-colour colour=green", "not_your_turn", place(LINES[4], 60)),
        ("fault wrong-colour colour=purple", "unknown_player", place(LINES[4], 60)),
    ):
        said(rig, line)
        if laying is not None:
            said(rig, laying)
        doc = rig.run(SOON_MS)
        assert doc["phase"] == "hold"
        assert reason in doc["message"]["reasons"], (line, doc["message"])
        wrong = differing(rig, there)
        assert wrong <= asked(doc["message"])
        assert all(space in doc["message"]["text"] for space in wrong) or reason == "not_your_turn"
        obey(rig)
        assert game(rig) == before, line
    lay(rig, 4)
    rig.run(FINAL_MS)
    assert_scored(rig, 5)


def test_the_next_player_may_be_quicker_than_the_table(new_rig: NewRig) -> None:
    """Kind 32 and its neighbours: the other colour lands 1 to 300 ms later; both pieces count, in order."""
    rig = sat_down(new_rig, 2)
    for number, fault in enumerate(["two-hands", "too-fast ms=1", "too-fast ms=100", "too-fast ms=300"]):
        moves, player = rig.doc["moves"], rig.doc["turn"]
        other = {"red": "green", "green": "red"}[player]
        space = free_beside(rig, player)
        said(rig, f"fault {fault} colour={other} seed={number}")
        told = said(rig, f"place {player} {space}")
        rig.run(FINAL_MS + 700)
        second = int(told.split()[2])
        laid = [(line["player"], line["spaces"]) for line in rig.doc["history"][moves:]]
        assert laid == [(player, [space]), (other, [second])], (fault, told, rig.doc["message"])
    assert rig.doc["message"] is None


def test_colours_of_one_pole_are_told_apart(new_rig: NewRig) -> None:
    """Red and purple are one pole, strong and weak: changed places, or one pushed to where the other lay."""
    rig = new_rig(header=header("red", "purple", "green"))
    for number, line in enumerate(
        ("place red 5,14 over 60", "place purple 15,25 over 60", "place green 26,45 over 60")
    ):
        rig.do(line)
        rig.until(lambda doc: doc["moves"] > number, 3_000)  # noqa: B023 - called at once
    rig.run(FINAL_MS)
    before, there = game(rig), lying(rig)
    for fault in ("fault swap at=5,15", "fault swap at=15,26", "fault knock at=5,15 floor=50 seed=2"):
        told = said(rig, fault)
        doc = rig.run(SOON_MS)
        assert (doc["phase"], doc["message"]["kind"]) == ("hold", "restore"), told
        assert differing(rig, there) <= asked(doc["message"]), (told, doc["message"])
        obey(rig)
        assert game(rig) == before, told
        assert lying(rig) == there
