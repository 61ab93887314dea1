"""A short life of a journal, step by step, with what must be kept after each: worked out by hand.

Owns the steps and their expected states. Must not know how the process that takes them ends.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.store.clock import evening

from tablewire.entries import Entry, EntryKind
from tablewire.store.journal import Journal


class State(NamedTuple):
    """What is kept: each game's name with the times of its entries, the game that is current, the version.

    `decks`: what is kept beside the games, each name with the number in it.
    """

    games: dict[str, list[int]]
    current: str | None
    version: int
    decks: dict[str, int] = {}  # noqa: RUF012 - never changed in place


class Step(NamedTuple):
    """One thing that is done to the journal in a folder, and the state once it has been acknowledged."""

    name: str
    do: Callable[[Session], object]
    after: State


class Session:
    """The journal of a folder, open or not, with its games by name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal: Journal | None = None

    @property
    def journal(self) -> Journal:
        """The open journal."""
        assert self._journal is not None
        return self._journal

    def open(self) -> None:
        """Open, or create."""
        self._journal = Journal.open(self._folder, evening)

    def close(self) -> None:
        """Close, if it is open."""
        if self._journal is not None:
            self._journal.close()
        self._journal = None

    def id_of(self, name: str) -> str:
        """The id of the game begun under that name."""
        return next(g.game_id for g in self.journal.games() if name_of(g.pinned) == name)


def name_of(pinned: dict[str, Any]) -> str:
    """The name that a game was begun under; the game in the file of schema 1 has none."""
    return str(pinned.get("name", "old"))


def entry(at_ms: int, size_bytes: int = 100) -> Entry:
    """An entry that is told from others by its time."""
    return Entry(EntryKind.COMMIT, at_ms, {"pad": "x" * size_bytes})


def state_of(journal: Journal) -> State:
    """What a journal holds."""
    games = journal.games()
    current = journal.current_game()
    return State(
        {name_of(g.pinned): [e.at_ms for e in journal.entries(g.game_id)] for g in games},
        None if current is None else name_of(current.pinned),
        journal.version(),
        {name: body["n"] for name, body in journal.kept("ligretto").items()},
    )


EMPTY = State({}, None, 0)
OLD = State({"old": [100, 2000]}, "old", 12)
"""The file of schema_1.sql."""
DAMAGED = {"table.sqlite3": b"Dear Oma, " * 900, "table.sqlite3-wal": b"we won! " * 700}
"""What cannot be read."""
KILLED = State({"a": [1, 2]}, "a", 2)
"""What a first evening leaves that is killed after its first entries."""


def first_evening() -> list[Step]:
    """From nothing to three entries."""
    return [
        Step("open", lambda s: s.open(), EMPTY),
        Step("begin", lambda s: s.journal.begin_game("cirkis", {"name": "a"}, 1), State({"a": []}, "a", 1)),
        Step("append", lambda s: s.journal.append([entry(1), entry(2)], 2), State({"a": [1, 2]}, "a", 2)),
        Step("append", lambda s: s.journal.append([entry(3)], 3), State({"a": [1, 2, 3]}, "a", 3)),
        Step("close", lambda s: s.close(), State({"a": [1, 2, 3]}, "a", 3)),
    ]


def second_evening() -> list[Step]:
    """On from what a kill left: two entries that lie in the log only, which is read and then begun anew."""
    return [
        Step("open", lambda s: s.open(), KILLED),
        Step("append", lambda s: s.journal.append([entry(3)], 3), State({"a": [1, 2, 3]}, "a", 3)),
        Step("append", lambda s: s.journal.append([entry(4)], 4), State({"a": [1, 2, 3, 4]}, "a", 4)),
        Step("close", lambda s: s.close(), State({"a": [1, 2, 3, 4]}, "a", 4)),
    ]


RED = {"red": 2}
"""What is left of the decks."""


def _decks(before: State) -> list[Step]:
    """Two decks are kept, one of them changed, one forgotten."""

    def keep(name: str, n: int) -> Callable[[Session], object]:
        return lambda s: s.journal.keep("ligretto", name, {"n": n, "pad": "x" * 100})

    return [
        Step("keep", keep("red", 1), before._replace(decks={"red": 1})),
        Step("keep another", keep("green", 1), before._replace(decks={"red": 1, "green": 1})),
        Step("keep again", keep("red", 2), before._replace(decks={"red": 2, "green": 1})),
        Step("forget", lambda s: s.journal.forget("ligretto", "green"), before._replace(decks=RED)),
    ]


