"""Looks at this computer: its disk, clock and supply, and the program with what it needs.

Owns these looks. Must not know what is good or bad. Changes nothing.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from tablewire import __version__
from tablewire.doctor.roots import Roots, entries, read_text
from tablewire.doctor.seen import ClockSeen, DiskSeen, PackageSeen, PowerSeen, ProgramSeen
from tablewire.store.disk import disk_at

LOW_NOW, LOW_BEFORE = 1 << 0, 1 << 16
"""Bits of a Raspberry Pi's throttling word: its supply is too low, and was since the start."""
TIME_ERROR = 5
"""What adjtimex(2) gives where nobody keeps the clock right."""
TIMEX_BYTES = 512
"""More than struct timex has anywhere; its first word, left zero, changes nothing."""

_NEEDED = re.compile(r"([A-Za-z0-9._-]+)>=([0-9][0-9.]*)")


def look_at_disk(folder: Path) -> DiskSeen:
    """The disk that `folder` is on, or would be. OSError."""
    place = folder.absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    disk = disk_at(place)
    return DiskSeen(str(folder), disk.free_bytes, disk.free_files_count, disk.is_read_only)


def kernel_synchronised() -> bool | None:
    """Whether the kernel's clock is kept right by somebody; None where it does not tell."""
    if sys.platform != "linux":
        return None
    try:
        state = int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES)))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != TIME_ERROR


def look_at_clock(
    roots: Roots,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    kernel: Callable[[], bool | None] = kernel_synchronised,
) -> ClockSeen:
    """The clock, and whether the network keeps it right."""
    by_systemd = (roots.run / "systemd" / "timesync" / "synchronized").exists()
    return ClockSeen(now().isoformat(), True if by_systemd else kernel())


def look_at_power(roots: Roots) -> PowerSeen:
    """The computer's own supply, as a Raspberry Pi tells of it in /sys."""
    throttled = read_text(roots.sys / "devices" / "platform" / "soc" / "soc:firmware" / "get_throttled")
    try:
        word = int(throttled or "", 16)
        return PowerSeen(bool(word & LOW_NOW), bool(word & LOW_BEFORE))
    except ValueError:
        pass
    for folder in entries(roots.sys / "class" / "hwmon"):
        if read_text(folder / "name") == "rpi_volt":
            alarm = read_text(folder / "in0_lcrit_alarm")
            # The alarm stays until the driver looks again: it tells of now.
            return PowerSeen(None if alarm is None else alarm == "1")
    return PowerSeen()


def look_at_program(name: str = "tablewire") -> ProgramSeen:
    """This program, and the packages that it needs by its own account."""
    try:
        needed = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        needed = []  # run from its folder, not installed: what is missing would have ended it before
    packages = tuple(_package(found[1], found[2]) for one in needed if (found := _NEEDED.fullmatch(one)))
    python = sys.version_info[:3]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ProgramSeen(__version__, python, packages, is_root)


def _package(name: str, least: str) -> PackageSeen:
    try:
        return PackageSeen(name, least, metadata.version(name))
    except metadata.PackageNotFoundError:
        return PackageSeen(name, least, None)
