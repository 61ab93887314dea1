"""`--capture FILE`: what is written, that it never stops a game, and never overwrites a file."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.capturing import CapturedTable, replayed
from tests.system.games import header

from tablewire.capture_file import CaptureFile
from tablewire.errors import UserError
from tablewire.link.address import SerialPath
from tablewire.run import RunningTable, Wanted
from tablewire.table import Table
from tablewire.wire.session import HostSession

FIRST = header("red", "green")
LIMIT_S = 60.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[CapturedTable]:
    """A table for two that is captured."""
    made = CapturedTable(tmp_path / "games", tmp_path / "capture", header=FIRST)
    yield made
    made.close()


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Every line of a capture, all whole."""
    content = path.read_text("utf-8")
    assert content.endswith("\n")
    return [json.loads(line) for line in content.splitlines()]


def test_a_capture_holds_every_byte_action_and_page_in_order(table: CapturedTable) -> None:
    table.run(300)
    table.do("place red 6,15 over 100")
    refused = table.act("undo", count=5)
    table.core.link_lost(table.now_ms, "the cable is out")
    table.close()
    lines = lines_of(table.path)
    assert (lines[0]["capture"], lines[0]["at"]) == (1, "2026-01-01T00:00:00+00:00")
    shown = [line["shown"] for line in lines if "shown" in line]
    assert shown == [document["version"] for document in table.shown]
    names = [name for line in lines for name in line.get("names", ())]
    assert next(line["names"] for line in lines if line.get("out")) == ["SnapshotReq", "Signal"]
    assert {"Hello", "Snapshot", "Events", "Ack", "Status"} <= set(names)
    acted = next(n for n, line in enumerate(lines) if "act" in line)
    assert lines[acted] == {"ms": lines[acted]["ms"], "act": "undo", "body": {"count": 5}}
    assert lines[acted + 1] == {"answer": refused.status}
    lost = next(line for line in lines if line.get("link") == "lost")
    assert lost["reason"] == "the cable is out"
    times = [line["ms"] for line in lines if "ms" in line]
    assert times == sorted(times)
    assert times[0] == 0
    assert list(lines[-1]) == ["end"]


def test_an_error_of_the_programs_own_is_the_last_thing_in_a_capture(
    table: CapturedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.run(300)

    def break_down(_now_ms: int) -> bytes:
        raise ZeroDivisionError("a mistake")

    with monkeypatch.context() as patch:
        patch.setattr(table.core.session, "data_to_send", break_down)
        with pytest.raises(ZeroDivisionError):
            table.core.data_to_send(table.now_ms)
    table.file.close()
    assert lines_of(table.path)[-1] == {"broke": "ZeroDivisionError: a mistake"}
    status, said = replayed(table.path)
    assert status == 1
    assert said[-1].endswith("the program broke (ZeroDivisionError: a mistake), and does not any more")


@pytest.mark.parametrize(
    ("broken", "name"), [(Table, "act"), (HostSession, "data_to_send"), (HostSession, "link_lost")]
)
def test_an_error_of_the_programs_own_comes_again_when_it_is_replayed(
    table: CapturedTable, monkeypatch: pytest.MonkeyPatch, broken: type, name: str
) -> None:
    table.run(300)
    table.now_ms += 1
    whole = getattr(broken, name)

    def break_down(*given: Any) -> Any:
        if broken is Table or given[-1] in (301, table.now_ms):
            raise ZeroDivisionError("a mistake")
        return whole(*given)

    calls: dict[str, Callable[[], object]] = {
        "act": lambda: table.act("undo"),
        "data_to_send": lambda: table.core.data_to_send(table.now_ms),
        "link_lost": lambda: table.core.link_lost(table.now_ms, "the cable is out"),
    }
    with monkeypatch.context() as patch:
        patch.setattr(broken, name, break_down)
        with pytest.raises(ZeroDivisionError):
            calls[name]()
        table.core.end()
        table.file.close()
        status, said = replayed(table.path)
        assert (status, said[-1].startswith("same game: ")) == (0, True)
    status, said = replayed(table.path)
    assert status == 1
    assert said[-1].endswith("the program broke (ZeroDivisionError: a mistake), and does not any more")


def test_a_full_disk_ends_the_capture_with_one_notice_and_the_game_goes_on(table: CapturedTable) -> None:
    table.run(300)
    table.do("place red 6,15 over 100")
    table.wait_for_the_disk()
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, table.file._fd)
    os.close(full)
    table.do("place green 16")
    table.wait_for_the_disk()
    table.do("place red 31")
    assert table.doc["moves"] == 3
    (notice,) = table.doc["notices"]
    assert notice.startswith(f"the capture {table.path} ends here: No space left on device")
    assert len([shown for shown in table.shown if shown["notices"] not in ([], [notice])]) == 0
    table.file.close()
    status, said = replayed(table.path)
    assert (status, said[0]) == (0, "the capture was broken off; replayed up to there")
    assert said[1].startswith("same game: 1 move, ")


