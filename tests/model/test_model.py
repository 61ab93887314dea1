"""Random evenings: every gesture, every fault and every button in any order, against a model that knows what
is meant.

TABLEWIRE_GAMES says how many games are played; `make soak` plays a thousand. A failure names its seed, the
number in brackets, and prints the steps of its game; with TABLEWIRE_SHRINK=1 hypothesis looks for a shorter
one, which takes minutes.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.model.games import Games

GAMES = int(os.environ.get("TABLEWIRE_GAMES", "24"))
EACH = 4
"""Games for one seed."""
STEPS = 30


@pytest.mark.parametrize("first", range(0, GAMES, EACH))
def test_whatever_happens_the_table_keeps_the_truth(first: int) -> None:
    """Score = rules, page = store, nothing lost or doubled, and always a way back to play."""

    @seed(first)
    class Evenings(Games):
        pass

    run_state_machine_as_test(
        Evenings,
        settings=settings(
            max_examples=min(EACH, GAMES - first),
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink] if os.environ.get("TABLEWIRE_SHRINK") else [Phase.generate],
            print_blob=True,
        ),
    )
