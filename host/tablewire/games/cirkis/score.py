"""A whole record of Cir*Kis scored line by line: what `tablewire score` prints for it.

Owns the order of output and the reading of the piece set a header names. Must not know standard streams.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tablewire.games.base import Game, RecordLine, TurnOrder, Warn
from tablewire.games.cirkis.pieces import PieceSet, default_piece_set, load_piece_set, parse_piece_set
from tablewire.games.cirkis.record import GAME_NAME, Header, encode_header, parse_header, parse_line
from tablewire.games.cirkis.rules import Rules
from tablewire.wire.messages import BoardKind


def piece_set_of(header: Header, folder: Path) -> PieceSet:
    """The piece set a header names; a path starts from `folder`. UserError when it cannot be read."""
    if header.pieces is None:
        return default_piece_set()
    if isinstance(header.pieces, str):
        return load_piece_set(folder / header.pieces)
    return parse_piece_set(header.pieces)


def pin_record(header: Mapping[str, Any], folder: Path, warn: Warn) -> dict[str, Any]:
    """A record's header, with the piece set that it names read in from `folder`, so that it is final.

    UserError when it is none, or its piece set cannot be read; `warn` hears what is odd about that.
    """
    parsed = parse_header(header)
    pieces = piece_set_of(parsed, folder)
    for warning in pieces.warnings:
        warn(warning)
    return encode_header(replace(parsed, pieces=pieces.to_json()))


def rules_of(header: Header, folder: Path) -> Rules:
    """The rules of the game a header describes."""
    if isinstance(header.pieces, str):
        return Rules(header.players, header.options, piece_set_of(header, folder))
    return _rules(json.dumps(encode_header(header), sort_keys=True))


@lru_cache(maxsize=8)
def _rules(text: str) -> Rules:
    """The rules for a header with its pieces in it: a list of games scores many of a few kinds, and where all
    pieces fit takes longer to find than a game to play through.
    """
    header = parse_header(text)
    return Rules(header.players, header.options, piece_set_of(header, Path()))


def score_lines(rules: Rules, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Each line's report as JSON, up to the first illegal one, then the result. Blank lines do not count."""
    state = rules.start()
    for n, text in enumerate((line for line in lines if line.strip()), start=1):
        state, report = rules.apply(state, parse_line(text))
        yield report.to_json(n)
        if not report.legal:
            break
    yield rules.result(state).to_json()


def score_record(
    header: Mapping[str, Any], lines: Iterable[RecordLine], folder: Path, warn: Warn
) -> Iterator[dict[str, Any]]:
    """Score a record whose header has been read as JSON."""
    rules = rules_of(parse_header(header), folder)
    for warning in rules.pieces.warnings:
        warn(warning)
    return score_lines(rules, (line.text for line in lines))


CIRKIS = Game(GAME_NAME, TurnOrder.SEQUENTIAL, score_record, BoardKind.CIRKIS)
