"""Everything new on the table -> the one order of moves that explains all of it, if there is only one.

Owns the search over turns when hands were quicker than quiet: pieces of several colours, more than one turn
of a colour. Must not know sensors, gaps or what the page shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice, pairwise

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.rules import Rules, State
from tablewire.games.cirkis.tiling import SpaceId, mask_of, spaces_of

MAX_SPACES = 18
"""More new magnets than this are a table being filled or cleared, not turns played too fast."""
MAX_STEPS = 2_000
"""Positions looked at before the search gives up, a few hundredths of a second; it then explains nothing."""
MAX_ORDERS = 64
"""With this many orders that explain everything, none of them is the only one."""

Explained = tuple[tuple[PlayerColour, Placement], ...]
Landed = Mapping[PlayerColour, Mapping[SpaceId, int]]


def explain_all(rules: Rules, state: State, landed_ms: Landed) -> Explained | None:
    """The only legal order of moves that uses every landing; None when there is none or more than one.

    Pieces of one colour come in the order in which they landed. Of several orders the one stands in which
    pieces of different colours do too.
    """
    rows = tuple((player, tuple(spaces.items())) for player, spaces in landed_ms.items())
    return _explain(rules, state, rows)


@lru_cache(maxsize=16)
def _explain(
    rules: Rules, state: State, rows: tuple[tuple[PlayerColour, tuple[tuple[SpaceId, int], ...]], ...]
) -> Explained | None:
    """The search; kept, because a table that waits for a person is looked at again and again."""
    landed_ms = {player: dict(spaces) for player, spaces in rows}
    if sum(map(len, landed_ms.values())) > MAX_SPACES or any(c not in rules.players for c in landed_ms):
        return None
    left = {player: mask_of(spaces) for player, spaces in landed_ms.items()}
    steps = iter(range(MAX_STEPS))
    found = list(islice(_orders(rules, state, left, landed_ms, steps), MAX_ORDERS))
    if next(steps, None) is None or len(found) == MAX_ORDERS:
        return None
    in_order = [order for order in found if _rises(order, landed_ms)]
    for some in (found, in_order):
        if len(some) == 1:
            return some[0]
    return None


def _orders(
    rules: Rules, state: State, left: Mapping[PlayerColour, int], landed_ms: Landed, steps: Iterator[int]
) -> Iterator[Explained]:
    if not any(left.values()):
        yield ()
        return
    player = state.to_move
    if player is None or not left.get(player):
        return
    times = {space: landed_ms[player][space] for space in spaces_of(left[player])}
    first_ms = min(times.values())
    first = [space for space, at_ms in times.items() if at_ms == first_ms]
    for placement in dict.fromkeys(p for space in first for p in rules.pieces.covering[space]):
        if placement.mask & left[player] != placement.mask:
            continue
        if next(steps, None) is None:
            return
        step = rules.apply(state, Turn(player, placement.spaces))
        if step.report.legal:
            rest = {**left, player: left[player] & ~placement.mask}
            for order in _orders(rules, step.state, rest, landed_ms, steps):
                yield ((player, placement), *order)


def _rises(order: Explained, landed_ms: Landed) -> bool:
    begun = [min(landed_ms[player][space] for space in spaces_of(p.mask)) for player, p in order]
    return all(before <= after for before, after in pairwise(begun))
