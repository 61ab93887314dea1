"""A table as it is soldered and glued: no two sensors alike, its magnets weaker than planned. Calibrated by
hand on the real firmware, it scores as any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builder.bench import Bench, Builder
from tests.system.games import FOUR, header, place, random_game, scored
from tests.system.rig import Rig

from tablewire.builder.calibrate import Calibrating
from tablewire.twin.heart import TwinHeart
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.heart import Surroundings

MOVES = 12
"""Three rounds: every colour, on some thirty spaces."""
MOVE_MS = 1_800
"""After this a move is final, whoever moves next."""
ZEROS = range(470, 551)
SHARES = (0.70, 0.74, 0.78, 0.82, 0.86)
"""Of the field that a typical magnet has at its sensor."""


class UnevenHeart(TwinHeart):
    """Each sensor with a zero of its own, and magnets nearer or farther than planned."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        lay = self._chip.field
        for sensor in range(len(around.magnets)):
            self._chip.zero(sensor, ZEROS[sensor * 37 % len(ZEROS)])
        self._chip.field = lambda sensor, counts: lay(  # type: ignore[method-assign]
            sensor, round(counts * SHARES[sensor % len(SHARES)])
        )


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    made = VirtualBoard(7, heart=UnevenHeart)
    yield made
    made.close()


def spaces_of(colour: str, lines: list[dict[str, object]]) -> str:
    """All spaces that a colour will lie on, as a command takes them."""
    laid = sorted({int(s) for line in lines if line["player"] == colour for s in line["spaces"]})  # type: ignore[attr-defined]
    return ",".join(map(str, laid))


def test_a_calibrated_table_scores_as_any_other(board: VirtualBoard, tmp_path: Path) -> None:
    first = header(*FOUR)
    lines = random_game(11, first)[:MOVES]
    *expected, _ = scored(first, lines)

    bench = Bench(board)
    person = Builder(bench).on(r"^Zero: .*press Enter", "")
    for colour in FOUR:
        spaces = spaces_of(colour, lines)
        count = len(spaces.split(","))
        person.on(rf"^{colour.capitalize()} \(", [f"place {colour} {spaces}"])
        person.on(rf"^  {colour}: {count} of 165", [f"lift {spaces}", "wait 500"], "")
    person.on("^Pegs: put", "")
    with bench.converse(person.tell) as talk:
        report = Calibrating(talk, person).run()
    assert person.unasked == []
    assert report["stored"]
    assert report["zero"]["missing"] == []
    assert all(margin["times_noise"] > 2 for margin in report["margins"])

    bench.do("reset", "wait 1000")
    rig = Rig(tmp_path, board=board, header=first)
    rig.now_ms = bench.now_ms
    try:
        rig.run(500)
        for number, line in enumerate(lines):
            rig.do(place(line, 200))
            rig.run(MOVE_MS)
            assert rig.doc["last"] == expected[number]
    finally:
        rig.close()


def test_without_calibration_the_same_table_misreads_them(board: VirtualBoard) -> None:
    """So the test above shows something."""
    bench = Bench(board)
    bench.do("wait 500")
    with bench.converse() as talk:
        talk.find()
        bench.do("place purple 1,2,3,4,5,6,7,8,9,10", "wait 500")
        talk.rest(0.5)
        assert set(talk.classes[:10]) > {1}
