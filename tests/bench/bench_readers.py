"""The figures of the board with tag readers, from the cycles of the simulated chip: they repeat exactly.

    python -m tests.bench.bench_readers

The bus runs at its true speed, frames take their true time on the air. Prints each figure with its limit and
ends with 1 when one is missed.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Iterator

from tests.bench.bench_firmware import (
    CLOCK_HZ,
    FLOODS,
    IRQ_OFF_MAX_US,
    STACK_FREE_MIN_BYTES,
    Figure,
    flood,
    measure_sizes,
)
from tests.twin.tag_desk import TagDesk, uid_of

from tablewire.wire.messages import ParamKey, Sight

SEED = 1
READERS = 16
PILES = (0, 4, 10)
"""Cards resting on every pad; ten make a complete pile."""
WATCHED_US = 5_000_000
ARRIVALS = 100
AT_ONCE = 4
CROWDS = 25
QUIET_US = (120_000, 200_000)
"""Between two arrivals: every moment of a pass comes up, and nothing of the last one is left."""
RESTING = 3
"""Cards on every other pad while others arrive: a round in full swing."""

SCAN_MAX_MS = 40
"""A usual pass. Two cards further apart on one pad are no scan of a record; their times must tell so."""
PASS_MAX_MS = 50
"""The longest one: two resting cards looked after, and several more asked for by name at their neighbours."""
ARRIVAL_MAX_MS = 60
"""A pass of the readers, the reading of a card, and a line that has to be free."""
CROWD_MAX_MS = 100
STAGGERED_MS, STAGGERED_CARD_MS = 60, 10
"""With fields that go on and off, every card is read anew in every pass; another one waits for that."""
GROUPS = (1, 4)


def booted(groups: int) -> TagDesk:
    """A board whose readers scan."""
    desk = TagDesk(SEED)
    desk.boot()
    if groups != 1:
        desk.adjust(ParamKey.FIELD_GROUPS, groups)
    return desk


def staggered_ms(cards: int) -> int:
    """How long a pass may take that reads so many cards."""
    return STAGGERED_MS + STAGGERED_CARD_MS * cards


def lay_piles(desk: TagDesk, cards: int, pads: range) -> None:
    """So many resting cards on each of these pads, all told."""
    for pad in pads:
        desk.lay([uid_of(1000 + 16 * card + pad) for card in range(cards)], pad)
    desk.wait_for(cards * len(pads), Sight.CAME, 10_000_000)
    desk.run(500_000)


def measure_scan(groups: int, cards: int) -> Figure:
    """How often each pad is asked when nothing is new, over some seconds."""
    desk = booted(groups)
    if cards:
        lay_piles(desk, cards, range(READERS))
    begun = len(desk.told)
    before = desk.chip.radio(reset=True)
    assert before["at_once"] == 0, "two readers transmitted at the same time"
    desk.run(WATCHED_US)
    worst_ms = desk.chip.radio()["ask_gap_max_us"] / 1000
    assert len(desk.told) == begun, "something was told though nothing happened"
    scan_hz = desk.status().scan_hz
    desk.chip.close()
    name = f"fields in {groups}: every pad is asked, {cards} resting on each"
    if groups == 1:
        usual_ms = 1000 / max(scan_hz, 1)
        return Figure(
            name,
            f"every {usual_ms:.0f} ms, {worst_ms:.1f} ms at worst",
            f"at most {SCAN_MAX_MS} ms, {PASS_MAX_MS} ms",
            usual_ms <= SCAN_MAX_MS and worst_ms <= PASS_MAX_MS,
        )
    limit_ms = staggered_ms(cards * READERS)
    return Figure(name, f"{worst_ms:.1f} ms at worst", f"at most {limit_ms} ms", worst_ms <= limit_ms)


def measure_arrivals(desk: TagDesk, groups: int) -> Iterator[Figure]:
    """From the moment a card lies there to the last bit of its TAGS, among resting piles."""
    draw = random.Random(SEED)
    single_ms: list[float] = []
    for number in range(ARRIVALS):
        desk.run(draw.randrange(*QUIET_US))
        begun_us = desk.chip.now_us
        desk.lay([uid_of(number)], draw.randrange(1, READERS, 2))
        ((at_us, _),) = desk.wait_for(1, Sight.CAME, 5_000_000)
        single_ms.append((at_us - begun_us) / 1000)
        desk.lay([uid_of(number)])
        desk.wait_for(1, Sight.GONE, 20_000_000)
    staggered_limit_ms = 2 * staggered_ms(RESTING * READERS // 2 + AT_ONCE)
    limit_ms = ARRIVAL_MAX_MS if groups == 1 else staggered_limit_ms
    yield Figure(
        f"fields in {groups}: a card to its TAGS on the wire, of {ARRIVALS}",
        f"median {statistics.median(single_ms):.1f} ms, worst {max(single_ms):.1f} ms",
        f"at most {limit_ms} ms",
        max(single_ms) <= limit_ms,
    )
    for where, pads in (("different pads", (1, 5, 9, 13)), ("one pad", (7,) * AT_ONCE)):
        worst_ms = 0.0
        for crowd in range(CROWDS):
            desk.run(draw.randrange(*QUIET_US))
            cards = [uid_of(500 + AT_ONCE * crowd + one) for one in range(AT_ONCE)]
            begun_us = desk.chip.now_us
            for uid, pad in zip(cards, pads, strict=True):
                desk.lay([uid], pad)
            told = desk.wait_for(AT_ONCE, Sight.CAME, 5_000_000)
            assert sorted(one.uid for _, one in told) == sorted(cards)
            worst_ms = max(worst_ms, (told[-1][0] - begun_us) / 1000)
            desk.lay(cards)
            desk.wait_for(AT_ONCE, Sight.GONE, 20_000_000)
        limit_ms = CROWD_MAX_MS if groups == 1 else staggered_limit_ms
        yield Figure(
            f"fields in {groups}: {AT_ONCE} cards at once, {where}, the last",
            f"worst of {CROWDS}: {worst_ms:.1f} ms",
            f"at most {limit_ms} ms",
            worst_ms <= limit_ms,
        )


def measure_worst(desk: TagDesk) -> Iterator[Figure]:
    """Interrupts, stack and losses over the arrivals and a line that is full both ways."""
    data = flood()
    for _ in range(FLOODS):
        desk.chip.rx(data)
        desk.run(40_000)
    figures, radio = desk.chip.figures(), desk.chip.radio()
    irq_off_us, lost, stack = figures["irq_off_max_us"], figures["rx_overruns"], figures["stack_free"]
    yield Figure(
        "worst time with interrupts off",
        f"{irq_off_us:.1f} us",
        f"at most {IRQ_OFF_MAX_US} us",
        irq_off_us <= IRQ_OFF_MAX_US,
    )
    yield Figure("received bytes the UART lost", str(lost), "0", lost == 0)
    yield Figure("frames on the air at the same time", str(radio["at_once"]), "0", radio["at_once"] == 0)
    yield Figure(
        "RAM the stack never reached",
        f"{stack} bytes",
        f"at least {STACK_FREE_MIN_BYTES} bytes",
        stack >= STACK_FREE_MIN_BYTES,
    )
    asleep = figures["asleep_cycles"] / figures["cycles"]
    seconds = figures["cycles"] / CLOCK_HZ
    yield Figure("asleep", f"{asleep:.1%} of {seconds:.0f} s", "none", True)


def main() -> int:
    """Print the table; 1 when a limit is missed."""
    figures = list(measure_sizes("ligretto"))
    figures += [measure_scan(groups, cards) for groups in GROUPS for cards in PILES]
    for groups in GROUPS:
        desk = booted(groups)
        lay_piles(desk, RESTING, range(0, READERS, 2))
        figures += measure_arrivals(desk, groups)
        if groups == 1:
            figures += measure_worst(desk)
        desk.chip.close()
    for figure in figures:
        verdict = "ok" if figure.holds else "MISSED"
        print(f"{figure.name:60}  {figure.value:42}  {figure.limit:24}  {verdict}")
    return 0 if all(figure.holds for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
