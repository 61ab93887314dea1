"""Pieces laid while the board was not heard: taken over where the rules leave one way only, asked for else.

Who laid what in which order is known where the board lived on: its changes come later, in order. After a boot
only a snapshot tells what lies there.
"""

from __future__ import annotations

import pytest
from tests.table.scene import Scene, laid, opened

from tablewire.table import restore

PLAYED = [("red", [6]), ("green", [16])]


def asked(scene: Scene) -> set[str]:
    """The buttons, without what stands before their ids' last colon."""
    return {choice["id"].rpartition(":")[2] for choice in scene.doc["message"]["choices"]}


def test_several_turns_laid_unseen_are_taken_over_when_the_rules_allow_one_line_only() -> None:
    """Red's 26 touches green's 16, green's 45 touches nothing but red's 36 and so on: one order is legal."""
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (45,)})
    scene.quiet(scene.now_ms + 500)
    assert scene.doc["moves"] == 2, "hands may still be at it"
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [45])]
    assert scene.doc["message"] is None
    assert scene.doc["turn"] == "red"


def test_what_was_taken_over_is_told_in_the_audit_and_else_is_like_any_move() -> None:
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (45,)})
    scene.quiet(scene.now_ms + 3_000)
    assert scene.said()[-1] == (
        "commit",
        "table",
        "Read after a cut: Moves 3 and 4, red's wedge on space 36 then green's wedge on space 45.",
    )
    # The last of them can be lifted, as any.
    scene.clear(scene.now_ms + 100, 45)
    scene.quiet(scene.now_ms + 1_500)
    assert laid(scene) == [*PLAYED, ("red", [36])]
    scene.act("undo")
    assert laid(scene) == PLAYED


def test_a_single_piece_laid_unseen_is_a_move_and_named_in_the_audit() -> None:
    scene = opened()
    scene.reboot(lands={"red": (26, 36)})
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [26, 36])]
    assert [text for _, _, text in scene.said()] == [
        "Read after a cut: Move 3, red's small slice on spaces 26 and 36."
    ]


def test_what_could_have_been_played_in_several_ways_is_asked() -> None:
    """Red's 26 and 36 are one small slice, or a wedge before green's and another after it."""
    scene = opened()
    scene.reboot(lands={"red": (26, 36), "green": (56,)})
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == PLAYED
    message = scene.doc["message"]
    assert message["kind"] == "ambiguous"
    assert "While the board was not heard" in message["text"]
    assert "26, 36 and 56" in message["text"]
    assert asked(scene) == {"r26,36;g56", "r26;g56;r36", "r36;g56;r26"}
    (chosen,) = (c["id"] for c in message["choices"] if c["id"].endswith(":r36;g56;r26"))
    assert scene.act("choose", id=chosen) is None
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [56]), ("red", [26])]
    assert scene.quiet(scene.now_ms + 3_000)["message"] is None


def test_the_same_pieces_are_no_question_where_the_board_saw_them_come() -> None:
    """The link was cut, the board was not: its changes come later, in their order."""
    scene = opened()
    scene.land(10_000, "red", 36)
    scene.land(12_000, "green", 56)
    scene.land(14_000, "red", 26)
    scene.quiet(17_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [56]), ("red", [26])]
    assert scene.said() == []


def test_what_no_line_explains_is_not_taken_over_not_even_in_part() -> None:
    """Red's 36 would do, but green's 100 lies nowhere near: with it nothing is known of their order."""
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (100,)})
    doc = scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == PLAYED
    assert doc["message"]["kind"] == "illegal"
    assert doc["message"]["steps"] == [{"do": "lift", "spaces": [100], "colour": "green"}]
    scene.clear(scene.now_ms + 100, 100)
    assert scene.quiet(scene.now_ms + 3_000)["message"] is None
    assert laid(scene) == [*PLAYED, ("red", [36])]


def test_a_table_on_which_something_else_has_changed_is_put_right_first() -> None:
    """A piece of the position is gone: nothing is taken over before it is back."""
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (45,)}, clears=(6,))
    doc = scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == PLAYED
    assert doc["message"]["kind"] == "restore"
    assert {"do": "place", "spaces": [6], "colour": "red"} in doc["message"]["steps"]
    scene.land(scene.now_ms + 100, "red", 6)
    assert scene.quiet(scene.now_ms + 3_000)["message"] is None
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [45])]


