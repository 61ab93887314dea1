"""`make` for somebody whose Python is too old, missing, or without venv: one line says what to type."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `make` reads before it installs anything."""
    (tmp_path / "host").mkdir()
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "host/locks", tmp_path / "host/locks")
    return tmp_path


def make(checkout: Path, *arguments: str) -> tuple[int, str, str]:
    """Exit status, output and errors, as from a shell: these tests may themselves run below `make`."""
    own = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    }
    done = subprocess.run(
        ["make", *arguments], cwd=checkout, env=own, capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


def python_that(folder: Path, *lines: str) -> str:
    """A Python that answers the Makefile's questions as the shell lines say."""
    path = folder / "python3"
    path.write_text(
        "\n".join(["#!/bin/sh", 'case "$2" in', *lines, "esac", "exit 0"]) + "\n", encoding="utf-8"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return f"PYTHON={path}"


@pytest.mark.parametrize("target", ["demo", "bench", "lint"])
def test_without_venv_it_says_the_one_line_to_type(checkout: Path, target: str) -> None:
    python = python_that(checkout, '*ensurepip*) echo "No module named ensurepip" >&2; exit 1;;')
    status, _, err = make(checkout, target, python)
    assert status != 0
    assert "cannot make a virtual environment. Type: sudo apt install python3-venv\n" in err
    assert "No module" not in err
    assert not (checkout / ".venv").exists()


def test_a_python_that_is_too_old_is_named_with_the_way_out(checkout: Path) -> None:
    python = python_that(checkout, "*version_info*) exit 1;;", "*platform*) echo 3.9.2;;")
    status, _, err = make(checkout, "demo", python)
    assert status != 0
    assert "tablewire needs Python 3.11 or newer" in err
    assert "is 3.9.2. Install a newer one, or name it: make demo PYTHON=" in err


def test_without_python_it_says_so(checkout: Path) -> None:
    status, _, err = make(checkout, "demo", "PYTHON=/nowhere/python3")
    assert status != 0
    assert "there is no /nowhere/python3" in err


def test_make_alone_lists_every_command(checkout: Path) -> None:
    status, out, err = make(checkout)
    assert (status, err) == (0, "")
    named = [line.split()[1] for line in out.splitlines()]
    assert sorted(named) == [
        "bench",
        "bench-firmware",
        "clean",
        "demo",
        "firmware",
        "help",
        "lint",
        "lock",
        "soak",
        "test",
        "twin",
    ]


def test_what_only_the_system_has_is_named_with_the_line_to_type(checkout: Path, tmp_path: Path) -> None:
    """Somebody who may not install gets one line with every package, and the reason."""
    commands = tmp_path / "commands"
    commands.mkdir()
    for name in ("sh", "tr", "id", "gcc", "avr-gcc"):
        (commands / name).symlink_to(shutil.which(name) or "/bin/true")
    python = python_that(checkout, "nothing) ;;")
    status, out, err = make(checkout, "system", python, f"PATH={commands}", "SHELL=/bin/sh")
    assert (status, out) == (0, "")
    (line,) = err.splitlines()
    packages = line.split("sudo apt install ")[1].split()
    assert {"chromium", "avrdude", "binutils-avr"} <= set(packages)
    assert [package for package in packages if re.fullmatch(r"(clang|libclang-rt)-\d+(-dev)?", package)]
    assert not {"gcc", "gcc-avr"} & set(packages)
    assert line.startswith("missing here: chromium")
