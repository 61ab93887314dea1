"""Commands to the board: one under way at a time, said again until it is answered or given up.

Owns tokens, repeats and giving up. Must not know frames, events, ports; time is an argument.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from tablewire.wire.messages import (
    Calibrate,
    Calibration,
    CalibrationReq,
    Param,
    Raw,
    RawReq,
    Result,
    Signal,
)

Command = Param | Calibrate | CalibrationReq | RawReq | Signal
Answer = Result | Raw | Calibration

# A command and its answer take under 5 ms on the cable and up to 200 ms over BLE in 20-byte chunks.
REPEAT_MS = 300
REPEATS_MAX = 3  # then the feature is given up and the game goes on without it
WAITING_MAX = 32  # nobody reads lights that are older than this many commands


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended: the board's answer, or None when it never came."""

    command: Command
    answer: Answer | None


class Commands:
    """The queue of commands of one session.

    `degraded` names the kinds of command that the board does not answer; they are not tried again until
    `restart`. Newer lights replace older ones that still wait.
    """

    def __init__(self) -> None:
        self.degraded: set[type[Command]] = set()
        self._waiting: deque[Command] = deque()
        self._under_way: Command | None = None
        self._sent_count = 0
        self._due_ms = 0
        self._next_token = 1
        self._outcomes: list[Outcome] = []

    def submit(self, command: Command) -> bool:
        """Queue a command (its token is set here). False when its kind is given up or the queue is full."""
        if type(command) in self.degraded:
            return False
        if isinstance(command, Signal):
            self._waiting = deque(c for c in self._waiting if not isinstance(c, Signal))
        if len(self._waiting) >= WAITING_MAX:
            return False
        self._waiting.append(command)
        return True

    def restart(self) -> None:
        """The board was found anew: try everything again, beginning with the command under way.

        Lights are forgotten: the board has forgotten its last command, and would play their sound again.
        """
        self.degraded.clear()
        if isinstance(self._under_way, Signal):
            self._under_way = None
        self._waiting = deque(c for c in self._waiting if not isinstance(c, Signal))
        self._sent_count = 0
        self._due_ms = 0

    def receive_answer(self, answer: Answer) -> None:
        """Note an answer; one with another token is a repeat of an old one."""
        if self._under_way is not None and answer.token == self._under_way.token:
            self._end(answer)

    def take_outcomes(self) -> list[Outcome]:
        """What has ended since the last call."""
        outcomes, self._outcomes = self._outcomes, []
        return outcomes

    def take_due(self, now_ms: int) -> Command | None:
        """The command to send now, if one is due."""
        if self._under_way is not None and now_ms >= self._due_ms and self._sent_count > REPEATS_MAX:
            given_up = type(self._under_way)
            self.degraded.add(given_up)
            self._waiting = deque(c for c in self._waiting if type(c) is not given_up)
            self._end(None)
        if self._under_way is None:
            if not self._waiting:
                return None
            self._under_way = replace(self._waiting.popleft(), token=self._next_token)
            self._next_token = (self._next_token + 1) % 256
            self._sent_count = 0
        elif now_ms < self._due_ms:
            return None
        self._sent_count += 1
        self._due_ms = now_ms + REPEAT_MS
        return self._under_way

    def next_due_ms(self) -> int | None:
        """When `take_due` should be called next; None when there is nothing to wait for."""
        if self._under_way is not None:
            return self._due_ms
        return 0 if self._waiting else None

    def _end(self, answer: Answer | None) -> None:
        if self._under_way is not None:
            self._outcomes.append(Outcome(self._under_way, answer))
        self._under_way = None
