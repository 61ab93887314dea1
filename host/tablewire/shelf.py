"""The games that are kept: listed, told as a record, audited, imported, deleted.

Owns what a game looks like from outside while it is not played: one row of facts, and which game an id names;
and what is told of the decks kept beside them.
Must not know SQL, HTTP, the command line, or any one game.

Any thread may ask. A game is played through for its row; that is done outside the journal's lock and kept
until the game gets another entry.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablewire.entries import EntryKind
from tablewire.errors import StoreError, UserError, one_line, quoted
from tablewire.games.base import Warn
from tablewire.games.catalogue import Playable, playable
from tablewire.games.live import Chapter
from tablewire.games.records import split_record
from tablewire.keeping import entry_of
from tablewire.store.entries import StoredEntry, StoredGame
from tablewire.store.journal import Journal
from tablewire.table import STRANGE, Table
from tablewire.teaching import Teaching

SHOWN_MATCHES_COUNT = 4
"""How many of the games that one short id may mean are named."""


class Shelf:
    """The games of one journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._rows: dict[str, tuple[int, dict[str, Any]]] = {}
        self._mutex = threading.Lock()

    @property
    def folder(self) -> Path:
        """Where the games are kept."""
        return self._journal.path.parent

    def games(self) -> list[dict[str, Any]]:
        """Every game as a row, newest first.

        A row has `game_id`, `game`, `players` in turn order, `started` and `changed` (ISO 8601, UTC),
        `moves`, `scores`, `state` ("current", "adjourned" or "over"), `winners`, and in a match `totals`. A
        game that cannot be played through has `trouble`, one line that says why; `moves` is None then.
        """
        return [self.row(game) for game in reversed(self._journal.games())]

    def row(self, game: StoredGame) -> dict[str, Any]:
        """One game as a row of `games`."""
        with self._mutex:
            seq, facts = self._rows.get(game.game_id, (None, {}))
        if seq != game.last_seq:
            facts = self._facts(game)
            with self._mutex:
                self._rows[game.game_id] = (game.last_seq, facts)
        over = bool(facts["over"])
        state = "current" if not game.put_aside else "over" if over else "adjourned"
        row = {
            "game_id": game.game_id,
            "game": game.game,
            "started": game.started,
            "changed": game.changed,
            "state": state,
        }
        return row | {key: value for key, value in facts.items() if key != "over"}

    def _facts(self, game: StoredGame) -> dict[str, Any]:
        try:
            stands = self._moves(game).standing()
        except (UserError, StoreError) as exc:
            players = _players_of(game)
            trouble = {"over": False, "trouble": str(exc)}
            return {"players": players, "moves": None, "scores": {}, "winners": [], **trouble}
        return {
            "players": list(stands.players),
            "moves": stands.moves,
            "scores": dict(stands.scores),
            "winners": list(stands.winners),
            "over": stands.is_over,
            **({} if stands.totals is None else {"totals": dict(stands.totals)}),
        }

    def document(self, game_id: str | None) -> dict[str, Any]:
        """The state document's part about a game, as it stood after its last entry; None: the current one."""
        return self._table(self._game(game_id)).document()

    def story(self, game_id: str | None) -> list[Chapter]:
        """A game line by line, for people; None: the current one. UserError, StoreError."""
        game = self._game(game_id)
        with _readable(game):
            return list(self._moves(game).story())

    def record(self, game_id: str | None) -> str:
        """A game as its record; None: the current one, empty without any. UserError, StoreError."""
        if game_id is None and self._journal.current_game() is None:
            return ""
        game = self._game(game_id)
        try:
            return self._moves(game).record()
        except UserError:
            # A record is moves, not points: other rules' moves can be told, unless these refuse one.
            rules_version = playable(game.game).rules_version
            if game.pinned["rules_version"] == rules_version:
                raise
            return self._moves(replace(game, pinned={**game.pinned, "rules_version": rules_version})).record()

    def audit(self, game_id: str | None) -> list[dict[str, Any]]:
        """What people did to a game besides playing it, oldest first; None: the current one, if any.

        Each with `at` (ISO 8601, UTC), `n` (the entry's number in the journal), `kind`, `by`, `note`, `text`.
        UserError, StoreError.
        """
        if game_id is None and self._journal.current_game() is None:
            return []
        told = []
        game = self._game(game_id)
        for stored, table in self._played(game):
            with _readable(game):
                done = None if stored is None else table.intervention(entry_of(stored))
            if stored is not None and done is not None:
                said = {"kind": done.kind, "by": done.by, "note": done.note, "text": done.text}
                told.append({"at": stored.wall_time, "n": stored.seq, **said})
        return told

    def decks(self) -> dict[str, Any]:
        """What was taught at this table, whether a game is played or not: `decks`, and `decks_text`, why they
        cannot be read.
        """
        told = Teaching.read(self._journal).document()
        return {"decks": told.get("decks", []), "decks_text": told["decks_text"]}

    def import_record(self, text: str, name: str, folder: Path, warn: Warn = lambda _: None) -> str:
        """Keep a record as a game, put aside; its id. UserError "NAME: line N: ..." at what cannot stand.

        `name` is what messages call the record; paths in it start from `folder`.
        """
        header, lines, first = split_record(text, name)
        try:
            game = playable(header.get("game"))
            pinned_header = game.pin_record(self._furnished(game, header), folder, warn)
        except UserError as exc:
            raise UserError(f"{name}:{first}: {exc}") from exc
        try:
            entries = game.entries_of(pinned_header, lines)
        except UserError as exc:
            raise UserError(f"{name}: {exc}") from exc
        pinned = {
            "header": pinned_header,
            "rules_version": game.rules_version,
            "lying": None,
            "masked": [],
        }
        return self._journal.import_game(game.name, pinned, entries)

    def _furnished(self, game: Playable, header: Mapping[str, Any]) -> Mapping[str, Any]:
        """A record's header with what is kept at this table for its game, if that is enough to go on."""
        try:
            return game.furnish(header, self._journal.kept(game.name), None)
        except (UserError, StoreError):
            return header

    def delete(self, game_id: str) -> None:
        """Delete a game for good. StoreError when it is the current one or there is none such."""
        self._journal.delete(game_id)
        with self._mutex:
            self._rows.pop(game_id, None)

    def find(self, prefix: str) -> StoredGame:
        """The one game whose id begins so. UserError when there is none, or several."""
        wanted = prefix.strip().lower()
        found = [game for game in self._journal.games() if wanted and game.game_id.startswith(wanted)]
        if not found:
            place = one_line(self.folder)
            raise UserError(
                f"no game in {place} has an id that begins with {quoted(prefix)}: tablewire games list shows "
                "those there are"
            )
        if len(found) > 1:
            shown = ", ".join(game.game_id[: len(wanted) + 4] for game in found[:SHOWN_MATCHES_COUNT])
            more = ", ..." if len(found) > SHOWN_MATCHES_COUNT else ""
            raise UserError(
                f"{quoted(prefix)} begins the ids of {len(found)} games: {shown}{more}; give more of it"
            )
        return found[0]

    def _game(self, game_id: str | None) -> StoredGame:
        game = self._journal.current_game() if game_id is None else self._journal.game(game_id)
        if game is None:
            wanted = "no game is being played" if game_id is None else f"no game has the id {quoted(game_id)}"
            raise UserError(wanted)
        return game

    def _table(self, game: StoredGame) -> Table:
        """The table of a game after its last entry."""
        ((_, table),) = deque(self._played(game), maxlen=1)
        return table

    def _moves(self, game: StoredGame) -> Table:
        """The same as far as moves and points go, without what sensors saw: that is most of a journal."""
        ((_, table),) = deque(self._played(game, EntryKind.OBSERVATION), maxlen=1)
        return table

    def _played(
        self, game: StoredGame, without: EntryKind | None = None
    ) -> Iterator[tuple[StoredEntry | None, Table]]:
        """Each entry with the table before it, then None with the last table."""
        with _readable(game):
            table = Table.begin(game.pinned)
        for stored in self._journal.entries(game.game_id):
            if stored.kind is not without:
                yield stored, table
                with _readable(game):
                    table = table.evolve(entry_of(stored))
        yield None, table


@contextmanager
def _readable(game: StoredGame) -> Iterator[None]:
    """StoreError where what was kept is not what this version keeps."""
    try:
        yield
    except STRANGE as exc:
        raise StoreError(f"game {game.game_id} cannot be read: {exc!r}") from exc


def _players_of(game: StoredGame) -> list[str]:
    """Who plays, as far as that is told."""
    header = game.pinned.get("header")
    players = header.get("players") if isinstance(header, dict) else None
    return list(map(str, players)) if isinstance(players, list) else []
