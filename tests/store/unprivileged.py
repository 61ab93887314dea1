"""Runs a few lines of Python as a user without special rights, also when the tests themselves run as root."""

import os
import subprocess
import sys
from pathlib import Path

NOBODY = 65534

_DROP = f"""
import os, sys
if os.getuid() == 0:
    os.setgroups([]); os.setresgid({NOBODY}, {NOBODY}, {NOBODY}); os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
"""


def run_unprivileged(imports: str, code: str, *args: str | Path) -> str:
    """What `code` prints. `imports` run first, with the tests' rights; the arguments are sys.argv[1:]."""
    program = f"{imports}\n{_DROP}\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, args)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def give_away(path: Path) -> None:
    """Make `path` belong to the user that `run_unprivileged` runs as."""
    if os.getuid() == 0:
        os.chown(path, NOBODY, NOBODY)
