"""A recorded game through the board, the pty, the core and the store, to the document."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.system.conftest import NewRig
from tests.system.games import FOUR, header, place, random_game, scored
from tests.system.rig import Killed

from tablewire.new_game import header_of

GROWN_MS = 1_600
"""After this no landing belongs to the piece before: who moves twice has to wait so long."""
SHORT_GAME_SEED = 231
"""The shortest of 250 games for four: 38 turns, in three of which points are made."""
SHORTER = header(*FOUR, target=20)
SHORTER_SEED = 128
"""A game of 13 turns, in three of which points are made, the last of which end it."""
SETTLED_MS = 750
"""The quiet time, the board's debounce, and asking the board whether it was quiet."""


@pytest.mark.parametrize(
    ("seed", "first"),
    [
        (SHORT_GAME_SEED, header(*FOUR, rulebook="international", center_ring=True)),
        (29, header("yellow", "red", target=80)),
    ],
)
def test_every_verdict_equals_the_line_of_score(seed: int, first: dict[str, object], new_rig: NewRig) -> None:
    lines = random_game(seed, first)
    *expected, result = scored(first, lines)
    assert len(lines) > 10
    rng = random.Random(seed)
    rig = new_rig(header=first)
    rig.run(500)
    for number, line in enumerate(lines):
        rig.do(place(line, rng.randrange(0, 401)))
        again = number + 1 < len(lines) and lines[number + 1]["player"] == line["player"]
        rig.run(GROWN_MS if again else SETTLED_MS + rng.randrange(1_500))
        assert rig.doc["last"] == expected[number]
        assert rig.doc["message"] is None or rig.doc["message"]["kind"] == "peg"
    doc = rig.run(GROWN_MS)
    assert doc["phase"] == "over"
    assert {"result": doc["result"]} == result
    assert [{k: v for k, v in line.items() if k != "spaces"} for line in doc["history"]] == expected
    assert rig.core.table.record().count("\n") == len(lines) + 1


def test_killing_the_daemon_after_every_placement_changes_nothing(new_rig: NewRig) -> None:
    """It is killed four times in each move of a whole game: while magnets land, between commit and page,
    while the move is provisional, and when it is final."""
    lines = random_game(SHORTER_SEED, SHORTER)
    *expected, result = scored(SHORTER, lines)
    rig = new_rig(header=SHORTER)
    rig.run(500)
    for number, line in enumerate(lines):
        rig.board.command(place(line, 200))
        rig.run(150)
        rig.restart()
        rig.run(100)
        # Between commit and page: the entry is on disk, nobody has seen it.
        rig.die_before_showing = True
        try:
            rig.run(2_000)
            raise AssertionError("nothing was shown")
        except Killed:
            rig.kill()
        rig.start()
        assert rig.doc["moves"] == number + 1 or rig.doc["result"] is None
        rig.until(lambda doc: doc["moves"] == number + 1)  # noqa: B023 - called at once
        # While it is provisional.
        before = rig.view
        rig.restart()
        assert rig.view == before
        rig.until(lambda doc: doc["settled"] > number)  # noqa: B023 - called at once
        assert rig.doc["last"] == expected[number]
        # When it is final.
        before = rig.view
        rig.restart()
        assert rig.view == before
        rig.run(300)
        assert rig.view == before
    assert rig.doc["phase"] == "over"
    assert {"result": rig.doc["result"]} == result


def test_a_pending_message_outlives_a_restart_without_a_board(new_rig: NewRig) -> None:
    rig = new_rig(header=header("red", "green"))
    rig.do("place red 6 over 0")
    rig.run(2_500)
    rig.do("place red 100 over 0")
    message = rig.run(1_000)["message"]
    assert message["kind"] == "illegal"
    rig.restart()
    assert rig.doc["message"] == message
    rig.do("lift 100")
    assert rig.run(1_500)["message"] is None


def test_what_happened_while_the_daemon_was_down_is_taken_in(new_rig: NewRig) -> None:
    """The board keeps its events; the daemon that comes back reads them in order."""
    rig = new_rig(header=header("red", "green"))
    rig.do("place red 6 over 0")
    rig.run(2_500)
    rig.kill()
    rig.board.command("place green 16 over 100")
    rig.board.command("wait 3000")
    rig.board.command("place red 36 over 100")
    rig.now_ms += 9_000
    rig.board.advance(rig.now_ms)
    rig.start()
    rig.run(3_000)
    assert [(p["player"], p["spaces"]) for p in rig.doc["laid"]] == [
        ("red", [6]),
        ("green", [16]),
        ("red", [36]),
    ]


def test_a_board_that_loses_power_never_means_a_new_game(new_rig: NewRig) -> None:
    rig = new_rig(header=header("red", "green"))
    rig.do("place red 6 over 0")
    rig.run(2_500)
    rig.do("place green 16 over 0")
    before = rig.run(2_500)
    rig.do("reset")
    after = rig.run(4_000)
    assert {**after, "version": 0, "link": 0} == {**before, "version": 0, "link": 0}
    rig.do("place red 36 over 0")
    assert rig.run(1_000)["moves"] == 3


def test_a_piece_file_changed_in_mid_game_changes_nothing_of_the_game(
    tmp_path: Path, new_rig: NewRig
) -> None:
    """The whole set is pinned with the game: what the file says later counts for the next game only."""
    file = tmp_path / "pieces.toml"
    shapes = (
        '[[shape]]\nname = "wedge"\ncount = {}\nexample = [6]\n'
        '[[shape]]\nname = "arrow"\ncount = 3\nexample = [1]\n'
    )
    file.write_text(shapes.format(5), encoding="utf-8")
    rig = new_rig(header=header_of("red,green", pieces=file))
    rig.do("place red 6 over 0")
    before = rig.run(2_500)
    assert before["players"][0]["unplayed"] == {"wedge": 4, "arrow": 3}
    file.write_text(shapes.format(1), encoding="utf-8")
    rig.restart()
    rig.do("place green 26 over 0")
    after = rig.run(2_500)
    assert [player["unplayed"]["wedge"] for player in after["players"]] == [4, 4]
    assert after["pieces"] == before["pieces"]
