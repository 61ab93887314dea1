"""Taking the table as it lies: by the rules where they allow it, else as a correction with a note."""

from __future__ import annotations

from typing import Any

from tests.table.scene import Scene, laid, opened

from tablewire.games.cirkis.wiring import SENSOR_COUNT, class_of, sensor_of
from tablewire.games.live import Refusal, Told
from tablewire.wire.observed import Snapshot


def preview(scene: Scene) -> dict[str, Any]:
    """What taking the table as it lies would record; nothing is done."""
    before = scene.doc
    told = scene.table.act("accept", {"preview": True})
    assert isinstance(told, Told), told
    assert scene.doc == before
    found = told.body["preview"]
    assert isinstance(found, dict)
    return found


def refused(scene: Scene, **body: Any) -> Refusal:
    """Why it is not done."""
    answer = scene.table.act("accept", body)
    assert isinstance(answer, Refusal)
    return answer


def relaid(scene: Scene, at_ms: int, **spaces: list[int]) -> dict[str, Any]:
    """The link was cut; when the board is heard again, this lies there, all of it since the same moment."""
    scene.classes = bytearray(SENSOR_COUNT)
    for colour, some in spaces.items():
        for space in some:
            scene.classes[sensor_of(space)] = class_of(colour)
    scene.number += 100
    scene.now_ms = at_ms
    scene.observe(Snapshot(scene.nonce, scene.number, at_ms, bytes(scene.classes)))
    return scene.quiet(at_ms + 3_000)


def three() -> Scene:
    """Red 6, green 16, red 26; everything is final at 13,000."""
    scene = opened()
    scene.place(9_000, "red", 26)
    scene.quiet(13_000)
    return scene


def agrees(scene: Scene) -> bool:
    """Whether nothing but a peg is to be put right any more: the position is what lies there."""
    message = scene.doc["message"]
    return scene.doc["phase"] == "playing" and (message is None or message["kind"] == "peg")


def test_when_nothing_differs_there_is_nothing_to_accept() -> None:
    scene = opened()
    assert refused(scene).reason == "nothing_to_accept"
    assert scene.doc["actions"]["accept"] is False


def test_while_pieces_are_moved_it_is_too_early() -> None:
    scene = three()
    scene.clear(14_000, 16)
    scene.quiet(14_300)
    assert refused(scene).reason == "still_settling"
    scene.quiet(15_300)
    assert refused(scene).reason == "note_needed"


def test_a_cleared_table_takes_everything_back_and_it_can_be_brought_back() -> None:
    scene = three()
    relaid(scene, 14_000)
    told = preview(scene)
    assert told["legal"] is True
    assert told["taken_back"] == [1, 2, 3]
    assert told["lines"] == []
    assert scene.act("accept") is None
    assert laid(scene) == []
    assert agrees(scene)
    assert scene.act("redo", count=3) is None
    assert len(laid(scene)) == 3


def test_a_piece_moved_while_nobody_read_the_table_is_one_entry_changed() -> None:
    """Green's arrow lies on 25 now: it touches red's 6, and red's 26 touches it."""
    scene = three()
    relaid(scene, 14_000, red=[6, 26], green=[25])
    told = preview(scene)
    assert told["legal"] is True
    assert told["lines"] == [{"player": "green", "spaces": [25]}]
    assert told["taken_back"] == [2]
    assert told["changes"] == ["Move 2: green's arrow on space 16 becomes an arrow on space 25."]
    assert scene.act("accept", by="Ada") is None
    assert laid(scene) == [("red", [6]), ("green", [25]), ("red", [26])]
    assert agrees(scene)
    assert scene.doc["turn"] == "green"


def test_a_piece_recorded_too_small_is_put_right() -> None:
    """What was read as a wedge is a small slice, and its other magnet was heard too late to be sure."""
    scene = three()
    relaid(scene, 14_000, red=[6, 26, 36], green=[16])
    told = preview(scene)
    assert told["lines"] == [{"player": "red", "spaces": [26, 36]}]
    assert scene.act("accept") is None
    assert laid(scene)[-1] == ("red", [26, 36])
    assert agrees(scene)


