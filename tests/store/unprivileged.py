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

_SETPRIV = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs", "--")

_DROP = f"""
import os, sys
if os.getuid() == 0:
    os.setgroups([]); os.setresgid({NOBODY}, {NOBODY}, {NOBODY}); os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
"""

_IS_NOBODY = """
import os, sys
assert os.geteuid() != 0 and os.getuid() != 0
"""


def run_unprivileged(
    imports: str, code: str, *args: str | Path, environment: Mapping[str, str] | None = None
) -> str:
    """What `code` prints after `imports`. The arguments are sys.argv[1:]."""
    by_setpriv = os.getuid() == 0 and _nobody_can(imports)
    program = f"{imports}\n{'' if by_setpriv else _DROP}\n{_IS_NOBODY}\n{code}"
    done = _run((*(_SETPRIV if by_setpriv else ()), sys.executable, "-c", program, *args), environment or {})
    assert done.returncode == 0, done.stderr
    return done.stdout


@functools.cache
def _nobody_can(imports: str) -> bool:
    """Whether setpriv is there, and nobody may start this Python and read all that is imported."""
    if shutil.which("setpriv") is None:
        return False
    return _run((*_SETPRIV, sys.executable, "-c", f"{imports}\n{_IS_NOBODY}"), {}).returncode == 0


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
