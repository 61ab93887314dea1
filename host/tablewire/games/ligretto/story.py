"""A game of Ligretto told for people who look it up later: how it stands, and line by line.

Owns these two summaries. Must not know the table, terminals or pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tablewire.games.ligretto.record import CardLine
from tablewire.games.ligretto.report import Report, RoundScore, Verdict
from tablewire.games.ligretto.words import line_said, numbers_said, reasons_said
from tablewire.games.live import Chapter, Standing

if TYPE_CHECKING:
    from tablewire.games.ligretto.course import LigrettoTable


def standing(table: LigrettoTable) -> Standing:
    """How a game stands; the scores are the points of the round that was counted last."""
    match = table.closed
    points = match.rounds[-1].points if match.rounds else dict.fromkeys(match.rules.players, 0)
    return Standing(
        players=match.rules.players,
        moves=sum(isinstance(row.line, CardLine) for row in table.rows),
        scores=dict(points),
        totals=dict(match.totals),
        is_over=match.is_over,
        winners=tuple(match.result()["result"]["winners"]),
    )


def story(table: LigrettoTable) -> Iterator[Chapter]:
    """Every line of the record, with what it came to."""
    match = table.closed
    for n, row in enumerate(table.rows, 1):
        report = match.report_of(n)
        if isinstance(row.line, CardLine):
            card = row.line.card
            what = f"{card.colour} {card.value} on pad {row.line.pad}"
            yield Chapter(n, card.owner, what, _outcome(report))
        else:
            yield Chapter(n, "", line_said(row.line), _outcome(report))


def _outcome(report: Report) -> str:
    """What is worth saying of a line: a card that lies as it may needs no word."""
    if isinstance(report, RoundScore):
        return f"round {report.number}: {numbers_said(report.points)}"
    if isinstance(report, Verdict) and report.legal:
        return ""
    return reasons_said(getattr(report, "reasons", ()))
