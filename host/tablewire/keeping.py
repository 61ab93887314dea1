"""What a core needs of a journal, and what it takes up from one when it starts.

Owns the protocol `Store`, the state a core starts from, what a game is pinned with, and which masks the board
had last. Must not know SQL, files, links, or any one game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from tablewire.board.lies import Lies
from tablewire.board.timing import Timing
from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError
from tablewire.games.catalogue import Playable, playable
from tablewire.store.entries import UNSAVED_VERSIONS_MAX, StoredEntry, StoredGame
from tablewire.table import STRANGE, Table, restore
from tablewire.wire.observed import (
    Changes,
    Complete,
    Observation,
    Sightings,
    Snapshot,
    TagsLying,
    encode_observation,
)
from tablewire.wire.session import Known


class Prepared(NamedTuple):
    """A game that was put aside, its entries up to `last_seq` already played through."""

    game_id: str
    last_seq: int
    table: Table


class Store(Protocol):
    """A journal, as far as a core goes. Whatever it refuses is a StoreError, and then nothing has changed."""

    notices: list[str]
    is_behind: bool
    """Whether versions may have been shown that are not saved."""

    def current_game(self) -> StoredGame | None:
        """The game that is played, if any."""

    def game(self, game_id: str) -> StoredGame | None:
        """The game of that id; None when it is not kept."""

    def last_played(self) -> StoredGame | None:
        """The game that tells the newest of the board."""

    def entries(self, game_id: str) -> Iterator[StoredEntry]:
        """The entries of a game, oldest first."""

    def version(self) -> int:
        """The document version saved last."""

    def save_version(self, version: int) -> None:
        """Save the document version alone."""

    def append(self, entries: Iterable[Entry], version: int | None) -> object:
        """Add entries to the current game, and save the version with them."""

    def begin_game(self, game: str, pinned: dict[str, Any], version: int | None = None) -> str:
        """Begin a game, which is the current one; the one before is put aside. Its id."""

    def put_aside(self, version: int | None = None) -> None:
        """Leave the current game as it is: none is current."""

    def resume(self, game_id: str, entries: Iterable[Entry] = (), version: int | None = None) -> object:
        """Make a game the current one again, and add entries to it; the one before is put aside."""

    def kept(self, game: str) -> Mapping[str, Mapping[str, Any]]:
        """What is kept for a game beside its evenings, by name, such as the decks of its cards."""

    def keep(self, game: str, name: str, body: Mapping[str, Any]) -> None:
        """Keep a JSON object for a game under a name, in the place of what was kept under it."""

    def forget(self, game: str, name: str) -> None:
        """Keep nothing for a game under this name any more."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a core begins with: the current game and its entries, the board's masks, the version shown last.

    `trouble`: why the entries could not be read.
    """

    version: int = 0
    game: StoredGame | None = None
    entries: tuple[Entry, ...] = ()
    masked: frozenset[int] = frozenset()
    trouble: str | None = None


def read_start(store: Store) -> Start:
    """Where the journal stands. StoreError when not even the list of its games can be read."""
    version, game = store.version() + UNSAVED_VERSIONS_MAX * store.is_behind, store.current_game()
    last = game or store.last_played()
    if last is None:
        return Start(version)
    try:
        entries = tuple(map(entry_of, store.entries(last.game_id)))
        masked = masks_of(last.pinned, entries)
    except StoreError as exc:
        return Start(version, game, trouble=str(exc) if game else None)
    except STRANGE as exc:
        return Start(version, game, trouble=f"its journal cannot be read: {exc!r}" if game else None)
    return Start(version, game, entries if game else (), masked)


def pin_game(
    store: Store, header: Mapping[str, Any], reader_count: int | None
) -> tuple[Playable, dict[str, Any]]:
    """The game that a record header names, and the header it is pinned with; `reader_count`: how many tag
    readers the board has, None where none is known.

    UserError when it is none, or what the game needs of this table is not kept; StoreError.
    """
    game = playable(header.get("game"))
    return game, game.pin(game.furnish(header, store.kept(game.name), reader_count))


def pinned_with(game: Playable, header: Mapping[str, Any], table: Table) -> dict[str, Any]:
    """All that is pinned when a game begins at this table."""
    return {
        "header": header,
        "rules_version": game.rules_version,
        "lying": table.lying(),
        "masked": sorted(table.lies.masked),
    }


def number_of(observation: Observation) -> int | None:
    """The board's number for the last thing that an observation tells; None where only time passed."""
    match observation:
        case Changes(_, changes):
            return changes[-1].number
        case Sightings(_, sightings):
            return sightings[-1].number
        case Snapshot(_, number) | TagsLying(_, number):
            return number
        case Complete():
            return None


