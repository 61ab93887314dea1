"""The readers under the pads of a simulated table: which tags are in whose field, and how well they answer.

Keeps the contract of readers.py. Owns fields, the tags' own state (one that was read keeps quiet while it has
power), bad reads, deaf readers and buttons. Must not know decks, cards, what a hand does, the wire or time:
whoever changes something does it when it happens.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from tablewire.virtual.grid import CHIP_READERS
from tablewire.virtual.readers import Look, Uid

READERS_MAX = 48
"""Three boards' worth: centre piles for twelve players."""
BOARD_READERS = CHIP_READERS
"""Those of a board, unless somebody wants more, or fewer."""
BUTTONS_MAX = 12
"""A stop button for each player, of whom there are never more."""


class Misread(NamedTuple):
    """Of the answers of every tag, `percent` do not come, and `garbled` percent come with an error.

    `in_turn`: every second answer does not come, whatever `percent` is.
    """

    percent: float = 0.0
    garbled: float = 0.0
    in_turn: bool = False


class Pads:
    """Readers 0 to `reader_count` - 1, and buttons. `version` rises with every change."""

    def __init__(self, reader_count: int, button_count: int, seed: int = 0) -> None:
        self.button_count = button_count
        self.version = 0
        self.misread = Misread()
        self.deaf: frozenset[int] = frozenset()
        self.held: frozenset[int] = frozenset()
        self._fields: list[tuple[Uid, ...]] = [()] * reader_count
        self._quiet: set[Uid] = set()
        self._missed: set[Uid] = set()  # where answers come in turn: those that did not, the last time
        self._chance = Random(f"reads {seed}")  # noqa: S311 - repeatable on purpose

    def __len__(self) -> int:
        return len(self._fields)

    # ---- what is so ----

    def field(self, reader: int) -> tuple[Uid, ...]:
        """The tags in a reader's field, in the order in which they came."""
        return self._fields[reader]

    def has_fresh(self, reader: int) -> bool:
        """Whether a tag lies there that would answer a reader's plain call."""
        return reader not in self.deaf and any(uid not in self._quiet for uid in self._fields[reader])

    @property
    def is_shaky(self) -> bool:
        """Whether two looks at the same tags may tell different things."""
        return self.misread != Misread()

    # ---- what happens ----

    def enter(self, uid: Uid, readers: Iterable[int]) -> None:
        """A tag is in the fields of these readers and of no others; of none: it has no power."""
        wanted = set(readers)
        for reader, field in enumerate(self._fields):
            if (reader in wanted) != (uid in field):
                others = tuple(other for other in field if other != uid)
                self._fields[reader] = (*field, uid) if reader in wanted else others
                self.version += 1
        if not wanted:
            self._quiet.discard(uid)
            self._missed.discard(uid)

    def spoil(self, misread: Misread) -> None:
        """From now on tags answer so badly."""
        self.misread = misread
        self.version += 1

    def deafen(self, readers: Iterable[int]) -> None:
        """These readers answer nobody, all others do."""
        self.deaf = frozenset(readers)
        self.version += 1

    def hold(self, button: int, *, down: bool) -> None:
        """A button is pressed, or let go."""
        self.held = self.held | {button} if down else self.held - {button}
        self.version += 1

    # ---- what a reader does ----

    def look(self, reader: int, *, wake: bool) -> Look | None:
        """A reader calls: every tag with `wake`, else those that do not keep quiet. None: it is deaf.

        What is read wholly keeps quiet from then on.
        """
        if reader in self.deaf:
            return None
        read: list[Uid] = []
        garbled_count = 0
        for uid in sorted(self._fields[reader], key=_on_the_air, reverse=True):
            if not wake and uid in self._quiet:
                continue
            if self._answers_not(uid):
                continue
            if self._chance.random() * 100 < self.misread.garbled:
                garbled_count += 1
                continue
            read.append(uid)
        self._quiet.update(read)
        return Look(tuple(read), garbled_count)

    def lose_power(self) -> None:
        """All fields go off and on again: nobody keeps quiet any more."""
        self._quiet.clear()
        self.version += 1

    def _answers_not(self, uid: Uid) -> bool:
        if not self.misread.in_turn:
            return self._chance.random() * 100 < self.misread.percent
        self._missed ^= {uid}
        return uid in self._missed


def _on_the_air(uid: Uid) -> tuple[str, ...]:
    """A UID bit by bit as it is sent. Where two tags collide, a reader goes on with the one that sent a 1."""
    return tuple(f"{byte:08b}"[::-1] for byte in uid)
