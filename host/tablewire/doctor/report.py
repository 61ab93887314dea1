"""The findings as a person reads them: what is wrong first, what to do under it.

Owns the order, the words of the headings and the layout. Must not know where lines go, or how wide that is.
Pure.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from tablewire.doctor.finding import Check, Finding, Level

TITLES = {
    Check.PORTS: "ports",
    Check.RIGHTS: "rights",
    Check.IN_USE: "in use",
    Check.MODEM_MANAGER: "modems",
    Check.UDEV_RULE: "udev rule",
    Check.BRLTTY: "braille",
    Check.BLUETOOTH: "bluetooth",
    Check.PAGE: "page",
    Check.BOARD: "board",
    Check.FIRMWARE: "firmware",
    Check.LINE: "line",
    Check.SUPPLY: "supply",
    Check.SENSORS: "sensors",
    Check.STORE: "games",
    Check.SETTINGS: "settings",
    Check.DISK: "disk",
    Check.CLOCK: "clock",
    Check.POWER: "power",
    Check.PROGRAM: "program",
}
"""What each check is called at the beginning of its line."""

TITLE_WIDTH = 11
"""As wide as the longest title and two spaces."""
WIDTH_LEAST = 40
INDENT = "  "
MARKS = {Level.TROUBLE: "!", Level.NOTE: "-", Level.OK: " ", Level.SKIPPED: "?"}
ORDER = (Level.TROUBLE, Level.NOTE, Level.OK, Level.SKIPPED)
HEADS = {
    Level.TROUBLE: "To put right:",
    Level.NOTE: "Worth knowing:",
    Level.OK: "In order:",
    Level.SKIPPED: "Not looked at:",
}


def report_lines(findings: Sequence[Finding], width: int | None) -> Iterator[str]:
    """Everything in lines; `width` None leaves them as long as they are, for a program."""
    yield _summary(findings)
    for level in ORDER:
        its = [finding for finding in findings if finding.level is level]
        if its:
            yield ""
            yield HEADS[level]
        if level is Level.SKIPPED:
            yield from _skipped(its, width)
            continue
        for finding in its:
            yield from _lines(finding, width)


def _skipped(findings: Sequence[Finding], width: int | None) -> Iterator[str]:
    """What was not looked at, all that has one reason together."""
    by_reason: dict[tuple[str, str | None], list[str]] = {}
    for finding in findings:
        by_reason.setdefault((finding.text, finding.do), []).append(TITLES[finding.check])
    for (why, do), titles in by_reason.items():
        yield from _wrapped(f"{MARKS[Level.SKIPPED]} {', '.join(titles)}: {why}", INDENT, width)
        if do:
            yield from _wrapped(f"{INDENT}-> {do}", f"{INDENT}   ", width)


def _lines(finding: Finding, width: int | None) -> Iterator[str]:
    first = f"{MARKS[finding.level]} {TITLES[finding.check]:<{TITLE_WIDTH}}"
    indent = " " * len(first)
    yield from _wrapped(first + finding.text, indent, width)
    if finding.do:
        yield from _wrapped(f"{indent}-> {finding.do}", f"{indent}   ", width)


def _wrapped(text: str, indent: str, width: int | None) -> list[str]:
    if width is None:
        return [text]
    return textwrap.wrap(
        text,
        max(width, WIDTH_LEAST),
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
        drop_whitespace=True,
    )


def _summary(findings: Sequence[Finding]) -> str:
    wrong = [finding for finding in findings if finding.level is Level.TROUBLE]
    notes = [finding for finding in findings if finding.level is Level.NOTE]
    if not wrong and not notes:
        return "Nothing is wrong."
    if not wrong:
        return f"Nothing is wrong; {_count(len(notes), 'thing')} worth knowing."
    return f"{_count(len(wrong), 'thing')} to put right."


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
