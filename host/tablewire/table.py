"""One step of a table: an observation or an action in, journal entries and the new table out.

Owns the order of things: observe, fold, decide until nothing more follows. Must not know any one game, nor
bytes, disk, threads or the page.

The table is a fold over its journal: `evolve` over the entries gives the same table after a restart. Whatever
a step returns must be on disk before the table it returns is shown to anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tablewire.board.lies import Lies
from tablewire.board.timing import DEFAULT_TIMING, Timing
from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError, UserError
from tablewire.games.catalogue import playable
from tablewire.games.live import (
    DARK,
    Chapter,
    Intervention,
    Lights,
    LiveGame,
    Outcome,
    Refusal,
    Standing,
)
from tablewire.wire.messages import BoardKind
from tablewire.wire.observed import (
    Changes,
    Complete,
    Observation,
    Sightings,
    Snapshot,
    encode_observation,
    parse_observation,
)

SCHEMA = 1
"""The version of the state document's meaning."""
MAX_DECISIONS = 100
"""Entries that may follow from one observation: a whole board read back after a cut link has fewer pieces."""


@dataclass(frozen=True, slots=True)
class Table:
    """What lies on the table and the game played on it, if any."""

    lies: Lies = field(default_factory=Lies)
    name: str | None = None
    game: LiveGame | None = None

    def evolve(self, entry: Entry) -> Table:
        """The table after one journal entry."""
        table = self
        if entry.kind is EntryKind.OBSERVATION:
            table = replace(self, lies=self.lies.observe(parse_observation(entry.body)))
        elif entry.kind is EntryKind.MASK:
            masked = bool(entry.body["masked"])
            table = replace(self, lies=self.lies.mask(map(int, entry.body["sensors"]), masked=masked))
        if table.game is None:
            return table
        return replace(table, game=table.game.evolve(entry, table.lies))

    def observe(self, observation: Observation) -> tuple[Table, tuple[Entry, ...]]:
        """The table after one observation, and the entries to keep: what was observed and what follows.

        Changes are taken one by one, and whatever was due between two of them is decided in between: the
        outcome depends on the board's time alone, not on how late or in what batches the host heard of it.
        """
        table, kept = self, list[Entry]()
        for part in _parts(observation):
            table, due = table._catch_up(part)
            table, following = table._enter_observation(part)
            kept += [*due, *following]
        return table, tuple(kept)

    def _catch_up(self, part: Observation) -> tuple[Table, list[Entry]]:
        """Decide what was due up to a change of the same boot: until then, it was quiet.

        What is due in the very millisecond of the change comes before it, as it would if the board's word
        for that millisecond had come first. A snapshot that skips changes says nothing about quiet.
        """
        table, kept, clock = self, list[Entry](), self.lies.clock
        if part.nonce != clock.nonce or (isinstance(part, Snapshot) and part.number != self.lies.number):
            return table, kept
        until_ms = table.lies.observe(part).now_ms
        while (deadline_ms := table.next_deadline_ms()) is not None and deadline_ms <= until_ms:
            quiet = Complete(part.nonce, deadline_ms - clock.offset_ms)
            table, entries = table._enter_observation(quiet)
            if len(entries) > 1:
                kept += entries
        return table, kept

    def _enter_observation(self, observation: Observation) -> tuple[Table, tuple[Entry, ...]]:
        at_ms = self.lies.observe(observation).now_ms
        return self.enter((Entry(EntryKind.OBSERVATION, at_ms, encode_observation(observation)),))

    def enter(self, entries: Iterable[Entry]) -> tuple[Table, tuple[Entry, ...]]:
        """The table after these entries and everything that follows from them."""
        table, kept = self, list(entries)
        for entry in kept:
            table = table.evolve(entry)
        for _ in range(MAX_DECISIONS):
            entry_or_none = table.game.decide(table.lies) if table.game else None
            if entry_or_none is None:
                break
            kept.append(entry_or_none)
            table = table.evolve(entry_or_none)
        return table, tuple(kept)

    def beside(self, reader_count: int | None) -> Table:
        """The same for one look or action: the board heard last has so many tag readers. Never kept."""
        return replace(self, lies=replace(self.lies, reader_count=reader_count))

    def act(self, name: str, body: Mapping[str, Any]) -> Outcome:
        """The entries an operator's action leads to, why it is refused, or what it only asked."""
        if self.game is None:
            return Refusal("no_game", "no game is being played: start a new one")
        return self.game.act(name, body, self.lies)

    @classmethod
    def begin(cls, pinned: Mapping[str, Any], timing: Timing = DEFAULT_TIMING) -> Table:
        """A new game by what was pinned for it; what lay on the table then does not count until lifted."""
        header = pinned["header"]
        game = playable(header.get("game"))
        if pinned["rules_version"] != game.rules_version:
            raise UserError(
                f"it began under version {pinned['rules_version']} of its rules, and this program plays "
                f"version {game.rules_version}: finish it with the program it began with, or begin another"
            )
        masked = frozenset(map(int, pinned.get("masked", ())))
        table = cls(Lies(timing=timing, masked=masked), game.name, game.begin(header))
        if pinned["lying"] is None:
            return table
        return table.evolve(Entry(EntryKind.OBSERVATION, 0, {**pinned["lying"], "set_up": True}))

    @property
    def board_kind(self) -> BoardKind | None:
        """The kind of board that the game is played on; None without a game."""
        return None if self.name is None else playable(self.name).facts.board

    def lying(self) -> dict[str, Any] | None:
        """What lies on the table as an observation, to begin another game with; None before any board."""
        seen = self.lies.snapshot()
        return None if seen is None else encode_observation(seen)

    def legal(self) -> dict[str, Any]:
        """Where the player to move may place."""
        return {"player": None, "placements": []} if self.game is None else self.game.legal()

    def record(self) -> str:
        """The game so far as a record; empty without a game."""
        return "" if self.game is None else self.game.record()

    def standing(self) -> Standing:
        """How the game stands. UserError without a game."""
        if self.game is None:
            raise UserError("no game is being played")
        return self.game.standing()

    def story(self) -> Iterator[Chapter]:
        """The game so far, line by line, for people; nothing without a game."""
        return iter(()) if self.game is None else self.game.story()

    def intervention(self, entry: Entry) -> Intervention | None:
        """What the audit says of an entry that is about to be taken in; None for plain play."""
        return None if self.game is None else self.game.intervention(entry, self.lies)

    def health(self) -> dict[str, Any]:
        """Every sensor with what it stands for and how far it can be believed, as JSON."""
        return {"sensors": []} if self.game is None else self.game.health(self.lies)

    def next_deadline_ms(self) -> int | None:
        """The table time at which something may change although no sensor does."""
        return None if self.game is None else self.game.next_deadline_ms(self.lies)

    def lights(self, document: Mapping[str, Any]) -> Lights:
        """What the board shows and plays by itself with this document."""
        return DARK if self.game is None else self.game.lights(document)

    def document(self) -> dict[str, Any]:
        """The state document without `version`, `game_id` and `link`."""
        if self.game is not None:
            return {"schema": SCHEMA, "game": self.name, **self.game.document(self.lies)}
        return {"schema": SCHEMA, "game": None, **_NO_GAME}


