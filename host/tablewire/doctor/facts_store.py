"""Looks at the data folder and the games in it. Changes nothing there, not even beside the file.

Owns these looks. Must not know what a game is, nor what is good or bad.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tablewire.doctor.roots import Roots, may_be_locked, read_text
from tablewire.doctor.seen import StoreSeen
from tablewire.errors import StoreError, one_line
from tablewire.link.last_good import FILE_NAME, read_known_board
from tablewire.store import damage
from tablewire.store.disk import disk_at
from tablewire.store.faults import DATABASE_NAME, LOCK_NAME, shows_damage, store_error

COUNT = "SELECT (SELECT count(*) FROM games), (SELECT max(wall_time) FROM entries)"
OURS = (DATABASE_NAME, *(f"{DATABASE_NAME}{suffix}" for suffix in damage.COMPANIONS), LOCK_NAME)
"""The files that a table must be able to read and write."""
LOGS = ("-wal", "-journal")
"""What holds entries, or takes them back; the index of a log (-shm) holds nothing of its own."""
HEADER = b"SQLite format 3\x00"
ROOTS = Roots()
BUSY_TIMEOUT_MS = 2000
"""A table that plays holds the file for milliseconds."""


def look_at_store(folder: Path) -> StoreSeen:
    """The folder, its files, what was set aside, and whether the games can be read."""
    path = folder / DATABASE_NAME
    trouble = _folder_trouble(folder)
    settings_trouble, settings_count = _settings(folder / FILE_NAME)
    set_aside = sorted(
        file.name
        for file in (folder.glob(f"{DATABASE_NAME}.damaged-*") if trouble is None else ())
        if not file.name.endswith(damage.COMPANIONS)
    )
    common = {
        "set_aside": tuple(set_aside),
        "settings_trouble": settings_trouble,
        "settings_count": settings_count,
    }
    if trouble is not None or not os.path.lexists(path):
        return StoreSeen(str(folder), trouble=trouble, **common)  # type: ignore[arg-type]
    why, games_count, newest = None, 0, None
    try:
        games_count, newest = _read(path)
    except StoreError as exc:
        trouble = str(exc)
    except ValueError as exc:
        why = str(exc)
    except (sqlite3.Error, OSError) as exc:
        if isinstance(exc, sqlite3.Error) and shows_damage(exc):
            why = one_line(exc)
        else:
            trouble = str(store_error("read", path, exc))
    return StoreSeen(
        str(folder),
        is_there=True,
        trouble=trouble,
        damage=why,
        games_count=games_count,
        newest=newest,
        **common,  # type: ignore[arg-type]
    )


def _folder_trouble(folder: Path) -> str | None:
    """Why a table could not use the folder, or make it; one line."""
    place = folder
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    try:
        if not place.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "not a folder")
        if not os.access(place, os.W_OK | os.X_OK):
            read_only = disk_at(place).is_read_only
            raise OSError(errno.EROFS, "read-only") if read_only else PermissionError
    except (OSError, ValueError) as exc:
        return str(store_error("use the data folder", folder, exc))
    for name in OURS:
        file = folder / name
        if os.path.lexists(file) and not os.access(file, os.R_OK | os.W_OK):
            return str(store_error("use", file, PermissionError()))
    return None


def _read(path: Path) -> tuple[int, str | None]:
    """How many games there are, and when the newest entry was written.

    ValueError says why the file cannot be used; StoreError, OSError and sqlite3.Error like what they look at.
    """
    if not path.is_file():
        raise ValueError("it is not a file")
    with path.open("rb") as file:
        header = file.read(len(HEADER))
    if header != HEADER:
        raise ValueError("it is not a database" if header else "it is empty")
    with _whole(path) as (whole, mode), closing(damage.connect(whole, mode)) as connection:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        connection.execute("BEGIN")
        why = damage.look_inside(connection, path)
        if why is not None:
            raise ValueError(why)
        games_count, newest = connection.execute(COUNT).fetchone()
    return games_count, newest


@contextmanager
def _whole(path: Path) -> Iterator[tuple[Path, str]]:
    """The file to open, and how, so that nothing is written beside the real one.

    Without a log nobody writes, and the file is taken as it is. A log that no running table owns is what a
    kill left: reading that would make its index anew, so a copy is read. A table that runs shares its index.
    """
    left = [suffix for suffix in LOGS if Path(f"{path}{suffix}").exists()]
    if not left:
        yield path, "ro&immutable=1"
    elif is_owned(path.parent):
        yield path, "ro"
    else:
        with tempfile.TemporaryDirectory(prefix="tablewire-") as folder:
            for suffix in ("", *left):
                shutil.copyfile(f"{path}{suffix}", Path(folder) / f"{path.name}{suffix}")
            yield Path(folder) / path.name, "rw"


def is_owned(folder: Path, roots: Roots = ROOTS) -> bool:
    """Whether a table may run on the folder: its lock is held, or who wrote its number there still runs.

    In doubt it does: reading beside a table is always right, a copy made meanwhile may be torn.
    """
    if sys.platform != "linux" or may_be_locked(folder / LOCK_NAME, roots):
        return True
    owner = read_text(folder / LOCK_NAME) or ""
    return owner.isdecimal() and (roots.proc / owner).exists()


def _settings(file: Path) -> tuple[str | None, int]:
    """Why what is remembered cannot be read, and how much is remembered."""
    try:
        return None, int(read_known_board(file) is not None)
    except (OSError, ValueError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else str(exc) or "it holds something else"
        return f"{one_line(file)} cannot be read: {why}", 0
