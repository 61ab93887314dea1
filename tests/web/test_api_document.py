"""The description of the page's interface names what there is: every field, path, reason and kind.

What the program has is read out of it: the document of a real game, the routes of the application, the fields
of the actions, and the reasons that its sources give.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.table.ligretto.pads import Pads
from tests.table.scene import opened
from tests.web.operators import WrittenOperator

from tablewire.games.cirkis import messages as cirkis
from tablewire.games.ligretto import messages as ligretto
from tablewire.games.ligretto.decks import printed_deck
from tablewire.showing import LINK_WORDS, Around
from tablewire.store.journal import Journal
from tablewire.table import Table
from tablewire.teaching import Teaching
from tablewire.web.actions import ACTIONS
from tablewire.web.app import create_app
from tablewire.web.feed import Feed
from tablewire.wire.account import Account

SOURCES = Path(__file__).parents[2] / "host/tablewire"
TEXT = (SOURCES / "web/README.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    part = re.split(r"^#+ ", TEXT.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.M)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def words(cell: str) -> list[str]:
    """What a cell has between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def fields_said(*headings: str) -> set[str]:
    """The fields that are described under these headings."""
    return {word for heading in headings for row in rows(heading) for word in words(row[0])}


def published(part: Mapping[str, Any], game_id: str | None = "id") -> set[str]:
    """The fields of a whole document around the table's own part of it."""
    return {*Around("").compose(part, game_id), "version"}


def test_every_field_of_a_document_of_cirkis_is_described() -> None:
    assert published(opened().doc) == fields_said("The state document", "The document of Cir\\*Kis")


def test_every_field_of_a_document_of_ligretto_is_described_and_those_within() -> None:
    pads = Pads("Anna", "Ben")
    assert published(pads.doc) == fields_said("The state document", "The document of Ligretto")
    pads.lay(1_000, "0 Anna red 1", "1 Ben green 5")
    pads.come(3_000, 0, "Anna red 2")
    pads.come(3_005, 0, "Ben red 2")
    pads.press(6_000, 0)
    pads.wait()
    pads.act("count", pad=15)
    document = pads.doc
    within = {
        "players": document["players"][0],
        "pads": document["pads"]["0"],
        "wrong": document["wrong"][0],
        "undecided": document["undecided"][0],
        "stopped": document["stopped"],
        "counting": document["counting"],
        "health": document["health"],
    }
    pads.act("left", left={"Anna": 0, "Ben": 4}, drop_rest=True)
    within["history"] = pads.doc["history"][0]
    told = {words(row[0])[0]: set(words(" ".join(row))) for row in rows("The document of Ligretto")}
    told["pads"] = told["pad_count"]
    for field, part in within.items():
        assert set(part) <= told[field], field


def test_every_field_that_is_there_before_a_game_is_described(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path, lambda: datetime(2026, 3, 4, tzinfo=UTC))) as journal:
        journal.keep("ligretto", "red", printed_deck("red").to_kept())
        lesson = Teaching.read(journal).act("teach", {"deck": "green"}, Table(), journal)
    assert isinstance(lesson, Teaching)
    document = lesson.document()
    said = {words(row[0])[0]: set(words(" ".join(row))) for row in rows("Before a game")}
    assert set(said) == set(document)
    assert set(document["teaching"]) <= said["teaching"]
    assert set(document["decks"][0]) <= said["decks"]


def test_every_field_and_state_of_the_link_is_described() -> None:
    around = Around("", tried=[("/dev/ttyACM0", "nothing is plugged in there")], link_text="not there")
    link = around.compose({}, None)["link"]
    said = {words(row[0])[0]: set(words(row[1])) for row in rows("The link")}
    assert sorted(said) == sorted(link)
    assert said["state"] >= set(LINK_WORDS.values())
    assert said["tried"] == set(link["tried"][0])


def test_every_kind_of_message_is_described() -> None:
    said = {word for row in rows("The message") for word in words(row[0])}
    assert said == {kind.value for kind in (*cirkis.MessageKind, *ligretto.MessageKind)}


def test_every_action_is_described_with_its_fields() -> None:
    said = {words(row[0])[0]: words(row[1]) for row in rows("Actions")}
    assert said == {
        action.path: [field.name if field.required else f"{field.name}?" for field in action.fields]
        for action in ACTIONS
    }


def test_every_path_that_can_be_read_is_described() -> None:
    app = create_app(
        Feed(), WrittenOperator(), boards={}, first_game="cirkis", writable=True, hosts=["table"]
    )
    paths = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    said = {words(row[0])[0].partition("?")[0] for row in rows("Reads")}
    assert said == {path for path in paths if path.startswith("/api/")}


def reasons() -> Iterator[str]:
    """Every reason that the sources give when an action or a read is refused."""
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                # `Refusal(reason, ...)` of a game, `Refusal(status, reason, ...)` of the web.
                texts = [arg.value for arg in node.args[:2] if isinstance(arg, ast.Constant)]
                found = [text for text in texts if isinstance(text, str)]
                if node.func.id in ("Refusal", "not_now") and found:
                    yield found[0]


def test_every_reason_of_a_refusal_is_described() -> None:
    said = {word for row in rows("When it is not done") for word in words(row[1])}
    given = set(reasons())
    assert {"illegal", "cannot_resume", "read_only", "streams_full"} <= given
    # The web knows its actions by path: what it does not know is no path.
    assert given - {"unknown_action"} <= said


def test_every_field_of_what_the_board_tells_of_itself_is_described() -> None:
    [said] = [set(words(row[1])) for row in rows("Reads") if words(row[0]) == ["/api/health"]]
    assert said >= {field.name for field in fields(Account)}
