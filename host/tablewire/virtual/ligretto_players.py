"""Computer players of Ligretto: what lies in the centre, what the page says, and the time -> what hands do.

Owns when each player looks, reaches, turns and errs: they play side by side, each at a speed and with an
honesty of their own. Must not know the socket, the pty, threads or a clock; milliseconds and the state
document are arguments, and all a player sees is that document and the table. The same seed and the same
documents at the same times lead to the same deeds.

The one who sits nearest to the page, and does what its buttons are for, is in ligretto_scribe.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from tablewire.games.ligretto.cards import Face
from tablewire.virtual.ligretto_centre import Asked, Centre, Document, asked, follows
from tablewire.virtual.ligretto_deal import OwnCards

Range = tuple[int, int]
"""From, to: milliseconds, both included."""

SIGHT_MS = 150
"""What came down less than this ago, a hand that is on its way has not seen: two go for the same pile."""
TIE_MS = 15
"""How close together two hands come down that race for one pile: within one scan of its reader."""
READ_MS: Range = (700, 2_500)
"""How long the page says that a card is wrong before its owner has read it and reaches for it."""
UNSHOWN_MS = 6_000
"""A card that the page neither counts nor refuses for so long is taken up again: it was not read."""
FORGOTTEN_MS = 3_000
"""What the page has not asked for so long after it should have been done, nobody does any more."""
STRAIGHTEN_MS = 100
"""A card is pushed to the middle of its pad in this time."""
PRESS_AGAIN_MS = 3_000
"""A stop that the page does not show by then is pressed again."""


@dataclass(frozen=True, slots=True)
class Say:
    """A line for the board's command socket: a hand."""

    line: str


@dataclass(frozen=True, slots=True)
class Press:
    """A button of the page: an operator's action and its body."""

    name: str
    body: Mapping[str, Any]


Deed = Say | Press


@dataclass(frozen=True, slots=True)
class Temper:
    """How somebody plays. `slip`: how often a card is laid that does not fit; `checks`: looks again before
    letting go of a card; `late`: how often a card is laid after the stop all the same; `races`: goes for a
    pile that another reaches for.
    """

    name: str
    look_ms: Range
    reach_ms: Range
    turn_ms: Range
    slip: float = 0.0
    checks: bool = True
    late: float = 0.0
    races: bool = False


QUICK = Temper("quick", (150, 500), (180, 350), (300, 600), races=True)
SLOW = Temper("slow", (900, 2_200), (500, 900), (900, 1_600))
SLOPPY = Temper("sloppy", (300, 900), (250, 500), (400, 900), slip=0.12, checks=False)
CHEAT = Temper("cheat", (300, 900), (250, 500), (400, 900), slip=0.03, late=0.8, races=True)
EAGER = Temper("eager", (200, 600), (200, 400), (300, 700), checks=False, races=True)
TEMPERS = (QUICK, SLOPPY, SLOW, CHEAT, EAGER)
"""Round the table in this order, then from the beginning again."""


class Sitter(NamedTuple):
    """Who sits down: name, the deck whose cards are used, and how they play."""

    name: str
    deck: str
    temper: Temper


@dataclass(frozen=True, slots=True)
class _Carried:
    """A card on its way to a pad, there at `at_ms`; a `slip` is laid whatever lies there."""

    face: Face
    pad: int
    at_ms: int
    slip: bool


@dataclass(slots=True)
class Seat:
    """One player in a round. `ready_ms`: when they look up next; `asked_ms`: when they take a card off that
    the page wants off; `pressed_ms`: when they pressed the stop.
    """

    index: int
    who: Sitter
    rng: Random
    own: OwnCards
    ready_ms: int
    carried: _Carried | None = None
    asked_ms: dict[Face, int] = field(default_factory=dict)
    pressed_ms: int | None = None

    def wait(self, now_ms: int, span: Range) -> None:
        """Look up again after some time of this span."""
        self.ready_ms = now_ms + self.rng.randint(*span)

    def word(self, face: Face) -> str:
        """One of the own cards in the board's language."""
        return f"{self.who.deck}:{face.colour}:{face.value}"


