"""One program, two boards, two games: a round of Ligretto in the middle of a game of Cir*Kis, in real time.

Everything is the real thing: daemon, threads, store, a serial port, and two simulated boards that are
programs of their own and take turns at that port.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.system.games import place
from tests.system.ligretto.table import keep_decks
from tests.system.live import LiveTable, assert_scored
from tests.system.sittings import LINES

from tablewire.games.records import score_text
from tablewire.link.address import SerialPath
from tablewire.virtual.remote import BoardProcess, Hand
from tablewire.wire.messages import BoardKind


class Plug:
    """A place where one of two boards is plugged in at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._boards = {kind: BoardProcess(5, fast=False, kind=kind) for kind in BoardKind}
        self._hands = {kind: Hand(board.socket_path) for kind, board in self._boards.items()}
        self.path.symlink_to(self._boards[BoardKind.CIRKIS].port)

    def change_to(self, kind: BoardKind) -> None:
        """Pull out the one board and plug in the other, at the same place."""
        (other,) = set(BoardKind) - {kind}
        self.do(other, "unplug")
        self.path.unlink()
        self.path.symlink_to(self._boards[kind].port)
        self.do(kind, "plug")

    def do(self, kind: BoardKind, *lines: str) -> None:
        """Hands at one of the boards."""
        answers = self._hands[kind].do(lines)
        assert not [answer for answer in answers if answer.startswith("error")], (lines, answers)

    def close(self) -> None:
        for hand in self._hands.values():
            hand.close()
        for board in self._boards.values():
            board.close()


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    made = Plug(tmp_path / "ttyACM0")
    yield made
    made.close()


def acted(table: LiveTable, name: str, **body: Any) -> None:
    """Somebody does something on the page, and it is done."""
    assert table.table.daemon is not None
    answer = table.table.daemon.act(name, body)
    assert answer.status == 200, answer.body


def test_a_game_and_a_round_of_another_in_one_evening(plug: Plug, tmp_path: Path) -> None:
    data = tmp_path / "data"
    keep_decks(data, 2)
    with LiveTable(data, port=SerialPath(str(plug.path))) as table:
        table.up()
        for number in range(2):
            plug.do(BoardKind.CIRKIS, place(LINES[number], 60))
            table.moves(number + 1)
        cirkis_id = table.doc["game_id"]

        plug.change_to(BoardKind.LIGRETTO)
        doc = table.until(lambda doc: doc["link"]["board"] == "ligretto" and doc["link"]["state"] == "up")
        assert "Ligretto" in doc["link"]["text"]
        assert "Cir*Kis" in doc["link"]["text"]
        assert_scored(doc, LINES[:2])

        acted(table, "new_game", game="ligretto", players=["Anna", "Ben"])
        anna, ben = (player["deck"] for player in table.doc["players"])
        plug.do(BoardKind.LIGRETTO, f"lay {anna}:red:1 0", f"lay {ben}:blue:1 5", f"lay {ben}:red:2 0")
        plug.do(BoardKind.LIGRETTO, f"lay {anna}:green:7 5")
        doc = table.until(lambda doc: bool(doc["wrong"]) and not doc["provisional"])
        assert [(card["pad"], card["reasons"]) for card in doc["wrong"]] == [
            (5, ["wrong_colour", "wrong_value"])
        ]
        plug.do(BoardKind.LIGRETTO, f"take {anna}:green:7", "press 1")
        table.until(lambda doc: doc["stopped"] is not None and not doc["wrong"])
        acted(table, "left", left={"Anna": 3, "Ben": 0})
        doc = table.until(lambda doc: doc["phase"] == "over")
        assert doc["history"][0]["points"] == {"Anna": 1 - 6, "Ben": 2}
        ligretto_id = doc["game_id"]

        plug.change_to(BoardKind.CIRKIS)
        acted(table, "resume_game", game_id=cirkis_id)
        table.until(lambda doc: doc["link"]["board"] == "cirkis" and doc["link"]["state"] == "up")
        plug.do(BoardKind.CIRKIS, place(LINES[2], 60))
        doc = table.moves(3)
        assert_scored(doc, LINES[:3])
        assert "text" not in doc["link"]

        assert table.table.daemon is not None
        record = table.table.daemon.record(ligretto_id).text
        assert score_text(record, "record", Path())[-1]["result"]["winners"] == ["Ben"]
