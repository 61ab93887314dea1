"""Sensors that cannot be believed, and events close together."""

from __future__ import annotations

import pytest
from tests.table.scene import Scene

from tablewire.games.cirkis.wiring import class_of, sensor_of
from tablewire.wire.messages import MagnetClass


def chatter(scene: Scene, space: int, colour: str, from_ms: int, to_ms: int, hz: int, ends: bool) -> int:
    """A magnet reads on and off `hz` times a second; at the end it reads as `ends` says. When it ended."""
    half_ms = max(1, 500 // hz)
    at_ms, lies = from_ms, scene.classes[sensor_of(space)] != 0
    while at_ms < to_ms or lies != ends:
        lies = not lies
        scene.read(at_ms, sensor_of(space), class_of(colour) if lies else 0)
        at_ms += half_ms
    return at_ms


@pytest.mark.parametrize("hz", [1, 5, 10, 30])
def test_a_chattering_space_of_a_placed_piece_changes_nothing_and_is_named(hz: int) -> None:
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    before = scene.doc
    end_ms = chatter(scene, 6, "red", 8_000, 18_000, hz, ends=True)
    assert scene.doc["spaces"] == before["spaces"]
    assert scene.doc["flaky"] == [6]
    assert "Space 6" in scene.doc["message"]["text"]
    assert scene.doc["phase"] == "playing"
    assert scene.quiet(end_ms + 2_000) == before


@pytest.mark.parametrize("hz", [1, 5, 30])
def test_play_goes_on_while_another_space_chatters(hz: int) -> None:
    """An empty space far away reads red on and off; green's and red's moves are accepted meanwhile."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    half_ms = 500 // hz
    at_ms = 4_000
    events = []
    while at_ms < 14_000:
        lies = (at_ms // half_ms) % 2 == 0
        events.append((at_ms, 120, class_of("red") if lies else 0))
        at_ms += half_ms
    events += [(8_001, 16, class_of("green")), (11_001, 26, class_of("red"))]
    for at, space, magnet in sorted(events):
        if scene.classes[sensor_of(space)] != magnet:
            scene.read(at, sensor_of(space), magnet)
    assert [piece["spaces"] for piece in scene.doc["laid"]] == [[6], [16], [26]]
    assert 120 in scene.doc["flaky"]


def test_a_piece_with_a_chattering_magnet_waits_for_it_and_names_it() -> None:
    scene = Scene()
    scene.land(1_000, "red", 6)
    end_ms = chatter(scene, 15, "red", 1_050, 6_000, 10, ends=True)
    assert scene.doc["moves"] == 0
    assert scene.doc["message"]["reasons"] == ["flaky_sensor"]
    assert "15" in scene.doc["message"]["text"]
    doc = scene.quiet(end_ms + 1_300)
    assert [piece["spaces"] for piece in doc["laid"]] == [[6, 15]]
    assert doc["message"] is None


def test_events_of_different_sensors_a_millisecond_apart_all_count() -> None:
    scene = Scene()
    scene.land(1_000, "red", 1)
    scene.land(1_001, "red", 6)
    scene.land(1_002, "red", 15)
    scene.land(1_003, "green", 16)
    scene.quiet(1_700)
    assert [piece["spaces"] for piece in scene.doc["laid"]] == [[1, 6, 15], [16]]


def test_magnets_that_bounce_while_they_land_are_one_piece() -> None:
    scene = Scene()
    for at_ms, space, on in (
        (1_000, 6, 1),
        (1_030, 6, 0),
        (1_060, 6, 1),
        (1_100, 15, 1),
        (1_130, 15, 0),
        (1_170, 15, 1),
    ):
        scene.read(at_ms, sensor_of(space), class_of("red") if on else 0)
    doc = scene.quiet(1_800)
    assert [piece["spaces"] for piece in doc["laid"]] == [[6, 15]]
    assert scene.kinds == ["commit"]


def test_a_strong_piece_straightened_twice_in_a_moment_is_not_called_flaky() -> None:
    """A strong magnet reads weak on its way off and on its way back."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    before = scene.doc
    for at_ms in (4_000, 5_200):
        for after_ms, magnet in ((0, MagnetClass.N_WEAK), (30, 0), (400, MagnetClass.N_WEAK), (450, 2)):
            scene.read(at_ms + after_ms, sensor_of(6), magnet)
            assert scene.doc == before
    assert scene.quiet(8_000) == before


def test_a_sensor_between_weak_and_strong_is_named() -> None:
    scene = Scene()
    scene.place(1_000, "red", 6)
    for step in range(40):
        scene.read(4_000 + 50 * step, sensor_of(6), MagnetClass.N_STRONG if step % 2 else MagnetClass.N_WEAK)
    assert scene.doc["flaky"] == [6]
    assert scene.doc["phase"] == "playing"


def test_a_lift_half_a_minute_after_a_sensor_chattered_is_a_lift() -> None:
    """What was fast is no slow chatter when one more change comes."""
    scene = Scene()
    scene.place(1_000, "red", 6, 15)
    scene.place(4_000, "green", 16)
    end_ms = chatter(scene, 15, "red", 8_000, 12_000, 10, ends=True)
    scene.quiet(end_ms + 30_000)
    scene.clear(end_ms + 30_100, 15)
    doc = scene.quiet(end_ms + 32_700)
    assert doc["message"]["text"] == "Space 15 does not read red: press the piece down."
    assert doc["flaky"] == []


@pytest.mark.parametrize("off_and_on_ms", [900, 2_000])
def test_a_sensor_that_goes_on_and_off_slowly_is_named_after_a_while(off_and_on_ms: int) -> None:
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    at_ms = 8_000
    for change in range(34):
        at_ms += off_and_on_ms // 2 if off_and_on_ms < 1_200 else off_and_on_ms
        scene.read(at_ms, sensor_of(120), 0 if change % 2 else class_of("yellow"))
    assert scene.doc["flaky"] == [120]
    assert "Space 120 flickers" in scene.doc["message"]["text"]
    assert scene.doc["phase"] == "playing"
    scene.land(at_ms + 100, "red", 26)
    assert scene.quiet(at_ms + 2_000)["moves"] == 3


def test_straightening_one_piece_again_and_again_says_nothing() -> None:
    """Once a second, seven times."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    before, at_ms = scene.quiet(8_000), 9_000
    for _ in range(7):
        scene.clear(at_ms, 6)
        assert scene.doc == before
        scene.land(at_ms + 300, "red", 6)
        assert scene.doc == before
        at_ms += 1_000
    assert scene.quiet(at_ms + 3_000) == before
