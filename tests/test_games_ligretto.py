"""Games of Ligretto among those that are kept: listed, shown, exported, imported, gone on with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tablewire import cli
from tablewire.games.ligretto.decks import printed_deck
from tablewire.shelf import Shelf
from tablewire.store.journal import Journal

HEADER = {"record": 1, "game": "ligretto", "players": ["Anna", "Ben"], "options": {"rounds": 2}}


def laid(t_ms: int, owner: str, colour: str, value: int) -> dict[str, Any]:
    """A card on pad 3."""
    return {"t_ms": t_ms, "pad": 3, "card": {"owner": owner, "colour": colour, "value": value}}


ROUND = [
    laid(1_000, "Anna", "blue", 1),
    laid(2_000, "Ben", "green", 5),
    laid(3_000, "Ben", "blue", 2),
    {"t_ms": 9_000, "stop": "Anna"},
    {"left": {"Anna": 0, "Ben": 4}},
]


def record(*lines: dict[str, Any]) -> str:
    """A game with these lines."""
    return "".join(f"{json.dumps(line)}\n" for line in (HEADER, *lines))


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    """A folder for games."""
    with Journal.open(tmp_path / "games", lambda: datetime.now(UTC)) as opened:
        yield opened


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., str]:
    """Types `tablewire games ...` and gives what was printed; nothing may go wrong."""

    def type_it(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["tablewire", "games", *words, "--data", str(tmp_path / "games")])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        assert (ended.value.code or 0, err) == (0, "")
        return out

    return type_it


def test_the_list_has_the_totals_and_the_winners_once_the_match_is_over(journal: Journal) -> None:
    shelf = Shelf(journal)
    shelf.import_record(record(*ROUND), "it", Path())
    (row,) = shelf.games()
    assert (row["players"], row["moves"], row["state"]) == (["Anna", "Ben"], 3, "adjourned")
    assert (row["scores"], row["totals"], row["winners"]) == (
        {"Anna": 1, "Ben": -7},
        {"Anna": 1, "Ben": -7},
        [],
    )
    shelf.import_record(record(*ROUND, *ROUND), "it", Path())
    row = shelf.games()[0]
    assert (row["state"], row["totals"], row["winners"]) == ("over", {"Anna": 2, "Ben": -14}, ["Anna"])


def test_a_game_is_shown_line_by_line_with_what_was_wrong(
    journal: Journal, typed: Callable[..., str]
) -> None:
    game_id = Shelf(journal).import_record(record(*ROUND), "it", Path())
    lines = [" ".join(line.split()) for line in typed("show", game_id[:6]).splitlines()]
    assert lines[1] == "ligretto, rounds 2"
    assert "Anna 1 1" in lines
    assert "1 Anna blue 1 on pad 3" in lines
    assert "2 Ben green 5 on pad 3 wrong colour and wrong value" in lines
    assert "4 Anna's stop" in lines
    assert "5 the count of what was left (Anna 0, Ben 4) round 1: Anna 1, Ben -7" in lines
    shown = json.loads(typed("show", game_id, "--json"))
    assert shown["history"][0]["points"] == {"Anna": 1, "Ben": -7}
    (line,) = typed("list").splitlines()
    assert line.endswith("adjourned  ligretto  Anna, Ben  3 cards  Anna 1, Ben -7")


def test_a_game_in_which_nothing_was_laid_yet_has_no_cards(
    journal: Journal, typed: Callable[..., str]
) -> None:
    game_id = Shelf(journal).import_record(record(), "it", Path())
    assert typed("show", game_id).splitlines()[-1] == "no cards yet"


def test_the_decks_of_a_table_are_told_as_they_are_kept_now(journal: Journal) -> None:
    shelf = Shelf(journal)
    assert shelf.decks() == {"decks": [], "decks_text": None}
    journal.keep("ligretto", "red", printed_deck("red").to_kept())
    assert shelf.decks()["decks"] == [{"name": "red", "missing": 0, "text": None}]


def test_what_is_exported_is_the_record_that_was_imported(
    journal: Journal, typed: Callable[..., str]
) -> None:
    game_id = Shelf(journal).import_record(record(*ROUND), "it", Path())
    assert typed("export", game_id) == record(*ROUND)


def test_a_record_from_elsewhere_is_gone_on_with_by_the_decks_of_this_table(journal: Journal) -> None:
    for name in ("red", "green"):
        journal.keep("ligretto", name, printed_deck(name).to_kept())
    shelf = Shelf(journal)
    game_id = shelf.import_record(record(*ROUND[:3]), "it", Path())
    game = journal.game(game_id)
    assert game is not None
    decks = game.pinned["header"]["x_decks"]
    assert {player: deck["deck"] for player, deck in decks.items()} == {"Anna": "red", "Ben": "green"}
    assert "x_" not in shelf.record(game_id)


def test_a_table_without_decks_keeps_a_record_all_the_same(journal: Journal) -> None:
    shelf = Shelf(journal)
    game_id = shelf.import_record(record(*ROUND[:3]), "it", Path())
    assert shelf.document(game_id)["pads"]["3"]["height"] == 2
    assert [player["deck"] for player in shelf.document(game_id)["players"]] == [None, None]


def test_what_a_line_of_a_terminal_cannot_hold_stands_in_it_as_an_escape(
    tmp_path: Path, journal: Journal, typed: Callable[..., str]
) -> None:
    stranger = laid(3_500, "Zoe\n\x1b[31m", "red", 1)
    file = tmp_path / "game.jsonl"
    file.write_text(record(*ROUND[:3], stranger))
    imported = typed("import", str(file)).split()
    shown = typed("show", imported[-1])
    assert "Zoe\\n\\x1b[31m" in shown
    assert "\x1b" not in shown
    assert "\nZoe" not in shown
