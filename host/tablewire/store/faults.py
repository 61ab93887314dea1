"""Turns what SQLite and the file system say into one line a person can act on.

Owns the wording, the names of our files, and the border between "damaged" and "cannot be
reached". Must not know what the journal holds.
"""

from __future__ import annotations

import errno
import getpass
import sqlite3
from pathlib import Path

from tablewire.errors import StoreError, one_line
from tablewire.store.disk import disk_at

DATABASE_NAME = "table.sqlite3"
LOCK_NAME = "table.lock"

_FULL = ("there is no room left", "free some space, or name another folder with --data")
_READ_ONLY = ("it cannot be written there", "name another folder with --data")
_READ_ONLY_DISK = ("the disk there is read-only", "name another folder with --data")
_FAILING = ("the disk refused it", "free some space or check the disk, or name another folder with --data")
_DAMAGED = ("the file is damaged", "start again: it will be set aside and named")
_BUSY = ("another program holds the file locked", "close that program and try again")
_GONE = ("the folder is gone", "put it back, or name another folder with --data")
_NOT_A_FOLDER = ("a file stands where the folder should be", "name another folder with --data")

_BY_ERRNO = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EROFS: _READ_ONLY_DISK,
    errno.ENOTDIR: _NOT_A_FOLDER,
    errno.EEXIST: _NOT_A_FOLDER,
    errno.EIO: _FAILING,
}

_BY_SQLITE = {
    "FULL": _FULL,
    "READONLY": _READ_ONLY,
    "PERM": _READ_ONLY,
    "CANTOPEN": _READ_ONLY,
    "IOERR": _FAILING,
    "BUSY": _BUSY,
    "LOCKED": _BUSY,
    "PROTOCOL": _BUSY,
    "NOMEM": ("there is not enough memory", "close other programs and try again"),
    "CORRUPT": _DAMAGED,
    "NOTADB": _DAMAGED,
}

_UNREACHABLE = frozenset(
    {"FULL", "READONLY", "PERM", "CANTOPEN", "IOERR", "BUSY", "LOCKED", "PROTOCOL", "NOMEM", "INTERRUPT"}
)
"""SQLite results that say nothing about what the file holds."""

_VAGUE = frozenset({"CANTOPEN", "IOERR", "READONLY"})
"""SQLite results that say that something stands in the way, and not what."""

ROOM_BYTES = 64 * 1024
"""Less than this is no room: SQLite needs 32 kB for the index of its log, and some for the log itself."""


def _primary(exc: sqlite3.Error) -> str:
    name: str = getattr(exc, "sqlite_errorname", "SQLITE_ERROR")
    # A read past the end of a cut file is damage, unlike every other input/output error.
    return "CORRUPT" if name == "SQLITE_IOERR_SHORT_READ" else name.split("_")[1]


def shows_damage(exc: sqlite3.Error) -> bool:
    """Whether the error is about what the file holds, rather than about reaching it."""
    return _primary(exc) not in _UNREACHABLE


def store_error(doing: str, path: Path, exc: Exception) -> StoreError:
    """A StoreError of one line: what could not be done, where, why, and what to do about it."""
    if isinstance(exc, sqlite3.Error):
        default = (one_line(exc), "report this, with the line above it")
        told = _around(path) if _primary(exc) in _VAGUE else None
        why, advice = told or _BY_SQLITE.get(_primary(exc), default)
    elif isinstance(exc, PermissionError):
        why, advice = "permission denied", _who_owns(path)
    else:
        number = exc.errno if isinstance(exc, OSError) else None
        default = (one_line(getattr(exc, "strerror", None) or exc), "name another folder with --data")
        why, advice = _BY_ERRNO.get(number or 0, default)
    return StoreError(f"cannot {doing} {one_line(path)}: {why}; {advice}")


def _around(path: Path) -> tuple[str, str] | None:
    """What stands in the way at that place, as far as one can see from outside."""
    try:
        disk = disk_at(path.parent)
    except FileNotFoundError:
        return _GONE
    except (OSError, ValueError):
        return None
    if disk.is_read_only:
        return _READ_ONLY_DISK
    return _FULL if disk.free_bytes < ROOM_BYTES else None


def _who_owns(path: Path) -> str:
    """What to type when permission is missing: files once made with sudo are the usual cause.

    A change of owner is only ever proposed for our own files, never for a folder that may be the system's.
    """
    elsewhere = "name another folder with --data"
    try:
        ours = path.is_file() or any((path / name).exists() for name in (DATABASE_NAME, LOCK_NAME))
        owner, user = path.owner(), getpass.getuser()
    except (OSError, KeyError, ImportError):
        return elsewhere
    if not ours:
        return elsewhere
    if owner == user:
        return f"chmod u+rwX {one_line(path)}, or {elsewhere}"
    return f"it belongs to {owner}: sudo chown -R {user} {one_line(path)}, or {elsewhere}"
