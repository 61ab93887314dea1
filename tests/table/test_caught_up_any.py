"""Random games, some turns of which nobody saw: the independent slow rules say what may be taken over."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from typing import Any

import pytest
from tests.games import slow_rules
from tests.games.slow_lines import Outcome, outcomes

from tablewire.entries import Entry
from tablewire.games.catalogue import playable
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.record import Turn, encode_line, parse_header
from tablewire.games.cirkis.rules import Rules
from tablewire.games.cirkis.tiling import SpaceId
from tablewire.games.cirkis.wiring import SENSOR_COUNT, class_of, sensor_of
from tablewire.games.live import Refusal, Told
from tablewire.table import Table
from tablewire.wire.observed import Complete, Snapshot

CASES = 40
TOLD_MAX = 9
"""More ways than the page offers; to know that there are as many is enough."""
HEADERS: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("hasbro", ("red", "green"), {}),
    ("international", ("purple", "red", "yellow"), {"center_ring": True, "target": 15}),
    ("hasbro", ("red", "green", "purple", "yellow"), {"target": 1000}),
)


def header(number: int) -> dict[str, Any]:
    rulebook, players, options = HEADERS[number]
    return {"record": 1, "game": "cirkis", "rulebook": rulebook, "players": list(players), "options": options}


def random_lines(first: dict[str, Any], rng: random.Random) -> list[dict[str, Any]]:
    """A legal game of at most fifty turns; pieces of one space come as often as others."""
    parsed = parse_header(first)
    rules = Rules(parsed.players, parsed.options)
    state, lines = rules.start(), list[dict[str, Any]]()
    while state.to_move is not None and len(lines) < 50:
        piece = rng.choice(rules.legal_placements(state))
        lines.append(encode_line(Turn(state.to_move, piece.spaces)))
        state = rules.place(state, piece)
    return lines


class Unseen:
    """A table on which `known` was played; then the board boots anew, and what is `new` lies there too."""

    def __init__(self, first: dict[str, Any], known: list[dict[str, Any]], new: dict[int, str]) -> None:
        game = playable("cirkis")
        pinned = {"header": game.pin(first), "rules_version": game.rules_version, "lying": None}
        self.table, self.kept = Table.begin(pinned), list[Entry]()
        for line in known:
            answer = self.table.act("place", line)
            assert not isinstance(answer, Refusal | Told)
            self.table, _ = self.table.enter(answer)
        classes = bytearray(SENSOR_COUNT)
        for line in known:
            for space in line["spaces"]:
                classes[sensor_of(space)] = class_of(PlayerColour(line["player"]))
        self.observe(Snapshot(1, 0, 100, bytes(classes)))
        self.observe(Complete(1, 10_000))
        for space, colour in new.items():
            classes[sensor_of(SpaceId(space))] = class_of(PlayerColour(colour))
        self.observe(Snapshot(2, 0, 100, bytes(classes)))
        for at_ms in range(500, 5_000, 500):
            self.observe(Complete(2, at_ms))

    def observe(self, seen: Snapshot | Complete) -> None:
        self.table, entries = self.table.observe(seen)
        self.kept += entries

    def record(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.table.record().splitlines()[1:]]


def led_to(first: dict[str, Any], known: list[dict[str, Any]], new: list[dict[str, Any]]) -> Outcome:
    """Where moves lead by the slow rules."""
    table = slow_rules.Table(first)
    for line in (*known, *new):
        assert table.line(json.dumps(line))["legal"]
    pieces = frozenset((line["player"], frozenset(line["spaces"])) for line in new)
    return Outcome(pieces, tuple(sorted(table.scores.items())), table.leader, table.turn, table.ended)


@pytest.mark.parametrize("number", range(len(HEADERS)))
def test_turns_played_unseen_are_taken_over_exactly_when_one_line_alone_leads_there(number: int) -> None:
    rng, seen = random.Random(number + 6), Counter[str]()
    first = header(number)
    for _ in range(CASES):
        lines = random_lines(first, rng)
        begin = rng.randrange(1, len(lines))
        end = min(len(lines), begin + rng.randint(1, len(first["players"]) + 1))
        new = {space: line["player"] for line in lines[begin:end] for space in line["spaces"]}
        if rng.random() < 0.25:  # and somebody lays one magnet where no rule leads
            taken = {space for line in lines[:end] for space in line["spaces"]}
            new[rng.choice([space for space in range(1, 166) if space not in taken])] = "red"
        seen[tried(first, lines[:begin], new)] += 1
    assert set(seen) == {"one way", "several ways", "no way"}, seen
    assert seen["one way"] > CASES // 3


def tried(first: dict[str, Any], known: list[dict[str, Any]], new: dict[int, str]) -> str:
    """Lay `new` unseen after `known` was played, judge what becomes of it; how many ways there are."""
    slow = slow_rules.Table(first)
    for line in known:
        slow.line(json.dumps(line))
    wanted = defaultdict[str, set[int]](set)
    for space, colour in new.items():
        wanted[colour].add(space)
    ways = outcomes(slow, wanted, TOLD_MAX)
    unseen = Unseen(first, known, new)
    record, message = unseen.record(), unseen.table.document()["message"]
    assert record[: len(known)] == known
    if len(ways) == 1:
        assert {led_to(first, known, record[len(known) :])} == ways
        assert message is None or message["kind"] == "peg"
        return "one way"
    assert record == known, (ways, record)
    assert message is not None
    if not ways:
        assert message["kind"] != "ambiguous" or message["choices"]
        return "no way"
    assert message["kind"] == "ambiguous", message
    assert len(message["choices"]) != 1
    return "several ways"
