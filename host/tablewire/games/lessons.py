"""What a game may have to be taught before it is played, such as the tags of its cards: the contract for it.

Owns the protocol `Lessons`. Must not know any one game, nor disks, threads or the page.

Lessons are a frozen value: whatever they learn is kept before anybody sees the value that knows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

from tablewire.board.lies import Lies
from tablewire.games.live import Refusal
from tablewire.wire.observed import Observation


class Lessons(Protocol):
    """All that was taught for one game, and the lesson that is on, if any."""

    def observe(self, observation: Observation) -> Self:
        """The lessons after the board told this; a lesson that is on goes on with it."""
        ...

    def greeted(self, last_number: int, reader_count: int) -> Self:
        """The lessons after a board with so many tag readers greeted; what it tells up to this number had
        happened before.
        """
        ...

    def act(self, name: str, body: Mapping[str, Any], lies: Lies) -> Self | Refusal:
        """The lessons after a person's action, or why it is refused. UserError when it is malformed."""
        ...

    def kept(self) -> Mapping[str, Mapping[str, Any]]:
        """What was taught, by name, as JSON objects to be kept."""
        ...

    def document(self) -> dict[str, Any]:
        """What the page shows of it while no game is played."""
        ...
