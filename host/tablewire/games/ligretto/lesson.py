"""A lesson: a deck is taught card by card, each tag that comes to a pad becoming the card that is asked for.

Owns which card is next, what a tag that comes means, and every mistake on the way. Must not know boards,
pages or disks: time is the board's, as an argument, and the deck that came out is there to be kept at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple

from tablewire.errors import UserError, quoted
from tablewire.games.ligretto.cards import Face
from tablewire.games.ligretto.decks import Deck, face_name, is_random_uid, parse_uid

TOGETHER_MS = 250
"""Two tags that come no further apart are two cards laid at once: a reader needs some 20 ms to see the
second, and a hand that lays card after card is slower than this."""
FLICKER_MS = 200
"""A tag that was gone no longer than this was missed by its reader, which calls it gone after several misses
only: a hand that lifts and lays is slower than both together."""
PILE_COUNT = 8
"""So many cards on one pad, and it is time to take them off: more than ten it cannot tell apart."""
UNDO_MAX_COUNT = 80
"""Twice the deck: nobody takes back more."""


class Trouble(Enum):
    """What a tag that came, or lies there, is wrong about."""

    AGAIN = "it is taught already"
    OTHER = "it is another deck's"
    TOGETHER = "it came with another"
    LYING = "nobody saw it come"
    BRIEF = "it was not off the pads for long enough"
    CHANGING = "its number changes"
    STRANGE = "its number is none"
    MOVED = "it was another card's"
    DONE = "nothing is asked for"


PASSING = frozenset({Trouble.AGAIN, Trouble.MOVED})
"""What is said of a card that was laid: it makes way for what is to be done about another."""


class Said(NamedTuple):
    """A trouble in words, for a person at the table."""

    kind: Trouble
    text: str


class _Past(NamedTuple):
    """What an undo goes back to."""

    deck: Deck
    skipped: frozenset[Face]
    chosen: Face | None


class _Learnt(NamedTuple):
    """The card that was learnt last. `at_ms`: the board's time; None once that has no meaning any more."""

    uid: str
    face: Face
    at_ms: int | None


