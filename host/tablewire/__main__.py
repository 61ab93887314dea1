"""`tablewire`, and `python -m tablewire`: the command line, and a Ctrl-C before it is there.

Owns the time until the command line is loaded. Must not know commands.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Load the command line and run it; who stops it meanwhile is told nothing of how it loads."""
    try:
        from tablewire.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
