"""A table in the middle of a short game, and hands that put right what the page asks, or what they know."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from tests.system.conftest import NewRig
from tests.system.games import header, place, random_game, scored
from tests.system.rig import Rig

from tablewire.games.cirkis.tiling import board, spaces_of

FIRST = header("red", "green")
LINES = random_game(11, FIRST)[:10]
"""Red 2 8, green 17 27, red 16 31, green 46 47, red 82 107 117, green 76 97, ...: in turn, without points. No
piece has an edge in common with one of its own colour, so that nobody has to wait before the next turn."""
QUICK_MS = 800
"""After this a piece is taken for a move, and the other player may lay the next one."""
FINAL_MS = 1_900
"""After this nothing that lands belongs to the piece before."""
PATIENCE_MS = 20_000


def sat_down(new_rig: NewRig, count: int = 4, **settings: Any) -> Rig:
    """A table at which the first `count` moves of LINES have been made, and nothing is in the air."""
    rig = new_rig(header=FIRST, **settings)
    for number in range(count):
        lay(rig, number)
    rig.run(FINAL_MS)
    assert rig.doc["moves"] == count
    assert rig.doc["message"] is None
    return rig


def lay(rig: Rig, number: int) -> dict[str, Any]:
    """Make a move of LINES, and wait until it is one."""
    rig.do(place(LINES[number], 60))
    return rig.until(lambda doc: doc["moves"] > number, PATIENCE_MS)


def lying(rig: Rig) -> dict[str, str]:
    """The magnets on the spaces, as they really lie."""
    spaces = rig.board.state()["spaces"]
    assert isinstance(spaces, dict)
    return {space: str(colour) for space, colour in spaces.items()}


def said(rig: Rig, line: str) -> str:
    """Give the board a command, and let time pass until it is done; the answer without its ok."""
    ticket = rig.board.command(line)
    while ticket.answer is None:
        rig.run(10)
    assert ticket.answer.startswith("ok"), f"{line}: {ticket.answer}"
    return ticket.answer.removeprefix("ok").strip()


def act(rig: Rig, name: str, **body: Any) -> dict[str, Any]:
    """Press a button that works; its answer."""
    outcome = rig.core.act(name, body)
    assert outcome.status == 200, (name, body, outcome)
    return dict(outcome.body)


def obey(rig: Rig, limit_count: int = 12) -> list[str]:
    """Do what the page asks, step by step, until it asks for nothing; the texts that it showed."""
    texts: list[str] = []
    for _ in range(limit_count):
        rig.run(1_500)
        message = rig.doc["message"]
        if message is None or not message["steps"]:
            return texts
        texts.append(message["text"])
        for step in message["steps"]:
            do_step(rig, step)
    raise AssertionError(f"the page never has enough: {texts}")


def do_step(rig: Rig, step: Mapping[str, Any]) -> None:
    """Do one step of a message."""
    now = lying(rig)
    match step["do"]:
        case "lift":
            spaces = [space for space in step["spaces"] if str(space) in now]
            assert spaces, f"nothing lies there to be lifted: {step}"
            rig.do(f"lift {','.join(map(str, spaces))} over 50")
        case "place":
            bare = [space for space in step["spaces"] if str(space) not in now]
            there = [space for space in step["spaces"] if str(space) in now]
            assert all(now[str(space)] == step["colour"] for space in there), f"{step} where {now} lies"
            if there:
                rig.do(f"press {','.join(map(str, there))}")
            if bare:
                rig.do(f"place {step['colour']} {','.join(map(str, bare))} over 50")
        case "move_peg":
            rig.do(f"peg {step['colour']} {step['hole']}")


def free_beside(rig: Rig, player: str) -> int:
    """A space where a piece of one space may lie next: beside the Leader, and apart from the player's own."""
    now = rig.doc["spaces"]
    for leader in rig.doc["leader"]:
        for space in spaces_of(board().touches[leader - 1]):
            joined = spaces_of(board().joins[space - 1])
            if str(space) not in now and all(now.get(str(other)) != player for other in joined):
                return space
    raise AssertionError("there is no such space")


def put_right(rig: Rig, wanted: Mapping[str, str], seed: int) -> None:
    """Make the magnets lie as wanted, space by space in any order that hands can do, reading no page."""
    rng = random.Random(seed)
    while (now := lying(rig)) != wanted:
        wrong = sorted(space for space, colour in now.items() if wanted.get(space) != colour)
        lost = sorted(space for space in wanted if space not in now)
        space = rng.choice([*wrong, *lost])
        rig.do(f"lift {space}" if space in now else f"place {wanted[space]} {space}")
        rig.run(rng.randrange(0, 500))


def asked(message: Mapping[str, Any] | None) -> set[str]:
    """The spaces that a message names in its steps."""
    steps: Iterable[Mapping[str, Any]] = message["steps"] if message is not None else ()
    return {str(space) for step in steps for space in step.get("spaces", ())}


def differing(rig: Rig, wanted: Mapping[str, str]) -> set[str]:
    """The spaces on which not just that lies what should."""
    now = lying(rig)
    return {space for space in {*now, *wanted} if now.get(space) != wanted.get(space)}


def game(rig: Rig) -> dict[str, Any]:
    """What no fault may change once the table is right again."""
    keys = ("laid", "players", "turn", "leader", "history", "message", "phase", "moves", "spaces")
    return {key: rig.doc[key] for key in keys}


def assert_scored(rig: Rig, count: int) -> None:
    """The game so far is the first `count` moves of LINES, scored as `tablewire score` does."""
    *expected, _ = scored(FIRST, LINES[:count])
    told = [{key: value for key, value in line.items() if key != "spaces"} for line in rig.doc["history"]]
    assert told == expected
    assert [line["spaces"] for line in rig.doc["history"]] == [
        sorted(line["spaces"]) for line in LINES[:count]
    ]
    assert {player["colour"]: player["score"] for player in rig.doc["players"]} == expected[-1]["scores"]
