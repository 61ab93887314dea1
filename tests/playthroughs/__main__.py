"""Writes the golden playthroughs anew: `python -m tests.playthroughs`. See README.md beside this file.

Owns which games there are. The expected output comes from the slow rules of the tests, not from the engines.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.games import slow_rules
from tests.games.ligretto import slow_score
from tests.games.ligretto.random_records import random_record
from tests.games.random_records import next_line

from tablewire.games.cirkis.record import encode_header, parse_header, parse_line
from tablewire.games.cirkis.score import rules_of

FOLDER = Path(__file__).parent
MAX_LINES = 400

GAMES: dict[str, tuple[int, float, dict[str, Any]]] = {
    "hasbro-four-players": (3, 0.0, {"players": ["purple", "red", "green", "yellow"], "rulebook": "hasbro"}),
    "hasbro-two-players-until-blocked": (
        2,
        0.0,
        {"players": ["green", "purple"], "rulebook": "hasbro", "options": {"target": 1000}},
    ),
    "international-three-players-center-ring": (
        1,
        0.0,
        {
            "players": ["yellow", "green", "red"],
            "rulebook": "international",
            "options": {"center_ring": True},
        },
    ),
    "international-four-players-until-blocked": (
        4,
        0.0,
        {
            "players": ["red", "yellow", "purple", "green"],
            "rulebook": "international",
            "options": {"target": 1000, "center_ring": True},
        },
    ),
    "hasbro-match-to-100": (
        5,
        0.0,
        {
            "players": ["red", "green", "purple"],
            "rulebook": "hasbro",
            "options": {"match": 100, "center_ring": True},
        },
    ),
    "hasbro-voluntary-passes-and-corrections": (
        40,
        0.12,
        {
            "players": ["purple", "yellow", "green"],
            "rulebook": "hasbro",
            "options": {"voluntary_pass": True, "target": 60},
        },
    ),
    "international-corrected-until-refused": (
        28,
        0.15,
        {"players": ["green", "red"], "rulebook": "international", "options": {"target": 80}},
    ),
}
"""By name: seed, how often a line is no plain placement, header."""

LIGRETTO: dict[str, tuple[int, float, dict[str, Any]]] = {
    "ligretto-four-players-three-rounds": (
        1,
        0.06,
        {"players": ["red", "green", "blue", "yellow"], "options": {"rounds": 3}},
    ),
    "ligretto-two-players-to-a-target": (
        2,
        0.08,
        {"players": ["Anna", "Ben"], "options": {"target": 20, "left_penalty": 1}},
    ),
    "ligretto-twelve-players-at-once": (
        3,
        0.04,
        {"players": [f"player {k}" for k in range(1, 13)], "options": {"scan_ms": 60}},
    ),
    "ligretto-everything-goes-wrong": (
        7,
        0.6,
        {"players": ["Anna", "Ben", "Cleo"], "options": {"rounds": 9}},
    ),
}
"""By name: seed, how often a line is no card that fits, header."""


def playthrough(seed: int, wildness: float, header: dict[str, Any]) -> str:
    """The text of one record."""
    rng = random.Random(seed)
    parsed = parse_header({"record": 1, "game": "cirkis", **header})
    rules = rules_of(parsed, FOLDER)
    state = rules.start()
    lines = [encode_header(parsed)]
    while len(lines) < MAX_LINES:
        line = next_line(rng, rules, state, wildness)
        if line is None:
            break
        lines.append(line)
        state, report = rules.apply(state, parse_line(line))
        if not report.legal:
            break
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def cards_laid(seed: int, wildness: float, header: dict[str, Any]) -> str:
    """The text of one record of Ligretto."""
    whole = {"record": 1, "game": "ligretto", **header}
    return random_record(random.Random(seed), wildness, whole, MAX_LINES) + "\n"


def write(name: str, text: Callable[[], str], score: Callable[[str], list[dict[str, Any]] | None]) -> None:
    """Write one record if it is not there yet, and its expected output."""
    record = FOLDER / f"{name}.jsonl"
    if not record.exists():
        record.write_text(text(), encoding="utf-8")
    printed = score(record.read_text(encoding="utf-8"))
    if printed is None:
        raise SystemExit(f"{record} is no record")
    expected = "".join(f"{json.dumps(line)}\n" for line in printed)
    record.with_suffix(".expected").write_text(expected, encoding="utf-8")


def main() -> None:
    """Write every record that is not there yet, and every expected output."""
    for name, game in GAMES.items():
        write(name, partial(playthrough, *game), slow_rules.score)
    for name, game in LIGRETTO.items():
        write(name, partial(cards_laid, *game), slow_score.score)


if __name__ == "__main__":
    main()
