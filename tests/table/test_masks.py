"""Masked sensors: nobody takes their word; what lies on them is inferred, asked about, or entered by hand.

Pieces as in test_settling; 26+36, 26+45 and 36+56 are small slices, 26+36+56 and 26+36+45 big ones.
"""

from __future__ import annotations

import random

import pytest
from tests.table.scene import Scene, laid, opened

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import class_of, peg_sensor, sensor_of
from tablewire.wire.messages import MagnetClass


def mask(scene: Scene, *spaces: int, masked: bool = True) -> None:
    assert scene.act("mask", sensors=[sensor_of(space) for space in spaces], masked=masked) is None


def test_a_masked_space_is_no_landing_and_no_flicker_whatever_it_reads() -> None:
    scene = opened()
    mask(scene, 120)
    before = scene.doc
    for change in range(20):
        scene.read(9_000 + 100 * change, sensor_of(120), 0 if change % 2 else class_of("red"))
        assert scene.doc == before
    scene.land(12_000, "yellow", 120)
    assert scene.quiet(15_000) == before


def test_a_masked_space_under_a_piece_is_no_gap_and_no_stranger() -> None:
    scene = opened()
    mask(scene, 6)
    before = scene.doc
    scene.clear(9_000, 6)
    assert scene.quiet(12_000) == before
    scene.land(13_000, "green", 6)
    assert scene.quiet(16_000) == before


def test_what_a_masked_sensor_said_is_forgotten_when_it_is_believed_again() -> None:
    """Purple's 6 read as red while its sensor was broken; mended and straightened, it is purple's as ever."""
    scene = Scene(("purple", "green"))
    scene.place(1_000, "purple", 6)
    scene.place(4_000, "green", 16)
    mask(scene, 6)
    scene.land(9_000, "red", 6)
    scene.land(12_000, "purple", 6)
    scene.quiet(15_000)
    mask(scene, 6, masked=False)
    before = scene.doc
    scene.clear(16_000, 6)
    assert scene.quiet(16_700) == before
    scene.land(16_800, "purple", 6)
    assert scene.quiet(20_000) == before


def test_masking_the_space_of_a_piece_that_does_not_read_lets_play_go_on() -> None:
    scene = opened()
    scene.clear(9_000, 6)
    assert scene.quiet(12_000)["phase"] == "hold"
    mask(scene, 6)
    assert (scene.doc["phase"], scene.doc["message"]) == ("playing", None)
    scene.place(13_000, "red", 26)
    assert laid(scene)[-1] == ("red", [26])


def test_a_space_that_is_believed_again_is_compared_with_the_game_again() -> None:
    scene = opened()
    scene.clear(9_000, 6)
    scene.quiet(12_000)
    mask(scene, 6)
    mask(scene, 6, masked=False)
    assert scene.quiet(13_000)["message"]["steps"] == [{"do": "place", "spaces": [6], "colour": "red"}]


def test_a_piece_is_inferred_when_it_alone_explains_what_lies_there() -> None:
    """Kites 36 and 45 are no piece and no legal moves, with 26 masked between them they are a big slice."""
    scene = opened()
    mask(scene, 26)
    scene.land(9_000, "red", 36, 45, every_ms=100)
    scene.quiet(12_000)
    assert laid(scene)[-1] == ("red", [26, 36, 45])
    assert scene.doc["message"] is None


def test_where_a_masked_space_leaves_two_pieces_the_page_asks() -> None:
    """Kite 15 alone touches the Leader; with dart 25, which is masked, it would be a triangle."""
    scene = opened()
    mask(scene, 25)
    scene.land(9_000, "red", 15)
    doc = scene.quiet(12_000)
    assert (doc["phase"], doc["moves"]) == ("hold", 2)
    assert doc["message"]["kind"] == "ambiguous"
    assert sorted(choice["id"] for choice in doc["message"]["choices"]) == ["fill:15,25", "move:15"]
    assert scene.act("choose", id="fill:15,25") is None
    doc = scene.quiet(15_000)
    assert laid(scene)[-1] == ("red", [15, 25])
    assert doc["message"] is None


