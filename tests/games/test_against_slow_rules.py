"""The engine and the slow rules print the same for the same records, line by line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.games import slow_rules
from tests.games.random_records import random_record

from tablewire.games.records import score_text

RECORDS_PER_BATCH = 25


@pytest.mark.parametrize("batch", range(8))
def test_random_records_score_alike(batch: int) -> None:
    rng = random.Random(batch)
    for _ in range(RECORDS_PER_BATCH):
        text = random_record(rng, wildness=rng.choice([0.0, 0.02, 0.1, 0.3]))
        assert score_text(text, "record", Path()) == slow_rules.score(text), text
