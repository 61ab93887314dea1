"""What a board's firmware finds at its readers and buttons.

Owns the contract alone. Must not know who keeps it: the simulated table does (pads.py).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

Uid = bytes
"""4 or 7 bytes, as they are sent."""


class Look(NamedTuple):
    """What one reader heard: the UIDs it read wholly, in order, and how many answers were spoilt."""

    uids: tuple[Uid, ...]
    garbled_count: int = 0


class Readers(Protocol):
    """Readers, numbered from 0, and buttons."""

    def __len__(self) -> int:
        """How many readers there are."""
        ...

    @property
    def button_count(self) -> int:
        """How many buttons there are."""
        ...

    @property
    def version(self) -> int:
        """Rises with every change of what lies there or of how it answers."""
        ...

    @property
    def deaf(self) -> frozenset[int]:
        """The readers that do not answer the chip."""
        ...

    @property
    def held(self) -> frozenset[int]:
        """The buttons that are down."""
        ...

    @property
    def is_shaky(self) -> bool:
        """Whether two looks at the same tags may tell different things."""
        ...

    def field(self, reader: int) -> tuple[Uid, ...]:
        """The tags in a reader's field."""
        ...

    def has_fresh(self, reader: int) -> bool:
        """Whether a tag lies there that would answer a plain call."""
        ...

    def look(self, reader: int, *, wake: bool) -> Look | None:
        """Call, and read whoever answers: all tags with `wake`, else those that do not keep quiet.

        None: the reader is deaf. What is read keeps quiet from then on.
        """
        ...
