"""A table that is not what the game says: all of it named at once, and put right in whatever order.

Pieces as in test_settling; 26, 36 and 56 are kites of one circle in a row: 26+36 and 36+56 are small slices.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.table.scene import Scene, laid, opened

from tablewire.games.cirkis.wiring import class_of, colour_of, sensor_of

COLOURS = ("purple", "red", "green", "yellow")
TOUCHES_MAX = 60
"""A person who does one thing the page asks for after another is done after so many."""


def slice_then(*more: tuple[str, int]) -> Scene:
    """Red's kite on 6, green's dart on 16, red's slice on 26 and 36, then single pieces; all is final."""
    scene = opened()
    scene.place(9_000, "red", 26, 36)
    for colour, space in more:
        scene.place(scene.now_ms + 1_000, colour, space)
    scene.quiet(scene.now_ms + 4_000)
    return scene


def steps(scene: Scene) -> list[tuple[str, str, list[int]]]:
    """The steps of the page's message."""
    found = scene.doc["message"]["steps"]
    return [(step["do"], str(step.get("colour", "")), step["spaces"]) for step in found]


def test_everything_that_is_wrong_is_one_message_lifts_before_places() -> None:
    """Green lies in the place of red's kite, its own dart has gone, yellow lies on an empty space."""
    scene = opened()
    scene.place(9_000, "red", 26)
    scene.clear(13_000, 6, 16)
    scene.land(13_100, "green", 6)
    scene.land(13_200, "yellow", 120)
    doc = scene.quiet(15_000)
    assert (doc["phase"], doc["message"]["kind"]) == ("hold", "restore")
    assert steps(scene) == [
        ("lift", "green", [6]),
        ("lift", "yellow", [120]),
        ("place", "red", [6]),
        ("place", "green", [16]),
    ]
    assert doc["message"]["text"] == (
        "The table is not what the game says: put right what is listed, in any order."
    )


def test_what_has_been_put_right_is_gone_from_the_steps_and_play_goes_on_by_itself() -> None:
    scene = opened()
    scene.place(9_000, "red", 26)
    before = scene.doc
    scene.clear(13_000, 6, 16)
    scene.land(13_100, "green", 6)
    scene.quiet(15_000)
    scene.land(15_100, "green", 16)
    scene.quiet(17_000)
    assert steps(scene) == [("lift", "green", [6]), ("place", "red", [6])]
    scene.clear(17_100, 6)
    assert scene.doc["phase"] == "hold"
    assert steps(scene) == [("place", "red", [6])]
    scene.land(19_000, "red", 6)
    assert scene.quiet(21_000) == before


def test_two_swapped_pieces_are_both_lifted_and_both_put_back() -> None:
    scene = opened()
    scene.place(9_000, "red", 26)
    scene.clear(13_000, 6, 16)
    scene.land(13_300, "green", 6)
    scene.land(13_400, "red", 16)
    scene.quiet(15_000)
    assert steps(scene) == [
        ("lift", "green", [6]),
        ("lift", "red", [16]),
        ("place", "red", [6]),
        ("place", "green", [16]),
    ]


def test_a_cleared_board_is_put_back_whole_and_the_last_move_is_not_lost() -> None:
    scene = opened()
    scene.place(9_000, "red", 26)
    before = scene.doc
    scene.clear(13_000, 26)
    scene.clear(13_200, 16)
    scene.clear(13_400, 6)
    scene.quiet(16_000)
    assert steps(scene) == [("place", "red", [6]), ("place", "green", [16]), ("place", "red", [26])]
    assert scene.doc["moves"] == 3
    # Whatever the order: the last piece comes back last, long after the others.
    for at_ms, colour, space in ((17_000, "green", 16), (19_000, "red", 6), (26_000, "red", 26)):
        scene.land(at_ms, colour, space)
        scene.quiet(at_ms + 1_900)
    assert scene.doc == before
    assert scene.kinds == ["commit"] * 3


