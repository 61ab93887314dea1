"""The cards: whose, of which colour, of which value.

Owns the four colours and ten values, and what tells one card from another. Must not know piles, tags, or how
a card comes from text.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Colour(StrEnum):
    """The colours of faces, in the order that settles a tie between runs."""

    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"
    BLUE = "blue"


VALUE_MIN, VALUE_MAX = 1, 10
"""A pile is opened by the lowest value and complete at the highest."""
DECK_COUNT = len(Colour) * (VALUE_MAX - VALUE_MIN + 1)
"""A deck has each face once."""
LIGRETTO_COUNT = 10
"""Cards of a player's Ligretto pile at the beginning of a round: no more can be left in it."""


class Face(NamedTuple):
    """What everybody sees of a card. Neither colour nor value need exist: `is_face` says."""

    colour: str
    value: int


class Card(NamedTuple):
    """One card of one player: its back says whose, its face the rest. No two are alike."""

    owner: str
    colour: str
    value: int

    @property
    def face(self) -> Face:
        """The side that lies up."""
        return Face(self.colour, self.value)


FACES = tuple(Face(colour.value, value) for colour in Colour for value in range(VALUE_MIN, VALUE_MAX + 1))
"""Every face there is, colour by colour, values rising."""
_FACES = frozenset(FACES)


def is_face(face: Face) -> bool:
    """Whether there is such a face."""
    return face in _FACES


def is_card(card: Card) -> bool:
    """Whether there is a card with this colour and value; whose it is does not matter."""
    return card.face in _FACES
