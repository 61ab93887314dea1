"""The model is a second opinion: it imports neither the engine of a game nor its reading of the table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "tests" / "model"
FORBIDDEN = ("tablewire.games", "tablewire.board", "tablewire.table", "tablewire.entries", "tablewire.wire")
CALLS = ("__import__", "import_module")
UNDER_TEST = {"tablewire.core", "tablewire.store.journal", "tablewire.virtual.board"}
"""What the model plays with, by bytes, buttons, documents and a file; only one module may even name it."""


def imports_of(text: str) -> Iterator[str]:
    """The modules that a text names to import."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(CALLS):
            yield f"called: {ast.unparse(node)}"


def walked(start: Iterator[Path]) -> dict[str, set[str]]:
    """By file of the tests: what it and every test module it imports, and these in turn, import."""
    found: dict[str, set[str]] = {}
    todo = list(start)
    while todo:
        path = todo.pop()
        name = path.relative_to(ROOT).as_posix()
        if name in found:
            continue
        found[name] = set(imports_of(path.read_text("utf-8")))
        for module in found[name]:
            for dotted in (module, module.rpartition(".")[0]):
                beside = ROOT / f"{dotted.replace('.', '/')}.py"
                if dotted.startswith("tests.") and beside.is_file():
                    todo.append(beside)
    return found


def breaches(found: dict[str, set[str]]) -> list[str]:
    """What is imported that must not be."""
    return [
        f"{name} imports {module}"
        for name, modules in sorted(found.items())
        for module in sorted(modules)
        if module.startswith(("called:", *FORBIDDEN))
        or (module.startswith("tablewire") and module.rpartition(".")[0] not in UNDER_TEST)
    ]


def test_the_model_imports_neither_the_engine_nor_the_reading_of_the_table() -> None:
    found = walked(MODEL.glob("*.py"))
    assert {"tests/model/meaning.py", "tests/games/slow_rules.py", "tests/games/slow_board.py"} <= set(found)
    assert breaches(found) == []
    assert [name for name, modules in found.items() if any(m.startswith("tablewire") for m in modules)] == [
        "tests/model/evening.py"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "from tablewire.games.cirkis import rules",
        "import tablewire.table",
        "def f():\n    from tablewire.board.lies import Lies",
        "from tablewire.games.cirkis.rules import Rules",
        "import importlib\nimportlib.import_module('tablewire.games')",
    ],
)
def test_an_import_that_must_not_be_is_found(line: str) -> None:
    assert len(breaches({"some.py": set(imports_of(line))})) == 1