def test_the_last_piece_can_be_taken_back_again_after_the_table_was_put_right() -> None:
    scene = opened()
    scene.clear(9_000, 6, 16)
    scene.quiet(11_000)
    scene.land(11_100, "red", 6)
    scene.land(11_200, "green", 16)
    scene.quiet(13_000)
    scene.clear(13_100, 16)
    scene.quiet(15_000)
    assert laid(scene) == [("red", [6])]
    assert scene.doc["message"] is None


@pytest.mark.parametrize("turn", ["red", "green"])
def test_an_older_piece_moved_by_one_space_is_to_be_moved_back(turn: str) -> None:
    """Red's slice turns from 26 and 36 to 36 and 56; on red's turn a kite on 56 alone could be a move."""
    scene = slice_then(("green", 46), *([("red", 47)] if turn == "green" else []))
    assert scene.doc["turn"] == turn
    before, at_ms = scene.doc, scene.now_ms
    scene.clear(at_ms + 1_000, 26)
    scene.land(at_ms + 1_300, "red", 56)
    doc = scene.quiet(at_ms + 4_000)
    assert (doc["phase"], doc["laid"]) == ("hold", before["laid"])
    assert steps(scene) == [("lift", "red", [56]), ("place", "red", [26])]
    scene.clear(at_ms + 5_000, 56)
    scene.land(at_ms + 5_500, "red", 26)
    assert scene.quiet(at_ms + 8_000) == before


def test_a_piece_of_which_one_magnet_was_pushed_aside_is_put_back_whole() -> None:
    """Red's dart 16 of its hook comes to lie on 6, where it is no piece with 31: one message says both."""
    scene = Scene()
    for at_ms, colour, spaces in (
        (1_000, "red", (2, 8)),
        (5_000, "green", (17, 27)),
        (9_000, "red", (16, 31)),
        (13_000, "green", (46, 47)),
    ):
        scene.place(at_ms, colour, *spaces)
    before = scene.quiet(18_000)
    scene.clear(19_000, 16)
    scene.land(19_200, "red", 6)
    assert scene.quiet(22_000)["phase"] == "hold"
    assert steps(scene) == [("lift", "red", [6]), ("place", "red", [16])]
    scene.land(23_000, "red", 16)
    scene.clear(23_500, 6)
    assert scene.quiet(26_000) == before


def test_a_move_that_pushes_an_older_piece_out_of_its_seat_is_a_move() -> None:
    scene = slice_then(("green", 46))
    at_ms = scene.now_ms
    scene.clear(at_ms + 1_000, 26)
    scene.land(at_ms + 1_100, "red", 66)
    scene.quiet(at_ms + 4_000)
    assert laid(scene)[-1] == ("red", [66])
    assert scene.doc["message"]["text"] == "Space 26 does not read red: press the piece down."


def test_the_last_piece_moved_by_one_space_lies_where_it_was_moved_to() -> None:
    scene = slice_then()
    at_ms = scene.now_ms
    scene.clear(at_ms + 1_000, 26)
    scene.land(at_ms + 1_300, "red", 56)
    scene.quiet(at_ms + 4_000)
    assert laid(scene)[2:] == [("red", [36, 56])]
    assert scene.doc["message"] is None


def test_a_new_piece_beside_one_that_has_long_been_half_in_its_seat_is_a_new_piece() -> None:
    scene = slice_then(("green", 46))
    at_ms = scene.now_ms
    scene.clear(at_ms + 1_000, 26)
    scene.quiet(at_ms + 9_000)
    scene.land(at_ms + 9_500, "red", 56)
    scene.quiet(at_ms + 12_000)
    assert laid(scene)[-1] == ("red", [56])


