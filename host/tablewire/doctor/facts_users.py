"""Which programs have ports open, and which of them are tables of ours.

Owns how a program of ours is told from others. Must not know what a port is for, nor what is good or bad.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from tablewire.doctor.roots import Roots, read_text
from tablewire.doctor.seen import Holder
from tablewire.link.port_users import NAME_CHARS_MAX, User, users_by_path

PASS_LIMIT_S = 3.0
"""A pass through a thousand programs takes some 50 ms; here somebody waits for the answer, and knows it."""


def holders_of(paths: Iterable[str], roots: Roots) -> dict[str, tuple[Holder, ...]]:
    """By port: the processes that have it open, or are other users' and have it locked; not this one."""
    return {
        path: tuple(_holder(user, roots) for user in users if user.pid != os.getpid())
        for path, users in users_by_path(paths, PASS_LIMIT_S, roots.proc).items()
    }


def _holder(user: User, roots: Roots) -> Holder:
    words = (read_text(roots.proc / str(user.pid) / "cmdline") or "").split("\0")
    command = _command_of(words)
    shown = f"tablewire {command}" if command else user.name
    return Holder(user.pid, shown[:NAME_CHARS_MAX], command == "run")


def _command_of(words: Sequence[str]) -> str | None:
    """Which command of ours a command line runs; None when it is another program's."""
    for at, word in enumerate(words[:4]):
        if Path(word).name == "tablewire" and at + 1 < len(words):
            return words[at + 1]
    return None
