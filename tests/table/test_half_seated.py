"""Pieces that do not lie in their seats, and magnets that read as nobody's: the space is named, play goes on.

Red 2+8, green 17+27, red 16+31, green 46+47: then it is red's turn, and 26, 36, 56 are a big slice beside it.
Red's magnets are strong and purple's weak of one pole, green's and yellow's likewise.
"""

from __future__ import annotations

import pytest
from tests.table.scene import Scene, laid, opened

from tablewire.games.cirkis.wiring import class_of, sensor_of
from tablewire.wire.messages import MagnetClass
from tablewire.wire.observed import Snapshot

STRONG, WEAK = MagnetClass.N_STRONG, MagnetClass.N_WEAK


def before_a_slice(*players: str) -> Scene:
    scene = Scene(players or ("red", "green"))
    for at_ms, colour, spaces in (
        (1_000, "red", (2, 8)),
        (5_000, "green", (17, 27)),
        (9_000, "red", (16, 31)),
        (13_000, "green", (46, 47)),
    ):
        scene.place(at_ms, colour, *spaces)
    assert scene.quiet(17_000)["turn"] == "red"
    return scene


# New pieces


def test_a_new_piece_whose_middle_space_does_not_read_names_it_and_counts_once_it_is_pressed_down() -> None:
    scene = before_a_slice()
    scene.land(18_000, "red", 26, 56, every_ms=60)
    doc = scene.quiet(20_000)
    assert (doc["phase"], doc["moves"]) == ("hold", 4)
    assert doc["message"]["text"] == "Space 36 does not read red: press the piece down, or lift it."
    assert doc["message"]["reasons"] == ["half_seated"]
    scene.land(24_000, "red", 36)
    scene.quiet(26_000)
    assert laid(scene)[-1] == ("red", [26, 36, 56])
    assert scene.doc["message"] is None


def test_a_new_piece_with_a_dead_space_can_be_chosen_and_the_dead_space_is_named_while_play_goes_on() -> None:
    scene = before_a_slice()
    scene.land(18_000, "red", 26, 56, every_ms=60)
    choices = scene.quiet(20_000)["message"]["choices"]
    assert choices[0]["id"] == "fill:26,36,56"
    assert scene.act("choose", id="fill:26,36,56") is None
    doc = scene.quiet(23_000)
    assert laid(scene)[-1] == ("red", [26, 36, 56])
    assert (doc["phase"], doc["turn"]) == ("playing", "green")
    assert doc["message"]["text"] == "Space 36 does not read red: press the piece down."


def test_out_of_turn_the_space_is_named_only_of_what_can_be_no_piece() -> None:
    """Green's two wedges out of turn are refused as such."""
    scene = before_a_slice()
    scene.land(18_000, "green", 26, 56)
    message = scene.quiet(20_000)["message"]
    assert message["kind"] == "illegal"
    assert "not_your_turn" in message["reasons"]


def test_a_slowly_laid_piece_whose_middle_never_reads_names_it() -> None:
    """Kite 36 counts; 45 is no piece with it, but 26 between them would make all three a big slice."""
    scene = before_a_slice()
    scene.land(22_000, "red", 36)
    assert scene.quiet(22_700)["moves"] == 5
    scene.land(23_000, "red", 45)
    doc = scene.quiet(23_700)
    assert doc["message"]["text"] == "Space 26 does not read red: press the piece down, or lift it."
    scene.land(24_400, "red", 26)
    scene.quiet(26_500)
    assert laid(scene)[-1] == ("red", [26, 36, 45])
    assert scene.kinds[-2:] == ["commit", "rewrite"]


@pytest.mark.parametrize("weak", [26, 36, 56])
def test_a_new_piece_of_which_one_space_reads_weak_is_half_seated_and_not_a_stranger(weak: int) -> None:
    scene = before_a_slice()
    for space in (26, 36, 56):
        scene.read(scene.now_ms + 100, sensor_of(space), WEAK if space == weak else STRONG)
    doc = scene.quiet(20_000)
    assert doc["message"]["reasons"] == ["half_seated"]
    assert doc["message"]["text"].startswith(f"Space {weak} reads too weakly for red")
    assert doc["message"]["steps"] == [{"do": "place", "spaces": [weak], "colour": "red"}]
    scene.read(21_000, sensor_of(weak), STRONG)
    scene.quiet(23_000)
    assert laid(scene)[-1] == ("red", [26, 36, 56])


def test_a_strong_and_a_weak_magnet_in_one_go_that_may_be_two_players_moves_are_asked_about() -> None:
    """Kites 6 and 15 are red's small slice, 15 half in its seat; or red's wedge and then purple's."""
    for chosen, pieces in (
        ("fill:6,15", [("red", [6, 15])]),
        ("move:6", [("red", [6]), ("purple", [15])]),
    ):
        scene = Scene(("red", "purple"))
        scene.land(1_000, "red", 6)
        scene.land(1_100, "purple", 15)
        message = scene.quiet(3_000)["message"]
        assert message["kind"] == "ambiguous"
        assert [choice["id"] for choice in message["choices"]] == ["fill:6,15", "move:6"]
        assert scene.act("choose", id=chosen) is None
        doc = scene.quiet(6_000)
        assert laid(scene) == pieces
        assert doc["phase"] == "playing"


