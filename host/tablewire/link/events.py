"""What a link thread tells of its link. Owns the values; must not know who tells or who hears them."""

from __future__ import annotations

from dataclasses import dataclass

from tablewire.link.faults import Tried


@dataclass(frozen=True, slots=True)
class Opened:
    """The link is open. Whatever was half received before belongs to another connection.

    `tried`: the other places where a board was looked for, when it had to be, and why none is used there.
    """

    port: str
    kind: str = "serial"
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes as they came; frames may begin and end anywhere in them."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Lost:
    """The link is not open; `reason` is one line. Said once for each reason, not at each attempt.

    `tried` is every place where a board was looked for, and why it is not there.
    """

    reason: str
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True, slots=True)
class Trying:
    """Where a board is looked for now, in one line."""

    text: str


LinkEvent = Opened | Chunk | Lost | Trying
