"""What a builder calls each sensor, and lists of them short enough to read.

Owns these words alone. Must not know levels, ports or terminals.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tablewire.games.cirkis.wiring import POINTS_PER_HOLE, SENSOR_COUNT, SPACE_COUNT, peg_of, space_of
from tablewire.wire.observed import SensorId

SPACES = tuple(SensorId(sensor) for sensor in range(SPACE_COUNT))
HOLES = tuple(SensorId(sensor) for sensor in range(SPACE_COUNT, SENSOR_COUNT))
LISTED_MAX = 12
"""Ranges in one list: about a line and a half of a terminal; the places behind them are counted."""


def place_of(sensor: int) -> str:
    """Where a sensor lies: "space 37", "purple's hole 15"."""
    space = space_of(sensor)
    if space is not None:
        return f"space {space}"
    peg = peg_of(sensor)
    if peg is not None:
        return f"{peg[0]}'s hole {peg[1]}"
    return f"sensor {sensor}"


def places_of(sensors: Iterable[int], listed_max: int = LISTED_MAX) -> str:
    """Several places in words: "spaces 1-5, 9, purple's hole 15"; a long list ends with a count."""
    numbers = sorted(set(sensors))
    spaces = [number for number in (space_of(sensor) for sensor in numbers) if number is not None]
    words = _ranges(spaces)
    if words:
        first = words[0]
        words[0] = first._replace(text=f"{'space' if len(spaces) == 1 else 'spaces'} {first.text}")
    holes: dict[str, list[int]] = {}
    for peg in filter(None, map(peg_of, numbers)):
        holes.setdefault(peg[0], []).append(peg[1])
    for colour, its in holes.items():
        listed = ", ".join(run.text for run in _ranges(its, POINTS_PER_HOLE))
        words.append(_Run(f"{colour}'s {'hole' if len(its) == 1 else 'holes'} {listed}", len(its)))
    texts = [run.text for run in words[:listed_max]]
    if len(words) > listed_max:
        texts.append(f"and {sum(run.place_count for run in words[listed_max:])} more")
    return ", ".join(texts)


class _Run(NamedTuple):
    """What is listed at one go, and how many places that is."""

    text: str
    place_count: int


def _ranges(numbers: list[int], step: int = 1) -> list[_Run]:
    """Sorted whole numbers, runs of three and more as "first-last"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + step:
            runs[-1].append(number)
        else:
            runs.append([number])
    words: list[_Run] = []
    for run in runs:
        if len(run) > 2:
            words.append(_Run(f"{run[0]}-{run[-1]}", len(run)))
        else:
            words += [_Run(str(number), 1) for number in run]
    return words
