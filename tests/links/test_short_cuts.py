"""A cut that is over before anybody has looked is a cut all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewire.link.faults import LinkLost
from tablewire.link.serial_port import SerialLink
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.board_pty import BoardPty
from tablewire.virtual.memory_link import MemoryLink


def test_on_a_pseudo_terminal(tmp_path: Path) -> None:
    board, pty = VirtualBoard(1), BoardPty(tmp_path / "port")
    pty.open()
    link = SerialLink(str(tmp_path / "port"))
    link.open()
    pty.pump(board)
    board.do("fault cut after=0 ms=1", "wait 50")
    pty.pump(board)
    with pytest.raises(LinkLost):
        link.read(60)
    link.open()
    pty.pump(board)
    board.do("fault boot-text text=NOW")
    pty.pump(board)
    assert link.read(60) == b"NOW"
    link.close()
    pty.close()
    board.close()


def test_in_memory() -> None:
    board = VirtualBoard(1)
    link = MemoryLink(board)
    link.open()
    link.do("fault boot-text text=BEFORE", "fault cut after=0 ms=1", "wait 20", "fault boot-text text=AFTER")
    assert link.read(60) == b"BEFORE"
    with pytest.raises(LinkLost):
        link.read(60)
    link.open()
    link.do("fault boot-text text=NOW")
    assert link.read(60) == b"NOW"
    link.close()
    board.close()
