"""The append-only journal of a table: what it has returned for is on disk, whatever happens next.

Owns the database file table.sqlite3 of one data folder: opening, creating, appending, reading back. Must not
know what an entry means, nor rules, links or pages. Any thread may call it; calls take turns.

Time comes from the `now` it is given. A power cut, a full disk or a kill leaves the state after some
`append`, never half of one.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tablewire.entries import Entry, EntryKind
from tablewire.errors import StoreError, one_line
from tablewire.store import damage
from tablewire.store.entries import (
    MAX_PINNED_BYTES,
    StoredEntry,
    StoredGame,
    checksum,
    encode_body,
)
from tablewire.store.faults import DATABASE_NAME, store_error
from tablewire.store.folder import FolderLock, data_folder, open_folder
from tablewire.store.schema import APPLICATION_ID, upgrade

BUSY_TIMEOUT_MS = 5_000
"""Nobody else writes; a person's backup or look with another program may hold the file for a moment."""

BUSY_WRITE_TIMEOUT_MS = 200
"""While a table is played, whoever appends waits for the file, and the table with it. What comes from the
board is tried again each second, which must leave most of the second for everything else."""

PAGE_COUNT = 500
"""Entries fetched at once: reading a long history must not hold up an append."""


class Journal:
    """One data folder's journal; make it with `Journal.open`. `notices` are lines a person should see."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        lock: FolderLock,
        now: Callable[[], datetime],
        notices: list[str],
    ) -> None:
        """For `open` only."""
        self.path = path
        self.notices = notices
        self._connection = connection
        self._folder_lock = lock
        self._now = now
        self._mutex = threading.Lock()
        self._identity = _identity(path)

    @classmethod
    def open(cls, folder: Path | None, now: Callable[[], datetime]) -> Journal:
        """Open or create the journal in `folder` (None: the user's data folder) and own it until `close`.

        What cannot be read is renamed and named in `notices`, and a new journal begun. StoreError of one line
        when the folder cannot be used, another process owns it, or a newer program wrote the file.
        """
        folder = data_folder(folder)
        open_folder(folder)
        lock = FolderLock(folder)
        try:
            path = folder / DATABASE_NAME
            notices = _clear_the_way(path, now())
            if not os.path.lexists(path):
                # The document version never falls, and what it was is lost with the old file: versions count
                # changes, far fewer than one a second over the years: the seconds since 1970 exceed them.
                _create(path, int(now().timestamp()) if notices else 0)
            witness = damage.WalWitness(path)
            connection, frames_count = _connect(path)
        except BaseException:
            lock.release()
            raise
        journal = cls(path, connection, lock, now, notices)
        if witness.unread(frames_count):
            try:
                notices.append(witness.keep(now()))
            except BaseException:
                journal.close()
                raise
        return journal

    def close(self) -> None:
        """Give file and folder up; closing again does nothing."""
        with self._mutex:
            self._connection.close()
            self._folder_lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def begin_game(self, game: str, pinned: dict[str, Any], version: int | None = None) -> str:
        """Begin a game, which is the current one from now on; its id. `pinned` never changes afterwards."""
        text = encode_body(pinned, MAX_PINNED_BYTES)
        game_id = uuid.uuid4().hex
        with self._transaction() as run:
            (last,) = run("SELECT coalesce(max(number), 0) FROM games").fetchone()
            row = (last + 1, game_id, game, text, self._wall_time())
            run("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, NULL)", (*row, checksum(*row)))
            _raise_version(run, version)
        return game_id

    def current_game(self) -> StoredGame | None:
        """The game begun last, or None when there is none or it was put aside."""
        rows = self._read(damage.READ_NEWEST_GAME)
        games = [self._game(row) for row in rows]
        return games[0] if games and not games[0].put_aside else None

    def games(self) -> list[StoredGame]:
        """Every game ever begun, oldest first."""
        rows = self._read(damage.READ_GAMES)
        return [self._game(row) for row in rows]

    def put_aside(self, version: int | None = None) -> None:
        """Leave the current game as it is: no game is current until the next begins. Its entries stay."""
        with self._transaction() as run:
            run(
                "UPDATE games SET put_aside = ? "
                "WHERE number = (SELECT max(number) FROM games) AND put_aside IS NULL",
                (self._wall_time(),),
            )
            _raise_version(run, version)

    def append(self, entries: Iterable[Entry], version: int | None) -> tuple[StoredEntry, ...]:
        """Add entries to the current game and save the document version, all or nothing.

        When it returns, a power cut no longer takes them away. StoreError when the disk refuses, and then
        nothing of it is kept: the same call may be made again. ValueError when the version would fall.
        """
        rows = [(EntryKind(e.kind), e.at_ms, encode_body(e.body)) for e in entries]
        stored = []
        with self._transaction() as run:
            wall_time = self._wall_time()
            game = run("SELECT game_id, put_aside FROM games ORDER BY number DESC LIMIT 1").fetchone()
            if rows and (game is None or game[1] is not None):
                raise StoreError("cannot keep an entry: no game has begun")
            (last,) = run("SELECT coalesce(max(seq), 0) FROM entries").fetchone()
            for seq, (kind, at_ms, text) in enumerate(rows, last + 1):
                check = checksum(seq, wall_time, kind, at_ms, text, game[0])
                run(
                    "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (seq, game[0], kind.value, at_ms, wall_time, text, check),
                )
                stored.append(StoredEntry(seq, wall_time, kind, at_ms, json.loads(text)))
            _raise_version(run, version)
        return tuple(stored)

    def entries(self, game_id: str) -> Iterator[StoredEntry]:
        """The entries of a game, oldest first. StoreError at the first that is not what was written."""
        seq = 0
        while rows := self._read(damage.READ_ENTRIES, (game_id, seq, PAGE_COUNT)):
            for row in rows:
                if not damage.entry_is_whole(row):
                    raise self._garbled(f"entry {row[0]}")
                seq, wall_time, kind, at_ms, text = row[:5]
                yield StoredEntry(seq, wall_time, EntryKind(kind), at_ms, json.loads(text))

    def version(self) -> int:
        """The document version saved last; 0 in a new journal."""
        return int(self._read("SELECT version FROM document")[0][0])

    def save_version(self, version: int) -> None:
        """Save the document version alone. ValueError when it would fall."""
        with self._transaction() as run:
            _raise_version(run, version)

    def _wall_time(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="milliseconds")

    def _game(self, row: tuple[Any, ...]) -> StoredGame:
        if not damage.game_is_whole(row):
            raise self._garbled(f"game {row[0]}")
        number, game_id, game, pinned, started, _, put_aside = row
        return StoredGame(number, game_id, game, json.loads(pinned), started, put_aside is not None)

    def _garbled(self, what: str) -> StoreError:
        return StoreError(
            f"cannot read {what} of {one_line(self.path)}: it is garbled on disk; nothing was changed, "
            "put back an older copy of the file or move it away"
        )

    def _read(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._mutex:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as exc:
                raise store_error("read", self.path, exc) from exc

    @contextmanager
    def _transaction(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        """Run what is done with the value it gives as one durable transaction, or not at all."""
        with self._mutex:
            if _identity(self.path) != self._identity:
                raise StoreError(
                    f"cannot write {one_line(self.path)}: it was moved, removed or replaced while in use; "
                    "put it back, or start again to go on with what is there now"
                )
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection.execute
                self._connection.execute("COMMIT")
            except sqlite3.Error as exc:
                self._roll_back()
                raise store_error("write", self.path, exc) from exc
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            # SQLite rolls back by itself when the disk is full or fails; the first error is the news.
            return


def _identity(path: Path) -> tuple[int, int] | None:
    """The file at `path`. SQLite goes on writing into one that has gone from there, without a word."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _raise_version(run: Callable[..., sqlite3.Cursor], version: int | None) -> None:
    if version is None:
        return
    (saved,) = run("SELECT version FROM document").fetchone()
    if version < saved:
        raise ValueError(f"the document version never falls: {saved} is saved, {version} was given")
    run("UPDATE document SET version = ?", (version,))


def _clear_the_way(path: Path, at: datetime) -> list[str]:
    """Set aside what cannot be read; the lines that say so."""
    if damage.orphans(path):
        return [damage.set_aside(path, "its main file is gone", at)]
    if not os.path.lexists(path):
        return []
    for suffix in ("", *damage.COMPANIONS):
        file = Path(f"{path}{suffix}")
        if file.is_file() and not os.access(file, os.R_OK | os.W_OK):
            raise store_error("open", file, PermissionError())
    why = damage.find_damage(path)
    return [] if why is None else [damage.set_aside(path, why, at)]


def _create(path: Path, version: int) -> None:
    """Make an empty journal under another name and move it into place: a kill leaves none or a whole one."""
    draft = path.with_suffix(".new")
    try:
        draft.unlink(missing_ok=True)
        Path(f"{draft}-journal").unlink(missing_ok=True)
        with closing(damage.connect(draft, "rwc")) as connection:
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            upgrade(connection)
            connection.execute("UPDATE document SET version = ?", (version,))
        draft.rename(path)
        _sync_folder(path.parent)
    except (sqlite3.Error, OSError) as exc:
        raise store_error("create", path, exc) from exc


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _connect(path: Path) -> tuple[sqlite3.Connection, int]:
    """Open for writing, bring to the newest schema, prove that it can be written.

    With it comes the number of frames that SQLite replayed from the write-ahead log.
    """
    try:
        connection = damage.connect(path, "rw")
        try:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")
            frames_count = max(0, connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1])
            upgrade(connection)
            connection.execute("UPDATE document SET version = version")
            connection.execute(f"PRAGMA busy_timeout = {BUSY_WRITE_TIMEOUT_MS}")
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as exc:
        raise store_error("open", path, exc) from exc
    return connection, frames_count
