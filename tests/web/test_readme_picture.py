"""The picture in the README: a television in the middle of a real game for four.

To make it anew: TABLEWIRE_SCREENSHOTS=tests/web/pictures .venv/bin/pytest tests/web/test_readme_picture.py
"""

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import expect
from tests.web.browsing import Open, card
from tests.web.documents import link

from tablewire.entries import Entry, EntryKind
from tablewire.games.catalogue import playable
from tablewire.games.cirkis.wiring import SENSOR_COUNT, class_of, peg_sensor, sensor_of
from tablewire.games.records import score_text
from tablewire.table import restore
from tablewire.wire.observed import Snapshot, encode_observation

TESTS = Path(__file__).parent.parent
PICTURE = TESTS / "web/pictures/table.jpg"
RECORD = TESTS / "playthroughs/hasbro-four-players.jsonl"
MOVE_COUNT = 60
"""Far into the record: every player has scored, and the middle star has just earned a free turn."""
SIZE = (1600, 900)
"""Wide enough for the whole page at once, small enough for a README."""
QUALITY = 80
"""The patterns make a PNG more than twice as large, and nobody sees the difference."""


def document_of(header: dict[str, Any], lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a table shows that has kept these moves, and on which their pieces and the pegs due lie."""
    game = playable(header["game"])
    pinned = {"header": game.pin(header), "rules_version": game.rules_version, "lying": None}
    commit = Entry(EntryKind.COMMIT, 0, {"by": "table", "moves": [{"line": line} for line in lines]})
    classes = bytearray(SENSOR_COUNT)
    for line in lines:
        for space in line["spaces"]:
            classes[sensor_of(space)] = class_of(line["player"])
    for player in restore(pinned, [commit]).document()["players"]:
        classes[peg_sensor(player["colour"], player["peg"]["due"])] = class_of(player["colour"])
    seen = Entry(EntryKind.OBSERVATION, 0, encode_observation(Snapshot(1, 0, 0, bytes(classes))))
    return restore(pinned, [seen, commit]).document()


def size_of(jpeg: Path) -> tuple[int, int]:
    """Width and height, from the frame header of a baseline JPEG file."""
    data = jpeg.read_bytes()
    height, width = struct.unpack_from(">HH", data, data.index(b"\xff\xc0") + 5)
    return width, height


def test_the_picture_of_the_readme_is_the_page_during_a_real_game(
    open_page: Open, screenshots: Path, complaints: list[str]
) -> None:
    record = RECORD.read_text("utf-8").splitlines()[: MOVE_COUNT + 1]
    header, *lines = map(json.loads, record)
    printed = score_text("\n".join(record), "record", Path())
    told = {"version": 1, "game_id": "1", "notices": [], "link": link("up")}
    page = open_page({**document_of(header, lines), **told}, SIZE)
    for player, points in printed[-1]["result"]["scores"].items():
        expect(card(page, player)).to_contain_text(str(points))
    page.screenshot(path=screenshots / PICTURE.name, type="jpeg", quality=QUALITY)
    assert size_of(screenshots / PICTURE.name) == size_of(PICTURE) == SIZE
    assert complaints == []
