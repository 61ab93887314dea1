"""The cards that reach one pad within one scan: which of them lie as they may, in the best order for them.

Owns what a pile is, how far a set of faces carries it on, and what is wrong with a card on it. Must not know
rounds, stops or players.

Within a scan nobody can say what came first, so the cards are given the order in which most of them are
legal. A pile grows by one colour and one value at a time, so that order is plain: from the top upwards for as
long as the next face is there. Only an empty pad leaves a choice, where cards of several colours could open
it.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from tablewire.games.ligretto.cards import VALUE_MAX, VALUE_MIN, Card, Colour, Face
from tablewire.games.ligretto.grown import Grown
from tablewire.games.ligretto.report import Reason


class Pile(NamedTuple):
    """The top of a pile, which says all of it: as many cards lie there as the top's value."""

    colour: str
    value: int

    @property
    def height(self) -> int:
        """How many cards lie there."""
        return self.value - VALUE_MIN + 1

    @property
    def is_complete(self) -> bool:
        """Whether nothing can follow."""
        return self.value == VALUE_MAX


class Read(NamedTuple):
    """A card as one line of a record tells of it."""

    n: int
    t_ms: int
    card: Card


class Scan(NamedTuple):
    """What one pad has told since the first card that nothing before it belongs with; lines rising."""

    pad: int
    first_ms: int
    reads: Grown[Read]


def run_on(pile: Pile | None, faces: Set[Face]) -> tuple[Face, ...]:
    """The faces of `faces` that go on the pile, in order; on an empty pad (None) the longest run of all.

    Of equal runs on an empty pad it is that of the first colour.
    """
    if pile is not None:
        return _chain(pile.colour, pile.value + 1, faces)
    return max((_chain(colour.value, VALUE_MIN, faces) for colour in Colour), key=len)


def _chain(colour: str, value: int, faces: Set[Face]) -> tuple[Face, ...]:
    run: list[Face] = []
    while (face := Face(colour, value + len(run))) in faces:
        run.append(face)
    return tuple(run)


def misfit(pile: Pile | None, face: Face) -> frozenset[Reason]:
    """All that is wrong with a face as the next card of the pile, or on an empty pad (None)."""
    if pile is None:
        return frozenset() if face.value == VALUE_MIN else frozenset({Reason.NOT_A_ONE})
    if pile.is_complete:
        return frozenset({Reason.PILE_COMPLETE})
    wrong = {
        Reason.WRONG_COLOUR: face.colour != pile.colour,
        Reason.WRONG_VALUE: face.value != pile.value + 1,
    }
    return frozenset(reason for reason, applies in wrong.items() if applies)
