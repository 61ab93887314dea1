"""Slow fingers at awkward moments: what grows, what does not, and what is asked. Numbers as in test_settling.

6+15 is a small slice, 6+16 a triangle, 1+6 and 1+15 hooks, 1+6+15 the kite piece, 15+25 a triangle.
"""

from __future__ import annotations

from typing import Any

from tests.table.scene import Scene, laid

from tablewire.games.cirkis.wiring import class_of, sensor_of
from tablewire.wire.messages import MagnetClass
from tablewire.wire.observed import Changes, SensorChange, Snapshot


def star_but_one() -> Scene:
    """Red to move; dart 1 completes the middle star and earns a free turn; kite 6 touches the Leader too."""
    scene = Scene()
    scene.place(1_000, "red", 4, 5)
    scene.place(5_000, "green", 2, 3)
    return scene


def test_a_growth_that_came_in_time_counts_though_it_settles_after_the_game_has_ended() -> None:
    """Target 5, at once: dart 1 completes the star, red's own, and ends the game. Kite 6 lands in the last of
    its time and settles after it: what red laid is a hook, which ends the game as well."""
    scene = Scene(target=5, rulebook="international")
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.land(9_000, "red", 1)
    doc = scene.quiet(9_700)
    assert (doc["turn"], doc["provisional"], doc["result"]) == (None, True, None)
    scene.land(10_400, "red", 6)
    assert scene.quiet(10_900)["result"] is None
    doc = scene.quiet(11_000)
    assert doc["laid"][-1]["spaces"] == [1, 6]
    assert scene.quiet(12_600)["result"]["winners"] == ["red"]


def test_a_landing_elsewhere_does_not_stretch_the_time_for_growing() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.land(2_400, "red", 99)
    scene.land(3_000, "red", 15)
    scene.quiet(3_700)
    assert laid(scene) == [("red", [6])]
    assert scene.doc["phase"] == "hold"


def test_a_piece_whose_room_another_took_is_final_at_once() -> None:
    """With these shapes a wedge grows only into a slice, on 6 only with 15: green takes that space."""
    pieces = [
        {"name": "wedge", "count": 5, "example": [6]},
        {"name": "slice", "count": 5, "example": [6, 15]},
    ]
    scene = Scene(pieces=pieces)
    scene.land(1_000, "red", 6)
    assert scene.quiet(1_600)["provisional"] is True
    scene.land(1_650, "green", 15)
    scene.quiet(2_250)
    assert laid(scene) == [("red", [6]), ("green", [15])]
    assert scene.doc["provisional"] is False


def test_a_growth_that_still_reads_weak_when_the_time_is_over_keeps_the_move_open() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.quiet(2_480)
    scene.read(2_495, sensor_of(15), MagnetClass.N_WEAK)
    assert scene.quiet(2_540)["provisional"] is True
    scene.read(2_580, sensor_of(15), MagnetClass.N_STRONG)
    assert scene.quiet(2_700)["provisional"] is True
    scene.quiet(3_200)
    assert laid(scene) == [("red", [6, 15])]


def test_a_magnet_that_still_reads_weak_belongs_to_the_strong_ones_beside_it() -> None:
    """Red's 26 alone does not touch the Leader; its second magnet, on 16, reads weak when 26 is quiet."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 7)
    scene.land(8_000, "red", 26)
    scene.read(8_590, sensor_of(16), MagnetClass.N_WEAK)
    assert scene.quiet(8_640)["message"] is None
    scene.read(8_650, sensor_of(16), MagnetClass.N_STRONG)
    scene.quiet(9_250)
    assert laid(scene)[2:] == [("red", [16, 26])]
    assert scene.kinds == ["commit"] * 3


def test_a_piece_straightened_while_its_growth_settles_still_grows() -> None:
    """It is red's turn again when the growth settles: it would pass for a move of its own."""
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.land(1_650, "green", 16)
    scene.land(2_400, "red", 15)
    scene.clear(2_900, 6)
    assert scene.quiet(3_200)["provisional"] is True
    assert laid(scene) == [("red", [6]), ("green", [16])]
    scene.land(3_500, "red", 6)
    scene.quiet(4_200)
    assert laid(scene) == [("red", [6, 15]), ("green", [16])]
    assert scene.doc["turn"] == "red"


