"""`tablewire deck`: decks are taught, listed, shown, carried to another table, forgotten, in clear lines."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.builder.test_commands import Running, start

from tablewire import cli
from tablewire.games.ligretto.cards import FACES, Face
from tablewire.games.ligretto.deck_file import encode_deck
from tablewire.games.ligretto.decks import Deck, printed_deck, printed_uid
from tablewire.store.journal import Journal
from tablewire.virtual.remote import BoardProcess, Hand
from tablewire.wire.messages import BoardKind

__all__ = ["start"]
UID = "04A1B2C3D4E5F6"


class Said(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


Typed = Callable[..., Said]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, folder: Path
) -> Typed:
    """Types `tablewire deck ... --data folder`; `answer` is what comes on standard input."""

    def type_it(*arguments: str, answer: str | bytes = "") -> Said:
        typed = answer if isinstance(answer, bytes) else answer.encode()
        monkeypatch.setattr(sys, "argv", ["tablewire", "deck", *arguments, "--data", str(folder)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return Said(int(ended.value.code or 0), out, err)

    monkeypatch.chdir(tmp_path)
    return type_it


def evening() -> datetime:
    return datetime(2031, 7, 5, 18, 15, tzinfo=UTC)


def keep(folder: Path, *decks: Deck) -> None:
    with Journal.open(folder, evening) as journal:
        for deck in decks:
            journal.keep("ligretto", deck.name, deck.to_kept())


def test_where_no_deck_is_kept_that_is_said_and_nothing_is_made(typed: Typed, folder: Path) -> None:
    said = typed("list")
    assert said == (0, f"no decks are kept in {folder}: teach one with tablewire deck teach NAME\n", "")
    assert typed("list", "--json") == (0, "[]\n", "")
    for command in ("show", "export", "forget"):
        status, out, err = typed(command, "red")
        assert (status, out) == (2, "")
        assert err == "tablewire: there is no deck 'red': none is kept\n"
    assert not folder.exists()


def test_decks_are_listed_with_what_is_missing(typed: Typed, folder: Path) -> None:
    keep(folder, printed_deck("red"), Deck("Großmutter", {UID: Face("red", 1)}))
    assert typed("list").out == (
        "red         complete\n"
        "Großmutter  39 cards are missing: red 2, red 3, red 4, red 5, red 6, and 34 more\n"
    )
    assert json.loads(typed("list", "--json").out) == [
        {"name": "red", "missing": 0},
        {"name": "Großmutter", "missing": 39},
    ]


def test_a_deck_is_shown_card_by_card(typed: Typed, folder: Path) -> None:
    keep(folder, printed_deck("red").forget(printed_uid("red", Face("green", 3))))
    assert typed("show", "red").out == (
        "red: 1 card is missing: green 3\n"
        "red     1  2  3  4  5  6  7  8  9  10\n"
        "green   1  2  -  4  5  6  7  8  9  10\n"
        "yellow  1  2  3  4  5  6  7  8  9  10\n"
        "blue    1  2  3  4  5  6  7  8  9  10\n"
    )
    assert json.loads(typed("show", "red", "--json").out)["tags"][printed_uid("red", Face("red", 1))] == {
        "colour": "red",
        "value": 1,
    }
    assert typed("show", "blue").err == "tablewire: there is no deck 'blue': there are red\n"


def test_a_deck_goes_to_another_table_by_a_file(typed: Typed, folder: Path, tmp_path: Path) -> None:
    keep(folder, printed_deck("red"))
    assert typed("export", "red", "red.json") == (0, "", "")
    assert typed("export", "red").out == (tmp_path / "red.json").read_text("utf-8")
    assert typed("export", "red", "red.json").err == (
        "tablewire: red.json is there already: name another file, or give --force\n"
    )
    assert typed("forget", "red", "--yes") == (0, "forgot red\n", "")
    assert typed("import", "red.json") == (0, "red: complete\n", "")
    with Journal.open_reading(folder, evening) as journal:
        assert journal.kept("ligretto") == {"red": printed_deck("red").to_kept()}


def test_a_deck_is_not_kept_twice_under_another_name_nor_over_another(typed: Typed, folder: Path) -> None:
    text = encode_deck(printed_deck("red"))
    assert typed("import", "-", answer=text).status == 0
    status, _, err = typed("import", "-", answer=text)
    assert (
        status,
        err.startswith("tablewire: there is a deck 'red' already: give this one another --name"),
    ) == (2, True)
    status, out, err = typed("import", "-", "--name", "rot", answer=text)
    assert (status, out) == (2, "")
    assert f'tag {printed_uid("red", Face("red", 1))} (red 1) is red 1 of the deck "red" already' in err
    assert err.count("\n") == 1
    assert typed("import", "-", "--force", answer=text).status == 0
    assert (
        typed("import", "-", "--name", "blau", answer=encode_deck(printed_deck("blue"))).out
        == "blau: complete\n"
    )
    assert [deck["name"] for deck in json.loads(typed("list", "--json").out)] == ["red", "blau"]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "standard input: it is no deck"),
        (b"\n\xff", "tablewire: standard input:2: byte 0xff is not UTF-8; save the deck"),
        (b"x" * 300_000, "longer than 262144 bytes, so it is no deck"),
        (
            encode_deck(Deck("red", {"x": Face("red", 1)})).encode(),
            "standard input: the deck \"red\" is not right: 'x'",
        ),
    ],
    ids=["nothing", "bytes", "very long", "a fault"],
)
def test_what_is_no_deck_is_not_kept(typed: Typed, folder: Path, content: bytes, named: str) -> None:
    status, out, err = typed("import", "-", answer=content)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert named in err
    assert not folder.exists()


def test_forgetting_asks_first(typed: Typed, folder: Path) -> None:
    keep(folder, printed_deck("red"))
    status, out, err = typed("forget", "red", answer="n\n")
    assert (status, out) == (1, "")
    assert err == "forget the deck 'red' for good? [y/N] nothing was forgotten\n"
    assert typed("forget", "red").status == 2
    assert typed("forget", "red", answer="y\n").out == "forgot red\n"
    assert typed("list").out.startswith("no decks are kept")


def test_a_garbled_deck_is_named_and_the_others_are_there(typed: Typed, folder: Path) -> None:
    keep(folder, printed_deck("red"), printed_deck("blue"))
    with closing(sqlite3.connect(folder / "table.sqlite3")) as connection:
        connection.executescript("UPDATE kept SET body = replace(body, '04', '05') WHERE name = 'red'")
    status, out, err = typed("list")
    assert (status, out) == (0, "blue  complete\n")
    assert err.startswith("tablewire: 'red' of 'ligretto' is garbled on disk")
    assert typed("forget", "red", "--yes").status == 0
    assert typed("list") == (0, "blue  complete\n", "")


@pytest.fixture
def board() -> Iterator[BoardProcess]:
    with BoardProcess(3, fast=True, kind=BoardKind.LIGRETTO) as process:
        yield process


@pytest.fixture
def hand(board: BoardProcess) -> Iterator[Hand]:
    hand = Hand(board.socket_path)
    yield hand
    hand.close()


def test_a_deck_is_taught_over_a_port_stopped_and_gone_on_with(
    start: Callable[..., Running], board: BoardProcess, hand: Hand, folder: Path
) -> None:
    where = ("--port", str(board.port), "--data", str(folder))
    teaching = start("deck", "teach", "red", *where)
    for face in FACES[:3]:
        teaching.wait_for(f"Lay {face.colour} {face.value} on any pad")
        assert hand.do(["wait 700", f"lay red:{face.colour}:{face.value} 0"]) == ["ok", "ok"]
    teaching.wait_for("red 3 is taught")
    teaching.type("q")
    status, out, err = teaching.end()
    assert (status, err) == (1, "")
    assert out.endswith(
        "Stopped: the same command goes on from here.\n"
        'The deck "red" is kept: 37 cards are missing: red 4, red 5, red 6, red 7, red 8, and 32 more.\n'
    )
    again = start("deck", "teach", "red", *where)
    assert again.wait_for("Lay ") == "Lay red 4 on any pad. (3 of 40 are taught)"
    again.type("q")
    again.end()
    which = start("deck", "which", *where, "--seconds", "1")
    assert f'pad 0: red 2 of the deck "red" (tag {printed_uid("red", FACES[1])})' in which.end()[1]


def test_a_pad_that_the_board_does_not_have_is_not_waited_for(
    start: Callable[..., Running], board: BoardProcess, folder: Path
) -> None:
    where = ("--port", str(board.port), "--data", str(folder))
    status, out, err = start("deck", "teach", "red", "--pad", "16", *where).end()
    assert (status, "Lay red 1" in out) == (2, False)
    assert f"--pad 16: the board at {board.port} has pads 0 to 15; name one of these" in err


@pytest.mark.parametrize("command", [("deck", "which"), ("monitor",)])
def test_no_number_of_seconds_is_within_no_limits(start: Callable[..., Running], command: tuple[str]) -> None:
    status, out, err = start(*command, "--port", "none", "--seconds", "nan").end()
    assert (status, out) == (2, "")
    assert "'--seconds': nan is not a number of seconds" in err


def test_beside_a_table_that_runs_decks_come_and_go_and_that_is_said(typed: Typed, folder: Path) -> None:
    with Journal.open(folder, evening) as journal:
        said = typed("import", "-", answer=encode_deck(printed_deck("red")))
        assert (said.status, said.out) == (0, "red: complete\n")
        assert (
            said.err
            == "tablewire: the table that runs there hears of it when the next game or lesson begins\n"
        )
        assert [*journal.kept("ligretto")] == ["red"]
        assert typed("forget", "red", "--yes").out == "forgot red\n"
        assert journal.kept("ligretto") == {}


def test_while_a_table_runs_from_the_folder_a_deck_is_taught_on_its_page(typed: Typed, folder: Path) -> None:
    with Journal.open(folder, evening):
        status, out, err = typed("teach", "red", "--port", "/dev/null")
    assert (status, out) == (1, "")
    assert (
        err == f"tablewire: another tablewire uses {folder}: if it is a table, teach the deck on its page; "
        "if it is a lesson, end that first\n"
    )
