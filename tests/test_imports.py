"""Data flows one way: who may import whom, what pure stages never touch, and how a module opens.

The rules are tables here; a small tree with one breach each shows that every rule can fail.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "host" / "tablewire"

STAGES: dict[str, set[str]] = {
    "errors": set(),
    "entries": set(),
    "wire": {"errors"},
    "board": {"wire", "errors", "entries"},
    "games": {"board", "wire", "errors", "entries"},
    "table": {"games", "board", "wire", "errors", "entries"},
    "teaching": {"table", "games", "board", "wire", "errors"},
    "store": {"errors", "entries"},
    "link": {"errors"},
    "web": {"errors"},
    "virtual": {"link", "wire", "games", "errors"},
    "twin": {"virtual", "wire", "errors"},
    "builder": {"link", "options", "games", "wire", "errors"},
    "doctor": {"builder", "link", "store", "games", "wire", "errors", "options", "packaging"},
    "signals": {"games", "wire", "errors"},
    "asking": set(),
    "showing": {"wire", "errors"},
    "outcome": set(),
    "service": {"errors"},
    "packaging": set(),
    "ports_command": {"link", "options", "store", "wire", "errors"},
}
"""What each stage may import of the others. What is not listed wires them: it may import all of them."""

PURE = {
    *("errors", "entries", "wire", "board", "games", "table", "teaching", "signals", "asking", "showing"),
    "outcome",
}

PURE_FILES = {
    "builder/hex_file.py",
    "builder/levels.py",
    "builder/places.py",
    "builder/report.py",
    "builder/steady.py",
    "builder/wiring_verdict.py",
    "doctor/checks_board.py",
    "doctor/checks_computer.py",
    "doctor/checks_ports.py",
    "doctor/checks_readers.py",
    "doctor/checks_sensors.py",
    "doctor/finding.py",
    "doctor/report.py",
    "doctor/seen.py",
    "link/address.py",
    "link/ble_boards.py",
    "virtual/calibration.py",
    "virtual/debounce.py",
    "virtual/device.py",
    "virtual/firmware.py",
    "virtual/grid.py",
    "virtual/magnets.py",
    "virtual/numbered.py",
    "virtual/outbox.py",
    "virtual/readers.py",
    "virtual/tag_device.py",
    "virtual/tag_outbox.py",
    "virtual/tag_passes.py",
}
"""Pure within a stage that is not: judgements, and the simulated firmware. They import one another only."""

STILL_FILES = {
    "link/contract.py",
    "link/events.py",
    "link/home.py",
    "link/places.py",
    "link/reconnect.py",
}
"""Pure themselves, with values from modules that are not: time and chance are arguments here too."""

IMPURE_MODULES = {
    *(
        "asyncio",
        "bleak",
        "flask",
        "importlib",
        "multiprocessing",
        "os",
        "random",
        "secrets",
        "select",
        "serial",
    ),
    *("socket", "sqlite3", "subprocess", "threading", "time", "waitress"),
}
"""Input, output, clocks, chance and threads: a pure stage gets them as arguments or not at all."""

ALONE: dict[str, set[str]] = {
    "bleak": {"link/radio_bleak.py", "link/ble_connection.py"},
    "dbus_fast": {"link/radio_bluez.py"},
    "serial": {"link/serial_port.py", "link/ports.py"},
}
"""Who alone knows a library: its errors and its oddities are turned into ours there."""

CATALOGUE = "games/catalogue.py"
"""Where the games are listed by name: the only way from what all games share to any one of them."""

GAMES = ("cirkis", "ligretto")
"""Each has a folder of its own below `games`, and none knows another."""

WIRING = {
    "cli",
    "deck_commands",
    "new_game",
    "demo",
    "demo_cirkis",
    "demo_ligretto",
    "virtual",
    "builder",
    "doctor",
}
"""What may know one game by name: its options, its computer players, the board below its pieces."""

LINES_MAX = 400
GENERATED = {"wire/messages.py"}
"""Made from a table by a generator, so as long as the table."""


def imported(tree: ast.AST, package: tuple[str, ...]) -> Iterator[str]:
    """Every module that an import names, wherever it stands; names out of a package count as modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *([node.module] if node.module else [])))
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Name) and node.id == "__import__":
            yield "importlib"


