"""The computer under the table: its games, disk, clock, supply and program, each in order and in trouble."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.doctor.looks import Computer, only
from tests.store.test_surroundings import mounted, remount
from tests.store.unprivileged import run_unprivileged

from tablewire.doctor.checks_computer import (
    check_clock,
    check_disk,
    check_page,
    check_power,
    check_program,
    check_settings,
    check_store,
)
from tablewire.doctor.facts_computer import (
    kernel_synchronised,
    look_at_clock,
    look_at_disk,
    look_at_power,
    look_at_program,
)
from tablewire.doctor.facts_store import is_owned, look_at_store
from tablewire.doctor.finding import Check, Finding, Level
from tablewire.doctor.seen import ClockSeen, DiskSeen, PackageSeen, PageSeen, ProgramSeen, StoreSeen
from tablewire.entries import Entry, EntryKind
from tablewire.store.journal import Journal

NAME = "table.sqlite3"
EVENING = datetime(2026, 11, 7, 20, 15, tzinfo=UTC)
NO_STORE = StoreSeen("/nowhere")


def evening() -> datetime:
    return EVENING


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with one game in it."""
    folder = tmp_path / "data"
    with Journal.open(folder, evening) as journal:
        journal.begin_game("cirkis", {"rulebook": "hasbro"})
        journal.append([Entry(EntryKind.COMMIT, 1, {"text": "x" * 500})], 1)
    return folder


def content_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def store_finding(folder: Path) -> Finding:
    """What is said of the games in a folder, which must stay as it is."""
    before = content_of(folder) if folder.is_dir() else None
    found = list(check_store(look_at_store(folder)))
    assert (content_of(folder) if folder.is_dir() else None) == before
    return found[0]


# ---- the games ----


def test_games_that_are_whole(folder: Path) -> None:
    assert store_finding(folder) == Finding(Check.STORE, Level.OK, f"1 game in {folder}, whole")


def test_no_games_yet(tmp_path: Path) -> None:
    finding = store_finding(tmp_path / "not" / "there")
    assert (finding.level, "no games yet" in finding.text) == (Level.OK, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("left", [("-wal",), ("-wal", "-shm")])
def test_games_of_a_program_that_runs_or_was_killed(
    folder: Path, tmp_path: Path, left: tuple[str, ...]
) -> None:
    killed = tmp_path / "killed"
    killed.mkdir()
    with Journal.open(folder, evening) as journal:
        journal.begin_game("cirkis", {"rulebook": "international"})
        assert is_owned(folder)  # so it is read beside the table, and not from a copy that may be torn
        assert "2 games" in next(check_store(look_at_store(folder))).text
        for name in (NAME, *(f"{NAME}{suffix}" for suffix in left)):
            (killed / name).write_bytes((folder / name).read_bytes())
    assert not is_owned(killed)
    finding = store_finding(killed)
    assert (finding.level, "2 games" in finding.text) == (Level.OK, True)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b"SQLite format 2\0" + bytes(500), "it is not a database"),
        (b"\0" * 5000, "it is not a database"),
    ],
)
def test_a_file_that_is_no_journal(folder: Path, content: bytes, why: str) -> None:
    (folder / NAME).write_bytes(content)
    finding = store_finding(folder)
    assert finding.level is Level.TROUBLE
    assert why in finding.text
    assert "sets it aside" in str(finding.do)


def test_a_journal_that_is_damaged_within(folder: Path) -> None:
    data = bytearray((folder / NAME).read_bytes())
    at = data.index(b"x" * 100)
    data[at : at + 4] = b"oops"
    (folder / NAME).write_bytes(data)
    finding = store_finding(folder)
    assert (finding.level, "cannot be read" in finding.text) == (Level.TROUBLE, True)


def test_a_journal_of_a_newer_tablewire(folder: Path) -> None:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        connection.execute("PRAGMA user_version = 99")
    finding = store_finding(folder)
    assert finding.level is Level.TROUBLE
    assert "a newer tablewire wrote it" in finding.text
    assert "update tablewire" in str(finding.do)


def test_what_was_set_aside_is_named(folder: Path) -> None:
    for suffix in ("", "-wal"):
        (folder / f"{NAME}.damaged-20261101-201500{suffix}").write_bytes(b"?")
    whole, aside = check_store(look_at_store(folder))
    assert whole.level is Level.OK
    assert aside.level is Level.NOTE
    assert aside.text.endswith(f"{NAME}.damaged-20261101-201500")