def take_up(game: StoredGame, start: Start, timing: Timing) -> Table:
    """The table of the current game. UserError when this version cannot go on with it, StoreError."""
    if start.trouble is not None:
        raise StoreError(start.trouble)
    return restore(game.pinned, start.entries, timing)


def prepare(store: Store, game: StoredGame, timing: Timing, earlier: Prepared | None = None) -> Prepared:
    """Play a game through, for whoever goes on with it; `earlier` is given back where it still holds.

    For any thread. UserError when this version cannot, StoreError when it cannot be read.
    """
    if earlier is not None and earlier[:2] == (game.game_id, game.last_seq):
        return earlier
    table = restore(game.pinned, map(entry_of, store.entries(game.game_id)), timing)
    return Prepared(game.game_id, game.last_seq, table)


def masks_of(pinned: Mapping[str, Any], entries: Iterable[Entry]) -> frozenset[int]:
    """Which sensors were masked at the end of a game, by rules of whatever version it was played.

    They belong to the board and stay masked when no game is current.
    """
    masked = frozenset(map(int, pinned.get("masked", ())))
    for entry in entries:
        if entry.kind is EntryKind.MASK:
            some = frozenset(map(int, entry.body["sensors"]))
            masked = masked | some if entry.body["masked"] else masked - some
    return masked


def resumed_on(board: Lies, game: Lies) -> Iterator[Entry]:
    """The entries by which a game that was put aside takes over the board as it is now.

    First the masks, which belong to the board, then what lies there. Where no board was seen yet, an entry
    without news says that the first snapshot will be that. Numbers and time of the board's boot are the same
    for every game: its session notices nothing.
    """
    at_ms = game.now_ms
    for sensors, masked in ((board.masked - game.masked, True), (game.masked - board.masked, False)):
        if sensors:
            note = "as the board was when the game was resumed"
            body = {"by": "operator", "sensors": sorted(sensors), "masked": masked, "note": note}
            yield Entry(EntryKind.MASK, at_ms, body)
    seen: Observation | None = board.snapshot()
    if seen is None and game.clock.nonce is not None:
        seen = Complete(game.clock.nonce, game.clock.device_ms)
    if seen is not None:
        at_ms = game.observe(seen).now_ms
        yield Entry(EntryKind.OBSERVATION, at_ms, {**encode_observation(seen), "resumed": True})


def time_passed(lies: Lies, kept_ms: int) -> tuple[Entry, ...]:
    """The entry that tells of time the board was quiet and nothing was kept of it, since `kept_ms`.

    Needed before whatever fixes a table time: another boot of the board, or a person's deed. Without it a
    table that is restored would give it an earlier one than the table that was played on.
    """
    clock = lies.clock
    if clock.nonce is None or clock.now_ms <= kept_ms:
        return ()
    quiet = Complete(clock.nonce, clock.device_ms)
    return (Entry(EntryKind.OBSERVATION, clock.now_ms, encode_observation(quiet)),)


def known_of(lies: Lies) -> Known | None:
    """What the journal already holds of the board, for its session."""
    if lies.clock.nonce is None:
        return None
    return Known(lies.clock.nonce, lies.number, lies.clock.device_ms, lies.classes)


def entry_of(stored: StoredEntry) -> Entry:
    """An entry without where and when it was kept."""
    return Entry(stored.kind, stored.at_ms, stored.body)