def stage_of(module: str) -> str | None:
    """The stage that a module belongs to; None for the project's root and for others' modules."""
    parts = module.split(".")
    return parts[1] if parts[0] == "tablewire" and len(parts) > 1 and parts[1] != "__version__" else None


def breaches(root: Path) -> Iterator[str]:
    """One line for each breach in the package at `root`."""
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        if not (ast.get_docstring(tree) or "").strip():
            yield f"{name} does not open with a docstring"
        if text.count("\n") >= LINES_MAX and name not in GENERATED:
            yield f"{name} has {text.count(chr(10))} lines"
        if name != "__init__.py":
            package = ("tablewire", *path.relative_to(root).parent.parts)
            yield from (f"{name} {fault}" for fault in import_faults(name, set(imported(tree, package))))


def import_faults(name: str, modules: set[str]) -> Iterator[str]:
    own = name.split("/")[0].removesuffix(".py")
    if own in PURE or name in PURE_FILES | STILL_FILES:
        yield from (f"imports {m}" for m in sorted({m.split(".")[0] for m in modules} & IMPURE_MODULES))
    if own in STAGES:
        others = {stage for m in modules if (stage := stage_of(m)) is not None} - {own}
        yield from (f"imports {stage}" for stage in sorted(others - STAGES[own]))
    if name in PURE_FILES:
        siblings = {m.split(".")[2] for m in modules if m.startswith(f"tablewire.{own}.")}
        pure = {Path(file).stem for file in PURE_FILES if file.startswith(f"{own}/")}
        yield from (f"imports {own}/{sibling}" for sibling in sorted(siblings - pure))
    for library, knowers in ALONE.items():
        if name not in knowers and any(m.split(".")[0] == library for m in modules):
            yield f"knows {library}"
    games = {game for game in GAMES if not name.startswith(f"games/{game}/")}
    one_game = any(f"{m}.".startswith(f"tablewire.games.{game}.") for m in modules for game in games)
    if one_game and own not in WIRING and name != CATALOGUE:
        yield "imports one game"


def test_no_stage_imports_a_later_one_and_pure_stages_import_no_input_or_output() -> None:
    assert list(breaches(PACKAGE)) == []


def test_every_stage_of_the_package_is_looked_at() -> None:
    seen = {
        p.relative_to(PACKAGE).as_posix().split("/")[0].removesuffix(".py") for p in PACKAGE.rglob("*.py")
    }
    assert set(STAGES) <= seen
    named = PURE_FILES.union(STILL_FILES, *ALONE.values())
    assert [name for name in named if not (PACKAGE / name).is_file()] == []


