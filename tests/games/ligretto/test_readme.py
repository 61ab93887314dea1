"""What the page on the rules says is so: its example is true, and no reason or option is left out."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tablewire.games.ligretto import record
from tablewire.games.ligretto.report import Reason
from tablewire.games.records import score_text

README = (Path(record.__file__).parent / "README.md").read_text("utf-8")


def test_the_example_prints_what_the_page_shows() -> None:
    given, shown, *_ = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    printed = "".join(f"{json.dumps(line)}\n" for line in score_text(given, "record", Path()))
    assert printed == shown


def test_every_reason_and_every_option_is_explained_and_no_other() -> None:
    rows = [row.split("|")[1] for row in README.splitlines() if row.startswith("| `")]
    words = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    reasons = {reason.value for reason in Reason}
    assert words - set(record.OPTIONS) <= reasons
    assert words >= set(record.OPTIONS)
    assert [reason for reason in reasons if f"`{reason}`" not in README and f'"{reason}"' not in README] == []
