"""The table of a simulated Cir*Kis board: magnets over sensors, moved and disturbed.

Keeps the contract of surface.py. Must not know bytes, ports, power or whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from random import Random

from tablewire.games.cirkis.wiring import SENSOR_COUNT, colour_of, peg_of, sensor_of, space_of
from tablewire.virtual.commands import LANGUAGE, Command, Press, SetSensor
from tablewire.virtual.fault_kinds import Fault
from tablewire.virtual.hands import Step, expect_covered, plan
from tablewire.virtual.language import Language
from tablewire.virtual.magnets import PRESS_MS, Chatter, Defect, Magnets, Stuck
from tablewire.virtual.pads import Pads
from tablewire.virtual.surface import Timed, Work
from tablewire.virtual.troubles import Troubles
from tablewire.wire.messages import MagnetClass


class MagnetSurface:
    """The table. Everything that chance picks repeats with `seed`."""

    language: Language = LANGUAGE

    def __init__(self, seed: int) -> None:
        self.magnets = Magnets(SENSOR_COUNT)
        self.pads = Pads(0, 0)
        self._troubles = Troubles(self.magnets, seed)
        self._slow_press: Fault | None = None
        self._chance = Random(f"hands {seed}")  # noqa: S311 - repeatable on purpose

    @property
    def faults(self) -> Mapping[str, Fault]:
        """Those that are on, by name."""
        slow = {"slow-press": self._slow_press} if self._slow_press else {}
        return {**slow, **self._troubles.faults}

    def plan(self, command: Command, now_ms: int) -> Work | None:
        """What a hand does for a command; None when it takes no time. CommandError."""
        del now_ms
        planned = plan(command, self.magnets, self._chance)
        if planned is None:
            return None
        planned, text = self._troubles.spoil(command, planned)
        return Work(self._timed(planned.steps), planned.duration_ms, text)

    def _timed(self, steps: Iterable[Step]) -> tuple[Timed, ...]:
        return tuple(Timed(step.after_ms, partial(step.take, self.magnets)) for step in steps)

    def do_at_once(self, command: Command, now_ms: int) -> str:
        """Do a command that takes no time. CommandError."""
        match command:
            case SetSensor(sensor, mode, value):
                self.magnets.break_sensor(sensor, _defect(mode, value, now_ms), now_ms)
            case Press(spaces):
                expect_covered(spaces, self.magnets)
                for space in spaces:
                    self.magnets.press(sensor_of(space), now_ms)
        return ""

    def turn_on(self, fault: Fault, now_ms: int) -> tuple[Iterable[Timed], str]:
        """Begin a fault. FaultError."""
        if fault.name == "slow-press":
            self._slow_press = fault
            self.magnets.press_ms = fault.whole("ms")
            return (), ""
        steps, text = self._troubles.turn_on(fault, now_ms)
        return self._timed(steps), text

    def turn_off(self, name: str, now_ms: int) -> None:
        """End a fault, if it is on."""
        self._troubles.turn_off(name, now_ms)
        if name == "slow-press":
            self._slow_press = None
            self.magnets.press_ms = PRESS_MS

    def due(self, now_ms: int) -> Iterable[Timed]:
        """End what is over, and begin what strikes again now."""
        return self._timed(self._troubles.due(now_ms))

    def next_due_ms(self) -> int | None:
        """When `due` must be called next."""
        return self._troubles.next_due_ms()

    def state(self) -> Mapping[str, object]:
        """Which pieces lie on which spaces, and where the pegs stand."""
        magnets = self.magnets
        lying = [(sensor, colour_of(magnets[sensor])) for sensor in range(len(magnets))]
        spaces = {str(space_of(s)): colour for s, colour in lying if colour and space_of(s) is not None}
        pegs = dict(at for s, _ in lying if (at := peg_of(s)) and magnets[s] is not MagnetClass.EMPTY)
        return {"spaces": spaces, "pegs": pegs}


def _defect(mode: str, value: int, now_ms: int) -> Defect | None:
    match mode:
        case "stuck":
            return Stuck(MagnetClass(value))
        case "chatter":
            return Chatter(value, now_ms)
        case _:
            return None
