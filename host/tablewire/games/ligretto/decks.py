"""Decks: which tag sticks to which card, and what can be wrong with that.

Owns the deck, the form in which it is kept, the form of a tag's number, and the decks of the simulated board.
Must not know files, how a deck is taught, or whose cards lie where.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tablewire.errors import UserError, quoted
from tablewire.games.ligretto.cards import DECK_COUNT, FACES, Face, is_face

NAME_MAX_CHARS = 40
"""A name stands on a button of the page, and may become a player's."""
TAGS_MAX_COUNT = 400
"""Ten times a deck: a file with more is none, and is not gone through."""
UID_MAX_CHARS = 40
"""A tag's number with a separator after each of its seven bytes is half of that."""
NAMED_MAX_COUNT = 5
"""Faults, faces or tags named in one line; how many more there are is said."""
DECK_NAMES = (
    *("red", "green", "yellow", "blue", "orange", "purple"),
    *("pink", "brown", "grey", "white", "black", "turquoise"),
)
"""What decks are called where nobody names them: three boxes hold twelve."""

_UID = re.compile(r"[0-9A-F]{8}|[0-9A-F]{14}")  # ISO/IEC 14443-3: four bytes, or seven; ten nobody makes
_RANDOM_UID = re.compile(r"08[0-9A-F]{6}")  # ISO/IEC 14443-3, 6.5.4: such a number is drawn anew each time
_CASCADE_BYTE = 0x88
"""ISO/IEC 14443-3: no fourth byte of a seven-byte number is the cascade tag."""


def face_name(face: Face) -> str:
    """A face as people say it: "red 4"."""
    return f"{face.colour} {face.value}"


def parse_uid(text: object) -> str:
    """A tag's number in upper-case hexadecimal. UserError when it is none, or of a kind that changes.

    Colons, hyphens and spaces between the bytes are left out, for other programs write them.
    """
    short = text if isinstance(text, str) and len(text) <= UID_MAX_CHARS else ""
    uid = re.sub(r"[:\- ]", "", short).upper()
    if not _UID.fullmatch(uid):
        raise UserError(
            f"{quoted(text)} is no number of a tag: it has 8 or 14 hexadecimal digits, as 04A1B2C3D4E5F6"
        )
    if is_random_uid(uid):
        raise UserError(f"{uid} changes with each reading, as the number of a telephone does: use a sticker")
    return uid


def is_random_uid(uid: str) -> bool:
    """Whether whatever has this number has another one the next time."""
    return _RANDOM_UID.fullmatch(uid) is not None


def parse_deck_name(name: object) -> str:
    """The name of a deck. UserError when it cannot be one."""
    text = name if isinstance(name, str) else ""
    if not (0 < len(text) <= NAME_MAX_CHARS and text == text.strip() and text.isprintable()):
        raise UserError(
            f"a deck cannot be called {quoted(name)}: a name has 1 to {NAME_MAX_CHARS} characters, and no "
            "spaces around them"
        )
    return text


@dataclass(frozen=True, slots=True)
class Deck:
    """The tags of one player's cards. `tags`: tag number -> face, each face at most once."""

    name: str
    tags: Mapping[str, Face] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[Face, ...]:
        """The faces that no tag stands for, in order."""
        taught = set(self.tags.values())
        return tuple(face for face in FACES if face not in taught)

    @property
    def is_complete(self) -> bool:
        """Whether the deck can be played with."""
        return not self.missing

    def uid_of(self, face: Face) -> str | None:
        """The tag of a face; None where none was taught."""
        return next((uid for uid, other in self.tags.items() if other == face), None)

    def teach(self, uid: str, face: Face) -> Deck:
        """The deck with this tag on this face, and no longer on another; nor the face on another tag."""
        others = {other: known for other, known in self.tags.items() if other != uid and known != face}
        return replace(self, tags={**others, uid: face})

    def forget(self, uid: str) -> Deck:
        """The deck without this tag."""
        return replace(self, tags={other: face for other, face in self.tags.items() if other != uid})

    def to_kept(self) -> dict[str, Any]:
        """The JSON form in which the store keeps it; `kept_deck` is its inverse."""
        return {"tags": {uid: [face.colour, face.value] for uid, face in self.tags.items()}}


