"""The cards that lie on the pads of a simulated table, and when their readers see them.

Owns which card lies where, bottom first, and which fields it is in: its pad's, a neighbour's that reads it
too, or one of two in turn for a card that rests between them. Must not know commands, faults' settings,
firmware or the wire; the table's time in milliseconds is an argument.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from tablewire.virtual.fault_kinds import Span
from tablewire.virtual.pads import Pads
from tablewire.virtual.printed import Tag
from tablewire.virtual.readers import Uid


@dataclass(frozen=True, slots=True)
class Laying:
    """How a card comes to lie: on one pad or between two (each seen for `turns_ms`), read by `crossed` too,
    in its field only `late_ms` after it has landed.
    """

    tag: Tag
    pads: tuple[int, ...]
    turns_ms: Span
    crossed: tuple[int, ...] = ()
    late_ms: int = 0


@dataclass(slots=True)
class _Card:
    laying: Laying
    at: int = 0  # which of its pads sees it
    seen: bool = False


class Tray:
    """The cards. `seed` repeats how long each of two readers sees a card between them."""

    def __init__(self, pads: Pads, seed: int) -> None:
        self._pads = pads
        self._cards: dict[Uid, _Card] = {}  # in the order in which they came
        self._later: list[tuple[int, int, Callable[[int], None]]] = []
        self._later_count = 0
        self._chance = Random(f"between {seed}")  # noqa: S311 - repeatable on purpose

    # ---- what lies there ----

    def tags_on(self, pad: int) -> list[Tag]:
        """The cards on a pad, bottom first; one between two pads lies on the first of them."""
        return [card.laying.tag for card in self._cards.values() if card.laying.pads[0] == pad]

    def pad_of(self, tag: Tag) -> int | None:
        """Where a card lies; None when it is not on any pad."""
        card = self._cards.get(tag.uid)
        return None if card is None else card.laying.pads[0]

    def lying(self) -> dict[int, list[str]]:
        """The names of the cards on each pad that has any, bottom first."""
        pads = sorted({card.laying.pads[0] for card in self._cards.values()})
        return {pad: [tag.name for tag in self.tags_on(pad)] for pad in pads}

    def between(self) -> dict[str, list[int]]:
        """The cards that rest between two pads, and which."""
        cards = (card.laying for card in self._cards.values())
        return {laying.tag.name: list(laying.pads) for laying in cards if len(laying.pads) > 1}

    # ---- what happens ----

    def land(self, laying: Laying, now_ms: int) -> None:
        """A card comes to lie; one that lies there already stays as it is."""
        uid = laying.tag.uid
        if uid in self._cards:
            return
        card = self._cards[uid] = _Card(laying)
        if laying.late_ms:
            self._note(now_ms + laying.late_ms, lambda ms: self._appear(card, ms))
        else:
            self._appear(card, now_ms)

    def leave(self, tag: Tag, now_ms: int) -> None:
        """A card is taken off."""
        del now_ms  # what was to happen to it later finds it gone
        if self._cards.pop(tag.uid, None) is not None:
            self._pads.enter(tag.uid, ())

    def hide(self, tag: Tag, hidden_ms: int, now_ms: int) -> None:
        """A card is out of every field for a while, though it is not taken off."""
        card = self._cards.get(tag.uid)
        if card is None:
            return
        card.seen = False
        self._pads.enter(tag.uid, ())
        self._note(now_ms + hidden_ms, lambda ms: self._appear(card, ms))

    def cross(self, pad: int | None, readers: tuple[int, ...]) -> None:
        """From now on these readers read what lies on a pad too (None: what lies on any)."""
        for card in self._cards.values():
            if pad in (None, card.laying.pads[0]):
                card.laying = replace(card.laying, crossed=readers)
                self._show(card)

    # ---- what becomes of it by itself ----

    def settle(self, now_ms: int) -> None:
        """Do what is due."""
        while self._later and self._later[0][0] <= now_ms:
            heapq.heappop(self._later)[2](now_ms)

    def next_due_ms(self) -> int | None:
        """When `settle` must be called next; None when nothing is due."""
        return self._later[0][0] if self._later else None

    def _note(self, at_ms: int, do: Callable[[int], None]) -> None:
        self._later_count += 1
        heapq.heappush(self._later, (at_ms, self._later_count, do))

    def _lies(self, card: _Card) -> bool:
        return self._cards.get(card.laying.tag.uid) is card

    def _appear(self, card: _Card, now_ms: int) -> None:
        if not self._lies(card) or card.seen:
            return
        card.seen = True
        self._show(card)
        if len(card.laying.pads) > 1:
            self._turn_later(card, now_ms)

    def _turn_later(self, card: _Card, now_ms: int) -> None:
        at_ms = now_ms + self._chance.randint(*card.laying.turns_ms)
        self._note(at_ms, lambda ms: self._turn(card, ms))

    def _turn(self, card: _Card, now_ms: int) -> None:
        if not self._lies(card):
            return
        card.at = (card.at + 1) % len(card.laying.pads)
        self._show(card)
        self._turn_later(card, now_ms)

    def _show(self, card: _Card) -> None:
        if card.seen:
            self._pads.enter(card.laying.tag.uid, (card.laying.pads[card.at], *card.laying.crossed))
