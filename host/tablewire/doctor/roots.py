"""Where the system keeps what is looked at: the roots that a test lays out as it likes.

Owns these places, and small reads below them that never fail. Must not know what is read for.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILE_MAX_BYTES = 1 << 20
"""Rules and tags have some kilobytes; what is longer is not read to its end."""

_LOCK = re.compile(r"\d+: FLOCK\s+\S+\s+\S+\s+-?\d+\s+[0-9a-f]+:[0-9a-f]+:(\d+)\s")


@dataclass(frozen=True, slots=True)
class Roots:
    """The system's folders."""

    proc: Path = Path("/proc")
    sys: Path = Path("/sys")
    run: Path = Path("/run")
    rules: tuple[Path, ...] = (
        Path("/etc/udev/rules.d"),
        Path("/run/udev/rules.d"),
        Path("/usr/local/lib/udev/rules.d"),
        Path("/usr/lib/udev/rules.d"),
        Path("/lib/udev/rules.d"),
    )
    """Where udev's rules lie: a file hides those of its name further on."""


def read_text(file: Path) -> str | None:
    """What stands in the file; None when it cannot be read. Never waits: a pipe would, for ever."""
    try:
        with open(file, "rb", opener=_at_once) as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return None
            return opened.read(FILE_MAX_BYTES).decode("utf-8", "replace").strip()
    except (OSError, ValueError):
        return None


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def entries(folder: Path, pattern: str = "*") -> Iterator[Path]:
    """What lies in the folder and fits, in order; nothing where it cannot be read."""
    try:
        yield from sorted(folder.glob(pattern))
    except (OSError, ValueError):
        return


def rule_files(roots: Roots) -> dict[str, Path]:
    """The files of udev rules that count, by name."""
    found: dict[str, Path] = {}
    for folder in roots.rules:
        for file in entries(folder, "*.rules"):
            found.setdefault(file.name, file)
    return found


def rule_lines(file: Path) -> Iterator[str]:
    """The rules in a file, without what is commented out."""
    for line in (read_text(file) or "").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


def programs(roots: Roots) -> Iterator[tuple[int, str]]:
    """The processes: number and name."""
    for folder in entries(roots.proc, "[0-9]*"):
        name = read_text(folder / "comm")
        if name is not None and folder.name.isdigit():
            yield int(folder.name), name


def may_be_locked(path: Path, roots: Roots) -> bool:
    """Whether some program holds a lock on a file of this number, as everybody may read.

    On which disk is not looked at: some file systems give another number for that than their files have.
    """
    try:
        number = str(path.stat().st_ino)
    except (OSError, ValueError):
        return False
    locks = (read_text(roots.proc / "locks") or "").splitlines()
    return any(told[1] == number for told in map(_LOCK.match, locks) if told is not None)
