"""The lines that move cards on a simulated board with readers, read into values.

Owns the syntax of each of them and what is refused before it is tried. Must not know what lies on the pads,
time, or how a command is done. What all boards take is in language.py.

    lay CARDS PAD [over MS]             lay red:blue:4 3            one after another within MS
    lay CARD PAD,PAD                    lay red:blue:4 3,4          it rests between the two
    take CARDS [from PAD] [over MS]     take red:blue:4
    clear PAD | all [over MS]           clear 3
    move CARD PAD [over MS]             move red:blue:4 5           MS in the air
    press BUTTON [MS]                   press 0 150                 the stop button of player 0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from tablewire.virtual.language import (
    ALL,
    Language,
    Parser,
    SharedCommand,
    expect,
    milliseconds,
    option,
    whole,
)
from tablewire.virtual.printed import Tag, parse_tag
from tablewire.virtual.tag_fault_table import fault_table

MOVE_MS = 300  # from one pad to another, in a hand
PRESS_MS = 150  # a finger that hits a button in a hurry
_USAGES = MappingProxyType(
    {
        "lay": "lay CARDS PAD [over MS] | lay CARD PAD,PAD",
        "take": "take CARDS [from PAD] [over MS]",
        "clear": "clear PAD | all [over MS]",
        "move": "move CARD PAD [over MS]",
        "press": "press BUTTON [MS]",
    }
)


@dataclass(frozen=True, slots=True)
class Lay:
    """Cards come to lie on a pad, or between two, one after another within `over_ms`."""

    tags: tuple[Tag, ...]
    pads: tuple[int, ...]
    over_ms: int = 0


@dataclass(frozen=True, slots=True)
class Take:
    """Cards are taken off, wherever they lie (or from that pad), one after another within `over_ms`."""

    tags: tuple[Tag, ...]
    pad: int | None = None
    over_ms: int = 0


@dataclass(frozen=True, slots=True)
class Clear:
    """Whatever lies on a pad is taken off, or on all of them, within `over_ms`."""

    pad: int | None
    over_ms: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """A card leaves its pad and comes to lie on another, `over_ms` later."""

    tag: Tag
    pad: int
    over_ms: int = MOVE_MS


@dataclass(frozen=True, slots=True)
class PressButton:
    """A button goes down, and up after `held_ms`."""

    button: int
    held_ms: int = PRESS_MS


TableCommand = Lay | Take | Clear | Move | PressButton
Command = TableCommand | SharedCommand


def tag_language(pad_count: int, button_count: int) -> Language:
    """The commands of a board with so many pads and buttons."""
    parsers: Mapping[str, Parser] = MappingProxyType(
        {
            "lay": partial(_lay, pad_count),
            "take": partial(_take, pad_count),
            "clear": partial(_clear, pad_count),
            "move": partial(_move, pad_count),
            "press": partial(_press, button_count),
        }
    )
    return Language(parsers, _USAGES, fault_table(pad_count))


def _pad(word: str, pad_count: int) -> int:
    return whole(word, "pad", 0, pad_count - 1)


def _tags(word: str) -> tuple[Tag, ...]:
    tags = tuple(parse_tag(one) for one in word.split(","))
    expect(len({tag.uid for tag in tags}) == len(tags), f"cards {word}: one is named twice")
    return tags


def _lay(pad_count: int, words: list[str]) -> TableCommand:
    expect(len(words) >= 2, _USAGES["lay"])
    pads = tuple(_pad(one, pad_count) for one in words[1].split(","))
    expect(len(pads) <= 2 and len(set(pads)) == len(pads), f"pads {words[1]}: one, or two different ones")
    return Lay(_tags(words[0]), pads, option(words[2:], "over", 0))


def _take(pad_count: int, words: list[str]) -> TableCommand:
    expect(len(words) >= 1, _USAGES["take"])
    tags, rest = _tags(words[0]), words[1:]
    pad = None
    if rest[:1] == ["from"]:
        expect(len(rest) >= 2, _USAGES["take"])
        pad, rest = _pad(rest[1], pad_count), rest[2:]
    return Take(tags, pad, option(rest, "over", 0))


def _clear(pad_count: int, words: list[str]) -> TableCommand:
    expect(len(words) >= 1, _USAGES["clear"])
    pad = None if words[0] == ALL else _pad(words[0], pad_count)
    return Clear(pad, option(words[1:], "over", 0))


def _move(pad_count: int, words: list[str]) -> TableCommand:
    expect(len(words) >= 2, _USAGES["move"])
    return Move(parse_tag(words[0]), _pad(words[1], pad_count), option(words[2:], "over", MOVE_MS))


def _press(button_count: int, words: list[str]) -> TableCommand:
    expect(len(words) in (1, 2), _USAGES["press"])
    button = whole(words[0], "button", 0, button_count - 1)
    return PressButton(button, milliseconds(words[1]) if len(words) == 2 else PRESS_MS)
