"""However the board's frames arrive (cut, twice, out of order, damaged, late), the same game comes out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.system.ligretto.conftest import NewTable
from tests.system.ligretto.script import full_tables
from tests.system.ligretto.table import SEED_COUNT, RoundTable
from tests.system.rig import STEP_MS

from tablewire.games.ligretto.decks import DECK_NAMES

CARDS = 50
HEARD_LIMIT_MS = 120_000
"""A line that damages most of the frames takes its time."""
LINES = {
    "twice and out of order": ("fault duplicate percent=50", "fault reorder percent=40"),
    "damaged": ("fault drop percent=1", "fault flip percent=1", "fault insert percent=1"),
    "in small chunks": ("fault mtu n=23", "fault reorder percent=20"),
}


def laid_out(table: RoundTable, seed: int) -> dict[str, Any]:
    """The same hands at the same times of the board, some cards where they do not fit; what comes out."""
    rng = Random(seed)
    begun_ms = table.now_ms
    for card in full_tables(DECK_NAMES[:4], 45, 300, seed)[:CARDS]:
        while table.now_ms < begun_ms + card.at_ms:
            table.run(STEP_MS)
        pad = rng.randrange(16) if rng.random() < 0.2 else card.pad
        table.board.command(f"lay {card.word} {pad}")
    table.do("press 2")
    hear_all(table)
    doc = table.view
    # How often something had to be said again is no part of the game.
    return {key: value for key, value in doc.items() if key not in ("health", "game_id")}


def hear_all(table: RoundTable) -> None:
    """Let time pass until the host has all that the board tells, and its word that it was quiet since."""
    table.run(500)
    heart, session = table.board.heart, table.core.session
    table.until(lambda doc: session.number == heart.last_number and not doc["provisional"], HEARD_LIMIT_MS)


@pytest.mark.parametrize("seed", range(1, 1 + SEED_COUNT))
def test_the_same_hands_make_the_same_game_whatever_the_line_does(seed: int, new_table: NewTable) -> None:
    quiet = new_table(4, seed=seed)
    expected = laid_out(quiet, seed)
    record = quiet.core.table.record()
    assert expected["moves"] > CARDS // 2
    assert expected["wrong"], "some cards were laid where they do not fit"
    for name, faults in LINES.items():
        table = new_table(4, seed=seed)
        for fault in faults:
            table.do(f"{fault} seed={seed}" if "mtu" not in fault else fault)

        assert laid_out(table, seed) == expected, name
        assert table.core.table.record() == record, name