def test_a_disk_that_hangs_holds_up_nobody(tmp_path: Path) -> None:
    file = CaptureFile(tmp_path / "capture", queue_cap_count=4)
    end, stuck = os.pipe()
    os.dup2(stuck, file._fd)
    os.close(stuck)
    for n in range(1_000):
        file.write([{"ms": n, "out": "00" * 10_000}])
    assert file.trouble is not None
    assert "the disk does not answer; the game goes on and is kept without it" in file.trouble
    os.close(end)
    file.close()


def test_a_capture_never_overwrites_a_file_and_says_what_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    for name in ("mine", "link"):
        with pytest.raises(UserError, match="there is such a file already, and a capture never overwrites"):
            CaptureFile(tmp_path / name)
    assert (tmp_path / "mine").read_text() == "precious"
    with pytest.raises(UserError, match="cannot be written: No such file or directory"):
        CaptureFile(tmp_path / "none" / "capture")
    with pytest.raises(UserError, match="no file can have this name"):
        CaptureFile(tmp_path / "a\0b")


def wanted(folder: Path) -> Wanted:
    """A captured table without a board."""
    port = str(folder / "no-board")
    asked = Wanted(SerialPath(port), 500_000, folder / "games", "127.0.0.1", 0, FIRST, new=False)
    return replace(asked, capture=folder / "capture")


def test_a_start_that_fails_leaves_no_capture_in_the_way_of_the_next(tmp_path: Path) -> None:
    with (
        closing(RunningTable(replace(wanted(tmp_path), capture=None), print)),
        pytest.raises(Exception, match="is in use"),
    ):
        RunningTable(wanted(tmp_path), print)
    with pytest.raises(UserError, match="nonsense"):
        RunningTable(replace(wanted(tmp_path), resume="nonsense"), print)
    with closing(RunningTable(wanted(tmp_path), print)) as table:
        assert table.daemon is not None
        assert table.daemon.act("ruling", {"points": {"red": 5}}).status == 200
    assert replayed(tmp_path / "capture")[1][0].startswith("same game: 0 moves, ")


def test_a_program_that_is_killed_leaves_whole_lines_that_replay(tmp_path: Path) -> None:
    options = ["--port", str(tmp_path / "no-board"), "--data", str(tmp_path / "games")]
    options += ["--players", "red,green", "--listen", "127.0.0.1:0", "--capture", str(tmp_path / "capture")]
    process = subprocess.Popen(
        [sys.executable, "-m", "tablewire", "run", *options], stdout=subprocess.PIPE, text=True
    )
    with contextlib.ExitStack() as stack:
        stack.callback(process.communicate)
        stack.callback(process.kill)
        assert process.stdout is not None
        url = process.stdout.readline().split()[1]
        for points in range(1, 6):
            request = urllib.request.Request(  # noqa: S310 - our own
                f"{url}api/ruling",
                json.dumps({"points": {"red": points}}).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:  # noqa: S310 - our own
                assert answer.status == 200
        process.send_signal(signal.SIGKILL)
    said = subprocess.run(
        [sys.executable, "-m", "tablewire", "replay", str(tmp_path / "capture"), "--frames"],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert (said.returncode, said.stderr) == (0, "")
    lines = said.stdout.splitlines()
    assert any("act    ruling {'points': {'red': 4}}" in line for line in lines)
    assert lines[-2].startswith("the capture was broken off")
    assert lines[-1].startswith("same game: 0 moves, ")
