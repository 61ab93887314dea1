"""How many pads there are: what the board says, else what it said at the start, else what players need."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.ligretto.pads import Pads

from tablewire.errors import UserError
from tablewire.games.catalogue import playable
from tablewire.games.ligretto.decks import printed_deck
from tablewire.games.live import Refusal
from tablewire.table import Table, restore

FIVE = ("Anna", "Ben", "Cleo", "Dora", "Emil")


class Beside(Pads):
    """A game beside a board with sixteen pads, which a restart has still to hear of."""

    def check_restart(self) -> None:
        assert restore(self.pinned, self.kept).beside(16).document() == self.table.document()


def pinned(reader_count: int | None, **more: Any) -> dict[str, Any]:
    """A header of five players, pinned beside a board with so many readers."""
    header = {"record": 1, "game": "ligretto", "players": list(FIVE), "options": {}, **more}
    game = playable("ligretto")
    kept = {name: printed_deck(name).to_kept() for name in FIVE}
    return game.pin(game.furnish(header, kept, reader_count))


def begun(header: dict[str, Any]) -> Table:
    """A game begun by this header before anything was heard of a board."""
    version = playable("ligretto").rules_version
    return Table.begin({"header": header, "rules_version": version, "lying": None})


def shown(table: Table) -> tuple[int, int]:
    """How many pads the page draws, and where it proposes to count."""
    doc = table.document()
    return doc["pad_count"], doc["count_pad"]


def stopped() -> Pads:
    """A round of five that Anna has stopped, begun where no board was."""
    pads = Pads(*FIVE)
    pads.lay(1_000, "3 Anna blue 1", "20 Ben red 1")
    pads.wait()
    pads.act("round_stop", player="Anna")
    return pads


def test_where_no_board_was_heard_there_are_as_many_pads_as_the_players_need() -> None:
    assert shown(begun(pinned(None))) == (32, 31)


@pytest.mark.parametrize("count", [1, 16, 20, 48])
def test_the_board_that_is_there_says_how_many_it_has(count: int) -> None:
    table = begun(pinned(None)).beside(count)
    assert shown(table) == (count, count - 1)
    assert [row["pad"] for row in table.health()["sensors"]] == list(range(count))


def test_a_game_that_began_on_a_board_knows_its_pads_before_one_is_heard_again() -> None:
    header = pinned(16)
    assert header["x_pads"] == 16
    assert shown(begun(header)) == (16, 15)
    assert shown(begun(header).beside(48)) == (48, 47)
    assert shown(begun(header).beside(8)) == (8, 7)


def test_pads_that_are_given_in_a_header_give_way_to_those_of_the_board() -> None:
    assert pinned(16, x_pads=20)["x_pads"] == 16
    assert pinned(None, x_pads=20)["x_pads"] == 20


@pytest.mark.parametrize("pads", [0, 257, True, "16", 16.0])
def test_what_is_no_number_of_pads_is_refused(pads: object) -> None:
    with pytest.raises(UserError, match=r'"x_pads" is .*write how many pads the board has, 1 to 256'):
        pinned(None, x_pads=pads)


def test_the_pad_set_for_counting_is_one_of_the_board() -> None:
    assert shown(begun(pinned(16, x_count_pad=15))) == (16, 15)
    assert shown(begun(pinned(16, x_count_pad=3)).beside(48)) == (48, 3)
    assert shown(begun(pinned(48, x_count_pad=40)).beside(16)) == (16, 15)
    with pytest.raises(UserError, match='"x_count_pad" is 16, and the board has pads 0 to 15: name one'):
        pinned(16, x_count_pad=16)


def test_a_pad_with_a_pile_is_shown_though_the_board_that_is_there_has_it_not() -> None:
    table = stopped().table.beside(16)
    assert shown(table) == (21, 15)
    assert table.document()["pads"]["20"]["value"] == 1


def test_cards_are_counted_on_a_pad_that_the_board_has() -> None:
    table = stopped().table.beside(16)
    refused = table.act("count", {"pad": 16})
    assert refused == Refusal("no_such_pad", "there is no pad 16: the board has pads 0 to 15")
    for body, pad in (({}, 15), ({"pad": 15}, 15), ({"pad": 0}, 0)):
        entries = table.act("count", body)
        assert isinstance(entries, tuple)
        assert entries[-1].body["count"] == pad
    alone = stopped().table.beside(1).act("count", {"pad": 1})
    assert alone == Refusal("no_such_pad", "there is no pad 1: the board has pad 0 alone")


def test_where_no_board_was_heard_any_pad_may_be_meant() -> None:
    pads = stopped()
    pads.act("count", pad=47)
    assert pads.doc["counting"]["pad"] == 47


def test_a_count_on_a_pad_of_another_board_is_told_to_begin_again() -> None:
    pads = stopped()
    pads.act("count", pad=31)
    assert pads.table.beside(48).document()["counting"]["text"].startswith("Pass the cards left")
    told = pads.table.beside(16).document()["counting"]["text"]
    assert told == "There is no pad 31: the board has pads 0 to 15. End the counting, and count again."


def test_what_the_board_has_changes_no_entry_of_the_game() -> None:
    pads = Beside(*FIVE)
    pads.table = pads.table.beside(16)
    pads.lay(1_000, "3 Anna blue 1", "20 Ben red 1", "3 Ben blue 2")
    pads.wait()
    other = Pads(*FIVE)
    other.lay(1_000, "3 Anna blue 1", "20 Ben red 1", "3 Ben blue 2")
    other.wait()
    assert pads.kept == other.kept
