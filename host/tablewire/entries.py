"""What the journal of a table holds: one kind and one body per entry.

Owns the entry's shape and the nine kinds. Must not know how entries are stored, or what a body means: the
table and its game write and read the bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class EntryKind(StrEnum):
    """The nine things that can happen to a table. MASK belongs to the board, the rest to the game on it."""

    OBSERVATION = "observation"
    COMMIT = "commit"
    REWRITE = "rewrite"
    TAKE_BACK = "take-back"
    CORRECTION = "correction"
    RULING = "ruling"
    UNDO = "undo"
    REDO = "redo"
    MASK = "mask"


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of a table's history. `at_ms` is table time; `body` is a JSON object."""

    kind: EntryKind
    at_ms: int
    body: dict[str, Any]
