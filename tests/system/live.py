"""A whole table in real time, in this process, over any kind of link: journal, threads and page.

Owns the table and waiting for what its page shows. Must not know what the link goes over.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.system.games import header, scored

from tablewire.link.address import DEFAULT_BAUD, Address, AnyBoard
from tablewire.link.contract import Link
from tablewire.run import RunningTable, Wanted

PATIENCE_S = 60.0
"""For a busy machine; a placement takes one second."""

Document = dict[str, Any]


class LiveTable:
    """A table on `folder`; red and green play where no game is in progress. `said`: what a terminal shows."""

    def __init__(self, folder: Path, link: Link | None = None, port: Address | None = None) -> None:
        self.said: list[str] = []
        wanted = Wanted(
            port=port or AnyBoard(),
            baud=DEFAULT_BAUD,
            data=folder,
            host="127.0.0.1",
            http_port=0,
            header=header("red", "green"),
            new=False,
        )
        self.table = RunningTable(wanted, self.said.append, link)

    def __enter__(self) -> LiveTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.table.close()

    @property
    def doc(self) -> Document:
        """The newest document."""
        newest = self.table.feed.current()
        assert newest is not None
        return dict(json.loads(newest.body(None)))

    def until(self, true: Callable[[Document], bool]) -> Document:
        """The newest document, once it is so."""
        end_s = time.monotonic() + PATIENCE_S
        while not true(doc := self.doc):
            left_s = end_s - time.monotonic()
            assert left_s > 0, (doc["link"], doc["message"], doc["moves"])
            self.table.feed.wait_newer(doc["version"], min(left_s, 1.0))
        return doc

    def up(self) -> Document:
        """Wait until the board is there."""
        return self.until(lambda doc: doc["link"]["state"] == "up")

    def moves(self, count: int) -> Document:
        """Wait until so many moves are made and nothing is in the air."""
        return self.until(lambda doc: doc["moves"] == count and not doc["provisional"])


def assert_scored(doc: Document, lines: list[dict[str, Any]]) -> None:
    """The game is these moves, scored as `tablewire score` does, and nothing is wrong with the table."""
    *expected, _ = scored(header("red", "green"), lines)
    told = [{key: value for key, value in line.items() if key != "spaces"} for line in doc["history"]]
    assert told == expected
    assert [line["spaces"] for line in doc["history"]] == [sorted(line["spaces"]) for line in lines]
    assert {player["colour"]: player["score"] for player in doc["players"]} == expected[-1]["scores"]
    assert doc["message"] is None
