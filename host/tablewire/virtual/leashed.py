"""A simulated board that ends with the program that started it.

`python -m tablewire.virtual.leashed SEED real|fast [ligretto PADS]` prints `pty PATH` and `socket PATH`;
`port` beside the socket leads to the pty, also after it was plugged in anew.

Owns the private folder with the board's socket and its port, and the leash: standard input. When that ends,
because the other program closed it or was killed, so does the board. Must not know what the board does.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path

from tablewire.virtual.pads import BOARD_READERS
from tablewire.virtual.program import run_virtual
from tablewire.wire.messages import BoardKind

PORT_NAME = "port"
SOCKET_NAME = "board.sock"


def main(seed: int, speed: str, kind: BoardKind = BoardKind.CIRKIS, pads: int = BOARD_READERS) -> None:
    """Serve one board until standard input ends, SIGTERM or SIGINT."""
    threading.Thread(target=_watch, name="leash", daemon=True).start()
    # Beside other temporary files: the path of a socket may have 100 characters, a data folder's has more.
    folder = Path(tempfile.mkdtemp(prefix="tablewire-"))
    try:
        run_virtual(folder / SOCKET_NAME, folder / PORT_NAME, seed=seed, speed=speed, kind=kind, pads=pads)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _watch() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    _, seed, speed, *board = sys.argv
    main(int(seed), speed, *((BoardKind[board[0].upper()], int(board[1])) if board else ()))
