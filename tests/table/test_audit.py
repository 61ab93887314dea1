"""The audit: who changed what and why, with before and after in a sentence; of plain play it says nothing."""

from __future__ import annotations

from typing import Any

from tests.table.scene import Scene

from tablewire.entries import Entry, EntryKind
from tablewire.games.live import Intervention
from tablewire.table import Table


class Audited(Scene):
    """A scene that asks what the audit says of each entry, before it is taken in, as the store does."""

    @property
    def audit(self) -> list[Intervention]:
        """Everything the audit holds."""
        found, table = [], Table.begin(self.pinned)
        for entry in self.kept:
            said = table.intervention(entry)
            found += [] if said is None else [said]
            table = table.evolve(entry)
        return found

    @property
    def texts(self) -> list[str]:
        """Its sentences."""
        return [said.text for said in self.audit]


def opened(**options: Any) -> Audited:
    scene = Audited(**options)
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    scene.quiet(8_000)
    return scene


def test_plain_play_is_in_no_audit() -> None:
    """Pieces, a piece lifted again, one that grows, a pass, the end, the next round."""
    scene = opened(voluntary_pass=True)
    scene.land(9_000, "red", 26)
    scene.land(10_000, "red", 36)
    scene.quiet(13_000)
    scene.clear(14_000, 26, 36)
    scene.quiet(16_000)
    assert scene.act("pass") is None
    assert "take-back" in scene.kinds
    assert "rewrite" in scene.kinds
    assert scene.audit == []


def test_undo_and_redo_name_the_moves() -> None:
    scene = opened()
    scene.act("undo", by="Ada", note="we began wrong")
    scene.act("redo")
    scene.act("undo", count=2)
    assert scene.audit == [
        Intervention("undo", "Ada", "we began wrong", "Took back move 2: green's arrow on space 16."),
        Intervention("redo", "operator", "", "Brought back move 2: green's arrow on space 16."),
        Intervention(
            "undo",
            "operator",
            "",
            "Took back moves 1 and 2: red's wedge on space 6 and green's arrow on space 16.",
        ),
    ]


def test_a_correction_says_what_an_entry_was_and_what_it_became() -> None:
    scene = opened()
    scene.place(9_000, "red", 26)
    scene.act("correct", n=2, line={"player": "green", "spaces": [25]}, by="Ada", note="misread")
    scene.act("correct", n=2, line={"player": "red", "spaces": [7, 17], "forced": True}, keep_forced=True)
    scene.act("correct", n=2, do="remove", keep_forced=True)
    scene.act("correct", n=2, do="insert", line={"player": "green", "spaces": [16]})
    assert (scene.audit[0].by, scene.audit[0].note) == ("Ada", "misread")
    assert scene.texts == [
        "Move 2: green's arrow on space 16 became an arrow on space 25.",
        "Move 2: green's arrow on space 25 became red's triangle on spaces 7 and 17, against the rules; "
        "move 3, red's wedge on space 26, stands now as forced.",
        "Move 2, red's triangle on spaces 7 and 17, was taken out.",
        "Move 2, green's arrow on space 16, came in.",
    ]


def test_a_correction_names_what_it_gave_up() -> None:
    scene = opened()
    scene.act("correct", n=1, line={"player": "red", "spaces": [6, 16]}, drop_rest=True)
    assert scene.texts == [
        "Move 1: red's wedge on space 6 became a triangle on spaces 6 and 16; move 2, green's arrow on "
        "space 16, was taken out, for it could not stand."
    ]


def test_a_ruling_says_the_points_before_and_after() -> None:
    scene = opened()
    scene.act("ruling", points={"red": 5, "green": -5}, note="dropped piece", by="Ada")
    assert scene.audit == [
        Intervention(
            "ruling",
            "Ada",
            "dropped piece",
            "House ruling Red +5 and Green -5: Red from 0 to 5 and Green from 0 to -5 points.",
        )
    ]


def test_masks_name_spaces_and_peg_holes() -> None:
    scene = opened()
    scene.act("mask", sensors=[36, 40, 166], masked=True, note="dead")
    scene.act("mask", sensors=[36], masked=False)
    assert scene.texts == [
        "Spaces 37 and 41 and Purple's peg hole 5 are no longer believed.",
        "Space 37 is believed again.",
    ]


def test_a_piece_entered_by_hand_is_named() -> None:
    scene = opened()
    scene.act("place", player="red", spaces=[26], by="Ada", note="no magnet")
    scene.act("place", player="red", spaces=[60], forced=True)
    assert scene.texts == [
        "Entered by hand: Move 3, red's wedge on space 26.",
        "Entered by hand: Move 4, red's wedge on space 60, against the rules.",
    ]


