"""The daemon's core and a simulated board in one process, on one virtual clock, joined by a real
pseudo-terminal.

The bytes cross a pty opened with pyserial; the journal is a real SQLite file. Time moves in steps, and each
step moves what was written to the other side before time goes on, so that a run repeats exactly.
"""

from __future__ import annotations

import os
import select
import tty
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import serial

from tablewire.board.timing import DEFAULT_TIMING, Timing
from tablewire.core import Core
from tablewire.link.serial_port import SerialLink
from tablewire.store.journal import Journal
from tablewire.virtual.board import VirtualBoard

STEP_MS = 10
"""The clock's step: shorter than anything the rules of settling tell apart."""
CROSSING_LIMIT_S = 10.0
"""How long bytes may take through the pty before the test gives up; they take microseconds."""


def _open_patiently(port: str, baud: int) -> serial.Serial:
    """As the daemon opens ports, but without a limit on writing: a busy machine must not drop bytes here."""
    return serial.Serial(port, baud, timeout=0, exclusive=True)


class Killed(BaseException):
    """The process died here."""


class Rig:
    """One table. `shown` are the documents published so far, oldest first."""

    def __init__(
        self,
        folder: Path,
        *,
        board: VirtualBoard | None = None,
        seed: int = 1,
        header: dict[str, Any] | None = None,
        timing: Timing = DEFAULT_TIMING,
    ) -> None:
        self.folder = folder
        self.timing = timing
        self.board = board or VirtualBoard(seed)
        self.now_ms = 0
        self.shown: list[dict[str, Any]] = []
        self.die_before_showing = False
        self.cut_before_ack = False
        self.on_the_way_to_host: Callable[[bytes], bytes] = bytes
        self.on_the_way_to_board: Callable[[bytes], bytes] = bytes
        self._is_cut = False
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self._slave = slave
        self._port = os.ttyname(slave)
        self.core: Core
        self.start(header)

    # The daemon

    def start(self, header: dict[str, Any] | None = None) -> None:
        """Start a daemon on the data folder, as after a kill or for the first time."""
        self._journal = Journal.open(self.folder, lambda: datetime.now(UTC))
        self._link = SerialLink(self._port, opener=_open_patiently)
        self._link.open()
        self.core = Core(self._journal, self._publish, "virtual", self.timing)
        if header is not None:
            self.core.begin(header)
        self.core.link_opened(self.now_ms)
        self.board.port_opened()

    def kill(self) -> None:
        """The daemon is gone: what it had in memory, and what was on its way through the pty, is lost."""
        self._link.close()
        self._journal.close()
        self._drain()
        self.die_before_showing = False

    def _drain(self) -> None:
        while select.select([self._master], [], [], 0)[0]:
            os.read(self._master, 4096)

    def cut(self) -> None:
        """The link is lost, with what was on its way; the board lives on."""
        self._is_cut = True
        self._link.close()
        self._drain()
        self.core.link_lost(self.now_ms, "lost the board")

    def mend(self) -> None:
        """The link is there again."""
        self._is_cut = False
        self._link.open()
        self.core.link_opened(self.now_ms)
        self.board.port_opened()

    def restart(self) -> None:
        """Kill and start again."""
        self.kill()
        self.start()

    def close(self) -> None:
        """End of the test."""
        self._link.close()
        self._journal.close()
        os.close(self._master)
        os.close(self._slave)

    def _publish(self, version: int, document: dict[str, Any]) -> None:
        if self.die_before_showing:
            raise Killed
        if self.shown:
            assert version > self.shown[-1]["version"], (
                "the version must rise with every change, over restarts"
            )
        self.shown.append(document)

    # Time

    def run(self, ms: int) -> dict[str, Any]:
        """Let time pass; the document afterwards."""
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            self.now_ms += STEP_MS
            self.board.advance(self.now_ms)
            self._exchange()
        return self.doc

    def until(self, true: Callable[[dict[str, Any]], bool], limit_ms: int = 20_000) -> dict[str, Any]:
        """Let time pass until the document is so."""
        end_ms = self.now_ms + limit_ms
        while not true(self.doc):
            assert self.now_ms < end_ms, f"not so after {limit_ms} ms: {self.doc}"
            self.run(STEP_MS)
        return self.doc

    def do(self, *lines: str) -> None:
        """Give the board commands and let time pass until they are done."""
        for line in lines:
            ticket = self.board.command(line)
            while ticket.answer is None:
                self.run(STEP_MS)
            assert ticket.answer.startswith("ok"), f"{line}: {ticket.answer}"

    def _exchange(self) -> None:
        """Carry bytes both ways until neither side has any left to say at this moment.

        With `cut_before_ack` the link is lost once the host has heard of a change and is about to say so.
        """
        before = self.core.session.number
        for _ in range(8):
            to_host = self.board.data_to_send()
            if self._is_cut:
                self.core.data_to_send(self.now_ms)
                return
            if to_host:
                self._carry_to_host(self.on_the_way_to_host(to_host))
            if self.cut_before_ack and self.core.session.number > before:
                self.cut_before_ack = False
                self.cut()
                return
            to_board = self.core.data_to_send(self.now_ms)
            if to_board:
                self._carry_to_board(self.on_the_way_to_board(to_board))
            if not to_host and not to_board:
                return

    def _carry_to_host(self, data: bytes) -> None:
        while data:
            sent, data = data[:2_048], data[2_048:]
            os.write(self._master, sent)
            left = len(sent)
            while left:
                chunk = self._link.read(CROSSING_LIMIT_S)
                assert chunk, "bytes were lost in the pty"
                left -= len(chunk)
                self.core.receive(chunk, self.now_ms)

    def _carry_to_board(self, data: bytes) -> None:
        assert self._link.write(data)
        left = len(data)
        while left:
            ready, _, _ = select.select([self._master], [], [], CROSSING_LIMIT_S)
            assert ready, "bytes were lost in the pty"
            chunk = os.read(self._master, 4_096)
            left -= len(chunk)
            self.board.receive_data(chunk)

    # What is seen

    @property
    def doc(self) -> dict[str, Any]:
        """The document as shown."""
        return self.core.document()

    @property
    def view(self) -> dict[str, Any]:
        """The document without what a restart may change: version, link."""
        return {key: value for key, value in self.doc.items() if key not in ("version", "link")}