IMPORTS = """
import json, sys, urllib.parse
from pathlib import Path
from tablewire.doctor.checks_computer import check_settings, check_store
from tablewire.doctor.facts_store import is_owned, look_at_store
"""
LOOK = """
seen = look_at_store(Path(sys.argv[1]))
for finding in (*check_store(seen), *check_settings(seen)):
    print(json.dumps(finding.to_json()))
"""


def told_unprivileged(folder: Path) -> list[dict[str, str]]:
    return list(map(json.loads, run_unprivileged(IMPORTS, LOOK, folder).splitlines()))


def test_files_once_made_with_sudo_name_the_command(open_folder: Path) -> None:
    with Journal.open(open_folder, evening):
        pass
    for file in open_folder.iterdir():
        file.chmod(0o400)
    finding = told_unprivileged(open_folder)[0]
    assert finding["level"] == "trouble"
    assert f"cannot use {open_folder / NAME}: permission denied" in finding["text"]
    assert ("sudo chown -R" if os.getuid() == 0 else "chmod u+rwX") in finding["do"]


def test_a_data_folder_that_cannot_be_written(open_folder: Path) -> None:
    open_folder.chmod(0o500)
    finding = told_unprivileged(open_folder)[0]
    assert finding["level"] == "trouble"
    assert f"cannot use the data folder {open_folder}: permission denied" in finding["text"]


def test_a_file_where_the_data_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert "a file stands where the folder should be" in store_finding(tmp_path / "data").text


# ---- what is remembered ----


def test_a_board_that_is_remembered(folder: Path) -> None:
    (folder / "board.json").write_text('{"board": 1, "kind": "serial", "port": "/dev/ttyACM0"}')
    finding = only(check_settings(look_at_store(folder)), Check.SETTINGS)
    assert (finding.level, finding.text) == (Level.OK, "where the board was last is remembered")


def test_settings_that_cannot_be_read_are_named_and_left(folder: Path) -> None:
    file = folder / "board.json"
    file.write_text("{")
    finding = only(check_settings(look_at_store(folder)), Check.SETTINGS)
    assert (finding.level, str(file) in finding.text) == (Level.TROUBLE, True)
    assert file.read_text() == "{"


def test_settings_made_with_sudo(open_folder: Path) -> None:
    (open_folder / "board.json").write_text("{}")
    (open_folder / "board.json").chmod(0o000)
    finding = told_unprivileged(open_folder)[-1]
    assert (finding["name"], finding["level"]) == ("settings", "trouble")
    assert "Permission denied" in finding["text"]


# ---- the disk ----


@pytest.fixture
def small_disk() -> Iterator[Path | None]:
    """A file system of 1 MB; None where none may be mounted."""
    with mounted("size=1m") as folder:
        yield folder


def test_a_disk_with_room(tmp_path: Path) -> None:
    seen = look_at_disk(tmp_path / "not" / "there" / "yet")
    assert seen.free_bytes > 0
    finding = only(check_disk(DiskSeen("/data", 5 << 30)), Check.DISK)
    assert finding == Finding(Check.DISK, Level.OK, "5,120 MB free")


def test_a_disk_that_is_full() -> None:
    # Nothing can be kept in /proc, and it says so.
    finding = only(check_disk(look_at_disk(Path("/proc"))), Check.DISK)
    assert (finding.level, finding.text) == (Level.TROUBLE, "the disk of /proc is full: 0 MB free")


def test_a_small_disk_is_full_before_the_last_byte(small_disk: Path | None) -> None:
    disk = DiskSeen("/data", 1 << 20) if small_disk is None else look_at_disk(small_disk)
    assert "is full" in only(check_disk(disk), Check.DISK).text


def test_a_disk_that_is_read_only(small_disk: Path | None) -> None:
    if small_disk is not None:
        remount(small_disk, "ro")
    disk = DiskSeen("/data", 1 << 30, is_read_only=True) if small_disk is None else look_at_disk(small_disk)
    finding = only(check_disk(disk), Check.DISK)
    assert (finding.level, "is read-only" in finding.text) == (Level.TROUBLE, True)


def test_a_disk_without_room_for_files() -> None:
    finding = only(check_disk(DiskSeen("/data", 5 << 30, free_files_count=0)), Check.DISK)
    assert (finding.level, "no more files" in finding.text) == (Level.TROUBLE, True)


def test_a_disk_that_is_nearly_full() -> None:
    assert only(check_disk(DiskSeen("/data", 100 << 20)), Check.DISK).level is Level.NOTE


# ---- the clock ----


def clock_finding(now: datetime, *, kept: bool | None = True, newest: datetime | None = None) -> Finding:
    store = StoreSeen("/data", is_there=True, newest=None if newest is None else newest.isoformat())
    return only(check_clock(ClockSeen(now.isoformat(), kept), store), Check.CLOCK)


