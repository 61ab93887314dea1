"""Killing the program at any moment loses nothing that was acknowledged."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.store.clock import evening

from tablewire.errors import StoreError
from tablewire.store.journal import Journal

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from tablewire.entries import Entry, EntryKind
from tablewire.store.journal import Journal
journal = Journal.open(Path(sys.argv[1]), lambda: datetime.now(UTC))
game = journal.current_game()
game_id = game.game_id if game else journal.begin_game("cirkis", {})
n = sum(1 for _ in journal.entries(game_id))
print("owned", flush=True)
while True:
    pair = [Entry(EntryKind.OBSERVATION, n, {"pad": "x" * 300}), Entry(EntryKind.COMMIT, n + 1, {"of": n})]
    journal.append(pair, n + 2)
    n += 2
    print(n, flush=True)
"""


def start_writer(folder: Path) -> subprocess.Popen[str]:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True, encoding="ascii"
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "owned\n"
    return writer


def kill(writer: subprocess.Popen[str]) -> str:
    """kill -9; what the writer had still said."""
    writer.kill()
    rest, _ = writer.communicate(timeout=30)
    return rest


def test_what_was_acknowledged_before_a_kill_is_there_afterwards(tmp_path: Path) -> None:
    for lines in (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144):
        writer = start_writer(tmp_path)
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(lines)]
        said += kill(writer).splitlines(keepends=True)
        acknowledged = max((int(line) for line in said if line.endswith("\n")), default=0)
        with Journal.open(tmp_path, evening) as journal:
            assert journal.notices == []
            game = journal.current_game()
            assert game is not None
            stored = [e.at_ms for e in journal.entries(game.game_id)]
            version = journal.version()
        assert stored == list(range(len(stored)))
        assert len(stored) >= acknowledged
        # Both entries and the version of one append come together.
        assert version == len(stored)
    assert len(stored) > 300


def test_a_second_program_on_the_same_folder_is_refused_until_the_first_is_dead(tmp_path: Path) -> None:
    writer = start_writer(tmp_path)
    try:
        with pytest.raises(StoreError) as caught:
            Journal.open(tmp_path, evening)
        message = str(caught.value)
        assert str(tmp_path) in message
        assert f"process {writer.pid}" in message
        assert "--data" in message
    finally:
        kill(writer)
    Journal.open(tmp_path, evening).close()


def test_one_program_cannot_own_a_folder_twice(tmp_path: Path) -> None:
    with Journal.open(tmp_path, evening), pytest.raises(StoreError, match="in use"):
        Journal.open(tmp_path, evening)


def test_a_kill_while_the_first_file_is_made_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "table.new").write_bytes(b"SQLite format 3\0 and no more")
    (tmp_path / "table.new-journal").write_bytes(b"half")
    with Journal.open(tmp_path, evening) as journal:
        assert journal.notices == []
        assert journal.version() == 0
    assert not (tmp_path / "table.new").exists()
