"""Files that are made from others: written where they are stale, or only compared.

Owns what `--check` means, for every generator of the project. Must not know what the files hold.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_or_check(texts: Mapping[Path, str], command: str, arguments: Sequence[str]) -> int:
    """Write each file that does not hold its text; with --check name it instead.

    `command` is what makes them fresh. The exit status: 1 when --check finds a stale one.
    """
    stale = [
        path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in arguments:
        sys.stderr.writelines(f"stale: {path.name}; run {command}\n" for path in stale)
        return 1 if stale else 0
    for path in stale:
        path.write_text(texts[path], encoding="utf-8")
        sys.stdout.write(f"wrote {path.name}\n")
    return 0
