"""The daemon's threads, clock and wiring. No rules.

Owns the game thread, its inbox, and how the other threads reach it. Must not know what a message, an entry or
a game is.

Threads:
- *game* (here): the only one that touches `Core`. Takes chunks, link news and actions from one inbox in the
  order of arrival, and the host's monotonic clock.
- *link*: owns the port; puts what it reads into the inbox, writes what the game thread hands it.
- *web*: waitress's loop and its workers; they read the feed and put actions into the inbox.

Nothing the game thread calls waits for a person, a browser or the port; only the disk may hold it up.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeVar

from tablewire.core import Core
from tablewire.errors import StoreError, UserError
from tablewire.link.events import Chunk, LinkEvent, Lost, Opened, Trying
from tablewire.link.faults import Tried as TriedThere
from tablewire.showing import Tried
from tablewire.web.actions import Answer, Download
from tablewire.web.feed import Feed
from tablewire.wire.account import account_of
from tablewire.wire.session import HostSession

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

ACT_TIMEOUT_S = 5.0
"""An action takes milliseconds, a slow SD card a second; after this the page says that the table is busy."""
BEGUN_TIMEOUT_S = 30.0
"""An action that has begun is waited for: told that it was not done, a person would do it twice. Only a disk
that hangs takes so long."""
BOOKS_TIMEOUT_S = 2.0
"""How long a web thread waits for another that reads the games: there are few, and the page needs some."""
IDLE_S = 1.0
"""The longest the game thread sleeps: it also looks whether it should stop."""
INBOX_CAP = 4_096
"""Chunks and actions waiting for the game thread: at 500 kbaud over a minute of a talking board."""


SLEPT_MIN_MS = 1_000
"""A shorter sleep of the computer than this is none: two clocks are not read at the same moment."""


def host_ms() -> int:
    """The host's monotonic clock: for link timers only, never for what happened on the table."""
    return time.monotonic_ns() // 1_000_000


def slept_ms() -> int:
    """How long the computer has slept since it was started; 0 where no clock tells.

    Only Linux has a clock that goes on meanwhile, beside one that does not. Elsewhere the heartbeat notices.
    """
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return 0 if clock is None else time.clock_gettime_ns(clock) // 1_000_000 - host_ms()


class Link(Protocol):
    """What the game thread needs of a link thread."""

    def start(self) -> None:
        """Open the port, and keep it open."""

    def write(self, data: bytes) -> None:
        """Hand over bytes to be written, best effort; never blocks."""

    def reopen(self, reason: str) -> None:
        """Close the link and open it anew, or try at once to open it; never blocks."""

    def close(self) -> None:
        """Give the port up and end the thread."""


class Books(Protocol):
    """What the page may ask about the games kept; `shelf.Shelf` is one. For any thread.

    None is the current game: nothing is told of it where there is none. UserError where there is no such
    game, StoreError where the disk cannot be read.
    """

    def games(self) -> list[dict[str, Any]]:
        """Every game, newest first."""

    def record(self, game_id: str | None) -> str:
        """A game as JSON Lines."""

    def audit(self, game_id: str | None) -> list[dict[str, Any]]:
        """What people did to a game besides playing it."""

    def decks(self) -> dict[str, Any]:
        """The decks that are kept, as the page is told of them."""


