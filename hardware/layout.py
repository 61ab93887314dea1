"""Computes a wiring with short wires from the board's own coordinates: which multiplexer reads which sensor.

Owns the grouping of sensors. Must not know pins, C or how the map is used. It wrote wiring.csv once; since
then the csv is the copy that counts, and a board that is already soldered never follows a change made here.

Run `.venv/bin/python hardware/layout.py > hardware/wiring.csv` only before anything is soldered; then
hardware/generate.py.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable
from math import atan2, cos, degrees, hypot, sin, tau
from typing import NamedTuple, TextIO

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.tiling import board
from tablewire.games.cirkis.wiring import HOLES, peg_sensor, sensor_of

MUX_COUNT = 13
CHANNEL_COUNT = 16
PEG_SPACES = 7
"""Spaces beside the nine peg holes of a player on one multiplexer: together all its 16 channels."""
MIDDLE_SIZES = (15, 15)
"""Sensors of the two multiplexers under the middle of the board."""
SECTOR_SIZES = (16, 16, 15, 15, 15, 15, 15)
"""Sensors of the multiplexers around it. Channel 15 is read on multiplexers 0 to 5 only, so those have 16."""
ROUND = 6
"""Decimals: places closer than that are the same place, whatever the float arithmetic of a machine."""


class Sensor(NamedTuple):
    """One sensor. `x` to the right and `y` up, in short edges from the board's middle."""

    sensor: int
    place: str
    x: float
    y: float

    @property
    def clockwise(self) -> float:
        """Angle from 12 o'clock in degrees."""
        return round(degrees(atan2(self.x, self.y) % tau), ROUND) % 360

    @property
    def radius(self) -> float:
        """Distance from the middle."""
        return round(hypot(self.x, self.y), ROUND)

    def reach(self, angle: float) -> float:
        """How far it lies towards a direction, clockwise from 12 o'clock in radians."""
        return round(self.x * sin(angle) + self.y * cos(angle), ROUND)


def spaces() -> list[Sensor]:
    """The sensors under the spaces, at the means of their corners."""
    return [
        Sensor(
            sensor_of(space.id),
            f"space {space.id}",
            sum(x for x, _ in space.corners) / len(space.corners),
            sum(y for _, y in space.corners) / len(space.corners),
        )
        for space in board().spaces
    ]


def pegs(colour: PlayerColour) -> list[Sensor]:
    """The sensors under a player's holes; where the track lies is the builder's choice."""
    return [Sensor(peg_sensor(colour, hole), f"{colour} {hole}", 0.0, 0.0) for hole in HOLES]


def groups() -> list[list[Sensor]]:
    """The sensors of each multiplexer, in the order of its channels."""
    left = {sensor.sensor: sensor for sensor in spaces()}

    def take(found: Iterable[Sensor]) -> list[Sensor]:
        return [left.pop(sensor.sensor) for sensor in found]

    made: list[list[Sensor]] = []
    # Players sit clockwise from 12 o'clock; the spaces nearest to the side share their pegs' multiplexer.
    for seat, colour in enumerate(PlayerColour):
        towards = seat * tau / len(PlayerColour)
        nearest = sorted((-sensor.reach(towards), number) for number, sensor in left.items())
        beside = [left[number] for _, number in nearest[:PEG_SPACES]]
        made.append([*pegs(colour), *take(beside)])
    middle = sorted(left.values(), key=lambda s: (s.radius, s.sensor))[: sum(MIDDLE_SIZES)]
    around = [sensor for sensor in left.values() if sensor not in middle]
    return [*made, *_sectors(around, SECTOR_SIZES), *_sectors(middle, MIDDLE_SIZES)]


def _sectors(sensors: list[Sensor], sizes: tuple[int, ...]) -> list[list[Sensor]]:
    """The sensors cut clockwise from 12 o'clock into groups of these sizes."""
    ordered = sorted(sensors, key=lambda s: (s.clockwise, s.radius))
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    return [ordered[start : start + size] for start, size in zip(starts, sizes, strict=True)]


def write(out: TextIO) -> None:
    """The map as csv, by sensor."""
    rows = sorted(
        (sensor.sensor, sensor.place, mux, channel)
        for mux, group in enumerate(groups())
        for channel, sensor in enumerate(group)
    )
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["sensor", "place", "mux", "channel"])
    writer.writerows(rows)


if __name__ == "__main__":
    write(sys.stdout)
