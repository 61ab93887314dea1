"""How a journal's database comes to be open: found whole, made, or brought up from an older schema.

Owns the order of those steps, the settings of a connection, and the copy that is kept before a schema
changes. Must not know games or entries. Whoever calls owns the data folder, unless a function says otherwise.
"""

from __future__ import annotations

import filecmp
import os
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from tablewire.errors import StoreError, one_line
from tablewire.store import damage
from tablewire.store.disk import sync_folder
from tablewire.store.faults import shows_damage, store_error
from tablewire.store.schema import APPLICATION_ID, SCHEMA_VERSION, schema_version, upgrade

BUSY_TIMEOUT_MS = 5_000
"""Hardly anybody else writes; a person's backup or look with another program may hold the file a moment."""

BUSY_WRITE_TIMEOUT_MS = 200
"""While a table is played, whoever appends waits for the file, and the table with it. What comes from the
board is tried again each second, which must leave most of the second for everything else."""


def identity(path: Path) -> tuple[int, int] | None:
    """The file at `path`. SQLite goes on writing into one that has gone from there, without a word."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def clear_the_way(path: Path, at: datetime) -> list[str]:
    """Set aside what cannot be read; the lines that say so."""
    if damage.orphans(path):
        return [damage.set_aside(path, "its main file is gone", at)]
    if not os.path.lexists(path):
        return []
    for suffix in ("", *damage.COMPANIONS):
        file = Path(f"{path}{suffix}")
        if file.is_file() and not os.access(file, os.R_OK | os.W_OK):
            raise store_error("open", file, PermissionError())
    why = damage.find_damage(path)
    return [] if why is None else [damage.set_aside(path, why, at)]


def create(path: Path, version: int) -> None:
    """Make an empty journal under another name and move it into place: a kill leaves none or a whole one."""
    draft = path.with_suffix(".new")
    try:
        _forget(draft)
        with closing(damage.connect(draft, "rwc")) as connection:
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            upgrade(connection)
            connection.execute("UPDATE document SET version = ?", (version,))
            connection.execute("PRAGMA journal_mode = WAL")
        draft.rename(path)
        sync_folder(path.parent)
    except (sqlite3.Error, OSError) as exc:
        raise store_error("create", path, exc) from exc


def connect(path: Path) -> tuple[sqlite3.Connection, int, list[str]]:
    """Open for writing, bring to the newest schema, prove that it can be written.

    With it comes the number of frames that SQLite replayed from the write-ahead log, and lines for a person.
    """
    notices = []
    try:
        connection = damage.connect(path, "rw")
        try:
            _settle(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            frames_count = max(0, connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1])
            if schema_version(connection) < SCHEMA_VERSION:
                notices.append(_keep_copy(connection, path))
                upgrade(connection)
            connection.execute("UPDATE document SET version = version")
            connection.execute(f"PRAGMA busy_timeout = {BUSY_WRITE_TIMEOUT_MS}")
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as exc:
        raise store_error("open", path, exc) from exc
    return connection, frames_count, notices


def connect_beside(path: Path) -> sqlite3.Connection:
    """Open for writing a journal whose folder another process owns and goes on using."""
    try:
        connection = damage.connect(path, "rw")
        try:
            _settle(connection)
            version = schema_version(connection)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as exc:
        raise store_error("open", path, exc) from exc
    if version != SCHEMA_VERSION:
        connection.close()
        raise StoreError(
            f"cannot write {one_line(path)}: another version of tablewire is using it (schema {version}, "
            f"this one writes {SCHEMA_VERSION}); stop that one first"
        )
    return connection


def connect_reading(path: Path) -> sqlite3.Connection:
    """Open for reading, at one moment of the file, whoever owns the folder. Nothing is changed or set aside.

    A file that is not there is read as an empty journal.
    """
    try:
        if not os.access(path, os.R_OK):
            path.stat()
            raise PermissionError
    except FileNotFoundError:
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        upgrade(connection)
        return connection
    except (OSError, ValueError) as exc:
        raise store_error("read", path, exc) from exc
    mode = "ro"
    # Where nothing can be written SQLite cannot share a file; one without a log has nobody who writes to it.
    if not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists():
        mode = "ro&immutable=1"
    try:
        connection = damage.connect(path, mode)
        try:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
            connection.execute("BEGIN")
            why = damage.look_inside(connection, path) if path.stat().st_size else "it is empty"
        except BaseException:
            connection.close()
            raise
    except (sqlite3.Error, OSError) as exc:
        if not (isinstance(exc, sqlite3.Error) and shows_damage(exc)):
            raise store_error("read", path, exc) from exc
        why = one_line(exc)
    if why is None:
        return connection
    connection.close()
    raise StoreError(
        f"cannot read {one_line(path)}: {why}; it was left as it is, put back an older copy, or let "
        "tablewire run set it aside"
    )


def _settle(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")


def _keep_copy(connection: sqlite3.Connection, path: Path) -> str:
    """Copy the file as an older program wrote it, for that one to be used again; the line that says so."""
    kept = Path(f"{path}.schema-{schema_version(connection)}")
    draft = Path(f"{kept}.new")
    try:
        _forget(draft)
        with closing(damage.connect(draft, "rwc")) as copy:
            connection.backup(copy)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        if kept.is_file() and filecmp.cmp(draft, kept, shallow=False):
            draft.unlink()  # an earlier start came as far as here
        else:
            kept = damage.free_name(kept)
            draft.rename(kept)
        sync_folder(path.parent)
    except (sqlite3.Error, OSError) as exc:
        raise store_error("copy", path, exc) from exc
    return (
        f"{one_line(path)} now has the form that this version writes; as it was, for an older tablewire, it "
        f"is kept as {kept.name}"
    )


def _forget(draft: Path) -> None:
    """Remove what an earlier start that was killed left half done."""
    for suffix in ("", *damage.COMPANIONS):
        Path(f"{draft}{suffix}").unlink(missing_ok=True)