def test_a_clock_that_is_right() -> None:
    finding = clock_finding(EVENING, newest=EVENING - timedelta(days=3))
    assert (finding.level, finding.text) == (Level.OK, "07 November 2026 20:15 UTC")


def test_a_clock_that_was_never_set() -> None:
    finding = clock_finding(datetime(1970, 1, 1, 0, 3, tzinfo=UTC))
    assert finding.level is Level.TROUBLE
    assert "01 January 1970: it is not set, so games get wrong dates" in finding.text
    assert "play is timed by the board all the same" in str(finding.do)


def test_a_clock_behind_the_newest_game(folder: Path) -> None:
    clock = ClockSeen((EVENING - timedelta(days=40)).isoformat(), True)
    finding = only(check_clock(clock, look_at_store(folder)), Check.CLOCK)
    assert finding.level is Level.TROUBLE
    assert "the newest game is of 07 November 2026" in finding.text


def test_a_clock_that_nobody_keeps_right(computer: Computer) -> None:
    seen = look_at_clock(computer.roots, evening, kernel=lambda: False)
    assert only(check_clock(seen, NO_STORE), Check.CLOCK).level is Level.NOTE


def test_a_clock_that_systemd_keeps_right(computer: Computer) -> None:
    computer.write("run/systemd/timesync/synchronized", "")
    seen = look_at_clock(computer.roots, evening, kernel=lambda: False)
    assert only(check_clock(seen, NO_STORE), Check.CLOCK).level is Level.OK


def test_the_kernel_is_asked_without_changing_anything() -> None:
    assert kernel_synchronised() in ({True, False} if sys.platform == "linux" else {None})


# ---- the computer's supply ----


def power_finding(computer: Computer) -> Finding:
    return only(check_power(look_at_power(computer.roots)), Check.POWER)


@pytest.mark.parametrize(("alarm", "level"), [("1", Level.TROUBLE), ("0", Level.OK)])
def test_a_raspberry_pis_alarm(computer: Computer, alarm: str, level: Level) -> None:
    computer.write("sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    computer.write("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    computer.write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", f"{alarm}\n")
    assert power_finding(computer).level is level


@pytest.mark.parametrize(
    ("word", "level"), [("50005", Level.TROUBLE), ("50000", Level.NOTE), ("0", Level.OK)]
)
def test_a_raspberry_pis_throttling_word(computer: Computer, word: str, level: Level) -> None:
    computer.write("sys/devices/platform/soc/soc:firmware/get_throttled", f"{word}\n")
    assert power_finding(computer).level is level


def test_a_computer_that_does_not_tell_of_its_supply(computer: Computer) -> None:
    assert power_finding(computer).level is Level.SKIPPED


# ---- the program ----


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that needs packages, as an installer notes it."""
    info = tmp_path / "packages" / "neighbour-1.0.dist-info"
    info.mkdir(parents=True)
    monkeypatch.syspath_prepend(str(info.parent))
    return info / "METADATA"


def test_a_package_that_is_missing_or_too_old(installed: Path) -> None:
    needs = ("no-such-package>=2.1", "pyserial>=99.0", "click>=8.2", 'pytest>=99; extra == "test"')
    lines = [f"Requires-Dist: {need}" for need in needs]
    installed.write_text("\n".join(["Metadata-Version: 2.1", "Name: neighbour", "Version: 1.0", *lines, ""]))
    found = [one for one in check_program(look_at_program("neighbour")) if one.level is Level.TROUBLE]
    assert [one.text.split(";")[0] for one in found] == [
        "the package no-such-package is missing",
        "the package pyserial is 3.5",
    ]
    assert found[0].do == "pip install 'no-such-package>=2.1', where tablewire is"


def test_this_program_has_what_it_needs() -> None:
    found = list(check_program(look_at_program()))
    assert [one.text for one in found if one.level is Level.TROUBLE] == []
    assert f"Python {'.'.join(map(str, sys.version_info[:3]))}" in found[-1].text


def test_a_python_that_is_too_old_and_a_program_run_as_root() -> None:
    seen = ProgramSeen("1.0", (3, 9, 2), (PackageSeen("click", "8.2", "8.10"),), is_root=True)
    old, root = check_program(seen)
    assert (old.level, old.text) == (Level.TROUBLE, "Python is 3.9.2; tablewire needs 3.11")
    assert (root.level, root.do) == (Level.NOTE, "run tablewire as yourself, without sudo")


# ---- where the page would be ----


def test_a_free_place_for_the_page() -> None:
    assert only(check_page(PageSeen("127.0.0.1:8750")), Check.PAGE).level is Level.OK
