"""A session written down as it happens, for `tablewire replay`: every call of a core, and what came of it.

Owns the lines of a capture and the core that tells them. Must not know files, rules, or what a frame says
beyond its name.

A capture is JSON Lines. The first line is the header, with where the journal stood; as many entries as it
says follow. Then come the calls, in order, each with its time in milliseconds since the start:

    {"ms": 0, "start": true}                         the start itself
    {"ms": 40, "link": "opened", "port": "/dev/ttyACM0", "kind": "serial", "tried": []}
    {"ms": 41, "link": "lost", "reason": "..", "tried": [["/dev/ttyS0", "no answer"]]}
    {"ms": 42, "link": "trying", "text": ".."}       where a board is looked for
    {"ms": 43, "link": "resumed"}                    the computer has slept
    {"ms": 52, "in": "00ab..00", "names": ["Hello"]} bytes from the board, and the messages that end in them
    {"ms": 52, "out": "00..", "names": ["Ack"]}      bytes to the board; also when there were none
    {"ms": 900, "act": "undo", "body": {}}           an operator's action
    {"ms": 5, "begin": {"record": 1, ...}}           a game begun by the command line

and after each call what came of it:

    {"answer": 200}                                  the status of an action
    {"refused": 0, "text": "..."}                    the call's first use of the journal failed so
    {"kept_for": "ligretto", "bodies": {...}}        what the journal keeps for a game, as it was read
    {"shown": 7, "game_id": "..", "page": "..", "record": ".."}   version, digests of the game's part of the
                                                     document and of its record
    {"broke": "ValueError: ..."}                     an error of the program's own

Before an action that needs a game of the journal, {"kept": {...}, "entries": 2} and its entries tell it.
{"end": 1000} is the last line of a capture that was not broken off.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Protocol, TypeVar, get_args

from tablewire import __version__
from tablewire.board.timing import DEFAULT_TIMING, Timing
from tablewire.capture_file import Line
from tablewire.core import Core
from tablewire.entries import Entry
from tablewire.errors import StoreError
from tablewire.keeping import Start, Store, entry_of, read_start
from tablewire.outcome import Outcome
from tablewire.showing import Tried
from tablewire.store.entries import StoredEntry, StoredGame
from tablewire.wire.frame import Decoder
from tablewire.wire.messages import BoardMessage, HostMessage

FORM = 1
"""The version of a capture's form."""

T = TypeVar("T")

NAMES_IN = {message.TYPE: message.__name__ for message in get_args(BoardMessage)}
NAMES_OUT = {message.TYPE: message.__name__ for message in get_args(HostMessage)}
"""What the messages of each side are called, by the type in their frame."""


class Lines(Protocol):
    """Where a capture is written; `capture_file.CaptureFile` is one."""

    trouble: str | None

    def write(self, lines: Iterable[Line]) -> None:
        """Write these lines; never waits."""


class StoreAround:
    """A store whose every use goes through one function."""

    def __init__(self, store: Store, through: Callable[[Callable[[], Any]], Any]) -> None:
        self.notices = store.notices
        self.is_behind = store.is_behind
        self._store = store
        self._through = through

    def current_game(self) -> StoredGame | None:
        """See `Store`, as with all that follow."""
        return self._use(self._store.current_game)

    def game(self, game_id: str) -> StoredGame | None:
        return self._use(lambda: self._store.game(game_id))

    def last_played(self) -> StoredGame | None:
        return self._use(self._store.last_played)

    def entries(self, game_id: str) -> Iterator[StoredEntry]:
        return iter(self._use(lambda: list(self._store.entries(game_id))))

    def version(self) -> int:
        return self._use(self._store.version)

    def save_version(self, version: int) -> None:
        self._use(lambda: self._store.save_version(version))

    def append(self, entries: Iterable[Entry], version: int | None) -> object:
        return self._use(lambda: self._store.append(entries, version))

    def begin_game(self, game: str, pinned: dict[str, Any], version: int | None = None) -> str:
        return self._use(lambda: self._store.begin_game(game, pinned, version))

    def put_aside(self, version: int | None = None) -> None:
        self._use(lambda: self._store.put_aside(version))

    def resume(self, game_id: str, entries: Iterable[Entry] = (), version: int | None = None) -> object:
        return self._use(lambda: self._store.resume(game_id, entries, version))

    def kept(self, game: str) -> Mapping[str, Mapping[str, Any]]:
        return self._use(lambda: self._store.kept(game))

    def keep(self, game: str, name: str, body: Mapping[str, Any]) -> None:
        self._use(lambda: self._store.keep(game, name, body))

    def forget(self, game: str, name: str) -> None:
        self._use(lambda: self._store.forget(game, name))

    def _use(self, call: Callable[[], T]) -> T:
        value: T = self._through(call)
        return value


