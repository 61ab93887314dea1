"""How many cards a second the rules of Ligretto judge, against the thirty a second that twelve may lay.

The round is laid at that pace on as many pads as it takes, so scans overlap and some cards come together.
Two figures: lines entered as `tablewire score` does it, and lines entered with everything shown after each,
as at a live table. One process, one core.
"""

from __future__ import annotations

import random
from time import perf_counter

from tablewire.games.ligretto.cards import FACES, Card
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import CardLine, Line, Rules, StopLine

PLAYERS = tuple(f"player {k}" for k in range(1, 13))
CARDS_PER_S = 30
CARDS_IN_ROUND = 400
SLICE_S = 1.5


def a_round(rng: random.Random) -> list[Line]:
    """The lines of one round: every card that fits somewhere, at random, and the stop."""
    lines: list[Line] = []
    hands = {Card(player, *face) for player in PLAYERS for face in FACES}
    tops: list[tuple[str, int]] = []
    t_ms = 0
    while len(lines) < CARDS_IN_ROUND:
        t_ms += round(rng.expovariate(CARDS_PER_S / 1000))
        fits = {(top[0], top[1] + 1): pad for pad, top in enumerate(tops) if top[1] < 10}
        choices = sorted(card for card in hands if card.value == 1 or card.face in fits)
        if not choices:
            break
        card = rng.choice(choices)
        hands.discard(card)
        pad = fits.get(card.face, len(tops))
        tops[pad : pad + 1] = [card.face]
        lines.append(CardLine(t_ms, pad, card))
    return [*lines, StopLine(t_ms, "blocked")]


def judged(lines: list[Line], seconds: float, *, shown: bool) -> float:
    """Lines per second, round after round for about `seconds`."""
    count = 0
    begun = perf_counter()
    while perf_counter() - begun < seconds:
        match = Match.begin(Rules(PLAYERS))
        for line in lines:
            match = match.enter(line)
            if shown:
                _ = match.closed.round
        count += len(lines)
    return count / (perf_counter() - begun)


def main() -> None:
    """Print lines per second, and how many times the need that is."""
    lines = a_round(random.Random(30))
    judged(lines, 0.1, shown=False)
    for what, shown in (("entered", False), ("entered and shown", True)):
        per_s = judged(lines, SLICE_S, shown=shown)
        print(f"ligretto, 12 players: {per_s:,.0f} cards/s {what}, {per_s / CARDS_PER_S:,.0f} times the need")


if __name__ == "__main__":
    main()
