"""A game of Cir*Kis told for people who look it up later: how it stands, and move by move.

Owns these two summaries. Must not know the table, terminals or pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tablewire.games.cirkis.document import history_line
from tablewire.games.cirkis.state import Ending
from tablewire.games.live import Chapter, Standing

if TYPE_CHECKING:
    from typing import Any

    from tablewire.games.cirkis.referee import CirkisTable


def standing(table: CirkisTable) -> Standing:
    """How a game stands."""
    state, rules = table.moves.state, table.moves.rules
    result = rules.result(state)
    is_match = table.header.options.match is not None
    # Between two rounds of a match a round has ended, and the match has not.
    over = result.ended is not None and (not is_match or result.ended is Ending.MATCH)
    totals = dict(zip(rules.players, state.totals, strict=True)) if is_match else None
    return Standing(
        players=tuple(map(str, rules.players)),
        moves=state.moves,
        scores={str(player): state.scores_of(player) for player in rules.players},
        totals=None if totals is None else {str(player): points for player, points in totals.items()},
        is_over=over,
        winners=tuple(map(str, result.winners)) if over else (),
    )


def story(table: CirkisTable) -> Iterator[Chapter]:
    """Every move, with the points that came of it."""
    for n, move in enumerate(table.moves.moves, 1):
        line = history_line(n, move)
        points = line.get("ruling") or line.get("points") or {}
        gained = ", ".join(f"{player} {count:+d}" for player, count in points.items())
        forced = f"forced: {', '.join(line['forced'])}" if line.get("forced") else ""
        note = f"({line['note']})" if line.get("note") else ""
        outcome = "  ".join(text for text in (gained, forced, note) if text)
        yield Chapter(n, line.get("player") or "", _what(line), outcome)


def _what(line: dict[str, Any]) -> str:
    if "ruling" in line:
        return "ruling"
    if "round" in line:
        return f"round {line['round']}"
    if not line.get("shape"):
        return "pass"
    return f"{line['shape']} on {', '.join(map(str, line.get('spaces', [])))}"
