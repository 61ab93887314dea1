"""The data folder: where it is, that it can be written, and that one process at a time owns it.

Owns the folder's place and its lock. Must not know SQLite or what the journal keeps.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from tablewire.errors import StoreError, one_line
from tablewire.store.faults import LOCK_NAME, store_error


def data_folder(folder: Path | None) -> Path:
    """The folder given, or the user's data folder as the operating system has it."""
    return platformdirs.user_data_path("tablewire") if folder is None else folder


def open_folder(folder: Path) -> None:
    """Make the folder when it is missing; StoreError when it cannot be made or written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
            raise OSError(errno.EROFS, "read-only") if read_only else PermissionError
    except (OSError, ValueError) as exc:
        raise store_error("use the data folder", folder, exc) from exc


OWNER_BYTES = 20
"""The number of a process, as text."""


class FolderInUseError(StoreError):
    """Another process owns the data folder."""


class FolderLock:
    """Ownership of a data folder until `release` or the end of the process, however it ends.

    `was_left`: the owner before did not get to say that all was done; it was killed, or lost its power.
    """

    def __init__(self, folder: Path) -> None:
        """Take the lock at once; FolderInUseError names the other process when there is one. StoreError."""
        path = folder / LOCK_NAME
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
        except (OSError, ValueError) as exc:
            raise store_error("open", path, exc) from exc
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            owner = one_line(os.read(self._fd, OWNER_BYTES).decode("ascii", "replace").strip())
            os.close(self._fd)
            who = f"another tablewire (process {owner})" if owner.isdigit() else "another tablewire"
            raise FolderInUseError(
                f"the data folder {one_line(folder)} is in use by {who}; "
                "stop that one, or name another folder with --data"
            ) from exc
        except OSError as exc:
            os.close(self._fd)
            raise store_error("lock", path, exc) from exc
        self._write_owner(path)

    def _write_owner(self, path: Path) -> None:
        """In place: on a full disk too, and a kill leaves the old word or the new one."""
        try:
            self.was_left = bool(os.pread(self._fd, OWNER_BYTES, 0).strip())
            os.pwrite(self._fd, f"{os.getpid():<{OWNER_BYTES - 1}}\n".encode(), 0)
        except OSError as exc:
            os.close(self._fd)
            raise store_error("write", path, exc) from exc

    def release(self, *, done: bool = False) -> None:
        """Give the folder up; `done`: nothing is left undone. The file stays, so that only one gets in."""
        if self._fd >= 0:
            if done:
                with suppress(OSError):
                    os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = -1
