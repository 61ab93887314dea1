"""A board for Ligretto says how many pads it has: the page knows, and a game that begins on it keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.system.games import header
from tests.system.rig import Rig

from tablewire.games.ligretto.decks import printed_decks
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.messages import BoardKind

FIVE = [deck.name for deck in printed_decks(5)]


def board_of(pads: int) -> VirtualBoard:
    return VirtualBoard(1, kind=BoardKind.LIGRETTO, pads=pads)


def table(folder: Path, pads: int) -> Rig:
    """A table with five decks and a board with so many pads, which nobody has heard yet."""
    rig = Rig(folder, board=board_of(pads))
    for deck in printed_decks(5):
        rig._journal.keep("ligretto", deck.name, deck.to_kept())
    return rig


def begin(rig: Rig, **more: Any) -> Any:
    return rig.core.act("new_game", {"game": "ligretto", "players": FIVE, "options": {}, **more})


def shown(rig: Rig) -> tuple[Any, int, int]:
    """The readers of the link, the pads drawn, the pad proposed for counting."""
    doc = rig.doc
    return doc["link"]["readers"], doc["pad_count"], doc["count_pad"]


def test_a_game_begun_on_a_board_has_its_pads_also_after_a_restart_without_it(tmp_path: Path) -> None:
    rig = table(tmp_path, 20)
    told = [rig.doc["link"]["readers"], rig.run(1_000)["link"]["readers"]]
    assert told == [None, 20]
    refused = begin(rig, x_count_pad=20)
    assert (refused.status, refused.body["reason"]) == (422, "malformed")
    assert refused.body["text"] == '"x_count_pad" is 20, and the board has pads 0 to 19: name one of these'
    assert begin(rig).status == 200
    assert shown(rig) == (20, 20, 19)
    rig.kill()
    rig.start()
    assert shown(rig) == (None, 20, 19)
    rig.close()


def test_a_game_begun_before_a_board_is_there_takes_over_its_pads(tmp_path: Path) -> None:
    rig = table(tmp_path, 16)
    assert begin(rig).status == 200
    assert shown(rig) == (None, 32, 31)
    rig.run(1_000)
    assert shown(rig) == (16, 16, 15)
    rig.do("lay red:blue:1 3")
    rig.run(3_000)
    assert rig.core.act("round_stop", {"player": "red"}).status == 200
    refused = rig.core.act("count", {"pad": 31})
    assert (refused.status, refused.body["reason"]) == (409, "no_such_pad")
    assert rig.core.act("count", {}).status == 200
    assert rig.doc["counting"]["pad"] == 15
    rig.close()


def test_a_board_without_readers_has_none(tmp_path: Path) -> None:
    rig = Rig(tmp_path, header=header("red", "green"))
    rig.run(1_000)
    assert (rig.doc["link"]["board"], rig.doc["link"]["readers"]) == ("cirkis", None)
    rig.close()
