"""The daemon without its threads: bytes and actions in, bytes and documents out, everything kept on the way.

Owns the order *keep, then show, acknowledge and signal*, the document's version, and when to ask the board
for the time. Must not know ports, threads, HTTP or any one game. The host's monotonic clock is an argument;
it says when to ask, never what happened: that is table time's.

Nothing is lost when the disk refuses: what could not be kept is neither acknowledged nor shown, waits here,
and is tried again; the board repeats the rest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from tablewire import keeping
from tablewire.asking import Asking
from tablewire.board.lies import Lies
from tablewire.board.timing import DEFAULT_TIMING, Timing
from tablewire.entries import Entry
from tablewire.errors import StoreError, UserError, quoted
from tablewire.games.catalogue import DEFAULT_GAME
from tablewire.games.live import Refusal, Told
from tablewire.keeping import Prepared, Start, Store, time_passed
from tablewire.outcome import Outcome, not_now, refused
from tablewire.showing import Page, Tried
from tablewire.signals import Signals
from tablewire.store.entries import UNSAVED_VERSIONS_MAX, StoredGame
from tablewire.table import Table, is_news
from tablewire.teaching import ACTIONS, Teaching
from tablewire.wire.observed import Changes, Complete, Observation, Sightings, Snapshot
from tablewire.wire.session import BoardFound, BoardRefused, HostSession, LinkState

KEEP_RETRY_MS = 1_000
"""How long to wait before what the disk refused is tried again: a person frees a disk in seconds at best."""
MAX_WAITING = 256
"""Observations waiting for the disk. The board holds back while a batch is unacknowledged, so few come."""


_Part = dict[str, Any]
_NOTHING = (None, None, None)
"""What a document was made of before any: composing takes milliseconds, and mostly nothing has changed."""


class Core:
    """One table, its journal and its session with the board. For one thread."""

    def __init__(
        self,
        journal: Store,
        publish: Callable[[int, dict[str, Any]], None],
        port: str,
        timing: Timing = DEFAULT_TIMING,
        start: Start | None = None,
    ) -> None:
        """Go on with the journal's current game; `start` is where the journal stands, if that is known.

        A game that this version cannot go on with stays what it is, and none is played until another is
        begun or resumed; `trouble` says so. StoreError when the journal cannot be read at all.
        """
        start = start or keeping.read_start(journal)
        self._journal = journal
        self._prepared: Prepared | None = None
        self._page = Page(publish, port, journal.notices, start.version)
        self._game_id: str | None = None
        self._timing = timing
        self._table = Table(Lies(timing=timing, masked=start.masked))
        if start.game is not None:
            self._take_up(start.game, start)
        self._kept_ms = self._table.lies.now_ms
        self._teaching = Teaching.read(journal)
        self.session = HostSession(keeping.known_of(self._table.lies))
        self._waiting: deque[Observation] = deque()
        self._retry_ms: int | None = None
        self._unanswered: str | None = None
        self._asking = Asking()
        self._signals = Signals(self.session)
        self._looked: tuple[object, ...] = _NOTHING
        self.show()

    def _take_up(self, game: StoredGame, start: Start) -> None:
        """Go on with the game in progress, if this version can."""
        try:
            self._table = keeping.take_up(game, start, self._timing)
            self._game_id = game.game_id
        except (UserError, StoreError) as exc:
            self._page.say(trouble=f"game {game.game_id[:8]} cannot be gone on with: {exc}")

    # What is so

    @property
    def table(self) -> Table:
        """The table as kept on disk, plus the passing of time."""
        return self._table

    @property
    def version(self) -> int:
        """The version of the document shown last."""
        return self._page.version

    @property
    def game_id(self) -> str | None:
        """The current game; None when there is none, or none that this version can go on with."""
        return self._game_id

    @property
    def trouble(self) -> str | None:
        """Why the journal's current game is not played, in one line."""
        return self._page.around.trouble

    def document(self) -> dict[str, Any]:
        """The whole state document as last shown."""
        return {**(self._page.shown or {}), "version": self.version}

    def notice(self, text: str) -> None:
        """Show this line on the page from now on."""
        self._page.say(notices=(*self._page.around.notices, text))
        self.show()

    # The link

    def link_opened(
        self, now_ms: int, port: str | None = None, kind: str = "serial", tried: Tried = ()
    ) -> None:
        """The link is open, at `port` if it was not known before; `kind` is what it goes over.

        `tried`: the other places where a board was looked for, and why none is used there.
        """
        named = {} if port is None else {"port": port}
        # Where nobody answered, nothing is better yet because the link was made anew.
        self._page.say(link_text=self._unanswered, tried=tuple(tried), link_kind=kind, **named)
        self.session.link_opened(now_ms)
        self.show()

    def link_resumed(self, now_ms: int) -> None:
        """The computer has slept; the link may be gone without a word."""
        self.session.link_resumed(now_ms)

    def link_trying(self, now_ms: int, text: str) -> None:
        """Where a board is looked for now, in one line for the page."""
        del now_ms
        self._page.say(link_text=text)
        self.show()

    def link_lost(self, now_ms: int, reason: str, tried: Tried = ()) -> None:
        """The link failed, or could not be opened; `reason` is one line for the page.

        `tried`: each place where a board was looked for, and why none is used there.
        """
        self._unanswered = reason if self.session.is_given_up(now_ms) else None
        self._page.say(link_text=reason, tried=tuple(tried))
        self.session.link_lost(now_ms)
        self.show()

    def receive(self, chunk: bytes, now_ms: int) -> None:
        """Take in bytes from the board."""
        for told in self.session.receive_data(chunk, now_ms):
            match told:
                case BoardFound(_, _, _, hello):
                    self._unanswered = None
                    self._page.say(link_text=None, board=hello.kind, readers=hello.reader_count or None)
                    self._teaching = self._teaching.greeted(hello.last_number, hello.reader_count)
                    self._signals.board_found()
                case BoardRefused(text):
                    self._page.say(link_text=text)
                case Changes() | Sightings() | Snapshot() | Complete():
                    self._asking.heard(now_ms)
                    if len(self._waiting) < MAX_WAITING or is_news(told):
                        self._waiting.append(told)
        if self._retry_ms is None or now_ms >= self._retry_ms:
            self._keep(now_ms)
        self.show()

    def data_to_send(self, now_ms: int) -> bytes:
        """The bytes to write now."""
        if self._retry_ms is not None and now_ms >= self._retry_ms:
            self._keep(now_ms)
        due_ms = self._ask_due_ms(now_ms)
        if due_ms is not None and now_ms >= due_ms:
            self._asking.asked(now_ms)
            self.session.request_status()
        if self._page.shown is not None:
            self._signals.follow(self._page.shown, self._table.lights)
        data = self.session.data_to_send(now_ms)
        self.show()
        return data

    def next_wakeup_ms(self, now_ms: int) -> int | None:
        """When `data_to_send` should be called next."""
        moments = [self.session.next_wakeup_ms(now_ms), self._retry_ms, self._ask_due_ms(now_ms)]
        return min((moment for moment in moments if moment is not None), default=None)

    def _ask_due_ms(self, now_ms: int) -> int | None:
        """When to ask the board for its time."""
        if self.session.state is not LinkState.UP:
            return None
        return self._asking.due_ms(now_ms, self._table.lies.now_ms, self._table.next_deadline_ms())

    # Keeping

    def _keep(self, now_ms: int) -> None:
        """Put what waits on disk, in order, and acknowledge it."""
        self._retry_ms = None
        while self._waiting:
            observation = self._waiting[0]
            table, entries = self._table.observe(observation)
            teaching = self._teaching.observe(observation) if self._game_id is None else self._teaching
            if observation.nonce != self._table.lies.clock.nonce:
                entries = (*time_passed(self._table.lies, self._kept_ms), *entries)
            game = self._part_of(table, teaching)
            try:
                if is_news(observation) or len(entries) > 1 or self._differs(game):
                    self._enter(table, entries, game, teaching)
                else:
                    self._pass_time(table)
            except StoreError as exc:
                self._page.say(store_text=str(exc))
                self._retry_ms = now_ms + KEEP_RETRY_MS
                return
            self._page.say(store_text=None)
            self._waiting.popleft()
            if (number := keeping.number_of(observation)) is not None:
                self.session.acknowledge(number, observation.nonce)

    def _differs(self, game: _Part) -> bool:
        """Whether a table would look different; then the time that made it so is kept, for a restart."""
        shown = self._page.shown or {}
        return any(shown.get(key) != value for key, value in game.items())

    def _pass_time(self, table: Table) -> None:
        """Take over a table that differs from the present one only in its time, and looks the same."""
        if self._looked[0] is self._table:
            self._looked = (table, *self._looked[1:])
        self._table = table

    def _enter(self, table: Table, entries: Iterable[Entry], game: _Part, teaching: Teaching) -> None:
        """Keep entries and what was learnt, then show the table they lead to, whose document is `game`.

        StoreError leaves everything as it was.
        """
        document = self._compose(game)
        teaching.keep(self._journal, self._teaching)
        version = self._page.version_of(document)
        if self._game_id is not None:
            self._journal.append(entries, version)
        elif version != self.version:
            self._journal.save_version(version)
        self._table, self._kept_ms, self._teaching = table, table.lies.now_ms, teaching
        self._looked = self._looks()
        self._page.show(document)

    # Showing

    def show(self) -> None:
        """Publish the document if anything that can be seen has changed, under the next version."""
        looks = self._looks()
        if all(new is old for new, old in zip(looks, self._looked, strict=True)):
            return
        self._looked = looks
        game = self._part_of(self._table, self._teaching)
        document = self._compose(game)
        if document == self._page.shown:
            return
        try:
            self._journal.save_version(self.version + 1)
        except StoreError as exc:
            # The page goes on with what is true, as far as a restart would begin with a higher version.
            self._page.say(store_text=str(exc))
            if self._page.unsaved_count < UNSAVED_VERSIONS_MAX:
                self._page.show(self._compose(game), is_saved=False)
            else:
                self._looked = _NOTHING
        else:
            self._page.show(document)

    def _looks(self) -> tuple[object, ...]:
        """All that a document is composed of and that may change."""
        self._page.say(state=self.session.state)
        return (self._table, self._page.around, self._teaching)

    def _part_of(self, table: Table, teaching: Teaching) -> dict[str, Any]:
        """The table's own part of the document, and what is taught while no game is played."""
        part = table.beside(self._page.readers).document()
        return {**part, **({} if table.game is not None else teaching.document())}

    def _compose(self, game: dict[str, Any]) -> dict[str, Any]:
        """The whole document around the table's own part of it."""
        self._page.say(state=self.session.state)
        return self._page.around.compose(game, self._game_id, self._table.board_kind)

    # Acting

    def act(self, name: str, body: Mapping[str, Any]) -> Outcome:
        """Carry out an operator's action."""
        act = {"new_game": self._begin, "put_aside": self._put_aside, "resume_game": self._resume}.get(name)
        try:
            if act is not None:
                return act(body)
            return self._teach(name, body) if name in ACTIONS else self._act(name, body)
        except UserError as exc:
            return Outcome(422, {"reason": "malformed", "text": str(exc)})
        except StoreError as exc:
            return Outcome(503, {"reason": "store", "text": str(exc)})

    def _act(self, name: str, body: Mapping[str, Any]) -> Outcome:
        answer = self._table.beside(self._page.readers).act(name, body)
        if isinstance(answer, Refusal):
            return refused(answer)
        if isinstance(answer, Told):
            return Outcome(200, {**answer.body, "version": self.version})
        passed = time_passed(self._table.lies, self._kept_ms)
        table, entries = self._table.enter((*passed, *answer))
        self._enter(table, entries, self._part_of(table, self._teaching), self._teaching)
        return Outcome(200, {"version": self.version})

    def _teach(self, name: str, body: Mapping[str, Any]) -> Outcome:
        taught = self._teaching.act(name, body, self._table.beside(self._page.readers), self._journal)
        if isinstance(taught, Refusal):
            return refused(taught)
        self._enter(self._table, (), self._part_of(self._table, taught), taught)
        return Outcome(200, {"version": self.version})

    # Which game is played

    def prepare(self, game_id: object) -> None:
        """Play a game through that will be gone on with, on the thread of whoever asks; for any thread.

        A long one takes seconds, which the game thread must not. What is wrong with it the action says.
        """
        with suppress(UserError, StoreError):
            if isinstance(game_id, str) and game_id != self._game_id:
                game = self._journal.game(game_id)
                self._prepared = None if game is None else keeping.prepare(self._journal, game, self._timing)

    def _begin(self, body: Mapping[str, Any]) -> Outcome:
        self.begin({"record": 1, "game": body.get("game", DEFAULT_GAME), **body})
        return Outcome(200, {"version": self.version})

    def begin(self, header: Mapping[str, Any]) -> None:
        """Begin a new game with this record header, pinned for good. UserError, StoreError."""
        game, header = keeping.pin_game(self._journal, header, self._page.readers)
        self._keep_what_waits()
        pinned = keeping.pinned_with(game, header, self._table)
        table = Table.begin(pinned, self._timing)
        self._switch(table, lambda version: self._journal.begin_game(game.name, pinned, version))

    def _put_aside(self, _body: Mapping[str, Any]) -> Outcome:
        """Play no game. What lies on the table stays known, and the session with the board goes on."""
        if self._game_id is None and self.trouble is None:
            return not_now("no_game", "no game is being played that could be put aside")
        self._keep_what_waits()
        self._switch(Table(self._table.lies), self._journal.put_aside)
        return Outcome(200, {"version": self.version})

    def _resume(self, body: Mapping[str, Any]) -> Outcome:
        """Go on with a game that was put aside, on the table as it lies now."""
        game_id = body.get("game_id")
        if not isinstance(game_id, str):
            raise UserError("'game_id' is missing: say which game to go on with")
        if game_id == self._game_id:
            return Outcome(200, {"version": self.version})
        game = self._journal.game(game_id)
        if game is None:
            return not_now("no_such_game", f"no game that is kept has the id {quoted(game_id)}")
        earlier, self._prepared = self._prepared, None
        try:
            table = keeping.prepare(self._journal, game, self._timing, earlier).table
        except UserError as exc:
            return not_now("cannot_resume", str(exc))
        self._keep_what_waits()
        table, kept = table.enter(keeping.resumed_on(self._table.lies, table.lies))

        def keep(version: int) -> str:
            self._journal.resume(game_id, kept, version)
            return game_id

        self._switch(table, keep)
        return Outcome(200, {"version": self.version})

    def _keep_what_waits(self) -> None:
        """What was observed belongs to the game that is played until now, if the disk takes it at last."""
        if self._retry_ms is not None:
            self._keep(self._retry_ms)

    def _switch(self, table: Table, keep: Callable[[int], str | None]) -> None:
        """Play this table from now on; `keep` makes it so on disk, with the version, and tells the game.

        StoreError leaves everything as it was.
        """
        # Another game is another document, whatever else it says.
        self._game_id = keep(self.version + 1)
        self._table, self._kept_ms = table, table.lies.now_ms
        self._teaching = Teaching.read(self._journal)  # a lesson ends with the game that begins
        self._page.say(trouble=None)
        self._looked = self._looks()
        self._page.show(self._compose(self._part_of(table, self._teaching)))
