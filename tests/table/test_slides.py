"""Straightening and sliding: a touch changes nothing and says nothing, a slide is one move, where it ends."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from tests.table.scene import Scene, laid, opened

from tablewire.games.cirkis.pieces import Placement, default_piece_set
from tablewire.games.cirkis.tiling import board, mask_of
from tablewire.games.cirkis.wiring import class_of, sensor_of

WEAK_OF = {2: 1, 4: 3}
DWELLS_MS = (30, 100, 250, 500, 700, 1_000, 2_000)
Read = tuple[int, int, int]


def played(seed: int, moves: int, players: tuple[str, ...] = ("red", "green")) -> tuple[Scene, random.Random]:
    """A random position, everything final."""
    rng, scene = random.Random(seed), Scene(players)
    for _ in range(moves):
        piece = rng.choice(scene.table.legal()["placements"])
        scene.land(scene.now_ms + 300, scene.doc["turn"], *piece["spaces"], every_ms=40)
        scene.quiet(scene.now_ms + 2_300)
    return scene, rng


def nudges(scene: Scene, rng: random.Random, from_ms: int, count: int) -> list[Read]:
    """`count` touches, each of one to four spaces that go and come back, one after another."""
    reads: list[Read] = []
    on = [int(space) for space in scene.doc["spaces"]]
    for _ in range(count):
        end_ms = from_ms
        for space in rng.sample(on, min(len(on), rng.randint(1, 4))):
            magnet, off_ms = scene.classes[sensor_of(space)], from_ms + rng.randint(0, 300)
            on_ms = off_ms + rng.randint(20, 800)
            if magnet in WEAK_OF and rng.random() < 0.5:
                reads += [(off_ms, space, WEAK_OF[magnet]), (on_ms - 8, space, WEAK_OF[magnet])]
                off_ms += 10
            reads += [(off_ms, space, 0), (on_ms, space, magnet)]
            end_ms = max(end_ms, on_ms)
        from_ms = end_ms + rng.randint(500, 1_500)
    return sorted(reads)


@pytest.mark.parametrize("seed", range(6))
def test_straightening_any_pieces_changes_nothing_at_any_moment(seed: int) -> None:
    scene, rng = played(seed, 1 + seed % 5)
    before = scene.doc
    for at_ms, space, magnet in nudges(scene, rng, scene.now_ms + 100, 4):
        if at_ms > scene.now_ms:
            assert scene.quiet(at_ms - 1) == before
        scene.read(at_ms, sensor_of(space), magnet)
        assert scene.doc == before
    assert scene.quiet(scene.now_ms + 4_000) == before


@pytest.mark.parametrize("seed", range(6))
def test_straightening_others_while_a_piece_is_placed_leaves_one_move(seed: int) -> None:
    scene, rng = played(100 + seed, 2 + seed % 4)
    before = laid(scene)
    player, piece = scene.doc["turn"], rng.choice(scene.table.legal()["placements"])["spaces"]
    begun_ms = scene.now_ms + 1_000
    reads = nudges(scene, rng, begun_ms - 700, 2)
    reads += [(begun_ms + 150 * step, space, int(class_of(player))) for step, space in enumerate(piece)]
    for at_ms, space, magnet in sorted(reads):
        scene.read(at_ms, sensor_of(space), magnet)
    scene.quiet(scene.now_ms + 4_000)
    assert laid(scene) == [*before, (player, sorted(piece))]
    assert scene.doc["message"] is None or scene.doc["message"]["kind"] == "peg"
    assert set(scene.kinds) == {"commit"}


@pytest.mark.parametrize("after_ms", [100, 700, 1_300, 1_490, 1_600, 5_000])
def test_straightening_the_last_piece_after_the_end_changes_nothing(after_ms: int) -> None:
    """Target 5, at once: dart 1 completes the star and ends the game."""
    scene = Scene(target=5, rulebook="international")
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.land(9_000, "red", 1)
    scene.quiet(9_000 + after_ms)
    scene.clear(9_001 + after_ms, 1)
    scene.quiet(9_700 + after_ms)
    scene.land(9_701 + after_ms, "red", 1)
    doc = scene.quiet(9_000 + after_ms + 6_000)
    assert (doc["phase"], doc["result"]["winners"]) == ("over", ["red"])
    assert doc["moves"] == 3
    assert scene.kinds == ["commit"] * 3


# Slides


def tracks(scene: Scene, rng: random.Random, last: Placement, steps: int) -> list[Placement]:
    """A way over free places of the same piece, each beside the one before, that ends at `last`."""
    filled = mask_of([int(space) for space in scene.doc["spaces"]])
    touches, places = board().touches, default_piece_set().placements
    way = [last]
    for _ in range(steps):
        near = way[0].mask
        for space in way[0].spaces:
            near |= touches[space - 1]
        beside = [
            place
            for place in places
            if place.shape == last.shape and place.mask & near and not place.mask & filled and place != way[0]
        ]
        way[:0] = [rng.choice(beside)] if beside else []
    return way


def slide(scene: Scene, rng: random.Random, way: list[Placement], magnet: int, dwell_ms: int) -> None:
    """The piece comes down on the first place and slides from each to the next; magnets overlap a little."""
    at_ms, reads = scene.now_ms + 500, list[Read]()
    reads += [(at_ms + 20 * step, space, magnet) for step, space in enumerate(way[0].spaces)]
    for old, new in pairwise(way):
        at_ms += max(dwell_ms, 60)
        reads += [
            (at_ms + rng.randint(0, 20), space, magnet) for space in new.spaces if space not in old.spaces
        ]
        reads += [(at_ms + rng.randint(5, 40), space, 0) for space in old.spaces if space not in new.spaces]
    for read_ms, space, read in sorted(reads):
        if read_ms > scene.now_ms:
            scene.quiet(read_ms - 1)
        scene.read(read_ms, sensor_of(space), read)


@pytest.mark.parametrize("dwell_ms", DWELLS_MS)
@pytest.mark.parametrize("seed", range(2))
def test_a_piece_slid_over_the_board_is_one_move_where_it_ends(seed: int, dwell_ms: int) -> None:
    scene, rng = played(200 + seed, 1 + seed)
    before, player = laid(scene), scene.doc["turn"]
    pieces = default_piece_set().by_mask
    last = pieces[mask_of(rng.choice(scene.table.legal()["placements"])["spaces"])]
    way = tracks(scene, rng, last, rng.randint(1, 4))
    slide(scene, rng, way, int(class_of(player)), dwell_ms)
    scene.quiet(scene.now_ms + 4_000)
    assert laid(scene) == [*before, (player, list(last.spaces))], [place.spaces for place in way]
    assert scene.doc["message"] is None or scene.doc["message"]["kind"] == "peg"


@pytest.mark.parametrize("dwell_ms", DWELLS_MS)
def test_a_slide_back_over_its_own_track_ends_where_it_ends(dwell_ms: int) -> None:
    scene = opened()
    at_ms = 9_000
    for old, new in pairwise([0, 26, 45, 26, 36, 26]):
        if old:
            scene.clear(at_ms, old)
        scene.land(at_ms, "red", new)
        scene.quiet(at_ms + dwell_ms - 1)
        at_ms += dwell_ms
    scene.quiet(at_ms + 4_000)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [26])]
    assert scene.doc["message"] is None


@pytest.mark.parametrize("dwell_ms", DWELLS_MS)
def test_a_slide_that_ends_beside_an_older_piece_of_its_colour_is_a_piece_of_its_own(dwell_ms: int) -> None:
    """Kite 15 beside red's kite 6, with which it would be a small slice."""
    scene = opened()
    at_ms = 9_000
    for old, new in pairwise([0, 45, 26, 25, 15]):
        if old:
            scene.clear(at_ms + 15, old)
        scene.land(at_ms + 15, "red", new)
        scene.quiet(at_ms + dwell_ms - 1)
        at_ms += dwell_ms
    scene.quiet(at_ms + 4_000)
    assert laid(scene) == [("red", [6]), ("green", [16]), ("red", [15])]
    assert scene.doc["message"] is None


