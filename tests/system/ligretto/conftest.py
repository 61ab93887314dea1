"""What the tests of a whole Ligretto table begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.system.ligretto.table import RoundTable

NewTable = Callable[..., RoundTable]
"""Makes a RoundTable as the class does, in a new folder unless one is given."""


@pytest.fixture
def new_table(tmp_path: Path) -> Iterator[NewTable]:
    """Makes tables, and closes them at the end."""
    made: list[RoundTable] = []

    def make(count: int = 4, *, folder: Path | None = None, **settings: Any) -> RoundTable:
        made.append(RoundTable(folder or tmp_path / f"table{len(made)}", count, **settings))
        return made[-1]

    yield make
    for table in made:
        table.close()
