"""What a session is in, counts, and says beside its observations, as values.

Owns these names and the words for a refused board. Must not know how a session comes to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from tablewire.wire.messages import MAJOR, Hello


class LinkState(StrEnum):
    """What the session can say of its board."""

    SEARCHING = "searching"  # no board has answered since the session, or this link, began
    UP = "up"
    DOWN = "down"  # the link is lost, or the board that was there is silent; it is still asked
    REFUSED = "refused"  # it speaks another major version


class Count(Enum):
    """What a session counts, beside the frames its decoder dropped."""

    UNKNOWN_TYPE = "unknown message types"
    BAD_PAYLOAD = "payloads that fit no message"
    BEFORE_HELLO = "messages before the board was found"
    OTHER_BOOT = "messages of another boot"
    REPEATED = "changes told again"
    GAP = "batches after a gap"
    WHILE_UNSURE = "batches while a snapshot was awaited"
    CONTRADICTION = "batches that contradict what is known"
    STALE_SNAPSHOT = "snapshots older than what is known"
    STALE_HELLO = "greetings older than what is known"
    STAMP_FELL = "changes stamped earlier than the one before"
    LEAP = "times far ahead of the one before"
    HEARTBEAT_LOST = "times the board fell silent"


@dataclass(frozen=True, slots=True)
class Known:
    """What the journal already holds of a board: up to change `number` of boot `nonce`."""

    nonce: int
    number: int
    device_ms: int
    classes: bytes | None = None


@dataclass(frozen=True, slots=True)
class BoardFound:
    """A board answered. `new_boot`: not the boot known so far, so a snapshot will follow."""

    nonce: int
    new_boot: bool
    device_ms: int
    hello: Hello


@dataclass(frozen=True, slots=True)
class BoardRefused:
    """A board answered that cannot be used; `text` says what to do."""

    text: str


def refusal(major: int) -> str:
    """What to tell a person about a board of another major version."""
    side = "the board's firmware" if major < MAJOR else "tablewire on this computer"
    return f"the board speaks protocol {major}, this program {MAJOR}: update {side}"