PAIR_AND_TIPS = [{"name": "pair", "count": 1, "example": [2, 3]}, {"name": "tip", "count": 2, "example": [1]}]
"""Who has laid the pair has nothing larger than a tip left: a tip is what it is as soon as it has settled."""


@pytest.mark.parametrize(
    ("options", "dwell_ms", "ends"),
    [
        ({}, 500, [15]),
        ({}, 1_000, [15]),
        ({}, 2_000, [1]),
        ({"pieces": PAIR_AND_TIPS}, 500, None),
        ({"pieces": PAIR_AND_TIPS}, 700, [1]),
        ({"pieces": PAIR_AND_TIPS}, 2_000, [1]),
    ],
)
def test_a_piece_pushed_on_from_where_it_has_ended_the_game_ended_it_there(
    options: dict[str, Any], dwell_ms: int, ends: list[int] | None
) -> None:
    """Dart 1 completes the star. Once the end is final, and the winner heard, nothing on the table counts."""
    scene = Scene(target=5, rulebook="international", **options)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.land(9_000, "red", 1)
    scene.quiet(9_000 + dwell_ms)
    scene.clear(9_001 + dwell_ms, 1)
    scene.land(9_011 + dwell_ms, "red", 15)
    doc = scene.quiet(9_000 + dwell_ms + 6_000)
    before = [("red", [2, 3]), ("green", [4, 5])]
    assert laid(scene) == [*before, *([] if ends is None else [("red", ends)])]
    assert (doc["phase"] == "over") == (ends == [1])
