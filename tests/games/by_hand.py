"""Small games written by hand: short words for lines, and the piece sets that make positions easy to follow.

Owns no expectations.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tablewire.games.records import score_text

Json = dict[str, Any]

SINGLES = [
    {"name": "wedge", "count": 90, "example": [6]},
    {"name": "arrow", "count": 65, "example": [1]},
    {"name": "sliver", "count": 10, "example": [156]},
    {"name": "pair", "count": 5, "example": [56, 91]},
]
"""One space at a time, as many as wanted; "pair" also joins a circle's kite to the dart of a star."""


def few(wedge: int = 0, arrow: int = 0, sliver: int = 0) -> list[Json]:
    """A piece set of single spaces, so many of each."""
    some = (("wedge", wedge, 6), ("arrow", arrow, 1), ("sliver", sliver, 156))
    return [{"name": name, "count": count, "example": [space]} for name, count, space in some if count]


def lay(*spaces: int, by: str, **more: Any) -> Json:
    """A placement."""
    return {"player": by, "spaces": list(spaces), **more}


def give_up(by: str, **more: Any) -> Json:
    """A pass line."""
    return {"player": by, "pass": True, **more}


def moves(text: str) -> list[Json]:
    """Lines in short: "r6 g7,8 y-" is red on 6, green on 7 and 8, yellow passes."""
    names = {"r": "red", "g": "green", "y": "yellow", "p": "purple"}
    return [
        give_up(names[word[0]])
        if word[1:] == "-"
        else {"player": names[word[0]], "spaces": [int(space) for space in word[1:].split(",")]}
        for word in text.split()
    ]


def score(
    lines: Sequence[Json | str],
    *,
    players: tuple[str, ...] = ("red", "green"),
    rulebook: str = "hasbro",
    pieces: list[Json] | None = SINGLES,
    **options: Any,
) -> list[Json]:
    """What `tablewire score` prints for a record of these lines."""
    if pieces is not None:
        options["pieces"] = pieces
    header = {
        "record": 1,
        "game": "cirkis",
        "rulebook": rulebook,
        "players": list(players),
        "options": options,
    }
    texts = [line if isinstance(line, str) else json.dumps(line) for line in [header, *lines]]
    return score_text("\n".join(texts), "record", Path())


def result(printed: list[Json]) -> Json:
    """The body of the last line."""
    body = printed[-1]["result"]
    assert isinstance(body, dict)
    return body
