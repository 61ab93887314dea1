"""Faults of hands, sensors and links on the whole table, each with the right outcome.

The same short game is played under each fault and must end as it does without any. Where a defence is a
setting, a second test switches it off and shows that the first would then fail.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.boards import BOARDS
from tests.system.conftest import BOOT_MS, NewRig
from tests.system.games import place
from tests.system.rig import Rig
from tests.system.sittings import FIRST, PATIENCE_MS, QUICK_MS
from tests.system.sittings import LINES as TEN_LINES

from tablewire.board.timing import DEFAULT_TIMING
from tablewire.virtual.board import VirtualBoard

LINES = TEN_LINES[:8]
PAIRS = tuple(zip(range(0, 8, 2), range(1, 8, 2), strict=True))
"""Its moves, two by two: with what takes long, one of a pair is hit, and the other follows it."""
MOVE_MS = 2_600
"""After this a piece is final, on a good line."""
RETRIES_MS = 2_000
"""What a bad line held up has come by then, once the line is good: the board tries every 500 ms."""
DEBOUNCED_HZ = 24
"""A magnet that reads for less than 20 ms at a time never gets past the board's own debounce."""


def outcome(rig: Rig) -> dict[str, Any]:
    """What must not depend on any fault."""
    return {key: rig.doc[key] for key in ("laid", "players", "turn", "leader", "history", "message", "phase")}


def move(rig: Rig, number: int) -> None:
    """Lay a piece of the game, and wait until it is a move; the next player waits no longer than that."""
    rig.do(place(LINES[number], 150))
    rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)


def play(rig: Rig) -> dict[str, Any]:
    for number in range(len(LINES)):
        move(rig, number)
    rig.until(lambda doc: doc["settled"] == len(LINES), PATIENCE_MS)
    return outcome(rig)


