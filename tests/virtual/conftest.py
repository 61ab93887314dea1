"""What the scenarios of a board begin with."""

from __future__ import annotations

import pytest
from tests.boards import NewBoard
from tests.virtual.bench_table import Meet, meet


@pytest.fixture
def met(new_board: NewBoard) -> Meet:
    """Makes benches whose session has found its board and taken the first snapshot."""
    return lambda seed=1: meet(new_board(seed))
