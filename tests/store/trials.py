"""Builds the shim, runs trials with it, and looks at what they leave behind.

Owns the folders of the trials, on a disk in memory where there is one. Must not know what SQLite writes.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.store.clock import evening
from tests.store.power_cut import Disk
from tests.store.random_life import random_life
from tests.store.workload import (
    BEFORE,
    DAMAGED,
    EMPTY,
    KILLED,
    LIVES,
    OLD,
    Session,
    State,
    Step,
    first_evening,
    state_of,
)

from tablewire.store.journal import Journal

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NAME = "table.sqlite3"
MEMORY_BYTES = 1_000_000_000
"""Four tests at once, each with some hundred folders; a container often has 64 MB of it."""
KEPT = f"{NAME}.schema-1"


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory, where the system has such: thousands of journals are opened in it."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own is made there
    has_room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > MEMORY_BYTES
    with tempfile.TemporaryDirectory(prefix="tablewire-", dir=memory if has_room else None) as folder:
        yield Path(folder).resolve()


def build_shim(folder: Path) -> Path:
    """Compile the shim into the folder."""
    assert shutil.which("gcc"), "missing here: gcc. On Debian: sudo apt install gcc libc6-dev"
    built = folder / "disk_shim.so"
    command = [
        "gcc",
        "-Wall",
        "-Wextra",
        "-O1",
        "-shared",
        "-fPIC",
        "-o",
        str(built),
        str(HERE / "disk_shim.c"),
    ]
    done = subprocess.run([*command, "-ldl"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return built


def run_trials(shim: Path, base: Path, life: str, kind: str, **job: Any) -> int:
    """Run the trials of a life below `base`; how many there were."""
    start = base / "start"
    if not start.exists():
        lay_start(start, life)
    order = {"base": str(base), "start": str(start), "life": life, "kind": kind, **job}
    done = subprocess.run(
        [sys.executable, "-m", "tests.store.disk_trial"],
        input=json.dumps(order),
        env={**os.environ, "LD_PRELOAD": str(shim)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return int(done.stdout)


def disk_of(shim: Path, base: Path, life: str, setting: str = "") -> Disk:
    """Let a life be written down to `base`/log; the disk as it was before."""
    folder = base / "1"
    lay_start(folder, life)
    files = {path.name: (path.stat().st_ino, path.read_bytes()) for path in folder.iterdir()}
    disk = Disk(files, folder.stat().st_ino)
    run_trials(shim, base, life, "write down", setting=setting)
    return disk


def content_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@cache
def steps_of(life: str) -> list[Step]:
    """The steps of a life by its name; "random 7 50" are fifty drawn by the seed 7."""
    if life in LIVES:
        return LIVES[life]()
    _, seed, count = life.split()
    return random_life(int(seed), int(count))


def before(life: str) -> State:
    """What a life starts from."""
    return BEFORE.get(life, EMPTY)


def lay_start(folder: Path, life: str) -> None:
    """What a life finds in its folder."""
    folder.mkdir(parents=True)
    if before(life) is OLD:
        with closing(sqlite3.connect(folder / NAME)) as connection:
            connection.executescript((HERE / "schema_1.sql").read_text("utf-8"))
            connection.executescript("PRAGMA application_id = 1952544618; PRAGMA user_version = 1")
            log = b""
            if life == "after an older one":
                connection.execute("PRAGMA journal_mode = WAL")
                connection.executescript("UPDATE games SET put_aside = ''; UPDATE games SET put_aside = NULL")
                log = (folder / f"{NAME}-wal").read_bytes()
        if log:
            (folder / f"{NAME}-wal").write_bytes(log)
    elif life == "after damage":
        for name, content in DAMAGED.items():
            (folder / name).write_bytes(content)
    elif before(life) is KILLED:
        with quick_folder() as elsewhere:
            session = Session(elsewhere)
            for step in first_evening()[:3]:
                step.do(session)
            for name in (NAME, f"{NAME}-wal"):
                (folder / name).write_bytes((elsewhere / name).read_bytes())
            session.close()


class Found(NamedTuple):
    """What a start after the trouble finds: the state, and the lines a person is told."""

    state: State
    notices: list[str]


def found_in(folder: Path) -> Found:
    """Open the journal of the folder as the next start does."""
    with Journal.open(folder, evening) as journal:
        return Found(state_of(journal), journal.notices)


def expected_after(life: str, acknowledged_count: int) -> list[State]:
    """What may be kept when so many steps were acknowledged: that, or the next step wholly done as well."""
    states = [before(life), *(step.after for step in steps_of(life))]
    return states[acknowledged_count : acknowledged_count + 2]


def _trouble_after_damage(folder: Path, state: State, acknowledged_count: int) -> str | None:
    """All that could not be read is still there, and what was kept since; the version is a higher one."""
    kept = [path.read_bytes() for path in folder.iterdir()]
    if not all(content in kept for content in DAMAGED.values()):
        return f"what could not be read is gone: {sorted(p.name for p in folder.iterdir())}"
    if state._replace(version=0) not in expected_after("after damage", acknowledged_count):
        return f"{state} after {acknowledged_count} steps"
    return None


def trouble_in(folder: Path, life: str, acknowledged_count: int) -> str | None:
    """What is wrong with what the next start finds; None: all is kept, nothing twice, no damage said."""
    found = found_in(folder)
    if life == "after damage":
        return _trouble_after_damage(folder, found.state, acknowledged_count)
    damaged = [line for line in found.notices if "has the form that this version writes" not in line]
    if damaged:
        return damaged[0]
    if found.state not in expected_after(life, acknowledged_count):
        return f"{found.state} after {acknowledged_count} steps"
    if before(life) is not OLD:
        return None
    if not (folder / KEPT).is_file():
        return "the older file was not kept"
    with closing(sqlite3.connect(f"{(folder / KEPT).as_uri()}?mode=ro", uri=True)) as kept:
        (rows,) = kept.execute("SELECT count(*) FROM entries WHERE seq < 3").fetchone()
        version = kept.execute("PRAGMA user_version").fetchone()[0]
    return None if (rows, version) == (2, 1) else f"the older file was kept with {rows} entries"
