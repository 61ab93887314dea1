"""The centre of a Ligretto table as people round it see it: what lies on each pad, and what fits there.

Owns which card whose hand laid where and when, and how that is put together with what the page says: a card
that the page calls wrong belongs to no pile. Must not know hands, tempers, chance or the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tablewire.games.ligretto.cards import VALUE_MAX, Face

Document = Mapping[str, Any]


class Lying(NamedTuple):
    """One card in the centre: of which seat, what it shows, and since when."""

    seat: int
    face: Face
    since_ms: int


class Asked(NamedTuple):
    """A card that the page wants off a pad; `player`: whose, by name."""

    pad: int
    player: str
    face: Face


class Centre:
    """The cards on the pads, as hands left them there: the oldest of a pad first."""

    def __init__(self, pad_count: int) -> None:
        self.pad_count = pad_count
        self._pads: dict[int, list[Lying]] = {}

    def on(self, pad: int) -> tuple[Lying, ...]:
        """What lies on a pad."""
        return tuple(self._pads.get(pad, ()))

    def pad_of(self, seat: int, face: Face) -> int | None:
        """Where a card of a seat lies; None when it is in no pile."""
        for pad, cards in self._pads.items():
            if any((card.seat, card.face) == (seat, face) for card in cards):
                return pad
        return None

    def cards(self) -> dict[int, tuple[Lying, ...]]:
        """Every pad that is not bare."""
        return {pad: tuple(cards) for pad, cards in self._pads.items() if cards}

    def lay(self, seat: int, face: Face, pad: int, now_ms: int) -> None:
        """A card comes down."""
        self._pads.setdefault(pad, []).append(Lying(seat, face, now_ms))

    def take(self, seat: int, face: Face, pad: int) -> bool:
        """A card is taken off; whether it lay there."""
        cards = self._pads.get(pad, [])
        kept = [card for card in cards if (card.seat, card.face) != (seat, face)]
        self._pads[pad] = kept
        return len(kept) < len(cards)

    def clear(self, pad: int | None = None) -> None:
        """Everything off a pad, or off all of them."""
        for one in [pad] if pad is not None else list(self._pads):
            self._pads.pop(one, None)

    def tops(self, document: Document, seen_ms: int, names: Mapping[str, int]) -> dict[int, Face | None]:
        """The card that the next one must follow, by pad; None: it is bare; a pad that is not to be touched
        is left out.

        Cards that came down after `seen_ms` nobody has seen yet. `names`: seat by name.
        """
        shown, wrong = document["pads"], set(asked(document))
        seats = {seat: name for name, seat in names.items()}
        tops: dict[int, Face | None] = {}
        for pad in range(self.pad_count):
            pile = shown.get(str(pad))
            top = Face(pile["colour"], pile["value"]) if pile else None
            # What the page does not show yet is there all the same: whoever looks at the table counts it in.
            fresh = [
                card.face
                for card in self.on(pad)
                if card.since_ms <= seen_ms and Asked(pad, seats.get(card.seat, ""), card.face) not in wrong
            ]
            for face in sorted(fresh, key=lambda face: face.value):
                if follows(top, face):
                    top = face
            if not any(top is None or face.colour != top.colour or face.value > top.value for face in fresh):
                tops[pad] = top
        return tops


def follows(top: Face | None, face: Face) -> bool:
    """Whether a card fits on a pile with this top, by the rules; None: on a bare pad."""
    if top is None:
        return face.value == 1
    return face.colour == top.colour and face.value == top.value + 1 <= VALUE_MAX


def asked(document: Document) -> Iterable[Asked]:
    """The cards that the page wants off the pads, one by one."""
    for one in document["wrong"]:
        card = one["card"]
        if card is not None and one["lies"]:
            yield Asked(one["pad"], one["player"] or card["owner"], Face(card["colour"], card["value"]))
    message = document["message"]
    for step in message["steps"] if message else ():
        if step["do"] == "lift" and step.get("card"):
            card = step["card"]
            yield Asked(step["pad"], card["owner"], Face(card["colour"], card["value"]))
