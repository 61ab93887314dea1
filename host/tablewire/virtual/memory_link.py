"""A link to a simulated board without any port: for programs that try themselves against hardware.

Owns how a board and a host meet in memory, in real time. Must not know frames, commands or what the board
does. It keeps the contract of `link/contract.py`, so whatever talks to a board through a link can be tried
with it: a `LinkThread`, a session, a program of your own.

    board = VirtualBoard(seed=7)
    link = MemoryLink(board)
    thread = LinkThread(link, listener)         # as with a serial port
    thread.start()
    link.do("place red 6,15 over 200")          # a hand; any thread; waits until it is done
    link.do("fault cut ms=100")                 # the listener is told Lost, then Opened
    thread.close()
    board.close()

There is no thread behind it: whoever reads, writes or commands first lets the board live until now. While
nobody does, the board stands still, and makes up for it at the next call; what it said meanwhile to a link
that was closed is lost, as on a wire.
"""

from __future__ import annotations

import threading
import time

from tablewire.link.faults import Cause, LinkLost, LinkRefused
from tablewire.virtual.board import Ticket, VirtualBoard

TICK_S = 0.002
"""How often a read that waits looks at the board: twice as often as the board's program turns."""

BACKLOG_MAX_BYTES = 4096
"""What a pseudo-terminal holds: a host that writes faster than the line carries is not heard beyond it."""


class MemoryLink:
    """The way to `board`, which from now on nobody else may touch but through `do`, `command` and `state`."""

    kind = "memory"

    def __init__(self, board: VirtualBoard, name: str = "memory") -> None:
        self.name = name
        self._board = board
        self._offset_ms = board.lived_ms - _now_ms()
        self._changed = threading.Condition()
        self._chunks: list[bytes] = []
        self._pulled_count: int | None = None  # of the cable when the link was opened; None: it is closed
        self._woken = False
        self._given_up = False

    # The link

    def open(self) -> None:
        """Meet the board. LinkRefused while it is unplugged."""
        with self._changed:
            self.close()
            if self._given_up:
                raise LinkRefused(f"{self.name} is not opened: the program ends")
            self._live()  # what is said until now, nobody hears
            if not self._board.plugged:
                text = f"cannot open {self.name}: the simulated board is unplugged; it is tried again"
                raise LinkRefused(text, Cause.ABSENT)
            self._board.port_opened()
            self._pulled_count = self._board.cable.pulled_count

    def read(self, limit_s: float, /) -> bytes:
        """What the board has said; none when `limit_s` passes or `wake` is called. LinkLost."""
        until_s = time.monotonic() + limit_s
        with self._changed:
            while True:
                self._live()
                if self._chunks and not self._given_up:
                    data, self._chunks = b"".join(self._chunks), []
                    return data
                self._expect_open()
                left_s = until_s - time.monotonic()
                if self._woken or left_s <= 0:
                    self._woken = False
                    return b""
                self._changed.wait(min(left_s, TICK_S))

    def write(self, data: bytes) -> bool:
        """Say `data` to the board; False when its line has no room for it. LinkLost."""
        with self._changed:
            self._live()
            self._expect_open()
            if self._board.backlog_bytes > BACKLOG_MAX_BYTES:
                return False
            self._board.receive_data(data)
            return True

    def wake(self) -> None:
        """Make a `read` that waits, or the next one, return now."""
        with self._changed:
            self._woken = self._pulled_count is not None
            self._changed.notify_all()

    def give_up(self) -> None:
        """The program ends: what waits ends by LinkLost, what comes later by LinkRefused."""
        with self._changed:
            self._given_up = True
            self._changed.notify_all()

    def close(self) -> None:
        """Leave the board; never fails."""
        with self._changed:
            self._pulled_count = None
            self._chunks = []
            self._woken = False

    # The board, for hands

    def do(self, *lines: str) -> list[str]:
        """Give the board commands, and let real time pass until they are done; their answers."""
        tickets = [self.command(line) for line in lines]
        with self._changed:
            while any(ticket.answer is None for ticket in tickets) and not self._board.paused:
                self._changed.wait(TICK_S)
                self._live()
        return [ticket.answer or "error paused" for ticket in tickets]

    def command(self, line: str, hand: int = 0) -> Ticket:
        """Give the board one command, and wait for nothing."""
        with self._changed:
            self._live()
            ticket = self._board.command(line, hand)
            self._changed.notify_all()
            return ticket

    def state(self) -> dict[str, object]:
        """What really lies on the table, and what the firmware counts."""
        with self._changed:
            self._live()
            return self._board.state()

    # What happens between calls

    def _live(self) -> None:
        """Let the board live until now, and take what it said to this opening of the link."""
        self._board.advance(_now_ms() + self._offset_ms)
        chunks = self._board.chunks_to_send()
        pulled = self._board.cable.pulled_count != self._pulled_count
        # Plugged in again meanwhile, nobody can tell what was said before from what was said after: an
        # opening may lose bytes, and must not hear those of the next.
        if self._pulled_count is not None and not (pulled and self._board.plugged):
            self._chunks += chunks

    def _expect_open(self) -> None:
        if self._given_up:
            raise LinkLost(f"lost the board at {self.name}: the program ends")
        if self._pulled_count is None:
            raise LinkLost(f"lost the board at {self.name}: it is closed")
        if self._board.cable.pulled_count != self._pulled_count:
            raise LinkLost(f"lost the board at {self.name}: it was unplugged; it is tried again")


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
