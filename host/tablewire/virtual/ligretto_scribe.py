"""Whoever sits nearest to the page in a round of Ligretto: decides, ends, counts, and begins the next round.

Owns what is done with the page's buttons and the count pad, and in which order. Must not know sockets,
threads or a clock; time and the document are arguments, as for the players.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablewire.games.ligretto.cards import Face
from tablewire.virtual.ligretto_centre import Document
from tablewire.virtual.ligretto_players import Company, Deed, Press, Say, Seat

LOOK_MS = 400
"""How often the page is looked at."""
DECIDE_MS = 1_200
"""How long two players argue before the page is told who was first."""
PASS_MS = 350
"""How long a card is held over the count pad before the page must have counted it, at the least."""
PASS_LIMIT_MS = 2_000
"""A card that is not counted by then is passed once more."""
CALM_MS = 1_500
"""After the stop nothing is counted before the page has been calm for so long."""
SCORES_MS = 4_000
"""The scores of a round are looked at before the table is cleared."""
PATIENCE_MS = 5_000
"""A button that has not changed the page by then is pressed again."""


class Scribe:
    """The person at the page."""

    def __init__(self, company: Company, count_pad: int) -> None:
        self._company = company
        self._count_pad = count_pad
        self._ready_ms = 0
        self._shown: Any = None
        self._calm_since_ms = 0
        self._scored_ms: int | None = None
        self._open_since_ms: dict[str, int] = {}
        self._passing: Iterator[list[Deed]] | None = None
        self._document: Document = {}
        self._now_ms = 0

    @property
    def next_ms(self) -> int:
        """When the page is looked at next."""
        return self._ready_ms

    def deeds(self, now_ms: int, document: Document) -> list[Deed]:
        """What is done at this moment."""
        if now_ms < self._ready_ms:
            return []
        self._ready_ms = now_ms + LOOK_MS
        self._now_ms, self._document = now_ms, document
        shown = (document["pads"], document["wrong"], document["undecided"], document["stopped"])
        if shown != self._shown:
            self._shown, self._calm_since_ms = shown, now_ms
        if document["undecided"]:
            decided = self._decide(document, now_ms)
            if decided:
                return decided
        placed = self._place(document)
        if placed is not None:
            self._ready_ms = now_ms + DECIDE_MS
            return [placed]
        if document["stopped"] is None or document["actions"]["next_round"]:
            self._passing = None
            return self._between(document, now_ms)
        if self._passing is None and self._may_count(document, now_ms):
            false_stop = self._false_stop(document)
            if false_stop is not None:
                return [false_stop]
            self._passing = self._count(document["round"])
        return self._go_on()

    def _go_on(self) -> list[Deed]:
        if self._passing is None:
            return []
        deeds = next(self._passing, None)
        if deeds is None:
            self._passing = None
        return deeds or []

    # While it is played

    def _decide(self, document: Document, now_ms: int) -> list[Deed]:
        """Say who was first: whose card came down first."""
        seats = self._company.seats
        for group in document["undecided"]:
            since_ms = self._open_since_ms.setdefault(f"{document['round']}/{group['id']}", now_ms)
            face = Face(group["colour"], group["value"])
            first = [
                seats[card.seat].who.name
                for card in self._company.centre.on(group["pad"])
                if card.face == face and seats[card.seat].who.name in group["players"]
            ]
            if now_ms - since_ms >= DECIDE_MS and first:
                self._ready_ms = now_ms + DECIDE_MS
                return [Press("decide", {"n": group["ns"][0], "winner": first[0], "by": "scribe"})]
        return []

    def _place(self, document: Document) -> Press | None:
        """Say where a card lies that two readers tell of: look for the one that is named."""
        message = document["message"]
        for choice in message["choices"] if message else ():
            if choice["id"].startswith("place:"):
                for card in self._company.centre.on(choice["pads"][0]):
                    name = self._company.sitters[card.seat].name
                    if choice["text"].startswith(f"{name}'s {card.face.colour} {card.face.value} "):
                        return Press("choose", {"id": choice["id"], "by": "scribe"})
        return None

    def _between(self, document: Document, now_ms: int) -> list[Deed]:
        """Begin the next round once the table is bare; end a round in which nobody can play."""
        company = self._company
        actions = document["actions"]
        if actions["next_round"]:
            if company.centre.cards():
                if self._scored_ms is None:
                    self._scored_ms = now_ms
                if now_ms - self._scored_ms < SCORES_MS:
                    return []
                self._scored_ms = None
                company.centre.clear()
                self._ready_ms = now_ms + CALM_MS
                return [Say("clear all")]
            self._ready_ms = now_ms + PATIENCE_MS
            return [Press("next_round", {})]
        if actions["stop"] and company.is_stuck and company.is_resting:
            self._ready_ms = now_ms + PATIENCE_MS
            return [Press("round_stop", {"player": "blocked", "by": "scribe", "note": "nobody can play"})]
        return []

    # After the stop

    def _may_count(self, document: Document, now_ms: int) -> bool:
        return (
            document["actions"]["left"]
            and not document["wrong"]
            and self._company.is_resting
            and now_ms - self._calm_since_ms >= CALM_MS
        )

    def _false_stop(self, document: Document) -> Press | None:
        """The last card of a pile came back after its owner had said stop: the round goes on."""
        by = document["stopped"]["by"]
        seat = next((one for one in self._company.seats if one.who.name == by), None)
        if seat is None or not seat.own.left_count or not document["actions"]["unstop"]:
            return None
        seat.pressed_ms = None
        return Press("unstop", {"by": "scribe", "note": "a card came back"})

    def _count(self, round_number: int) -> Iterator[list[Deed]]:
        """Tell the page what is left: every second round card by card over the pad, else typed."""
        if round_number % 2:
            yield from self._pass_cards()
        while True:
            self._ready_ms = self._now_ms + PATIENCE_MS
            yield [Press("left", {"left": self._left(), "by": "scribe"})]
            if not self._document["actions"]["left"]:
                return

    def _left(self) -> dict[str, int]:
        return {seat.who.name: seat.own.left_count for seat in self._company.seats}

    def _pass_cards(self) -> Iterator[list[Deed]]:
        pad = self._count_pad
        if self._company.centre.on(pad):
            self._company.centre.clear(pad)
            yield [Say(f"clear {pad}")]
        while self._document["counting"] is None:
            self._ready_ms = self._now_ms + PATIENCE_MS // 2
            yield [Press("count", {"pad": pad, "by": "scribe"})]
        for seat in self._company.seats:
            for count, face in enumerate(seat.own.left, start=1):
                yield from self._pass_card(seat, face, count)
        yield []

    def _pass_card(self, seat: Seat, face: Face, count: int) -> Iterator[list[Deed]]:
        """Hold one card over the pad until it is counted."""
        while self._counted(seat) < count:
            begun_ms = self._now_ms
            self._ready_ms = begun_ms + PASS_MS
            yield [Say(f"lay {seat.word(face)} {self._count_pad}")]
            while self._counted(seat) < count and self._now_ms - begun_ms < PASS_LIMIT_MS:
                yield []
            self._ready_ms = self._now_ms + PASS_MS
            yield [Say(f"take {seat.word(face)} from {self._count_pad}")]

    def _counted(self, seat: Seat) -> int:
        counting = self._document["counting"]
        return int(counting["counted"].get(seat.who.name, 0)) if counting else 0
