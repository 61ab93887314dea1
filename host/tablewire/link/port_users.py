"""Which programs of this computer have a port open.

Owns the look into /proc, within a limit. Must not know what a port is for. Only Linux tells; elsewhere nobody
is known, nor are other users' programs that have a port open without a lock on it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LOOK_LIMIT_S = 0.3
"""A thousand programs with their files take some 50 ms; a computer that needs more than this keeps the answer
for itself, since somebody waits for it."""

NAME_CHARS_MAX = 40
"""The kernel gives 15; what lies in a file that only looks like its own may be longer."""

_LOCK = re.compile(r"\d+: +\w+ +\w+ +\w+ +(\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) ")
"""A line of /proc/locks: pid, and the device (hexadecimal) and inode of the file. Everybody may read it."""


@dataclass(frozen=True, slots=True)
class User:
    """A program that has the port open."""

    pid: int
    name: str

    def __str__(self) -> str:
        return f"{self.name} (pid {self.pid})"


def users_of(path: str, limit_s: float = LOOK_LIMIT_S, proc: Path = Path("/proc")) -> tuple[User, ...]:
    """Who has the port at `path` open, in order of pid; this program too. Never fails."""
    return users_by_path([path], limit_s, proc)[path]


def users_by_path(
    paths: Iterable[str], limit_s: float = LOOK_LIMIT_S, proc: Path = Path("/proc")
) -> dict[str, tuple[User, ...]]:
    """Who has each of the ports open, found in one pass through all programs. Never fails."""
    paths = tuple(paths)
    until_s = time.monotonic() + limit_s
    wanted: dict[str, os.stat_result] = {}
    pids: dict[str, set[int]] = {}
    real = {path: os.path.realpath(path) for path in paths if "\0" not in path}
    for one in set(real.values()):
        with suppress(OSError, ValueError):
            wanted[one] = Path(one).stat()
            pids[one] = set(_lockers(wanted[one], proc))
    for folder in _entries(proc) if wanted else ():
        if time.monotonic() > until_s:
            break
        if folder.name.isdecimal():
            for opened in _open_files(folder / "fd", wanted):
                pids[opened].add(int(folder.name))
    users = {
        one: tuple(User(pid, _name(proc / str(pid) / "comm")) for pid in sorted(its))
        for one, its in pids.items()
    }
    return {path: users.get(real.get(path, ""), ()) for path in paths}


def _lockers(found: os.stat_result, proc: Path) -> Iterator[int]:
    """Who holds a lock on the file, other users' programs too; pid 0 cannot be seen from where we are."""
    for line in _read(proc / "locks").splitlines():
        told = _LOCK.match(line)
        if told is None:
            continue
        device = os.makedev(int(told[2], 16), int(told[3], 16))
        if (device, int(told[4])) == (found.st_dev, found.st_ino) and int(told[1]) > 0:
            yield int(told[1])


def _open_files(folder: Path, wanted: dict[str, os.stat_result]) -> Iterator[str]:
    for link in _entries(folder):
        with suppress(OSError):
            # The name first: asking after a file on a server that is away would hang. Then the file itself,
            # since another container has a /dev/pts/5 of its own.
            opened = str(link.readlink())
            if opened in wanted and os.path.samestat(link.stat(), wanted[opened]):
                yield opened


def _entries(folder: Path) -> Iterator[Path]:
    # A program ends, or is another user's, while it is looked at.
    with suppress(OSError):
        yield from folder.iterdir()


def _name(comm: Path) -> str:
    name = "".join(c if c.isprintable() else "?" for c in _read(comm).strip())
    return name[:NAME_CHARS_MAX] or "a program"


def _read(file: Path) -> str:
    with suppress(OSError):
        return file.read_text("utf-8", "replace")
    return ""