def test_a_growth_of_a_piece_that_is_then_taken_away_is_a_piece_of_its_own() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.quiet(1_650)
    scene.land(2_400, "red", 15)
    scene.clear(2_450, 6)
    scene.quiet(5_000)
    assert laid(scene) == [("red", [15])]
    assert scene.doc["message"] is None


def test_a_growth_goes_to_the_piece_that_is_still_in_time() -> None:
    """Dart 1 earns a free turn, and dart 16 is laid on it. Kite 6 would fit with both, but dart 1
    has had its time."""
    scene = star_but_one()
    scene.place(9_000, "red", 8)
    scene.place(13_000, "green", 7)
    scene.land(17_000, "red", 1)
    scene.land(18_600, "red", 16)
    scene.land(19_900, "red", 6)
    scene.quiet(20_600)
    assert laid(scene)[4:] == [("red", [1]), ("red", [6, 16])]


def test_a_landing_that_two_young_pieces_could_take_is_asked_about() -> None:
    """Darts 1 and 16 of red, both young; kite 6 makes a hook with the one, a triangle with the other."""
    scene = star_but_one()
    scene.place(9_000, "red", 8)
    scene.place(13_000, "green", 7)
    scene.land(17_000, "red", 1)
    scene.land(17_650, "red", 16)
    scene.land(18_300, "red", 6)
    doc = scene.quiet(18_950)
    assert laid(scene)[4:] == [("red", [1]), ("red", [16])]
    assert doc["provisional"] is True
    assert doc["message"]["kind"] == "ambiguous"
    spaces = [choice["spaces"] for choice in doc["message"]["choices"]]
    assert sorted(spaces) == [[1, 6], [6, 16]]
    chosen = next(choice for choice in doc["message"]["choices"] if choice["spaces"] == [6, 16])
    assert scene.act("choose", id=chosen["id"]) is None
    assert laid(scene)[4:] == [("red", [1]), ("red", [6, 16])]
    assert scene.doc["phase"] == "playing"


def test_while_a_growth_is_asked_about_the_next_players_piece_waits_and_then_counts() -> None:
    """As above: which of red's pieces kite 6 belongs to decides what the Leader is."""
    scene = star_but_one()
    scene.place(9_000, "red", 8)
    scene.place(13_000, "green", 7)
    for at_ms, space in ((17_000, 1), (17_650, 16), (18_300, 6)):
        scene.land(at_ms, "red", space)
    scene.land(19_500, "green", 17)
    doc = scene.quiet(21_000)
    assert laid(scene)[4:] == [("red", [1]), ("red", [16])]
    chosen = next(choice for choice in doc["message"]["choices"] if choice["spaces"] == [6, 16])
    assert scene.act("choose", id=chosen["id"]) is None
    assert laid(scene)[4:] == [("red", [1]), ("red", [6, 16]), ("green", [17])]


def test_a_new_piece_of_which_one_magnet_would_also_be_a_growth_is_asked_about() -> None:
    """Red's 6, green's 16, and within red's time 15 and 25 together: a triangle, or a slice and a dart."""
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.land(1_620, "green", 16)
    scene.land(2_300, "red", 15, 25, every_ms=100)
    message = scene.quiet(3_100)["message"]
    assert message["kind"] == "ambiguous"
    triangle = next(choice for choice in message["choices"] if choice["spaces"] == [15, 25])
    assert scene.act("choose", id=triangle["id"]) is None
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [15, 25])]


