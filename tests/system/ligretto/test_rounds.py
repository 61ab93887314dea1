"""Rounds played by people of every temper, on readers that do all that readers do wrong.

TABLEWIRE_GAMES=1000 plays ten rounds for each kind of trouble in place of one.
"""

from __future__ import annotations

import pytest
from tests.system.ligretto.conftest import NewTable
from tests.system.ligretto.table import SEED_COUNT, scored

FAULTS = {
    "missed reads": ("fault missed-reads percent=30 garbled=30",),
    "late reads": ("fault late-reads ms=20-400 percent=40", "fault collide ms=40 percent=50"),
    "neighbours": ("fault cross-read pad=5 by=6", "fault cross-read percent=10"),
    "between two pads": ("fault between count=6",),
    "a bad line": ("fault drop percent=1", "fault flip percent=1"),
    "all of it": (
        "fault missed-reads percent=15 garbled=10",
        "fault late-reads ms=20-200 percent=10",
        "fault collide percent=30",
        "fault drop percent=1",
        "fault flip percent=1",
    ),
}
SEEDS = range(3, 3 + SEED_COUNT)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FAULTS)
def test_a_round_comes_out_as_its_record_scores_and_every_card_counts_once(
    name: str, seed: int, new_table: NewTable
) -> None:
    table = new_table(4, seed=seed)
    table.do(*FAULTS[name])

    told = table.play_round()

    assert sum(told["played"].values()) > 20
    # What really is in everybody's own pile; and no stop of whoever has emptied it was lost.
    left = {seat.who.name: seat.own.left_count for seat in table.company.seats}
    assert told["left"] == left
    assert (told["stop"] == "blocked") == all(left.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_is_played_to_its_end(seed: int, new_table: NewTable) -> None:
    table = new_table(3, seed=seed, options={"rounds": 2})

    for number in (1, 2):
        assert table.play_round()["round"] == number

    result = scored(table.core.table.record())[-1]["result"]
    assert table.doc["phase"] == "over"
    assert table.doc["result"] == result
    assert result["ended"] == "rounds"
    assert [line for _, line in table.answers if line.status != 200] == []