def test_a_table_swept_and_laid_anew_is_no_line_of_moves() -> None:
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (45,)}, clears=(6, 16))
    doc = scene.quiet(scene.now_ms + 5_000)
    assert laid(scene) == PLAYED
    assert (doc["phase"], doc["message"]["kind"]) == ("hold", "restore")


def test_the_last_piece_laid_elsewhere_is_not_taken_back_and_laid_by_itself() -> None:
    """Nobody saw the hand: green's 16 is gone, a green piece lies on 5 instead."""
    scene = opened()
    scene.reboot(lands={"green": (5,)}, clears=(16,))
    doc = scene.quiet(scene.now_ms + 5_000)
    assert laid(scene) == PLAYED
    assert (doc["phase"], doc["message"]["kind"]) == ("hold", "restore")


def test_a_piece_still_coming_down_under_a_hand_is_waited_for() -> None:
    """Its first magnet was there at the boot, its last comes a moment later; the other's piece waits too."""
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (45,)})
    at_ms = scene.now_ms
    scene.land(at_ms + 400, "green", 65)
    scene.quiet(at_ms + 900)
    assert laid(scene) == PLAYED
    scene.quiet(at_ms + 4_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [45, 65])]


def test_a_piece_in_the_hand_as_the_power_went_may_be_one_with_what_lies_there_now() -> None:
    """Red's 36 was a move for a second as the power went; then 26 lies beside it, and green's 56."""
    scene = opened()
    scene.land(9_000, "red", 36)
    scene.quiet(10_000)
    assert laid(scene) == [*PLAYED, ("red", [36])]
    scene.reboot(lands={"red": (26,), "green": (56,)})
    doc = scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [36])]
    assert doc["message"]["kind"] == "ambiguous"
    assert asked(scene) == {"26,36", "g56;r26"}
    grow = next(choice["id"] for choice in doc["message"]["choices"] if choice["id"].startswith("grow:"))
    assert scene.act("choose", id=grow) is None
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [26, 36]), ("green", [56])]


def test_a_piece_that_was_final_before_the_power_went_is_what_it_was() -> None:
    scene = opened()
    scene.land(9_000, "red", 36)
    scene.quiet(12_000)
    scene.reboot(lands={"red": (26,), "green": (56,)})
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [56]), ("red", [26])]


def test_a_pass_that_nobody_heard_is_not_made_up() -> None:
    """Red laid twice, and the options let green pass in between: that is asked."""
    scene = Scene(voluntary_pass=True)
    scene.place(1_000, "red", 6)
    scene.quiet(5_000)
    scene.reboot(lands={"red": (17, 27)})
    doc = scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [("red", [6])]
    assert doc["message"]["kind"] == "ambiguous"
    assert asked(scene) == {"pass;r17,27"}


def test_pegs_moved_meanwhile_are_no_moves() -> None:
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (45,)}, pegs={"red": 5})
    doc = scene.quiet(scene.now_ms + 5_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [45])]
    assert doc["message"]["kind"] == "peg"


def test_what_lay_there_before_the_first_move_is_still_no_move() -> None:
    scene = Scene(lying={6: "red", 16: "green"})
    doc = scene.quiet(3_000)
    assert (doc["phase"], doc["message"]["kind"], doc["moves"]) == ("waiting", "setup", 0)


@pytest.mark.parametrize("reboots", [1, 3])
def test_a_restart_of_the_host_before_it_is_decided_decides_the_same(reboots: int) -> None:
    scene = opened()
    for _ in range(reboots):
        scene.reboot()
    scene.reboot(lands={"red": (36,), "green": (45,)})
    scene.table = restore(scene.pinned, scene.kept)
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [45])]


def test_a_time_in_which_the_board_was_not_heard_is_no_quiet() -> None:
    """The first magnet was told, then the power went; the second comes as soon as it is back."""
    scene = opened()
    scene.land(9_000, "red", 26)
    scene.reboot()
    scene.land(scene.now_ms + 50, "red", 36)
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [26, 36])]


