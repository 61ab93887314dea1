"""What a disk is like, and that a folder is on it: asked of the system as it knows to be asked.

Owns the differences between systems in this. Must not know what is kept, nor what is too little.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk that a place is on. `free_files_count`: None where files are not counted."""

    free_bytes: int
    free_files_count: int | None
    is_read_only: bool


def disk_at(place: Path) -> Disk:
    """The disk that `place`, which is there, is on. OSError, ValueError."""
    if not hasattr(os, "statvfs"):
        # Windows: what cannot be written there is refused when that is tried.
        return Disk(shutil.disk_usage(place).free, None, is_read_only=False)
    found = os.statvfs(place)
    # Some file systems count no files, and say 0 of 0.
    files = found.f_favail if found.f_files else None
    return Disk(found.f_bavail * found.f_frsize, files, bool(found.f_flag & os.ST_RDONLY))


def sync_folder(folder: Path) -> None:
    """See to it that new names in the folder outlast a power cut. OSError."""
    if os.name == "nt":
        return  # a folder cannot be opened there; NTFS keeps a log of its names
    fd = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
