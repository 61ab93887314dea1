"""Kind 6: a port without the rights, and a folder once made with sudo, as people meet them at a whole table.

Each is one line that names what is closed and what opens it, and neither is taken for the other. The table
runs as a user without special rights, also when the tests run as root.
"""

from __future__ import annotations

import grp
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.link.pty_board import PtyBoard
from tests.link.test_faults import a_group_without_us
from tests.links.kinds import AtPty
from tests.store.conftest import open_folder  # noqa: F401 - the fixture
from tests.store.unprivileged import give_away, run_unprivileged
from tests.system.live import LiveTable

from tablewire.link.address import SerialPath
from tablewire.link.last_good import FILE_NAME
from tablewire.virtual.board import VirtualBoard

IMPORTS = """
import json, os, signal, sys, threading, urllib.request
from tablewire import cli, replay, run, shelf
from tablewire.store import journal
"""
RUN = """
near, far = os.pipe()
told = {"terminal": []}

def link_on_the_page(url):
    with urllib.request.urlopen(url + "api/events", timeout=60) as stream:
        for line in stream:
            if line.startswith(b"data: ") and json.loads(line[6:])["link"].get("text"):
                return json.loads(line[6:])["link"]

def look():
    with open(near) as lines:
        for line in lines:
            told["terminal"].append(line.rstrip())
            if line.startswith("page "):
                url = line.split()[1]
            if line.startswith("board"):
                told["link"] = link_on_the_page(url)
                os.kill(os.getpid(), signal.SIGINT)

looking = threading.Thread(target=look)
looking.start()
shown, sys.stdout, sys.stderr = sys.stdout, open(far, "w", buffering=1), sys.stdout
sys.argv = ["tablewire", "run", "--data", sys.argv[1], "--port", sys.argv[2], "--listen", "127.0.0.1:0"]
try:
    cli.main()
except SystemExit as end:
    told["status"] = end.code
sys.stdout.close()
looking.join()
print(json.dumps(told), file=shown)
"""
"""`tablewire run`, which is told to end once terminal and page say how it stands with the board."""
OF_A_PORT = ("usermod", "log out", "udev", "--port", "tablewire doctor")
"""What is said of a port's rights alone."""
OF_A_FOLDER = ("chmod", "chown", "--data")
"""What is said of a folder's rights alone."""


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Path]:
    """A serial port that the table may use."""
    board = PtyBoard(tmp_path / "port")
    give_away(board.path.readlink())
    yield board.path.readlink()
    board.unplug()


def run_table(folder: Path, port: Path) -> tuple[str, dict[str, Any]]:
    """What came on its errors, and what was seen of it."""
    *errors, told = run_unprivileged(IMPORTS, RUN, folder, port).splitlines()
    return "\n".join(errors), dict(json.loads(told))


def close_port(port: Path) -> grp.struct_group | None:
    """Take its rights away, as of a board's port; the group that has them, where root gave it one."""
    if os.getuid() != 0:
        port.chmod(0)
        return None
    group = a_group_without_us()
    os.chown(port, 0, group.gr_gid)
    port.chmod(0o660)
    return group


def test_a_port_without_the_rights_names_the_group_and_the_command_on_page_and_terminal(
    port: Path,
    open_folder: Path,  # noqa: F811
) -> None:
    group = close_port(port)
    errors, told = run_table(open_folder, port)
    assert (errors, told["status"]) == ("", 0)
    (line,) = [line for line in told["terminal"] if line.startswith("board")]
    for said in (line, told["link"]["text"]):
        assert str(port) in said
        assert "permission denied" in said
        assert not [words for words in OF_A_FOLDER if words in said]
        if group is not None:
            assert f"the group {group.gr_name}: sudo usermod -aG {group.gr_name} $USER" in said
            assert "log out and in again" in said
    assert told["link"]["state"] == "down"


def test_a_folder_without_the_rights_is_no_matter_of_the_port(
    port: Path,
    open_folder: Path,  # noqa: F811
) -> None:
    close_port(port)
    open_folder.chmod(0o500)
    errors, told = run_table(open_folder, port)
    assert (told["status"], told["terminal"]) == (1, [])
    assert errors == (
        f"tablewire: cannot use the data folder {open_folder}: permission denied; "
        "name another folder with --data"
    )


def test_games_in_a_folder_that_has_become_closed_name_the_command(
    port: Path,
    open_folder: Path,  # noqa: F811
) -> None:
    close_port(port)
    run_table(open_folder, port)
    open_folder.chmod(0o500)
    errors, told = run_table(open_folder, port)
    assert told["status"] == 1
    assert f"chmod u+rwX {open_folder}" in errors
    assert errors.count("tablewire: ") == 1
    assert not [words for words in OF_A_PORT if words in errors]


@pytest.mark.parametrize("content", [b"", b'{"board": 99}', b"\xff"])
def test_settings_that_cannot_be_read_cost_a_line_and_are_kept(content: bytes, tmp_path: Path) -> None:
    """Which board answered last, noted by a newer version or half written; the board is named this time."""
    board = AtPty(tmp_path, VirtualBoard(1))
    settings = tmp_path / "data" / FILE_NAME
    settings.parent.mkdir()
    settings.write_bytes(content)
    try:
        with LiveTable(settings.parent, port=SerialPath(board.link.name)) as table:
            doc = table.up()
            table.table.note_board()
    finally:
        board.close()
    (line,) = [line for line in table.said if FILE_NAME in line]
    assert line.endswith(f"; it is kept as {FILE_NAME}.unreadable-1")
    assert not [words for words in OF_A_PORT if words in line]
    assert settings.with_name(f"{FILE_NAME}.unreadable-1").read_bytes() == content
    assert json.loads(settings.read_bytes())["port"] == board.link.name
    assert "text" not in doc["link"]
