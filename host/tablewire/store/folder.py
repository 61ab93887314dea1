"""The data folder: where it is, that it can be written, and that one process at a time owns it.

Owns the folder's place and its lock. Must not know SQLite or what the journal keeps.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from tablewire.errors import StoreError, one_line
from tablewire.store.disk import disk_at
from tablewire.store.faults import LOCK_NAME, store_error


def data_folder(folder: Path | None) -> Path:
    """The folder given, or the user's data folder as the operating system has it."""
    return platformdirs.user_data_path("tablewire") if folder is None else folder


def open_folder(folder: Path) -> None:
    """Make the folder when it is missing; StoreError when it cannot be made or written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            read_only = disk_at(folder).is_read_only
            raise OSError(errno.EROFS, "read-only") if read_only else PermissionError
    except (OSError, ValueError) as exc:
        raise store_error("use the data folder", folder, exc) from exc


OWNER_BYTES = 20
"""The number of a process, as text."""
OPEN_FLAGS = (
    os.O_RDWR
    | os.O_CREAT
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOINHERIT", 0)
)
"""Never waiting, not left to programs that are started, and byte for byte; each where the system has it."""
LOCKED_AT_BYTES = 1 << 30
"""Which byte Windows locks. It lets nobody read a locked byte, and the owner's number has to be read."""


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
            self._fd = os.open(path, OPEN_FLAGS, 0o644)
        except (OSError, ValueError) as exc:
            raise store_error("open", path, exc) from exc
        try:
            is_ours = _lock(self._fd)
            owner = "" if is_ours else self._owner()
        except OSError as exc:
            os.close(self._fd)
            raise store_error("lock", path, exc) from exc
        if not is_ours:
            os.close(self._fd)
            who = f"another tablewire (process {owner})" if owner.isdigit() else "another tablewire"
            raise FolderInUseError(
                f"the data folder {one_line(folder)} is in use by {who}; "
                "stop that one, or name another folder with --data"
            )
        self._write_owner(path)

    def _owner(self) -> str:
        """What the owner has written, on one line. OSError."""
        os.lseek(self._fd, 0, os.SEEK_SET)
        return one_line(os.read(self._fd, OWNER_BYTES).decode("ascii", "replace").strip())

    def _write_owner(self, path: Path) -> None:
        """In place: on a full disk too, and a kill leaves the old word or the new one."""
        try:
            self.was_left = bool(self._owner())
            os.lseek(self._fd, 0, os.SEEK_SET)
            os.write(self._fd, f"{os.getpid():<{OWNER_BYTES - 1}}\n".encode())
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


def _lock(fd: int) -> bool:
    """Lock the open file for this process, without waiting; False when another has it. OSError.

    The system lets go of it when the process ends, however it ends.
    """
    try:
        import fcntl
    except ImportError:
        return _lock_of_windows(fd)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_of_windows(fd: int) -> bool:
    import msvcrt

    os.lseek(fd, LOCKED_AT_BYTES, os.SEEK_SET)
    try:
        # Named late, for type checkers of other systems do not know them.
        getattr(msvcrt, "locking")(fd, getattr(msvcrt, "LK_NBLCK"), 1)  # noqa: B009
    except PermissionError:
        return False  # EACCES is how it says that another has it
    return True