def test_turns_played_unseen_after_pieces_were_taken_away_are_counted() -> None:
    """Red's 26 and green's 25 were taken away, and red's 36, green's 45 and red's 65 were played instead."""
    scene = three()
    scene.place(13_100, "green", 25)
    relaid(scene, 18_000, red=[6, 36, 65], green=[16, 45])
    told = preview(scene)
    assert told["legal"] is True
    assert told["taken_back"] == [3, 4]
    assert [line["spaces"] for line in told["lines"]] == [[36], [45], [65]]
    assert told["next"] == "green"
    assert scene.act("accept") is None
    assert laid(scene)[2:] == [("red", [36]), ("green", [45]), ("red", [65])]
    assert agrees(scene)


def test_what_can_be_played_in_several_ways_is_asked() -> None:
    """Two pieces are gone; red's 26 and 36 are a small slice, or a wedge before and one after green's 56."""
    scene = opened()
    scene.place(9_000, "red", 25)
    scene.place(11_000, "green", 24)
    scene.quiet(13_000)
    relaid(scene, 14_000, red=[6, 26, 36], green=[16, 56])
    told = preview(scene)
    assert len(told["choices"]) == 3
    refusal = refused(scene)
    assert refusal.reason == "several"
    assert refusal.details["choices"] == told["choices"]
    slice_first = next(choice for choice in told["choices"] if "small slice" in choice["text"])
    assert slice_first["id"].startswith("accept:")
    assert scene.act("choose", id=slice_first["id"], by="Ada") is None
    assert laid(scene)[2:] == [("red", [26, 36]), ("green", [56])]
    assert agrees(scene)
    refusal_or_none = scene.act("choose", id=slice_first["id"])
    assert refusal_or_none is not None
    assert refusal_or_none.reason == "no_such_choice"


def test_a_piece_whose_move_was_undone_and_that_still_lies_there_counts_again() -> None:
    scene = three()
    assert scene.act("undo") is None
    assert scene.doc["phase"] == "hold"
    assert scene.act("accept") is None
    assert laid(scene)[-1] == ("red", [26])
    assert agrees(scene)


def test_where_no_legal_line_leads_a_note_is_needed_and_the_entries_are_corrected() -> None:
    """Green's 16 is gone: red would have played twice."""
    scene = three()
    relaid(scene, 14_000, red=[6, 26])
    told = preview(scene)
    assert told["legal"] is False
    assert told["taken_back"] == [2]
    assert told["changes"] == [
        "Move 2, green's arrow on space 16, is taken out.",
        "Move 2 of the new list, red's wedge on space 26, stands as forced.",
    ]
    refusal = refused(scene)
    assert refusal.reason == "note_needed"
    assert refusal.details["preview"] == told
    assert scene.act("accept", note="green's piece fell down", by="Ada") is None
    assert laid(scene) == [("red", [6]), ("red", [26])]
    assert scene.doc["history"][1]["forced"] == ["not_your_turn"]
    assert agrees(scene)


