"""Twelve players at thirty cards a second, on forty-eight pads that misread: none is lost, none counts twice.

TABLEWIRE_GAMES=1000 lays ten rounds of all 480 cards in place of one of 300.
"""

from __future__ import annotations

from collections import Counter

from tests.system.ligretto.conftest import NewTable
from tests.system.ligretto.script import Laid, full_tables
from tests.system.ligretto.table import SEED_COUNT, RoundTable, scored
from tests.system.rig import STEP_MS

from tablewire.games.ligretto.decks import DECK_NAMES

EVERY_MS = 33
"""Thirty cards a second."""
APART_MS = 600
"""A hand that has seen the top of a pile is there no sooner."""
QUICK_COUNT = 300
"""Cards of the quick form."""
SETTLED_MS = 2_000
"""All that was missed at first is read by then, and every scan is over."""


def lay_all(table: RoundTable, laid: list[Laid]) -> None:
    """All hands of a script, at their times."""
    begun_ms = table.now_ms
    for card in laid:
        while table.now_ms < begun_ms + card.at_ms:
            table.run(STEP_MS)
        table.do(card.line)
    table.run(SETTLED_MS)


def assert_none_lost_or_doubled(table: RoundTable, laid: list[Laid]) -> None:
    """What the record tells of is what was laid, card by card, each once and where it lies."""
    printed = scored(table.core.table.record())
    lines = [line for line in table.core.table.record().splitlines()[1:] if '"card"' in line]
    assert len(lines) == len(laid)
    assert Counter(line["legal"] for line in printed if "legal" in line) == {True: len(laid)}
    heights = Counter(card.pad for card in laid)
    assert {int(pad): pile["height"] for pad, pile in table.doc["pads"].items()} == heights
    played = Counter(table.names[DECK_NAMES.index(card.deck)] for card in laid)
    assert {player["name"]: player["played"] for player in table.doc["players"]} == played
    assert (table.doc["wrong"], table.doc["undecided"]) == ([], [])


def test_at_thirty_cards_a_second_no_card_is_lost_and_none_counts_twice(new_table: NewTable) -> None:
    for seed in range(1, SEED_COUNT + 1):
        table = new_table(12, seed=seed, pads=48)
        table.do("fault missed-reads percent=1 garbled=1")
        laid = full_tables(DECK_NAMES[:12], EVERY_MS, APART_MS, seed)[
            : None if SEED_COUNT > 1 else QUICK_COUNT
        ]

        lay_all(table, laid)

        assert_none_lost_or_doubled(table, laid)
