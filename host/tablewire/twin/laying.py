"""What lies on a simulated table, brought to the emulated chip: fields at its sensors, tags at its readers.

Owns which difference the chip is told, and what faults of the table mean in the chip's terms. Must not know
commands, time's source or bytes.
"""

from __future__ import annotations

from typing import Protocol

from tablewire.errors import UserError
from tablewire.twin.chip import Chip
from tablewire.virtual.heart import Surroundings
from tablewire.virtual.magnets import Magnets
from tablewire.virtual.pads import BOARD_READERS, Misread, Pads
from tablewire.wire.hall import FIELD_COUNTS
from tablewire.wire.messages import BoardKind

NOISE_COUNTS = 2.0  # sigma; a DRV5055 with its amplifier has 1 to 2 counts at 5 V
ANSWERS_PER_READ = 5
"""Of a tag of seven bytes: to the request, and twice for half a UID and for being chosen."""


class Laying(Protocol):
    """The chip's surroundings, brought up to date."""

    def settle(self, now_ms: int) -> None:
        """Let the chip sense what lies there now."""
        ...

    def next_due_ms(self, now_ms: int) -> int | None:
        """When something changes by itself."""
        ...


def laying_of(around: Surroundings, chip: Chip) -> Laying:
    """For either kind of board. UserError for a board that the chip has too few readers for."""
    return (
        TagLaying(around.pads, chip)
        if around.kind is BoardKind.LIGRETTO
        else MagnetLaying(around.magnets, chip)
    )


class MagnetLaying:
    """Magnets over sensors, each a field in ADC counts."""

    def __init__(self, magnets: Magnets, chip: Chip) -> None:
        chip.noise(NOISE_COUNTS)
        self._magnets = magnets
        self._chip = chip
        self._fields = [0] * len(magnets)

    def settle(self, now_ms: int) -> None:
        """Lay the fields as the magnets lie now."""
        for sensor in self._magnets.restless(now_ms):
            counts = FIELD_COUNTS[self._magnets.reading(sensor, now_ms)]
            if counts != self._fields[sensor]:
                self._fields[sensor] = counts
                self._chip.field(sensor, counts)

    def next_due_ms(self, now_ms: int) -> int | None:
        """When a magnet's field changes."""
        return self._magnets.next_change_ms(now_ms)


class TagLaying:
    """Tags over readers; what a table's faults say of whole reads, the chip has for each frame."""

    def __init__(self, pads: Pads, chip: Chip) -> None:
        if len(pads) != BOARD_READERS:
            raise UserError(f"the emulated board has {BOARD_READERS} pads, not {len(pads)}")
        self._pads = pads
        self._chip = chip
        self._version = -1
        self._tags: dict[bytes, tuple[int, ...]] = {}
        self._misread = Misread()
        self._deaf: frozenset[int] = frozenset()
        self._held: frozenset[int] = frozenset()

    def settle(self, now_ms: int) -> None:
        """Give the chip whatever is otherwise than before."""
        del now_ms
        pads = self._pads
        if pads.version == self._version:
            return
        self._version = pads.version
        self._lay()
        self._spoil(pads.misread)
        for reader in sorted(pads.deaf ^ self._deaf):
            self._chip.reader(reader, "missing" if reader in pads.deaf else "well")
        for button in sorted(pads.held ^ self._held):
            self._chip.button(button, down=button in pads.held)
        self._deaf, self._held = pads.deaf, pads.held

    def next_due_ms(self, now_ms: int) -> int | None:
        """Tags move only when somebody moves them."""
        del now_ms
        return None

    def _lay(self) -> None:
        now: dict[bytes, tuple[int, ...]] = {}
        for reader in range(len(self._pads)):
            for uid in self._pads.field(reader):
                now[uid] = (*now.get(uid, ()), reader)
        for uid in self._tags.keys() - now.keys():
            self._chip.tag(uid, ())
        for uid, readers in now.items():
            if self._tags.get(uid) != readers:
                self._chip.tag(uid, readers)
        self._tags = now

    def _spoil(self, misread: Misread) -> None:
        if misread == self._misread:
            return
        self._misread = misread
        kept = 1 - min(misread.garbled, 100) / 100
        flip_percent = round(100 * (1 - kept ** (1 / ANSWERS_PER_READ)))
        for reader in range(len(self._pads)):
            self._chip.doze(reader, None if misread.in_turn else round(misread.percent))
            self._chip.misread(reader, 0, flip_percent)