class Daemon:
    """The game thread around one `Core`. For the web it is the operator; `hear` is for the link thread."""

    def __init__(
        self,
        core: Core,
        feed: Feed,
        report: Callable[[str], None],
        act_timeout_s: float = ACT_TIMEOUT_S,
        books: Books | None = None,
        slept_ms: Callable[[], int] = slept_ms,
    ) -> None:
        """`slept_ms` tells how long the computer has slept so far."""
        self._books = books
        self._reading = threading.Lock()
        self._core = core
        self._act_timeout_s = act_timeout_s
        self._feed = feed
        self._report = report
        self._link: Link | None = None
        self._inbox: queue.Queue[Callable[[], None] | None] = queue.Queue(INBOX_CAP)
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)
        self._stopped = threading.Event()
        self.failed = threading.Event()
        # How often the game thread has gone round: whoever watches over it sees that it still does.
        self.turn_count = 0
        self._slept_ms = slept_ms
        self._slept_before_ms = slept_ms()
        self._is_reopening = False
        # When the board was heard last: set by the game thread, for the others.
        self._heard_ms: int | None = None

    def start(self, link: Link) -> None:
        """Start the game thread and the link thread, which calls `hear`."""
        self._link = link
        self._thread.start()
        link.start()

    def stop(self) -> None:
        """Finish what is in the inbox and end. May be called twice."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        if self._link is None:
            return  # never started: the page could not be served
        self._link.close()
        # A game thread that broke leaves a full inbox behind, which nobody empties any more.
        while self._thread.is_alive():
            with suppress(queue.Full):
                self._inbox.put(None, timeout=IDLE_S)
                self._thread.join()

    # From the link thread

    def hear(self, event: LinkEvent) -> None:
        """What the link thread has to tell."""
        match event:
            case Opened(port, kind, tried):
                self._put(lambda: self._opened(port, kind, _told(tried)))
            case Lost(reason, tried):
                self._put(lambda: self._lost(reason, _told(tried)))
            case Trying(text):
                self._put(lambda: self._core.link_trying(host_ms(), text))
            case Chunk(data):
                self._put(lambda: self._core.receive(data, host_ms()))

    # From the web threads

    def act(self, name: str, body: dict[str, Any]) -> Answer:
        """Do one action on the game thread and wait for its answer. TimeoutError."""
        if name == "resume_game":
            self._core.prepare(body.get("game_id"))
        outcome = self._ask(lambda: self._core.act(name, body))
        return Answer(outcome.status, outcome.body)

    def legal(self) -> dict[str, Any]:
        """Where the player to move may place, and of which version that is true."""
        return self._ask(lambda: {"version": self._core.version, **self._core.table.legal()})

    def games(self) -> list[dict[str, Any]]:
        """Every game kept, newest first. TimeoutError, StoreError."""
        with self._open_books() as books:
            return books.games()

    def record(self, game_id: str | None = None) -> Download:
        """A game as its record; None: the current one. TimeoutError, UserError, StoreError."""
        with self._open_books() as books:
            text = books.record(game_id)
        if not text:
            raise UserError("no game is being played: say which of those kept")
        known = game_id or self._core.game_id or "game"
        return Download(f"tablewire-{known[:8]}.jsonl", text)

    def audit(self, game_id: str | None = None) -> list[dict[str, Any]]:
        """What people did to a game besides playing it. TimeoutError, UserError, StoreError."""
        with self._open_books() as books:
            return books.audit(game_id)

    def decks(self) -> dict[str, Any]:
        """The decks that are kept now, by whichever program. TimeoutError, StoreError."""
        with self._open_books() as books:
            return books.decks()

    def health(self) -> dict[str, Any]:
        """Every sensor with what it stands for and how far it can be believed, and the line. TimeoutError."""

        def health() -> dict[str, Any]:
            account = account_of(self._core.session)
            table = self._core.table.beside(self._core.document()["link"]["readers"])
            return {**table.health(), "board": None if account is None else account.to_json()}

        return self._ask(health)

    def header(self) -> str:
        """The header of the current game's record. TimeoutError."""
        return self._ask(lambda: self._core.table.record().partition("\n")[0])

    @contextmanager
    def _open_books(self) -> Iterator[Books]:
        """The books for one reader at a time: a page that asks for them again and again slows the game else.

        They are read on the thread that asks, from the disk; the game thread goes on meanwhile.
        """
        if self._books is None:
            raise StoreError("this table keeps no list of its games")
        if not self._reading.acquire(timeout=BOOKS_TIMEOUT_S):
            raise TimeoutError("the games are being read; try again")
        try:
            yield self._books
        finally:
            self._reading.release()

    def age_ms(self) -> int | None:
        """How long ago the board was heard last. For any thread, also while the game thread is busy."""
        heard_ms = self._heard_ms
        return None if heard_ms is None else max(0, host_ms() - heard_ms)

    def _ask(self, work: Callable[[], T]) -> T:
        future: Future[T] = Future()

        def answer() -> None:
            if not future.set_running_or_notify_cancel():
                return  # whoever asked was told that the table is busy, and may ask again
            try:
                future.set_result(work())
            except BaseException as exc:
                future.set_exception(exc)
                raise

        try:
            self._inbox.put(answer, timeout=self._act_timeout_s)
            with suppress(FutureTimeoutError):
                return future.result(self._act_timeout_s)
            if not future.cancel():
                return future.result(BEGUN_TIMEOUT_S)
        except (queue.Full, FutureTimeoutError):
            pass
        raise TimeoutError("the table is busy; try again")

    def _put(self, work: Callable[[], None]) -> None:
        if not self._stopped.is_set():
            self._inbox.put(work)

    # The game thread

    def _run(self) -> None:
        try:
            while self._turn():
                pass
        except Exception as exc:  # the last resort: say what broke and stop; the journal is whole
            _LOG.debug("the game thread broke", exc_info=True)
            self._report(
                f"tablewire: an error of its own, stopping ({type(exc).__name__}: {exc}); the game is kept, "
                "start again, and report it with what TABLEWIRE_LOG=debug prints"
            )
            self.failed.set()

    def _turn(self) -> bool:
        due_ms = self._core.next_wakeup_ms(host_ms())
        wait_s = IDLE_S if due_ms is None else min(IDLE_S, max(0.0, (due_ms - host_ms()) / 1000))
        try:
            work = self._inbox.get(timeout=wait_s) if wait_s else self._inbox.get_nowait()
        except queue.Empty:
            work = _nothing
        if work is None:
            return False
        self._look_at_the_clocks()
        work()
        self._heard_ms = self._core.session.heard_ms
        data = self._core.data_to_send(host_ms())
        if self._link is not None:
            if data:
                self._link.write(data)
            self._give_up_what_is_silent(self._link)
        self.turn_count += 1
        return True

    def _look_at_the_clocks(self) -> None:
        """After the computer has slept the link is looked at before anything else is done."""
        slept_ms = self._slept_ms()
        if slept_ms - self._slept_before_ms >= SLEPT_MIN_MS:
            self._core.link_resumed(host_ms())
            if self._link is not None and not self._core.session.is_open:
                self._link.reopen("the computer has slept")
        self._slept_before_ms = slept_ms

    def _give_up_what_is_silent(self, link: Link) -> None:
        # Asked once: the link may take a moment to close, and until it has, nothing has changed.
        if not self._is_reopening and self._core.session.is_given_up(host_ms()):
            self._is_reopening = True
            link.reopen(_silence(self._core.document()["link"]["port"], self._core.session))

    def _opened(self, port: str, kind: str, tried: Tried) -> None:
        self._is_reopening = False
        self._core.link_opened(host_ms(), port, kind, tried)

    def _lost(self, reason: str, tried: Tried) -> None:
        self._is_reopening = False
        self._core.link_lost(host_ms(), reason, tried)


def _silence(port: str, session: HostSession) -> str:
    """Why an open link is given up, in one line."""
    if session.hears_a_stranger:
        return f"what speaks at {port} is no tablewire board, or speaks at another speed (--baud)"
    if session.hears_a_board:
        return f"the board at {port} speaks, but does not hear: switch it off and on, and look at its wires"
    return f"no board answers at {port}; the game is kept and the link made anew"


def _told(tried: Iterable[TriedThere]) -> Tried:
    return tuple((one.port, one.why) for one in tried)


def _nothing() -> None:
    """The clock alone moved on."""