class StoreTelling(StoreAround):
    """One that also tells what is kept for a game, whenever that is read."""

    def __init__(
        self, store: Store, through: Callable[[Callable[[], Any]], Any], note: Callable[[Line], None]
    ) -> None:
        super().__init__(store, through)
        self._note = note

    def kept(self, game: str) -> Mapping[str, Mapping[str, Any]]:
        bodies = super().kept(game)
        if bodies:
            self._note({"kept_for": game, "bodies": bodies})
        return bodies


class WatchedCore(Core):
    """A core that tells each document with the record of the game as it is then."""

    def __init__(
        self,
        journal: Store,
        tell: Callable[[int, dict[str, Any], str], None],
        port: str,
        timing: Timing,
        start: Start,
    ) -> None:
        def publish(version: int, document: dict[str, Any]) -> None:
            tell(version, document, self.table.record())

        super().__init__(journal, publish, port, timing, start)


class CapturedCore(WatchedCore):
    """A core that writes down all that it is told, and what it does. `clock_ms` is the host's."""

    def __init__(
        self,
        journal: Store,
        publish: Callable[[int, dict[str, Any]], None],
        port: str,
        timing: Timing = DEFAULT_TIMING,
        *,
        lines: Lines,
        clock_ms: Callable[[], int],
        at: str,
    ) -> None:
        """`at` is the wall time at the start, ISO 8601. Else as for `Core`."""
        start = read_start(journal)
        self._lines = lines
        self._clock_ms = clock_ms
        self._start_ms = clock_ms()
        self._came_of_it: list[Line] | None = None
        self._uses_count = 0
        self._is_told = self._is_over = False
        self._names_in, self._names_out = Names(NAMES_IN), Names(NAMES_OUT)
        self._known_ids = {None if start.game is None else start.game.game_id}
        self._before = journal
        lines.write(header_lines(start, port, timing, at))

        def tell(version: int, document: dict[str, Any], record: str) -> None:
            self._note(shown_line(version, document, record))
            self._known_ids.add(document["game_id"])
            publish(version, document)

        with self._call({"ms": 0, "start": True}):
            super().__init__(StoreTelling(journal, self._use, self._note), tell, port, timing, start)

    # Calls

    def link_opened(
        self, now_ms: int, port: str | None = None, kind: str = "serial", tried: Tried = ()
    ) -> None:
        """As `Core.link_opened`."""
        line = {"ms": self._ms(now_ms), "link": "opened", "port": port, "kind": kind, "tried": list(tried)}
        with self._call(line):
            self._names_in.decoder.forget()
            super().link_opened(now_ms, port, kind, tried)

    def link_resumed(self, now_ms: int) -> None:
        """As `Core.link_resumed`."""
        with self._call({"ms": self._ms(now_ms), "link": "resumed"}):
            super().link_resumed(now_ms)

    def link_trying(self, now_ms: int, text: str) -> None:
        """As `Core.link_trying`."""
        with self._call({"ms": self._ms(now_ms), "link": "trying", "text": text}):
            super().link_trying(now_ms, text)

    def link_lost(self, now_ms: int, reason: str, tried: Tried = ()) -> None:
        """As `Core.link_lost`."""
        line = {"ms": self._ms(now_ms), "link": "lost", "reason": reason, "tried": list(tried)}
        with self._call(line):
            super().link_lost(now_ms, reason, tried)

    def receive(self, chunk: bytes, now_ms: int) -> None:
        """As `Core.receive`."""
        names = self._names_in.of(chunk)
        with self._call({"ms": self._ms(now_ms), "in": chunk.hex(), "names": names}):
            super().receive(chunk, now_ms)

    def data_to_send(self, now_ms: int) -> bytes:
        """As `Core.data_to_send`. The capture's own trouble comes onto the page here."""
        if self._lines.trouble is not None and not self._is_told:
            self._is_told = True
            self.notice(self._lines.trouble)
        with self._call(None):
            data = b""
            try:
                data = super().data_to_send(now_ms)
            finally:
                said: Line = {"names": self._names_out.of(data)} if data else {}
                self._came_of_it = [
                    {"ms": self._ms(now_ms), "out": data.hex(), **said},
                    *(self._came_of_it or ()),
                ]
        return data

    def act(self, name: str, body: Mapping[str, Any]) -> Outcome:
        """As `Core.act`."""
        if name == "resume_game":
            self._tell_kept(body.get("game_id"))
        with self._call({"ms": self._ms(self._clock_ms()), "act": name, "body": body}):
            outcome = super().act(name, body)
            self._note({"answer": outcome.status})
        return outcome

    def begin(self, header: Mapping[str, Any]) -> None:
        """As `Core.begin`; one that an action asks for is told as that action."""
        if self._came_of_it is not None:
            super().begin(header)
            return
        with self._call({"ms": self._ms(self._clock_ms()), "begin": header}):
            super().begin(header)

    def prepare(self, game_id: object) -> None:
        """Nothing: a replay has one thread, and reads the game where the action asks for it."""

    # Telling

    def end(self) -> None:
        """The session is over, and was not broken off. May be told twice."""
        if not self._is_over:
            self._is_over = True
            self._lines.write([{"end": self._ms(self._clock_ms())}])

    @contextmanager
    def _call(self, line: Line | None) -> Iterator[None]:
        """One call: told before it is made, so that one that breaks the program is in the file too."""
        if line is not None:
            self._lines.write([line])
        self._came_of_it, self._uses_count = [], 0
        try:
            yield
        except Exception as exc:
            self._note({"broke": f"{type(exc).__name__}: {exc}"})
            raise
        finally:
            came_of_it, self._came_of_it = self._came_of_it or [], None
            if came_of_it:
                self._lines.write(came_of_it)

    def _note(self, line: Line) -> None:
        if self._came_of_it is not None:
            self._came_of_it.append(line)

    def _use(self, call: Callable[[], T]) -> T:
        self._uses_count += 1
        try:
            return call()
        except StoreError as exc:
            self._note({"refused": self._uses_count - 1, "text": str(exc)})
            raise

    def _tell_kept(self, game_id: object) -> None:
        """A game that is about to be gone on with, unless it was played in this capture."""
        if not isinstance(game_id, str) or game_id in self._known_ids:
            return
        try:
            game = self._before.game(game_id)
            entries = tuple(map(entry_of, self._before.entries(game_id)))
        except StoreError:
            return  # the action will meet it as well
        if game is not None:
            self._lines.write([{"kept": game_line(game), "entries": len(entries)}, *map(entry_line, entries)])

    def _ms(self, now_ms: int) -> int:
        return now_ms - self._start_ms


