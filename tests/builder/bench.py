"""A builder at a simulated board, in one process and on one clock: nothing waits, and every run repeats."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Sequence

from tablewire.builder.conversation import Conversation
from tablewire.builder.dialogue import Left
from tablewire.link.faults import lost
from tablewire.virtual.board import VirtualBoard

PORT = "/dev/ttyBENCH"
LIMIT_MS = 200_000
"""More than any run here takes, of the board's time."""


class Bench:
    """The board on the bench, and the clock of all that happens there."""

    def __init__(self, board: VirtualBoard | None = None) -> None:
        self.board = VirtualBoard(1) if board is None else board
        self.now_ms = 0

    def clock_s(self) -> float:
        return self.now_ms / 1000

    def advance(self) -> None:
        """Let a millisecond pass."""
        self.now_ms += 1
        assert self.now_ms < LIMIT_MS, "the person was never asked what they wait for"
        self.board.advance(self.now_ms)

    def do(self, *lines: str) -> None:
        """Give commands to the hands and let time pass until they are done."""
        tickets = [self.board.command(line) for line in lines]
        while tickets[-1].answer is None:
            self.advance()
        assert [ticket.answer for ticket in tickets if not str(ticket.answer).startswith("ok")] == []

    def converse(self, say: Callable[[str], None] = lambda _: None) -> Conversation:
        """A conversation with the board, on this clock."""
        return Conversation(self.link(), say, self.clock_s)

    def link(self) -> BenchLink:
        """The cable from the board to whoever opens it."""
        return BenchLink(self)


class BenchLink:
    """A port whose far end is the board; a read that waits lets time pass."""

    name = PORT
    kind = "memory"

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def open(self) -> None:
        self._bench.board.data_to_send()  # what nobody heard is gone
        self._bench.board.port_opened()

    def read(self, limit_s: float, /) -> bytes:
        for _ in range(max(1, round(limit_s * 1000))):
            if not self._bench.board.plugged:
                raise lost(PORT, OSError(errno.EIO, "gone"))
            self._bench.advance()
            data = self._bench.board.data_to_send()
            if data:
                return data
        return b""

    def write(self, data: bytes) -> bool:
        self._bench.board.receive_data(data)
        return True

    def give_up(self) -> None:
        return

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass


Reply = str | Sequence[str] | Callable[[], None]


class Builder:
    """A person who answers what is said: `on(pattern, reply)` is tried once, in order, at each line told.

    A reply is a line typed, commands that the board's hands begin with, or a function to be called.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.told: list[str] = []
        self._script: list[tuple[re.Pattern[str], tuple[Reply, ...]]] = []
        self._typed: list[str] = []

    def on(self, pattern: str, *replies: Reply) -> Builder:
        self._script.append((re.compile(pattern), replies))
        return self

    def tell(self, text: str) -> None:
        self.told.append(text)
        for at, (pattern, replies) in enumerate(self._script):
            if pattern.search(text):
                del self._script[at]
                for reply in replies:
                    self._reply(reply)
                return

    def _reply(self, reply: Reply) -> None:
        if isinstance(reply, str):
            self._typed.append(reply)
        elif callable(reply):
            reply()
        else:
            for line in reply:
                self._bench.board.command(line)

    def hear(self) -> str | None:
        if not self._typed:
            return None
        line = self._typed.pop(0)
        if line == "q":
            raise Left("stopped")
        return line

    def said(self, pattern: str) -> list[str]:
        """The lines told that match."""
        return [line for line in self.told if re.search(pattern, line)]

    @property
    def unasked(self) -> list[str]:
        """What never came up."""
        return [pattern.pattern for pattern, _ in self._script]
