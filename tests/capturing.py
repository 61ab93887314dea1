"""A captured core and a simulated board on one virtual clock, byte by byte, without a port between them."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tablewire.board.timing import DEFAULT_TIMING
from tablewire.capture import CapturedCore
from tablewire.capture_file import CaptureFile
from tablewire.errors import StoreError
from tablewire.outcome import Outcome
from tablewire.replay import replay_file
from tablewire.store.journal import Journal
from tablewire.virtual.board import VirtualBoard

STEP_MS = 20
SETTLED_MS = 2_500
START_MS = 86_400_000
"""A host that has run for a day: nothing may rest on its clock beginning at 0."""


class FullDisk(Journal):
    """A journal whose disk refuses while `full`."""

    full = False

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        if self.full:
            raise StoreError("cannot write: there is no room left; free some space")
        with super()._transaction() as run:
            yield run


class CapturedTable:
    """One table from start to end of its daemon. `path` is the capture."""

    def __init__(
        self,
        folder: Path,
        path: Path,
        *,
        seed: int = 1,
        header: dict[str, Any] | None = None,
        board: VirtualBoard | None = None,
    ) -> None:
        self.path = path
        self.now_ms = START_MS
        self.board = board or VirtualBoard(seed)
        self.journal = FullDisk.open(folder, lambda: datetime.now(UTC))
        assert isinstance(self.journal, FullDisk)
        self.file = CaptureFile(path)
        self.shown: list[dict[str, Any]] = []
        self.core = CapturedCore(
            self.journal,
            lambda _version, document: self.shown.append(document),
            "virtual",
            DEFAULT_TIMING,
            lines=self.file,
            clock_ms=lambda: self.now_ms,
            at="2026-01-01T00:00:00+00:00",
        )
        if header is not None:
            self.core.begin(header)
        self.core.link_opened(self.now_ms)
        self.board.port_opened()

    def run(self, ms: int) -> None:
        """Let time pass."""
        for _ in range(0, ms, STEP_MS):
            self.now_ms += STEP_MS
            self.board.advance(self.now_ms - START_MS)
            for _ in range(4):
                heard = self.board.data_to_send()
                if heard:
                    self.core.receive(heard, self.now_ms)
                said = self.core.data_to_send(self.now_ms)
                if said:
                    self.board.receive_data(said)
                if not heard and not said:
                    break

    def wait_for_the_disk(self) -> None:
        """Until the capture's own thread has done all it was given, however busy the computer is."""
        done = f'{{"ms":{self.now_ms - START_MS},"out":'
        deadline_s = time.monotonic() + 60
        while self.file.trouble is None and done not in self.path.read_text(encoding="utf-8"):
            assert time.monotonic() < deadline_s, "the capture's thread does not write"
            time.sleep(0.001)

    def do(self, *lines: str) -> None:
        """Let hands do this, each time until it has settled; what is not possible is left."""
        for line in lines:
            ticket = self.board.command(line)
            self.run(SETTLED_MS)
            while ticket.answer is None:
                self.run(STEP_MS)

    def act(self, name: str, **body: Any) -> Outcome:
        """An operator's action."""
        return self.core.act(name, body)

    @property
    def doc(self) -> dict[str, Any]:
        """The document shown last."""
        return self.core.document()

    def close(self) -> None:
        """End the daemon."""
        self.core.end()
        self.file.close()
        self.journal.close()


def replayed(path: Path, record: Path | None = None) -> tuple[int, list[str]]:
    """Status and lines of `tablewire replay`."""
    said: list[str] = []
    return replay_file(path, record, said.append), said


def messy_session(table: CapturedTable, rng: random.Random, steps_count: int) -> None:
    """Hands that do anything, a board that fails, a disk that is full at times, and people who correct."""
    games: list[str] = []

    def place() -> None:
        legal = table.core.table.legal()
        if legal["placements"]:
            piece = rng.choice(legal["placements"])
            spaces = ",".join(map(str, piece["spaces"]))
            table.do(f"place {legal['player']} {spaces} over {rng.choice([0, 100, 700])}")

    def correct() -> None:
        history = table.doc.get("history") or []
        if history:
            n = rng.randint(1, len(history))
            table.act("correct", n=n, do="remove", keep_forced=True, drop_rest=True, note="why not")

    def other_game() -> None:
        if table.doc["game_id"] is not None:
            games.append(table.doc["game_id"])
        if rng.random() < 0.4 and games:
            table.act("resume_game", game_id=rng.choice(games))
        elif rng.random() < 0.5:
            table.act("put_aside")
        else:
            table.act("new_game", players=["green", "red"])

    def full_disk() -> None:
        assert isinstance(table.journal, FullDisk)
        table.journal.full = True
        place()
        rng.choice([place, other_game, correct])()
        table.journal.full = False

    def unplug() -> None:
        table.core.link_lost(table.now_ms, "lost the board: the cable is out")
        table.run(rng.choice([100, 4_000]))
        table.core.link_opened(table.now_ms)
        table.board.port_opened()

    deeds = [
        *[place] * 8,
        lambda: table.do(f"place yellow {rng.randint(1, 165)}"),
        lambda: table.do(f"lift {rng.randint(1, 165)}"),
        lambda: table.do("reset"),
        lambda: table.do(f"fault {rng.choice(['drop', 'flip'])} percent={rng.randint(5, 30)}"),
        lambda: table.do("fault off drop", "fault off flip"),
        lambda: table.act("undo"),
        lambda: table.act("redo"),
        lambda: table.act("ruling", points={"red": rng.randint(-9, 9)}, note="\u00fcbel", by="Ada"),
        lambda: table.act("mask", sensors=[rng.randint(0, 164)], masked=rng.random() < 0.6),
        lambda: table.act("choose", id="accept:1"),
        lambda: table.run(4_000),
        correct,
        other_game,
        full_disk,
        unplug,
    ]
    for _ in range(steps_count):
        rng.choice(deeds)()
