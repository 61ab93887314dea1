"""What a person did to a game, kept so that it can be done back; and the count of what is left over.

Owns only these values. Must not know how they come about.
"""

from __future__ import annotations

from typing import NamedTuple

from tablewire.games.ligretto.cards import Card
from tablewire.games.ligretto.rows import Edit


class Deed(NamedTuple):
    """Edits of the lines, with those that undo them; or that a tag is a card; or that a round was opened.

    `before`: the card that the tag was taught to be until then. Once that is undone, `edits` bring back the
    lines that the tag told of. `was_open`: whether a round was open before.
    """

    edits: tuple[Edit, ...] = ()
    back: tuple[Edit, ...] = ()
    tag: str | None = None
    card: Card | None = None
    before: Card | None = None
    opens: bool = False
    was_open: bool = False


class Counting(NamedTuple):
    """Cards left over are passed over `pad`; `uids` are those that were, in order."""

    pad: int
    uids: tuple[str, ...] = ()
