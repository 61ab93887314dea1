"""Small rounds written by hand: short words for lines, and what `tablewire score` prints for them.

Owns no expectations.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tablewire.games.records import score_text

Json = dict[str, Any]
OWNERS = {"a": "Anna", "b": "Ben", "c": "Cleo", "d": "Dora"}
COLOURS = {"r": "red", "g": "green", "y": "yellow", "b": "blue"}


def header(players: Sequence[str] = ("Anna", "Ben", "Cleo"), **options: Any) -> Json:
    """The first line."""
    return {"record": 1, "game": "ligretto", "players": list(players), "options": options}


def card(t_ms: int, pad: int, short: str) -> Json:
    """A card: "ab4" is Anna's blue 4."""
    face = {"owner": OWNERS[short[0]], "colour": COLOURS[short[1]], "value": int(short[2:])}
    return {"t_ms": t_ms, "pad": pad, "card": face}


def cards(text: str, pad: int = 0, start_ms: int = 1000, apart_ms: int = 100) -> list[Json]:
    """Cards one after another on one pad: "ab1 bb2"."""
    return [card(start_ms + k * apart_ms, pad, short) for k, short in enumerate(text.split())]


def stop(t_ms: int, by: str | None = "Anna") -> Json:
    """A stop; None withdraws one."""
    return {"t_ms": t_ms, "stop": by}


def decide(n: int, winner: str) -> Json:
    """A decision."""
    return {"decide": n, "winner": winner}


def left(anna: Any = 0, ben: Any = 0, cleo: Any = 0, **more: Any) -> Json:
    """A count."""
    return {"left": {"Anna": anna, "Ben": ben, "Cleo": cleo, **more}}


def score(
    lines: Sequence[Json | str], players: Sequence[str] = ("Anna", "Ben", "Cleo"), **options: Any
) -> list[Json]:
    """What `tablewire score` prints for a record of these lines."""
    every = [header(players, **options), *lines]
    texts = [line if isinstance(line, str) else json.dumps(line) for line in every]
    return score_text("\n".join(texts), "record", Path())


def said(printed: list[Json]) -> list[Any]:
    """Verdicts in short: the height of a legal card, the reasons of a wrong one, the others' lines of one of
    equals.

    Lines that are no cards are left out.
    """
    return [
        line["height"] if line["legal"] else line.get("with", " ".join(line["reasons"]))
        for line in printed
        if "pad" in line
    ]


def result(printed: list[Json]) -> Json:
    """The body of the last line."""
    body = printed[-1]["result"]
    assert isinstance(body, dict)
    return body
