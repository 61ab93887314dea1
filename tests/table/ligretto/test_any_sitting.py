"""Any evening of Ligretto: quick hands, wrong cards, stray and missed readings, people at the page.

The evenings are drawn from a seed. The same is told once sighting by sighting with the board's word of quiet
in between, and once in batches cut anywhere: the same game must come out, and so it must after a restart.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table.ligretto.pads import NONCE, STRANGER, Pads, uid_of

from tablewire.games.ligretto.cards import Colour
from tablewire.games.live import Refusal, Told
from tablewire.games.records import score_text
from tablewire.table import Table, restore
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Complete, Observation, Sighting, Sightings

PLAYERS = ("Anna", "Ben", "Cleo")
PADS = 6
CARDS_A_ROUND = 25
Act = tuple[str, dict[str, Any]]
Event = Sighting | Act


class Evening:
    """Hands, readers and operators, drawn from `rng`: events in order of the board's time."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.number, self.now_ms = 0, 1_000
        self.lying: set[tuple[int, str]] = set()

    def events(self, rounds: int) -> Iterator[Event]:
        """The whole evening."""
        for number in range(rounds):
            yield from self._round()
            yield self._tell(Sight.DOWN, self.rng.randrange(len(PLAYERS)))
            yield from self._after_the_stop()
            if number + 1 < rounds:
                yield "next_round", {}
        self.now_ms += 5_000

    def _round(self) -> Iterator[Event]:
        hands = {name: [f"{c.value} {v}" for c in Colour for v in range(1, 11)] for name in PLAYERS}
        piles: dict[int, tuple[str, int]] = {}
        for _ in range(CARDS_A_ROUND):
            self.now_ms += self.rng.choice((0, 5, 20, 45, 100, 300, 900, 2_500))
            player = self.rng.choice(PLAYERS)
            pad, face = self._laid(hands[player], piles)
            card = STRANGER if self.rng.random() < 0.02 else f"{player} {face}"
            yield from self._come(pad, uid_of(card))
            rival = self.rng.choice(PLAYERS)
            if rival != player and face in hands[rival] and self.rng.random() < 0.3:
                # Another one with the same face was as quick.
                self.now_ms += self.rng.choice((0, 30))
                yield from self._come(pad, uid_of(f"{rival} {face}"))
            if self.rng.random() < 0.15:
                # The next antenna reads it too, sooner or later.
                self.now_ms += self.rng.choice((1, 60, 140, 400, 2_000))
                yield from self._come((pad + 1) % PADS, uid_of(card))
            if self.rng.random() < 0.2:
                yield from self._go_some()
            if self.rng.random() < 0.15:
                yield self._operator()

    def _laid(self, hand: list[str], piles: dict[int, tuple[str, int]]) -> tuple[int, str]:
        """Mostly a card that fits where it is laid, sometimes any card anywhere."""
        wanted = {pad: f"{piles[pad][0]} {piles[pad][1] + 1}" for pad in range(PADS) if pad in piles}
        fitting = [
            (pad, face)
            for pad in range(PADS)
            for face in hand
            if wanted.get(pad, face) == face and (pad in wanted or face.endswith(" 1"))
        ]
        if fitting and self.rng.random() < 0.85:
            pad, face = self.rng.choice(fitting)
            piles[pad] = (face.split()[0], int(face.split()[1]))
        else:
            pad, face = self.rng.randrange(PADS), self.rng.choice(hand)
        if face in hand and self.rng.random() < 0.95:
            hand.remove(face)
        return pad, face

    def _go_some(self) -> Iterator[Event]:
        """Readers miss what lies there, or somebody takes it off; some of it comes back. Or the board tells
        anew of all that lies there.
        """
        if self.rng.random() < 0.2:
            yield self._tell(Sight.ANEW, 0)
            for pad, uid in sorted(self.lying):
                self.now_ms += 1
                yield self._tell(Sight.FOUND, pad, uid)
            return
        for pad, uid in self.rng.sample(sorted(self.lying), min(2, len(self.lying))):
            self.now_ms += self.rng.choice((10, 200))
            yield from self._go(pad, uid)
            if self.rng.random() < 0.6:
                self.now_ms += self.rng.choice((30, 400, 1_900))
                yield from self._come(pad, uid)

    def _after_the_stop(self) -> Iterator[Event]:
        self.now_ms += self.rng.choice((0, 10, 3_000))
        if self.rng.random() < 0.5:
            yield from self._come(self.rng.randrange(PADS), uid_of(f"{self.rng.choice(PLAYERS)} red 9"))
        self.now_ms += 3_000
        if self.rng.random() < 0.5:
            yield "count", {"pad": PADS}
            for value in range(self.rng.randrange(4)):
                self.now_ms += 700
                uid = uid_of(f"{self.rng.choice(PLAYERS)} yellow {10 - value}")
                yield from self._come(PADS, uid)
                yield from self._go(PADS, uid)
        left = {name: self.rng.randrange(6) for name in PLAYERS}
        yield "left", {"left": left, "drop_rest": True}
        yield "count", {"pad": None}
        yield "left", {"left": left, "drop_rest": True}
        # Whoever stopped has none left.
        yield from (("left", {"left": {**left, name: 0}, "drop_rest": True}) for name in PLAYERS)
        for pad, uid in sorted(self.lying):
            if self.rng.random() < 0.9:
                self.now_ms += 20
                yield from self._go(pad, uid)

    def _operator(self) -> Act:
        """Somebody at the page: it may well be refused."""
        rng = self.rng
        n = rng.randrange(1, 30)
        card = {
            "owner": rng.choice(PLAYERS),
            "colour": rng.choice(list(Colour)).value,
            "value": rng.randrange(1, 11),
        }
        acts: list[Act] = [
            *[("undo", {})] * 3,
            *[("redo", {})] * 2,
            ("correct", {"n": n, "do": "remove"}),
            ("correct", {"n": n, "do": "insert", "line": {"pad": rng.randrange(PADS), "card": card}}),
            ("correct", {"n": n, "line": {"pad": rng.randrange(PADS), "card": card}}),
            ("decide", {"n": n, "winner": rng.choice(PLAYERS)}),
            ("round_stop", {"player": rng.choice(PLAYERS)}),
            ("unstop", {}),
            ("correct", {"tag": STRANGER, "card": card}),
            *[("choice", {"at": rng.randrange(3)})] * 3,
        ]
        return rng.choice(acts)

    def _come(self, pad: int, uid: str) -> Iterator[Event]:
        if (pad, uid) not in self.lying:
            self.lying.add((pad, uid))
            yield self._tell(Sight.CAME, pad, uid)

    def _go(self, pad: int, uid: str) -> Iterator[Event]:
        if (pad, uid) in self.lying:
            self.lying.discard((pad, uid))
            yield self._tell(Sight.GONE, pad, uid)

    def _tell(self, what: Sight, source: int, uid: str = "") -> Sighting:
        self.number += 1
        return Sighting(self.number, what, source, uid, self.now_ms)


