"""Every legal line of moves that lays exactly what is given, by the slow rules: tried one after another.

Owns nothing of the package and imports nothing of it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from tests.games.slow_rules import Table


class Outcome(NamedTuple):
    """Where a line of moves leads: whose piece is which, the scores, the piece laid last, and who is next."""

    pieces: frozenset[tuple[str, frozenset[int]]]
    scores: tuple[tuple[str, int], ...]
    leader: frozenset[int]
    turn: str | None
    ended: str | None


def outcomes(table: Table, wanted: Mapping[str, Set[int]], most: int) -> set[Outcome]:
    """The outcomes of all lines, passes other than those that come by themselves left out; `most` suffice."""
    places = {
        player: [place for place in table.places if place <= spaces] for player, spaces in wanted.items()
    }
    found = set[Outcome]()
    for outcome in _follow(table, places, sum(map(len, wanted.values())), frozenset()):
        found.add(outcome)
        if len(found) >= most:
            break
    return found


def _follow(
    table: Table,
    places: Mapping[str, list[frozenset[int]]],
    left_count: int,
    laid: frozenset[tuple[str, frozenset[int]]],
) -> Iterator[Outcome]:
    if not left_count:
        scores = tuple(sorted(table.scores.items()))
        yield Outcome(laid, scores, table.leader, table.turn, table.ended)
        return
    player = table.turn
    for place in places.get(player or "", ()):
        after = _copy(table)
        if player is not None and after.place(player, sorted(place), False)["legal"]:
            yield from _follow(after, places, left_count - len(place), laid | {(player, place)})


def _copy(table: Table) -> Table:
    """The table as it stands, to be played on."""
    twin = copy.copy(table)
    twin.owner, twin.scores, twin.silent = dict(table.owner), dict(table.scores), list(table.silent)
    twin.used = {player: dict(used) for player, used in table.used.items()}
    return twin
