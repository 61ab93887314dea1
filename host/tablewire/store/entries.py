"""Entries and games as they lie in the journal, and their text in the database.

Owns the stored values, the JSON form and the checksum over it. Must not know SQLite, files or
clocks, nor what a body means: that is the table's.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewire.entries import EntryKind
from tablewire.errors import StoreError

MAX_BODY_BYTES = 1024 * 1024
"""A correction holds the whole list of moves: a match of 1,000 moves at 100 bytes, each with a note of 500
characters of which the JSON may take six bytes each, comes near a megabyte; more is a mistake."""

MAX_PINNED_BYTES = 1024 * 1024
"""A game pins its whole piece set, which a user's own file may make large; a megabyte is no piece set."""

UNSAVED_VERSIONS_MAX = 64
"""How many document versions may be shown that cannot be saved, because the disk refuses: then the page says
so and stands still. After a program that was killed, versions go on so much higher."""


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as it lies in the journal.

    `body` is JSON (tuples come back as lists), `seq` counts from 1 over all games, `wall_time` is ISO 8601
    in UTC.
    """

    seq: int
    wall_time: str
    kind: EntryKind
    at_ms: int
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game and everything that was pinned when it began.

    `number` counts from 1, oldest first. `put_aside`: another game, or none, is the current one. `changed`:
    the wall time of the last entry, or of the beginning; ISO 8601 in UTC like `started`. `last_seq`: that
    entry's number, 0 without any.
    """

    number: int
    game_id: str
    game: str
    pinned: dict[str, Any]
    started: str
    put_aside: bool
    changed: str
    last_seq: int


def encode_body(body: Mapping[str, Any], limit_bytes: int = MAX_BODY_BYTES) -> str:
    """The JSON text of a body. StoreError when it is no JSON object or longer than `limit_bytes`."""
    try:
        text = json.dumps(body, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as exc:
        raise StoreError(f"cannot keep an entry that is not JSON: {exc}") from exc
    if len(text) > limit_bytes:
        raise StoreError(f"cannot keep an entry of {len(text)} bytes: the limit is {limit_bytes}")
    return text


def checksum(*columns: str | int) -> int:
    """CRC-32 over a row: SQLite itself does not notice a flipped bit inside a text."""
    return zlib.crc32("\x1f".join(map(str, columns)).encode("utf-8", "replace"))
