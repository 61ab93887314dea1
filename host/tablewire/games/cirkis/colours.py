"""The four player colours of Cir*Kis.

Owns their names and their order on the wire and in every table. Knows nothing else.
"""

from __future__ import annotations

from enum import StrEnum


class PlayerColour(StrEnum):
    """A player's colour; the value is the word used in records, commands and the state document."""

    PURPLE = "purple"
    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"
