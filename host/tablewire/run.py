"""`tablewire run`: journal, core, threads and page put together, until somebody stops them.

Owns start and stop of a whole table. Must not know rules, frames or SQL.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tablewire.board.timing import DEFAULT_TIMING, Timing
from tablewire.capture import CapturedCore
from tablewire.capture_file import CaptureFile
from tablewire.core import Core
from tablewire.daemon import Daemon, host_ms
from tablewire.errors import StoreError, UserError, one_line
from tablewire.games.catalogue import DEFAULT_GAME, PLAYABLE, playable
from tablewire.link.address import AUTO, Address, AnyBoard, format_address
from tablewire.link.contract import Link
from tablewire.link.last_good import FILE_NAME, LastGood
from tablewire.link.opening import known_board, link_for
from tablewire.link.supervisor import LinkThread
from tablewire.service import Service
from tablewire.shelf import Shelf
from tablewire.store.folder import data_folder
from tablewire.store.journal import Journal
from tablewire.web.app import create_app
from tablewire.web.feed import Feed
from tablewire.web.guard import allowed_hosts, is_loopback
from tablewire.web.server import Server, serve
from tablewire.wire.greeting import Greeting
from tablewire.wire.messages import BoardKind

Say = Callable[[str], None]

STOPPED = "stopped; the game is kept, the same command goes on with it"

DONE = 200
"""The status of an action that was done."""
LOOK_S = 0.5
"""How often the main thread looks at the daemon: a person at a terminal waits no longer for a line."""
LINKS = {
    "searching": "looking for it",
    "up": "connected",
    "down": "not connected",
    "refused": "cannot be used",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for. `header`: the game to begin when none is in progress, or with `new`.

    `resume`: the id of a game to go on with, or what it begins with. `capture`: a new file for the session.
    """

    port: Address
    baud: int
    data: Path | None
    host: str
    http_port: int
    header: dict[str, Any] | None
    new: bool
    timing: Timing = DEFAULT_TIMING
    resume: str | None = None
    capture: Path | None = None


