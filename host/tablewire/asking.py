"""When to ask the board for its time: as soon as quiet alone may have changed something on the table.

Owns the one place where the host's clock and table time meet. Must not know what quiet decides, or how the
board is asked.

Table time now is taken to be what the board said last plus what has passed here since. A wrong guess asks too
early or too late; it decides nothing.
"""

from __future__ import annotations

AGAIN_MS = 60
"""Between two questions for the board's time: an answer takes a few milliseconds on a cable, and nobody sees
whether what quiet decides is shown this much later."""


class Asking:
    """Heard when, asked when, by the host's clock."""

    def __init__(self) -> None:
        self._heard_ms: int | None = None
        self._asked_ms: int | None = None

    def heard(self, now_ms: int) -> None:
        """The board has told something, up to the table's present time."""
        self._heard_ms = now_ms

    def asked(self, now_ms: int) -> None:
        """The board is asked now."""
        self._asked_ms = now_ms

    def due_ms(self, now_ms: int, table_ms: int, deadline_ms: int | None) -> int | None:
        """When to ask next, never before now; None where there is nothing to wait for.

        `table_ms` is the table's time, `deadline_ms` the one at which quiet may change something.
        """
        if deadline_ms is None or self._heard_ms is None:
            return None
        due_ms = self._heard_ms + deadline_ms - table_ms
        if self._asked_ms is not None and due_ms <= self._asked_ms + AGAIN_MS:
            return max(due_ms, self._asked_ms + AGAIN_MS)
        return max(due_ms, now_ms)
