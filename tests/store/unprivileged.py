"""Runs a few lines of Python as a user without special rights, also when the tests themselves run as root.

By setpriv, where the user nobody may read the Python and the packages that run these tests; where those lie
in somebody's home, the program reads its imports first and then drops its rights itself.
"""

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

NOBODY = 65534

_DROP = """
import os, sys
if os.getuid() == 0:
    os.setgroups([]); os.setresgid({gid}, {gid}, {gid}); os.setresuid({uid}, {uid}, {uid})
"""

_IS_NOBODY = """
import os, sys
assert os.geteuid() != 0 and os.getuid() != 0
"""


def run_unprivileged(
    imports: str,
    code: str,
    *args: str | Path,
    environment: Mapping[str, str] | None = None,
    gid: int = NOBODY,
) -> str:
    """What `code` prints after `imports`. The arguments are sys.argv[1:]; `gid` is the user's only group."""
    by_setpriv = os.getuid() == 0 and _nobody_can(imports)
    drop = "" if by_setpriv else _DROP.format(uid=NOBODY, gid=gid)
    program = f"{imports}\n{drop}\n{_IS_NOBODY}\n{code}"
    done = _run(
        (*(_setpriv(gid) if by_setpriv else ()), sys.executable, "-c", program, *args), environment or {}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _setpriv(gid: int) -> tuple[str, ...]:
    return ("setpriv", f"--reuid={NOBODY}", f"--regid={gid}", "--clear-groups", "--no-new-privs", "--")


@functools.cache
def _nobody_can(imports: str) -> bool:
    """Whether setpriv is there, and nobody may start this Python and read all that is imported."""
    if shutil.which("setpriv") is None:
        return False
    return _run((*_setpriv(NOBODY), sys.executable, "-c", f"{imports}\n{_IS_NOBODY}"), {}).returncode == 0


def _run(command: tuple[str | Path, ...], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*map(str, command)],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def give_away(path: Path) -> None:
    """Make `path` belong to the user that `run_unprivileged` runs as."""
    if os.getuid() == 0:
        os.chown(path, NOBODY, NOBODY)
