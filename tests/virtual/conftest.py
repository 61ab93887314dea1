"""What the scenarios of a board begin with."""

from __future__ import annotations

import pytest
from tests.boards import NewBoard
from tests.virtual.bench_table import Meet, meet
from tests.virtual.tag_bench import MeetTags, meet_tags


@pytest.fixture
def met(new_board: NewBoard) -> Meet:
    """Makes benches whose session has found its board and taken the first snapshot."""
    return lambda seed=1: meet(new_board(seed))


@pytest.fixture
def met_tags(new_tag_board: NewBoard) -> MeetTags:
    """The same of boards with tag readers: makes benches whose session has heard what lies there."""
    return lambda seed=1: meet_tags(new_tag_board(seed))
