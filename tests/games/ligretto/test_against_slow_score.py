"""The engine and the slow rules print the same for the same records, line by line.

TABLEWIRE_GAMES says how many records are compared beyond the usual; a failure prints its record.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from tests.games.ligretto import slow_score
from tests.games.ligretto.random_records import random_record

from tablewire.games.records import score_text

BATCHES = 8
RECORDS_PER_BATCH = int(os.environ.get("TABLEWIRE_GAMES", "160")) // BATCHES


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_records_score_alike(batch: int) -> None:
    rng = random.Random(batch)
    for _ in range(RECORDS_PER_BATCH):
        text = random_record(rng, wildness=rng.choice([0.02, 0.1, 0.3, 0.6]))
        slow = slow_score.score(text)
        assert slow is not None, text
        quick = score_text(text, "record", Path())
        assert [json.dumps(line) for line in quick] == [json.dumps(line) for line in slow], text
