"""Text from outside inside our own one line: it can neither break, colour nor flood it."""

import pytest
from click.testing import CliRunner

from tablewire.cli import cli
from tablewire.errors import UserError, one_line, quoted, short_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Übung 7.jsonl", "Übung 7.jsonl"),
        ("two\nlines", r"two\nlines"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a \u202e turn", r"a \u202e turn"),
        ("half \udcff a name", r"half \udcff a name"),
    ],
)
def test_a_name_from_outside_stays_on_its_line_and_leaves_the_terminal_alone(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_a_quotation_is_short_and_printable() -> None:
    assert quoted("\x1b[31m") == r"'\x1b[31m'"
    assert quoted("x" * 10_000) == "'" + "x" * 56 + "..."
    assert quoted(None) == "None"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a lamp", "a lamp"),
        ("ten chars.", "ten chars."),
        ("eleven char", "eleven ..."),
        ("a\n" * 9, "a\\na\\na..."),
    ],
)
def test_a_foreign_name_of_any_length_has_room_in_a_line(text: str, shown: str) -> None:
    assert short_line(text, 10) == shown


def test_a_value_too_deep_to_write_down_is_named_by_its_type() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert quoted(deep) == "a list"


def test_a_bad_option_is_the_users_error() -> None:
    arguments = ["run", "--port", "x", "--players", "2", "--option", "target=soon"]
    raised = CliRunner().invoke(cli, arguments).exception
    assert isinstance(raised, UserError)
    assert str(raised) == "--option target=soon: write true, false or a whole number of at most 9 digits"
