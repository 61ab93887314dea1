"""What games are taught while none is played: lessons that are kept as they go, and shown on the page.

Owns which actions are for lessons, and the order *keep, then show* for what they learn. Must not know SQL,
links, threads, or what any one game is taught.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tablewire.board.lies import Lies
from tablewire.errors import StoreError
from tablewire.games.catalogue import PLAYABLE
from tablewire.games.lessons import Lessons
from tablewire.games.live import Refusal
from tablewire.table import Table
from tablewire.wire.observed import Observation

ACTIONS = frozenset({"teach", "teach_stop", "teach_fix"})
"""What a person can do about lessons."""
GAME_ON = Refusal("game_on", "a game is being played: put it aside first, then a deck can be taught")


class Shelf(Protocol):
    """A journal, as far as lessons go. StoreError, and then nothing has changed."""

    def kept(self, game: str) -> Mapping[str, Mapping[str, Any]]:
        """What is kept for a game, by name."""

    def keep(self, game: str, name: str, body: Mapping[str, Any]) -> None:
        """Keep a JSON object for a game under a name."""

    def forget(self, game: str, name: str) -> None:
        """Keep it no longer."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """The lessons of every game that has any, by the game's name. `trouble`: why they could not be read."""

    lessons: Mapping[str, Lessons] = field(default_factory=dict)
    trouble: str | None = None

    @classmethod
    def read(cls, store: Shelf) -> Teaching:
        """What is kept, and no lesson on. Where that cannot be read, the table goes on and says so."""
        try:
            lessons = {
                game.name: game.lessons(store.kept(game.name))
                for game in PLAYABLE.values()
                if game.lessons is not None
            }
        except StoreError as exc:
            return cls(trouble=str(exc))
        return cls(lessons)

    def observe(self, observation: Observation) -> Teaching:
        """What the lessons are after the board told this; the same object when it means nothing to them."""
        after = {name: lessons.observe(observation) for name, lessons in self.lessons.items()}
        if all(after[name] is lessons for name, lessons in self.lessons.items()):
            return self
        return replace(self, lessons=after)

    def greeted(self, last_number: int, reader_count: int) -> Teaching:
        """What they are after a board with so many tag readers greeted; what it tells up to this number had
        happened before.
        """
        after = {name: one.greeted(last_number, reader_count) for name, one in self.lessons.items()}
        return replace(self, lessons=after)

    def act(self, name: str, body: Mapping[str, Any], table: Table, store: Shelf) -> Teaching | Refusal:
        """What they are after a person's action. UserError where that is malformed; StoreError."""
        if table.game is not None:
            return GAME_ON
        # Another program may have kept some since they were read.
        teaching = Teaching.read(store) if name == "teach" else self
        return teaching._act(name, body, table.lies)

    def _act(self, name: str, body: Mapping[str, Any], lies: Lies) -> Teaching | Refusal:
        if self.trouble is not None:
            raise StoreError(self.trouble)
        # One game has cards so far; another that has them will be told apart by its name.
        game = body.get("game", next(iter(self.lessons), None))
        lessons = self.lessons.get(game) if isinstance(game, str) else None
        if lessons is None:
            return Refusal("no_lessons", "this game is played without being taught anything")
        after = lessons.act(name, body, lies)
        return after if isinstance(after, Refusal) else replace(self, lessons={**self.lessons, game: after})

    def keep(self, store: Shelf, before: Teaching) -> None:
        """Keep what was learnt since `before`. StoreError; the same may be kept again."""
        for game, lessons in self.lessons.items():
            if lessons is before.lessons.get(game):
                continue
            kept, known = lessons.kept(), before.lessons[game].kept() if game in before.lessons else {}
            for name in kept:
                if kept[name] != known.get(name):
                    store.keep(game, name, kept[name])

    def document(self) -> dict[str, Any]:
        """What the page shows of it while no game is played."""
        parts: dict[str, Any] = {"decks_text": self.trouble}
        for lessons in self.lessons.values():
            parts.update(lessons.document())
        return parts
