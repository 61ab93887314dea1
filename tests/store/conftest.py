"""A folder that an unprivileged user can reach: pytest's own belongs to whoever runs the tests."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.unprivileged import give_away


@pytest.fixture
def open_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="tablewire-test-"))
    give_away(folder)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)
