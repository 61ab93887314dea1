"""A board behind each kind of link in turn."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.links.kinds import KINDS, Place


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A board at rest, and a link to it that was never opened."""
    made = KINDS[str(request.param)](tmp_path)
    yield made
    made.close()
