"""Seeded random records: mostly legal play, with every kind of line mixed in, now and then a wrong one.

Owns the mixture. The rules under test only choose what is legal; what a line leads to is judged elsewhere.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.record import encode_header, parse_header, parse_line
from tablewire.games.cirkis.rules import Rules, State
from tablewire.games.cirkis.score import rules_of
from tablewire.games.cirkis.tiling import board, spaces_of

SMALL_SET = [
    {"name": "dot", "count": 3, "example": [6]},
    {"name": "tip", "count": 2, "example": [1]},
    {"name": "edge", "count": 1, "example": [156]},
    {"name": "left hook", "count": 2, "example": [2, 7], "flip": False},
]
"""Seven pieces and one hand only: a game in which players go out and run dry."""
STUCK_SET = [{"name": "edge", "count": 2, "example": [156]}]
"""Nobody can begin: no piece reaches the middle."""
UNEVEN_SET = [{"name": "dot", "count": 2, "example": [6]}, {"name": "edge", "count": 9, "example": [156]}]
"""Two pieces that are soon spent, and many that fit nowhere: some can place and others cannot."""
MAX_LINES = 160


def random_header(rng: random.Random) -> dict[str, Any]:
    players = [colour.value for colour in PlayerColour]
    rng.shuffle(players)
    options: dict[str, Any] = {}
    if rng.random() < 0.5:
        options["center_ring"] = rng.random() < 0.8
    if rng.random() < 0.6:
        options["target"] = rng.choice([5, 15, 25, 60, 1000])
    if rng.random() < 0.4:
        options["voluntary_pass"] = True
    if rng.random() < 0.3:
        options["match"] = rng.choice([10, 40, 100])
    if rng.random() < 0.3:
        options["pieces"] = rng.choice([SMALL_SET, SMALL_SET, UNEVEN_SET, UNEVEN_SET, STUCK_SET])
    header = {"record": 1, "game": "cirkis", "players": players[: rng.randint(2, 4)], "options": options}
    if rng.random() < 0.7:
        header["rulebook"] = rng.choice(["hasbro", "international"])
    return header


def random_record(rng: random.Random, wildness: float = 0.05) -> str:
    """The text of a record. `wildness`: how often a line is something else than a plain legal placement."""
    header = random_header(rng)
    rules = rules_of(parse_header(header), Path())
    state = rules.start()
    lines = [encode_header(parse_header(header))]
    for _ in range(MAX_LINES):
        line = next_line(rng, rules, state, wildness)
        if line is None:
            break
        lines.append(line)
        state, report = rules.apply(state, parse_line(line))
        if not report.legal and rng.random() < 0.9:
            break
    lines += [_noise(rng, rules, state) for _ in range(rng.choice([0, 0, 1, 3]))]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def next_line(rng: random.Random, rules: Rules, state: State, wildness: float) -> dict[str, Any] | None:
    expected = rules.expected_passes(state)
    if expected and rng.random() < 0.2:
        return {"player": expected[0], "pass": True}
    if rng.random() < wildness:
        return rng.choice(WILD)(rng, rules, state)
    if state.to_move and rules.options.voluntary_pass and rng.random() < 0.15:
        return {"player": state.to_move.value, "pass": True}
    if state.to_move is None:
        if rules.options.match is not None and rng.random() < 0.95:
            return {"round": state.round + 1}
        return None
    choices = rules.legal_placements(state)
    if rules.options.center_ring:
        area = board()
        choices = [p for p in choices if p.mask & area.center_ring] or choices
    placement = rng.choice(choices)
    spaces = list(placement.spaces)
    rng.shuffle(spaces)
    return {"player": state.to_move.value, "spaces": spaces}


def _voluntary_pass(rng: random.Random, rules: Rules, state: State) -> dict[str, Any]:
    player = state.to_move or rng.choice(rules.players)
    forced = {} if rules.options.voluntary_pass else {"forced": True}
    return {"player": player.value, "pass": True, **forced}


def _forced_placement(rng: random.Random, rules: Rules, state: State) -> dict[str, Any]:
    free = [p for p in rules.placements if not p.mask & state.filled]
    if not free:
        return {"ruling": {"points": {rules.players[0].value: 0}}}
    player = state.to_move if state.to_move and rng.random() < 0.5 else rng.choice(rules.players)
    return {"player": player.value, "spaces": list(rng.choice(free).spaces), "forced": True}


def _forced_pass(rng: random.Random, rules: Rules, state: State) -> dict[str, Any]:
    return {"player": rng.choice(rules.players).value, "pass": True, "forced": True}


def _ruling(rng: random.Random, rules: Rules, state: State) -> dict[str, Any]:
    players = rng.sample(rules.players, rng.randint(1, len(rules.players)))
    return {
        "ruling": {"points": {p.value: rng.choice([-5, 5, 10, 15]) for p in players}, "note": "so it was"}
    }


def _noise(rng: random.Random, rules: Rules, state: State) -> dict[str, Any]:
    """A line that is probably wrong: any player, any spaces, any kind."""
    player: Any = rng.choice([*PlayerColour, "blue"])
    filled = spaces_of(state.filled)
    some = rng.choice([p for p in rules.placements if rng.random() < 0.1 or not p.mask & state.filled]).spaces
    spaces: list[Any] = rng.choice(
        [
            list(some),
            list(some),
            [*some, *some[:1]],
            [0, 166],
            [],
            list(filled[:2]),
            [1, 165],
            [10**30],
            [True],
        ]
    )
    more: dict[str, Any] = rng.choice([{}, {"forced": True}, {"x_ms": 3}])
    turn = {"player": str(player), "spaces": spaces, **more}
    giving_up = {"player": str(player), "pass": rng.choice([True, True, False])}
    other: dict[str, Any] = rng.choice(
        [{"round": 2}, {"ruling": {"points": {"blue": 5}}}, {"player": "red"}, {"pass": True}]
    )
    return rng.choice([turn, turn, turn, giving_up, other])


WILD: list[Callable[[random.Random, Rules, State], dict[str, Any]]] = [
    _voluntary_pass,
    _voluntary_pass,
    _forced_placement,
    _forced_pass,
    _ruling,
    _ruling,
    _noise,
]
