"""What one round leaves to the next, and a record of elsewhere to the table: counting, cards, times."""

from __future__ import annotations

import json

from tests.table.ligretto.pads import Pads
from tests.table.ligretto.test_rounds_played import stopped

from tablewire.games.base import RecordLine
from tablewire.games.ligretto.importing import entries_of


def test_counting_ends_with_its_round_and_cards_on_its_pad_are_played_again() -> None:
    pads = stopped(rounds=2)
    pads.act("count", pad=9)
    pads.come(7_000, 9, "Ben red 4")
    pads.go(7_500, 9, "Ben red 4")
    pads.act("left")
    assert pads.doc["counting"] is None
    pads.act("next_round")
    pads.come(9_000, 9, "Ben red 1")
    pads.wait()
    assert pads.piles == {"9": "red 1"}


def test_a_card_that_was_off_for_a_moment_when_the_round_was_opened_belongs_to_the_last_one() -> None:
    pads = stopped(rounds=2)
    pads.act("left", left={"Anna": 0, "Ben": 4})
    for card in ("Ben blue 2", "Anna blue 3"):
        pads.go(7_000, 3, card)
    pads.go(9_000, 3, "Anna blue 1")
    pads.act("next_round")
    pads.come(9_900, 3, "Anna blue 1")
    pads.wait()
    assert (pads.piles, pads.doc["health"]["resting"]) == ({}, {"3": 1})


def test_after_a_record_of_elsewhere_cards_are_as_far_apart_as_they_are_laid() -> None:
    pads = Pads()
    played = [
        {"t_ms": 80_000, "pad": 3, "card": {"owner": "Anna", "colour": "blue", "value": 1}},
        {"t_ms": 90_000, "pad": 3, "card": {"owner": "Ben", "colour": "blue", "value": 2}},
    ]
    lines = [RecordLine(n, json.dumps(line)) for n, line in enumerate(played, 2)]
    pads.table, entries = pads.table.enter(entries_of(pads.pinned["header"], lines))
    pads.kept += entries
    # The same face half a second later is a card too late, and no question of who was first.
    pads.come(1_000, 3, "Anna blue 3")
    pads.come(1_500, 3, "Ben blue 3")
    pads.wait()
    assert (pads.piles, pads.doc["undecided"]) == ({"3": "blue 3"}, [])
    assert [(wrong["player"], wrong["reasons"]) for wrong in pads.doc["wrong"]] == [("Ben", ["wrong_value"])]
