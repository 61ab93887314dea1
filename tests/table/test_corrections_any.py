"""Whatever people do to a game in whatever order: it is what its list of moves says, replayed from nothing.

Random sessions of plays, corrections, undo, redo, rulings, masks and accepted tables. The slow rules judge
the record; they know nothing of the package.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.games import slow_rules
from tests.games.random_records import random_header

from tablewire.entries import Entry
from tablewire.games.base import RecordLine
from tablewire.games.catalogue import playable
from tablewire.games.cirkis.rules import Rules
from tablewire.games.cirkis.tiling import spaces_of
from tablewire.games.cirkis.wiring import SENSOR_COUNT, class_of, sensor_of
from tablewire.games.live import Refusal, Told
from tablewire.games.records import score_text
from tablewire.table import Table, restore
from tablewire.wire.observed import Complete, Snapshot

ACTIONS_PER_SESSION = 40
GAME = playable("cirkis")


class Session:
    """One evening of changing minds."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        header = {**random_header(self.rng), "x_place": "Café №1", "game": "cirkis"}
        self.pinned = {"header": GAME.pin(header), "rules_version": GAME.rules_version, "lying": None}
        self.table = Table.begin(self.pinned)
        self.kept: list[Entry] = []
        self.at_ms = 0

    @property
    def game(self) -> Any:
        return self.table.game

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.table.record().splitlines()[1:]]

    def act(self, name: str, **body: Any) -> Mapping[str, Any] | Refusal | None:
        """Do it; where a preview can be had, what was told before must be what is so afterwards."""
        told = None
        if name in ("correct", "accept"):
            asked = self.table.act(name, {**body, "preview": True})
            told = asked.body["preview"] if isinstance(asked, Told) else None
        before = self.table.document()
        answer = self.table.act(name, body)
        if isinstance(answer, Refusal):
            assert not answer.malformed, answer
            assert self.table.document() == before
            return answer
        assert isinstance(answer, tuple)
        # Not `enter`: what follows from the sensors then comes with the next look at the table.
        for entry in answer:
            json.dumps(entry.body, allow_nan=False)
            said = self.table.intervention(entry)
            assert (said is None) == (name in ("pass", "next_round"))
            self.table = self.table.evolve(entry)
            self.kept.append(entry)
        if told is not None:
            document = self.table.document()
            assert told["scores"] == {player["colour"]: player["score"] for player in document["players"]}
            assert told["next"] == document["turn"]
        return told

    def observe(self, layout: Mapping[int, str]) -> None:
        """The board is heard after a while: this is what lies there, and it has been quiet."""
        classes = bytearray(SENSOR_COUNT)
        for space, colour in layout.items():
            classes[sensor_of(space)] = class_of(colour)
        self.at_ms += 10_000
        for observation in (
            Snapshot(7, self.at_ms, self.at_ms, bytes(classes)),
            Complete(7, self.at_ms + 5_000),
        ):
            self.table, entries = self.table.observe(observation)
            self.kept += entries

    def check(self) -> None:
        """The document is what the engine makes of the record, and every line of it may stand."""
        *printed, last = score_text(self.table.record(), "record", Path())
        assert all(line.get("legal", True) for line in printed)
        document, result = self.table.document(), last["result"]
        assert result["scores"] == {player["colour"]: player["score"] for player in document["players"]}
        assert document["last"] == (printed[-1] if printed else None)
        assert len(document["history"]) == len(printed)

    def check_slowly(self) -> None:
        """The same by rules that are not the engine's, and the position with it."""
        record = self.table.record()
        assert slow_rules.score(record) == score_text(record, "record", Path())
        header, *lines = record.splitlines()
        slow = slow_rules.Table(json.loads(header))
        for line in lines:
            slow.line(line)
        document = self.table.document()
        assert {int(space): colour for space, colour in document["spaces"].items()} == slow.owner
        assert document["turn"] == slow.turn

    def check_restart(self) -> None:
        """A fold over the journal stands where the table stands."""
        again = restore(self.pinned, self.kept)
        assert again.document() == self.table.document()
        assert again.game == self.table.game

    def check_export(self) -> None:
        """The record taken in elsewhere is the same game, and goes out as the same text."""
        record = self.table.record()
        header, *lines = record.splitlines()
        rows = [RecordLine(n, line) for n, line in enumerate(lines, 2)]
        pinned = GAME.pin(json.loads(header))
        there = restore({**self.pinned, "header": pinned}, GAME.entries_of(pinned, rows))
        assert there.record() == record
        for key in ("history", "laid", "players", "turn", "result", "round", "totals", "leader"):
            theirs, ours = there.document()[key], self.table.document()[key]
            if key == "players":
                theirs = [{k: v for k, v in player.items() if k != "peg"} for player in theirs]
                ours = [{k: v for k, v in player.items() if k != "peg"} for player in ours]
            if key != "result" or self.table.document()["phase"] == "over":
                assert theirs == ours, key

    # What people do

    def play(self) -> None:
        legal = self.table.legal()["placements"]
        if legal:
            self.act("place", player=self.table.legal()["player"], spaces=self.rng.choice(legal)["spaces"])
        elif self.act("next_round") is not None:
            self.act("undo", count=self.rng.randint(1, 3))

    def play_on(self) -> None:
        for _ in range(self.rng.randint(2, 8)):
            self.play()

    def line(self) -> dict[str, Any]:
        """Any line: mostly a turn that could stand somewhere."""
        rng, rules = self.rng, self.rules()
        player = rng.choice(rules.players).value
        kind = rng.random()
        if kind < 0.7:
            filled = {int(space) for space in self.table.document()["spaces"]}
            free = [p for p in rules.placements if not filled & set(p.spaces)] or list(rules.placements)
            return {"player": player, "spaces": list(rng.choice(free).spaces)}
        if kind < 0.8:
            return {"player": player, "pass": True}
        if kind < 0.95:
            return {"ruling": {"points": {player: rng.choice([-5, 5, 20])}, "note": "größer", "x_n": [1]}}
        return {"round": rng.randint(1, 3), "x_at": "später"}

    def rules(self) -> Rules:
        rules = self.game.moves.rules
        assert isinstance(rules, Rules)
        return rules

    def correct(self) -> None:
        rng, count = self.rng, len(self.lines())
        do = rng.choice(["replace", "replace", "insert", "remove"])
        if not count and do != "insert":
            return
        n = rng.randint(max(1, count - 6), count + (do == "insert"))
        line = {} if do == "remove" else {"line": self.line()}
        flags = {"keep_forced": rng.random() < 0.8, "drop_rest": rng.random() < 0.5}
        before = self.lines()
        told = self.act("correct", n=n, do=do, **line, **flags, note="weil")
        if isinstance(told, Refusal):
            assert told.reason == "would_be_illegal"
            assert self.lines() == before
            return
        assert told is not None
        assert flags["keep_forced"] or not told["forced"]
        assert flags["drop_rest"] or not told["lost"]
        gained = {"insert": 1, "replace": 0, "remove": -1}[do]
        assert len(self.lines()) == len(before) + gained - len(told["lost"]), "nothing is dropped silently"

    def rule(self) -> None:
        points = {self.rng.choice(self.rules().players).value: self.rng.choice([-10, 5, 15])}
        self.act("ruling", points=points, note="абв")

    def take_back(self) -> None:
        before, count = self.lines(), self.rng.randint(1, 5)
        if self.act("undo", count=count) is None and self.rng.random() < 0.4:
            self.act("ruling", points={self.rules().players[0].value: 0})
            self.act("undo")
            self.act("redo")
            self.act("undo")
            assert self.act("redo", count=count + 1) is None
            after = self.lines()
            assert after.pop(-1 - count) == {"ruling": {"points": {self.rules().players[0].value: 0}}}
            assert after == before
            self.act("undo", count=count + 1)

    def bring_back(self) -> None:
        self.act("redo", count=self.rng.randint(1, 3))

    def force(self) -> None:
        line = self.line()
        if "spaces" in line:
            self.act("place", **line, forced=True)

    def mask(self) -> None:
        self.act("mask", sensors=[self.rng.randrange(SENSOR_COUNT)], masked=self.rng.random() < 0.6)

    def accept(self) -> None:
        """Someone puts the table into some disorder, and it is to count."""
        rng = self.rng
        layout = {int(space): colour for space, colour in self.table.document()["spaces"].items()}
        for _ in range(rng.randint(0, 3)):
            if layout:
                layout.pop(rng.choice(sorted(layout)))
        for _ in range(rng.randint(0, 3)):
            layout[rng.randint(1, 165)] = rng.choice(self.rules().players).value
        self.accept_as(layout)

    def accept_a_round(self) -> None:
        """Some moves are taken back, others played, and nobody read the table meanwhile."""
        rules, state = self.rules(), self.game.moves.state
        count = self.rng.randint(0, min(2, state.moves))
        earlier = [move.step.state for move in self.game.moves.moves]
        state = earlier[-1 - count] if count < len(earlier) else state
        for _ in range(self.rng.randint(1, len(rules.players))):
            legal = rules.legal_placements(state)
            state = rules.place(state, self.rng.choice(legal)) if legal else state
        masks = dict(zip(rules.players, state.masks, strict=True))
        self.accept_as({s: player.value for player, mask in masks.items() for s in spaces_of(mask)})

    def accept_as(self, layout: dict[int, str]) -> None:
        self.observe(layout)
        told = self.act("accept", note="so lag es")
        if isinstance(told, Refusal):
            assert told.reason in ("nothing_to_accept", "several", "cannot_accept")
            return
        assert told is not None
        position = {int(space): colour for space, colour in self.table.document()["spaces"].items()}
        believed = {space for space in range(1, 166) if sensor_of(space) not in self.table.lies.masked}
        for piece in self.table.document()["laid"]:
            if any(layout.get(space) == piece["player"] for space in piece["spaces"]):
                believed -= set(piece["spaces"])  # a piece of which one space reads lies there
        for space in believed:
            if position.get(space) != layout.get(space):
                # A weak magnet of nobody who plays is the strong one of its pole.
                assert layout.get(space) is None or position.get(space) is not None, space


@pytest.mark.parametrize("seed", range(5))
def test_any_session_is_its_record_replayed(seed: int) -> None:
    session = Session(seed)
    deeds = [
        *([session.play_on] * 4),
        *([session.correct] * 7),
        *([session.accept] * 2),
        *([session.accept_a_round] * 2),
        *([session.take_back] * 2),
        *([session.bring_back] * 2),
        session.rule,
        session.force,
        session.mask,
    ]
    for _ in range(ACTIONS_PER_SESSION):
        session.rng.choice(deeds)()
        session.check()
    session.check_slowly()
    session.check_restart()
    session.check_export()
    assert len(session.kept) > ACTIONS_PER_SESSION // 2