def test_the_next_move_may_lie_there_while_the_table_is_put_right_and_the_move_after_it_too() -> None:
    """Red's kite is gone; red lays 26, green 45 after it: both legal once red's kite is back."""
    scene = opened()
    scene.clear(9_000, 6)
    scene.quiet(11_000)
    scene.land(11_100, "red", 26)
    scene.land(12_000, "green", 45)
    scene.quiet(14_000)
    assert steps(scene) == [("place", "red", [6])]
    scene.land(15_000, "red", 6)
    scene.quiet(17_000)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [26]), ("green", [45])]
    assert scene.doc["message"] is None


def test_a_refused_piece_is_among_the_lifts_while_the_table_is_put_right() -> None:
    scene = opened()
    scene.clear(9_000, 6)
    scene.land(9_500, "red", 60)
    scene.quiet(12_000)
    assert steps(scene) == [("lift", "red", [60]), ("place", "red", [6])]


def test_an_undone_piece_that_still_lies_there_holds_play_until_it_is_lifted() -> None:
    """Also for a piece that would be legal: it counts as soon as the undone one has gone."""
    scene = opened()
    assert scene.act("undo") is None
    scene.land(9_000, "green", 25)
    doc = scene.quiet(11_000)
    assert (doc["phase"], doc["moves"]) == ("hold", 1)
    assert steps(scene) == [("lift", "green", [16])]
    scene.clear(12_000, 16)
    scene.quiet(14_000)
    assert laid(scene) == [("red", [6]), ("green", [25])]


def test_each_piece_that_is_gone_is_a_step_of_its_own_and_two_steps_are_said() -> None:
    scene = opened()
    scene.place(9_000, "red", 26, 36)
    scene.place(13_000, "green", 46)
    scene.clear(17_000, 6, 26, 36)
    doc = scene.quiet(20_000)
    assert steps(scene) == [("place", "red", [6]), ("place", "red", [26, 36])]
    assert doc["message"]["text"] == (
        "The table is not what the game says: put red back on space 6, then put red back on spaces 26 and 36."
    )
    scene.land(21_000, "red", 36)
    scene.quiet(23_000)
    assert steps(scene) == [("place", "red", [6]), ("place", "red", [26])]


def test_each_undone_piece_is_to_be_lifted_by_itself() -> None:
    scene = opened()
    scene.place(9_000, "red", 26, 36)
    scene.place(13_000, "green", 46)
    for _ in range(3):
        assert scene.act("undo") is None
    assert steps(scene) == [("lift", "green", [16]), ("lift", "red", [26, 36]), ("lift", "green", [46])]


def test_the_last_weak_piece_swapped_with_a_strong_one_at_once_is_not_taken_back() -> None:
    """Within a blink: what reads strong there now is another magnet, not the last one pressed down."""
    scene = Scene(("red", "purple"))
    scene.place(1_000, "red", 6)
    scene.place(5_000, "purple", 16)
    scene.clear(9_000, 6, 16)
    scene.land(9_400, "purple", 6)
    scene.land(9_500, "red", 16)
    assert scene.quiet(12_000)["moves"] == 2
    assert steps(scene) == [
        ("lift", "purple", [6]),
        ("lift", "red", [16]),
        ("place", "red", [6]),
        ("place", "purple", [16]),
    ]


def test_many_spaces_to_be_cleared_are_counted_in_the_text_and_listed_in_the_step() -> None:
    scene = Scene(lying=dict.fromkeys(range(1, 8), "red"))
    message = scene.doc["message"]
    assert message["kind"] == "setup"
    assert message["text"] == "Clear the board to begin: lift what lies on the 7 spaces that are marked."
    assert message["steps"] == [{"do": "lift", "spaces": [1, 2, 3, 4, 5, 6, 7]}]
    scene.clear(1_000, 1, 2)
    text = scene.quiet(3_000)["message"]["text"]
    assert text == "Clear the board to begin: lift what lies on spaces 3, 4, 5, 6 and 7."


