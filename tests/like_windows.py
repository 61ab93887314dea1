"""A process in which what only Unix has is hidden from this project, for the tests to run a command in.

Owns what is hidden: the modules from our own imports, and the names of os and signal once everybody
else's modules are loaded, for those have been written for the system that is really below. So this shows what
is asked for that Windows does not have; not what Windows does otherwise. The lock of files is a stand-in too.

    python -m tests.like_windows tablewire games list
    python -m tests.like_windows import
"""

from __future__ import annotations

import builtins
import fcntl
import importlib
import os
import pkgutil
import shutil
import signal
import sys
import types
from typing import Any

MODULES = frozenset({"fcntl", "termios", "pwd", "grp", "tty", "pty", "resource", "readline", "syslog"})
OS_NAMES = (
    *("O_NONBLOCK", "O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY", "WNOHANG", "ST_RDONLY"),
    *("pread", "pwrite", "fchmod", "statvfs", "mkfifo", "fork", "killpg", "setsid", "openpty", "ttyname"),
    *("geteuid", "getegid", "getgid", "getgroups", "getgrouplist", "sync", "fchown", "chown", "uname"),
)
SIGNALS = ("SIGHUP", "SIGKILL", "SIGALRM", "SIGCHLD", "SIGPIPE", "SIGWINCH", "pthread_sigmask")
SIMULATED = ("tablewire.virtual.", "tablewire.twin.", "tablewire.demo", "tablewire.__main__")
"""The rest: boards that are simulated behind pseudo-terminals, which Windows has not."""


def hide() -> None:
    """Hide it from here on."""
    import asyncio  # noqa: F401
    import sqlite3  # noqa: F401
    import subprocess  # noqa: F401
    import tempfile  # noqa: F401

    import flask  # noqa: F401
    import platformdirs  # noqa: F401
    import waitress  # type: ignore[import-untyped]  # noqa: F401

    real = builtins.__import__

    def imported(name: str, names: Any = None, *rest: Any, **more: Any) -> types.ModuleType:
        if name in MODULES and str((names or {}).get("__name__", "")).startswith("tablewire"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, names, *rest, **more)

    builtins.__import__ = imported  # type: ignore[assignment]
    for where, hidden in ((os, OS_NAMES), (signal, SIGNALS)):
        for name in hidden:
            if hasattr(where, name):
                delattr(where, name)
    shutil.disk_usage = _disk_usage  # type: ignore[assignment]
    sys.modules["msvcrt"] = _msvcrt()


def _disk_usage(_place: object) -> Any:
    """As Windows answers without what is hidden here."""
    return types.SimpleNamespace(total=1 << 40, used=0, free=1 << 40)


def _msvcrt() -> types.ModuleType:
    """The one call of it that is used, as Windows answers: EACCES where another has the byte."""

    def locking(fd: int, mode: int, bytes_count: int) -> None:
        assert mode == module.LK_NBLCK
        assert bytes_count == 1
        try:
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, os.lseek(fd, 0, os.SEEK_CUR))
        except BlockingIOError as exc:
            raise PermissionError(13, "Permission denied") from exc

    module: Any = types.ModuleType("msvcrt")
    module.LK_NBLCK, module.locking = 2, locking
    return module  # type: ignore[no-any-return]


def import_all() -> None:
    """Import every module but those of simulated boards."""
    package = importlib.import_module("tablewire")
    for found in pkgutil.walk_packages(package.__path__, "tablewire."):
        if not found.name.startswith(SIMULATED):
            importlib.import_module(found.name)
            print(found.name)  # noqa: T201


if __name__ == "__main__":
    hide()
    if sys.argv[1:] == ["import"]:
        import_all()
    else:
        sys.argv = sys.argv[1:]
        importlib.import_module("tablewire.cli").main()