def whole_life() -> list[Step]:
    """From a file of schema 1, whose one game was being played, through all that a journal does."""
    old = [100, 2000]
    return [
        Step("open", lambda s: s.open(), OLD),
        Step(
            "append",
            lambda s: s.journal.append([entry(2100)], 13),
            State({"old": [*old, 2100]}, "old", 13),
        ),
        Step(
            "begin",
            lambda s: s.journal.begin_game("cirkis", {"name": "a"}, 14),
            State({"old": [*old, 2100], "a": []}, "a", 14),
        ),
        Step(
            "append much",
            lambda s: s.journal.append([entry(1, 9_000), entry(2)], 15),
            State({"old": [*old, 2100], "a": [1, 2]}, "a", 15),
        ),
        Step(
            "put aside",
            lambda s: s.journal.put_aside(16),
            State({"old": [*old, 2100], "a": [1, 2]}, None, 16),
        ),
        Step(
            "import",
            lambda s: s.journal.import_game("cirkis", {"name": "b"}, [entry(7), entry(8)]),
            State({"old": [*old, 2100], "a": [1, 2], "b": [7, 8]}, None, 16),
        ),
        Step(
            "resume",
            lambda s: s.journal.resume(s.id_of("old"), [entry(2200)], 17),
            State({"old": [*old, 2100, 2200], "a": [1, 2], "b": [7, 8]}, "old", 17),
        ),
        Step(
            "delete",
            lambda s: s.journal.delete(s.id_of("a")),
            State({"old": [*old, 2100, 2200], "b": [7, 8]}, "old", 17),
        ),
        Step(
            "save the version",
            lambda s: s.journal.save_version(18),
            State({"old": [*old, 2100, 2200], "b": [7, 8]}, "old", 18),
        ),
        *_decks(State({"old": [*old, 2100, 2200], "b": [7, 8]}, "old", 18)),
        Step("close", lambda s: s.close(), State({"old": [*old, 2100, 2200], "b": [7, 8]}, "old", 18, RED)),
        Step("open", lambda s: s.open(), State({"old": [*old, 2100, 2200], "b": [7, 8]}, "old", 18, RED)),
        Step(
            "append",
            lambda s: s.journal.append([entry(2300)], 19),
            State({"old": [*old, 2100, 2200, 2300], "b": [7, 8]}, "old", 19, RED),
        ),
        Step(
            "delete",
            lambda s: s.journal.delete(s.id_of("b")),
            State({"old": [*old, 2100, 2200, 2300]}, "old", 19, RED),
        ),
        Step("close", lambda s: s.close(), State({"old": [*old, 2100, 2200, 2300]}, "old", 19, RED)),
    ]


def after_an_older_one() -> list[Step]:
    """On from a file of schema 1 whose program was killed: part of it lies in the log."""
    return [
        Step("open", lambda s: s.open(), OLD),
        Step(
            "append",
            lambda s: s.journal.append([entry(3000)], 13),
            State({"old": [100, 2000, 3000]}, "old", 13),
        ),
        Step("close", lambda s: s.close(), State({"old": [100, 2000, 3000]}, "old", 13)),
    ]


def after_damage() -> list[Step]:
    """Nothing can be read: it is set aside, and another journal begun."""
    return [
        Step("open", lambda s: s.open(), EMPTY),
        Step("begin", lambda s: s.journal.begin_game("cirkis", {"name": "a"}), State({"a": []}, "a", 0)),
        Step("close", lambda s: s.close(), State({"a": []}, "a", 0)),
    ]


LIVES: dict[str, Callable[[], list[Step]]] = {
    "first evening": first_evening,
    "second evening": second_evening,
    "after an older one": after_an_older_one,
    "after damage": after_damage,
    "whole life": whole_life,
}
BEFORE: dict[str, State] = {
    "first evening": EMPTY,
    "second evening": KILLED,
    "after an older one": OLD,
    "whole life": OLD,
}
"""What each life starts from."""
