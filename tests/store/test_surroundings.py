"""A folder or a disk that does not do its part: one line that names it, what failed and what to do."""

import getpass
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import platformdirs
import pytest
from tests.store.clock import evening
from tests.store.trials import build_shim
from tests.store.unprivileged import give_away, run_unprivileged

from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError
from tablewire.store.journal import Journal

IMPORTS = """
import resource, sqlite3, sys, urllib.parse  # all that is read later, while it may be read
from datetime import UTC, datetime
from pathlib import Path
from tablewire.errors import StoreError
from tablewire.entries import Entry, EntryKind
from tablewire.store.journal import Journal
"""

OPEN = """
try:
    Journal.open(Path(sys.argv[1]), lambda: datetime.now(UTC))
    print("opened")
except StoreError as error:
    print(error)
"""

PLAY = """
with Journal.open(Path(sys.argv[1]), lambda: datetime.now(UTC)) as journal:
    journal.begin_game("cirkis", {})
"""

READ = """
try:
    with Journal.open_reading(Path(sys.argv[1]), lambda: datetime.now(UTC)) as journal:
        print(len(journal.games()), "game")
except StoreError as error:
    print(error)
"""

FILL = """
journal = Journal.open(Path(sys.argv[1]), lambda: datetime.now(UTC))
game_id = journal.begin_game("cirkis", {})
if len(sys.argv) > 2:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
kept = 0
try:
    while kept < 1000:
        journal.append([Entry(EntryKind.COMMIT, kept, {"pad": "x" * 2000})], kept)
        kept += 1
except StoreError as error:
    print(error)
for room in Path(sys.argv[1]).parent.glob("ballast"):
    room.unlink()
if len(sys.argv) > 2:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert [e.at_ms for e in journal.entries(game_id)] == list(range(kept))
journal.append([Entry(EntryKind.COMMIT, kept, {})], kept)
journal.close()
journal = Journal.open(Path(sys.argv[1]), lambda: datetime.now(UTC))
assert [e.at_ms for e in journal.entries(game_id)] == list(range(kept + 1))
print(kept)
"""


class SmallDisk(NamedTuple):
    """A folder with room for some hundred kilobytes, until the file `ballast` in it is gone.

    `environment`: what a program needs to see it so, where it is not really a disk.
    """

    folder: Path
    environment: dict[str, str]


@pytest.fixture
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallDisk]:
    with mounted("size=1m") as folder:
        if folder is not None:
            (folder / "ballast").write_bytes(bytes(600_000))
            yield SmallDisk(folder, {})
            return
    with tempfile.TemporaryDirectory(prefix="tablewire-disk-") as name:
        give_away(Path(name))
        (Path(name) / "ballast").touch()
        room = {"DISK_FOLDER": name, "DISK_ROOM": "400000", "DISK_BALLAST": f"{name}/ballast"}
        yield SmallDisk(Path(name), {**room, "LD_PRELOAD": str(build_shim(Path(name)))})


@contextmanager
def mounted(options: str) -> Iterator[Path | None]:
    """A file system in memory of its own; None where one may not be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="tablewire-disk-"))
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        if is_mounted:
            give_away(folder)
        yield folder if is_mounted else None
    finally:
        if is_mounted:
            subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


class ReadOnly(NamedTuple):
    """A folder with a journal that cannot be written any more, and what is said of it."""

    folder: Path
    why: str
    make_writable: Callable[[], object]


@pytest.fixture(params=["folder", "disk"])
def read_only(request: pytest.FixtureRequest, open_folder: Path) -> Iterator[ReadOnly]:
    with mounted("size=1m") as disk:
        if request.param == "disk" and disk is not None:
            run_unprivileged(IMPORTS, PLAY, disk)
            remount(disk, "ro")
            yield ReadOnly(disk, "the disk there is read-only; name another", lambda: remount(disk, "rw"))
        else:
            run_unprivileged(IMPORTS, PLAY, open_folder)
            open_folder.chmod(0o500)
            yield ReadOnly(open_folder, "permission denied", lambda: open_folder.chmod(0o700))


def remount(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)


def test_a_folder_that_may_not_be_written_is_named(open_folder: Path) -> None:
    open_folder.chmod(0o500)
    said = run_unprivileged(IMPORTS, OPEN, open_folder)
    assert (
        said
        == f"cannot use the data folder {open_folder}: permission denied; name another folder with --data\n"
    )
    assert list(open_folder.iterdir()) == []


def test_our_folder_that_has_lost_its_write_permission_says_how_to_mend_it(open_folder: Path) -> None:
    assert run_unprivileged(IMPORTS, OPEN, open_folder) == "opened\n"
    open_folder.chmod(0o500)
    said = run_unprivileged(IMPORTS, OPEN, open_folder)
    assert str(open_folder) in said
    assert "permission denied" in said
    assert f"chmod u+rwX {open_folder}" in said


@pytest.mark.parametrize("command", ["run --port none", "games list", "games delete 1"])
def test_a_folder_that_may_not_be_entered_is_named_by_every_command(open_folder: Path, command: str) -> None:
    open_folder.chmod(0)
    imports = """