def test_two_pieces_that_changed_places_are_two_entries_respelled() -> None:
    """Red's wedge on 6 and green's on 15 were swapped; red's third piece touches both."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 15)
    scene.place(7_000, "red", 25)
    scene.quiet(11_000)
    relaid(scene, 14_000, red=[15, 25], green=[6])
    told = preview(scene)
    assert told["legal"] is True
    assert told["lines"] == [{"player": "red", "spaces": [15]}, {"player": "green", "spaces": [6]}]
    assert scene.act("accept") is None
    assert laid(scene) == [("red", [15]), ("green", [6]), ("red", [25])]
    assert agrees(scene)


def test_a_piece_too_many_is_added_as_forced() -> None:
    """Green laid twice, far from the Leader."""
    scene = three()
    relaid(scene, 14_000, red=[6, 26], green=[16, 60])
    told = preview(scene)
    assert told["lines"] == [{"player": "green", "spaces": [60]}]
    assert told["taken_back"] == []
    assert scene.act("accept", note="agreed") is None
    assert laid(scene)[-1] == ("green", [60])
    assert scene.doc["last"]["forced"] == ["not_touching_leader"]
    assert agrees(scene)


def test_the_colour_of_nobody_who_plays_cannot_be_accepted_and_is_named() -> None:
    scene = Scene(players=("red", "yellow"))
    scene.place(1_000, "red", 6)
    relaid(scene, 14_000, red=[6], green=[100, 30])
    refusal = refused(scene, note="so it was")
    assert refusal.reason == "cannot_accept"
    assert "Green on spaces 30 and 100: nobody plays with that colour" in refusal.text
    scene = opened()
    relaid(scene, 14_000, red=[6], green=[16, 30], yellow=[100])
    assert "Yellow on space 100" in refused(scene, note="so it was").text


def test_what_no_pieces_make_up_cannot_be_accepted_and_is_named() -> None:
    """In this box there are kites and Slivers only, and red lies on a dart."""
    scene = Scene(pieces=[{"name": "dot", "count": 9, "example": [6]}])
    scene.place(1_000, "red", 6)
    relaid(scene, 14_000, red=[6, 16, 60], green=[26])
    refusal = refused(scene, note="so it was")
    assert refusal.reason == "cannot_accept"
    assert "what red has on space 16" in refusal.text


def test_after_the_end_a_cleared_table_is_nothing_to_accept() -> None:
    scene = Scene(target=10)
    scene.place(1_000, "red", 2, 3)
    scene.place(5_000, "green", 4, 5)
    scene.place(9_000, "red", 1)
    scene.place(13_000, "red", 10)
    scene.clear(17_000, 1, 2, 3, 4, 5, 10)
    scene.quiet(20_000)
    assert refused(scene).reason == "nothing_to_accept"
    assert scene.doc["actions"]["accept"] is False


def test_rulings_among_moves_taken_back_stay() -> None:
    scene = opened()
    assert scene.act("ruling", points={"green": 5}, note="help") is None
    scene.place(9_000, "red", 26)
    scene.quiet(13_000)
    relaid(scene, 14_000, red=[6])
    told = preview(scene)
    assert told["taken_back"] == [2, 4]
    assert told["scores"] == {"red": 0, "green": 5}
    assert scene.act("accept") is None
    assert [player["score"] for player in scene.doc["players"]] == [0, 5]
    assert laid(scene) == [("red", [6])]
    assert agrees(scene)


def test_a_piece_half_in_its_seat_lies_there() -> None:
    """One of its two spaces reads nothing, and another red piece reads the weak colour of its pole."""
    scene = Scene()
    scene.place(1_000, "red", 6, 15)
    scene.place(5_000, "green", 16)
    relaid(scene, 14_000, red=[6], green=[16])
    assert refused(scene).reason == "nothing_to_accept"
    relaid(scene, 18_000, red=[6], purple=[15], green=[16])
    assert refused(scene).reason == "nothing_to_accept"


def test_what_counts_though_it_does_not_read_is_said() -> None:
    """Red's 26 is gone; green's other piece has one space that does not read."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16, 31)
    scene.place(7_000, "red", 26)
    scene.place(10_000, "green", 25)
    relaid(scene, 15_000, red=[6], green=[16, 25])
    told = preview(scene)
    assert "Green's piece on spaces 16 and 31 counts as lying there, though space 31" in told["text"]


