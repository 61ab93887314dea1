"""A board on a real pseudo-terminal, plugged in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.link.pty_board import PtyBoard


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    board = PtyBoard(tmp_path / "port")
    yield board
    board.unplug()
