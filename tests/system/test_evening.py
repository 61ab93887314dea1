"""A whole game for four, magnet by magnet and with its pegs, on a good line and on a bad one."""

from __future__ import annotations

import random

import pytest
from tests.system.conftest import NewRig
from tests.system.games import FOUR, header, place, random_game, scored

BAD_LINE = ("fault drop percent=1 seed=5", "fault flip percent=1 seed=6")
"""One byte in fifty is lost or wrong, both ways; two of three batches need another try."""
FIRST = header(*FOUR, target=25)
POINTS_SEED = 116
"""A game of 29 turns in which points are made 8 times, the last of which end it."""
HOLE_MAX = 40
PATIENCE_MS = 20_000
"""A bad line needs its time, but a game must not stand still."""


@pytest.mark.parametrize("faults", [(), BAD_LINE], ids=["a good line", "a bad line"])
def test_four_play_a_game_and_move_their_pegs_as_score_says(faults: tuple[str, ...], new_rig: NewRig) -> None:
    """Each verdict, each peg asked for, the totals and the result are those that `tablewire score` gives."""
    lines = random_game(POINTS_SEED, FIRST)
    *expected, result = scored(FIRST, lines)
    rng = random.Random(4)
    rig = new_rig(header=FIRST, seed=9)
    rig.do(*(f"peg {colour} 0" for colour in FOUR), *faults)
    rig.until(lambda doc: all(player["peg"]["hole"] == 0 for player in doc["players"]), PATIENCE_MS)
    points = dict.fromkeys(FOUR, 0)
    pegs_moved = 0
    for number, line in enumerate(lines):
        rig.do(place(line, rng.randrange(0, 401)))
        rig.until(lambda doc: doc["settled"] > number, PATIENCE_MS)  # noqa: B023 - called at once
        assert rig.doc["last"] == expected[number]
        for colour, won in expected[number]["points"].items():
            points[colour] += won
        message = rig.doc["message"]
        asked = {} if message is None else {step["colour"]: step["hole"] for step in message["steps"]}
        assert asked == {colour: min(points[colour], HOLE_MAX) for colour in expected[number]["points"]}
        for colour, hole in asked.items():
            rig.do(f"peg {colour} {hole}")
            pegs_moved += 1
        rig.until(lambda doc: doc["message"] is None, PATIENCE_MS)
    assert pegs_moved == 8
    assert rig.doc["phase"] == "over"
    assert all(player["peg"]["hole"] == player["peg"]["due"] for player in rig.doc["players"])
    assert {"result": rig.doc["result"]} == result
    told = [{key: value for key, value in line.items() if key != "spaces"} for line in rig.doc["history"]]
    assert told == expected
    assert {player["colour"]: player["score"] for player in rig.doc["players"]} == points
    counters = rig.board.state()["counters"]
    assert bool(counters["rx_bad_crc"] + counters["rx_bad_cobs"]) == bool(faults)  # type: ignore[index]