def test_a_growth_that_earns_a_free_turn_refuses_the_next_move_and_keeps_a_ruling() -> None:
    """Red's 6 becomes hook 1+6, which completes the star: green's piece was laid on red's free turn."""
    scene = star_but_one()
    scene.land(9_000, "red", 6)
    scene.land(9_650, "green", 16)
    scene.quiet(10_300)
    assert laid(scene)[2:] == [("red", [6]), ("green", [16])]
    assert scene.act("ruling", points={"green": 5}, note="coffee") is None
    scene.land(10_450, "red", 1)
    doc = scene.quiet(11_100)
    assert laid(scene)[2:] == [("red", [1, 6])]
    assert doc["turn"] == "red"
    assert doc["free_turn"] == "center_star"
    assert doc["message"]["kind"] == "illegal"
    assert doc["message"]["steps"] == [{"do": "lift", "spaces": [16], "colour": "green"}]
    assert "coffee" in scene.table.record()
    scores = {player["colour"]: player["score"] for player in doc["players"]}
    assert scores == {"red": 10, "green": 5}


def test_a_growth_too_late_is_asked_about_also_when_it_is_no_piece_alone() -> None:
    """With these shapes a dart is no piece: the only way to explain it is that the kite has grown."""
    pieces = [
        {"name": "wedge", "count": 5, "example": [6]},
        {"name": "hook", "count": 5, "example": [1, 6], "flip": True},
    ]
    scene = Scene(pieces=pieces)
    scene.place(1_000, "red", 6)
    scene.land(4_000, "red", 1)
    message = scene.quiet(4_700)["message"]
    assert message["kind"] == "ambiguous"
    assert [choice["spaces"] for choice in message["choices"]] == [[1, 6]]
    assert scene.act("choose", id=message["choices"][0]["id"]) is None
    assert laid(scene) == [("red", [1, 6])]


def ended_provisionally(**options: Any) -> Scene:
    """Kite 10 ends the game at 13,600 and could grow until 14,500."""
    scene = Scene(target=10, **options)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    scene.land(13_000, "red", 10)
    scene.quiet(13_650)
    return scene


def test_a_piece_that_ended_the_game_is_taken_back_when_it_is_lifted_before_that_is_final() -> None:
    scene = ended_provisionally()
    assert scene.doc["phase"] == "playing"
    scene.clear(13_700, 10)
    assert scene.quiet(14_800)["phase"] == "playing"
    assert scene.quiet(14_900)["turn"] == "red"
    assert len(laid(scene)) == 3
    assert scene.kinds[-1] == "take-back"


def test_a_piece_that_ended_the_game_and_is_only_straightened_ends_it() -> None:
    scene = ended_provisionally()
    scene.clear(13_700, 10)
    scene.land(14_600, "red", 10)
    doc = scene.quiet(14_700)
    assert doc["phase"] == "over"
    assert len(laid(scene)) == 4


def test_the_next_round_waits_until_the_end_is_final() -> None:
    scene = ended_provisionally(match=100)
    assert scene.doc["actions"]["next_round"] is False
    refusal = scene.act("next_round")
    assert refusal is not None
    assert refusal.reason == "still_settling"
    assert scene.quiet(14_501)["actions"]["next_round"] is True
    assert scene.act("next_round") is None