class Player:
    """One table that is told an evening."""

    def __init__(self, pads: Pads) -> None:
        self.pinned, self.table = pads.pinned, pads.table
        self.kept: list[Any] = []

    def observe(self, observation: Observation) -> None:
        """Take it in and keep what follows."""
        self.table, entries = self.table.observe(observation)
        self.kept += entries

    def act(self, name: str, body: dict[str, Any]) -> None:
        """What somebody does, if it is possible."""
        if name == "choice":
            offered = (self.table.document()["message"] or {"choices": []})["choices"]
            if body["at"] >= len(offered):
                return
            name, body = "choose", {"id": offered[body["at"]]["id"]}
        answer = self.table.act(name, body)
        if not isinstance(answer, Refusal | Told):
            self.table, entries = self.table.enter(answer)
            self.kept += entries

    def check(self) -> dict[str, Any]:
        """What holds at any moment; the document."""
        doc = self.table.document()
        heights = sum(pile["height"] for pile in doc["pads"].values())
        if doc["phase"] in ("playing", "hold"):
            assert sum(player["played"] for player in doc["players"]) + len(doc["undecided"]) == heights
        assert all(pile["height"] == pile["value"] for pile in doc["pads"].values())
        return doc


def quiet(player: Player, at_ms: int) -> None:
    """The board's word for that time."""
    player.observe(Complete(NONCE, at_ms))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_any_evening_comes_out_the_same_however_it_is_told_and_scores_as_it_shows(
    seed: int, cuts: int
) -> None:
    rng = Random(cuts)
    pads = Pads(*PLAYERS, rounds=2)
    one, many = Player(pads), Player(pads)
    evening = Evening(Random(seed))
    waiting: list[Sighting] = []

    def deliver() -> None:
        while waiting:
            count = rng.randrange(1, len(waiting) + 1)
            many.observe(Sightings(NONCE, tuple(waiting[:count])))
            del waiting[:count]

    for event in evening.events(2):
        if isinstance(event, Sighting):
            if rng.random() < 0.3:
                quiet(one, event.device_ms)
            one.observe(Sightings(NONCE, (event,)))
            one.check()
            waiting.append(event)
            continue
        # A deed is done on what is known by then.
        deliver()
        for player in (one, many):
            quiet(player, evening.now_ms)
            player.act(*event)
            player.check()
    deliver()
    for player in (one, many):
        quiet(player, evening.now_ms + 10_000)
    doc = one.check()
    assert many.check() == doc
    assert one.table.record() == many.table.record()
    assert restore(one.pinned, one.kept).document() == doc
    without_the_board = [entry for entry in one.kept if entry.kind != "observation"]
    assert restore(one.pinned, without_the_board).record() == one.table.record()
    check_score(one.table, doc)


def check_score(table: Table, doc: dict[str, Any]) -> None:
    """What `tablewire score` makes of the record is what the page shows."""
    *lines, result = score_text(table.record(), "the record", Path())
    assert result["result"]["totals"] == doc["totals"]
    scored = [line for line in lines if "totals" in line]
    assert [line["points"] for line in scored] == [score["points"] for score in doc["history"]]
    assert [line.get("legal", line.get("stop")) for line in lines[-12:]] == [
        line.get("legal", line.get("stop")) for line in doc["log"]
    ]
    assert len(lines) == doc["moves"]
    assert json.loads(json.dumps(doc)) == doc
