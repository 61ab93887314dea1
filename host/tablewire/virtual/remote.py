"""A simulated board in a process of its own, and a hand on its command socket.

Owns the child process and the socket's line protocol. Must not know games, players or the daemon.
"""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from tablewire.errors import BoardError
from tablewire.virtual.leashed import PORT_NAME
from tablewire.virtual.pads import BOARD_READERS
from tablewire.wire.messages import BoardKind

START_LIMIT_S = 15.0
"""A cold start from an SD card takes a few seconds."""
STOP_LIMIT_S = 3.0
"""A board ends within a tick of 5 ms; one that does not is killed."""
ANSWER_LIMIT_S = 30.0
"""The slowest gesture takes five seconds; a board silent for longer is gone."""
LAST_WORDS_BYTES = 4096


class BoardProcess:
    """The child process. `port` is what a host opens, `socket_path` where hands come in."""

    def __init__(
        self, seed: int, *, fast: bool, kind: BoardKind = BoardKind.CIRKIS, pads: int = BOARD_READERS
    ) -> None:
        """Start it. BoardError when it does not come up."""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `close`
        speed = "fast" if fast else "real"
        command = [sys.executable, "-m", "tablewire.virtual.leashed", str(seed), speed]
        command += [kind.name.lower(), str(pads)]
        # A session of its own: Ctrl-C is for us; the board's leash tells it when we are gone.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,
        )
        try:
            self.socket_path = Path(self._told("socket"))
        except BaseException:
            self.close()
            raise
        self.port = self.socket_path.with_name(PORT_NAME)

    @property
    def pid(self) -> int:
        """The child's process number."""
        return self._process.pid

    def ended(self) -> str | None:
        """One line that says how the board ended; None while it runs."""
        status = self._process.poll()
        if status is None:
            return None
        how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
        said = self._last_words()
        return f"the simulated board {how}{': ' if said else ''}{said}"

    def close(self) -> None:
        """Let the leash go, and wait until the board has ended. May be called twice."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            self._process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _told(self, name: str) -> str:
        """The path the board prints under a name."""
        stdout = self._process.stdout
        if stdout is None:
            raise BoardError("the simulated board has no output")
        heard, until_s = b"", time.monotonic() + START_LIMIT_S
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while time.monotonic() < until_s:
                if not selector.select(until_s - time.monotonic()):
                    break
                chunk = os.read(stdout.fileno(), 4096)
                heard += chunk
                for line in heard.split(b"\n")[:-1]:
                    word, _, path = line.decode("utf-8", "replace").partition(" ")
                    if word == name:
                        return path
                if not chunk:
                    self._process.wait(STOP_LIMIT_S)
                    raise BoardError(self.ended() or "the simulated board closed its output")
        raise BoardError(f"the simulated board did not start within {START_LIMIT_S:.0f} s")

    def _last_words(self) -> str:
        if self._stderr.closed:
            return ""
        size = self._stderr.seek(0, 2)
        self._stderr.seek(max(0, size - LAST_WORDS_BYTES))
        lines = self._stderr.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


class Hand:
    """A connection to the command socket. For one thread; `close` may come from another, and ends a wait."""

    def __init__(self, path: Path) -> None:
        """Connect. BoardError when nobody listens there."""
        self._socket = socket.socket(socket.AF_UNIX)
        self._heard = b""
        try:
            self._socket.settimeout(ANSWER_LIMIT_S)
            self._socket.connect(str(path))
        except OSError as exc:
            self._socket.close()
            raise _gone(exc) from exc

    def do(self, lines: Sequence[str]) -> list[str]:
        """Send all lines, so that no pause comes between them, and wait for their answers. BoardError."""
        try:
            self._socket.sendall("".join(f"{line}\n" for line in lines).encode())
            while self._heard.count(b"\n") < len(lines):
                chunk = self._socket.recv(65_536)
                if not chunk:
                    raise ConnectionResetError("connection closed")
                self._heard += chunk
        except OSError as exc:
            raise _gone(exc) from exc
        *answers, self._heard = self._heard.split(b"\n")
        return [answer.decode("utf-8", "replace") for answer in answers]

    def close(self) -> None:
        """End the connection. May be called twice."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def _gone(exc: OSError) -> BoardError:
    return BoardError(f"the simulated board does not answer: {exc.strerror or exc}")
