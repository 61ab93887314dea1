"""A simulated board as a program of its own: a pseudo-terminal, a command socket, real time.

Owns the socket and the clock of a simulated board, and nothing else: what the board does is in board.py, its
port is in board_pty.py.
One thread waits on everything with `select`; no command or host can make it wait on anything else.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TextIO

from tablewire.errors import UserError
from tablewire.virtual.board import WAITING_MAX, Ticket, VirtualBoard
from tablewire.virtual.board_pty import BoardPty
from tablewire.virtual.language import LINE_MAX_BYTES
from tablewire.virtual.pads import BOARD_READERS
from tablewire.wire.messages import BoardKind

TICK_S = 0.005  # finer than a scan of the board
TURN_MAX_MS = 50  # an emulated chip at ten times real time still answers ten times a second
READ_BYTES = 4096  # of a client at once
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)  # kill, Ctrl-C, a closed terminal
CLIENTS_MAX = 16  # two hands, and room for whoever looks on
ANSWERS_MAX_BYTES = 1 << 20  # a client that never reads its answers is dropped


class _Client:
    """One connection to the command socket: lines in, answers out, in order."""

    def __init__(self, connection: socket.socket, hand: int) -> None:
        connection.setblocking(False)
        self.connection = connection
        self.hand = hand
        self.gone = False
        self._line = b""
        self._skipping = False
        self._tickets: list[Ticket] = []
        self._answers = b""
        self._ended = False  # it sends no more lines, but may still read answers

    def read(self, board: VirtualBoard) -> None:
        """Take the lines that have come."""
        try:
            data = self.connection.recv(READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            self.gone = True
            return
        if not data:
            self._ended = True
        *lines, rest = (self._line + data).split(b"\n")
        for line in lines:
            self._take(line, board)
        if len(rest) > LINE_MAX_BYTES and not self._skipping:
            self._take(rest, board)
            self._skipping = True
        self._line = b"" if self._skipping else rest

    @property
    def listening(self) -> bool:
        """Whether lines are taken from it now."""
        return not (self._ended or self.gone or len(self._tickets) >= WAITING_MAX)

    def _take(self, line: bytes, board: VirtualBoard) -> None:
        if self._skipping:  # the end of a line that was too long and has been answered
            self._skipping = False
            return
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            self._tickets.append(Ticket("", "error the line is not UTF-8"))
            return
        self._tickets.append(board.command(text, self.hand))

    def write(self) -> None:
        """Send the answers that are there."""
        while self._tickets and self._tickets[0].answer is not None:
            # Whatever a line echoes into its answer, an answer stays one line.
            answer = " ".join(str(self._tickets.pop(0).answer).splitlines())
            self._answers += answer.encode("utf-8", "replace") + b"\n"
        if self._answers:
            try:
                self._answers = self._answers[self.connection.send(self._answers) :]
            except BlockingIOError:
                self.gone = len(self._answers) > ANSWERS_MAX_BYTES
            except OSError:
                self.gone = True
        if self._ended and not self._tickets and not self._answers:
            self.gone = True


class _Server:
    """The command socket and its clients."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clients: list[_Client] = []
        self._hands = 0
        self._listener = socket.socket(socket.AF_UNIX)
        try:
            self._bind()
        except OSError as error:
            self._listener.close()
            raise UserError(f"cannot make the socket {path}: {error.strerror or error}") from error

    def _bind(self) -> None:
        self._clear_away()
        mask = os.umask(0o177)
        try:
            self._listener.bind(str(self.path))
        finally:
            os.umask(mask)
        self._listener.listen(CLIENTS_MAX)
        self._listener.setblocking(False)

    def _clear_away(self) -> None:
        """Remove the socket of a board that was killed: one that nobody answers any more."""
        if not self.path.is_socket():
            return
        with socket.socket(socket.AF_UNIX) as knocking:
            knocking.setblocking(False)
            try:
                knocking.connect(str(self.path))
            except ConnectionRefusedError:
                self.path.unlink(missing_ok=True)
            except OSError:
                pass  # it is alive and busy, or not ours: binding will say so

    def fileno(self) -> int:
        return self._listener.fileno()

    def accept(self) -> None:
        """Let in who knocks; more than there is room for are closed at once."""
        with suppress(BlockingIOError):
            connection, _ = self._listener.accept()
            if len(self.clients) >= CLIENTS_MAX:
                connection.close()
                return
            self._hands += 1
            self.clients.append(_Client(connection, self._hands))

    def answer(self, board: VirtualBoard) -> None:
        """Send what is due, and see off who is gone."""
        for client in self.clients:
            client.write()
            if client.gone:
                client.connection.close()
                board.drop_hand(client.hand)
        self.clients = [client for client in self.clients if not client.gone]

    def close(self) -> None:
        """Close everything and take the socket away."""
        for client in self.clients:
            client.connection.close()
        self._listener.close()
        self.path.unlink(missing_ok=True)


