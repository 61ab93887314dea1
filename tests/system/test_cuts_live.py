"""A game survives every cut, whatever its link goes over: the whole table in real time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.links.kinds import KINDS, Place
from tests.system.games import place as laying
from tests.system.live import LiveTable, assert_scored
from tests.system.sittings import LINES

CUTS = (
    "fault cut after=0 ms=300",
    "fault cut after=9 ms=300",
    "fault cut after=30 ms=300",
    "wait 250",
    "wait 700",
)
"""Before the piece; in the first message of it; later; in the settle time; when it may have been counted."""


@pytest.fixture(params=[kind for kind in KINDS if kind != "twin"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A board behind each kind of link; the emulated chip has a game of its own in test_cuts.py."""
    made = KINDS[str(request.param)](tmp_path)
    yield made
    made.close()


def test_a_game_goes_on_over_every_cut(place: Place, tmp_path: Path) -> None:
    with LiveTable(tmp_path / "data", place.link) as table:
        table.up()
        for number, cut in enumerate(CUTS):
            if cut.startswith("fault"):
                place.do(cut, laying(LINES[number], 120))
            else:
                place.do(laying(LINES[number], 120), cut, "fault cut after=0 ms=300")
            table.until(lambda doc: doc["moves"] > number)  # noqa: B023 - called at once
        doc = table.moves(len(CUTS))
        assert_scored(doc, LINES[: len(CUTS)])
        assert doc["link"]["kind"] == place.kind


def test_moves_made_while_the_link_is_away_come_when_it_is_back(place: Place, tmp_path: Path) -> None:
    """The page says that the board is away, and why; then both moves are there, in their order."""
    with LiveTable(tmp_path / "data", place.link) as table:
        table.up()
        place.do("unplug", laying(LINES[0], 60), "wait 700", laying(LINES[1], 60))
        gone = table.until(lambda doc: doc["link"]["state"] == "down")
        assert gone["link"]["text"]
        assert gone["moves"] == 0
        place.do("plug")
        assert_scored(table.moves(2), LINES[:2])


def test_a_table_that_starts_without_a_board_plays_when_it_appears(place: Place, tmp_path: Path) -> None:
    place.do("unplug")
    with LiveTable(tmp_path / "data", place.link) as table:
        doc = table.until(lambda doc: doc["link"].get("text"))
        assert doc["link"]["state"] in ("searching", "down")
        place.do("plug")
        table.up()
        place.do(laying(LINES[0], 60))
        assert_scored(table.moves(1), LINES[:1])
