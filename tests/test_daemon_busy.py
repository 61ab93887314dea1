"""A game thread that is held up: what was refused is never done, what was begun is never refused."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tablewire.core import Core
from tablewire.daemon import INBOX_CAP, Daemon
from tablewire.errors import StoreError, UserError
from tablewire.link.events import Chunk
from tablewire.outcome import Outcome
from tablewire.store.journal import Journal
from tablewire.virtual.board import VirtualBoard
from tablewire.web.feed import Feed

HEADER = {"record": 1, "game": "cirkis", "players": ["red", "green"]}
RULING = {"points": {"red": 5}}


class StubbornCore(Core):
    """A table whose disk stops in the middle of a ruling until `go_on` is set."""

    def __init__(self, journal: Journal, publish: Callable[[int, dict[str, Any]], None]) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()
        super().__init__(journal, publish, "none")

    def act(self, name: str, body: Any) -> Outcome:
        if name == "ruling":
            self.begun.set()
            self.go_on.wait()
        return super().act(name, body)

    def receive(self, chunk: bytes, now_ms: int) -> None:
        if chunk == b"break":
            raise RuntimeError("broken")
        super().receive(chunk, now_ms)


class NoLink:
    """A port that nothing comes from."""

    def start(self) -> None:
        """Nothing."""

    def write(self, data: bytes) -> None:
        """Nowhere."""

    def reopen(self, reason: str) -> None:
        """Nothing to open anew."""

    def close(self) -> None:
        """Nothing."""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path, lambda: datetime.now(UTC)) as journal:
        yield journal


@pytest.fixture
def core(journal: Journal) -> StubbornCore:
    core = StubbornCore(journal, Feed().publish)
    core.begin(HEADER)
    return core


def scores(core: Core) -> dict[str, int]:
    """Points of each player on the page."""
    return {player["colour"]: player["score"] for player in core.document()["players"]}


def test_an_action_refused_as_busy_is_not_done_later_and_one_that_has_begun_is_not_refused(
    core: StubbornCore,
) -> None:
    """The second is asked after the first and refused after as long: the first had its time and more."""
    daemon = Daemon(core, Feed(), print, act_timeout_s=1.0)
    daemon.start(NoLink())
    with ThreadPoolExecutor() as people:
        first = people.submit(daemon.act, "ruling", RULING)
        assert core.begun.wait(30)
        with pytest.raises(TimeoutError):
            daemon.act("ruling", RULING)
        core.go_on.set()
        assert first.result().status == 200
    daemon.stop()
    assert scores(core) == {"red": 5, "green": 0}


def test_a_table_that_broke_can_be_stopped_although_the_board_talks_on(core: StubbornCore) -> None:
    """Nobody empties the inbox any more, and the link thread waits for room in it."""
    said: list[str] = []
    daemon = Daemon(core, Feed(), said.append)
    for _ in range(INBOX_CAP):
        daemon.hear(Chunk(b"break"))
    daemon.start(NoLink())
    assert daemon.failed.wait(30)
    threads = [threading.Thread(target=daemon.hear, args=(Chunk(b"more"),), daemon=True) for _ in range(2)]
    stopping = threading.Thread(target=daemon.stop, daemon=True)
    for thread in (*threads, stopping):
        thread.start()
    stopping.join(30)
    assert not stopping.is_alive()
    assert len(said) == 1


def test_a_disk_that_refuses_is_tried_once_a_second_however_much_the_board_says(
    journal: Journal, core: StubbornCore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each try waits for the file; one for every chunk would hold the page up for minutes."""
    board, tried = VirtualBoard(1), list[object]()

    def hear(now_ms: int) -> None:
        board.advance(now_ms)
        core.receive(board.data_to_send(), now_ms)
        board.receive_data(core.data_to_send(now_ms))

    def refuse(*_: object) -> NoReturn:
        tried.append(None)
        raise StoreError("no room")

    core.link_opened(0)
    for now_ms in range(0, 2_000, 50):
        hear(now_ms)
    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", refuse)
        board.command("place red 6,15")
        for now_ms in range(2_000, 4_900, 10):
            hear(now_ms)
    assert len(tried) == 3
    for now_ms in range(4_900, 7_500, 50):
        hear(now_ms)
    assert core.document()["moves"] == 1


def test_while_another_program_holds_the_journal_actions_are_refused_and_not_done_later(
    journal: Journal, core: StubbornCore
) -> None:
    core.go_on.set()
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = core.act("ruling", RULING)
        other.execute("ROLLBACK")
    assert refused.status == 503
    assert "another program holds the file locked" in refused.body["text"]
    assert core.act("ruling", RULING).status == 200
    assert scores(core) == {"red": 5, "green": 0}


class SlowBooks:
    """Games on a disk that does not answer until `go_on` is set."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()

    def games(self) -> list[dict[str, Any]]:
        self.begun.set()
        self.go_on.wait()
        return []

    def record(self, game_id: str | None) -> str:
        return f'{{"record": "{game_id}"}}\n'

    def audit(self, _game_id: str | None) -> list[dict[str, Any]]:
        raise UserError("no game has the id '77'")

    def decks(self) -> dict[str, Any]:
        return {"decks": [], "decks_text": None}


def test_reading_the_games_holds_up_neither_the_game_nor_more_than_one_web_thread(
    core: StubbornCore,
) -> None:
    core.go_on.set()
    books = SlowBooks()
    daemon = Daemon(core, Feed(), print, books=books)
    daemon.start(NoLink())
    with ThreadPoolExecutor() as people:
        slow = people.submit(daemon.games)
        assert books.begun.wait(30)
        assert daemon.act("ruling", RULING).status == 200
        with pytest.raises(TimeoutError, match="the games are being read; try again"):
            daemon.record()
        books.go_on.set()
        assert slow.result(30) == []
    assert daemon.record("77aa").text == '{"record": "77aa"}\n'
    with pytest.raises(UserError, match="no game has the id"):
        daemon.audit("77")
    daemon.stop()
