"""A deck is taught on the page, while no game is played: the daemon's core and journal, a simulated board."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.capturing import CapturedTable, replayed
from tests.system.games import header
from tests.system.rig import Killed, Rig

from tablewire.core import KEEP_RETRY_MS
from tablewire.errors import StoreError
from tablewire.games.ligretto.cards import FACES
from tablewire.games.ligretto.decks import printed_deck, printed_decks, printed_uid
from tablewire.store.journal import Journal
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.messages import BoardKind

HAND_MS = 700
"""How far apart a hand lays cards."""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    table = Rig(tmp_path / "data", board=VirtualBoard(1, kind=BoardKind.LIGRETTO))
    table.run(500)
    yield table
    table.close()


def act(rig: Rig, name: str, **body: Any) -> dict[str, Any]:
    """An action that is done."""
    answer = rig.core.act(name, body)
    assert answer.status == 200, answer.body
    return answer.body


def refusal(rig: Rig, name: str, **body: Any) -> tuple[int, str, str]:
    """Status, reason and text of an action that is not."""
    answer = rig.core.act(name, body)
    assert "version" not in answer.body
    return answer.status, answer.body["reason"], answer.body["text"]


def kept(rig: Rig) -> dict[str, Any]:
    """What a program that reads the file beside the table finds."""
    with Journal.open_reading(rig.folder, lambda: datetime.now(UTC)) as journal:
        return journal.kept("ligretto")


def lay(rig: Rig, *cards: str, pad: int = 0) -> dict[str, Any]:
    """Lay cards one after another; the lesson then."""
    for card in cards:
        rig.do(f"lay {card} {pad}")
        rig.run(HAND_MS)
    lesson: dict[str, Any] = rig.doc["teaching"]
    return lesson


def keep(rig: Rig, count: int) -> None:
    """The journal keeps so many decks already."""
    for deck in printed_decks(count):
        rig._journal.keep("ligretto", deck.name, deck.to_kept())


def test_before_anything_is_taught_there_are_no_decks_and_no_lesson(rig: Rig) -> None:
    assert (rig.doc["decks"], rig.doc["teaching"], rig.doc["decks_text"]) == ([], None, None)


def test_the_page_says_which_card_is_next_and_what_was_learnt(rig: Rig) -> None:
    act(rig, "teach", deck="red", by="Anna")
    lesson = rig.doc["teaching"]
    assert (lesson["deck"], lesson["next"], lesson["done"], lesson["of"]) == (
        "red",
        {"colour": "red", "value": 1},
        0,
        40,
    )
    assert (lesson["text"], lesson["trouble"], lesson["pad_hint"]) == (
        "Lay red 1 on any pad.",
        None,
        "any pad",
    )
    assert (lesson["undo"], lesson["skip"], lesson["again"], lesson["finished"]) == (
        False,
        True,
        False,
        False,
    )
    lesson = lay(rig, "red:red:1", "red:red:2")
    assert (lesson["text"], lesson["done"], lesson["last"]) == (
        "Lay red 3 on any pad.",
        2,
        {"colour": "red", "value": 2},
    )
    assert lesson["faces"] == {"red": [1, 2], "green": [], "yellow": [], "blue": []}
    assert rig.doc["decks"] == [{"name": "red", "missing": 38, "text": None}]
    assert kept(rig) == {"red": {"tags": {printed_uid("red", face): [*face] for face in FACES[:2]}}}


def test_whatever_the_page_has_shown_as_learnt_is_there_after_a_power_cut(rig: Rig) -> None:
    act(rig, "teach", deck="red")
    lay(rig, "red:red:1")
    rig.die_before_showing = True
    with pytest.raises(Killed):
        lay(rig, "red:red:2")
    rig.restart()
    assert (rig.doc["decks"][0]["missing"], rig.doc["teaching"]) == (38, None)
    act(rig, "teach", deck="red")
    assert rig.doc["teaching"]["next"] == {"colour": "red", "value": 3}


def test_mistakes_are_put_right_on_the_page(rig: Rig) -> None:
    keep(rig, 2)
    act(rig, "teach", deck="Anna")
    assert lay(rig, "green:blue:4")["trouble"] == 'That is blue 4 of the deck "green": take it away.'
    rig.do("clear all")
    rig.run(HAND_MS)
    lesson = lay(rig, "Anna:red:1", "Anna:red:2")
    assert (lesson["trouble"], lesson["undo"]) == (None, True)
    act(rig, "teach_fix", do="undo", by="Ben")
    act(rig, "teach_fix", do="skip")
    lesson = rig.doc["teaching"]
    assert (lesson["next"], lesson["skipped"]) == (
        {"colour": "red", "value": 3},
        [{"colour": "red", "value": 2}],
    )
    act(rig, "teach_fix", do="again")
    assert rig.doc["teaching"]["next"] == {"colour": "red", "value": 2}
    act(rig, "teach_fix", do="face", colour="blue", value=10)
    assert rig.doc["teaching"]["text"] == "Lay blue 10 on any pad, with the sticker it has now."
    assert lay(rig, "Anna:blue:10")["faces"] == {"red": [1], "green": [], "yellow": [], "blue": [10]}
    rig.do("lay Anna:green:5,Anna:green:6 3")
    rig.run(HAND_MS)
    assert rig.doc["teaching"]["trouble"] == "Two cards came at once: take both off, then lay one."
    assert rig.doc["teaching"]["done"] == 2
    assert kept(rig)["Anna"]["tags"] == {
        printed_uid("Anna", FACES[0]): ["red", 1],
        printed_uid("Anna", FACES[39]): ["blue", 10],
    }


def test_a_whole_deck_is_taught_and_played_with(rig: Rig) -> None:
    keep(rig, 1)
    act(rig, "teach", deck="Ben", pad=2)
    rig.do("fault missed-reads percent=10")
    for face in FACES:
        assert rig.doc["teaching"]["next"] == {"colour": face.colour, "value": face.value}
        rig.do(f"lay Ben:{face.colour}:{face.value} 2", "wait 200", f"take Ben:{face.colour}:{face.value}")
        rig.run(HAND_MS)
    lesson = rig.doc["teaching"]
    assert (lesson["finished"], lesson["next"], lesson["done"]) == (True, None, 40)
    assert lesson["text"] == 'The deck "Ben" is complete: all 40 cards are taught.'
    assert {uid: tuple(face) for uid, face in kept(rig)["Ben"]["tags"].items()} == {
        uid: tuple(face) for uid, face in printed_deck("Ben").tags.items()
    }
    act(rig, "new_game", game="ligretto", players=["Anna", "Ben"], options={})
    assert [(p["name"], p["deck"]) for p in rig.doc["players"]] == [("Anna", "red"), ("Ben", "Ben")]
    assert "teaching" not in rig.doc
    act(rig, "put_aside")
    assert rig.doc["teaching"] is None
    assert [deck["name"] for deck in rig.doc["decks"]] == ["red", "Ben"]


def test_what_cannot_be_done_now_is_refused_with_what_to_do(rig: Rig) -> None:
    assert refusal(rig, "teach_stop")[:2] == (409, "no_lesson")
    assert refusal(rig, "teach_fix", do="undo")[:2] == (409, "no_lesson")
    assert refusal(rig, "teach", deck=" red")[:2] == (422, "malformed")
    assert refusal(rig, "teach")[:2] == (422, "malformed")
    for pad in ("3", -1, 48, True):
        assert refusal(rig, "teach", deck="red", pad=pad)[:2] == (422, "malformed")
    act(rig, "teach", deck="red")
    for do in ("undo", "again"):
        assert refusal(rig, "teach_fix", do=do)[:2] == (409, "nothing_to_fix")
    for body in (
        {"do": "what"},
        {},
        {"do": "face", "colour": "red"},
        {"do": "face", "colour": "red", "value": 11},
    ):
        assert refusal(rig, "teach_fix", **body)[:2] == (422, "malformed")
    halves: tuple[dict[str, Any], ...] = ({}, {"colour": "red"}, {"value": 4})
    for half in halves:
        status, reason, text = refusal(rig, "teach_fix", do="face", **half)
        assert (status, reason) == (422, "malformed")
        assert text == "say which card is taught next: its 'colour' and its 'value', such as blue and 4"
    act(rig, "teach_stop")
    assert (rig.doc["teaching"], rig.doc["decks"]) == (None, [])
    act(rig, "new_game", **header("red", "green"))
    for name in ("teach", "teach_stop", "teach_fix"):
        assert refusal(rig, name, deck="red", do="undo") == (
            409,
            "game_on",
            "a game is being played: put it aside first, then a deck can be taught",
        )


def test_a_lesson_ends_with_the_game_that_begins(rig: Rig) -> None:
    act(rig, "teach", deck="red")
    act(rig, "new_game", **header("red", "green"))
    rig.do("lay red:red:1 0")
    rig.run(HAND_MS)
    act(rig, "put_aside")
    assert (rig.doc["teaching"], rig.doc["decks"], kept(rig)) == (None, [], {})


def test_what_the_disk_refuses_is_neither_shown_nor_acknowledged_and_comes_when_there_is_room(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(rig, "teach", deck="red")
    keep_it, is_full = rig._journal.keep, [True]

    def refuse(*what: Any) -> None:
        if is_full[0]:
            raise StoreError("cannot write: there is no room left; free some space")
        keep_it(*what)

    monkeypatch.setattr(rig._journal, "keep", refuse)
    lesson = lay(rig, "red:red:1")
    assert (lesson["done"], rig.doc["notices"]) == (
        0,
        ["cannot write: there is no room left; free some space"],
    )
    is_full[0] = False
    rig.run(KEEP_RETRY_MS + 3_000)
    assert (rig.doc["teaching"]["done"], rig.doc["notices"]) == (1, [])
    assert len(kept(rig)["red"]["tags"]) == 1


def test_a_deck_that_cannot_be_read_is_named_and_the_table_goes_on(rig: Rig) -> None:
    rig._journal.keep("ligretto", "odd", {"tags": {"xyz": ["red", 1]}})
    keep(rig, 1)
    rig.restart()
    odd = rig.doc["decks"][-1]
    assert (odd["name"], odd["missing"]) == ("odd", 40)
    assert "'xyz' is no number of a tag" in odd["text"]
    status, reason, text = refusal(rig, "teach", deck="odd")
    assert (status, reason) == (409, "unreadable_deck")
    assert "tablewire deck forget 'odd'" in text
    act(rig, "teach", deck="red")


def test_a_garbled_row_is_named_on_the_page_and_when_teaching_begins(rig: Rig) -> None:
    keep(rig, 1)
    rig._journal._connection.execute("UPDATE kept SET body = replace(body, '04', '05')")
    rig.restart()
    assert "'red' of 'ligretto' is garbled on disk" in rig.doc["decks_text"]
    assert refusal(rig, "teach", deck="red")[:2] == (503, "store")
    rig._journal.forget("ligretto", "red")
    rig.run(1_000)
    act(rig, "teach", deck="red")
    assert (rig.doc["decks_text"], lay(rig, "red:red:1")["done"]) == (None, 1)


def test_decks_that_another_program_kept_are_known_when_teaching_begins(rig: Rig) -> None:
    with Journal.open_beside(rig.folder, lambda: datetime.now(UTC)) as beside:
        beside.keep("ligretto", "green", printed_deck("green").to_kept())
    act(rig, "teach", deck="red")
    assert rig.doc["decks"] == [{"name": "green", "missing": 0, "text": None}]
    assert lay(rig, "green:red:1")["trouble"] == 'That is red 1 of the deck "green": take it away.'


def test_cards_that_lie_there_when_a_lesson_begins_do_not_count(rig: Rig) -> None:
    rig.do("lay red:red:7 4")
    rig.run(HAND_MS)
    act(rig, "teach", deck="red")
    lesson = rig.doc["teaching"]
    assert lesson["done"] == 0
    assert lesson["trouble"].startswith("On pad 4 lies a card that is not taught")
    lay(rig, "red:red:1")
    rig.do("take red:red:7")
    rig.run(HAND_MS)
    assert lay(rig, "red:red:7")["faces"]["red"] == [1, 2]


def test_a_reset_of_the_board_or_a_cut_cable_ends_no_lesson_and_teaches_nothing(rig: Rig) -> None:
    act(rig, "teach", deck="red")
    lay(rig, "red:red:1", "red:red:2")
    rig.do("reset")
    rig.run(3_000)
    assert (rig.doc["teaching"]["done"], rig.doc["teaching"]["trouble"]) == (2, None)
    rig.cut()
    rig.do("lay red:red:3 5")
    rig.run(2_000)
    rig.mend()
    rig.run(3_000)
    lesson = rig.doc["teaching"]
    assert (lesson["done"], lesson["next"]) == (2, {"colour": "red", "value": 3})
    assert lesson["trouble"].startswith("On pad 5 lies a card that is not taught, and nobody saw it come")
    rig.do("take red:red:3")
    rig.run(HAND_MS)
    assert lay(rig, "red:red:3")["done"] == 3


def test_bad_lines_teach_every_card_once(rig: Rig) -> None:
    rig.do("fault drop percent=3 seed=5", "fault flip percent=1 seed=6")
    act(rig, "teach", deck="red")
    for n in range(1, 9):
        rig.do(f"lay red:red:{n} 0", "wait 300", f"take red:red:{n}")
        rig.until(lambda doc, n=n: doc["teaching"]["done"] == n)  # type: ignore[misc]
        rig.run(HAND_MS)
    assert [*kept(rig)["red"]["tags"].values()] == [["red", n] for n in range(1, 9)]


READ_FAULTS = [
    "missed-reads percent=30 garbled=30",
    "missed-reads how=turn",
    "late-reads ms=300-900 percent=60 seed=3",
    "cross-read percent=100",
    "between count=20 ms=150-900 seed=4",
    "collide ms=40 percent=50",
]


@pytest.mark.parametrize("fault", READ_FAULTS)
def test_readers_that_read_badly_teach_no_card_wrong(rig: Rig, fault: str) -> None:
    """A person lays the card that is asked for, and lifts it once another is."""
    rig.do(f"fault {fault}")
    act(rig, "teach", deck="red")
    for n in range(1, 9):
        rig.do(f"lay red:red:{n} {n}")
        rig.until(lambda doc, n=n: doc["teaching"]["done"] == n)  # type: ignore[misc]
        rig.do(f"take red:red:{n}")
        rig.run(HAND_MS)
    assert kept(rig)["red"]["tags"] == {printed_uid("red", face): [*face] for face in FACES[:8]}


def test_a_pad_that_the_board_has_not_is_named_with_those_it_has(rig: Rig) -> None:
    said = "There is no pad 16: the board has pads 0 to 15. Teach the deck on one of these."
    assert refusal(rig, "teach", deck="red", pad=16) == (409, "no_such_pad", said)
    assert rig.doc["teaching"] is None
    act(rig, "teach", deck="red", pad=15)
    assert lay(rig, "red:red:1", pad=15)["trouble"] is None


def test_a_board_that_comes_to_a_lesson_and_has_not_its_pad_is_told_so(tmp_path: Path) -> None:
    rig = Rig(tmp_path / "data", board=VirtualBoard(1, kind=BoardKind.LIGRETTO))
    act(rig, "teach", deck="red", pad=16)
    before, after = rig.doc, rig.run(1_000)
    assert before["teaching"]["trouble"] is None
    assert after["teaching"]["trouble"].startswith("There is no pad 16: the board has pads 0 to 15.")
    act(rig, "teach", deck="red", pad=3)
    assert lay(rig, "red:red:1", pad=3)["done"] == 1
    rig.close()


def test_without_a_board_for_cards_the_page_says_so(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.run(500)
    act(rig, "teach", deck="red")
    assert rig.doc["teaching"]["text"] == (
        "No board with card readers is heard yet: connect it. Lay red 1 on any pad."
    )
    rig.close()


def test_a_lesson_that_was_captured_is_replayed_the_same(tmp_path: Path) -> None:
    board = VirtualBoard(1, kind=BoardKind.LIGRETTO)
    table = CapturedTable(tmp_path / "data", tmp_path / "capture", board=board)
    table.run(500)
    assert table.act("teach", deck="red").status == 200
    for n in (1, 2, 3):
        board.command(f"lay red:red:{n} 0")
        table.run(HAND_MS)
    assert table.act("teach_fix", do="undo").status == 200
    assert table.act("teach", deck="red").status == 200
    assert table.doc["teaching"]["done"] == 2
    table.close()
    assert replayed(tmp_path / "capture")[0] == 0
