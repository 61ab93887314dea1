"""The README's list of faults: all there are, none besides, and every line in it can be typed."""

from __future__ import annotations

import re
from pathlib import Path

from tablewire.virtual.commands import LANGUAGE
from tablewire.virtual.language import CommandError
from tablewire.virtual.tag_commands import tag_language

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SECTION = README.split("### Everything that goes wrong, on demand\n", 1)[1].split("\n### ", 1)[0]
SETTINGS = re.compile(r"[a-z]+=.*|seed|count|ms")
TAG_LANGUAGE = tag_language(16, 4)


def is_typed(line: str) -> bool:
    """Whether one of the boards takes it."""
    for language in (LANGUAGE, TAG_LANGUAGE):
        try:
            language.parse(line)
        except CommandError:
            continue
        return True
    return False


def test_the_readme_lists_every_fault_of_either_board_and_no_other() -> None:
    table = [line.strip("|") for line in SECTION.splitlines() if line.startswith("|")]
    rows = [line.split(" | ")[1] for line in table[2:]]
    words = [word for row in rows for word in re.findall(r"`([^`]+)`", row)]
    named = [word for word in words if not SETTINGS.fullmatch(word) and " " not in word]
    assert sorted(named) == sorted({*LANGUAGE.faults.kinds, *TAG_LANGUAGE.faults.kinds})


def test_what_the_readme_says_to_type_is_taken() -> None:
    lines = [span for span in re.findall(r"`([^`]+)`", SECTION) if " " in span]
    assert len(lines) > 5
    for line in lines:
        assert is_typed(line), line
