"""Which programs have ports open, found in one pass through /proc for all of them.

Owns this look. Must not know what a port is for, nor what is good or bad. Only Linux tells.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tablewire.doctor.roots import UNKNOWN_PID, Roots, entries, lockers, read_text
from tablewire.doctor.seen import Holder
from tablewire.link.port_users import NAME_CHARS_MAX


def holders_of(paths: Iterable[str], roots: Roots) -> dict[str, tuple[Holder, ...]]:
    """By port: the processes that have it open, or are other users' and have it locked; not this one."""
    real = {path: os.path.realpath(path) for path in paths}
    pids: dict[str, set[int]] = {path: set(lockers(path, roots)) for path in real}
    for pid, opened in _open_files(roots, set(real.values())):
        for path in real:
            if real[path] == opened:
                pids[path].add(pid)
    left_out = {os.getpid(), UNKNOWN_PID}
    return {path: tuple(_holder(pid, roots) for pid in sorted(its - left_out)) for path, its in pids.items()}


def _open_files(roots: Roots, wanted: set[str]) -> Iterator[tuple[int, str]]:
    """Each process and each of these files that it has open. What may not be seen is not there."""
    for folder in entries(roots.proc, "[0-9]*"):
        for link in entries(folder / "fd"):
            try:
                # The name first: asking after a file on a server that is away would hang. Then the file,
                # since another container has a /dev/pts/5 of its own.
                opened = str(link.readlink())
                if opened in wanted and os.path.samestat(link.stat(), Path(opened).stat()):
                    yield int(folder.name), opened
            except (OSError, ValueError):
                continue


def _holder(pid: int, roots: Roots) -> Holder:
    words = (read_text(roots.proc / str(pid) / "cmdline") or "").split("\0")
    command = _command_of(words)
    name = read_text(roots.proc / str(pid) / "comm") or "a program"
    shown = f"tablewire {command}" if command else name
    return Holder(pid, shown[:NAME_CHARS_MAX], command == "run")


def _command_of(words: Sequence[str]) -> str | None:
    """Which command of ours a command line runs; None when it is another program's."""
    for at, word in enumerate(words[:4]):
        if Path(word).name == "tablewire" and at + 1 < len(words):
            return words[at + 1]
    return None