def test_a_choice_taken_is_named() -> None:
    """Red's second magnet comes long after the first, out of turn: one piece, or one against the rules."""
    scene = Audited()
    scene.place(1_000, "red", 6)
    scene.land(9_000, "red", 15)
    doc = scene.quiet(12_000)
    assert doc["message"]["kind"] == "ambiguous"
    grow, apart = doc["message"]["choices"][:2]
    scene.act("choose", id=grow["id"], by="Ada")
    assert [(said.by, said.text) for said in scene.audit] == [
        (
            "Ada",
            "Chosen on the page: Move 1: red's wedge on space 6 became a small slice on spaces 6 and 15.",
        )
    ]
    scene = Audited()
    scene.place(1_000, "red", 6)
    scene.land(9_000, "red", 15)
    scene.quiet(12_000)
    scene.act("choose", id=apart["id"])
    assert scene.texts == ["Chosen on the page: Move 2, red's wedge on space 15, against the rules."]


def test_a_table_accepted_as_it_lay_is_named() -> None:
    scene = opened()
    scene.place(9_000, "red", 26)
    scene.clear(12_000, 16)
    scene.quiet(15_000)
    scene.act("accept", note="it fell down", by="Ada")
    scene.clear(16_000, 6, 26)
    scene.quiet(19_000)
    scene.act("accept")
    assert [(said.kind, said.by, said.note, said.text) for said in scene.audit] == [
        (
            "correction",
            "Ada",
            "it fell down",
            "Accepted as it lay: Move 2, green's arrow on space 16, was taken out; move 2 of the new list, "
            "red's wedge on space 26, stands now as forced.",
        ),
        (
            "undo",
            "operator",
            "",
            "Accepted as it lay, took back moves 1 and 2: red's wedge on space 6 and red's wedge on space "
            "26.",
        ),
    ]


def test_every_action_of_a_person_but_a_pass_and_a_round_is_in_the_audit() -> None:
    """Each of them alone, from the same game."""
    for name, body in (
        ("undo", {}),
        ("ruling", {"points": {"red": 5}}),
        ("place", {"player": "red", "spaces": [26]}),
        ("correct", {"n": 1, "do": "remove", "keep_forced": True}),
        ("mask", {"sensors": [3], "masked": True}),
    ):
        scene = opened()
        assert scene.act(name, **body) is None
        [said] = scene.audit
        assert said.by == "operator"
        assert said.text.endswith(".")


def test_entries_of_an_older_program_are_read_too() -> None:
    """They held the whole list of moves, and "choice" in place of a name."""
    scene = opened()
    rows = [{"line": {"player": "red", "spaces": [6]}}, {"line": {"player": "green", "spaces": [25]}}]
    old = Entry(EntryKind.CORRECTION, 9_000, {"by": "operator", "n": 2, "note": "misread", "moves": rows})
    said = scene.table.intervention(old)
    assert said is not None
    assert said.note == "misread"
    table = scene.table.evolve(old)
    assert [piece["spaces"] for piece in table.document()["laid"]] == [[6], [25]]


def test_what_comes_back_is_named_in_the_order_in_which_it_was_played() -> None:
    scene = opened()
    scene.act("undo", count=2)
    scene.act("redo", count=2)
    assert scene.texts[1] == (
        "Brought back moves 1 and 2: red's wedge on space 6 and green's arrow on space 16."
    )


def test_of_very_many_moves_the_first_are_named_and_the_rest_counted() -> None:
    scene = opened()
    for _ in range(12):
        scene.act("ruling", points={"red": 5})
    scene.act("undo", count=14)
    text = scene.texts[-1]
    assert text.startswith("Took back moves 1 to 14: red's wedge on space 6, green's arrow on space 16, ")
    assert text.endswith(" and 2 more.")


def test_a_growth_by_the_sensors_is_named_only_for_what_nobody_can_see_on_the_table() -> None:
    """Red's arrow on 2 becomes a boomerang, and purple's 5 earns a free turn: yellow's 14, which lies there,
    is judged again; red's 24, entered by hand, stands as forced."""
    scene = Audited(players=("red", "green", "purple", "yellow"))
    scene.place(1_000, "red", 2)
    scene.place(4_000, "green", 3, 4)
    scene.place(7_000, "purple", 5)
    scene.place(10_000, "yellow", 14)
    scene.act("place", player="red", spaces=[24])
    line = {"line": {"player": "red", "spaces": [1, 2]}, "last_ms": 0, "grows_until_ms": None}
    scene.kept.append(Entry(EntryKind.REWRITE, scene.now_ms, {"by": "table", "index": 0, **line}))
    assert scene.texts == [
        "Entered by hand: Move 5, red's arrow on space 24.",
        "Move 1: red's arrow on space 2 became a boomerang on spaces 1 and 2; move 5 stands now as forced.",
    ]


def test_a_choice_of_the_time_before_names_were_kept_is_an_operators() -> None:
    scene = opened()
    move = {"line": {"player": "red", "spaces": [26]}, "last_ms": None, "grows_until_ms": None}
    scene.kept.append(Entry(EntryKind.COMMIT, scene.now_ms, {"by": "choice", "moves": [move]}))
    assert [(said.by, said.text) for said in scene.audit] == [
        ("operator", "Chosen on the page: Move 3, red's wedge on space 26.")
    ]
