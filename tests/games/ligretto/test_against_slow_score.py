"""The engine and the slow rules print the same for the same records, line by line.

TABLEWIRE_GAMES says how many records are compared beyond the usual; a failure prints its record.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.games.ligretto import slow_score
from tests.games.ligretto.random_records import random_record, spoilt

from tablewire.errors import UserError
from tablewire.games.records import score_text

BATCHES = 8
RECORDS_PER_BATCH = int(os.environ.get("TABLEWIRE_GAMES", "96")) // BATCHES


def engine_score(text: str) -> list[dict[str, Any]] | None:
    """What is printed; None when the text is no record."""
    try:
        return score_text(text, "record", Path())
    except UserError:
        return None


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_records_score_alike(batch: int) -> None:
    rng = random.Random(batch)
    for _ in range(RECORDS_PER_BATCH):
        text = random_record(rng, wildness=rng.choice([0.02, 0.1, 0.3, 0.6]))
        slow = slow_score.score(text)
        assert slow is not None, text
        quick = score_text(text, "record", Path())
        assert [json.dumps(line) for line in quick] == [json.dumps(line) for line in slow], text


def test_spoilt_records_are_refused_or_scored_alike() -> None:
    """Whatever is wrong with a record, both say so, and neither does for one that is only odd."""
    rng = random.Random(BATCHES)
    refused = scored = 0
    for _ in range(RECORDS_PER_BATCH):
        record = random_record(rng, wildness=0.3, lines_max=20)
        for text in (spoilt(rng, record) for _ in range(5)):
            slow, engine = slow_score.score(text), engine_score(text)
            assert engine == slow, text
            refused, scored = refused + (slow is None), scored + (slow is not None)
    assert min(refused, scored) > RECORDS_PER_BATCH
