"""Random games by messy hands, heard of at once, late, or in batches: the same game comes out.

TABLEWIRE_GAMES says how many; `make soak` plays a thousand. Hands that mean nothing, faults and buttons are
the model's (tests/model).
"""

from __future__ import annotations

import os

import pytest
from tests.table.meant_games import MeantGame

GAMES = int(os.environ.get("TABLEWIRE_GAMES", "12"))
SCENES = 12


@pytest.mark.parametrize("seed", range(GAMES))
def test_what_messy_hands_mean_is_what_the_table_understands(seed: int) -> None:
    """However late the host hears of it, and through restarts."""
    game = MeantGame(seed)
    game.play(SCENES)
    assert game.doc["phase"] == "over" or game.on_table() == dict(game.doc["spaces"])
