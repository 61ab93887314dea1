"""Where the pads of a board with tag readers lie: four in a row, sixteen in a square, a square for each chip.

Owns which pads are beside which. Must not know what lies on them.
"""

from __future__ import annotations

CHIP_READERS = 16
_WIDTH = 4


def neighbours(pad: int, pad_count: int) -> list[int]:
    """The pads beside a pad: left, right, above, below; never those of another square."""
    square, place = divmod(pad, CHIP_READERS)
    row, column = divmod(place, _WIDTH)
    beside = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
    inside = [(r, c) for r, c in beside if 0 <= r < _WIDTH and 0 <= c < _WIDTH]
    found = [square * CHIP_READERS + r * _WIDTH + c for r, c in inside]
    return [other for other in found if other < pad_count]
