"""What every game shares: facts as enums, and the contract by which a record of any game is scored.

Owns nothing that needs turns, spaces or pieces: a game without turns fits it as well. Must not know
any one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from tablewire.errors import UserError
from tablewire.wire.messages import BoardKind


class TurnOrder(Enum):
    """Whether players act one after another or whenever they like."""

    SEQUENTIAL = "sequential"
    SIMULTANEOUS = "simultaneous"


class RecordLine(NamedTuple):
    """A line of a record file after its header, not blank; `number` is its line in the file, from 1."""

    number: int
    text: str


class BadLineError(UserError):
    """A line that makes a record none; `number` is its line in the file, the text says what is wrong."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(text)
        self.number = number


Warn = Callable[[str], None]
"""Told what is odd but not wrong, one line each."""

ScoreRecord = Callable[[Mapping[str, Any], Iterable[RecordLine], Path, Warn], Iterator[dict[str, Any]]]
"""(header, lines, folder that relative paths in the header start from, warn) -> the lines that are printed.

UserError when the record is none, BadLineError when the fault is not in its header. A printed line that holds
`"legal": false` makes the exit status 1.
"""


@dataclass(frozen=True, slots=True)
class Game:
    """Facts of one game. `name` is the word in a record's header, `board` the kind of board it is for."""

    name: str
    turn_order: TurnOrder
    score_record: ScoreRecord
    board: BoardKind
