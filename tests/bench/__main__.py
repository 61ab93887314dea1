"""Runs the benchmarks beside it, each in a fresh interpreter, and fails when one does.

Arguments are names: `python -m tests.bench rules` runs bench_rules.py alone. Without any, all but those of
the firmware are run, which need the emulated chip and have a command of their own.
"""

import subprocess
import sys
from pathlib import Path

ON_REQUEST = {"firmware", "readers"}


def main(names: list[str]) -> int:
    """Run the benchmarks named, or all; 1 when one failed or a name is unknown."""
    paths = sorted(Path(__file__).parent.glob("bench_*.py"))
    found = [path.stem.removeprefix("bench_") for path in paths]
    unknown = [name for name in names if name not in found]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(found)}", file=sys.stderr)
        return 1
    failed = False
    for name in names or [name for name in found if name not in ON_REQUEST]:
        print(f"== {name}", flush=True)
        failed |= (
            subprocess.run([sys.executable, "-m", f"tests.bench.bench_{name}"], check=False).returncode != 0
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
