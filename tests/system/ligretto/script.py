"""Rounds written down beforehand: which card comes to which pad when, all of them by the rules.

Owns the order of cards alone. No player, no page, no board.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

COLOURS = ("red", "green", "yellow", "blue")
VALUES = range(1, 11)


class Laid(NamedTuple):
    """A card of a deck that comes to a pad, so long after the script's beginning."""

    at_ms: int
    deck: str
    colour: str
    value: int
    pad: int

    @property
    def word(self) -> str:
        """The card in the board's language."""
        return f"{self.deck}:{self.colour}:{self.value}"

    @property
    def line(self) -> str:
        """The hand that lays it."""
        return f"lay {self.word} {self.pad}"


def full_tables(decks: Sequence[str], every_ms: int, apart_ms: int, seed: int) -> list[Laid]:
    """Every card of every deck, one each `every_ms`: all piles are complete in the end.

    Which pile goes on is chance, but for one thing: two cards of one pad are at least `apart_ms` apart, for
    no hand is there sooner.
    """
    rng = Random(seed)
    owners = {(colour, value): rng.sample(list(decks), len(decks)) for colour in COLOURS for value in VALUES}
    piles = [(colour, number) for colour in COLOURS for number in range(len(decks))]
    pads = rng.sample(range(len(piles)), len(piles))
    heights, free_ms = [0] * len(piles), [0] * len(piles)
    laid: list[Laid] = []
    at_ms = 0
    while sum(heights) < len(piles) * len(VALUES):
        ready = [
            pile for pile, height in enumerate(heights) if height < len(VALUES) and free_ms[pile] <= at_ms
        ]
        if ready:
            # The lowest piles first, more or less: else one alone would be left, with nobody beside it.
            pile = min(rng.sample(ready, min(4, len(ready))), key=lambda pile: heights[pile])
            heights[pile] += 1
            free_ms[pile] = at_ms + apart_ms
            colour, number = piles[pile]
            owner = owners[colour, heights[pile]][number]
            laid.append(Laid(at_ms, owner, colour, heights[pile], pads[pile]))
        at_ms += every_ms
    return laid
