"""The games a table can play, by name.

Owns the list. Everything outside `games/` reaches a game through it. Must not know what a game does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tablewire.errors import UserError, quoted
from tablewire.games.cirkis import referee
from tablewire.games.live import LiveGame


@dataclass(frozen=True, slots=True)
class Playable:
    """How to begin a game: `pin` makes a record's header whole and final (UserError when it is none), `begin`
    takes a pinned one.

    `rules_version` is pinned with every game: it rises when the same moves would score differently.
    """

    name: str
    pin: Callable[[Mapping[str, Any]], dict[str, Any]]
    begin: Callable[[Mapping[str, Any]], LiveGame]
    rules_version: int


PLAYABLE: Mapping[str, Playable] = {
    "cirkis": Playable("cirkis", referee.pin, referee.begin, referee.RULES_VERSION),
}


def playable(name: object) -> Playable:
    """The game of that name. UserError when this version has none such."""
    game = PLAYABLE.get(name) if isinstance(name, str) else None
    if game is None:
        raise UserError(f"no game named {quoted(name)}; this version plays: {', '.join(PLAYABLE)}")
    return game
