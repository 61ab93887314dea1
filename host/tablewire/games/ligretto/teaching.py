"""Teaching decks at the table: the decks there are, the lesson that is on, and what the page says of both.

Owns the actions teach, teach_stop and teach_fix, and the words. Must not know how a lesson judges a tag, nor
disks, threads or the page itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tablewire.board.lies import Lies
from tablewire.errors import UserError, quoted
from tablewire.games.ligretto.cards import DECK_COUNT, Colour, Face
from tablewire.games.ligretto.decks import (
    Deck,
    face_name,
    in_one_line,
    kept_deck,
    missing_words,
    parse_deck_name,
    parse_face,
)
from tablewire.games.ligretto.lesson import PILE_COUNT, Lesson
from tablewire.games.ligretto.setting import pads_said
from tablewire.games.live import Refusal
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Observation, Sighting, Sightings

PADS_MAX_COUNT = 48
"""Three boards' worth of pads: the most that a simulated board has."""
FIXES = ("undo", "skip", "again", "face")
"""What `teach_fix` can do."""

NO_LESSON = Refusal("no_lesson", "no deck is being taught: begin with the action teach")


@dataclass(frozen=True, slots=True)
class DeckLessons:
    """The decks by name, in the order in which they were first taught, and the lesson that is on.

    `unreadable`: why a deck that is kept is none, by its name. `heard`: a board with readers was heard since.
    `past_number`: up to this, what the board tells had happened when it greeted, and nobody was asked for it.
    `reader_count`: how many readers the board heard last has, None where none was heard that has any.
    """

    decks: Mapping[str, Deck] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    lesson: Lesson | None = None
    heard: bool = False
    past_number: int = 0
    reader_count: int | None = None

    @classmethod
    def read(cls, kept: Mapping[str, Mapping[str, Any]]) -> Self:
        """The decks that are kept."""
        decks, unreadable = {}, {}
        for name, body in kept.items():
            try:
                decks[name] = kept_deck(name, body)
            except UserError as exc:
                unreadable[name] = str(exc)
        return cls(decks, unreadable)

    # ---- what the board tells ----

    def observe(self, observation: Observation) -> Self:
        """The lessons after the board told this."""
        if self.lesson is None or not isinstance(observation, Sightings):
            return self
        lesson = self.lesson
        for told in observation.sightings:
            lesson = after_sighting(lesson, told, self.past_number)
        return self._with(lesson, heard=True)

    def greeted(self, last_number: int, reader_count: int) -> Self:
        """The lessons after a board with so many tag readers greeted; what it tells up to this number had
        happened before.
        """
        return replace(self, past_number=last_number, reader_count=reader_count or None)

    def _with(self, lesson: Lesson, *, heard: bool | None = None) -> Self:
        deck = lesson.deck
        # A deck that nothing was taught of is not worth keeping.
        known = (
            self.decks if not deck.tags and deck.name not in self.decks else {**self.decks, deck.name: deck}
        )
        return replace(self, decks=known, lesson=lesson, heard=self.heard if heard is None else heard)

    # ---- what a person wants ----

    def act(self, name: str, body: Mapping[str, Any], lies: Lies) -> Self | Refusal:
        """The lessons after a person's action, or why it is refused. UserError when it is malformed."""
        if name == "teach":
            return self._begin(body, lies)
        if self.lesson is None:
            return NO_LESSON
        if name == "teach_stop":
            return replace(self, lesson=None)
        return self._fix(self.lesson, body)

    def _begin(self, body: Mapping[str, Any], lies: Lies) -> Self | Refusal:
        name, pad = parse_deck_name(body.get("deck")), _pad(body.get("pad"))
        if name in self.unreadable:
            why = self.unreadable[name]
            return Refusal("unreadable_deck", f"{why}; forget it with: tablewire deck forget {quoted(name)}")
        if why_not := missing_pad_words(pad, lies.reader_count):
            return Refusal("no_such_pad", why_not)
        lying = lies.tags if lies.has_readers else ()
        lesson = Lesson.begin(self.decks.get(name, Deck(name)), self.decks.values(), pad, lying)
        return replace(self, reader_count=lies.reader_count)._with(lesson, heard=lies.has_readers)

    def _fix(self, lesson: Lesson, body: Mapping[str, Any]) -> Self | Refusal:
        match body.get("do"):
            case "undo":
                fixed, why = lesson.undo(), "nothing was taught in this lesson that could be taken back"
            case "skip":
                fixed, why = lesson.skip(), "no card is asked for that could be left out"
            case "again":
                fixed, why = lesson.again(), "no card was left out"
            case "face" if body.get("colour") is None or body.get("value") is None:
                raise UserError(
                    "say which card is taught next: its 'colour' and its 'value', such as blue and 4"
                )
            case "face":
                fixed, why = lesson.choose(parse_face(body.get("colour"), body.get("value"))), ""
            case other:
                raise UserError(f"'do' is {quoted(other)}: it is one of {', '.join(FIXES)}")
        return Refusal("nothing_to_fix", why) if fixed is None else self._with(fixed)

    # ---- what is kept and shown ----

    def kept(self) -> Mapping[str, Mapping[str, Any]]:
        """The decks as they are kept."""
        return {name: deck.to_kept() for name, deck in self.decks.items()}

    def document(self) -> dict[str, Any]:
        """The decks, and the lesson, for the page."""
        decks = [
            *(
                {"name": name, "missing": len(deck.missing), "text": None}
                for name, deck in self.decks.items()
            ),
            *(
                {"name": name, "missing": DECK_COUNT, "text": why}
                for name, why in sorted(self.unreadable.items())
            ),
        ]
        lesson = self.lesson
        return {"decks": decks, "teaching": None if lesson is None else self._lesson_document(lesson)}

    def _lesson_document(self, lesson: Lesson) -> dict[str, Any]:
        deck, asked = lesson.deck, lesson.next
        taught = set(deck.tags.values())
        return {
            "deck": deck.name,
            "pad": lesson.pad,
            "pad_hint": pad_words(lesson),
            "next": _card(asked),
            "done": len(taught),
            "of": DECK_COUNT,
            "text": ask_words(lesson) if self.heard else f"{NO_READERS} {ask_words(lesson)}",
            "trouble": missing_pad_words(lesson.pad, self.reader_count) or trouble_words(lesson),
            "faces": {
                colour.value: sorted(face.value for face in taught if face.colour == colour)
                for colour in Colour
            },
            "skipped": [_card(face) for face in sorted(lesson.skipped & set(deck.missing))],
            "last": None if lesson.last is None else _card(lesson.last.face),
            "undo": bool(lesson.past),
            "skip": asked is not None,
            "again": bool(lesson.skipped),
            "finished": deck.is_complete and asked is None,
        }


