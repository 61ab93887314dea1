"""A whole record of Ligretto scored: what `tablewire score` prints for it.

Owns the order of output, and which line is at fault when a record is none. Must not know standard streams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tablewire.errors import UserError
from tablewire.games.base import BadLineError, Game, RecordLine, TurnOrder, Warn
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import GAME_NAME, parse_header, parse_line
from tablewire.wire.messages import BoardKind


def score_record(
    header: Mapping[str, Any], lines: Iterable[RecordLine], _folder: Path, _warn: Warn
) -> Iterator[dict[str, Any]]:
    """Score a record whose header has been read as JSON. UserError when it is none."""
    match = Match.begin(parse_header(header))
    for line in lines:
        try:
            match = match.enter(parse_line(line.text))
        except UserError as error:
            raise BadLineError(line.number, str(error)) from error
    match = match.close_scans()
    yield from match.printed()
    yield match.result()


LIGRETTO = Game(GAME_NAME, TurnOrder.SIMULTANEOUS, score_record, BoardKind.LIGRETTO)
