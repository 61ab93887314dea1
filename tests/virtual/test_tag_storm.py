"""Any fault at any moment, in any company: no card is lost or told twice, and all are known in the end."""

from __future__ import annotations

import random

import pytest
from tests.virtual.tag_bench import MeetTags, TagBench, all_cards, uid
from tests.virtual.test_storm import Weather

from tablewire.wire.messages import Sight

SETTINGS = {
    "drop": ("percent=1", "percent=5"),
    "flip": ("percent=1", "percent=5"),
    "insert": ("percent=3",),
    "duplicate": ("percent=40",),
    "reorder": ("percent=40",),
    "mute": ("to=host", "to=board", "to=both"),
    "deaf": ("ms=700",),
    "cut": ("after=7 ms=300", "after=900 ms=300"),
    "mtu": ("n=23", "n=185"),
    "cut-chunk": ("count=6",),
    "noise": ("bytes=900 to=both",),
    "stale-snapshot": ("count=3",),
    "power-cut": ("ms=300",),
    "missed-reads": ("percent=30", "garbled=30", "how=turn"),
    "late-reads": ("ms=50-900",),
    "collide": ("ms=40",),
    "cross-read": ("percent=50", "pad=5 by=6"),
    "between": ("count=2",),
    "deaf-reader": ("ms=900", "pad=3 ms=0"),
    "nudge": ("ms=40-400",),
}
TURNS = 14
RECOVERED_MS = 5_000
PADS, BUTTONS = 16, 4


class TagWeather(Weather):
    """A bench whose host opens the port again whenever it is back, while cards come and go."""

    bench: TagBench

    def __init__(self, bench: TagBench, rng: random.Random) -> None:
        super().__init__(bench, rng)
        self._cards = all_cards()
        self._chance = rng

    def blow(self) -> None:
        """One thing goes wrong, or right again, while cards come and go."""
        rng, name = self._chance, self._chance.choice(list(SETTINGS))
        fault = f"fault {name} {rng.choice(SETTINGS[name])}"
        other = rng.choice(("reset", "unplug", "plug", f"press {rng.randrange(BUTTONS)}"))
        self.bench.board.command(rng.choice((fault, fault, f"fault off {name}", other)))
        for _ in range(rng.randrange(8)):
            card, pad = rng.choice(self._cards), rng.randrange(PADS)
            line = rng.choice((f"lay {card} {pad}", f"lay {card} {pad}", f"take {card}", f"clear {pad}"))
            self.bench.board.command(line)
        self.run(rng.choice((0, 100, 300, 1_500)))

    def clear(self) -> None:
        """Everything is mended and plugged in, and no card rests between two pads any more."""
        self.bench.board.command("fault off all")
        self.bench.board.command("plug")
        between = self.bench.board.state()["between"]
        for card in list(between) if isinstance(between, dict) else []:
            self.bench.board.command(f"take {card}")


@pytest.mark.parametrize("seed", range(2))
def test_after_any_storm_the_host_knows_which_cards_lie_where(seed: int, met_tags: MeetTags) -> None:
    """And was told nothing twice or with a hole, all the while."""
    bench = met_tags(seed)
    weather = TagWeather(bench, random.Random(seed))
    for _ in range(TURNS):
        weather.blow()
    weather.clear()
    weather.run(RECOVERED_MS)
    assert bench.session.synced
    assert bench.pads()
    bench.settle()
    bench.assert_nothing_lost_or_doubled()


@pytest.mark.parametrize("fault", ["drop", "flip"])
def test_on_a_line_that_loses_one_byte_in_a_hundred_every_card_is_told_once(
    fault: str, met_tags: MeetTags
) -> None:
    """Twenty cards, ten in a second, and in the order in which they were laid."""
    bench = met_tags()
    bench.do(f"fault {fault} percent=1")
    cards = all_cards(["red"])[:20]
    for at, card in enumerate(cards):
        bench.do(f"lay {card} {at // 10 * 2}", rest_ms=100)
    bench.settle()
    told = bench.told_of(Sight.CAME)
    assert told == [(at // 10 * 2, uid(card)) for at, card in enumerate(cards)]
    bench.assert_nothing_lost_or_doubled()
