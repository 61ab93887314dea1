"""A whole simulated board: its table, firmware, faults and commands, driven by time.

Owns how time passes, the order of commands, and power. Must not know ports, sockets, threads or a real clock:
milliseconds are an argument, so a test and a session can share one clock. Nor what lies on its table: magnets
(magnet_surface.py) or tags (tag_surface.py). Nor which firmware beats in it: the protocol's rules in Python
(python_heart.py), or the real firmware in an emulated chip (../twin/heart.py).

What no board here simulates: magnets between two sensors (a half seated one reads nothing, or weak), fields
that weaken one another, and a supply that sags. What the Python firmware does not: the analog side (noise
below a class, a tag at the edge of its field), the UART's rate and overruns.

    board = VirtualBoard(seed=7)                       # or kind=BoardKind.LIGRETTO, pads=16
    ticket = board.command("place red 6,7 over 200")   # queues; `ticket.answer` is None until it is done
    board.advance(500)                                 # board time runs to 500 ms
    session.receive_data(board.data_to_send(), 500)
    board.receive_data(session.data_to_send(500))

Commands of one `hand` run in order, each beginning when the one before is done; different hands run side by
side. `resume` alone jumps the queue, for whatever waits behind a `pause` waits for ever.
"""

from __future__ import annotations

import heapq
import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tablewire.virtual.cable import Cable
from tablewire.virtual.fault_kinds import Fault, describe
from tablewire.virtual.heart import HeartMaker, Lights, Surroundings
from tablewire.virtual.language import ALL, FaultOff, FaultOn, Plain, Speed, Wait
from tablewire.virtual.line_table import LINE_FAULTS
from tablewire.virtual.magnet_surface import MagnetSurface
from tablewire.virtual.magnets import Magnets
from tablewire.virtual.pads import BOARD_READERS, Pads
from tablewire.virtual.python_heart import PythonHeart
from tablewire.virtual.surface import Surface, Timed, Work
from tablewire.virtual.tag_surface import TagSurface
from tablewire.wire.messages import BoardKind, ResetCause

FAST_FACTOR = 10  # so fast that an hour's game takes six minutes, yet a host on a slow machine keeps up
WAITING_MAX = 1000  # commands of one hand; a script with more waits for answers


@dataclass(slots=True)
class Ticket:
    """A command and, once it is done, its answer: `ok [data]` or `error TEXT`."""

    line: str
    answer: str | None = None


@dataclass(slots=True)
class _Hand:
    """The commands of one connection, the first of which may be under way until `busy_until_ms`.

    `text`: what there is to say of it when it is done.
    """

    waiting: deque[Ticket] = field(default_factory=deque)
    busy_until_ms: int | None = None
    text: str = ""