import sys
from tablewire import cli, run, shelf
from tablewire.store import journal
"""
    code = """
sys.stderr = sys.stdout
sys.argv = ["tablewire", *sys.argv[2].split(), "--data", sys.argv[1]]
try:
    cli.main()
except SystemExit as end:
    print(end.code)
"""
    said = run_unprivileged(imports, code, open_folder, command)
    open_folder.chmod(0o700)
    assert "permission denied; name another folder with --data\n1\n" in said
    assert said.count("\n") == 2


@pytest.mark.parametrize("name", ["table.sqlite3", "table.lock"])
def test_a_file_once_made_with_sudo_is_named_with_the_command_that_mends_it(
    open_folder: Path, name: str
) -> None:
    run_unprivileged(IMPORTS, OPEN, open_folder)
    file = open_folder / name
    if os.getuid() == 0:
        os.chown(file, 0, 0)
    else:  # only root can leave a file that belongs to root; to be led to one comes to the same
        file.unlink()
        file.symlink_to("/etc/passwd")
    before = file.read_bytes()
    said = run_unprivileged(IMPORTS, OPEN, open_folder)
    user = "nobody" if os.getuid() == 0 else getpass.getuser()
    assert f"cannot open {file}: permission denied" in said
    assert "belongs to root" in said
    assert f"sudo chown -R {user} {file}" in said
    assert file.read_bytes() == before


def test_a_folder_that_has_become_read_only_keeps_its_games_to_be_read(read_only: ReadOnly) -> None:
    path = read_only.folder / "table.sqlite3"
    before = path.read_bytes()
    said = run_unprivileged(IMPORTS, OPEN, read_only.folder)
    assert said.startswith(f"cannot use the data folder {read_only.folder}: ")
    assert read_only.why in said
    assert said.count("\n") == 1
    assert run_unprivileged(IMPORTS, READ, read_only.folder) == "1 game\n"
    assert path.read_bytes() == before
    read_only.make_writable()
    assert run_unprivileged(IMPORTS, OPEN, read_only.folder) == "opened\n"


@pytest.mark.parametrize("locked", ["folder", "file"])
def test_games_that_may_not_be_read_are_not_taken_for_none(open_folder: Path, locked: str) -> None:
    run_unprivileged(IMPORTS, PLAY, open_folder)
    (open_folder if locked == "folder" else open_folder / "table.sqlite3").chmod(0)
    said = run_unprivileged(IMPORTS, READ, open_folder)
    open_folder.chmod(0o700)
    assert said.startswith(f"cannot read {open_folder}/table.sqlite3: permission denied; ")
    assert said.count("\n") == 1


def test_a_file_without_read_permission_is_not_taken_for_damaged(open_folder: Path) -> None:
    run_unprivileged(IMPORTS, OPEN, open_folder)
    (open_folder / "table.sqlite3").chmod(0)
    assert "permission denied" in run_unprivileged(IMPORTS, OPEN, open_folder)
    assert [p.name for p in open_folder.glob("*damaged*")] == []


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("my notes")
    with pytest.raises(StoreError, match="a file stands where the folder should be; name another") as caught:
        Journal.open(tmp_path / place, evening)
    assert str(tmp_path / place) in str(caught.value)
    with pytest.raises(StoreError, match="a file stands where the folder should be; name another"):
        Journal.open_reading(tmp_path / place, evening)
    assert (tmp_path / "file").read_text() == "my notes"


@pytest.mark.parametrize(
    "folder", [Path("/proc/tablewire"), Path("/dev/null/x"), Path("a\0b"), Path("x" * 300)]
)
def test_an_impossible_folder_gives_one_line(folder: Path) -> None:
    with pytest.raises(StoreError) as caught:
        Journal.open(folder, evening)
    assert str(caught.value).isprintable()
    with pytest.raises(StoreError) as caught:
        Journal.open_beside(folder, evening)
    assert str(caught.value).isprintable()
    if not str(folder).startswith("/proc"):
        with pytest.raises(StoreError) as caught:
            Journal.open_reading(folder, evening)
        assert str(caught.value).isprintable()


def test_a_missing_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    Journal.open(tmp_path / "halls" / "table 3", evening).close()
    assert (tmp_path / "halls" / "table 3" / "table.sqlite3").is_file()


def test_without_a_folder_the_users_own_data_folder_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Journal.open(None, evening) as journal:
        assert journal.path == platformdirs.user_data_path("tablewire") / "table.sqlite3"
        assert journal.path.is_relative_to(tmp_path)


@pytest.mark.parametrize("limit_bytes", [40_000, 70_000, 123_456])
def test_a_full_disk_is_said_and_play_goes_on_when_there_is_room_again(
    tmp_path: Path, limit_bytes: int
) -> None:
    said, kept = run_unprivileged_in(tmp_path, FILL, str(limit_bytes))
    assert "cannot write" in said
    assert "free some space" in said
    assert 0 < int(kept) < 1000


def test_a_disk_that_runs_full_is_said_and_play_goes_on_when_there_is_room_again(
    small_disk: SmallDisk,
) -> None:
    said, kept = run_unprivileged_in(small_disk.folder, FILL, environment=small_disk.environment)
    assert "there is no room left; free some space" in said
    assert 0 < int(kept) < 1000


def test_a_disk_without_room_for_the_first_file_is_said(small_disk: SmallDisk) -> None:
    if not small_disk.environment:
        with (small_disk.folder / "rest").open("wb", buffering=0) as rest:
            free = os.statvfs(small_disk.folder)
            rest.write(bytes(free.f_bavail * free.f_bsize))
    full = {**small_disk.environment, "DISK_ROOM": "0"}
    said = run_unprivileged(IMPORTS, OPEN, small_disk.folder, environment=full)
    assert "there is no room left" in said
    assert str(small_disk.folder) in said


def run_unprivileged_in(
    folder: Path, code: str, *args: str, environment: Mapping[str, str] | None = None
) -> list[str]:
    """The lines that `code` prints when its data folder is a new one below `folder`."""
    data = folder / "data"
    data.mkdir()
    if folder.stat().st_uid != 0:
        give_away(data)
        return run_unprivileged(IMPORTS, code, data, *args, environment=environment).splitlines()
    with tempfile.TemporaryDirectory(prefix="tablewire-test-") as reachable:
        give_away(Path(reachable))
        return run_unprivileged(IMPORTS, code, Path(reachable), *args).splitlines()


def test_a_file_removed_while_in_use_is_said_and_goes_on_when_it_is_put_back(tmp_path: Path) -> None:
    """SQLite itself goes on writing into the file that no folder holds any more."""
    with Journal.open(tmp_path / "data", evening) as journal:
        game_id = journal.begin_game("cirkis", {})
        (tmp_path / "data").rename(tmp_path / "elsewhere")
        with pytest.raises(StoreError, match=r"cannot write .*: it was moved, removed or replaced"):
            journal.append([Entry(EntryKind.COMMIT, 0, {})], 1)
        (tmp_path / "elsewhere").rename(tmp_path / "data")
        journal.append([Entry(EntryKind.COMMIT, 1, {})], 1)
        assert [entry.at_ms for entry in journal.entries(game_id)] == [1]


def test_a_file_replaced_while_in_use_is_not_written_to(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening) as journal:
        journal.begin_game("cirkis", {})
        stranger = tmp_path / "stranger"
        stranger.write_bytes(b"a person's copy of another evening")
        stranger.rename(journal.path)
        with pytest.raises(StoreError, match="start again to go on with what is there now"):
            journal.append([Entry(EntryKind.COMMIT, 0, {})], 1)
        with pytest.raises(StoreError):
            journal.begin_game("cirkis", {})
    assert journal.path.read_bytes() == b"a person's copy of another evening"
