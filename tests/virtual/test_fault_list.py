"""The README's list of faults: all there are, none besides, and every line in it can be typed."""

from __future__ import annotations

import re
from pathlib import Path

from tablewire.virtual.commands import parse_command
from tablewire.virtual.fault_table import FAULTS

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SECTION = README.split("### Everything that goes wrong, on demand\n", 1)[1].split("\n### ", 1)[0]
SETTINGS = re.compile(r"[a-z]+=.*|seed|count|ms")


def test_the_readme_lists_every_fault_and_no_other() -> None:
    table = [line.strip("|") for line in SECTION.splitlines() if line.startswith("|")]
    rows = [line.split(" | ")[1] for line in table[2:]]
    words = [word for row in rows for word in re.findall(r"`([^`]+)`", row)]
    named = [word for word in words if not SETTINGS.fullmatch(word) and not word.startswith("press ")]
    assert sorted(named) == sorted(FAULTS)


def test_what_the_readme_says_to_type_is_taken() -> None:
    lines = [span for span in re.findall(r"`([^`]+)`", SECTION) if " " in span]
    assert len(lines) > 5
    for line in lines:
        parse_command(line)
