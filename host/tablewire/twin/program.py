"""The emulated board as a program of its own, with the port, socket and clock of every simulated board.

Owns what a person may choose about it. Must not know commands, ports or the chip.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TextIO

from tablewire.twin.heart import TwinHeart
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.program import fresh_entropy, run_board
from tablewire.wire.messages import BoardKind


def run_twin(
    socket_path: Path | None = None,
    pty_link: Path | None = None,
    seed: int = 0,
    speed: str = "real",
    out: TextIO | None = None,
    *,
    kind: BoardKind = BoardKind.CIRKIS,
    eeprom: Path | None = None,
    firmware: Path | None = None,
    resets: bool = True,
) -> None:
    """Serve one board with the real firmware; see `run_board`. `resets`: opening the port resets it.

    UserError when something is not built or a file cannot be used; BoardError when the firmware crashes.
    """
    heart = partial(TwinHeart, firmware=firmware, eeprom=eeprom)
    board = VirtualBoard(seed, entropy=fresh_entropy(), heart=heart, kind=kind)
    if resets:
        board.command("fault reset-on-open")
    run_board(board, socket_path, pty_link, speed, out)
