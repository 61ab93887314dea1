"""What became of an operator's action, as a value.

Owns the value. Must not know actions, HTTP beyond its statuses, or what a game is.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Outcome(NamedTuple):
    """What became of an operator's action, by HTTP status: 200, 409 not now, 422 malformed, 503 disk."""

    status: int
    body: dict[str, Any]


def not_now(reason: str, text: str) -> Outcome:
    """What is asked for makes sense, but not at this moment; `text` says why not."""
    return Outcome(409, {"reason": reason, "text": text})
