"""What the readers and buttons tell that may become lines of the record, and what does not count.

Owns the delays of reading cards, what waits until nothing more can be told of it, and what lies on the pads
and is no card of the round. Must not know verdicts, the journal or the page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tablewire.board.lies import Tag

ARBITRATE_MS = 150
"""A card laid between two antennas is read by both within a pass or two, and a pass takes 20 to 60 ms; one
read is missed now and then. Nobody lays a card on one pad and then on another in this time."""
RELAY_MS = 1_500
"""A card straightened by a hand is off its antenna for less; one taken back to the row is away longer."""
LATE_MS = 1_000
"""A card that its reader missed is read one of the next passes. The card laid on it was right all the time,
so a wrong card counts when what it waited for comes as late as this."""
LINGER_MS = 1_000
"""A reader notices that a card is gone after several misses, and each of two readers in its own time: a card
that left one pad and is still read by the next after so long, lies there."""
ASTRAY_MS = 3_000
"""What lies between two pads is told by one and the other in turn, every second or two; a card that its own
pad has not seen for longer while another does, lies on that."""
TAKEN_MS = 6_000
"""A reader that misses a third of its looks calls a card gone now and then, and has it again within two or
three seconds; what is off its pile for longer somebody has in hand, or its sticker cannot be read there."""
MOVE_MS = 3_000
"""A card may be pushed to the pad it was meant for until so long after it was laid, if nothing lies on it."""

BARE_MS = 5_000
"""A reader that finds ten stickers on each other may need several tries; of all the cards of a round one at
least is read by then, if they lie there."""


class Seen(NamedTuple):
    """A card came to `pads`, the first of them at `at_ms`. `again`: one of its pads has lost it; what other
    pads read was taken for a stray reading until then. It counts from `at_ms` on, which may be yet to come.
    """

    uid: str
    pads: tuple[int, ...]
    at_ms: int
    again: bool = False


class Pressed(NamedTuple):
    """A player's stop button went down at `at_ms`."""

    player: str
    at_ms: int


Waiting = Seen | Pressed


@dataclass(frozen=True, slots=True)
class Sensed:
    """`waiting`: what is to become lines, oldest first. `resting`: tags on pads that do not count until
    lifted; `ignored`: the same, because a person said so.

    `gone_ms`: when a tag that mattered left its pad. `ghosts_count`: how often a pad read a card of another.
    """

    waiting: tuple[Waiting, ...] = ()
    resting: frozenset[Tag] = frozenset()
    ignored: frozenset[Tag] = frozenset()
    gone_ms: Mapping[Tag, int] = field(default_factory=dict)
    ghosts_count: int = 0

    def seen(self, uid: str) -> Seen | None:
        """What waits of a card."""
        return next((item for item in self.waiting if isinstance(item, Seen) and item.uid == uid), None)

    def add(self, item: Waiting) -> Sensed:
        """With one thing more that waits; what comes at the same time comes behind."""
        waiting = sorted((*self.waiting, item), key=lambda each: each.at_ms)
        return replace(self, waiting=tuple(waiting))

    def drop(self, items: Collection[Waiting]) -> Sensed:
        """Without these."""
        return replace(self, waiting=tuple(item for item in self.waiting if item not in items))

    def read_by(self, item: Seen, pad: int) -> Sensed:
        """With a card that waits read by one pad more."""
        if pad in item.pads:
            return self
        wider = item._replace(pads=(*item.pads, pad))
        return replace(self, waiting=tuple(wider if each == item else each for each in self.waiting))

    def lost_by(self, item: Seen, pad: int) -> Sensed:
        """With a card that waits no longer read by a pad: what passes over a pad was not laid there."""
        pads = tuple(other for other in item.pads if other != pad)
        if not pads:
            return self.drop((item,))
        return replace(
            self, waiting=tuple(item._replace(pads=pads) if each == item else each for each in self.waiting)
        )

    def due(self, now_ms: int) -> tuple[Waiting, ...]:
        """What nothing more can be told of by now."""
        return tuple(item for item in self.waiting if item.at_ms + ARBITRATE_MS <= now_ms)

    def come(self, now_ms: int) -> tuple[Waiting, ...]:
        """What counts by now as it looks."""
        return tuple(item for item in self.waiting if item.at_ms <= now_ms)

    def rest(self, tags: Iterable[Tag]) -> Sensed:
        """With these tags not counting until they are lifted."""
        return replace(self, resting=self.resting | frozenset(tags))

    def ignore(self, tags: Iterable[Tag]) -> Sensed:
        """With these tags ignored until they are lifted."""
        return replace(self, ignored=self.ignored | frozenset(tags))

    def is_asleep(self, tag: Tag) -> bool:
        """Whether a tag on its pad does not count."""
        return tag in self.resting or tag in self.ignored

    def wake(self, tags: Iterable[Tag]) -> Sensed:
        """With tags that count from now on, as those do that were lifted and have come again."""
        awake = frozenset(tags)
        if awake.isdisjoint(self.resting) and awake.isdisjoint(self.ignored):
            return self
        return replace(self, resting=self.resting - awake, ignored=self.ignored - awake)

    def leave(self, tags: Iterable[Tag], at_ms: int) -> Sensed:
        """With tags gone from their pads, to be known again for a while."""
        return replace(self, gone_ms={**self.gone_ms, **dict.fromkeys(tags, at_ms)})

    def back(self, tag: Tag) -> Sensed:
        """With a tag on its pad again."""
        if tag not in self.gone_ms:
            return self
        return replace(self, gone_ms={other: ms for other, ms in self.gone_ms.items() if other != tag})

    def was_here(self, tag: Tag, now_ms: int) -> bool:
        """Whether a tag that comes now left the same pad only a moment ago."""
        gone_ms = self.gone_ms.get(tag)
        return gone_ms is not None and now_ms - gone_ms <= RELAY_MS
