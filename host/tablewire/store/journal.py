"""The append-only journal of a table: what it has returned for is on disk, whatever happens next.

Owns the database file table.sqlite3 of one data folder: appending, reading back, which game is current. Must
not know what an entry means, nor rules, links or pages. Any thread may call it; calls take turns.

Time comes from the `now` it is given. A power cut, a full disk or a kill leaves the state after some
`append`, never half of one.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError, one_line, quoted
from tablewire.store import damage, kept, opening
from tablewire.store.entries import (
    MAX_PINNED_BYTES,
    StoredEntry,
    StoredGame,
    checksum,
    encode_body,
)
from tablewire.store.faults import DATABASE_NAME, store_error
from tablewire.store.folder import FolderInUseError, FolderLock, data_folder, open_folder
from tablewire.store.kept import Run
from tablewire.store.schema import schema_version
from tablewire.store.wal import WalWitness

PAGE_COUNT = 500
"""Entries fetched at once: reading a long history must not hold up an append."""

_EncodedEntry = tuple[EntryKind, int, str]


READ_VERSION = "SELECT version FROM document"


class Journal:
    """One data folder's journal; make it with `Journal.open`. `notices` are lines a person should see."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        lock: FolderLock | None,
        now: Callable[[], datetime],
        notices: list[str],
    ) -> None:
        """For `open`, `open_beside` and `open_reading` only."""
        self.path = path
        self.notices = notices
        self._connection = connection
        self._folder_lock = lock
        self._now = now
        self._mutex = threading.Lock()
        self.is_behind = lock is not None and lock.was_left
        """Whether document versions may have been shown that are not saved: the disk refused the last ones,
        or whoever owned the folder was killed."""
        self._identity = opening.identity(path)
        schema = schema_version(connection)
        self._read_current = damage.READ_CURRENT[schema]
        self._read_kept = kept.READ_BY_SCHEMA[schema]

    @classmethod
    def open(cls, folder: Path | None, now: Callable[[], datetime]) -> Journal:
        """Open or create the journal in `folder` (None: the user's data folder) and own it until `close`.

        What cannot be read is renamed and named in `notices`, and a new journal begun. A file of an older
        schema is brought up, and kept as it was under another name. StoreError of one line when the folder
        cannot be used, another process owns it, or a newer program wrote the file.
        """
        folder = data_folder(folder)
        open_folder(folder)
        return cls._open_locked(folder, FolderLock(folder), now)

    @classmethod
    def _open_locked(cls, folder: Path, lock: FolderLock, now: Callable[[], datetime]) -> Journal:
        try:
            path = folder / DATABASE_NAME
            notices = opening.clear_the_way(path, now())
            if not os.path.lexists(path):
                # The document version never falls, and what it was is lost with the old file: versions count
                # changes, far fewer than one a second over the years: the seconds since 1970 exceed them.
                opening.create(path, int(now().timestamp()) if notices else 0)
            witness = WalWitness(path)
            connection, frames_count, said = opening.connect(path)
        except BaseException:
            lock.release()
            raise
        journal = cls(path, connection, lock, now, [*notices, *said])
        if witness.unread(frames_count):
            try:
                journal.notices.append(witness.keep(now()))
            except BaseException:
                journal.close()
                raise
        return journal

    @classmethod
    def open_beside(cls, folder: Path | None, now: Callable[[], datetime]) -> Journal:
        """Like `open`, but where another process owns the folder, write beside it for a moment.

        `is_owner` tells which it was. StoreError like `open`, and when the other process is of a version that
        keeps its journal in another form.
        """
        folder = data_folder(folder)
        open_folder(folder)
        try:
            lock = FolderLock(folder)
        except FolderInUseError:
            path = folder / DATABASE_NAME
            return cls(path, opening.connect_beside(path), None, now, [])
        return cls._open_locked(folder, lock, now)

    @classmethod
    def open_reading(cls, folder: Path | None, now: Callable[[], datetime]) -> Journal:
        """Read the journal as it is at this moment, whoever owns the folder; nothing there is changed.

        A folder without a journal reads like one without games. StoreError when it cannot be read.
        """
        path = data_folder(folder) / DATABASE_NAME
        return cls(path, opening.connect_reading(path), None, now, [])

    @property
    def is_owner(self) -> bool:
        """Whether no other process owns the folder."""
        return self._folder_lock is not None

    def close(self) -> None:
        """Give file and folder up; closing again does nothing."""
        with self._mutex:
            self._connection.close()
            if self._folder_lock is not None:
                self._folder_lock.release(done=not self.is_behind)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def begin_game(self, game: str, pinned: dict[str, Any], version: int | None = None) -> str:
        """Begin a game, which is the current one from now on; its id. `pinned` never changes afterwards."""
        text = encode_body(pinned, MAX_PINNED_BYTES)
        with self._transaction() as run:
            game_id = self._add_game(run, game, text)
            _set_document(run, version, game_id)
        return game_id

    def import_game(self, game: str, pinned: dict[str, Any], entries: Iterable[Entry]) -> str:
        """Keep a whole game that was played elsewhere, put aside; its id. StoreError keeps nothing of it."""
        text = encode_body(pinned, MAX_PINNED_BYTES)
        rows = _encoded(entries)
        with self._transaction() as run:
            game_id = self._add_game(run, game, text)
            self._add_entries(run, game_id, rows)
        return game_id

    def current_game(self) -> StoredGame | None:
        """The game that is being played, or None when there is none or it was put aside."""
        ((game_id,),) = self._read((self._read_current, ()))
        return None if game_id is None else self.game(game_id)

    def game(self, game_id: str) -> StoredGame | None:
        """The game of that id; None when none is kept."""
        (current,), *rows = self._read((self._read_current, ()), (damage.READ_GAME, (game_id,)))
        return self._game(rows[0], current) if rows else None

    def games(self) -> list[StoredGame]:
        """Every game that is kept, oldest first."""
        (current,), *rows = self._read((self._read_current, ()), (damage.READ_GAMES, ()))
        return [self._game(row, current) for row in rows]

    def last_played(self) -> StoredGame | None:
        """The game that tells the newest of the board, or the newest one where none tells of it."""
        ((game_id,),) = self._read((damage.READ_LAST_PLAYED, ()))
        return None if game_id is None else self.game(game_id)

    def put_aside(self, version: int | None = None) -> None:
        """Leave the current game as it is: none is current until the next begins or one is resumed."""
        with self._transaction() as run:
            _set_document(run, version, None)

    def resume(self, game_id: str, entries: Iterable[Entry] = (), version: int | None = None) -> None:
        """Make a game the current one again, put aside what was, and add entries to it, all or nothing.

        StoreError when there is no such game.
        """
        rows = _encoded(entries)
        with self._transaction() as run:
            self._number_of(run, game_id)
            self._add_entries(run, game_id, rows)
            _set_document(run, version, game_id)

    def delete(self, game_id: str) -> None:
        """Delete a game with all its entries. StoreError when there is none such, or it is current."""
        with self._transaction() as run:
            number = self._number_of(run, game_id)
            if run("SELECT current FROM document").fetchone()[0] == game_id:
                raise StoreError("the game that is being played is not deleted: put it aside first")
            (count,) = run("SELECT count(*) FROM entries WHERE game_id = ?", (game_id,)).fetchone()
            # That it was there stays known: rows that are missing without such a note are damage.
            row = (number, game_id, self._wall_time(), count)
            run("INSERT INTO deleted VALUES (?, ?, ?, ?, ?)", (*row, checksum(*row)))
            run("DELETE FROM entries WHERE game_id = ?", (game_id,))
            run("DELETE FROM games WHERE game_id = ?", (game_id,))

    def append(self, entries: Iterable[Entry], version: int | None) -> tuple[StoredEntry, ...]:
        """Add entries to the current game and save the document version, all or nothing.

        When it returns, a power cut no longer takes them away. StoreError when the disk refuses, and then
        nothing of it is kept: the same call may be made again. ValueError when the version would fall.
        """
        rows = _encoded(entries)
        stored: list[StoredEntry] = []
        with self._transaction() as run:
            if rows:
                (game_id,) = run("SELECT current FROM document").fetchone()
                if game_id is None:
                    raise StoreError("cannot keep an entry: no game has begun")
                stored = self._add_entries(run, game_id, rows)
            _raise_version(run, version)
        return tuple(stored)

    def entries(self, game_id: str) -> Iterator[StoredEntry]:
        """The entries of a game, oldest first.

        StoreError at the first that is not what was written, and when the game is deleted meanwhile.
        """
        seq = 0
        while rows := self._read((damage.READ_ENTRIES, (game_id, seq, PAGE_COUNT))):
            for row in rows:
                if not damage.entry_is_whole(row):
                    raise self._garbled(f"entry {row[0]}")
                seq, wall_time, kind, at_ms, text = row[:5]
                yield StoredEntry(seq, wall_time, EntryKind(kind), at_ms, json.loads(text))
        if seq and not self._read((damage.READ_GAME, (game_id,))):
            raise StoreError("the game was deleted while it was read")

    def kept(self, game: str) -> dict[str, dict[str, Any]]:
        """What is kept for a game, by name, in the order in which the names came.

        StoreError when one is not what was written; `kept_readable` gives the others.
        """
        bodies, garbled = self.kept_readable(game)
        if garbled:
            raise StoreError(f"cannot read {one_line(self.path)}: {garbled[0]}")
        return bodies

    def kept_readable(self, game: str) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """Like `kept`: what can be read of it, and a line for each that cannot."""
        return kept.parse_rows(self._read((self._read_kept, (game,))))

    def keep(self, game: str, name: str, body: Mapping[str, Any]) -> None:
        """Keep a JSON object for a game under a name, in the place of what was kept under it.

        StoreError when it is too much, or what was kept there is garbled; then that stays as it is.
        """
        with self._transaction() as run:
            kept.write(run, game, name, body, self._wall_time())

    def forget(self, game: str, name: str) -> None:
        """Keep it no longer, whether it can be read or not. StoreError when there is none such."""
        with self._transaction() as run:
            kept.erase(run, game, name)

    def version(self) -> int:
        """The document version saved last; 0 in a new journal."""
        return int(self._read((READ_VERSION, ()))[0][0])

    def save_version(self, version: int) -> None:
        """Save the document version alone. ValueError when it would fall."""
        with self._transaction() as run:
            _raise_version(run, version)

    def _wall_time(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="milliseconds")

    def _add_game(self, run: Run, game: str, pinned: str) -> str:
        game_id = uuid.uuid4().hex
        (last,) = run("SELECT last_number FROM document").fetchone()
        row = (last + 1, game_id, game, pinned, self._wall_time())
        run("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", (*row, checksum(*row)))
        return game_id

    def _add_entries(self, run: Run, game_id: str, rows: list[_EncodedEntry]) -> list[StoredEntry]:
        wall_time = self._wall_time()
        (last,) = run("SELECT last_seq FROM document").fetchone()
        stored = []
        for seq, (kind, at_ms, text) in enumerate(rows, last + 1):
            check = checksum(seq, wall_time, kind, at_ms, text, game_id)
            row = (seq, game_id, kind.value, at_ms, wall_time, text, check)
            run("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            stored.append(StoredEntry(seq, wall_time, kind, at_ms, json.loads(text)))
        return stored

    def _number_of(self, run: Run, game_id: str) -> int:
        row = run("SELECT number FROM games WHERE game_id = ?", (game_id,)).fetchone()
        if row is None:
            raise StoreError(f"there is no game {quoted(game_id)} in {one_line(self.path)}")
        return int(row[0])

    def _game(self, row: tuple[Any, ...], current: str | None) -> StoredGame:
        if not damage.game_is_whole(row):
            raise self._garbled(f"game {row[0]}")
        number, game_id, game, pinned, started, _, changed, last_seq = row
        put_aside = game_id != current
        return StoredGame(number, game_id, game, json.loads(pinned), started, put_aside, changed, last_seq)

    def _garbled(self, what: str) -> StoreError:
        return StoreError(
            f"cannot read {what} of {one_line(self.path)}: it is garbled on disk; nothing was changed, "
            "put back an older copy of the file or move it away"
        )

    def _read(self, *queries: tuple[str, tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """The rows of all queries with their values; no append of this process comes between them."""
        with self._mutex:
            try:
                return [row for query, values in queries for row in self._connection.execute(query, values)]
            except sqlite3.Error as exc:
                raise store_error("read", self.path, exc) from exc

    @contextmanager
    def _transaction(self) -> Iterator[Run]:
        """Run what is done with the value it gives as one durable transaction, or not at all."""
        with self._mutex:
            was_behind, self.is_behind = self.is_behind, True
            if opening.identity(self.path) != self._identity:
                raise StoreError(
                    f"cannot write {one_line(self.path)}: it was moved, removed or replaced while in use; "
                    "put it back, or start again to go on with what is there now"
                )
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                before = self._saved_version()
                yield self._connection.execute
                is_higher = self._saved_version() > before
                self._connection.execute("COMMIT")
                self.is_behind = was_behind and not is_higher
            except sqlite3.Error as exc:
                self._roll_back()
                raise store_error("write", self.path, exc) from exc
            except BaseException:
                self._roll_back()
                raise

    def _saved_version(self) -> int:
        return int(self._connection.execute(READ_VERSION).fetchone()[0])

    def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            # SQLite rolls back by itself when the disk is full or fails; the first error is the news.
            return


def _encoded(entries: Iterable[Entry]) -> list[_EncodedEntry]:
    return [(EntryKind(e.kind), e.at_ms, encode_body(e.body)) for e in entries]


def _set_document(run: Run, version: int | None, current: str | None) -> None:
    run("UPDATE document SET current = ?", (current,))
    _raise_version(run, version)


def _raise_version(run: Run, version: int | None) -> None:
    if version is None:
        return
    (saved,) = run(READ_VERSION).fetchone()
    if version < saved:
        raise ValueError(f"the document version never falls: {saved} is saved, {version} was given")
    run("UPDATE document SET version = ?", (version,))
