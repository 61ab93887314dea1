"""What lies on a simulated board, as the board needs it: moved by hands, disturbed by faults, told.

Owns the contract between the board (time, hands, power, the line) and whatever its table is about. Two keep
it: magnet_surface.py and tag_surface.py. Must not know either, nor firmware, bytes or ports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tablewire.virtual.fault_kinds import Fault
from tablewire.virtual.language import Language
from tablewire.virtual.magnets import Magnets
from tablewire.virtual.pads import Pads


@dataclass(frozen=True, slots=True)
class Timed:
    """Something that happens on the table after `after_ms`; `do` is told the table's time then."""

    after_ms: int
    do: Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Work:
    """What a hand does for one command, how long that takes, and what there is to say of it in the end."""

    steps: tuple[Timed, ...]
    duration_ms: int
    text: str = ""


class Surface(Protocol):
    """The table. `now_ms` is its own time."""

    @property
    def language(self) -> Language:
        """The commands that move what lies there, and all faults."""
        ...

    @property
    def magnets(self) -> Magnets:
        """Those over its sensors; none where it has readers."""
        ...

    @property
    def pads(self) -> Pads:
        """Its readers; none where it has sensors."""
        ...

    @property
    def faults(self) -> Mapping[str, Fault]:
        """Those of hands and of what senses that are on, by name."""
        ...

    def plan(self, command: Any, now_ms: int) -> Work | None:
        """What a hand does for a command of this table; None when it takes no time. CommandError."""
        ...

    def do_at_once(self, command: Any, now_ms: int) -> str:
        """Do a command that takes no time; what there is to say. CommandError."""
        ...

    def turn_on(self, fault: Fault, now_ms: int) -> tuple[Iterable[Timed], str]:
        """Begin a fault: what happens, and what there is to say. FaultError: not as the table lies."""
        ...

    def turn_off(self, name: str, now_ms: int) -> None:
        """End a fault, if it is on."""
        ...

    def due(self, now_ms: int) -> Iterable[Timed]:
        """End what is over, and begin what is due."""
        ...

    def next_due_ms(self) -> int | None:
        """When `due` must be called next; None when nothing is due."""
        ...

    def state(self) -> Mapping[str, object]:
        """What really lies there."""
        ...
