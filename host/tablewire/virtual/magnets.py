"""The magnets over the sensors of a simulated table, and what each sensor reads of them.

Owns where magnets lie, how a strong one reads while it comes and goes, magnets that do not sit well, and
broken sensors. Must not know spaces, colours, debounce or the wire; time (of the table, ms) is an argument.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablewire.wire.messages import MagnetClass

# A hand moves about 0.5 m/s over the last few millimetres, where the field of a strong magnet is still weak.
PRESS_MS = 8

# A sensor stays under watch this long after it was touched; no board scans more seldom.
WATCH_MS = 1000

_WEAK_OF = {MagnetClass.N_STRONG: MagnetClass.N_WEAK, MagnetClass.S_STRONG: MagnetClass.S_WEAK}


@dataclass(frozen=True, slots=True)
class Stuck:
    """A sensor that reads one class, whatever lies on it."""

    magnet: MagnetClass


@dataclass(frozen=True, slots=True)
class Chatter:
    """A sensor that loses its magnet (or, bare, sees a weak one) `hz` times a second, half of the time."""

    hz: int
    since_ms: int


@dataclass(frozen=True, slots=True)
class Weak:
    """A magnet too weak for its sensor: `hz` times a second it reads one class less, half of the time."""

    hz: int
    since_ms: int


Defect = Stuck | Chatter | Weak
Flicker = Chatter | Weak


def weaker(magnet: MagnetClass) -> MagnetClass:
    """What a magnet reads that is too weak or too far away for its class."""
    return _WEAK_OF.get(magnet, MagnetClass.EMPTY)


def _flicks(chatter: Flicker, now_ms: int) -> int:
    """How often a reading has come and gone by now."""
    return (now_ms - chatter.since_ms) * chatter.hz * 2 // 1000


class Magnets:
    """Which magnet lies over each sensor. `press_ms` is how long a strong one reads weak on its way."""

    def __init__(self, sensor_count: int) -> None:
        self.press_ms = PRESS_MS
        self._lying = [MagnetClass.EMPTY] * sensor_count
        self._before = [MagnetClass.EMPTY] * sensor_count
        self._moved_ms = [-(10**9)] * sensor_count
        self._defects: dict[int, Defect] = {}
        self._unseated: dict[int, MagnetClass] = {}
        self._touched_ms: dict[int, int] = {}

    def __getitem__(self, sensor: int) -> MagnetClass:
        return self._lying[sensor]

    def __len__(self) -> int:
        return len(self._lying)

    def put(self, sensor: int, magnet: MagnetClass, now_ms: int) -> None:
        """A magnet comes to lie over a sensor; EMPTY takes it away."""
        if magnet is self._lying[sensor]:
            return
        self._before[sensor] = self._unseated.pop(sensor, self._lying[sensor])
        self._lying[sensor] = magnet
        self._moved_ms[sensor] = self._touched_ms[sensor] = now_ms

    def unseat(self, sensor: int, reading: MagnetClass, now_ms: int) -> None:
        """What lies there does not sit well: it reads so until it is moved or pressed down."""
        if self._lying[sensor] is not MagnetClass.EMPTY:
            self._unseated[sensor] = reading
            self._touched_ms[sensor] = now_ms

    def press(self, sensor: int, now_ms: int) -> None:
        """What lies there is pressed down."""
        self._unseated.pop(sensor, None)
        self._touched_ms[sensor] = now_ms

    def break_sensor(self, sensor: int, defect: Defect | None, now_ms: int) -> None:
        """Give a sensor a defect; None mends it."""
        self._defects.pop(sensor, None)
        if defect is not None:
            self._defects[sensor] = defect
        self._touched_ms[sensor] = now_ms

    def reading(self, sensor: int, now_ms: int) -> MagnetClass:
        """The class a sensor reads."""
        lying = self._unseated.get(sensor, self._lying[sensor])
        match self._defects.get(sensor):
            case Stuck(magnet):
                return magnet
            case Chatter() as chatter:
                if _flicks(chatter, now_ms) % 2:
                    return MagnetClass.N_WEAK if lying is MagnetClass.EMPTY else MagnetClass.EMPTY
            case Weak() as weak:
                if _flicks(weak, now_ms) % 2:
                    return weaker(lying)
        if now_ms - self._moved_ms[sensor] < self.press_ms:
            strongest = self._before[sensor] if lying is MagnetClass.EMPTY else lying
            return _WEAK_OF.get(strongest, lying)
        return lying

    def next_change_ms(self, now_ms: int) -> int | None:
        """When a reading changes next although nobody touches anything; None when none does."""
        pressed = (self._moved_ms[sensor] + self.press_ms for sensor in self._touched_ms)
        flicks = (
            defect.since_ms - -(_flicks(defect, now_ms) + 1) * 1000 // (2 * defect.hz)
            for defect in self._defects.values()
            if isinstance(defect, Flicker)
        )
        return min((ms for ms in (*pressed, *flicks) if ms > now_ms), default=None)

    def restless(self, now_ms: int) -> set[int]:
        """The sensors whose reading may differ from that of the scan before."""
        over_ms = now_ms - self.press_ms - WATCH_MS
        self._touched_ms = {s: ms for s, ms in self._touched_ms.items() if ms > over_ms}
        return {*self._touched_ms, *(s for s, defect in self._defects.items() if isinstance(defect, Flicker))}
