"""A disk that is full, or refuses, at any write: said in one line, nothing lost, and on it goes later."""

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.sweeps import refuse_everywhere
from tests.store.trials import build_shim, quick_folder

UNTIL_THERE_IS_ROOM = 0


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_shim(tmp_path_factory.mktemp("shim"))


@pytest.fixture
def base() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.mark.parametrize(
    ("life", "error", "times"),
    [
        ("first evening", errno.ENOSPC, UNTIL_THERE_IS_ROOM),
        ("second evening", errno.EIO, 1),
        ("after an older one", errno.ENOSPC, UNTIL_THERE_IS_ROOM),
        ("whole life", errno.ENOSPC, 1),
        ("first evening", errno.EROFS, UNTIL_THERE_IS_ROOM),
    ],
)
def test_a_disk_that_refuses_at_any_write_is_named_and_the_same_step_works_afterwards(
    shim: Path, base: Path, life: str, error: int, times: int
) -> None:
    count, heard, troubles = refuse_everywhere(shim, base, life, error, times)
    assert troubles == []
    # One change refused may be done without, or otherwise, and then nothing is said.
    assert heard > count * 0.6
