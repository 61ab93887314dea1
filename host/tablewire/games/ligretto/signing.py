"""Who did something and why, as the journal keeps it.

Owns these two fields of an entry. Must not know what was done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MAX_NOTE_CHARS = 500
"""A note is a sentence for the audit, a name shorter still; the store and the page stay small."""
OPERATOR = "operator"
"""Who acted, when they did not say."""


def signed(body: Mapping[str, Any]) -> dict[str, str]:
    """Who did it, as far as they said, and why, if they did."""
    note = {"note": str(body["note"])} if body.get("note") else {}
    return {"by": str(body.get("by", OPERATOR)), **note}
