"""A kill between any two writes and a power cut at any moment lose nothing that was acknowledged."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.store.power_cut import Disk, Event, read_log
from tests.store.trials import build_shim, content_of, disk_of, quick_folder, run_trials, trouble_in
from tests.store.workload import LIVES

IGNORED = ("-shm", ".lock")
"""Not data: SQLite makes the first anew, the second only names the process."""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_shim(tmp_path_factory.mktemp("shim"))


@pytest.fixture
def base() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


def kill_everywhere(shim: Path, base: Path, life: str, *, early: bool = False) -> tuple[int, list[str]]:
    """Kill before each change in turn; how many trials that were, and what is wrong after each."""
    count = run_trials(shim, base, life, "kill", early=early)
    troubles = []
    for n in range(1, count + 1):
        acknowledged = len((base / f"{n}.acks").read_bytes())
        trouble = trouble_in(base / str(n), life, acknowledged)
        if trouble:
            troubles.append(f"killed before change {n}: {trouble}")
    return count, troubles


@pytest.mark.parametrize(
    ("life", "changes_count"),
    [("first evening", 80), ("second evening", 40), ("after an older one", 80), ("whole life", 200)],
)
def test_a_kill_between_any_two_writes_loses_and_doubles_nothing(
    shim: Path, base: Path, life: str, changes_count: int
) -> None:
    count, troubles = kill_everywhere(shim, base, life)
    assert troubles == []
    assert count > changes_count


def test_a_journal_that_acknowledges_too_early_is_found_out(shim: Path, base: Path) -> None:
    _, troubles = kill_everywhere(shim, base, "first evening", early=True)
    assert len(troubles) > 3


def cut_everywhere(
    shim: Path, base: Path, life: str, sabotage: str = "", enough_count: int = 1_000
) -> tuple[int, list[str]]:
    """Cut the power after each change in turn; how many disks that may leave, and what is wrong with them."""
    disk = disk_of(shim, base, life, sabotage)
    seen: set[tuple[int, bytes]] = set()
    troubles: list[str] = []
    for n, event in enumerate(read_log((base / "log").read_bytes()), 1):
        disk.see(event)
        for image in disk.after_power_cut(IGNORED):
            key = (disk.acknowledged, digest_of(image))
            if key in seen or len(troubles) >= enough_count:
                continue
            seen.add(key)
            trouble = trouble_of(base / "cut", image, life, disk.acknowledged)
            if trouble:
                troubles.append(f"power cut after change {n} ({event.kind} {event.name}): {trouble}")
    return len(seen), troubles


def trouble_of(folder: Path, image: Mapping[str, bytes], life: str, acknowledged: int) -> str | None:
    folder.mkdir()
    for name, content in image.items():
        (folder / name).write_bytes(content)
    trouble = trouble_in(folder, life, acknowledged)
    shutil.rmtree(folder)
    return trouble


def digest_of(image: Mapping[str, bytes]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for name, content in sorted(image.items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.digest()


@pytest.mark.parametrize(
    ("life", "disks_count"),
    [("first evening", 150), ("second evening", 50), ("after an older one", 150), ("whole life", 400)],
)
def test_a_power_cut_at_any_moment_loses_nothing_that_was_acknowledged(
    shim: Path, base: Path, life: str, disks_count: int
) -> None:
    count, troubles = cut_everywhere(shim, base, life)
    assert troubles == []
    assert count > disks_count


@pytest.mark.parametrize(
    ("life", "sabotage"),
    [
        ("first evening", "synchronous off"),
        ("first evening", "synchronous normal"),
        ("after an older one", "folder not synced"),
    ],
)
def test_a_journal_that_leaves_out_a_sync_is_found_out(
    shim: Path, base: Path, life: str, sabotage: str
) -> None:
    _, troubles = cut_everywhere(shim, base, life, sabotage, enough_count=1)
    assert len(troubles) == 1


def test_the_log_of_writes_is_the_whole_truth(shim: Path, base: Path) -> None:
    for life in LIVES:
        disk = disk_of(shim, base / life, life)
        for event in read_log((base / life / "log").read_bytes()):
            disk.see(event)
        assert disk.running() == content_of(base / life / "1")
        assert disk.acknowledged == len(LIVES[life]())


def test_a_disk_after_a_power_cut_may_have_any_of_the_last_writes() -> None:
    """Worked out by hand: a file that lasts is written to, and another is made beside it."""
    disk = Disk({"a": (7, b"old.")}, folder_inode=2)
    disk.see(Event("w", 7, 0, "", "", b"new"))
    disk.see(Event("c", 8, 0, "b", "", b""))
    disk.see(Event("w", 8, 0, "", "", b"xy"))
    before = [{"a": a} for a in (b"old.", b"new.", b"nld.")]
    both = [{**image, "b": b} for image in before for b in (b"", b"xy", b"x", b"\0\0")]
    assert sorted(map(repr, disk.after_power_cut([]))) == sorted(map(repr, before + both))
    disk.see(Event("s", 7, 0, "", "", b""))
    disk.see(Event("s", 2, 0, "", "", b""))
    disk.see(Event("r", 0, 0, "b", "a", b""))
    assert list(map(repr, disk.after_power_cut([".lock"]))) == [
        *(repr({"a": b"new.", "b": b}) for b in (b"", b"xy", b"x", b"\0\0")),
        *(repr({"a": b}) for b in (b"", b"xy", b"x", b"\0\0")),
    ]
    assert disk.running() == {"a": b"xy"}
