"""The games, by name: how each is scored from a record, begun at a table, and drawn.

Owns the list and the game taken where none is named. The only way from what games share to any one of them.
Must not know what a game does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablewire.entries import Entry
from tablewire.errors import UserError, quoted
from tablewire.games.base import Game, RecordLine, Warn
from tablewire.games.cirkis import referee, score
from tablewire.games.cirkis.importing import entries_of
from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.tiling import board_json
from tablewire.games.lessons import Lessons
from tablewire.games.ligretto import course, setting
from tablewire.games.ligretto.importing import entries_of as ligretto_entries_of
from tablewire.games.ligretto.score import LIGRETTO
from tablewire.games.ligretto.teaching import DeckLessons
from tablewire.games.live import LiveGame


@dataclass(frozen=True, slots=True)
class Playable:
    """One game: its facts, and how it is begun at a table.

    `pin` makes a record's header whole and final (UserError when it is none), `begin` takes a pinned one.
    `pin_record` does it for a record from outside: its header, the folder its paths start from, who hears
    warnings.
    `rules_version` is pinned with every game: it rises when the same moves would score differently. `board`
    gives what a page draws the game on, as JSON. `furnish` adds to a header what is kept at this table for
    the game, by name, such as the decks of its cards, and how many tag readers its board has, None where no
    board is known: a game is pinned with it, and later lessons change no game that was begun. `entries_of`
    gives the journal of a game played elsewhere: a pinned header and the lines of its record -> one entry for
    each; UserError "line N: ..." for one that it cannot go on from. `lessons`: what has to be taught of the
    game at this table, from what is kept for it; None where nothing has. `counts`: what the number of moves
    of a game counts, one of them.
    """

    facts: Game
    pin: Callable[[Mapping[str, Any]], dict[str, Any]]
    begin: Callable[[Mapping[str, Any]], LiveGame]
    pin_record: Callable[[Mapping[str, Any], Path, Warn], dict[str, Any]]
    rules_version: int
    board: Callable[[], dict[str, Any]]
    entries_of: Callable[[Mapping[str, Any], Iterable[RecordLine]], tuple[Entry, ...]]
    furnish: Callable[[Mapping[str, Any], Mapping[str, Any], int | None], Mapping[str, Any]] = (
        lambda header, _kept, _reader_count: header
    )
    lessons: Callable[[Mapping[str, Mapping[str, Any]]], Lessons] | None = None
    counts: str = "move"

    @property
    def name(self) -> str:
        """The word in a record's header."""
        return self.facts.name


PLAYABLE: Mapping[str, Playable] = {
    game.name: game
    for game in (
        Playable(
            score.CIRKIS,
            referee.pin,
            referee.begin,
            score.pin_record,
            referee.RULES_VERSION,
            lambda: board_json(default_piece_set()),
            entries_of,
        ),
        Playable(
            LIGRETTO,
            setting.pin,
            course.begin,
            lambda header, _folder, _warn: setting.pin(header),
            course.RULES_VERSION,
            setting.board_json,
            ligretto_entries_of,
            setting.furnish,
            DeckLessons.read,
            counts="card",
        ),
    )
}
DEFAULT_GAME = score.CIRKIS.name
"""What is played where no game is named: the first there was."""


def playable(name: object) -> Playable:
    """The game of that name. UserError when this version has none such."""
    game = PLAYABLE.get(name) if isinstance(name, str) else None
    if game is None:
        raise UserError(f'"game" is {quoted(name)}; this version knows {", ".join(sorted(PLAYABLE))}')
    return game