@pytest.mark.parametrize("settles", [False, True], ids=["at once", "after the question"])
def test_power_that_goes_twice_makes_no_guess_of_what_was_asked(settles: bool) -> None:
    """Everything that the first snapshot told still nobody saw come, whatever the second adds."""
    scene = opened()
    scene.reboot(lands={"red": (26, 36), "green": (56,)})
    if settles:
        scene.quiet(scene.now_ms + 3_000)
    scene.reboot()
    doc = scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == PLAYED
    assert asked(scene) == {"r26,36;g56", "r26;g56;r36", "r36;g56;r26"}
    assert doc["message"]["kind"] == "ambiguous"


def test_what_no_line_explains_is_not_taken_over_in_part_after_another_cut_either() -> None:
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (100,)})
    scene.quiet(scene.now_ms + 3_000)
    scene.reboot()
    doc = scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == PLAYED
    assert doc["message"]["kind"] == "illegal"


def test_turns_laid_in_two_cuts_are_one_line() -> None:
    scene = opened()
    scene.reboot(lands={"red": (36,)})
    scene.reboot(lands={"green": (45,)})
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [45])]
    assert scene.doc["message"] is None


def test_a_turn_laid_right_after_the_board_is_back_is_not_taken_for_a_growth() -> None:
    """Red's 36 may have lain there for an hour: 26, a second after the boot, may be red's next turn."""
    scene = opened()
    scene.reboot(lands={"red": (36,), "green": (56,)})
    scene.land(scene.now_ms + 1_000, "red", 26)
    doc = scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [56])]
    assert doc["message"]["kind"] == "ambiguous"
    assert {choice["id"] for choice in doc["message"]["choices"]} == {"grow:2:26,36", "move:26"}
    assert scene.act("choose", id="move:26") is None
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [36]), ("green", [56]), ("red", [26])]


def test_the_rest_of_a_piece_that_can_be_nothing_else_is_its_rest_after_a_cut_too() -> None:
    scene = opened()
    scene.reboot(lands={"red": (36,)})
    scene.land(scene.now_ms + 1_000, "red", 26)
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [26, 36])]
    assert scene.doc["message"] is None


def test_turns_of_almost_two_rounds_are_asked_with_every_way_that_was_found() -> None:
    """Seven pieces of four players, each of which may be several: what was played is one of the buttons."""
    scene = Scene(("purple", "green", "red", "yellow"))
    scene.place(1_000, "purple", 6)
    scene.quiet(5_000)
    purple, green, red, yellow = (27, 37, 57), (31, 46, 47, 67, 76, 97), (16, 82, 107, 117), (17, 58, 92)
    scene.reboot(lands={"purple": purple, "green": green, "red": red, "yellow": yellow})
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [("purple", [6])]
    assert len(asked(scene)) > 1
    assert "g31,46,47;r16;y17;p27,37,57;g67,76,97;r82,107,117;y58,92" in asked(scene)


def test_one_button_alone_is_not_called_several() -> None:
    scene = Scene(voluntary_pass=True)
    scene.place(1_000, "red", 6)
    scene.quiet(5_000)
    scene.reboot(lands={"red": (17, 27)})
    text = scene.quiet(scene.now_ms + 3_000)["message"]["text"]
    assert "several" not in text
    assert "choose it if it is so" in text


def test_each_piece_in_a_hand_as_the_power_went_may_have_grown_and_not_only_the_last() -> None:
    """Red's hand and green's were down at once; 26 is the rest of red's slice, or red's next turn."""
    scene = opened()
    scene.land(9_000, "red", 36)
    scene.land(9_500, "green", 56)
    scene.quiet(10_200)
    both = [*PLAYED, ("red", [36]), ("green", [56])]
    assert laid(scene) == both
    scene.reboot(lands={"red": (26,)})
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == both
    assert asked(scene) == {"26,36", "r26"}
    grow = next(
        choice["id"] for choice in scene.doc["message"]["choices"] if choice["id"].startswith("grow:")
    )
    assert scene.act("choose", id=grow) is None
    scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [*PLAYED, ("red", [26, 36]), ("green", [56])]