def test_a_bare_space_whose_magnet_may_lie_elsewhere_counts_as_bare() -> None:
    """Green's piece on 16 and 31 has lost its magnet on 31, and a green one lies on 60 now."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16, 31)
    scene.place(7_000, "red", 26)
    relaid(scene, 15_000, red=[6, 26], green=[16, 60])
    told = preview(scene)
    assert "counts as lying there" not in told["text"]
    assert scene.act("accept", note="so it was") is None
    assert sorted(map(int, scene.doc["spaces"])) == [6, 16, 26, 60]
    assert agrees(scene)


def test_a_stranger_beside_a_piece_of_its_pole_is_not_that_players() -> None:
    scene = opened()
    relaid(scene, 14_000, red=[6], green=[16], yellow=[26])
    refusal = refused(scene, note="so it was")
    assert refusal.reason == "cannot_accept"
    assert "Yellow on space 26" in refusal.text


def test_what_lies_there_at_the_beginning_can_be_taken_as_the_game_so_far() -> None:
    """The journal was lost: two pieces lie there, and the players agree that they count."""
    scene = Scene(lying={6: "red", 16: "green"})
    scene.quiet(2_000)
    assert scene.doc["phase"] == "waiting"
    assert scene.act("accept") is None
    assert laid(scene) == [("red", [6]), ("green", [16])]
    assert agrees(scene)


def test_a_disturbed_table_that_the_rules_allow_is_offered_as_a_button() -> None:
    """Green's arrow lies on 25 now; it can be put back, or counted as it lies."""
    scene = three()
    doc = relaid(scene, 14_000, red=[6, 26], green=[25])
    assert doc["phase"] == "hold"
    [offer] = [choice for choice in doc["message"]["choices"] if choice["id"].startswith("accept:")]
    assert offer["spaces"] == [25]
    assert "green's arrow on space 16" in offer["text"]
    assert scene.act("choose", id=offer["id"]) is None
    assert laid(scene) == [("red", [6]), ("green", [25]), ("red", [26])]
    assert agrees(scene)


def test_a_table_that_was_swept_clean_is_not_offered_as_a_game_taken_back() -> None:
    scene = three()
    doc = relaid(scene, 14_000)
    assert doc["message"]["choices"] == []
    assert doc["actions"]["accept"] is True


def test_an_undone_piece_that_still_lies_there_is_not_offered_again() -> None:
    scene = three()
    assert scene.act("undo") is None
    assert scene.doc["message"]["choices"] == []
    assert scene.doc["undone"] == 1


def test_a_masked_space_keeps_what_the_game_has_there() -> None:
    scene = opened()
    assert scene.act("mask", sensors=[15], masked=True) is None
    relaid(scene, 14_000, red=[6])
    assert refused(scene).reason == "nothing_to_accept"
    assert agrees(scene)


def test_a_piece_turned_in_its_place_is_one_entry_respelled_and_no_other_piece_is_cut_up() -> None:
    """Green's piece on 17 and 27 lies on 7 and 17 now. Red's boomerang on 16 and 31 stays a boomerang."""
    scene = Scene()
    for at_ms, colour, spaces in (
        (1_000, "red", (2, 8)),
        (4_000, "green", (17, 27)),
        (7_000, "red", (16, 31)),
        (10_000, "green", (46, 47)),
    ):
        scene.place(at_ms, colour, *spaces)
    scene.quiet(14_000)
    scene.clear(15_000, 27)
    scene.land(15_200, "green", 7)
    scene.quiet(19_000)
    told = preview(scene)
    assert told["legal"] is True
    assert told["changes"] == [
        "Move 2: green's hook on spaces 17 and 27 becomes a triangle on spaces 7 and 17."
    ]
    assert told["taken_back"] == [2]
    assert scene.act("accept", note="it was turned") is None
    assert laid(scene)[1:3] == [("green", [7, 17]), ("red", [16, 31])]
    assert agrees(scene)
    assert sorted(int(space) for space in scene.doc["spaces"]) == [2, 7, 8, 16, 17, 31, 46, 47]