STRANGE = (KeyError, TypeError, ValueError, IndexError, AttributeError)
"""What comes of playing through what another version, or nobody, wrote."""


def restore(pinned: Mapping[str, Any], entries: Iterable[Entry], timing: Timing = DEFAULT_TIMING) -> Table:
    """The table that a journal describes.

    UserError when its game cannot be played, StoreError when an entry is not one of this version's.
    """
    try:
        table = Table.begin(pinned, timing)
        for entry in entries:
            table = table.evolve(entry)
    except STRANGE as exc:
        raise StoreError(f"its journal cannot be read: {exc!r}") from exc
    return table


def _parts(observation: Observation) -> Iterator[Observation]:
    if isinstance(observation, Changes):
        for change in observation.changes:
            yield Changes(observation.nonce, (change,))
    elif isinstance(observation, Sightings):
        for sighting in observation.sightings:
            yield Sightings(observation.nonce, (sighting,))
    else:
        yield observation


def is_news(observation: Observation) -> bool:
    """Whether an observation must be kept even when nothing follows: all but the mere passing of time."""
    return not isinstance(observation, Complete)


_NO_GAME: Mapping[str, Any] = {
    "phase": "waiting",
    "turn": None,
    "free_turn": None,
    "players": [],
    "moves": 0,
    "provisional": False,
    "last": None,
    "result": None,
    "message": {
        "kind": "setup",
        "reasons": [],
        "text": "No game is being played: start a new one, or go on with one that was put aside.",
        "steps": [],
        "choices": [],
    },
    "actions": {
        "pass": False,
        "decline": False,
        "undo": False,
        "redo": False,
        "new_game": True,
        "next_round": False,
        "place": False,
        "correct": False,
        "ruling": False,
        "accept": False,
        "put_aside": False,
    },
}