@dataclass(frozen=True, slots=True)
class Lesson:
    """One deck while it is taught, by tags on `pad` (None: on any).

    `others`: the decks kept beside it. `lying`: (reader, tag) of all that readers see. `held`: tags that do
    not count before they were lifted; `parted` those of them that came at once. `away`: tags that went
    lately, when, and whether they were held. `skipped`: faces left out for now; `chosen`: the face a person
    wants taught, whatever is next.
    """

    deck: Deck
    others: tuple[Deck, ...] = ()
    pad: int | None = None
    lying: frozenset[tuple[int, str]] = frozenset()
    held: frozenset[str] = frozenset()
    parted: frozenset[str] = frozenset()
    away: Mapping[str, tuple[int, bool]] = field(default_factory=dict)
    skipped: frozenset[Face] = frozenset()
    chosen: Face | None = None
    past: tuple[_Past, ...] = ()
    last: _Learnt | None = None
    said: Said | None = None

    @classmethod
    def begin(
        cls,
        deck: Deck,
        others: Iterable[Deck] = (),
        pad: int | None = None,
        lying: Iterable[tuple[int, str]] = (),
    ) -> Lesson:
        """Begin, or go on with, a deck; `lying` are the tags that readers see already."""
        lesson = cls(deck, tuple(other for other in others if other.name != deck.name), pad)
        for reader, uid in sorted(lying):
            lesson = lesson.found(reader, uid)
        return lesson

    # ---- what is asked for ----

    @property
    def next(self) -> Face | None:
        """The face that the next new tag will be; None when nothing is asked for."""
        if self.chosen is not None:
            return self.chosen
        return next((face for face in self.deck.missing if face not in self.skipped), None)

    @property
    def piled_count(self) -> int:
        """How many cards lie on the fullest pad."""
        readers = [reader for reader, _ in self.lying]
        return max((readers.count(reader) for reader in set(readers)), default=0)

    # ---- what the board tells ----

    def came(self, reader: int, uid: str, at_ms: int) -> Lesson:
        """A tag came to a reader, at the board's time."""
        if (reader, uid) in self.lying:
            return self
        is_ghost = self._lies(uid)
        lesson = replace(self, lying=self.lying | {(reader, uid)})
        if is_ghost or self._is_beside(reader):
            return lesson  # the neighbour's antenna, or a card that is put down elsewhere
        went_ms, was_held = self.away.get(uid, (None, False))
        if went_ms is not None and at_ms - went_ms <= FLICKER_MS:
            if not was_held:
                return lesson
            back = frozenset({uid})
            parted = self.parted | back if self.parted else self.parted
            return replace(lesson, held=self.held | back, parted=parted)._explain(uid)
        return lesson._judge(uid, at_ms)

    def gone(self, reader: int, uid: str, at_ms: int) -> Lesson:
        """A tag left a reader, at the board's time."""
        lesson = replace(self, lying=self.lying - {(reader, uid)})
        if lesson._lies(uid):
            return lesson._explain(uid)
        if (reader, uid) not in self.lying or self._is_beside(reader):
            return lesson
        recent = {other: told for other, told in self.away.items() if at_ms - told[0] <= FLICKER_MS}
        lesson = replace(
            lesson,
            held=self.held - {uid},
            parted=self.parted - {uid},
            away={**recent, uid: (at_ms, uid in self.held)},
        )
        kind = None if self.said is None else self.said.kind
        # What is about tags that lie there is over with them; the rest stays to be read until another comes.
        is_over = (
            (kind is Trouble.TOGETHER and not lesson.parted)
            or (kind is Trouble.LYING and not lesson.held)
            or (kind is Trouble.BRIEF and uid in self.held)
        )
        return replace(lesson, said=None) if is_over else lesson

    def found(self, reader: int, uid: str) -> Lesson:
        """A tag lay there already."""
        lesson = replace(self, lying=self.lying | {(reader, uid)})
        if uid in self.deck.tags or self._lies(uid) or self._is_beside(reader):
            return lesson
        held = self.held | {uid}
        told = self._owner_words(uid) or "a card that is not taught"
        text = f"On pad {reader} lies {told}, and nobody saw it come: it counts once it was lifted."
        if len(held) > 1:
            text = f"{len(held)} cards lie there that nobody saw come: each counts once it was lifted."
        return replace(lesson, held=held, said=Said(Trouble.LYING, text))

    def anew(self) -> Lesson:
        """The board begins anew; what lies there it tells next."""
        last = None if self.last is None else self.last._replace(at_ms=None)
        nothing: frozenset[Any] = frozenset()
        return replace(self, lying=nothing, held=nothing, parted=nothing, away={}, last=last, said=None)

    def _explain(self, uid: str) -> Lesson:
        """Of a card that went from one pad to another without having been lifted as far as readers tell: what
        to do, so that it counts.
        """
        if uid not in self.held or not (self.said is None or self.said.kind in PASSING):
            return self
        pad = next(reader for reader, other in sorted(self.lying) if other == uid)
        text = f"The card on pad {pad} does not count yet: take it off for a second, then lay it again."
        return replace(self, said=Said(Trouble.BRIEF, text))

    def _is_beside(self, reader: int) -> bool:
        """Whether the lesson is on another pad."""
        return self.pad is not None and reader != self.pad

    def _lies(self, uid: str) -> bool:
        return any(other == uid for _, other in self.lying)

    def _owner_words(self, uid: str) -> str | None:
        other = next((deck for deck in self.others if uid in deck.tags), None)
        return None if other is None else f'{face_name(other.tags[uid])} of the deck "{other.name}"'

    def _judge(self, uid: str, at_ms: int) -> Lesson:
        """What a tag that has come means."""
        known, owner, wanted = self.deck.tags.get(uid), self._owner_words(uid), self.next
        if self.parted:
            if known is not None:
                return self
            return replace(self, held=self.held | {uid}, parted=self.parted | {uid})
        if owner is not None:
            return self._hold(uid, Said(Trouble.OTHER, f"That is {owner}: take it away."))
        if is_random_uid(uid):
            text = f"The number of that tag ({uid}) changes each time, as a telephone's does: use a sticker."
            return self._hold(uid, Said(Trouble.CHANGING, text))
        if not _is_uid(uid):
            return self._hold(uid, Said(Trouble.STRANGE, f"That tag's number is none: {quoted(uid)}."))
        if known is not None and (self.chosen is None or self.chosen == known):
            text = f"That is {face_name(known)}: it is taught already."
            return replace(self, chosen=None, said=Said(Trouble.AGAIN, text))
        if wanted is None:
            text = f"Every card of the deck has its tag, and this one ({uid}) is none of them."
            if self.skipped:
                text = "Only cards that were left out are missing: have them asked for first."
            return self._hold(uid, Said(Trouble.DONE, text))
        last = self.last
        if known is not None:
            text = f"That was {face_name(known)} until now, which is asked for again."
            return replace(self._learn(uid, wanted, at_ms), said=Said(Trouble.MOVED, text))
        if last is not None and last.at_ms is not None and at_ms - last.at_ms <= TOGETHER_MS:
            return self._part(uid, last)
        return self._learn(uid, wanted, at_ms)

    def _hold(self, uid: str, said: Said) -> Lesson:
        return replace(self, held=self.held | {uid}, said=said)

    def _part(self, uid: str, last: _Learnt) -> Lesson:
        """Two cards came at once, and which is which nobody can tell: neither counts."""
        lesson = self._go_back()
        held = {uid, *({last.uid} if self._lies(last.uid) else ())}
        text = "Two cards came at once: take both off, then lay one."
        said = Said(Trouble.TOGETHER, text)
        return replace(lesson, held=self.held | held, parted=frozenset(held), said=said)

    def _learn(self, uid: str, face: Face, at_ms: int) -> Lesson:
        return replace(
            self,
            deck=self.deck.teach(uid, face),
            held=self.held - {uid},
            skipped=self.skipped - {face},
            chosen=None,
            past=self._remembered,
            last=_Learnt(uid, face, at_ms),
            said=None,
        )

    @property
    def _remembered(self) -> tuple[_Past, ...]:
        return (*self.past, _Past(self.deck, self.skipped, self.chosen))[-UNDO_MAX_COUNT:]

    def _go_back(self) -> Lesson:
        past = self.past[-1]
        return replace(
            self,
            deck=past.deck,
            skipped=past.skipped,
            chosen=past.chosen,
            past=self.past[:-1],
            last=None,
            said=None,
        )

    # ---- what a person wants ----

    def undo(self) -> Lesson | None:
        """Take back the card learnt or left out last; None when nothing was.

        Its tag counts again once the card was lifted.
        """
        if not self.past:
            return None
        lesson = self._go_back()
        lying = {uid for _, uid in self.lying}
        return replace(lesson, held=self.held | (lying & (set(self.deck.tags) - set(lesson.deck.tags))))

    def skip(self) -> Lesson | None:
        """Leave out the card that is asked for, until the others are taught; None when none is."""
        face = self.next
        if face is None:
            return None
        if self.chosen is not None:
            return replace(self, chosen=None, said=None)
        return replace(self, skipped=self.skipped | {face}, past=self._remembered, last=None, said=None)

    def again(self) -> Lesson | None:
        """Ask for the cards that were left out; None when none were."""
        return replace(self, skipped=frozenset(), said=None) if self.skipped else None

    def choose(self, face: Face) -> Lesson:
        """Ask for this card next, taught or not: a lost sticker was replaced, or a wrong card lay there.

        The tag it has is forgotten when another comes, not before.
        """
        return replace(self, chosen=face, said=None)


def _is_uid(uid: str) -> bool:
    try:
        parse_uid(uid)
    except UserError:
        return False
    return True
