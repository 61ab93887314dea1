"""What pip installs has the files that are put into the system."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tablewire.packaging import SERVICE, UDEV_RULE

ROOT = Path(__file__).parent.parent.parent


def test_a_wheel_holds_the_udev_rule_and_the_unit_as_they_are_here(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "host", source / "host", ignore=ignored)
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)], cwd=source, check=True, capture_output=True, timeout=60
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        for path in (UDEV_RULE, SERVICE):
            assert archive.read(f"tablewire/packaging/{path.name}") == path.read_bytes()