class VirtualBoard:
    """The board; see the module's text for how it is driven.

    `entropy` makes the boot nonces of two runs with one seed differ, as real boards' do. `heart` makes the
    firmware; `close` lets go of it. `pads` is how many a board for Ligretto has.
    """

    def __init__(
        self,
        seed: int,
        now_ms: int = 0,
        *,
        entropy: int = 0,
        heart: HeartMaker = PythonHeart,
        kind: BoardKind = BoardKind.CIRKIS,
        pads: int = BOARD_READERS,
    ) -> None:
        self.surface: Surface = TagSurface(seed, pads) if kind is BoardKind.LIGRETTO else MagnetSurface(seed)
        self.cable = Cable(seed)
        self.paused = False
        self.quit = False
        self.fast = False
        self._outer_ms = now_ms
        self._table_ms = 0
        self._hands: dict[int, _Hand] = {}
        self._steps: list[tuple[int, int, Timed]] = []
        self._step_count = 0
        self._power_cut: Fault | None = None
        self._power_back_ms: int | None = None
        self.heart = heart(Surroundings(self.magnets, self._emit, seed, entropy, self.pads))

    def close(self) -> None:
        """Let go of the firmware."""
        self.heart.close()

    @property
    def magnets(self) -> Magnets:
        """What lies over its sensors."""
        return self.surface.magnets

    @property
    def pads(self) -> Pads:
        """Its readers, and what is in their fields."""
        return self.surface.pads

    # ---- time ----

    @property
    def table_ms(self) -> int:
        """How long the table has existed, in its own time."""
        return self._table_ms

    @property
    def lived_ms(self) -> int:
        """Until when it has lived, by the clock of whoever drives it."""
        return self._outer_ms

    def advance(self, to_ms: int) -> None:
        """Let time pass until `to_ms` (of the caller's clock). ValueError when that is in the past."""
        if to_ms < self._outer_ms:
            raise ValueError(f"time only rises: {to_ms} ms after {self._outer_ms} ms")
        target_ms = self._table_ms + (to_ms - self._outer_ms) * (FAST_FACTOR if self.fast else 1)
        self._outer_ms = to_ms
        while True:
            self._settle()
            if self.paused:
                return
            self.heart.run(self._table_ms)
            if self._table_ms >= target_ms:
                return
            self._table_ms = min(target_ms, max(self._table_ms + 1, self._next_ms()))

    def _next_ms(self) -> int:
        """When something can happen next."""
        due = [
            self.heart.next_due_ms(self._table_ms),
            self.cable.next_due_ms(self._table_ms),
            self.surface.next_due_ms(),
            self._power_back_ms,
            *(hand.busy_until_ms for hand in self._hands.values()),
        ]
        if self._steps:
            due.append(self._steps[0][0])
        return min((ms for ms in due if ms is not None), default=self._table_ms + 10**9)

    def _settle(self) -> None:
        """Do what is due at this very moment."""
        self.cable.settle(self._table_ms)
        if self._power_back_ms is not None and self._power_back_ms <= self._table_ms:
            self._turn_off("power-cut")
        self._plan_steps(self.surface.due(self._table_ms))
        self._take_steps()
        while any(self._go_on(hand) for _, hand in sorted(self._hands.items())):
            pass

    def _take_steps(self) -> None:
        while self._steps and self._steps[0][0] <= self._table_ms and not self.paused:
            heapq.heappop(self._steps)[2].do(self._table_ms)

    def _plan_steps(self, steps: Iterable[Timed]) -> None:
        for step in steps:
            self._step_count += 1
            heapq.heappush(self._steps, (self._table_ms + step.after_ms, self._step_count, step))

    # ---- commands ----

    def command(self, line: str, hand: int = 0) -> Ticket:
        """Queue a line of the command language; it begins now if its hand is free."""
        ticket = Ticket(line)
        words = line.split()
        if words == ["resume"]:
            self.paused = False
            ticket.answer = "ok"
            return ticket
        waiting = self._hands.setdefault(hand, _Hand()).waiting
        if len(waiting) >= WAITING_MAX:
            ticket.answer = f"error {WAITING_MAX} commands wait already"
            return ticket
        waiting.append(ticket)
        self._settle()
        return ticket

    def do(self, *lines: str, hand: int = 0) -> list[str]:
        """Queue lines, let time pass until the last is done, and give the answers (for tests and scripts)."""
        tickets = [self.command(line, hand) for line in lines]
        while tickets and tickets[-1].answer is None and not self.paused:
            self.advance(self._outer_ms + 1)
        return [ticket.answer or "error paused" for ticket in tickets]

    def drop_hand(self, hand: int) -> None:
        """A connection is gone: what it began is finished, what waits is not begun."""
        gone = self._hands.pop(hand, None)
        if gone is not None:
            for ticket in gone.waiting:
                ticket.answer = "error the connection is gone"

    def _go_on(self, hand: _Hand) -> bool:
        """End a hand's command if it is due, or begin the next one; whether anything was done."""
        if not hand.waiting:
            return False
        ticket = hand.waiting[0]
        if hand.busy_until_ms is None:
            try:
                command = self.surface.language.parse(ticket.line)
                work = self._plan(command)
                if work is None:
                    data = self._do_at_once(command)
                    hand.waiting.popleft()
                    ticket.answer = f"ok {data}" if data else "ok"
                    return True
            except ValueError as error:  # CommandError, FaultError
                hand.waiting.popleft()
                ticket.answer = f"error {error}"
                return True
            hand.text = work.text
            self._plan_steps(work.steps)
            hand.busy_until_ms = self._table_ms + work.duration_ms
            self._take_steps()
        if self._table_ms < hand.busy_until_ms or self.paused:
            return False
        hand.busy_until_ms = None
        hand.waiting.popleft()
        ticket.answer = f"ok {hand.text}" if hand.text else "ok"
        return True

    def _plan(self, command: Any) -> Work | None:
        match command:
            case Wait(ms):
                return Work((), ms)
            case Plain() | Speed() | FaultOn() | FaultOff():
                return None
        return self.surface.plan(command, self._table_ms)

    def _do_at_once(self, command: Any) -> str:
        """Do a command that takes no time; its data."""
        match command:
            case Plain(word):
                return self._do_plain(word)
            case Speed(fast):
                self.fast = fast
            case FaultOn(fault):
                return self._turn_on(fault)
            case FaultOff(name):
                for one in list(self.faults) if name == ALL else [name]:
                    self._turn_off(one)
            case _:
                return self.surface.do_at_once(command, self._table_ms)
        return ""

    def _do_plain(self, word: str) -> str:
        match word:
            case "pause":
                self.paused = True
            case "reset":
                self._reset(ResetCause.POWER_ON)
            case "unplug":
                self.cable.unplug(None, self._table_ms)
            case "plug":
                self.cable.plug()
            case "state":
                return json.dumps(self.state())
            case "faults":
                return "; ".join(describe(fault) for fault in self.faults.values())
            case "help":
                return self.surface.language.explain()
            case "explain":
                return self.surface.language.faults.explain_all()
            case "quit":
                self.quit = True
        return ""

    def state(self) -> dict[str, object]:
        """What really lies on the table, and what the firmware counts."""
        self.heart.run(self._table_ms)
        return {
            **self.surface.state(),
            "counters": dict(self.heart.counters()),
            "nonce": self.heart.nonce,
            "device_ms": self.heart.device_ms(self._table_ms),
            "last_number": self.heart.last_number,
            "plugged": self.plugged,
            "lights": self.lights()._asdict(),
        }

    def lights(self) -> Lights:
        """What shines on the board at this moment."""
        return Lights(0, False, False) if self._power_cut else self.heart.lights()

    # ---- power, plug, faults ----

    @property
    def faults(self) -> dict[str, Fault]:
        """Every fault that is on, by name."""
        cut = {"power-cut": self._power_cut} if self._power_cut else {}
        return {**self.cable.faults, **self.surface.faults, **cut}

    @property
    def plugged(self) -> bool:
        """Whether the link is there."""
        return self.cable.plugged

    def _reset(self, cause: ResetCause) -> None:
        self.cable.say_boot_text(self._table_ms)
        self.heart.reset(cause, self._table_ms)

    def port_opened(self) -> None:
        """A host has opened the port."""
        fault = self.cable.faults.get("reset-on-open")
        if fault is not None:
            self.cable.deafen(self._table_ms + fault.whole("ms"))
            self._reset(ResetCause.EXTERNAL)

    def _turn_on(self, fault: Fault) -> str:
        """Begin a fault; what there is to say of it."""
        match fault.name:
            case "power-cut":
                self._power_cut = fault
                self._power_back_ms = self._table_ms + fault.whole("ms") if fault.whole("ms") else None
                self.cable.dead = True
            case name if name in LINE_FAULTS:
                self.cable.turn_on(fault, self._table_ms)
                if name == "noise":
                    self._hear(self.cable.noise_to_board(fault))
            case _:
                steps, text = self.surface.turn_on(fault, self._table_ms)
                self._plan_steps(steps)
                self._take_steps()
                return text
        return ""

    def _turn_off(self, name: str) -> None:
        self.cable.turn_off(name, self._table_ms)
        self.surface.turn_off(name, self._table_ms)
        if name == "power-cut" and self._power_cut is not None:
            self._power_cut = self._power_back_ms = None
            self.cable.dead = False
            self._reset(ResetCause.POWER_ON)

    # ---- bytes ----

    def set_host_baud(self, baud: int) -> None:
        """The rate at which the host sends and listens; at first 0, which is whatever the board uses."""
        self.heart.set_host_baud(baud)

    @property
    def backlog_bytes(self) -> int:
        """What the host wrote and the line has not begun to carry: whoever feeds the board may hold back."""
        return self.heart.backlog_bytes

    def receive_data(self, chunk: bytes) -> None:
        """Bytes the host wrote; lost while the board is unplugged, paused or deaf."""
        if self.paused:
            return
        for arrived in self.cable.to_board(chunk, self._table_ms):
            self._hear(arrived)

    def _hear(self, chunk: bytes) -> None:
        if chunk:
            self.heart.receive_data(chunk, self._table_ms)

    def chunks_to_send(self) -> list[bytes]:
        """What the host can read now, in the chunks in which it left."""
        return self.cable.chunks_to_send()

    def data_to_send(self) -> bytes:
        """What the host can read now."""
        return b"".join(self.chunks_to_send())

    def _emit(self, unit: bytes) -> None:
        self.cable.to_host(unit, self._table_ms)
