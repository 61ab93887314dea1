"""A sequence that grows at its end, as a value: every earlier length of it stays as it was.

Owns only that. A record of a million lines is entered line by line, and a tuple would be copied whole each
time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeVar, overload

T = TypeVar("T")
BLOCK_COUNT = 256
"""At most so many items are copied to add one; a million items are four thousand blocks."""


@dataclass(frozen=True, slots=True)
class Grown(Sequence[T], Generic[T]):
    """Full blocks, and the last one that is not full."""

    blocks: tuple[tuple[T, ...], ...] = ()
    tail: tuple[T, ...] = ()

    def plus(self, item: T) -> Grown[T]:
        """The sequence with one item more."""
        tail = (*self.tail, item)
        return Grown((*self.blocks, tail), ()) if len(tail) == BLOCK_COUNT else Grown(self.blocks, tail)

    def __len__(self) -> int:
        return len(self.blocks) * BLOCK_COUNT + len(self.tail)

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self.blocks), self.tail)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(index)
        block, offset = divmod(at, BLOCK_COUNT)
        return self.blocks[block][offset] if block < len(self.blocks) else self.tail[offset]