def test_a_piece_far_from_masked_spaces_is_read_as_ever() -> None:
    scene = opened()
    mask(scene, 120, 140)
    scene.place(9_000, "red", 26)
    assert laid(scene)[-1] == ("red", [26])


def test_a_piece_partly_on_masked_spaces_is_gone_when_all_it_can_be_seen_by_is_empty() -> None:
    scene = Scene()
    scene.place(1_000, "red", 6, 15)
    scene.place(4_000, "green", 16)
    mask(scene, 15)
    scene.clear(9_000, 6)
    assert scene.quiet(12_000)["message"]["steps"] == [{"do": "place", "spaces": [6, 15], "colour": "red"}]
    scene.land(13_000, "red", 6)
    assert scene.quiet(15_000)["message"] is None


def test_the_last_piece_partly_on_masked_spaces_is_taken_back_by_lifting() -> None:
    scene = opened()
    mask(scene, 26)
    scene.land(9_000, "red", 36, 45, every_ms=100)
    assert scene.quiet(12_000)["moves"] == 3
    scene.clear(13_000, 36, 45)
    scene.quiet(16_000)
    assert laid(scene) == [("red", [6]), ("green", [16])]


def test_what_lies_on_a_masked_space_does_not_keep_the_next_game_from_beginning() -> None:
    scene = opened()
    assert scene.act("undo") is None
    assert scene.quiet(9_000)["phase"] == "hold"
    mask(scene, 16)
    assert scene.doc["phase"] == "playing"


def test_no_peg_message_rests_on_a_masked_hole() -> None:
    """Red's 10 points belong in hole 10, which nobody believes; its peg is not in another hole either."""
    scene = Scene()
    scene.peg(100, "red", 0)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    assert scene.doc["message"]["kind"] == "peg"
    assert scene.act("mask", sensors=[peg_sensor("red", 10)], masked=True) is None
    assert scene.doc["message"]["kind"] == "peg"
    scene.peg(13_000, "red", None, old=0)
    assert scene.quiet(14_000)["message"] is None


def test_a_masked_hole_that_reads_has_no_peg_in_it() -> None:
    scene = Scene()
    scene.read(100, peg_sensor(PlayerColour.RED, 25), MagnetClass.N_STRONG)
    scene.peg(200, "red", 0)
    assert scene.doc["players"][0]["peg"]["hole"] is None
    assert scene.act("mask", sensors=[peg_sensor("red", 25)], masked=True) is None
    assert scene.doc["players"][0]["peg"]["hole"] == 0


@pytest.mark.parametrize("seed", range(3))
def test_pieces_on_and_beside_masked_spaces_are_inferred_or_offered_and_never_wrong(seed: int) -> None:
    rng, scene = random.Random(seed), Scene()
    masked = set(rng.sample(range(1, 60), 8))
    mask(scene, *masked)
    meant: list[tuple[str, list[int]]] = []
    for _ in range(8):
        choices = [piece["spaces"] for piece in scene.table.legal()["placements"]]
        near = [spaces for spaces in choices if masked.intersection(spaces)]
        spaces, player = rng.choice(near or choices), scene.doc["turn"]
        meant.append((player, sorted(spaces)))
        seen = [space for space in spaces if space not in masked]
        if seen:
            scene.land(scene.now_ms + 300, player, *seen, every_ms=40)
        else:
            assert scene.act("place", player=player, spaces=list(spaces)) is None
        message = scene.quiet(scene.now_ms + 2_500)["message"]
        if message is not None and message["kind"] != "peg":
            right = next(c["id"] for c in message["choices"] if sorted(c["spaces"]) == sorted(spaces))
            assert scene.act("choose", id=right) is None
            message = scene.quiet(scene.now_ms + 2_500)["message"]
        assert laid(scene) == meant
        assert message is None or message["kind"] == "peg"