def run_virtual(
    socket_path: Path | None = None,
    pty_link: Path | None = None,
    seed: int = 0,
    speed: str = "real",
    out: TextIO | None = None,
    *,
    kind: BoardKind = BoardKind.CIRKIS,
    pads: int = BOARD_READERS,
) -> None:
    """Serve one board with the Python firmware; see `run_board`. `pads`: of a board for Ligretto."""
    board = VirtualBoard(seed, entropy=fresh_entropy(), kind=kind, pads=pads)
    run_board(board, socket_path, pty_link, speed, out)


def fresh_entropy() -> int:
    """What makes this run's boots differ from those of any other."""
    return int.from_bytes(os.urandom(8), "big")


def run_board(
    board: VirtualBoard,
    socket_path: Path | None,
    pty_link: Path | None,
    speed: str,
    out: TextIO | None = None,
) -> None:
    """Serve one simulated board until `quit`, SIGTERM, SIGINT or SIGHUP, and close it.

    Prints `pty PATH` and `socket PATH`, and `pty PATH` again whenever the board was plugged in anew. Without
    `socket_path` the socket lies in a private folder that is removed at the end. UserError when a path cannot
    be used. Must be called in the main thread.
    """
    out = out or sys.stdout
    folder = Path(tempfile.mkdtemp(prefix="tablewire-")) if socket_path is None else None
    board.command(f"speed {speed}")
    pty = BoardPty(pty_link)
    server: _Server | None = None
    stop: list[int] = []

    def note_stop(number: int, _: FrameType | None) -> None:
        stop.append(number)

    # Whoever started us with one ignored, as nohup does, wants us to live on.
    heeded = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, note_stop) for number in heeded}
    try:
        server = _Server(socket_path if socket_path is not None else (folder or Path()) / "board.sock")
        print(f"pty {pty.open()}", file=out)
        print(f"socket {server.path}", file=out, flush=True)
        _serve(board, pty, server, stop, out)
    finally:
        for number, action in before.items():
            signal.signal(number, action)
        pty.close()
        if server is not None:
            server.close()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        board.close()


def _serve(board: VirtualBoard, pty: BoardPty, server: _Server, stop: list[int], out: TextIO) -> None:
    turned_ms, board_ms = _now_ms(), 0
    path = pty.path
    while not stop and not board.quit:
        _wait(pty, server)
        server.accept()
        for client in server.clients:
            if client.listening:
                client.read(board)
        # A board that cannot keep up falls behind for good: catching up, each turn would last longer than the
        # one before.
        now_ms = _now_ms()
        board_ms += min(now_ms - turned_ms, TURN_MAX_MS)
        turned_ms = now_ms
        board.advance(board_ms)
        pty.pump(board)
        server.answer(board)
        if pty.path != path and pty.path is not None:
            print(f"pty {pty.path}", file=out, flush=True)
        path = pty.path
    server.answer(board)


def _now_ms() -> int:
    return int(time.monotonic() * 1000)


def _wait(pty: BoardPty, server: _Server) -> None:
    """Until something can be read, or a tick has passed."""
    with selectors.DefaultSelector() as selector:
        listening = (client.connection.fileno() for client in server.clients if client.listening)
        for number in (pty.fileno(), server.fileno(), *listening):
            if number is not None:
                selector.register(number, selectors.EVENT_READ)
        selector.select(TICK_S)
