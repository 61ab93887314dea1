"""A kill between any two writes and a power cut at any moment lose nothing that was acknowledged."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.power_cut import Disk, Event, read_log
from tests.store.sweeps import cut_everywhere, kill_everywhere
from tests.store.trials import build_shim, content_of, disk_of, quick_folder
from tests.store.workload import LIVES


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_shim(tmp_path_factory.mktemp("shim"))


@pytest.fixture
def base() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.mark.parametrize(
    ("life", "changes_count"),
    [
        ("first evening", 80),
        ("second evening", 40),
        ("after an older one", 80),
        ("after damage", 50),
        ("whole life", 200),
    ],
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


@pytest.mark.parametrize(
    ("life", "disks_count"),
    [
        ("first evening", 150),
        ("second evening", 50),
        ("after an older one", 150),
        ("after damage", 150),
        ("whole life", 400),
    ],
)
def test_a_power_cut_at_any_moment_loses_nothing_that_was_acknowledged(
    shim: Path, base: Path, life: str, disks_count: int
) -> None:
    count, troubles = cut_everywhere(shim, base, life)
    assert troubles == []
    assert count > disks_count


def test_a_log_that_is_begun_anew_again_and_again_loses_nothing_either(shim: Path, base: Path) -> None:
    """The log is emptied into the file every few entries, while games come and go."""
    _, killed = kill_everywhere(shim, base / "kills", "random 1 12", setting="a short log")
    assert killed == []
    _, cut = cut_everywhere(shim, base / "cuts", "random 1 12", setting="a short log")
    assert cut == []


@pytest.mark.parametrize(
    ("life", "setting"),
    [
        ("first evening", "synchronous off"),
        ("first evening", "synchronous normal"),
        ("after an older one", "folder not synced"),
    ],
)
def test_a_journal_that_leaves_out_a_sync_is_found_out(
    shim: Path, base: Path, life: str, setting: str
) -> None:
    _, troubles = cut_everywhere(shim, base, life, setting, enough_count=1)
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