def test_a_weak_magnet_a_second_later_is_the_next_player_s_move() -> None:
    scene = Scene(("red", "purple"))
    scene.land(1_000, "red", 6)
    scene.land(1_650, "purple", 15)
    scene.quiet(3_000)
    assert laid(scene) == [("red", [6]), ("purple", [15])]
    assert scene.doc["message"] is None


def test_a_refused_piece_that_would_be_legal_with_one_space_more_says_so() -> None:
    """Of red's slice on 26 and 36 only 26 reads, which does not touch the Leader."""
    scene = before_a_slice()
    scene.land(18_000, "red", 120)
    assert "larger piece" not in scene.quiet(20_000)["message"]["text"]
    scene.clear(20_100, 120)
    scene.land(22_000, "red", 26)
    message = scene.quiet(24_000)["message"]
    assert message["kind"] == "illegal"
    assert message["text"].endswith("If it is a larger piece, space 36 does not read: press it down.")
    scene.land(25_000, "red", 36)
    scene.quiet(27_000)
    assert laid(scene)[-1] == ("red", [26, 36])


def test_a_weak_read_taken_for_the_next_player_s_move_is_mended_when_it_is_pressed_down() -> None:
    """Red's slice on 6 and 15: 15 comes later and reads weak, as if purple had laid a kite after red's."""
    scene = Scene(("red", "purple"))
    scene.read(1_000, sensor_of(6), STRONG)
    scene.read(1_640, sensor_of(15), WEAK)
    scene.quiet(4_000)
    assert laid(scene) == [("red", [6]), ("purple", [15])]
    scene.read(6_000, sensor_of(15), STRONG)
    doc = scene.quiet(8_000)
    assert laid(scene) == [("red", [6, 15])]
    assert (doc["turn"], doc["message"]) == ("purple", None)


# Unknown pieces


def test_a_piece_of_nobody_s_colour_is_asked_about_and_counts_as_it_is_chosen() -> None:
    """A red kite that reads weak: purple is not playing."""
    scene = opened()
    scene.read(9_000, sensor_of(26), WEAK)
    doc = scene.quiet(11_000)
    message = doc["message"]
    assert message["kind"] == "unexplained"
    assert message["text"].startswith("Unknown piece on space 26: which is it?")
    assert message["choices"][0]["id"] == "fill:26"
    assert scene.act("choose", id="fill:26") is None
    doc = scene.quiet(13_000)
    assert laid(scene)[-1] == ("red", [26])
    assert (doc["phase"], doc["turn"]) == ("playing", "green")
    assert doc["message"]["reasons"] == ["half_seated"]


def test_others_play_on_beside_an_unknown_piece() -> None:
    scene = opened()
    scene.land(9_000, "yellow", 120)
    assert "which is it" not in scene.quiet(11_000)["message"]["text"]
    scene.land(12_000, "red", 26)
    scene.quiet(14_000)
    assert laid(scene)[-1] == ("red", [26])
    assert "space 120" in scene.doc["message"]["text"]
    scene.clear(15_000, 120)
    assert scene.quiet(17_000)["message"] is None


def test_a_strong_magnet_of_nobody_has_no_other_reading() -> None:
    """Nobody's weak magnet reads strong: only lifting is left."""
    scene = Scene(("purple", "yellow"))
    scene.land(1_000, "red", 6)
    message = scene.quiet(3_000)["message"]
    assert message["reasons"] == ["unknown_player"]
    assert message["choices"] == []


# Pieces of the position


def test_a_placed_piece_that_comes_to_read_weak_is_named_and_play_goes_on() -> None:
    """Also where purple plays: it read strong before, so nobody has laid another in its place."""
    scene = Scene(("red", "green", "purple"))
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    scene.read(9_000, sensor_of(6), WEAK)
    doc = scene.quiet(11_000)
    assert (doc["phase"], doc["message"]["reasons"]) == ("playing", ["half_seated"])
    assert doc["message"]["text"] == "Space 6 does not read red: press the piece down."
    scene.read(12_000, sensor_of(6), STRONG)
    assert scene.quiet(14_000)["message"] is None


def test_a_weak_piece_laid_in_the_place_of_a_strong_one_is_a_stranger() -> None:
    scene = Scene(("red", "green", "purple"))
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    scene.clear(9_000, 6)
    scene.land(12_000, "purple", 6)
    doc = scene.quiet(14_000)
    assert doc["phase"] == "hold"
    assert [(step["do"], step["colour"], step["spaces"]) for step in doc["message"]["steps"]] == [
        ("lift", "purple", [6]),
        ("place", "red", [6]),
    ]


