"""One player's own cards in a round of Ligretto: row, Ligretto pile, hand and discard, by the rulebook.

Owns where each card is, which of them can be played, and where one goes that must be taken back. Must not
know the centre of the table, other players, time or the page. Chance is an argument.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from random import Random

from tablewire.games.ligretto.cards import FACES, LIGRETTO_COUNT, Face

TURNED_COUNT = 3
"""Cards that are turned from the hand at a time."""
ROW_COUNTS = {2: 5, 3: 4}
"""Cards in the row, by the number of players; more players have `ROW_COUNT`."""
ROW_COUNT = 3


class Place(Enum):
    """Where a player may take a card from, the best place first: a gap in the row takes one of the pile."""

    PILE = "pile"
    ROW = "row"
    DISCARD = "discard"


class OwnCards:
    """One player's forty cards after the deal. `passes`: how often the whole hand was turned since a card was
    played.
    """

    def __init__(self, player_count: int, rng: Random, played: Collection[Face] = ()) -> None:
        """`played`: cards that lie in the centre already, of a round that was begun before."""
        cards = [face for face in FACES if face not in played]
        rng.shuffle(cards)
        row_count = ROW_COUNTS.get(player_count, ROW_COUNT)
        # Of every three cards played one came from the pile, more or less: nobody wrote down which.
        pile_count = LIGRETTO_COUNT - min(len(played) // 3, LIGRETTO_COUNT - 1)
        self._row = cards[:row_count]
        self._pile = cards[row_count : row_count + pile_count]
        self._hand = cards[row_count + pile_count :]
        self._discard: list[Face] = []
        self._row_count = row_count
        self._out: dict[Face, Place] = dict.fromkeys(played, Place.DISCARD)
        self.passes = 0

    @property
    def left_count(self) -> int:
        """Cards in the Ligretto pile."""
        return len(self._pile)

    @property
    def left(self) -> tuple[Face, ...]:
        """The cards of the Ligretto pile."""
        return tuple(self._pile)

    @property
    def out(self) -> tuple[Face, ...]:
        """The cards that lie in the centre, or are on their way there, in the order in which they left."""
        return tuple(self._out)

    def playable(self) -> tuple[Face, ...]:
        """The cards that may be played now: top of the pile, row, top of the discard."""
        return (*self._pile[-1:], *self._row, *self._discard[-1:])

    def play(self, card: Face) -> None:
        """This card leaves for the centre; a gap in the row is filled from the Ligretto pile."""
        if card in self._pile[-1:]:
            self._pile.pop()
            place = Place.PILE
        elif card in self._row:
            self._row.remove(card)
            if self._pile:
                self._row.append(self._pile.pop())
            place = Place.ROW
        elif card in self._discard[-1:]:
            self._discard.pop()
            place = Place.DISCARD
        else:
            raise ValueError(f"{card} cannot be played")
        self._out[card] = place
        self.passes = 0

    def take_back(self, card: Face) -> None:
        """This card comes back from the centre, to where it was; the discard where the row is full again."""
        match self._out.pop(card):
            case Place.PILE:
                self._pile.append(card)
            case Place.ROW if len(self._row) < self._row_count:
                self._row.append(card)
            case Place.ROW if self._pile or self._row:
                # What filled the gap goes back where it came from: nobody gets rid of a card by a slip.
                self._pile.append(self._row.pop())
                self._row.append(card)
            case _:
                self._discard.append(card)

    def turn(self, rng: Random) -> None:
        """Turn the next cards of the hand onto the discard; an empty hand is the discard, shuffled."""
        if not self._hand:
            self._hand, self._discard = self._discard, []
            rng.shuffle(self._hand)
            self.passes += 1
        for _ in range(min(TURNED_COUNT, len(self._hand))):
            self._discard.append(self._hand.pop())
