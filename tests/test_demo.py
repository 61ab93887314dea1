"""The demo as a user runs it: the real programs, a pty between them, whole games, and every way to end it."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import pytest
from tests.capturing import replayed

from tablewire.entries import Entry
from tablewire.games.records import score_text
from tablewire.store.journal import Journal
from tablewire.table import Table, restore

Document = dict[str, Any]

LIMIT_S = 180.0
"""A game takes some ten seconds; on a machine that is busy with other things, many times that."""
GAMES = {
    "two by hasbro": ["--players", "red,green", "--seed", "11"],
    "two by international": [
        *("--players", "yellow,purple", "--rulebook", "international"),
        *("--seed", "12", "--option", "target=15"),
    ],
    "four by hasbro": [
        *("--players", "red,green,purple,yellow", "--seed", "13"),
        *("--option", "target=25", "--option", "center_ring"),
    ],
    "four by international": [
        *("--players", "green,yellow,red,purple", "--rulebook", "international"),
        *("--seed", "14", "--option", "target=15"),
    ],
}


class Demo:
    """One `tablewire demo`, as fast as it goes, with a folder of its own for temporary files."""

    def __init__(self, data: Path | None, *arguments: str, listen: str = "127.0.0.1:0") -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="tw-")
        self.temporary = Path(self._temporary.name)
        self.url = ""
        command = [sys.executable, "-m", "tablewire", "demo", "--pace", "0", "--listen", listen]
        self.home = self.temporary / "home"
        self.process = subprocess.Popen(
            [*command, *(["--data", str(data)] if data else []), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": self._temporary.name, "XDG_DATA_HOME": str(self.home)},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.process.kill()
        self.process.communicate()
        self._temporary.cleanup()

    def page(self) -> str:
        """The page's address, as printed."""
        assert self.process.stdout is not None
        while not self.url:
            line = self.process.stdout.readline()
            assert line, f"ended without a page: {self.process.stderr and self.process.stderr.read()}"
            if line.startswith("page "):
                self.url = line.split()[1]
        return self.url

    def documents(self) -> Iterator[Document]:
        """What the page shows, from now on."""
        until_s = time.monotonic() + LIMIT_S
        address = f"{self.page()}api/events"
        with urllib.request.urlopen(address, timeout=LIMIT_S) as stream:  # noqa: S310 - our own page
            for line in stream:
                assert time.monotonic() < until_s, "the page does not come to what is waited for"
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))

    def wait_for(self, wanted: Callable[[Document], bool]) -> Document:
        """The first document that is wanted."""
        return next(document for document in self.documents() if wanted(document))

    def end(self) -> tuple[int, str, str]:
        """Exit status, standard output and error, once it has ended by itself or by a signal sent before."""
        out, err = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, out, err

    def board_pid(self) -> int:
        """The process of the simulated board."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        assert len(children) == 1
        return int(children[0])


def wait_until_gone(pid: int) -> None:
    """Until no process of that number runs; a file descriptor of it becomes readable then."""
    with suppress(ProcessLookupError):
        descriptor = os.pidfd_open(pid)
        try:
            assert select.select([descriptor], [], [], LIMIT_S)[0], f"process {pid} still runs"
        finally:
            os.close(descriptor)


def kept(data: Path) -> tuple[str, Table]:
    """The game in a data folder: its id, and the table its journal describes."""
    with Journal.open(data, lambda: datetime.now(UTC)) as journal:
        game = journal.current_game()
        assert game is not None
        entries = [Entry(e.kind, e.at_ms, e.body) for e in journal.entries(game.game_id)]
        return game.game_id, restore(game.pinned, entries)


def lines_of(table: Table) -> list[str]:
    return table.record().splitlines()[1:]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[tuple[int, str, str], Table]]:
    """Every game of `GAMES`, played to its end side by side."""
    folders = {name: tmp_path_factory.mktemp("demo") for name in GAMES}
    with ExitStack() as stack:
        demos = {
            name: stack.enter_context(Demo(folders[name], "--once", *arguments))
            for name, arguments in GAMES.items()
        }
        return {name: (demo.end(), kept(folders[name])[1]) for name, demo in demos.items()}


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_and_its_record_scores_the_same(
    games: dict[str, tuple[tuple[int, str, str], Table]], name: str
) -> None:
    (status, out, err), table = games[name]
    assert (status, err) == (0, "")
    assert out.startswith("page http://127.0.0.1:")
    assert "Ctrl-C" in out

    document = json.loads(json.dumps(table.document()))
    printed = score_text(table.record(), "record", Path())

    assert document["phase"] == "over"
    assert document["message"] is None
    assert document["moves"] == len(printed) - 1 >= 5
    assert document["last"] == printed[-2]
    assert document["result"] == printed[-1]["result"]
    assert {p["colour"]: p["score"] for p in document["players"]} == printed[-1]["result"]["scores"]
    assert all(p["peg"]["hole"] in (p["peg"]["due"], None) for p in document["players"])


def test_a_demo_killed_in_mid_game_goes_on_with_that_game_to_its_end_and_both_replay(
    tmp_path: Path,
) -> None:
    captures = tmp_path / "1.capture", tmp_path / "2.capture"
    options = "--option", "target=10", "--capture", str(captures[0])
    with Demo(tmp_path, "--seed", "21", *options) as demo:
        shown = demo.wait_for(lambda document: document["moves"] >= 6)
        board_pid = demo.board_pid()
        demo.process.kill()
        demo.process.wait()
        wait_until_gone(board_pid)
        assert not list(demo.temporary.iterdir())
    game_id, before = kept(tmp_path)

    with Demo(tmp_path, "--seed", "22", "--once", "--capture", str(captures[1])) as demo:
        documents = list(demo.documents())
        assert demo.end()[::2] == (0, "")

    after_id, after = kept(tmp_path)
    assert after_id == game_id
    assert documents[0]["version"] > shown["version"]
    assert "restore" not in {document["message"]["kind"] for document in documents if document["message"]}
    assert lines_of(after)[:5] == lines_of(before)[:5]
    assert after.document()["phase"] == "over"
    assert after.document()["moves"] > before.document()["moves"] >= 5
    assert [replayed(captures[0])[0], replayed(captures[1], tmp_path / "record")[0]] == [0, 0]
    assert (tmp_path / "record").read_text("utf-8") == after.record()


def test_after_a_game_the_board_is_cleared_and_the_next_begins(tmp_path: Path) -> None:
    with Demo(tmp_path, "--seed", "31", "--players", "red,green", "--option", "target=5") as demo:
        stream = demo.documents()
        first = next(document for document in stream if document["phase"] == "over")
        later = next(document for document in stream if document["game_id"] != first["game_id"])
        playing = next(document for document in stream if document["moves"] >= 2)
        demo.process.send_signal(signal.SIGTERM)
        assert demo.end()[::2] == (0, "")

    assert first["result"]["winners"]
    assert later["moves"] == 0
    assert playing["game_id"] == later["game_id"]
    assert sorted(map(int, playing["spaces"])) == sorted(
        space for piece in playing["laid"] for space in piece["spaces"]
    )


def test_a_match_goes_on_with_the_next_round(tmp_path: Path) -> None:
    options = ["--option", "match=20", "--option", "target=5"]
    with Demo(tmp_path, "--seed", "32", "--players", "green,red", *options) as demo:
        shown = demo.wait_for(lambda document: document["round"] == 2 and document["moves"] >= 1)

    assert sum(shown["totals"].values()) >= 5


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_demo_its_board_and_their_files_but_its_game_is_kept_apart_from_a_familys(
    number: signal.Signals,
) -> None:
    with Demo(None, "--seed", "41") as demo:
        demo.wait_for(lambda document: document["moves"] >= 1)
        board_pid = demo.board_pid()
        demo.process.send_signal(number)

        assert demo.end()[::2] == (0, "")
        wait_until_gone(board_pid)
        assert list(demo.temporary.iterdir()) == [demo.home]
        assert [path.name for path in (demo.home / "tablewire").iterdir()] == ["demo"]
        assert kept(demo.home / "tablewire" / "demo")[1].document()["moves"] >= 1


def test_a_board_that_dies_ends_the_demo_with_one_line(tmp_path: Path) -> None:
    with Demo(tmp_path, "--seed", "42") as demo:
        demo.wait_for(lambda document: document["moves"] >= 1)
        os.kill(demo.board_pid(), signal.SIGKILL)

        status, _, err = demo.end()

    assert status == 1
    assert len(err.splitlines()) == 1
    assert "simulated board was killed by signal 9" in err


def test_an_address_in_use_is_one_line_and_leaves_no_board_behind(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with Demo(tmp_path, "--seed", "43", listen=f"127.0.0.1:{port}") as demo:
            status, _, err = demo.end()
            assert not list(demo.temporary.iterdir())

    assert status != 0
    assert len(err.splitlines()) == 1
    assert str(port) in err
