"""What became of an operator's action, as a value.

Owns the value. Must not know actions, HTTP beyond its statuses, or what a game is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol


class Outcome(NamedTuple):
    """What became of an operator's action, by HTTP status: 200, 409 not now, 422 malformed, 503 disk."""

    status: int
    body: dict[str, Any]


class Why(Protocol):
    """Why an action was not carried out. `malformed`: the request is wrong, not its moment."""

    @property
    def reason(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def malformed(self) -> bool: ...
    @property
    def details(self) -> Mapping[str, Any]: ...


def refused(why: Why) -> Outcome:
    """What a refused action comes to."""
    status = 422 if why.malformed else 409
    return Outcome(status, {**why.details, "reason": why.reason, "text": why.text})


def not_now(reason: str, text: str) -> Outcome:
    """What is asked for makes sense, but not at this moment; `text` says why not."""
    return Outcome(409, {"reason": reason, "text": text})