@pytest.fixture(scope="module")
def undisturbed(board_kind: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The game's outcome without any fault, on this board."""
    board = VirtualBoard(1, heart=BOARDS[board_kind])
    rig = Rig(tmp_path_factory.mktemp("undisturbed"), board=board, header=FIRST)
    try:
        rig.run(BOOT_MS)
        seen = play(rig)
    finally:
        rig.close()
        board.close()
    assert [piece["spaces"] for piece in seen["laid"]] == [sorted(line["spaces"]) for line in LINES]
    return seen


LINK_FAULTS = [
    "fault drop percent=1 seed=7",
    "fault flip percent=1 seed=7",
    "fault insert percent=1 seed=7",
    "fault duplicate percent=30 seed=7",
    "fault reorder percent=30 seed=7",
    "fault mtu 23",
    "fault mtu 185",
    "fault cut-chunk count=5 seed=7",
    "fault slow-press ms=60",
]


@pytest.mark.parametrize("fault", LINK_FAULTS)
def test_a_game_over_a_bad_link_ends_as_over_a_good_one(
    fault: str, new_rig: NewRig, undisturbed: dict[str, Any]
) -> None:
    """Kinds 12 and 33, and their neighbours. What the table loses by a bad link is time."""
    rig = new_rig(header=FIRST)
    rig.do(fault)
    play(rig)
    rig.do(f"fault off {fault.split()[1]}")
    rig.run(RETRIES_MS)
    assert outcome(rig) == undisturbed


def test_bytes_dropped_and_flipped_both_ways_lose_and_double_nothing(
    new_rig: NewRig, undisturbed: dict[str, Any]
) -> None:
    for seed in (1, 2, 3):
        rig = new_rig(header=FIRST, seed=seed)
        rig.do(f"fault drop percent=1 seed={seed}", f"fault flip percent=1 seed={seed}")
        play(rig)
        rig.do("fault off drop", "fault off flip")
        rig.run(RETRIES_MS)
        assert outcome(rig) == undisturbed


@pytest.mark.parametrize("kind", ["random", "nul", "nonzero"])
def test_noise_between_moves_changes_nothing(kind: str, new_rig: NewRig, undisturbed: dict[str, Any]) -> None:
    """Kind 7: boot bytes at another baud rate, NULs, and 100 kB without a zero byte."""
    rig = new_rig(header=FIRST)
    for number in range(len(LINES)):
        rig.do(f"fault noise bytes=100000 kind={kind} seed=3")
        move(rig, number)
    assert outcome(rig) == undisturbed


def test_a_board_that_every_opening_resets_is_found_and_the_game_goes_on(
    new_rig: NewRig, undisturbed: dict[str, Any]
) -> None:
    """Kind 4: deaf for 2 s after the port opens, boot text, a new nonce; the daemon is restarted in
    mid-game."""
    rig = new_rig(header=FIRST)
    rig.do("fault boot-text", "fault reset-on-open ms=2000")
    for hit, follows in PAIRS:
        rig.restart()
        rig.until(lambda doc: doc["link"]["state"] == "up", 5_000)
        move(rig, hit)
        move(rig, follows)
    assert outcome(rig) == undisturbed


def test_a_deaf_board_loses_nothing_that_happens_meanwhile(
    new_rig: NewRig, undisturbed: dict[str, Any]
) -> None:
    rig = new_rig(header=FIRST)
    for hit, follows in PAIRS:
        rig.do("fault deaf ms=2000")
        move(rig, hit)
        move(rig, follows)
    assert outcome(rig) == undisturbed


def test_a_stale_snapshot_does_not_turn_the_table_back(new_rig: NewRig, undisturbed: dict[str, Any]) -> None:
    rig = new_rig(header=FIRST)
    for hit, follows in PAIRS:
        rig.do("fault stale-snapshot count=1")
        move(rig, hit)
        rig.restart()
        rig.run(1_000)
        move(rig, follows)
    rig.run(RETRIES_MS)
    assert outcome(rig) == undisturbed


# Hands and sensors


def slid(rig: Rig, dwell_ms: int) -> dict[str, Any]:
    """Red opens on 6; green slides one dart over five spaces to 25."""
    rig.do("place red 6 over 0")
    rig.run(MOVE_MS)
    rig.do(f"slide green 7 17,31,16,25 dwell {dwell_ms}")
    rig.run(MOVE_MS + 1_200)
    return rig.doc


@pytest.mark.parametrize("dwell_ms", [30, 200, 700, 2_000])
def test_a_slide_is_one_move_where_it_ends(dwell_ms: int, new_rig: NewRig) -> None:
    """Kind 13."""
    doc = slid(new_rig(header=FIRST), dwell_ms)
    assert [(piece["player"], piece["spaces"]) for piece in doc["laid"]] == [("red", [6]), ("green", [25])]
    assert doc["turn"] == "red"
    assert doc["message"] is None


def test_without_taking_back_a_lifted_piece_a_slow_slide_goes_wrong(new_rig: NewRig) -> None:
    doc = slid(new_rig(header=FIRST, timing=replace(DEFAULT_TIMING, quiet_ms=10_000)), 200)
    assert len(doc["laid"]) != 2


def nudged(rig: Rig, off_ms: int) -> None:
    before, shown = outcome(rig), len(rig.shown)
    spaces = [space for piece in rig.doc["laid"][-3:] for space in piece["spaces"]][:4]
    rig.do(f"nudge {','.join(map(str, spaces))} {off_ms}")
    rig.run(2_500)
    assert len(rig.shown) == shown, "a nudge is not worth a word"
    assert outcome(rig) == before


def test_straightening_pieces_changes_nothing_and_says_nothing(new_rig: NewRig) -> None:
    """Kind 31: several spaces at once, the piece just placed among them, for 20 to 800 ms."""
    rig = new_rig(header=FIRST)
    play(rig)
    for off_ms in (20, 200, 800):
        nudged(rig, off_ms)


def test_without_the_lift_time_straightening_takes_a_piece_back(new_rig: NewRig) -> None:
    rig = new_rig(header=FIRST, timing=replace(DEFAULT_TIMING, lift_ms=1))
    play(rig)
    with pytest.raises(AssertionError, match="not worth a word"):
        nudged(rig, 800)


def chattering(rig: Rig, hz: int) -> None:
    """An empty space chatters while the game is played."""
    free = next(space for space in range(150, 100, -1) if str(space) not in rig.doc["spaces"])
    sensor = free - 1
    rig.do(f"magnet {sensor} 2", f"sensor {sensor} chatter {hz}")
    for line in LINES[:4]:
        rig.do(place(line, 150))
        rig.run(QUICK_MS)
    rig.run(MOVE_MS)
    if hz <= DEBOUNCED_HZ:
        assert free in rig.doc["flaky"], "the flaky space is named"
        assert str(free) in rig.doc["message"]["text"]
    rig.do(f"magnet {sensor} 0", f"sensor {sensor} ok")
    rig.run(3_000)


@pytest.mark.parametrize("hz", [5, 12, 30])
def test_play_goes_on_while_a_space_chatters(hz: int, new_rig: NewRig) -> None:
    """Kind 16."""
    rig = new_rig(header=FIRST)
    chattering(rig, hz)
    assert [piece["spaces"] for piece in rig.doc["laid"]] == [sorted(line["spaces"]) for line in LINES[:4]]
    assert rig.doc["message"] is None
    assert rig.doc["flaky"] == []


def test_without_noticing_the_flicker_nothing_is_accepted_any_more(new_rig: NewRig) -> None:
    rig = new_rig(header=FIRST, timing=replace(DEFAULT_TIMING, flicker_count=10_000))
    with pytest.raises(AssertionError, match="flaky space is named"):
        chattering(rig, 5)
    assert len(rig.doc["laid"]) < 4


def test_two_players_a_millisecond_apart_both_count(new_rig: NewRig) -> None:
    """Kind 32: green's piece lands 1 ms after red's, under two hands; neither hides the other."""
    rig = new_rig(header=FIRST)
    rig.board.command("place red 6,15 over 1", hand=1)
    rig.run(0)
    rig.board.command("place green 16 over 0", hand=2)
    rig.run(MOVE_MS)
    assert [(p["player"], p["spaces"]) for p in rig.doc["laid"]] == [("red", [6, 15]), ("green", [16])]
