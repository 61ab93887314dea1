"""The rulebook and the options of a game of Cir*Kis.

Owns their names and defaults. Must not know how they are written in a record or what they do.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rulebook(StrEnum):
    """Which of the two published rulebooks decides where they differ."""

    HASBRO = "hasbro"
    INTERNATIONAL = "international"


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed on. `target` ends a round; `match` points over several rounds end a match."""

    rulebook: Rulebook = Rulebook.HASBRO
    center_ring: bool = False
    target: int = 40
    voluntary_pass: bool = False
    match: int | None = None