@pytest.mark.parametrize(
    ("name", "source", "breach"),
    [
        ("wire/frame.py", "import time", "wire/frame.py imports time"),
        ("wire/frame.py", "from os.path import join", "wire/frame.py imports os"),
        ("board/lies.py", "def f():\n    import random", "board/lies.py imports random"),
        ("games/cirkis/rules.py", "from sqlite3 import connect", "games/cirkis/rules.py imports sqlite3"),
        ("games/base.py", "__import__('socket')", "games/base.py imports importlib"),
        ("table.py", "import asyncio.events as e", "table.py imports asyncio"),
        ("wire/frame.py", "from tablewire.board import lies", "wire/frame.py imports board"),
        ("wire/frame.py", "from tablewire import board", "wire/frame.py imports board"),
        ("wire/frame.py", "from ..board.lies import Lies", "wire/frame.py imports board"),
        ("wire/frame.py", "from .. import games", "wire/frame.py imports games"),
        ("games/cirkis/rules.py", "from ...table import Table", "games/cirkis/rules.py imports table"),
        (
            "games/base.py",
            "if TYPE_CHECKING:\n    from tablewire.store import x",
            "games/base.py imports store",
        ),
        ("table.py", "from tablewire.daemon import Daemon", "table.py imports daemon"),
        ("store/journal.py", "import tablewire.wire.frame", "store/journal.py imports wire"),
        (
            "link/serial_port.py",
            "from tablewire.wire.frame import Decoder",
            "link/serial_port.py imports wire",
        ),
        ("web/app.py", "from tablewire.games.base import Game", "web/app.py imports games"),
        ("web/app.py", "from tablewire.store.journal import Journal", "web/app.py imports store"),
        ("web/app.py", "from tablewire.link import faults", "web/app.py imports link"),
        ("virtual/board.py", "from tablewire.table import Table", "virtual/board.py imports table"),
        ("entries.py", "from tablewire.wire import observed", "entries.py imports wire"),
        ("table.py", "from tablewire.games.cirkis import referee", "table.py imports one game"),
        ("games/base.py", "from tablewire.games import cirkis", "games/base.py imports one game"),
        ("core.py", "from tablewire.games.cirkis import referee", "core.py imports one game"),
        ("core.py", "from tablewire.games.ligretto import course", "core.py imports one game"),
        (
            "games/ligretto/words.py",
            "from tablewire.games.cirkis.words import listed",
            "games/ligretto/words.py imports one game",
        ),
        (
            "games/cirkis/rules.py",
            "import tablewire.games.ligretto",
            "games/cirkis/rules.py imports one game",
        ),
        ("games/records.py", "import tablewire.games.cirkis.score", "games/records.py imports one game"),
        ("signals.py", "import time", "signals.py imports time"),
        (
            "builder/calibrate.py",
            "from tablewire.virtual import board",
            "builder/calibrate.py imports virtual",
        ),
        ("twin/chip.py", "from tablewire.games import base", "twin/chip.py imports games"),
        ("builder/levels.py", "import time", "builder/levels.py imports time"),
        (
            "builder/report.py",
            "from tablewire.builder import conversation",
            "builder/report.py imports builder/conversation",
        ),
        ("link/reconnect.py", "import random", "link/reconnect.py imports random"),
        ("link/address.py", "import os", "link/address.py imports os"),
        ("link/address.py", "from tablewire.link import faults", "link/address.py imports link/faults"),
        ("link/finding.py", "from bleak import BleakClient", "link/finding.py knows bleak"),
        ("link/ble_search.py", "import dbus_fast.aio", "link/ble_search.py knows dbus_fast"),
        ("run.py", "from serial.tools import list_ports", "run.py knows serial"),
        ("service.py", "from tablewire.daemon import Daemon", "service.py imports daemon"),
        ("wire/frame.py", "x = 1\n" * 400, "wire/frame.py has 401 lines"),
    ],
)
def test_each_rule_can_be_broken(tmp_path: Path, name: str, source: str, breach: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'"""A module."""\n{source}')
    assert list(breaches(tmp_path)) == [breach]


def test_a_module_without_a_docstring_is_named(tmp_path: Path) -> None:
    (tmp_path / "cli.py").write_text("# says nothing\nimport time\n")
    assert list(breaches(tmp_path)) == ["cli.py does not open with a docstring"]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("cli.py", "import os, time\nfrom tablewire import table, store, link, web, __version__"),
        ("games/catalogue.py", "from tablewire.games.cirkis import referee"),
        (
            "games/cirkis/rules.py",
            "from tablewire.games.cirkis.tiling import board\nfrom tablewire.errors import E",
        ),
        ("games/cirkis/rules.py", "from .tiling import board\nfrom ...board import lies"),
        ("wire/messages.py", "x = 1\n" * 500),
        ("store/journal.py", "import os, sqlite3, threading, time"),
        ("builder/conversation.py", "import time\nfrom tablewire.builder import dialogue"),
        ("builder/report.py", "from tablewire.builder.levels import margins"),
        ("link/reconnect.py", "from tablewire.link.faults import Cause"),
        ("link/serial_port.py", "import serial, threading, time"),
    ],
)
def test_what_is_allowed_is_not_named(tmp_path: Path, name: str, source: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'"""A module."""\n{source}')
    assert list(breaches(tmp_path)) == []
