"""One evening: the host's real core, a real journal on disk and the simulated board's real bytes, on one
virtual clock, in one process.

Owns time, the cable, who is switched on, and room on the disk. Must not know the game, nor what the things on
the table mean: no rules, no reading of sensors.
"""

from __future__ import annotations

import resource
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from tablewire.core import Core
from tablewire.store.journal import Journal
from tablewire.virtual.board import VirtualBoard

STEP_MS = 20
"""The clock's step: shorter than anything that is told apart on a table."""
EXCHANGES_MAX = 8
"""Answers to answers within one step; then time goes on."""
FOUND_MAX_MS = 60_000
"""A link that is whole comes up long before, whatever state both sides were left in."""
BEGUN = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)
NOT_OF_THE_GAME = frozenset({"version", "link", "notices"})
"""What a document says of the program and not of the table."""


class Killed(BaseException):
    """The host died here."""


class Disk:
    """The journal as the core has it: a disk that may be full, under a host that may die before or after a
    write."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.full = False
        self.dies: str | None = None
        self.written = set[tuple[int, int]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.journal, name)

    def append(self, *arguments: Any) -> Any:
        """As the journal, unless the host dies just before or just after."""
        if self.dies == "before it is kept":
            raise Killed
        with self.no_room():
            kept = self.journal.append(*arguments)
        self.written.update(told_by(entry.body) for entry in kept if "nonce" in entry.body)
        if self.dies == "before it is shown":
            raise Killed
        return kept

    def save_version(self, version: int) -> None:
        """As the journal."""
        with self.no_room():
            self.journal.save_version(version)

    @contextmanager
    def no_room(self) -> Iterator[None]:
        """While the disk is full, the system refuses to let any file grow."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        if self.full:
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            yield
        finally:
            if self.full:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def told_by(body: Mapping[str, Any]) -> tuple[int, int]:
    """The boot of a kept observation, and the number of the last change that is in it."""
    changes = body.get("changes")
    return body["nonce"], changes[-1][0] if changes else body.get("number", 0)


class Reading:
    """A journal that is only read."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def __getattr__(self, name: str) -> Any:
        return getattr(self.journal, name)

    def save_version(self, _version: int) -> None:
        """A look at the store changes nothing in it."""


class Evening:
    """One table. `folder` is the data folder of the host that runs, or ran last; `seen` is every document
    shown since somebody began to `watch`."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.board = VirtualBoard(seed)
        self.now_ms = 0
        self.version = 0
        self.host: Core | None = None
        self.disk: Disk
        self.shown: dict[str, Any] = {}
        self.seen: list[dict[str, Any]] = []
        self._lives = 0
        self._plugged = True
        self._wake_ms: int | None = None
        self.folder = root / "0"
        self.switch_on()

    # The host

    def switch_on(self) -> None:
        """Start a host on what its disk holds."""
        self.disk = Disk(Journal.open(self.folder, self.wall_time))
        assert not self.disk.journal.notices, self.disk.journal.notices
        self.host = Core(cast("Journal", self.disk), self._publish, "virtual")
        self._hold_to_its_word(self.host)
        if self.board.plugged:
            self._open()
        else:
            # Perhaps it was pulled out while no host was there to feel it.
            self._plugged, self._wake_ms = False, None
            self.host.link_lost(self.now_ms, "no such port")

    def kill(self) -> None:
        """The host is gone in the middle of whatever it did: its disk stays as it is at this moment."""
        if self.host is None:
            return
        self.host = None
        self._lives += 1
        left = self.root / str(self._lives)
        shutil.copytree(self.folder, left)
        self.disk.journal.close()
        shutil.rmtree(self.folder)
        self.folder = left

    def close(self) -> None:
        """End of the game."""
        self.board.close()
        self.disk.journal.close()

    def wall_time(self) -> datetime:
        """The host's clock on the wall."""
        return BEGUN + timedelta(milliseconds=self.now_ms)

    def _publish(self, version: int, document: dict[str, Any]) -> None:
        assert version > self.version, "the version must rise with every change, over restarts"
        self.version, self.shown = version, document
        self.seen.append(document)

    def watch(self) -> None:
        """See what is shown from now on."""
        self.seen = []

    def _hold_to_its_word(self, host: Core) -> None:
        """The board may forget what is acknowledged, so in a game all of that is on the disk."""
        disk, say = self.disk, host.session.acknowledge

        def acknowledge(number: int, nonce: int | None = None) -> None:
            assert host.game_id is None or (nonce, number) in disk.written, "acknowledged, but not kept"
            say(number, nonce)

        host.session.acknowledge = acknowledge  # type: ignore[method-assign]

    # Time

    def run(self, ms: int) -> dict[str, Any]:
        """Let time pass; the document afterwards."""
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            self.now_ms = min(end_ms, self.now_ms + STEP_MS)
            self.board.advance(self.now_ms)
            try:
                self._exchange()
            except Killed:
                self.kill()
        return self.shown

    def do(self, *lines: str, hand: int = 0) -> None:
        """Give the board commands and let time pass until they are done."""
        tickets = [self.board.command(line, hand) for line in lines]
        while any(ticket.answer is None for ticket in tickets):
            self.run(STEP_MS)
        for ticket in tickets:
            assert (ticket.answer or "").startswith("ok"), f"{ticket.line}: {ticket.answer}"

    def found(self) -> None:
        """Let time pass until the link is up."""
        end_ms = self.now_ms + FOUND_MAX_MS
        while self.shown["link"]["state"] != "up":
            assert self.now_ms < end_ms, f"the link does not come back: {self.shown['link']}"
            self.run(100)

    def _exchange(self) -> None:
        """Carry bytes both ways until neither side has any left to say at this moment."""
        self._feel_the_plug()
        for _ in range(EXCHANGES_MAX):
            to_host = self.board.data_to_send()
            if self.host is None or (
                not to_host and self._wake_ms is not None and self.now_ms < self._wake_ms
            ):
                return
            if to_host:
                self.host.receive(to_host, self.now_ms)
            to_board = self.host.data_to_send(self.now_ms)
            if to_board:
                self.board.receive_data(to_board)
            self._wake_ms = self.host.next_wakeup_ms(self.now_ms)
            if not to_board and not to_host:
                return

    def _feel_the_plug(self) -> None:
        if self.board.plugged == self._plugged or self.host is None:
            return
        if self.board.plugged:
            self._open()
        else:
            self._plugged, self._wake_ms = False, None
            self.host.link_lost(self.now_ms, "the cable was pulled out")

    def _open(self) -> None:
        assert self.host is not None
        self._plugged, self._wake_ms = True, None
        self.host.link_opened(self.now_ms)
        self.board.port_opened()

    # What is seen

    @property
    def game(self) -> dict[str, Any]:
        """The document as shown, without what a restart may change."""
        return {key: value for key, value in self.shown.items() if key not in NOT_OF_THE_GAME}

    def kept(self) -> dict[str, Any]:
        """The document that the journal on disk alone leads to."""
        found: list[dict[str, Any]] = []
        Core(
            cast("Journal", Reading(self.disk.journal)),
            lambda _version, document: found.append(document),
            "virtual",
        )
        return {key: value for key, value in found[-1].items() if key not in NOT_OF_THE_GAME}

    def act(self, name: str, **body: Any) -> tuple[int, Mapping[str, Any]]:
        """Press a button of the page: HTTP status and answer."""
        assert self.host is not None
        self._wake_ms = None
        return self.host.act(name, body)