def test_weak_pieces_swapped_with_strong_ones_of_their_pole_are_lifted() -> None:
    """Purple's magnets read as red's would half in their seats; but purple's own piece is gone from its
    place."""
    scene = Scene(("red", "purple"))
    scene.place(1_000, "red", 6, 15)
    scene.place(5_000, "purple", 16)
    scene.place(9_000, "red", 26)
    scene.place(13_000, "purple", 36)
    scene.clear(17_000, 6, 15, 16)
    scene.land(17_500, "purple", 6, 15)
    scene.land(17_600, "red", 16)
    scene.quiet(20_000)
    assert steps(scene) == [
        ("lift", "purple", [6, 15]),
        ("lift", "red", [16]),
        ("place", "red", [6, 15]),
        ("place", "purple", [16]),
    ]


@pytest.mark.parametrize("seed", range(8))
def test_doing_what_the_page_lists_in_any_order_always_leads_back_to_the_same_game(seed: int) -> None:
    rng = random.Random(seed)
    scene = Scene(tuple(rng.sample(COLOURS, rng.choice([2, 2, 3, 4]))))
    for _ in range(rng.randint(3, 7)):
        choices = scene.table.legal()["placements"]
        if not choices:
            break
        scene.land(scene.now_ms + 300, scene.doc["turn"], *rng.choice(choices)["spaces"], every_ms=40)
        scene.quiet(scene.now_ms + 2_300)
    before = scene.doc
    knock_over(scene, rng)
    scene.quiet(scene.now_ms + 4_000)
    put_right(scene, rng)
    after = scene.doc
    assert after["laid"][: len(before["laid"])] == before["laid"]
    assert after["history"][: len(before["history"])] == before["history"]
    on_table = {i + 1: str(colour_of(cls)) for i, cls in enumerate(scene.classes[:165]) if cls}
    assert on_table == {int(space): str(colour) for space, colour in after["spaces"].items()}


def knock_over(scene: Scene, rng: random.Random) -> None:
    """Some of the table goes, some of it comes down elsewhere; always more than the last piece alone."""
    pieces = scene.doc["laid"]
    first = rng.choice(pieces[:-1])["spaces"]
    spaces = [int(space) for space in scene.doc["spaces"]]
    off = {*first, *rng.sample(spaces, rng.randint(0, len(spaces) - 1))}
    at_ms = scene.now_ms + 1_000
    scene.clear(at_ms, *rng.sample(sorted(off), len(off)))
    for _ in range(rng.randint(0, len(off))):
        space = rng.choice([*(off - set(first)), rng.randint(1, 165)])
        at_ms += rng.choice([0, 50, 400, 900])
        scene.read(at_ms, sensor_of(space), class_of(rng.choice(COLOURS)))


def put_right(scene: Scene, rng: random.Random) -> None:
    """One touch after another, any of those the page asks for that can be done now."""
    said = []
    for _ in range(TOUCHES_MAX):
        message = scene.doc["message"]
        if message is None or message["kind"] == "peg":
            return
        said.append(message["text"])
        touches = possible_touches(message)
        assert touches, message
        space, magnet = rng.choice(touches)
        scene.read(scene.now_ms + rng.choice([100, 500, 2_000]), sensor_of(space), magnet)
        scene.quiet(scene.now_ms + rng.choice([0, 700, 2_500]))
        if not scene.doc["message"]:
            scene.quiet(scene.now_ms + 3_000)
    raise AssertionError(f"no way out: {said[-5:]}")


def possible_touches(message: dict[str, Any]) -> list[tuple[int, int]]:
    """Every space of a step with the magnet it should have: a space is lifted before another lies on it."""
    lifts = [space for step in message["steps"] if step["do"] == "lift" for space in step["spaces"]]
    places = [
        (space, int(class_of(step["colour"])))
        for step in message["steps"]
        if step["do"] == "place"
        for space in step["spaces"]
        if space not in lifts
    ]
    return [*((space, 0) for space in lifts), *places]
