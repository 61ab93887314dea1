"""A bench with a board of each kind, for what has to work on the real firmware too."""

import pytest
from tests.boards import NewBoard
from tests.builder.bench import Bench


@pytest.fixture
def bench(new_board: NewBoard) -> Bench:
    return Bench(new_board(1))
