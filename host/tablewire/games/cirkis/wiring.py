"""Which sensor stands for what on a Cir*Kis table, and which magnet for which colour.

Owns the fixed numbering between wire and table. Must not know the tiling, the pieces, frames or sessions.
Spaces are numbered from 1, sensors from 0: sensor s-1 lies under space s, and sensor 165 + 9k + h under the
hole for 5h points of player k, players in the order of `PlayerColour`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.wire.messages import MagnetClass
from tablewire.wire.observed import SensorId

SPACE_COUNT = 165
HOLES_PER_PLAYER = 9  # 0, 5 ... 40
POINTS_PER_HOLE = 5  # every award is a multiple of five
PEG_SENSOR_COUNT = len(PlayerColour) * HOLES_PER_PLAYER
SENSOR_COUNT = SPACE_COUNT + PEG_SENSOR_COUNT
HOLES = tuple(range(0, HOLES_PER_PLAYER * POINTS_PER_HOLE, POINTS_PER_HOLE))

# Red and green come first in the proposed set-up, so they get opposite poles and the strong magnets.
DEFAULT_MAGNETS: Mapping[PlayerColour, MagnetClass] = MappingProxyType(
    {
        PlayerColour.RED: MagnetClass.N_STRONG,
        PlayerColour.GREEN: MagnetClass.S_STRONG,
        PlayerColour.PURPLE: MagnetClass.N_WEAK,
        PlayerColour.YELLOW: MagnetClass.S_WEAK,
    }
)

_COLOURS = tuple(PlayerColour)


def space_of(sensor: int) -> int | None:
    """The space (1..165) above a sensor, or None when it lies elsewhere."""
    return sensor + 1 if 0 <= sensor < SPACE_COUNT else None


def sensor_of(space: int) -> SensorId:
    """The sensor under a space (1..165). ValueError for any other number."""
    if not 1 <= space <= SPACE_COUNT:
        raise ValueError(f"space {space} does not exist (1 to {SPACE_COUNT})")
    return SensorId(space - 1)


def peg_of(sensor: int) -> tuple[PlayerColour, int] | None:
    """The player and the hole (0, 5 ... 40) above a sensor, or None when it lies elsewhere."""
    if not SPACE_COUNT <= sensor < SENSOR_COUNT:
        return None
    player, hole = divmod(sensor - SPACE_COUNT, HOLES_PER_PLAYER)
    return _COLOURS[player], hole * POINTS_PER_HOLE


def sensor_said(sensor: int) -> str:
    """A sensor as a person knows it: `space 37`, `red's peg hole 10`."""
    peg = peg_of(sensor)
    return f"space {space_of(sensor)}" if peg is None else f"{peg[0]}'s peg hole {peg[1]}"


def peg_sensor(colour: str, hole: int) -> SensorId:
    """The sensor under a player's hole (0, 5 ... 40). ValueError for another colour or hole."""
    if hole not in HOLES:
        raise ValueError(f"hole {hole} does not exist (0, 5 ... {HOLES[-1]})")
    player = _COLOURS.index(PlayerColour(colour))
    return SensorId(SPACE_COUNT + player * HOLES_PER_PLAYER + hole // POINTS_PER_HOLE)


def colour_of(
    magnet: int, magnets: Mapping[PlayerColour, MagnetClass] = DEFAULT_MAGNETS
) -> PlayerColour | None:
    """The colour whose pieces carry this class of magnet, or None (empty, or a class nobody has)."""
    return next((colour for colour, theirs in magnets.items() if theirs == magnet), None)


def class_of(colour: str, magnets: Mapping[PlayerColour, MagnetClass] = DEFAULT_MAGNETS) -> MagnetClass:
    """The class of magnet in this colour's pieces. ValueError for a word that is no colour."""
    return magnets[PlayerColour(colour)]
