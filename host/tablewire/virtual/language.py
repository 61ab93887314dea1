"""The lines that any simulated board takes, read into values.

Owns the syntax of what has nothing to do with what lies on the table, and the checks of words that all
commands share. Must not know any game, time, or how a command is done. What lies on the table is moved by the
commands of commands.py (magnets) and tag_commands.py (tags).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tablewire.virtual.fault_kinds import Fault, FaultTable

LINE_MAX_BYTES = 4096  # all 165 spaces take 604; a longer line is a mistake and is not kept
DURATION_MAX_MS = 3_600_000  # an hour; longer is a slip of the finger
ALL = "all"
PLAIN_WORDS = ("pause", "resume", "reset", "unplug", "plug", "state", "help", "quit")
_WAIT, _SPEED = "wait MS", "speed real | fast"
_FAULT = "fault NAME [KEY=VALUE ...] | off NAME | off all | list | help"


class CommandError(ValueError):
    """A line that is no command; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing, for a while."""

    ms: int


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast the board's time runs."""

    fast: bool


@dataclass(frozen=True, slots=True)
class FaultOn:
    """A fault begins."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class FaultOff:
    """A fault ends, or with `all` every one."""

    name: str


@dataclass(frozen=True, slots=True)
class Plain:
    """A command that is one word: those of PLAIN_WORDS, and faults and explain for those about faults."""

    word: str


SharedCommand = Wait | Speed | FaultOn | FaultOff | Plain

Parser = Callable[[list[str]], Any]
"""What follows a command's first word -> the command. CommandError."""


@dataclass(frozen=True, slots=True)
class Language:
    """The commands of one kind of board: those of its table by their first word, how each is written, and its
    faults.
    """

    parsers: Mapping[str, Parser]
    usages: Mapping[str, str]
    faults: FaultTable

    def explain(self) -> str:
        """How every command is written, in one line."""
        return "; ".join([*self.usages.values(), _WAIT, _SPEED, _FAULT, *PLAIN_WORDS])

    def parse(self, line: str) -> Any:
        """Read one line. CommandError, or FaultError of a fault's settings."""
        if len(line.encode("utf-8", "replace")) > LINE_MAX_BYTES:
            raise CommandError(f"a line is at most {LINE_MAX_BYTES} bytes long")
        words = line.split()
        if not words:
            raise CommandError("an empty line")
        if words[0] in PLAIN_WORDS:
            expect(len(words) == 1, f"{words[0]} stands alone")
            return Plain(words[0])
        parsers = {**self.parsers, "wait": _wait, "speed": _speed, "fault": self._fault}
        parse = parsers.get(words[0])
        if parse is None:
            names = ", ".join([*parsers, *PLAIN_WORDS])
            raise CommandError(f"no command is called {words[0]}; there are {names}")
        return parse(words[1:])

    def _fault(self, words: list[str]) -> SharedCommand:
        expect(len(words) >= 1, _FAULT)
        if words == ["list"]:
            return Plain("faults")
        if words == ["help"]:
            return Plain("explain")
        if words[0] == "off":
            expect(len(words) == 2, "fault off NAME | all")
            return FaultOff(ALL if words[1] == ALL else self.faults.parse(words[1], []).name)
        return FaultOn(self.faults.parse(words[0], words[1:]))


def expect(condition: bool, text: str) -> None:
    """CommandError unless the condition holds."""
    if not condition:
        raise CommandError(text)


def whole(word: str, name: str, low: int, high: int) -> int:
    """A whole number in digits. CommandError, which calls it by name."""
    # int() takes signs, underscores and other scripts' digits; a command does not.
    expect(word.isascii() and word.isdigit() and len(word) <= 9, f"{name} {word}: not a whole number")
    number = int(word)
    expect(low <= number <= high, f"{name} {word}: from {low} to {high}")
    return number


def milliseconds(word: str) -> int:
    """A time. CommandError."""
    return whole(word, "time", 0, DURATION_MAX_MS)


def option(words: list[str], name: str, default: int) -> int:
    """The time behind a word at the end of a line, if that is there. CommandError."""
    if not words:
        return default
    expect(len(words) == 2 and words[0] == name, f"only `{name} MS` may follow, not {' '.join(words)}")
    return milliseconds(words[1])


def _wait(words: list[str]) -> Wait:
    expect(len(words) == 1, _WAIT)
    return Wait(milliseconds(words[0]))


def _speed(words: list[str]) -> Speed:
    expect(words in (["real"], ["fast"]), _SPEED)
    return Speed(words == ["fast"])