NO_READERS = "No board with card readers is heard yet: connect it."


def after_sighting(lesson: Lesson, told: Sighting, past_number: int = 0) -> Lesson:
    """A lesson after one thing that a reader told; buttons mean nothing to it.

    What came with a number up to `past_number` came before anybody was asked for a card.
    """
    match told.what:
        case Sight.CAME if told.number > past_number:
            return lesson.came(told.source, told.uid, told.device_ms)
        case Sight.GONE:
            return lesson.gone(told.source, told.uid, told.device_ms)
        case Sight.CAME | Sight.FOUND:
            return lesson.found(told.source, told.uid)
        case Sight.ANEW:
            return lesson.anew()
    return lesson


def pad_words(lesson: Lesson) -> str:
    """Where the cards are to be laid."""
    return "any pad" if lesson.pad is None else f"pad {lesson.pad}"


def ask_words(lesson: Lesson) -> str:
    """What is to be done next, in a sentence."""
    deck, asked = lesson.deck, lesson.next
    if lesson.chosen is not None:
        return f"Lay {face_name(lesson.chosen)} on {pad_words(lesson)}, with the sticker it has now."
    if asked is not None:
        return f"Lay {face_name(asked)} on {pad_words(lesson)}."
    if deck.is_complete:
        return f'The deck "{deck.name}" is complete: all {DECK_COUNT} cards are taught.'
    return f"Only what was left out is missing: {in_one_line(map(face_name, deck.missing))}."


def trouble_words(lesson: Lesson) -> str | None:
    """What is wrong, and what to do about it; None when nothing is."""
    if lesson.said is not None:
        return lesson.said.text
    if lesson.piled_count >= PILE_COUNT:
        return f"{lesson.piled_count} cards lie on one pad: take them off, they are taught."
    return None


def missing_pad_words(pad: int | None, reader_count: int | None) -> str | None:
    """That the board heard last has not the pad of a lesson; None where it has, or no board was heard."""
    if pad is None or reader_count is None or pad < reader_count:
        return None
    return f"There is no pad {pad}: the board has {pads_said(reader_count)}. Teach the deck on one of these."


def deck_words(deck: Deck) -> str:
    """How far a deck is taught: "complete", or what is missing."""
    return missing_words(deck) or "complete"


def _card(face: Face | None) -> dict[str, Any] | None:
    return None if face is None else {"colour": face.colour, "value": face.value}


def _pad(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < PADS_MAX_COUNT:
        raise UserError(
            f"'pad' is {quoted(value)}: write the number of a pad, 0 to {PADS_MAX_COUNT - 1}, or nothing"
        )
    return value