def kept_deck(name: str, body: Mapping[str, Any]) -> Deck:
    """A deck as it is kept. UserError when it is none, or has faults."""
    tags = body.get("tags")
    faces = tags.items() if isinstance(tags, Mapping) else ()
    pairs = [(uid, (face[0], face[1]) if _is_pair(face) else (None, None)) for uid, face in faces]
    return make_deck(name, pairs)


def kept_decks(kept: Mapping[str, Mapping[str, Any]]) -> dict[str, Deck]:
    """All decks that are kept, by name. UserError names the first that is none."""
    return {name: kept_deck(name, body) for name, body in kept.items()}


def _is_pair(face: object) -> bool:
    return isinstance(face, list | tuple) and len(face) == 2


def make_deck(name: object, pairs: Iterable[tuple[object, tuple[object, object]]]) -> Deck:
    """A deck of tags, each with colour and value. UserError names every fault, in one line."""
    called = parse_deck_name(name)
    tags: dict[str, Face] = {}
    faults = []
    for text, (colour, value) in pairs:
        try:
            uid, face = parse_uid(text), parse_face(colour, value)
        except UserError as exc:
            faults.append(str(exc))
            continue
        if uid in tags:
            faults.append(f"tag {uid} stands there twice, as {face_name(tags[uid])} and as {face_name(face)}")
        elif face in tags.values():
            faults.append(f"{face_name(face)} has two tags, {Deck(called, tags).uid_of(face)} and {uid}")
        else:
            tags[uid] = face
    if faults:
        raise UserError(f'the deck "{called}" is not right: {in_one_line(faults)}')
    return Deck(called, tags)


def parse_face(colour: object, value: object) -> Face:
    """A face. UserError when no card has it."""
    if isinstance(colour, str) and isinstance(value, int) and not isinstance(value, bool):
        face = Face(colour, value)
        if is_face(face):
            return face
    raise UserError(
        f"there is no card {quoted(colour)} {quoted(value)}: a colour is red, green, yellow or blue, and a "
        "value 1 to 10"
    )


def clashes(deck: Deck, others: Iterable[Deck]) -> list[str]:
    """One line for each tag of the deck that another deck has too. A deck of the same name is no other."""
    return [
        f'tag {uid} ({face_name(face)}) is {face_name(other.tags[uid])} of the deck "{other.name}" already'
        for other in others
        if other.name != deck.name
        for uid, face in deck.tags.items()
        if uid in other.tags
    ]


def missing_words(deck: Deck) -> str:
    """Which faces are not taught, in words; empty for a complete deck."""
    missing = deck.missing
    if len(missing) == DECK_COUNT:
        return "no card is taught yet"
    return f"{_count(len(missing))} missing: {_some(map(face_name, missing), ', ')}" if missing else ""


def in_one_line(faults: Iterable[str]) -> str:
    """Faults on one line; of very many the first few, and how many more there are."""
    return _some(faults, "; ")


def _some(texts: Iterable[str], between: str) -> str:
    told = list(texts)
    more = len(told) - NAMED_MAX_COUNT
    return between.join(told[:NAMED_MAX_COUNT]) + (f"{between}and {more} more" if more > 0 else "")


def _count(count: int) -> str:
    return "1 card is" if count == 1 else f"{count} cards are"


def printed_uid(deck: str, face: Face) -> str:
    """The number of the tag on a card of the simulated board: 04 for the maker, then six bytes of a hash.

    Fixed for good: what was taught from one simulated board fits every other.
    """
    digest = hashlib.sha256(f"tablewire:{deck}:{face.colour}:{face.value}".encode()).digest()
    tail = bytearray(digest[:6])
    tail[2] -= tail[2] == _CASCADE_BYTE
    return f"04{tail.hex()}".upper()


def printed_deck(name: str) -> Deck:
    """A deck of the simulated board, as it would be taught."""
    return Deck(name, {printed_uid(name, face): face for face in FACES})


def printed_decks(count: int) -> tuple[Deck, ...]:
    """The first decks of the simulated board: 1 to 12 of them."""
    return tuple(map(printed_deck, DECK_NAMES[:count]))
