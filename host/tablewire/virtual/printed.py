"""The cards that come with a simulated board: each has a tag of its own, always the same.

Owns how a card's name is read and said. Must not know what lies where, or the wire. A card is written
OWNER:COLOUR:VALUE, such as red:blue:4; any other tag by its UID, 8 or 14 hexadecimal digits.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tablewire.games.ligretto.cards import VALUE_MAX, Colour, Face
from tablewire.games.ligretto.decks import printed_uid
from tablewire.virtual.language import CommandError
from tablewire.virtual.readers import Uid

OWNER_MAX_BYTES = 60  # a name is a few letters; the line has an end
_UID = re.compile(r"(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{14})\Z")


class Tag(NamedTuple):
    """A tag, and what its card is called where the tag lies."""

    uid: Uid
    name: str


def parse_tag(word: str) -> Tag:
    """Read a card's name or a UID. CommandError."""
    if _UID.match(word):
        uid = bytes.fromhex(word)
        return Tag(uid, word.upper())
    owner, colour, value = ([*word.rsplit(":", 2), "", ""])[:3]
    if not owner or not value or len(owner.encode("utf-8")) > OWNER_MAX_BYTES:
        raise CommandError(f"card {word}: OWNER:COLOUR:VALUE, such as red:blue:4, or a UID of 8 or 14 digits")
    if colour not in set(Colour):
        raise CommandError(f"card {word}: no colour is called {colour}; there are {', '.join(Colour)}")
    if not (value.isascii() and value.isdigit() and len(value) <= 2 and 1 <= int(value) <= VALUE_MAX):
        raise CommandError(f"card {word}: values go from 1 to {VALUE_MAX}")
    uid = bytes.fromhex(printed_uid(owner, Face(colour, int(value))))
    return Tag(uid, f"{owner}:{colour}:{int(value)}")
