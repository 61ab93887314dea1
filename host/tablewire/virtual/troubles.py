"""The faults of hands and sensors that are on at a simulated table, from their beginning to their end.

Owns which are on, how many pieces they still hit, when they strike again and when they are over. Must not
know bytes, ports, power or whose turn it is; the table's time in milliseconds is an argument.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from random import Random

from tablewire.games.cirkis.wiring import class_of, sensor_of
from tablewire.virtual.clumsy import PEG_SPOILS, SPOILS, Altered, badly_seated
from tablewire.virtual.commands import Command, Peg, Place, Slide
from tablewire.virtual.fault_kinds import OWN_SEED, Fault, FaultError, seed_of
from tablewire.virtual.fault_table import SENSOR_FAULTS, colour_told
from tablewire.virtual.hands import Plan, Step, plan
from tablewire.virtual.magnets import Chatter, Defect, Magnets, Stuck, Weak
from tablewire.virtual.mishaps import MISHAPS
from tablewire.virtual.tabletop import Spaces, Tabletop, say
from tablewire.wire.messages import MagnetClass


@dataclass(frozen=True, slots=True)
class _On:
    """A fault that is on: pieces it still hits or times it still strikes, when, and the sensors it broke."""

    fault: Fault
    left: int = 0
    due_ms: int | None = None
    spaces: Spaces = ()


class Troubles:
    """What is wrong with the hands and the sensors of one table."""

    def __init__(self, magnets: Magnets, seed: int) -> None:
        self._magnets = magnets
        self._seed = seed
        self._chance = Random(f"troubles {seed}")  # noqa: S311 - repeatable on purpose
        self._random: dict[str, Random] = {}
        self._on: dict[str, _On] = {}
        self._top = Tabletop(magnets)

    @property
    def faults(self) -> dict[str, Fault]:
        """Those that are on, by name."""
        return {name: one.fault for name, one in self._on.items()}

    # ---- their beginning and end ----

    def turn_on(self, fault: Fault, now_ms: int) -> tuple[tuple[Step, ...], str]:
        """Begin a fault: its steps, and what there is to say. FaultError: not as the table lies."""
        own = fault.settings.get("seed", OWN_SEED) != OWN_SEED
        rng = Random(seed_of(fault, self._seed)) if own else self._chance  # noqa: S311
        if fault.name in MISHAPS:
            steps, text = self._strike(fault, rng)
            times = fault.whole("times") if "times" in fault.settings else 1
            if times != 1:
                self._keep(fault, rng, _On(fault, times - 1, now_ms + fault.drawn("every", rng)))
            return steps, text
        if fault.name in SENSOR_FAULTS:
            return (), self._break(fault, rng, now_ms)
        if fault.name == "half-seated" and fault.at:
            return (), self._unseat(fault, now_ms)
        self._keep(fault, rng, _On(fault, fault.whole("count")))
        return (), ""

    def turn_off(self, name: str, now_ms: int) -> None:
        """End a fault; sensors are whole again, and what sat badly is pressed down."""
        one = self._on.pop(name, None)
        for space in one.spaces if one is not None else ():
            if name == "half-seated":
                self._magnets.press(sensor_of(space), now_ms)
            else:
                self._magnets.break_sensor(sensor_of(space), None, now_ms)

    def _keep(self, fault: Fault, rng: Random, one: _On) -> None:
        self._random[fault.name] = rng
        self._on[fault.name] = one

    def _strike(self, fault: Fault, rng: Random) -> tuple[tuple[Step, ...], str]:
        mishap = MISHAPS[fault.name](fault, self._top, rng)
        for colour, spaces in mishap.laid:
            self._top.note_laid(colour, spaces)
        return mishap.steps, mishap.text

    def _break(self, fault: Fault, rng: Random, now_ms: int) -> str:
        spaces = fault.at or (rng.choice(self._likely(fault.name)),)
        self.turn_off(fault.name, now_ms)
        for space in spaces:
            self._magnets.break_sensor(sensor_of(space), self._defect(fault, rng, now_ms), now_ms)
        until_ms = now_ms + fault.whole("ms") if fault.whole("ms") else None
        self._keep(fault, rng, _On(fault, 0, until_ms, spaces))
        return f"the sensor under {say(spaces)}"

    def _likely(self, name: str) -> list[int]:
        """The spaces at which a fault of a sensor would be noticed."""
        covered = self._top.covered()
        if name == "weak-magnet" and not covered:
            raise FaultError("nothing lies on the board: lay a piece first")
        near = covered if name in ("weak-magnet", "chatter") else self._top.beside(covered)
        return near or sorted(self._top.bare())

    def _defect(self, fault: Fault, rng: Random, now_ms: int) -> Defect:
        match fault.name:
            case "chatter":
                return Chatter(fault.whole("hz"), now_ms)
            case "weak-magnet":
                return Weak(fault.whole("hz"), now_ms)
            case "silent":
                return Stuck(MagnetClass.EMPTY)
        return Stuck(class_of(colour_told(fault) or rng.choice(self._top.colours() or ["red"])))

    def _unseat(self, fault: Fault, now_ms: int) -> str:
        bare = [space for space in fault.at if not self._top.magnet(space)]
        if bare:
            raise FaultError(f"nothing lies on {say(bare)}")
        for space in fault.at:
            self._magnets.unseat(sensor_of(space), badly_seated(fault, self._top.magnet(space)), now_ms)
        self._on[fault.name] = _On(fault, 0, None, fault.at)
        return f"{say(fault.at)} does not sit well"

    # ---- what they do meanwhile ----

    def due(self, now_ms: int) -> list[Step]:
        """End what is over, and give the steps of what strikes again now."""
        steps: list[Step] = []
        for name, one in list(self._on.items()):
            if one.due_ms is None or one.due_ms > now_ms:
                continue
            if one.spaces:
                self.turn_off(name, now_ms)
                continue
            rng = self._random[name]
            with suppress(FaultError):  # nothing lies there at the moment
                steps += self._strike(one.fault, rng)[0]
            if one.left == 1:
                self.turn_off(name, now_ms)
            else:
                self._on[name] = _On(one.fault, one.left - 1, now_ms + one.fault.drawn("every", rng))
        return steps

    def next_due_ms(self) -> int | None:
        """When `due` must be called next; None when nothing is due."""
        return min((one.due_ms for one in self._on.values() if one.due_ms is not None), default=None)

    def spoil(self, command: Command, planned: Plan) -> tuple[Plan, str]:
        """What the hand really does that was told to do this, and what there is to say of it."""
        match command:
            case Place(colour, spaces):
                self._top.note_laid(colour, spaces)
            case Slide(colour, path):
                self._top.note_laid(colour, path[-1:])
        texts = []
        for name, one in list(self._on.items()):
            altered = self._altered(name, one.fault, command, planned)
            if altered is None:
                continue
            texts.append(f"{name}: {altered.text}")
            planned = self._plan(altered) or planned
            for colour, spaces in altered.laid:
                self._top.note_laid(colour, spaces)
            self._count_down(name, one, command)
        return planned, "; ".join(texts)

    def _altered(self, name: str, fault: Fault, command: Command, planned: Plan) -> Altered | None:
        match command:
            case Place() if name in SPOILS and self._on[name].left:
                return SPOILS[name](fault, command, planned, self._top, self._random[name])
            case Peg() if name in PEG_SPOILS:
                return PEG_SPOILS[name](fault, command, self._random[name])
        return None

    def _plan(self, altered: Altered) -> Plan | None:
        if altered.instead is not None:
            return plan(altered.instead, self._magnets, self._chance)
        return altered.plan

    def _count_down(self, name: str, one: _On, command: Command) -> None:
        """One piece less to come; what sits badly is remembered until the fault is turned off."""
        spaces = (
            (*one.spaces, *command.spaces) if isinstance(command, Place) and name == "half-seated" else ()
        )
        if one.left > 1 or spaces:
            self._on[name] = _On(one.fault, max(0, one.left - 1), None, spaces)
        else:
            del self._on[name]
