"""What readings and levels mean: what is missing, what is odd, and how far the classes lie apart.

Owns these judgements as pure functions over the board's rows. Must not know ports, places or terminals.
Counts are ADC counts; the field of a sensor is its reading less its zero, north positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from tablewire.wire.hall import (
    COUNTS_MAX,
    LEAST_COUNTS,
    STRONG_COUNTS,
    UNIT_COUNTS,
    WEAK_COUNTS,
    ZERO_COUNTS,
)
from tablewire.wire.messages import CalibrateStep, CalibrationRow, MagnetClass
from tablewire.wire.observed import SensorId

ZERO_FAR = 60
"""A linear Hall sensor's own zero may lie 250 mV (51 counts) from the middle by its data sheet."""
RAIL = 8
"""A reading this near to an end of the scale is a wire that is off or shorted, not a field."""
NOISE_MAX = 16
"""Peak to peak, as wide as the hysteresis: more than that and a sensor may flicker."""
MARGIN_LEAST = 3.0
"""How many times the noise a class must lie from the threshold to its neighbour."""


class Pole(Enum):
    """Which side of zero a class lies on."""

    NORTH = 1
    SOUTH = -1


class Kind(NamedTuple):
    """One class of magnet as calibration sees it."""

    step: CalibrateStep
    field: str
    pole: Pole
    strong: bool


KINDS = {
    MagnetClass.N_WEAK: Kind(CalibrateStep.N_WEAK, "n_weak", Pole.NORTH, False),
    MagnetClass.N_STRONG: Kind(CalibrateStep.N_STRONG, "n_strong", Pole.NORTH, True),
    MagnetClass.S_WEAK: Kind(CalibrateStep.S_WEAK, "s_weak", Pole.SOUTH, False),
    MagnetClass.S_STRONG: Kind(CalibrateStep.S_STRONG, "s_strong", Pole.SOUTH, True),
}


def level_of(row: CalibrationRow, magnet: MagnetClass) -> int:
    """A class's distance from zero in counts; 0 when it was not measured, and for no magnet."""
    kind = KINDS.get(magnet)
    level: int = 0 if kind is None else getattr(row, kind.field)
    return level * UNIT_COUNTS


def without_zero(rows: Sequence[CalibrationRow]) -> list[SensorId]:
    """The sensors whose zero is not measured."""
    return [SensorId(sensor) for sensor, row in enumerate(rows) if row.zero == 0]


def without_level(
    rows: Sequence[CalibrationRow], magnet: MagnetClass, among: Iterable[SensorId]
) -> list[SensorId]:
    """The sensors with a zero whose level for this class is not measured."""
    return [sensor for sensor in among if rows[sensor].zero and not level_of(rows[sensor], magnet)]


def without_any_level(rows: Sequence[CalibrationRow], among: Iterable[SensorId]) -> list[SensorId]:
    """The sensors with a zero that no class of magnet was measured on."""
    return [s for s in among if rows[s].zero and not any(level_of(rows[s], magnet) for magnet in KINDS)]


class Oddity(Enum):
    """Why a sensor's empty reading cannot be its zero; the value says it to a person."""

    RAIL = "reads as if its wire were off or shorted"
    FIELD = "sees a magnet"
    NOISE = "is too noisy"


def at_rail(counts: int) -> bool:
    """Whether a reading is one of a wire that is off or shorted."""
    return not RAIL < counts < COUNTS_MAX - RAIL


def oddity(readings: Sequence[int]) -> Oddity | None:
    """What is wrong with several readings of one sensor that nothing lies on."""
    middle = round(sum(readings) / len(readings))
    if at_rail(middle):
        return Oddity.RAIL
    if max(readings) - min(readings) > NOISE_MAX:
        return Oddity.NOISE
    if abs(middle - ZERO_COUNTS) > ZERO_FAR:
        return Oddity.FIELD
    return None


def magnet_of(field: int) -> MagnetClass:
    """The class that a field is nearest to, by the typical levels; EMPTY below the least one."""
    if abs(field) < LEAST_COUNTS:
        return MagnetClass.EMPTY
    strong = abs(field) > (WEAK_COUNTS + STRONG_COUNTS) // 2
    if field > 0:
        return MagnetClass.N_STRONG if strong else MagnetClass.N_WEAK
    return MagnetClass.S_STRONG if strong else MagnetClass.S_WEAK


def fits(field: int, wanted: MagnetClass, row: CalibrationRow) -> bool:
    """Whether a steady field can be that of `wanted`.

    The pole must be right. A magnet of the other strength is told by the level already measured on the same
    sensor, otherwise by the typical one with room for magnets that are not typical.
    """
    kind = KINDS[wanted]
    strength = field * kind.pole.value
    if strength < LEAST_COUNTS:
        return False
    measured = level_of(row, taken_for(field, wanted))
    if kind.strong:
        return strength > (measured * 5 // 4 if measured else WEAK_COUNTS * 5 // 4)
    return strength < (measured * 4 // 5 if measured else STRONG_COUNTS * 4 // 5)


def taken_for(field: int, wanted: MagnetClass) -> MagnetClass:
    """Which class a steady field that does not fit `wanted` is named as: never `wanted` itself."""
    kind = KINDS[wanted]
    if field * kind.pole.value < LEAST_COUNTS:
        return magnet_of(field)
    return next(m for m, k in KINDS.items() if k.pole is kind.pole and k.strong is not kind.strong)


class Margin(NamedTuple):
    """Two neighbouring classes of a sensor: counts from either to the threshold between, and in noise."""

    sensor: SensorId
    lower: MagnetClass
    upper: MagnetClass
    counts: float
    times_noise: float


_BY_POLE = (
    (MagnetClass.EMPTY, MagnetClass.N_WEAK, MagnetClass.N_STRONG),
    (MagnetClass.EMPTY, MagnetClass.S_WEAK, MagnetClass.S_STRONG),
)


def margins(rows: Sequence[CalibrationRow]) -> list[Margin]:
    """The margins between all neighbouring classes that were measured, the narrowest first.

    The threshold lies in the middle, so the margin is half the distance; the noise is that of the zero, at
    least one count.
    """
    found = []
    for number, row in enumerate(rows):
        noise = max(row.noise, 1)
        for classes in _BY_POLE:
            known = [(m, level_of(row, m)) for m in classes if m is MagnetClass.EMPTY or level_of(row, m)]
            if not row.zero:
                continue
            for (lower, low), (upper, high) in pairwise(known):
                counts = (high - low) / 2
                found.append(Margin(SensorId(number), lower, upper, counts, round(counts / noise, 1)))
    return sorted(found, key=lambda margin: (margin.times_noise, margin.sensor))
