"""Whole games for the system tests: seeded, legal, of any number of players, as records."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tablewire.games.cirkis.record import Turn, encode_line, parse_header
from tablewire.games.cirkis.rules import Rules
from tablewire.games.records import score_text

FOUR = ("red", "green", "purple", "yellow")


def header(*players: str, rulebook: str = "hasbro", **options: Any) -> dict[str, Any]:
    """A record's header."""
    return {"record": 1, "game": "cirkis", "rulebook": rulebook, "players": list(players), "options": options}


def random_game(seed: int, first: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of a random legal game to its end."""
    parsed = parse_header(first)
    rules = Rules(parsed.players, parsed.options)
    rng, state = random.Random(seed), rules.start()
    lines = []
    while state.to_move is not None:
        placement = rng.choice(rules.legal_placements(state))
        line = Turn(state.to_move, placement.spaces)
        lines.append(encode_line(line))
        state = rules.apply(state, line).state
    return lines


def scored(first: dict[str, Any], lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What `tablewire score` prints for a record."""
    text = "\n".join(json.dumps(line) for line in [first, *lines])
    return score_text(text, "record", Path())


def place(line: dict[str, Any], over_ms: int) -> str:
    """The board command that lays the piece of a record's line."""
    return f"place {line['player']} {','.join(map(str, line['spaces']))} over {over_ms}"
