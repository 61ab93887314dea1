"""A board that was away, and a game that was put aside: what changed meanwhile is guided, never guessed."""

from __future__ import annotations

from tests.table.scene import Scene, laid, opened

from tablewire.entries import Entry, EntryKind
from tablewire.games.cirkis.wiring import SENSOR_COUNT, class_of, sensor_of
from tablewire.wire.observed import Complete, Snapshot, encode_observation


def classes_of(layout: dict[int, str]) -> bytes:
    classes = bytearray(SENSOR_COUNT)
    for space, colour in layout.items():
        classes[sensor_of(space)] = class_of(colour)
    return bytes(classes)


def reset(scene: Scene, layout: dict[int, str]) -> None:
    """The board was without power, and tells what lies on it when it is back."""
    scene.nonce += 1
    scene.number, scene.now_ms = 0, 0
    scene.classes = bytearray(classes_of(layout))
    scene.observe(Snapshot(scene.nonce, 0, 50, bytes(scene.classes)))


def resume(scene: Scene, layout: dict[int, str]) -> None:
    """The game is gone on with after it was put aside, on the table as it lies now."""
    scene.now_ms += 10_000
    scene.number += 50
    scene.classes = bytearray(classes_of(layout))
    seen = Snapshot(scene.nonce, scene.number, scene.now_ms, bytes(scene.classes))
    body = {**encode_observation(seen), "resumed": True}
    scene.table, entries = scene.table.enter((Entry(EntryKind.OBSERVATION, scene.now_ms, body),))
    scene.kept += entries
    scene.check_restart()


def test_a_piece_that_went_while_the_board_had_no_power_is_asked_for() -> None:
    scene = opened()
    reset(scene, {6: "red"})
    doc = scene.quiet(5_000)
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert doc["message"]["steps"] == [{"do": "place", "spaces": [16], "colour": "green"}]
    scene.land(6_000, "green", 16)
    assert scene.quiet(8_000)["phase"] == "playing"


def test_a_piece_still_there_after_the_boards_reset_can_be_lifted() -> None:
    scene = opened()
    reset(scene, {6: "red", 16: "green"})
    scene.quiet(3_000)
    scene.clear(4_000, 16)
    scene.quiet(6_000)
    assert laid(scene) == [("red", [6])]


def test_a_piece_laid_while_the_board_had_no_power_is_the_next_move() -> None:
    scene = opened()
    reset(scene, {6: "red", 16: "green", 26: "red"})
    scene.quiet(3_000)
    assert laid(scene)[-1] == ("red", [26])


def test_what_another_game_left_is_no_move_of_the_one_that_is_gone_on_with() -> None:
    scene = opened()
    resume(scene, {6: "red", 16: "green", 26: "red", 40: "green"})
    doc = scene.quiet(scene.now_ms + 3_000)
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert doc["phase"] == "hold"
    assert {step["do"] for step in doc["message"]["steps"]} == {"lift"}
    assert sorted(space for step in doc["message"]["steps"] for space in step["spaces"]) == [26, 40]
    scene.clear(scene.now_ms + 100, 26, 40)
    assert scene.quiet(scene.now_ms + 3_000)["phase"] == "playing"
    scene.place(scene.now_ms + 100, "red", 26)
    assert laid(scene)[-1] == ("red", [26])


def test_a_cleared_table_takes_nothing_back_of_a_game_that_is_gone_on_with() -> None:
    scene = opened()
    resume(scene, {})
    doc = scene.quiet(scene.now_ms + 3_000)
    assert len(laid(scene)) == 2
    assert sorted(space for step in doc["message"]["steps"] for space in step["spaces"]) == [6, 16]
    assert {step["do"] for step in doc["message"]["steps"]} == {"place"}


def test_a_game_gone_on_with_before_any_board_was_heard_waits_for_the_first() -> None:
    scene = opened()
    body = {**encode_observation(Complete(scene.nonce, scene.now_ms)), "resumed": True}
    scene.table, entries = scene.table.enter((Entry(EntryKind.OBSERVATION, scene.now_ms, body),))
    scene.kept += entries
    reset(scene, {6: "red", 26: "red"})
    doc = scene.quiet(4_000)
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert [(step["do"], step["spaces"]) for step in doc["message"]["steps"]] == [
        ("lift", [26]),
        ("place", [16]),
    ]
    assert scene.table.game is not None


def test_what_lay_there_before_the_first_board_was_heard_is_to_be_cleared() -> None:
    """The game was begun with no board; the first one heard has a piece where one could begin."""
    scene = Scene(lying={6: "red"})
    doc = scene.quiet(3_000)
    assert doc["moves"] == 0
    assert doc["phase"] == "waiting"
    assert doc["message"]["steps"][0]["spaces"] == [6]
    scene.clear(4_000, 6)
    scene.quiet(6_000)
    scene.place(7_000, "red", 6)
    assert laid(scene) == [("red", [6])]
