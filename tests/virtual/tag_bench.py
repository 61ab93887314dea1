"""A virtual board with tag readers and a host session on one clock."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from tests.virtual.bench_table import Bench

from tablewire.games.ligretto.cards import Face
from tablewire.games.ligretto.decks import printed_uid
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Sighting, Sightings
from tablewire.wire.session import Told

GONE_LIMIT_MS = 3_000
"""A card that is taken off is missed several times before it is gone, and each pad is asked in turn."""
BOOT_LIMIT_MS = 1_000
"""Each of sixteen readers tests itself before the first word is said."""

Sees = dict[int, set[str]]
"""The cards on each pad that has any."""


def uid(name: str) -> str:
    """What a reader reads of a printed card, such as red:blue:4."""
    if ":" not in name:
        return name.upper()
    owner, colour, value = name.split(":")
    return printed_uid(owner, Face(colour, int(value)))


def all_cards(owners: Iterable[str] = ("red", "green", "blue", "yellow")) -> list[str]:
    """The names of the cards of some decks."""
    colours = ("red", "green", "yellow", "blue")
    return [f"{owner}:{colour}:{value}" for owner in owners for colour in colours for value in range(1, 11)]


class TagBench(Bench):
    """Both ends of the link to a board with tag readers."""

    def keep(self, one: Told) -> None:
        if isinstance(one, Sightings):
            self.session.acknowledge(one.sightings[-1].number, one.nonce)

    def sightings(self) -> list[Sighting]:
        """Every one told."""
        return [sighting for one in self.told if isinstance(one, Sightings) for sighting in one.sightings]

    def told_of(self, *sights: Sight) -> list[tuple[int, str]]:
        """Reader and tag, or button and nothing, of all sightings of some kinds."""
        return [(one.source, one.uid) for one in self.sightings() if one.what in sights]

    def wait_for(self, sight: Sight, source: int, tag: str = "", limit_ms: int = GONE_LIMIT_MS) -> Sighting:
        """Let time pass until this is told (once more than before); fails after the limit."""
        begun_ms, before = self.now_ms, len(self.sightings())
        while True:
            for one in self.sightings()[before:]:
                if (one.what, one.source, one.uid) == (sight, source, tag):
                    return one
            assert self.now_ms - begun_ms < limit_ms, f"no {sight.name} of {tag} at {source}"
            self.run(5)

    def sees(self) -> Sees:
        """What the host believes to lie on each pad, after all it was told."""
        seen: set[tuple[int, str]] = set()
        for one in self.sightings():
            match one.what:
                case Sight.ANEW:
                    seen.clear()
                case Sight.CAME | Sight.FOUND:
                    assert (one.source, one.uid) not in seen, "told twice"
                    seen.add((one.source, one.uid))
                case Sight.GONE:
                    seen.remove((one.source, one.uid))
        return {pad: {tag for at, tag in seen if at == pad} for pad in sorted({at for at, _ in seen})}

    def pads(self) -> Sees:
        """What really lies on each pad."""
        pads = self.board.state()["pads"]
        assert isinstance(pads, dict)
        return {int(pad): {uid(name) for name in names} for pad, names in pads.items()}

    def settle(self, limit_ms: int = 10_000) -> None:
        """Let time pass until the host believes what is so."""
        begun_ms = self.now_ms
        while self.sees() != self.pads():
            assert self.now_ms - begun_ms < limit_ms, f"{self.sees()} is not {self.pads()}"
            self.run(20)

    def assert_nothing_lost_or_doubled(self) -> None:
        """Within each boot the numbers told have no holes and no repeats, and stamps never fall, but for what
        is told anew, which may leave out some.
        """
        nonce, number, at_ms = None, 0, 0
        for one in self.told:
            if not isinstance(one, Sightings):
                continue
            if one.nonce != nonce:
                nonce, number, at_ms = one.nonce, 0, 0
            for sighting in one.sightings:
                if sighting.what == Sight.ANEW:
                    assert sighting.number > number
                else:
                    assert sighting.number == number + 1
                assert sighting.device_ms >= at_ms
                number, at_ms = sighting.number, sighting.device_ms


def state_of(board: VirtualBoard) -> dict[str, object]:
    """What the command `state` answers."""
    (answer,) = board.do("state")
    told: dict[str, object] = json.loads(answer.removeprefix("ok "))
    return told


def meet_tags(board: VirtualBoard) -> TagBench:
    """A bench whose session has found its board and heard what lies there."""
    bench = TagBench(board)
    while not bench.session.synced:
        assert bench.now_ms - board.lived_ms < BOOT_LIMIT_MS, "no word of what lies there"
        bench.run(100)
    bench.run(100)
    return bench


MeetTags = Callable[..., TagBench]
"""`met_tags(seed)`: a bench with a new board."""
