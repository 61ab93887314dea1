"""Table time: the one clock every rule about quiet, growth and lifting is measured with.

Owns the mapping from a board's own milliseconds to table time. Must not know the host's clock: how long the
host waited, or how late a byte arrived, never changes what happened on the table.

A board counts milliseconds from its boot; table time glues the boots together so that it only rises, over
resets of the board and restarts of the host. The host's own monotonic clock serves one purpose, outside this
package: to guess when it is worth asking the board for the time again.
"""

from __future__ import annotations

from dataclasses import dataclass

BOOT_GAP_MS = 2_000
"""How much table time a reboot takes at least. A Mega's boot loader alone keeps a board deaf for about 2 s,
and no piece half laid before a power cut should count as still being laid after it."""


@dataclass(frozen=True, slots=True)
class TableClock:
    """Table time `now_ms`, and how the boot `nonce` maps to it: table = device + offset."""

    nonce: int | None = None
    offset_ms: int = 0
    now_ms: int = 0

    def advance(self, nonce: int, device_ms: int) -> TableClock:
        """The clock after the board's boot `nonce` has said `device_ms`. Never falls."""
        if nonce == self.nonce:
            return TableClock(nonce, self.offset_ms, max(self.now_ms, device_ms + self.offset_ms))
        gap_ms = 0 if self.nonce is None else BOOT_GAP_MS
        now_ms = self.now_ms + gap_ms
        return TableClock(nonce, now_ms - device_ms, now_ms)

    @property
    def device_ms(self) -> int:
        """The board's own time at `now_ms`."""
        return self.now_ms - self.offset_ms
