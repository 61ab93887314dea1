"""The store's trials at length: whole random lives, and a file with any of its bytes changed or cut off.

Not part of `make test`; `make soak` runs it. TABLEWIRE_LIVES says how many random lives.
"""

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.clock import evening
from tests.store.sweeps import cut_everywhere, kill_everywhere, refuse_everywhere
from tests.store.trials import NAME, build_shim, quick_folder, steps_of
from tests.store.workload import Session, State, state_of

from tablewire.errors import StoreError
from tablewire.store.journal import Journal

SEEDS = range(1, 1 + int(os.environ.get("TABLEWIRE_LIVES", "20")))


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_shim(tmp_path_factory.mktemp("shim"))


@pytest.fixture
def base() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_life_survives_a_kill_before_any_change(shim: Path, base: Path, seed: int) -> None:
    setting = "a short log" if seed % 2 else ""
    count, troubles = kill_everywhere(shim, base, f"random {seed} 50", setting=setting)
    assert troubles == []
    assert count > 200


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_life_survives_a_power_cut_after_any_change(shim: Path, base: Path, seed: int) -> None:
    setting = "a short log" if seed % 2 else ""
    count, troubles = cut_everywhere(shim, base, f"random {seed} 30", setting)
    assert troubles == []
    assert count > 300


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_life_goes_on_after_any_refusal(shim: Path, base: Path, seed: int) -> None:
    error = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT)[seed % 4]
    setting = "a short log" if seed % 2 else ""
    _, heard, troubles = refuse_everywhere(shim, base, f"random {seed} 50", error, seed % 3, setting)
    assert troubles == []
    assert heard > 100


@pytest.fixture(scope="module")
def lived() -> Iterator[tuple[bytes, State]]:
    """The file of a random life, and what is in it."""
    with quick_folder() as folder:
        session = Session(folder)
        for step in steps_of("random 5 14"):
            step.do(session)
        state = state_of(session.journal)
        session.close()
        yield (folder / NAME).read_bytes(), state


def outcome(folder: Path, content: bytes) -> str | State:
    """What a start makes of a file: "noticed", with the file kept as it was, or the state it reads."""
    folder.mkdir()
    path = folder / NAME
    path.write_bytes(content)
    try:
        with Journal.open(folder, evening) as journal:
            if not journal.notices:
                return state_of(journal)
        (kept,) = (p for p in folder.glob("*.damaged-*") if not p.name.endswith(("-shm", "-wal")))
    except StoreError:
        kept = path
    assert kept.read_bytes() == content
    return "noticed"


@pytest.mark.parametrize("part", range(16))
def test_a_file_with_any_byte_changed_never_gives_another_game(
    base: Path, lived: tuple[bytes, State], part: int
) -> None:
    content, state = lived
    noticed_count = 0
    for at in range(part, len(content), 16):
        bad = bytearray(content)
        bad[at] ^= 1 << (at % 8)
        found = outcome(base / str(at), bytes(bad))
        shutil.rmtree(base / str(at))
        assert found in ("noticed", state), at
        noticed_count += found == "noticed"
    assert noticed_count > 100


@pytest.mark.parametrize("part", range(16))
def test_a_file_cut_at_any_byte_is_noticed(base: Path, lived: tuple[bytes, State], part: int) -> None:
    content, _ = lived
    for length in range(part, len(content), 16):
        assert outcome(base / str(length), content[:length]) == "noticed", length
        shutil.rmtree(base / str(length))