class Names:
    """The names of the messages that end in each chunk of one side's bytes."""

    def __init__(self, by_type: Mapping[int, str]) -> None:
        self.decoder = Decoder()
        self._by_type = by_type

    def of(self, chunk: bytes) -> list[str]:
        """Those of the next chunk, in order; a type that nobody knows by its number."""
        frames = self.decoder.receive_data(chunk)
        return [self._by_type.get(frame.type, f"type {frame.type}") for frame in frames]


# Lines


def header_lines(start: Start, port: str, timing: Timing, at: str) -> list[Line]:
    """The header and the entries so far."""
    header = {
        "capture": FORM,
        "tablewire": __version__,
        "at": at,
        "port": port,
        "timing": asdict(timing),
        "version": start.version,
        "masked": sorted(start.masked),
        "trouble": start.trouble,
        "game": None if start.game is None else game_line(start.game),
        "entries": len(start.entries),
    }
    return [header, *map(entry_line, start.entries)]


def game_line(game: StoredGame) -> dict[str, Any]:
    """A game as it was begun."""
    return {"game_id": game.game_id, "game": game.game, "pinned": game.pinned}


def entry_line(entry: Entry) -> Line:
    """One entry of a game."""
    return {"entry": [entry.kind.value, entry.at_ms, entry.body]}


def shown_line(version: int, document: Mapping[str, Any], record: str) -> Line:
    """A document that was shown."""
    around = ("version", "game_id", "notices", "link")
    game = {key: value for key, value in document.items() if key not in around}
    page = digest(json.dumps(game, sort_keys=True))
    return {"shown": version, "game_id": document["game_id"], "page": page, "record": digest(record)}


def digest(text: str) -> str:
    """Enough of a hash to tell any two pages of an evening apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
