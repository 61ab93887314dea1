"""The wiring: every number there and back again, and nothing else accepted."""

from __future__ import annotations

import pytest

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import (
    SENSOR_COUNT,
    class_of,
    colour_of,
    peg_of,
    peg_sensor,
    sensor_of,
    space_of,
)
from tablewire.wire.messages import MagnetClass


def test_every_sensor_is_one_space_or_one_hole() -> None:
    """201 sensors: 165 spaces and 36 holes, each once, and back to the same sensor."""
    assert SENSOR_COUNT == 201
    for sensor in range(SENSOR_COUNT):
        space, peg = space_of(sensor), peg_of(sensor)
        assert (space is None) != (peg is None)
        if space is not None:
            assert sensor_of(space) == sensor
        if peg is not None:
            assert peg_sensor(*peg) == sensor


@pytest.mark.parametrize(
    ("sensor", "place"),
    [
        (165, ("purple", 0)),
        (173, ("purple", 40)),
        (174, ("red", 0)),
        (185, ("green", 10)),
        (200, ("yellow", 40)),
    ],
)
def test_holes_follow_the_players_in_their_order(sensor: int, place: tuple[str, int]) -> None:
    """Purple, red, green, yellow; nine holes each, five points apart."""
    assert peg_of(sensor) == place


@pytest.mark.parametrize("sensor", [-1, 201, 10_000])
def test_there_are_no_other_sensors(sensor: int) -> None:
    """Beyond the last there is nothing."""
    assert space_of(sensor) is None
    assert peg_of(sensor) is None


@pytest.mark.parametrize("space", [0, -1, 166])
def test_there_are_no_other_spaces(space: int) -> None:
    """Spaces are 1 to 165."""
    with pytest.raises(ValueError, match=str(space)):
        sensor_of(space)


@pytest.mark.parametrize(("colour", "hole"), [("red", 7), ("red", 45), ("red", -5), ("blue", 0)])
def test_there_are_no_other_holes(colour: str, hole: int) -> None:
    """Holes are 0, 5 ... 40 of four colours."""
    with pytest.raises(ValueError):
        peg_sensor(colour, hole)


def test_every_colour_has_its_own_magnet() -> None:
    """And the first two players have opposite poles."""
    assert {colour_of(class_of(colour)) for colour in PlayerColour} == set(PlayerColour)
    assert colour_of(MagnetClass.EMPTY) is None
    assert class_of("red") is MagnetClass.N_STRONG
    assert class_of("green") is MagnetClass.S_STRONG
    with pytest.raises(ValueError):
        class_of("blue")
