"""Teach a deck at a terminal: which card comes next is said, and what each card that is laid was.

Owns the lines, the keys, and that what is learnt is kept at once. Must not know how a lesson judges a tag,
where decks are kept, ports or terminals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tablewire.builder.conversation import Conversation
from tablewire.builder.dialogue import Nobody, Person
from tablewire.errors import UserError
from tablewire.games.ligretto.cards import Face
from tablewire.games.ligretto.decks import Deck, face_name, parse_face
from tablewire.games.ligretto.lesson import Lesson
from tablewire.games.ligretto.teaching import after_sighting, ask_words, deck_words, trouble_words
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Sighting

HINT = (
    "Enter after a letter: u takes the last card back, s leaves one out, a asks for those left out, "
    "a card (blue 4) is taught anew, q stops"
)
UNDO, SKIP, AGAIN = ("u", "undo"), ("s", "skip"), ("a", "again")


class DeckLesson:
    """One lesson. `keep` is given the deck whenever it has changed, before a person hears of it."""

    def __init__(
        self, board: Conversation, person: Person, lesson: Lesson, keep: Callable[[Deck], None]
    ) -> None:
        self.lesson = lesson
        self._board = board
        self._person = person
        self._keep = keep
        self._asked = ""
        self._is_heard = True

    def run(self) -> None:
        """Teach until nothing is asked for any more; Left when the person stops, BoardError, StoreError;
        UserError when the board has no such pad.
        """
        hello = self._board.find_readers()
        pad, past_number = self.lesson.pad, hello.last_number
        if pad is not None and pad >= hello.reader_count:
            raise UserError(
                f"--pad {pad}: the board at {self._board.port} has pads 0 to {hello.reader_count - 1}; name "
                "one of these, or none"
            )
        self._person.tell(f"{HINT}.")
        while True:
            for told in self._board.take_sightings():
                self._take(after_sighting(self.lesson, told, past_number))
            self._ask()
            if self.lesson.next is None and not self.lesson.skipped:
                return
            self._obey(self._heard())
            self._board.pump()

    def _heard(self) -> str | None:
        """What was typed. Who has no keyboard has cards, and teaches with those alone."""
        if not self._is_heard:
            return None
        try:
            return self._person.hear()
        except Nobody:
            self._is_heard = False
            return None

    def _ask(self) -> None:
        asked = ask_words(self.lesson)
        if asked != self._asked:
            self._asked = asked
            done = len(self.lesson.deck.tags)
            self._person.tell(asked if self.lesson.next is None else f"{asked} ({done} of 40 are taught)")

    def _take(self, lesson: Lesson) -> None:
        """Go on with this lesson: keep what it knows, then say what is new in it."""
        before, trouble = self.lesson, trouble_words(self.lesson)
        if lesson.deck != before.deck:
            self._keep(lesson.deck)
        self.lesson = lesson
        if lesson.last is not None and lesson.last is not before.last:
            self._person.tell(f"  {face_name(lesson.last.face)} is taught: tag {lesson.last.uid}")
        elif len(lesson.deck.tags) < len(before.deck.tags):
            gone = ", ".join(face_name(before.deck.tags[uid]) for uid in _fewer(before.deck, lesson.deck))
            self._person.tell(f"  {gone} is taken back")
        said = trouble_words(lesson)
        if said is not None and (said != trouble or lesson.said is not before.said):
            self._person.tell(f"  {said}")

    def _obey(self, word: str | None) -> None:
        if not word:
            return
        if word in UNDO:
            self._change(self.lesson.undo(), "nothing was taught yet that could be taken back")
        elif word in SKIP:
            self._change(self.lesson.skip(), "no card is asked for that could be left out")
        elif word in AGAIN:
            self._change(self.lesson.again(), "no card was left out")
        else:
            face = _face_of(word)
            self._change(None if face is None else self.lesson.choose(face), HINT)

    def _change(self, lesson: Lesson | None, why_not: str) -> None:
        if lesson is None:
            self._person.tell(f"  {why_not}.")
            return
        self._asked = ""
        self._take(lesson)

    def summary(self) -> str:
        """How far the deck is taught, in a line."""
        deck = self.lesson.deck
        return f'The deck "{deck.name}" is kept: {deck_words(deck)}.'


def _fewer(before: Deck, after: Deck) -> list[str]:
    return [uid for uid in before.tags if uid not in after.tags]


def _face_of(word: str) -> Face | None:
    colour, _, value = word.partition(" ")
    try:
        return parse_face(colour, int(value[:3]) if value.isascii() and value.isdigit() else None)
    except UserError:
        return None


class CardReading:
    """Says of each card that comes to a pad which one it is."""

    def __init__(self, board: Conversation, say: Callable[[str], None], decks: Iterable[Deck]) -> None:
        self._board = board
        self._say = say
        self._decks = tuple(decks)

    def run(self, for_s: float | None = None) -> None:
        """Say it for so long, or until KeyboardInterrupt. BoardError."""
        self._board.find_readers()
        until_s = None if for_s is None else self._board.now_s() + for_s
        self._say("Lay a card on any pad (Ctrl-C stops).")
        while until_s is None or self._board.now_s() < until_s:
            for told in self._board.take_sightings():
                if told.what in (Sight.CAME, Sight.FOUND):
                    self._say(self._words(told))
            self._board.pump()

    def _words(self, told: Sighting) -> str:
        deck = next((deck for deck in self._decks if told.uid in deck.tags), None)
        card = "not taught" if deck is None else f'{face_name(deck.tags[told.uid])} of the deck "{deck.name}"'
        return f"pad {told.source}: {card} (tag {told.uid})"
