"""Who did something to a game and why, as an action says it and the journal keeps it.

Owns these two fields. Must not know what was done, nor any one game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewire.games.live import Refusal

MAX_NOTE_CHARS = 500
"""A note is a sentence for the audit, a name shorter still; the store and the page stay small."""
OPERATOR = "operator"
"""Who acted, when they did not say."""


def unsigned(body: Mapping[str, Any]) -> Refusal | None:
    """Why these fields of an action cannot be kept; None when they can. A name is never empty."""
    for key, empty in (("by", False), ("note", True)):
        text = body.get(key, OPERATOR)
        if not isinstance(text, str) or len(text) > MAX_NOTE_CHARS or not (text or empty):
            said = f'"{key}" must be a text of at most {MAX_NOTE_CHARS} characters'
            return Refusal("malformed", said, malformed=True)
    return None


def who(body: Mapping[str, Any]) -> str:
    """Who did it, as far as they said."""
    return str(body.get("by", OPERATOR))


def noted(body: Mapping[str, Any]) -> dict[str, str]:
    """Why, if they said."""
    return {"note": str(body["note"])} if body.get("note") else {}


def signed(body: Mapping[str, Any]) -> dict[str, str]:
    """Who did it and why, for the journal."""
    return {"by": who(body), **noted(body)}
