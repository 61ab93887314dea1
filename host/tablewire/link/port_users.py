"""Which programs of this computer have a port open.

Owns the look into /proc, within a limit. Must not know what a port is for. Only Linux tells; nobody is known
elsewhere, nor of programs whose files we may not see.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LOOK_LIMIT_S = 0.3
"""A thousand programs with their files take some 50 ms; a computer that needs more than this keeps the answer
for itself, since somebody waits for it."""

NAME_CHARS_MAX = 40
"""The kernel gives 15; what lies in a file that only looks like its own may be longer."""


@dataclass(frozen=True, slots=True)
class User:
    """A program that has the port open."""

    pid: int
    name: str

    def __str__(self) -> str:
        return f"{self.name} (pid {self.pid})"


def users_of(path: str, limit_s: float = LOOK_LIMIT_S, proc: Path = Path("/proc")) -> tuple[User, ...]:
    """Who has the port at `path` open, in order of pid; this program too. Never fails."""
    until_s = time.monotonic() + limit_s
    found = []
    with suppress(OSError, ValueError):
        real = os.path.realpath(path)
        wanted = Path(real).stat()
        for pid in sorted(int(entry.name) for entry in proc.iterdir() if entry.name.isdigit()):
            if time.monotonic() > until_s:
                break
            if _has_open(proc / str(pid) / "fd", real, wanted):
                found.append(User(pid, _name(proc / str(pid) / "comm")))
    return tuple(found)


def _has_open(folder: Path, real: str, wanted: os.stat_result) -> bool:
    return any(_is_it(link, real, wanted) for link in _entries(folder))


def _entries(folder: Path) -> Iterator[Path]:
    # A program ends, or is another user's, while it is looked at.
    with suppress(OSError):
        yield from folder.iterdir()


def _is_it(link: Path, real: str, wanted: os.stat_result) -> bool:
    try:
        # The name first: asking after a file on a server that is away would hang. Then the file itself, since
        # another container has a /dev/pts/5 of its own.
        return str(link.readlink()) == real and os.path.samestat(link.stat(), wanted)
    except OSError:
        return False


def _name(comm: Path) -> str:
    try:
        name = comm.read_text("utf-8", "replace").strip()
    except OSError:
        name = ""
    return "".join(c if c.isprintable() else "?" for c in name)[:NAME_CHARS_MAX] or "a program"