def test_of_several_pieces_half_in_their_seats_each_is_asked_for_in_its_own_colour() -> None:
    scene = before_a_slice()
    scene.clear(18_000, 8, 27, 31)
    doc = scene.quiet(20_000)
    assert (doc["phase"], doc["message"]["reasons"]) == ("playing", ["half_seated"])
    said = "Spaces 8, 27 and 31 do not read the pieces that lie there: press them down."
    assert doc["message"]["text"] == said
    assert doc["message"]["steps"] == [
        {"do": "place", "spaces": [8], "colour": "red"},
        {"do": "place", "spaces": [27], "colour": "green"},
        {"do": "place", "spaces": [31], "colour": "red"},
    ]
    scene.land(21_000, "red", 8, 31)
    scene.land(21_100, "green", 27)
    assert scene.quiet(23_000)["message"] is None


def test_what_was_laid_weak_in_a_strong_one_s_seat_is_lifted_while_another_piece_is_put_back() -> None:
    """One half of red's piece is lifted and a weak magnet laid there, whoever's; green's piece is gone."""
    scene = before_a_slice()
    scene.clear(18_000, 8, 17, 27)
    scene.land(20_000, "purple", 8)
    doc = scene.quiet(22_000)
    assert doc["phase"] == "hold"
    assert doc["message"]["steps"] == [
        {"do": "lift", "spaces": [8]},
        {"do": "place", "spaces": [8], "colour": "red"},
        {"do": "place", "spaces": [17, 27], "colour": "green"},
    ]
    scene.clear(23_000, 8)
    scene.quiet(25_000)
    scene.land(25_000, "red", 8)
    scene.land(25_100, "green", 17, 27)
    assert scene.quiet(28_000)["message"] is None
    assert (len(laid(scene)), scene.doc["phase"]) == (4, "playing")


def test_a_strong_magnet_that_comes_to_read_weak_is_not_lifted_while_another_piece_is_put_back() -> None:
    """It was not lifted since it was laid, so it is the same one."""
    scene = before_a_slice()
    scene.read(18_000, sensor_of(8), WEAK)
    scene.clear(18_000, 17, 27)
    steps = scene.quiet(20_000)["message"]["steps"]
    assert [(step["do"], step["spaces"]) for step in steps] == [("place", [8]), ("place", [17, 27])]


# Refused beside legal


@pytest.mark.parametrize("first", [26, 60])
def test_a_refused_piece_beside_a_legal_one_is_named_alone(first: int) -> None:
    """Red lays two kites: 26 touches the Leader, 60 nothing; whichever came down first."""
    scene = opened()
    scene.land(9_000, "red", first)
    scene.land(9_100, "red", 86 - first)
    doc = scene.quiet(11_000)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [26])]
    assert doc["message"]["kind"] == "illegal"
    assert doc["message"]["steps"] == [{"do": "lift", "spaces": [60], "colour": "red"}]


def test_two_pieces_of_one_turn_seen_at_once_are_asked_about() -> None:
    """The board was away: two kites of red are new, each legal, and there is no telling which came first."""
    scene = opened()
    for space in (26, 7):
        scene.classes[sensor_of(space)] = class_of("red")
    scene.number += 2
    scene.observe(Snapshot(scene.nonce, scene.number, 60_000, bytes(scene.classes)))
    scene.now_ms = 60_000
    message = scene.quiet(62_000)["message"]
    assert message["kind"] == "ambiguous"
    assert sorted(choice["id"] for choice in message["choices"]) == ["move:26", "move:7"]
    assert scene.act("choose", id="move:7") is None
    assert laid(scene)[-1] == ("red", [7])
    assert scene.doc["message"]["steps"] == [{"do": "lift", "spaces": [26], "colour": "red"}]


@pytest.mark.parametrize("watched", [True, False], ids=["watched", "after a cut"])
def test_two_turns_of_one_pole_laid_at_once_can_be_chosen_as_such(watched: bool) -> None:
    """Red's 36 and purple's 26: a slice of red's, half in its seat, or a turn of each; not purple's alone."""
    scene = Scene(("red", "purple"))
    scene.place(1_000, "red", 6)
    scene.place(4_000, "purple", 16)
    scene.quiet(8_000)
    if watched:
        scene.land(9_000, "red", 36)
        scene.land(9_000, "purple", 26)
    else:
        scene.reboot(lands={"red": (36,), "purple": (26,)})
    doc = scene.quiet(scene.now_ms + 3_000)
    assert {choice["id"] for choice in doc["message"]["choices"]} == {"fill:26,36", "move:36"}
    assert scene.act("choose", id="move:36") is None
    doc = scene.quiet(scene.now_ms + 3_000)
    assert doc["message"] is None
    assert doc["spaces"] == {"6": "red", "16": "purple", "26": "purple", "36": "red"}
    assert [piece["spaces"] for piece in doc["laid"]] == [[6], [16], [36], [26]]
