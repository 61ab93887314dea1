"""What the scenarios of a whole table begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.boards import NewBoard
from tests.system.rig import Rig

NewRig = Callable[..., Rig]
"""Makes a Rig as the class does, and its board: header, timing, seed, folder (a new one unless given)."""

BOOT_MS = 100
"""What lies on a board before it has looked for the first time lay there all along."""


@pytest.fixture
def new_rig(tmp_path: Path, new_board: NewBoard) -> Iterator[NewRig]:
    """Makes rigs, and closes them at the end."""
    made: list[Rig] = []

    def make(*, seed: int = 1, folder: Path | None = None, **settings: Any) -> Rig:
        made.append(Rig(folder or tmp_path / f"data{len(made)}", board=new_board(seed), **settings))
        made[-1].run(BOOT_MS)
        return made[-1]

    yield make
    for rig in made:
        rig.close()
