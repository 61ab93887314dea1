"""What a live table needs from a game, whatever the game: the contract between `table.py` and the games.

Owns the protocol `LiveGame`, the refusal of an operator's action, and what a board's lights can say. Must not
know any one game.

A live game is a frozen value. `evolve` folds one journal entry into it; `decide` says which entry follows
from what lies on the table now. The two never mix: whatever `decide` concludes is on disk before `evolve`
sees it, so a restart that folds the journal again stands exactly where the table stood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self

from tablewire.board.lies import Lies
from tablewire.entries import Entry
from tablewire.wire.messages import Light, Sound


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an operator's action is not carried out. `malformed`: the request is wrong, not its moment.

    `details` is JSON for whoever asked: what the page needs to offer another way.
    """

    reason: str
    text: str
    malformed: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """The answer to an action that only asks what would be, as JSON; nothing changes."""

    body: Mapping[str, Any]


Outcome = tuple[Entry, ...] | Refusal | Told
"""What an operator's action comes to."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """What a person did to a game besides playing it, for the audit.

    `kind` is the entry's; `by` who did it, as far as they said; `note` why; `text` what, in one sentence.
    """

    kind: str
    by: str
    note: str
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands, for a list of games: every mapping has all players, in their order.

    `moves` counts what was played. `totals` is None in a game that has no rounds; else `scores` are those of
    the round that is on, or was played last. `winners` is empty until the game is over.
    """

    players: tuple[str, ...]
    moves: int
    scores: Mapping[str, int]
    totals: Mapping[str, int] | None
    is_over: bool
    winners: tuple[str, ...]


class Chapter(NamedTuple):
    """One line of a game told for people: its number, who did it, what it was, and what came of it."""

    n: int
    player: str
    what: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Cue:
    """Something to be heard once while it stands. `name` tells it from every other of the game.

    Not due: it stands, but is not certain yet; heard already, it is not heard again when it is.
    """

    name: str
    sound: Sound
    is_due: bool = True


@dataclass(frozen=True, slots=True)
class Lights:
    """What a board shows, and what may be heard, the most urgent first. Bit k of `players` is player k."""

    players: int
    light: Light
    cues: tuple[Cue, ...] = ()


DARK = Lights(0, Light.OFF)
"""No game, or none that has begun."""


class LiveGame(Protocol):
    """One game in progress at a table."""

    def evolve(self, entry: Entry, lies: Lies) -> Self:
        """The game after `entry`; `lies` already includes it when it is an observation."""
        ...

    def decide(self, lies: Lies) -> Entry | None:
        """The next entry that follows from what lies on the table; None when nothing more does."""
        ...

    def act(self, name: str, body: Mapping[str, Any], lies: Lies) -> Outcome:
        """The entries an operator's action leads to, why it is refused, or what it only asked."""
        ...

    def intervention(self, entry: Entry, lies: Lies) -> Intervention | None:
        """What the audit says of an entry that this game is about to take in; None for plain play."""
        ...

    def health(self, lies: Lies) -> dict[str, Any]:
        """Every sensor or reader with what it stands for and how far it can be believed, as JSON."""
        ...

    def next_deadline_ms(self, lies: Lies) -> int | None:
        """The table time at which something may change although no sensor does; None when nothing can."""
        ...

    def document(self, lies: Lies) -> dict[str, Any]:
        """The game's part of the state document."""
        ...

    def lights(self, document: Mapping[str, Any]) -> Lights:
        """What the board shows and plays by itself with this document of the game."""
        ...

    def legal(self) -> dict[str, Any]:
        """Where the player to move may place; `player` is None and nothing listed in a game without turns."""
        ...

    def standing(self) -> Standing:
        """How the game stands, by what has been kept of it."""
        ...

    def story(self) -> Iterator[Chapter]:
        """The game so far, line by line, for people who look it up."""
        ...

    def record(self) -> str:
        """The game so far as a record that `tablewire score` reads."""
        ...