class RunningTable:
    """A whole table: journal, game thread, link thread and page. `close` ends all of it."""

    def __init__(self, wanted: Wanted, say: Say, link: Link | None = None) -> None:
        """`link`: one to use in place of that to `wanted.port`, such as a board in memory."""
        if wanted.header is not None:
            # A game that cannot be is refused before anything is kept or opened.
            playable(wanted.header.get("game")).pin(wanted.header)
        self.feed = Feed()
        self._server: Server | None = None
        self._captured: CapturedCore | None = None
        self._told: str | None = None
        self.daemon: Daemon | None = None
        self._capture = None if wanted.capture is None else CaptureFile(wanted.capture)
        try:
            self._journal = Journal.open(wanted.data, lambda: datetime.now(UTC))
        except BaseException:
            self._give_capture_up()
            raise
        try:
            for notice in self._journal.notices:
                say(f"tablewire: {notice}")
            file = data_folder(wanted.data) / FILE_NAME
            self._last_good = LastGood(file, lambda text: tell(f"tablewire: {text}", say))
            self._link = link or link_for(wanted.port, wanted.baud, greet=Greeting, last_good=self._last_good)
            core = self._core(wanted)
            if core.trouble:
                say(f"tablewire: {core.trouble}")
            shelf = Shelf(self._journal)
            self.daemon = Daemon(core, self.feed, say, books=shelf)
            self._server = self._serve(wanted, self.daemon)
            # Last, so that a start that fails leaves no game that the next one would go on with. Actions wait
            # in the daemon's inbox until it is started.
            _begin(core, wanted, shelf, say)
            self.daemon.start(LinkThread(self._link, self.daemon.hear))
        except BaseException:
            self.close()
            self._give_capture_up()
            raise

    def _core(self, wanted: Wanted) -> Core:
        if self._capture is None:
            return Core(self._journal, self.feed.publish, format_address(wanted.port), wanted.timing)
        self._captured = CapturedCore(
            self._journal,
            self.feed.publish,
            format_address(wanted.port),
            wanted.timing,
            lines=self._capture,
            clock_ms=host_ms,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        return self._captured

    def capture_trouble(self) -> str | None:
        """Why the capture has ended, told once; the page says it as well."""
        if self._capture is None or self._capture.trouble == self._told:
            return None
        self._told = self._capture.trouble
        return self._told

    def note_board(self) -> None:
        """Note the board that answers, so that the next start without --port asks it first."""
        board = known_board(self._link)
        if board is not None:
            self._last_good.save(board)

    def _give_capture_up(self) -> None:
        """The table did not start: the next try may have the same file."""
        if self._capture is not None:
            self._capture.discard()

    @property
    def url(self) -> str:
        """Where the page is."""
        return self._server.url if self._server else ""

    def _serve(self, wanted: Wanted, daemon: Daemon) -> Server:
        app = create_app(
            self.feed,
            daemon,
            boards={name: game.board() for name, game in PLAYABLE.items()},
            first_game=DEFAULT_GAME,
            writable=is_loopback(wanted.host),
            hosts=allowed_hosts(wanted.host),
        )
        return serve(app, wanted.host, wanted.http_port)

    def close(self) -> None:
        """Stop the threads in the order in which they depend on each other. May be called twice."""
        if self._server is not None:
            self._server.close()
        if self.daemon is not None:
            self.daemon.stop()
        if self._captured is not None and self._capture is not None:
            self._captured.end()
            self._capture.close()
        self._journal.close()


def run_table(wanted: Wanted, say: Say) -> int:
    """Run until SIGINT or SIGTERM; the exit status."""
    stop = stop_on_signals()
    service = Service.of_environment(os.environ)
    table = RunningTable(wanted, say)
    try:
        say(f"page {table.url}")
        if not is_loopback(wanted.host):
            say("the page is read-only, because other computers reach it; --players begins a game")
        lines = LinkLines()
        while not stop.wait(LOOK_S):
            if table.daemon is None or table.daemon.failed.is_set():
                return 1
            tell(table.capture_trouble(), say)
            newest = table.feed.current()
            for line in () if newest is None else lines.news(newest.link):
                tell(line, say)
            if lines.is_found and not isinstance(wanted.port, AnyBoard):
                table.note_board()
            service.look(time.monotonic(), table.daemon.turn_count, lines.words)
        tell(STOPPED, say)
        return 0
    finally:
        service.stopping()
        table.close()


class LinkLines:
    """What a terminal is told of the link: each line once, until a board is connected.

    `words`: how things are, in one line; `is_found`: whether the last news was that a board is connected.
    """

    def __init__(self) -> None:
        self.words = ""
        self.is_found = False
        self._said: set[str] = set()

    def news(self, link: Mapping[str, Any]) -> list[str]:
        """The lines to say now; `link` is that of the newest document."""
        state, text = link["state"], str(link.get("text") or "")
        # Before a board is found its place has no name.
        port = str(link["port"])
        where = "board" if port == AUTO else f"board {port}"
        words = f"{where}: {_without(port, text) or LINKS.get(state, state)}"
        self.is_found = state == "up" and words != self.words
        if self.is_found:
            self._said.clear()
        self.words = words
        lines = [
            words,
            *(f"  {one['port']}: {one['why']}" for one in link["tried"] if one["why"] not in text),
        ]
        new = [line for line in lines if line not in self._said]
        self._said.update(lines)
        return new


def _without(port: str, text: str) -> str:
    """A line about the link without the place, which stands in front of it; in a list of places it stays."""
    text = text.removeprefix(f"cannot open {port}: ")
    return re.sub(rf" at {re.escape(port)}(?![\w/]|, | and \d)", "", text)


def tell(line: str | None, say: Say) -> None:
    """Say a line, if there is one. A terminal that went away is no reason to stop."""
    if line is not None:
        with suppress(OSError):
            say(line)


def stop_on_signals() -> threading.Event:
    """An event that SIGINT and SIGTERM set."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _begin(core: Core, wanted: Wanted, shelf: Shelf, say: Say) -> None:
    """Take up the game that is wanted or in progress, or begin the one that is wanted."""
    if wanted.resume is not None:
        answer = core.act("resume_game", {"game_id": shelf.find(wanted.resume).game_id})
        if answer.status != DONE:
            error = StoreError if answer.body["reason"] == "store" else UserError
            raise error(f"--resume {one_line(wanted.resume)}: {answer.body['text']}")
    elif wanted.header is not None and (wanted.new or core.game_id is None):
        core.begin(wanted.header)
        return
    if core.game_id is not None:
        say(f"going on with game {core.game_id[:8]} ({core.document()['phase']}); --new begins another")
        if wanted.timing != DEFAULT_TIMING and core.table.board_kind is not BoardKind.CIRKIS:
            say("--quiet is for Cir*Kis: it changes nothing in this game")