def test_turns_played_while_the_board_was_away_are_taken_over_when_one_order_explains_them() -> None:
    """Red, green, red, green: of each colour two pieces at once, and only one order is legal."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    for space, colour in ((16, "green"), (7, "red"), (27, "green")):
        scene.classes[sensor_of(space)] = class_of(colour)
        scene.number += 1
    scene.observe(Snapshot(scene.nonce, scene.number, 60_000, bytes(scene.classes)))
    scene.quiet(61_000)
    order = [("red", [6]), ("green", [16]), ("red", [7]), ("green", [27])]
    assert laid(scene) == order
    assert scene.doc["message"] is None


def test_a_change_in_the_millisecond_of_a_decision_comes_after_it() -> None:
    """A dart is back after exactly the time that makes a lift: whether the board said so in between, or only
    afterwards, the dart was lifted and laid again."""
    kinds = []
    for told_between in (True, False):
        scene = Scene()
        scene.place(1_000, "red", 6)
        scene.place(4_000, "green", 16)
        scene.clear(9_000, 16)
        if told_between:
            scene.quiet(10_200)
        scene.land(10_200, "green", 16)
        scene.quiet(12_000)
        kinds.append(scene.kinds)
    assert kinds[0] == kinds[1] == ["commit", "commit", "take-back", "commit"]


def test_a_board_found_again_had_been_quiet_when_no_change_is_missing() -> None:
    """A snapshot after the same change as before says that nothing happened: what was due was due in time."""
    scene = Scene()
    scene.land(1_000, "red", 6)
    scene.observe(Snapshot(scene.nonce, scene.number, 9_000, bytes(scene.classes)))
    row = SensorChange(scene.number + 1, sensor_of(15), 0, class_of("red"), 9_010)
    scene.observe(Changes(scene.nonce, (row,)))
    times = [entry.at_ms for entry in scene.kept if entry.kind.value == "commit"]
    assert times == [1_600]


def test_two_pieces_and_a_magnet_that_makes_them_one_are_asked_about() -> None:
    """Dart 1 earns red a free turn, on which kite 15 is laid; kite 6 comes when it is green's turn. All three
    are the kite piece, which red set down very slowly."""
    scene = Scene()
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    scene.place(13_000, "red", 15)
    scene.land(17_000, "red", 6)
    choices = scene.quiet(19_000)["message"]["choices"]
    assert [choice["spaces"] for choice in choices] == [[6, 15], [1, 6, 15], [6]]
    assert scene.act("choose", id=choices[1]["id"]) is None
    doc = scene.quiet(22_000)
    assert laid(scene) == [("red", [2, 3]), ("green", [4, 5]), ("red", [1, 6, 15])]
    assert doc["message"] is None or doc["message"]["kind"] == "peg"
    assert (doc["turn"], doc["free_turn"]) == ("red", "center_star")


def test_a_choice_says_what_it_would_do_to_the_moves_after_it() -> None:
    """Dart 1 fills the middle star: if it is part of red's piece, red had a free turn, and green did not."""
    scene = Scene(("red", "green", "purple"))
    scene.place(1_000, "red", 4, 5)
    scene.place(5_000, "green", 2, 3)
    scene.place(9_000, "purple", 7)
    scene.place(13_000, "red", 6)
    scene.place(17_000, "green", 15)
    scene.land(22_000, "red", 1)
    grow, apart = scene.quiet(26_000)["message"]["choices"]
    assert grow["text"] == (
        "It is one piece: red's hook on spaces 1 and 6; then move 5 stands against the rules"
    )
    assert apart["text"] == "Red placed an arrow on space 1, against the rules: let it stand"
    assert scene.act("choose", id=grow["id"]) is None
    assert [line.get("forced") for line in scene.doc["history"]] == [None] * 4 + [["not_your_turn"]]


def test_a_pass_is_none_any_more_when_the_piece_before_it_turns_out_to_earn_a_free_turn() -> None:
    """Dart 1 lands in the time of red's kite 6 and fills the middle star; green had passed meanwhile."""
    scene = Scene(voluntary_pass=True)
    scene.place(1_000, "red", 4, 5)
    scene.place(5_000, "green", 2, 3)
    scene.land(9_000, "red", 6)
    scene.quiet(9_650)
    assert scene.act("pass") is None
    assert scene.doc["turn"] == "red"
    scene.land(10_000, "red", 1)
    doc = scene.quiet(13_000)
    assert laid(scene)[2:] == [("red", [1, 6])]
    assert len(doc["history"]) == 3
    assert (doc["turn"], doc["free_turn"]) == ("red", "center_star")