class Company:
    """Everybody round the table, for one round after another; `centre` is what lies there."""

    def __init__(self, sitters: Sequence[Sitter], pad_count: int, seed: str) -> None:
        self.sitters = tuple(sitters)
        self.centre = Centre(pad_count)
        self.seats: list[Seat] = []
        self.stopped_ms: int | None = None
        self._seed = seed
        self._names = {who.name: index for index, who in enumerate(sitters)}
        self._shown_ms: dict[tuple[int, int, Face], int] = {}
        self._dealt_round: int | None = None

    def sit_down(self, round_number: int, now_ms: int, played: Mapping[str, Iterable[Face]]) -> None:
        """Go on with a round that was begun before; `played`: what each has played of it, by name."""
        self._deal(round_number, now_ms, played)

    def _deal(self, round_number: int, now_ms: int, played: Mapping[str, Iterable[Face]]) -> None:
        self._dealt_round = round_number
        self.seats = []
        self.stopped_ms = None
        for index, who in enumerate(self.sitters):
            rng = Random(f"{self._seed}/{round_number}/{who.name}")  # noqa: S311 - a game
            own = OwnCards(len(self.sitters), rng, frozenset(played.get(who.name, ())))
            self.seats.append(Seat(index, who, rng, own, now_ms + rng.randint(*who.temper.look_ms)))

    @property
    def is_resting(self) -> bool:
        """Nobody has a card in the air."""
        return all(seat.carried is None for seat in self.seats)

    @property
    def is_stuck(self) -> bool:
        """Everybody has turned the whole hand twice, and nobody could play."""
        return bool(self.seats) and all(seat.own.passes >= 2 for seat in self.seats)

    def next_ms(self) -> int | None:
        """When somebody does something next; None when nobody is dealt in."""
        due = [min(s.ready_ms, s.carried.at_ms if s.carried else s.ready_ms) for s in self.seats]
        return min(due, default=None)

    def deeds(self, now_ms: int, document: Document) -> list[Deed]:
        """What hands do at this moment, in order; a new round is dealt first."""
        waits = document["actions"]["next_round"] or document["phase"] == "over"
        if document["round"] != self._dealt_round and not waits:
            self._deal(document["round"], now_ms, {})
        self._hear_stop(now_ms, document)
        self._read(now_ms, document)
        deeds: list[Deed] = []
        for seat in self.seats:
            if seat.carried is not None:
                if seat.carried.at_ms <= now_ms:
                    deeds += self._arrive(seat, seat.carried, now_ms, document)
            elif seat.ready_ms <= now_ms:
                deeds += self._go_on(seat, now_ms, document)
        return deeds

    # What is heard and read

    def _hear_stop(self, now_ms: int, document: Document) -> None:
        if document["stopped"] is None:
            # Whose last card came back has not stopped after all.
            pressed = [s.pressed_ms for s in self.seats if s.pressed_ms is not None and not s.own.left_count]
            self.stopped_ms = min(pressed, default=None)
        elif self.stopped_ms is None:
            self.stopped_ms = now_ms

    def _read(self, now_ms: int, document: Document) -> None:
        """Notice what the page wants off the pads, and for how long it has said nothing of a card."""
        wanted = set(asked(document))
        for seat in self.seats:
            asked_of = {one.face for one in wanted if one.player == seat.who.name}
            # Where two readers tell of a card in turn, so does the page: it is not forgotten in between.
            seat.asked_ms = {
                face: ms
                for face, ms in seat.asked_ms.items()
                if face in asked_of or now_ms - ms < FORGOTTEN_MS
            }
            for face in sorted(asked_of - seat.asked_ms.keys()):
                if self.centre.pad_of(seat.index, face) is not None:
                    seat.asked_ms[face] = now_ms + seat.rng.randint(*READ_MS)
        unsure = {(pad, face) for pad, face in _open(document)}
        unshown = {
            (pad, card.seat, card.face)
            for pad, cards in self.centre.cards().items()
            for card in cards
            if not _counted(document, pad, card.face)
            and (pad, card.face) not in unsure
            and Asked(pad, self.sitters[card.seat].name, card.face) not in wanted
        }
        self._shown_ms = {one: self._shown_ms.get(one, now_ms) for one in unshown}

    # What hands do

    def _arrive(self, seat: Seat, carried: _Carried, now_ms: int, document: Document) -> list[Deed]:
        """A hand is over the pad: the card comes down, or back."""
        seat.carried = None
        seat.wait(now_ms, seat.who.temper.look_ms)
        temper = seat.who.temper
        tops = self.centre.tops(document, now_ms - SIGHT_MS, self._names)
        fits = carried.pad in tops and follows(tops[carried.pad], carried.face)
        heard = self.stopped_ms is not None and now_ms - self.stopped_ms > SIGHT_MS
        keeps = (heard and seat.rng.random() >= temper.late) or (
            temper.checks and not fits and not carried.slip
        )
        if keeps:
            seat.own.take_back(carried.face)
            return []
        self.centre.lay(seat.index, carried.face, carried.pad, now_ms)
        return [Say(f"lay {seat.word(carried.face)} {carried.pad}")]

    def _go_on(self, seat: Seat, now_ms: int, document: Document) -> list[Deed]:
        """Take a wrong card off, end the round, play, or turn cards."""
        taken = self._take_asked(seat, now_ms, document) or self._take_unshown(seat, now_ms, document)
        if taken:
            return taken
        if self.stopped_ms is not None and (document["stopped"] is not None or seat.own.left_count):
            return self._after_stop(seat, now_ms, document)
        if seat.own.left_count == 0:
            seat.wait(now_ms, (PRESS_AGAIN_MS, PRESS_AGAIN_MS))
            seat.pressed_ms = seat.pressed_ms if seat.pressed_ms is not None else now_ms
            return [Say(f"press {seat.index}")]
        seat.pressed_ms = None
        self._reach(seat, now_ms, document)
        return []

    def _after_stop(self, seat: Seat, now_ms: int, document: Document) -> list[Deed]:
        """Hands off; who cheats lays one more."""
        late = self.stopped_ms is not None and now_ms - self.stopped_ms < seat.who.temper.look_ms[1]
        if late and seat.rng.random() < seat.who.temper.late:
            self._reach(seat, now_ms, document)
        else:
            seat.wait(now_ms, seat.who.temper.look_ms)
        return []

    def _take_asked(self, seat: Seat, now_ms: int, document: Document) -> list[Deed]:
        """Take a card off that the page wants off; one that only reaches over the edge is pushed straight."""
        for face, due_ms in list(seat.asked_ms.items()):
            pad = self.centre.pad_of(seat.index, face)
            if due_ms > now_ms or pad is None:
                continue
            name, shown_on = seat.who.name, self._shown_on(face, document)
            asked_on = {one.pad for one in asked(document) if (one.player, one.face) == (name, face)}
            if not asked_on and shown_on is None:
                continue
            del seat.asked_ms[face]
            if shown_on is not None or (_counted(document, pad, face) and pad not in asked_on):
                return self._push(seat, face, pad if shown_on is None else shown_on, now_ms)
            return self.take_back(seat, face, pad, now_ms)
        return []

    def _take_unshown(self, seat: Seat, now_ms: int, document: Document) -> list[Deed]:
        """Take up a card that the page says nothing of; one that it counts on another pad is pushed there."""
        for (pad, index, face), since_ms in self._shown_ms.items():
            if index == seat.index and now_ms - since_ms >= UNSHOWN_MS:
                shown_on = self._shown_on(face, document)
                if shown_on is not None:
                    return self._push(seat, face, shown_on, now_ms)
                return self.take_back(seat, face, pad, now_ms)
        return []

    def _shown_on(self, face: Face, document: Document) -> int | None:
        """A pad on which the page counts a face of which no card lies there: it rests between two pads."""
        for pad in range(self.centre.pad_count):
            if _counted(document, pad, face) and face not in {card.face for card in self.centre.on(pad)}:
                return pad
        return None

    def _push(self, seat: Seat, face: Face, pad: int, now_ms: int) -> list[Deed]:
        """A card is pushed to the middle of a pad."""
        lies_on = self.centre.pad_of(seat.index, face)
        if lies_on is not None and lies_on != pad:
            self.centre.take(seat.index, face, lies_on)
            self.centre.lay(seat.index, face, pad, now_ms)
        seat.wait(now_ms, seat.who.temper.look_ms)
        return [Say(f"move {seat.word(face)} {pad} over {STRAIGHTEN_MS}")]

    def take_back(self, seat: Seat, face: Face, pad: int, now_ms: int) -> list[Deed]:
        """One of a seat's cards comes off a pad, back to where it was."""
        self.centre.take(seat.index, face, pad)
        if face in seat.own.out:
            seat.own.take_back(face)
        seat.wait(now_ms, seat.who.temper.look_ms)
        return [Say(f"take {seat.word(face)} from {pad}")]

    def _reach(self, seat: Seat, now_ms: int, document: Document) -> None:
        """Reach for the centre with a card, or turn three of the hand."""
        temper = seat.who.temper
        tops = self.centre.tops(document, now_ms - SIGHT_MS, self._names)
        found = self._slip(seat, tops) if seat.rng.random() < temper.slip else None
        slip = found is not None
        found = found or self._fitting(seat, tops)
        if found is None:
            seat.own.turn(seat.rng)
            seat.wait(now_ms, temper.turn_ms)
            return
        face, pad = found
        at_ms = now_ms + seat.rng.randint(*temper.reach_ms)
        for other in self.seats:
            rival = other.carried
            if temper.races and other is not seat and rival and (rival.face, rival.pad) == (face, pad):
                at_ms = max(at_ms - temper.reach_ms[0], rival.at_ms + seat.rng.randint(-TIE_MS, TIE_MS))
        seat.own.play(face)
        seat.carried = _Carried(face, pad, max(at_ms, now_ms + 1), slip)

    def _fitting(self, seat: Seat, tops: Mapping[int, Face | None]) -> tuple[Face, int] | None:
        heading = {other.carried.pad for other in self.seats if other.carried is not None}
        for face in seat.own.playable():
            pads = [pad for pad, top in tops.items() if follows(top, face)]
            if face.value == 1:
                # There is room enough: nobody puts down a 1 where another hand is.
                pads = [pad for pad in pads if pad not in heading and not self.centre.on(pad)]
            if pads:
                return face, seat.rng.choice(pads)
        return None

    def _slip(self, seat: Seat, tops: Mapping[int, Face | None]) -> tuple[Face, int] | None:
        """A card that does not fit, on a pile that is there."""
        piled = [pad for pad, top in tops.items() if top is not None]
        wrong = [(face, p) for face in seat.own.playable() for p in piled if not follows(tops[p], face)]
        return seat.rng.choice(wrong) if wrong else None


def _counted(document: Document, pad: int, face: Face) -> bool:
    """Whether the page counts such a card on this pad."""
    pile = document["pads"].get(str(pad))
    return bool(pile and pile["colour"] == face.colour and face.value <= pile["value"])


def _open(document: Document) -> Iterable[tuple[int, Face]]:
    """The cards of which the page asks who was first."""
    for group in document["undecided"]:
        yield group["pad"], Face(group["colour"], group["value"])
