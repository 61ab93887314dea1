"""What beats below a simulated table: firmware, as the board needs it.

Owns the contract between the board (hands, magnets or tags, faults of the line) and the firmware that reads
them and speaks the protocol. Two keep it: python_heart.py, the protocol's rules in Python, and
twin/heart.py, the real firmware in an emulated chip. Must not know which of them it is, nor commands, faults
or ports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from tablewire.virtual.magnets import Magnets
from tablewire.virtual.pads import Pads
from tablewire.wire.messages import BoardKind, ResetCause

COUNTERS = (
    "rx_frames",
    "rx_bad_crc",
    "rx_bad_cobs",
    "rx_bad_length",
    "rx_lost",
    "rx_unknown",
    "rx_overrun",
    "tx_retries",
    "ring_overflows",
    "flicker_count",
    "tx_dropped",
)
"""The counters of STATUS that `state` shows."""


class Lights(NamedTuple):
    """What shines at this moment: bit k of `players` is player k's LED; the verdict LED has two halves."""

    players: int
    green: bool
    red: bool


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What firmware finds around it: sensors with magnets, or readers with tags, never both.

    `emit` takes each frame's bytes as it leaves. `seed` repeats chance, `entropy` makes two runs of one seed
    boot differently.
    """

    magnets: Magnets
    emit: Callable[[bytes], None]
    seed: int
    entropy: int
    pads: Pads = field(default_factory=lambda: Pads(0, 0))

    @property
    def kind(self) -> BoardKind:
        """Which table it is."""
        return BoardKind.LIGRETTO if len(self.pads) else BoardKind.CIRKIS


class Heart(Protocol):
    """Firmware, over all its boots. `now_ms` is the table's time and never falls."""

    @property
    def nonce(self) -> int:
        """Of this boot."""
        ...

    @property
    def last_number(self) -> int:
        """The last change that happened in this boot."""
        ...

    def device_ms(self, now_ms: int) -> int:
        """The device's own clock."""
        ...

    def counters(self) -> Mapping[str, int]:
        """COUNTERS of this boot, by name."""
        ...

    def lights(self) -> Lights:
        """What shines now."""
        ...

    def reset(self, cause: ResetCause, now_ms: int) -> None:
        """Boot anew; what is stored stays."""
        ...

    def run(self, now_ms: int) -> None:
        """Live until now, then look at what lies there now."""
        ...

    def next_due_ms(self, now_ms: int) -> int | None:
        """When `run` must be called next, if time passes; None when nothing is due."""
        ...

    def receive_data(self, chunk: bytes, now_ms: int) -> None:
        """Bytes from the line, from now on."""
        ...

    @property
    def backlog_bytes(self) -> int:
        """What the host wrote and the line has not begun to carry yet."""
        ...

    def set_host_baud(self, baud: int) -> None:
        """Speak with a host of this rate from now on, however wrong; 0 is whatever the board uses."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


HeartMaker = Callable[[Surroundings], Heart]
