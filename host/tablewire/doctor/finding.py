"""What a check came to, as a value: how grave, what is so, and what to do.

Owns the levels, the names of the checks, and the form of a finding as JSON. Must not know how anything is
looked at, or how it is shown. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from tablewire.link.faults import without_promise


class Level(Enum):
    """How grave a finding is."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing; play goes on."""
    TROUBLE = "trouble"
    """It keeps a game from being played, or will."""
    SKIPPED = "skipped"
    """Not looked at; the text says why."""


class Check(Enum):
    """What is looked at. The values are the names in JSON, which stay."""

    PORTS = "ports"
    """Whether there is a serial port at all."""
    RIGHTS = "rights"
    IN_USE = "in_use"
    MODEM_MANAGER = "modem_manager"
    UDEV_RULE = "udev_rule"
    """Whether the rule that is in place is the one of this version."""
    BRLTTY = "brltty"
    BLUETOOTH = "bluetooth"
    PAGE = "page"
    """Whether the page's address is free, or a table of ours answers there."""
    BOARD = "board"
    FIRMWARE = "firmware"
    LINE = "line"
    """The counters of both ends."""
    SUPPLY = "supply"
    SENSORS = "sensors"
    STORE = "store"
    SETTINGS = "settings"
    DISK = "disk"
    CLOCK = "clock"
    POWER = "power"
    """The computer's own supply, where it tells."""
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is so. `text` is one line; `do` is what to do about it, None when there is nothing.

    A check that looks at several things, such as ports, gives a finding for each.
    """

    check: Check
    level: Level
    text: str
    do: str | None = None

    @property
    def name(self) -> str:
        """The check's name in JSON."""
        return self.check.value

    def to_json(self) -> dict[str, Any]:
        """As `tablewire doctor --json` prints it."""
        return {"name": self.name, "level": self.level.value, "text": self.text, "do": self.do}


def ok(check: Check, text: str) -> Finding:
    """Nothing is wrong there."""
    return Finding(check, Level.OK, text)


def note(check: Check, text: str, do: str | None = None) -> Finding:
    """Worth knowing."""
    return Finding(check, Level.NOTE, text, do)


def trouble(check: Check, text: str, do: str | None = None) -> Finding:
    """Something to put right."""
    return Finding(check, Level.TROUBLE, text, do)


def skipped(check: Check, why: str) -> Finding:
    """Not looked at, and why."""
    return Finding(check, Level.SKIPPED, why)


def is_faultless(findings: Iterable[Finding]) -> bool:
    """Whether none of them is trouble."""
    return all(finding.level is not Level.TROUBLE for finding in findings)


def parted(text: str) -> tuple[str, str | None]:
    """A line of a link or a store as what is wrong, and what to do.

    Without the promise to try again: a person does.
    """
    text = without_promise(text)
    for border in ("; ", ": "):
        what, _, do = text.partition(border)
        if what and do:
            return what, do
    return text, None
