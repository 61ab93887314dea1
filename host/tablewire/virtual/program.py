"""The simulated board as a program of its own: a pseudo-terminal, a command socket, real time.

Owns every file, port and clock of the virtual board, and nothing else: what the board does is in board.py.
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
import termios
import time
import tty
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TextIO

from tablewire.errors import UserError
from tablewire.virtual.board import WAITING_MAX, Ticket, VirtualBoard
from tablewire.virtual.commands import LINE_MAX_BYTES

TICK_S = 0.005  # finer than a scan of the board
READ_BYTES = 4096  # what a pseudo-terminal holds
CLIENTS_MAX = 16  # two hands, and room for whoever looks on
ANSWERS_MAX_BYTES = 1 << 20  # a client that never reads its answers is dropped


class BoardPty:
    """The pseudo-terminal a host opens like a serial port.

    `path` is the side to open; None while unplugged. `link`, if given, is a symbolic link that always leads
    to it. Nothing here blocks: what a host does not read in time is lost, as on a UART.
    """

    def __init__(self, link: Path | None = None) -> None:
        self.path: str | None = None
        self._link = link
        self._master: int | None = None
        self._host_there = False
        self._unsent: list[bytes] = []

    def open(self) -> str:
        """Plug in; the path to open. UserError when the link's place is taken."""
        master, slave = os.openpty()
        self.path = os.ttyname(slave)
        # Without a slave of our own, the first and last hosts show as EIO, which is how their coming is seen.
        os.close(slave)
        os.set_blocking(master, False)
        self._master = master
        self._host_there = False
        if self._link is not None:
            point_link(self._link, self.path)
        return self.path

    def close(self) -> None:
        """Unplug: whoever has the port open gets an error, as from a pulled cable."""
        if self._master is None:
            return
        os.close(self._master)
        if self._link is not None and self._link.is_symlink() and str(self._link.readlink()) == self.path:
            self._link.unlink()
        self._master = self.path = None
        self._unsent = []

    def fileno(self) -> int | None:
        """What to wait on for bytes of the host; None while there is no host."""
        return self._master if self._host_there else None

    def pump(self, board: VirtualBoard) -> None:
        """Bring the pseudo-terminal to the board's plug, and carry bytes both ways as far as they go."""
        if board.plugged and self._master is None:
            self.open()
        if self._master is not None:
            self._read(board)
        chunks = board.chunks_to_send()
        if self._master is not None and self._host_there:
            self._write(chunks)
        if not board.plugged and self._master is not None:
            self.close()

    def _read(self, board: VirtualBoard) -> None:
        while self._master is not None:
            try:
                chunk = os.read(self._master, READ_BYTES)
            except BlockingIOError:
                self._see_host(True, board)
                return
            except OSError:  # EIO: nobody has the other side open
                self._see_host(False, board)
                return
            if not chunk:
                self._see_host(False, board)
                return
            self._see_host(True, board)
            board.receive_data(chunk)

    def _see_host(self, there: bool, board: VirtualBoard) -> None:
        if there and not self._host_there and self._master is not None:
            # The last host's settings went with it; until this one sets its own, nothing may be echoed.
            tty.setraw(self._master, termios.TCSANOW)
            board.port_opened()
        if not there:
            self._unsent = []
        self._host_there = there

    def _write(self, chunks: list[bytes]) -> None:
        self._unsent += chunks
        while self._unsent and self._master is not None:
            try:
                sent = os.write(self._master, self._unsent[0])
            except (BlockingIOError, OSError):
                break
            rest = self._unsent[0][sent:]
            self._unsent[:1] = [rest] if rest else []
        # A host that does not read loses whole chunks, the oldest of those that did not fit.
        while sum(map(len, self._unsent)) > READ_BYTES:
            del self._unsent[0]


def point_link(link: Path, target: str) -> None:
    """Make `link` lead to `target`, at one stroke. UserError when something other than a link is there."""
    if link.exists() and not link.is_symlink():
        raise UserError(
            f"{link} exists and is no link: choose another place for the link to the board's port"
        )
    fresh = link.with_name(f".{link.name}.{os.getpid()}")
    try:
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        fresh.replace(link)
    except OSError as error:
        raise UserError(f"cannot make the link {link}: {error.strerror}") from error


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
        mask = os.umask(0o177)
        try:
            self._listener.bind(str(self.path))
        finally:
            os.umask(mask)
        self._listener.listen(CLIENTS_MAX)
        self._listener.setblocking(False)

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
) -> None:
    """Serve one simulated board until `quit`, SIGTERM or SIGINT.

    Prints `pty PATH` and `socket PATH`, and `pty PATH` again whenever the board was plugged in anew. Without
    `socket_path` the socket lies in a private folder that is removed at the end. UserError when a path cannot
    be used. Must be called in the main thread.
    """
    out = out or sys.stdout
    folder = Path(tempfile.mkdtemp(prefix="tablewire-")) if socket_path is None else None
    board = VirtualBoard(seed, entropy=int.from_bytes(os.urandom(8), "big"))
    board.command(f"speed {speed}")
    pty = BoardPty(pty_link)
    server: _Server | None = None
    stop: list[int] = []

    def note_stop(number: int, _: FrameType | None) -> None:
        stop.append(number)

    before = {number: signal.signal(number, note_stop) for number in (signal.SIGTERM, signal.SIGINT)}
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


def _serve(board: VirtualBoard, pty: BoardPty, server: _Server, stop: list[int], out: TextIO) -> None:
    began_s = time.monotonic()
    path = pty.path
    while not stop and not board.quit:
        _wait(pty, server)
        server.accept()
        for client in server.clients:
            if client.listening:
                client.read(board)
        board.advance(int((time.monotonic() - began_s) * 1000))
        pty.pump(board)
        server.answer(board)
        if pty.path != path and pty.path is not None:
            print(f"pty {pty.path}", file=out, flush=True)
        path = pty.path
    server.answer(board)


def _wait(pty: BoardPty, server: _Server) -> None:
    """Until something can be read, or a tick has passed."""
    with selectors.DefaultSelector() as selector:
        listening = (client.connection.fileno() for client in server.clients if client.listening)
        for number in (pty.fileno(), server.fileno(), *listening):
            if number is not None:
                selector.register(number, selectors.EVENT_READ)
        selector.select(TICK_S)
