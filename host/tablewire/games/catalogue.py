"""The games, by name: how each is scored from a record, begun at a table, and drawn.

Owns the list and the game taken where none is named. The only way from what games share to any one of them.
Must not know what a game does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tablewire.errors import UserError, quoted
from tablewire.games.base import Game
from tablewire.games.cirkis import referee
from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.score import CIRKIS
from tablewire.games.cirkis.tiling import board_json
from tablewire.games.live import LiveGame


@dataclass(frozen=True, slots=True)
class Playable:
    """One game: its facts, and how it is begun at a table.

    `pin` makes a record's header whole and final (UserError when it is none), `begin` takes a pinned one.
    `rules_version` is pinned with every game: it rises when the same moves would score differently. `board`
    gives what a page draws the game on, as JSON.
    """

    facts: Game
    pin: Callable[[Mapping[str, Any]], dict[str, Any]]
    begin: Callable[[Mapping[str, Any]], LiveGame]
    rules_version: int
    board: Callable[[], dict[str, Any]]

    @property
    def name(self) -> str:
        """The word in a record's header."""
        return self.facts.name


PLAYABLE: Mapping[str, Playable] = {
    game.name: game
    for game in (
        Playable(
            CIRKIS,
            referee.pin,
            referee.begin,
            referee.RULES_VERSION,
            lambda: board_json(default_piece_set()),
        ),
    )
}
DEFAULT_GAME = CIRKIS.name
"""What is played where no game is named: the first there was."""


def playable(name: object) -> Playable:
    """The game of that name. UserError when this version has none such."""
    game = PLAYABLE.get(name) if isinstance(name, str) else None
    if game is None:
        raise UserError(f'"game" is {quoted(name)}; this version knows {", ".join(sorted(PLAYABLE))}')
    return game
