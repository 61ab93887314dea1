"""Seeded random records of Ligretto: hands that lay what fits, several at once, and slip now and then.

Owns the mixture. The rules under test only say what would fit; what a line leads to is judged elsewhere.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from tablewire.games.ligretto.cards import Card, Colour
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import parse_header, parse_line

Json = dict[str, Any]
NAMES = ["red", "green", "blue", "yellow", "Ömer", "x_ray", "No 7", "ada", "bo", "cy", "di", "ed"]
LINES_MAX = 90
BURST_MAX = 5
"""The slow rules try every order of a scan."""


def random_header(rng: random.Random) -> Json:
    players = rng.sample(NAMES, rng.choice([2, 2, 3, 4, 12]))
    options: Json = {}
    if rng.random() < 0.5:
        options["scan_ms"] = rng.choice([0, 1, 20, 40, 100, 5000])
    if rng.random() < 0.4:
        options["left_penalty"] = rng.choice([0, 1, 2, 3, 10**20])
    if rng.random() < 0.7:
        options |= rng.choice([{"rounds": 1}, {"rounds": 2}, {"rounds": 3}, {"target": 1}, {"target": 15}])
    header: Json = {"record": 1, "game": "ligretto", "players": players}
    if options or rng.random() < 0.5:
        header["options"] = options | rng.choice([{}, {"x_why": [1]}])
    return header | rng.choice([{}, {"x_table": None}])


class Hands:
    """Everybody's hands at one table, and the record that is written of them."""

    def __init__(self, rng: random.Random, wildness: float, header: Json | None = None) -> None:
        self.rng, self.wildness = rng, wildness
        self.header = header or random_header(rng)
        self.match = Match.begin(parse_header(self.header))
        self.rows: list[Json] = []
        self.t_ms = rng.choice([0, 500, 10**12])
        self.in_scan = 0

    @property
    def players(self) -> list[str]:
        return list(self.header["players"])

    def write(self, row: Json) -> None:
        self.rows.append(row)
        self.match = self.match.enter(parse_line(row))

    def lay(self, pad: int, card: Card) -> None:
        extra = self.rng.choice([{}, {}, {}, {"x_uid": "04AA"}])
        self.write({"t_ms": self.t_ms, "pad": pad, "card": {**card._asdict(), **extra}, **extra})

    def wait(self) -> None:
        scan_ms = self.match.rules.scan_ms
        step_ms = self.rng.choice([0, 0, 1, 7, scan_ms // 2, scan_ms, scan_ms + 1, scan_ms + 1, 300])
        if self.in_scan >= BURST_MAX:
            step_ms = scan_ms + 1
        self.in_scan = 0 if step_ms > scan_ms else self.in_scan + 1
        self.t_ms += step_ms

    def fitting(self, pad: int) -> list[Card]:
        """The cards that would go on the pad, were all that has come taken as it is."""
        shown = self.match.closed.round
        pile = shown.piles.get(pad)
        if pile is None:
            faces = [(colour.value, 1) for colour in Colour]
        else:
            faces = [(pile.colour, pile.value + 1)] if not pile.is_complete else []
        every = (Card(player, *face) for face in faces for player in self.players)
        return [card for card in every if card not in shown.accepted]

    def play(self) -> None:
        self.wait()
        pad = self.rng.randrange(4)
        fitting = self.fitting(pad)
        if not fitting:
            return
        first = self.rng.choice(fitting)
        burst = [first]
        if self.rng.random() < 0.15 and len(fitting) > 1:
            burst += [card for card in self.rng.sample(fitting, min(len(fitting), 3)) if card != first]
        if self.rng.random() < 0.15:
            burst += [Card(self.rng.choice(self.players), first.colour, first.value + k) for k in (1, 2)]
        if self.rng.random() < 0.05:
            burst.append(first)
        self.rng.shuffle(burst)
        for card in burst:
            self.lay(pad, card)
        self.in_scan += len(burst) - 1

    def slip(self) -> None:
        self.wait()
        owner = self.rng.choice([*self.players, "stranger", "blocked", ""])
        colour = self.rng.choice(["red", "green", "yellow", "blue", "blue", "purple", "Red"])
        value = self.rng.choice([-3, 0, 1, 1, 2, 3, 4, 10, 11, 10**30])
        card = Card(owner, colour, value)
        shown = self.match.closed.round
        kind = self.rng.random()
        if shown.accepted and kind < 0.25:
            card = self.rng.choice(list(shown.accepted))
        elif shown.piles and kind < 0.7:
            pile = self.rng.choice(list(shown.piles.values()))
            near = pile.value + self.rng.choice([0, 1, 1, 2])
            card = Card(self.rng.choice(self.players), self.rng.choice([pile.colour, "red", "blue"]), near)
        for pad in self.rng.choices(range(4), k=self.rng.choice([1, 1, 2])):
            self.lay(pad, card)
            self.in_scan += 1

    def stop(self) -> None:
        self.wait()
        by = self.rng.choice(
            [*self.players, *self.players, "blocked", "stranger", *[None] * len(self.players)]
        )
        self.write({"t_ms": self.t_ms, "stop": by})

    def decide(self) -> None:
        groups = self.match.closed.round.undecided
        n = self.rng.randint(-1, self.match.n + 2)
        winner = self.rng.choice([*self.players, "stranger"])
        if groups and self.rng.random() < 0.8:
            group = self.rng.choice(groups)
            n = self.rng.choice(group.ns)
            winner = self.rng.choice([*group.players, winner])
        self.write({"decide": n, "winner": winner, **self.rng.choice([{}, {"x_by": "Ada"}])})

    def count(self) -> None:
        shown = self.match.closed.round
        if shown.stopped is None and self.rng.random() < 0.8:
            by = self.rng.choice([*self.players, "blocked"])
            self.write({"t_ms": self.t_ms, "stop": by})
            shown = self.match.closed.round
        left: Json = {player: self.rng.randint(0, 10) for player in self.players}
        if shown.stopped is not None and shown.stopped.by in left:
            left[shown.stopped.by] = 0
        if self.rng.random() < 0.3:
            player = self.rng.choice(self.players)
            left[player] = self.rng.choice([11, -1, 2.0, "4", None, True, [3], 3, 10**20])
        if self.rng.random() < 0.1:
            del left[self.rng.choice(self.players)]
        if self.rng.random() < 0.2:
            left[self.rng.choice(["stranger", "blocked", "x_note"])] = 0
        items = list(left.items())
        self.rng.shuffle(items)
        before = len(self.match.rounds)
        self.write({"left": dict(items)})
        if len(self.match.rounds) > before and self.rng.random() < 0.7:
            self.t_ms = self.rng.choice([0, self.t_ms, self.t_ms + 1000])
            self.in_scan = 0

    def go_on(self) -> None:
        wild: list[Callable[[], None]] = [self.slip, self.slip, self.slip, self.stop, self.decide, self.count]
        self.rng.choice(wild)() if self.rng.random() < self.wildness else self.play()


def random_record(
    rng: random.Random, wildness: float, header: Json | None = None, lines_max: int = LINES_MAX
) -> str:
    """The text of a record. `wildness`: how often a line is something else than a card that would fit."""
    hands = Hands(rng, wildness, header)
    while len(hands.rows) < lines_max and not hands.match.is_over:
        hands.go_on()
    for _ in range(rng.randint(0, 6)):
        hands.go_on()
    lines = [json.dumps(row) for row in [hands.header, *hands.rows]]
    for _ in range(rng.choice([0, 0, 2])):
        lines.insert(rng.randint(0, len(lines)), rng.choice(["", "  "]))
    return "\n".join(lines)


ODD_VALUES: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    1,
    3.0,
    "",
    "3",
    "x_a",
    [],
    {},
    ["Anna"],
    {"x_a": 1},
    10**40,
]


def spoilt(rng: random.Random, text: str) -> str:
    """The record with something changed somewhere that may make it none, or another one."""
    rows = [json.loads(line) for line in text.split("\n") if line.strip()]
    row = rng.choice([rows[0], *rng.sample(rows, min(3, len(rows)))])
    inner = [value for value in row.values() if isinstance(value, dict)]
    place: Json = rng.choice([row, *inner])
    key = rng.choice([*place, "x_new", "t_ms", "rounds", "note"])
    if rng.random() < 0.3:
        place.pop(key, None)
    else:
        place[key] = rng.choice(ODD_VALUES)
    if rng.random() < 0.2:
        rows.insert(rng.randint(0, len(rows)), rng.choice([*ODD_VALUES, rows[0], rows[-1]]))
    return "\n".join(json.dumps(row) for row in rows)
