"""A deck as a file, to be carried to another table or kept safe.

Owns the file's form: JSON, with a version. Must not know where files lie, nor how decks are kept or taught.
"""

from __future__ import annotations

import json
from typing import Any

from tablewire.errors import UserError, quoted
from tablewire.games.ligretto.cards import FACES
from tablewire.games.ligretto.decks import TAGS_MAX_COUNT, Deck, in_one_line, make_deck

FORM = 1
"""The version of the file's form: it rises when older programs would read it wrongly."""
MARK = "tablewire_deck"
"""The key that holds it."""
GAME = "ligretto"
MAX_FILE_BYTES = 256 * 1024
"""A deck takes 3 kB, prettily written."""
_KEYS = {MARK, "game", "name", "tags"}


class _Twice(dict[str, Any]):
    """A JSON object that remembers which of its keys stood there twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def encode_deck(deck: Deck) -> str:
    """The text of the file; `parse_deck` is its inverse. A tag a line, so that people can compare two."""
    rows = [
        f"    {json.dumps(uid)}: {json.dumps({'colour': face.colour, 'value': face.value})}"
        for uid, face in sorted(deck.tags.items(), key=lambda item: FACES.index(item[1]))
    ]
    head = "".join(
        f"  {json.dumps(key)}: {json.dumps(value)},\n"
        for key, value in ((MARK, FORM), ("game", GAME), ("name", deck.name))
    )
    body = "\n".join(("{", ",\n".join(rows), "  }")) if rows else "{}"
    return f'{{\n{head}  "tags": {body}\n}}\n'


def parse_deck(text: str, name: str | None = None) -> Deck:
    """The deck in a file's text, under another `name` if one is given. UserError names every fault."""
    value = _object(text)
    form = value.get(MARK)
    if isinstance(form, bool) or not isinstance(form, int):
        raise UserError(f"it is no deck: it has no {quoted(MARK)}; tablewire deck export writes one")
    if form > FORM:
        raise UserError(f"a newer tablewire wrote it (form {form}, this one knows {FORM}): update tablewire")
    if form < FORM:
        raise UserError(
            f"there is no form {form} of a deck, and this tablewire writes {FORM}: export it anew"
        )
    if "game" not in value:
        raise UserError(f'it does not say of which game its cards are: "game": "{GAME}" is missing')
    if value["game"] != GAME:
        raise UserError(f"it is a deck of {quoted(value['game'])}, not of Ligretto")
    if len(value.pairs) > len(value):
        raise UserError("a key stands in it twice: take one out")
    unknown = sorted(set(value) - _KEYS)
    if unknown:
        raise UserError(f"nobody knows what {quoted(unknown[0])} means in it: take it out")
    tags = value.get("tags")
    if not isinstance(tags, _Twice):
        raise UserError('its "tags" are missing: an object with a tag\'s number for each card')
    if len(tags.pairs) > TAGS_MAX_COUNT:
        raise UserError(f"it has {len(tags.pairs)} tags: a deck has 40 cards")
    strange = [f"{quoted(uid)}: {quoted(card)}" for uid, card in tags.pairs if not _is_card(card)]
    if strange:
        raise UserError(f'it has tags without {{"colour", "value"}}: {in_one_line(strange)}')
    pairs = [(uid, (card["colour"], card["value"])) for uid, card in tags.pairs]
    return make_deck(value.get("name") if name is None else name, pairs)


def _is_card(card: object) -> bool:
    return isinstance(card, _Twice) and len(card.pairs) == len(card) and set(card) == {"colour", "value"}


def _object(text: str) -> _Twice:
    try:
        value = json.loads(text, object_pairs_hook=_Twice)
    except (ValueError, RecursionError) as exc:
        raise UserError("it is no deck: it is not JSON; tablewire deck export writes one") from exc
    if not isinstance(value, _Twice):
        raise UserError("it is no deck: it is not a JSON object; tablewire deck export writes one")
    return value
