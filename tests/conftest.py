"""One suite, two boards: every scenario runs on each, their number is printed, and none may be skipped.

Where CI is set in the environment, no test at all may be skipped.
"""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

import pytest
from tests.boards import BOARDS, NewBoard

from tablewire.virtual.board import VirtualBoard
from tablewire.wire.messages import BoardKind


@pytest.fixture(scope="module", params=BOARDS)
def board_kind(request: pytest.FixtureRequest) -> str:
    """The name of the board that this run of the scenario is on."""
    return str(request.param)


@pytest.fixture
def new_board(board_kind: str) -> Iterator[NewBoard]:
    """Makes boards of one kind, with sensors."""
    with ExitStack() as made:
        yield partial(_make, made, board_kind, BoardKind.CIRKIS)


@pytest.fixture
def new_tag_board(board_kind: str) -> Iterator[NewBoard]:
    """Makes boards of one kind, with tag readers."""
    with ExitStack() as made:
        yield partial(_make, made, board_kind, BoardKind.LIGRETTO)


def _make(
    made: ExitStack, board_kind: str, table: BoardKind, seed: int = 1, *, entropy: int = 0
) -> VirtualBoard:
    board = VirtualBoard(seed, entropy=entropy, heart=BOARDS[board_kind], kind=table)
    made.callback(board.close)
    return board


def pytest_itemcollected(item: pytest.Item) -> None:
    """Note on each scenario its board, and the name that it has on all of them."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return
    kind = item.callspec.params.get("board_kind")
    if kind is not None:
        name, _, parameters = item.nodeid.partition("[")
        others = [part for part in parameters.rstrip("]").split("-") if part != kind]
        item.user_properties += [("board", kind), ("scenario", f"{name}[{'-'.join(others)}]")]


class Scenarios:
    """Counts the scenarios that ran to their end, by board, and knows what is wrong with the numbers."""

    def __init__(self, *, whole: bool, strict: bool) -> None:
        self._whole = whole
        self._strict = strict
        self._run: dict[str, set[str]] = defaultdict(set)
        self._skipped: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take down one scenario, or a test that was skipped."""
        noted = {str(name): str(value) for name, value in report.user_properties}
        if report.skipped and ("board" in noted or self._strict):
            self._skipped.append(report.nodeid)
        elif "board" in noted and report.when == "call":
            self._run[noted["board"]].add(noted["scenario"])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Take down a file that skips itself before anybody knows its scenarios."""
        if report.skipped:
            self._skipped.append(report.nodeid)

    def complaints(self) -> list[str]:
        """What makes the run fail."""
        skipped = [f"this was skipped: {name}" for name in self._skipped]
        everywhere = set.union(set(), *self._run.values())
        missing = [
            f"not run on {board}: {name}"
            for board in BOARDS
            for name in sorted(everywhere - self._run[board])
            if self._whole
        ]
        return skipped + missing

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run."""
        if self.complaints() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say the numbers."""
        for complaint in self.complaints():
            terminalreporter.write_line(complaint, red=True)
        if any(self._run.values()):
            counted = ", ".join(f"{board} {len(self._run[board])}" for board in BOARDS)
            terminalreporter.write_line(f"scenarios: {counted}")


def pytest_configure(config: pytest.Config) -> None:
    """Count where the results come together: in the one process, or in the one that the others report to.

    Whoever is started in the background, or by nohup, ignores signals, and so do all whom they start.
    """
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        option = config.option
        chosen = option.keyword or option.markexpr or any("::" in one for one in config.args)
        stopping = option.maxfail or getattr(option, "lf", False)
        config.pluginmanager.register(
            Scenarios(whole=not chosen and not stopping, strict="CI" in os.environ), "scenarios"
        )
