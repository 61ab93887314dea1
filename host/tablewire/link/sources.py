"""What a search for a board is given: where boards come from, who remembers the last one, how long to wait.

Owns these values, each limit with its reason. Must not know how anything is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tablewire.link.contract import Link
from tablewire.link.last_good import KnownBoard
from tablewire.link.ports import SerialPort, list_serial_ports
from tablewire.link.scanning import Radio
from tablewire.link.serial_port import SerialLink
from tablewire.link.stranger import GREET_LIMIT_S


class Memory(Protocol):
    """What remembers the last board over restarts; `last_good.LastGood` is one."""

    def load(self) -> KnownBoard | None: ...
    def save(self, board: KnownBoard, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """Where boards come from: the list of ports, how one is opened, and the radio, if there is one."""

    ports: Callable[..., Sequence[SerialPort]] = list_serial_ports
    serial: Callable[[str, int], Link] = SerialLink
    radio: Radio | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search waits for what."""

    greet_s: float = GREET_LIMIT_S
    """How long one place is asked."""
    grace_s: float = 0.6
    """Once a board answers, how long the others are given that come before it: three greetings."""
    radio_first_s: float = 3.0
    """How long a board that answered last by radio is waited for before ports that were there already."""
    scan_s: float = 4.0
    """How long is looked by radio: a module advertises at least once a second."""
    replug_s: float = 5.0
    """After a loss, how long only the same board is waited for: a reset, a knocked plug, a new number.
    Whoever takes another board has let go of this one by then."""
