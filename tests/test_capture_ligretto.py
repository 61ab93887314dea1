"""A captured session of Ligretto replays, decks and all: nothing of them lies in the replay's own store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.capturing import CapturedTable, replayed

from tablewire.games.ligretto.cards import Face
from tablewire.games.ligretto.decks import printed_deck, printed_uid
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.messages import BoardKind

PLAYERS = ("red", "green")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[CapturedTable]:
    """A captured table with a board for Ligretto and two decks, no game begun."""
    board = VirtualBoard(1, kind=BoardKind.LIGRETTO, pads=16)
    made = CapturedTable(tmp_path / "games", tmp_path / "capture", board=board)
    for name in PLAYERS:
        made.journal.keep("ligretto", name, printed_deck(name).to_kept())
    made.run(1_000)
    yield made
    made.close()


def play(table: CapturedTable) -> None:
    """A round in which something is wrong, something undecided, and something corrected."""
    assert table.act("new_game", game="ligretto", players=list(PLAYERS), options={"rounds": 2}).status == 200
    table.do("lay red:blue:1 3", "lay green:blue:2 3", "lay green:red:7 4")
    assert [wrong["pad"] for wrong in table.doc["wrong"]] == [4]
    table.do("take green:red:7", "lay red:green:1 5", "press 0")
    assert table.act("undo").status == 409
    assert table.act("left", left={"red": 0, "green": 3}, by="Ada").status == 200
    assert table.act("undo").status == 200
    assert table.act("left", left={"red": 0, "green": 2}).status == 200
    assert table.doc["totals"] == {"red": 2, "green": -3}


def test_a_session_with_decks_of_its_table_replays_and_gives_its_record(
    table: CapturedTable, tmp_path: Path
) -> None:
    play(table)
    record = table.core.table.record()
    table.close()
    out = tmp_path / "record"
    status, said = replayed(table.path, out)
    assert (status, said[-1].startswith("same game: ")) == (0, True), said
    assert out.read_text("utf-8") == record
    told = [
        line for line in map(json.loads, table.path.read_text("utf-8").splitlines()) if "kept_for" in line
    ]
    assert set(told[-1]["bodies"]) == set(PLAYERS)


def test_a_capture_begun_in_mid_round_replays(table: CapturedTable, tmp_path: Path) -> None:
    play(table)
    table.act("next_round")
    table.do("clear all", "lay red:yellow:1 7")
    board, folder = table.board, tmp_path / "games"
    table.close()
    again = CapturedTable(folder, tmp_path / "later", board=board)
    again.now_ms = table.now_ms
    again.run(1_000)
    again.do("lay green:yellow:2 7")
    assert again.doc["pads"]["7"]["height"] == 2
    again.close()
    status, said = replayed(again.path)
    assert (status, said[-1].startswith("same game: ")) == (0, True), said


def test_decks_changed_in_a_capture_make_another_game(table: CapturedTable) -> None:
    play(table)
    table.close()
    text = table.path.read_text("utf-8")
    lines = []
    for line in map(json.loads, text.splitlines()):
        if "kept_for" in line and line["bodies"]:
            tags = line["bodies"]["red"]["tags"]
            one, other = printed_uid("red", Face("blue", 1)), printed_uid("red", Face("blue", 2))
            tags[one], tags[other] = tags[other], tags[one]
        lines.append(json.dumps(line))
    table.path.write_text("\n".join(lines) + "\n", "utf-8")
    status, said = replayed(table.path)
    assert (status, said[-1].startswith("not the same game")) == (1, True), said
