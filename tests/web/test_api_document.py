"""The description of the page's interface names what there is: every field, path, reason and kind.

What the program has is read out of it: the document of a real game, the routes of the application, the fields
of the actions, and the reasons that its sources give.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from tests.table.scene import Scene, opened
from tests.web.operators import WrittenOperator

from tablewire.games.cirkis.messages import MessageKind
from tablewire.showing import LINK_WORDS, Around
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


@pytest.fixture
def game() -> Scene:
    return opened()


def test_every_field_of_the_state_document_is_described(game: Scene) -> None:
    document = {**Around("").compose(game.doc, "id"), "version": 1}
    assert sorted(word for row in rows("The state document") for word in words(row[0])) == sorted(document)


def test_every_field_and_state_of_the_link_is_described() -> None:
    around = Around("", tried=[("/dev/ttyACM0", "nothing is plugged in there")], link_text="not there")
    link = around.compose({}, None)["link"]
    said = {words(row[0])[0]: set(words(row[1])) for row in rows("The link")}
    assert sorted(said) == sorted(link)
    assert said["state"] >= set(LINK_WORDS.values())
    assert said["tried"] == set(link["tried"][0])


def test_every_kind_of_message_is_described() -> None:
    said = [word for row in rows("The message") for word in words(row[0])]
    assert said == [kind.value for kind in MessageKind]


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
