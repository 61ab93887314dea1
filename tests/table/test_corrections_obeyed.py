"""After whatever was taken back or corrected, the steps on the page lead back to play, and play nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tablewire.games.catalogue import playable
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.wiring import SENSOR_COUNT, class_of, sensor_of
from tablewire.games.live import Refusal
from tablewire.table import Table
from tablewire.wire.observed import Changes, Complete, Observation, SensorChange, Snapshot

GAME = playable("cirkis")
ROUNDS = 22
NONCE = 7


class Desk:
    """A table with real pieces: what hands do is read by the sensors."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        players = [str(colour) for colour in self.rng.sample(list(PlayerColour), self.rng.randint(2, 4))]
        header = GAME.pin({"record": 1, "game": "cirkis", "players": players, "options": {"target": 1000}})
        pinned = {"header": header, "rules_version": GAME.rules_version, "lying": None}
        self.players = players
        self.table = Table.begin(pinned)
        self.there: dict[int, str] = {}
        self.number, self.now_ms = 0, 0
        self.see(Snapshot(NONCE, 0, 0, bytes(SENSOR_COUNT)))

    @property
    def doc(self) -> dict[str, Any]:
        return self.table.document()

    def see(self, observation: Observation) -> None:
        self.table, _ = self.table.observe(observation)

    def hands(self, changes: dict[int, str | None]) -> None:
        """Pieces are laid and lifted, one space after another, and left alone then."""
        for space, colour in changes.items():
            before = self.there.get(space)
            if before == colour:
                continue
            self.now_ms += 60
            self.number += 1
            classes = [0 if one is None else int(class_of(one)) for one in (before, colour)]
            change = SensorChange(self.number, sensor_of(space), classes[0], classes[1], self.now_ms)
            self.see(Changes(NONCE, (change,)))
            if colour is None:
                del self.there[space]
            else:
                self.there[space] = colour
        self.now_ms += 4_000
        self.see(Complete(NONCE, self.now_ms))

    def play(self) -> None:
        legal = self.table.legal()
        if legal["placements"]:
            piece = self.rng.choice(legal["placements"])
            self.hands(dict.fromkeys(piece["spaces"], legal["player"]))

    def meddle(self) -> str:
        """Undo, redo or a correction; "" when it was refused."""
        rng, count = self.rng, len(self.doc["history"])
        free = [list(piece.spaces) for piece in default_piece_set().placements]
        line = {"player": rng.choice(self.players), "spaces": rng.choice(free)}
        flags = {"keep_forced": True, "drop_rest": True}
        n = rng.randint(max(1, count - 4), max(1, count))
        deeds: list[tuple[str, dict[str, Any]]] = [
            ("undo", {"count": rng.randint(1, 3)}),
            ("redo", {"count": rng.randint(1, 3)}),
            ("correct", {"n": n, "do": "remove", **flags}),
            ("correct", {"n": n, "line": line, **flags}),
            ("correct", {"n": n, "do": "insert", "line": line, **flags}),
            ("ruling", {"points": {self.players[0]: 5}}),
        ]
        name, body = rng.choice(deeds)
        answer = self.table.act(name, body)
        if isinstance(answer, Refusal):
            return ""
        assert isinstance(answer, tuple)
        self.table, _ = self.table.enter(answer)
        return name

    def obey(self) -> None:
        """Do what the page says, in any order, until it asks for nothing."""
        for _ in range(6):
            message = self.doc["message"]
            if message is None or message["kind"] == "peg":
                return
            assert message["kind"] in ("restore", "setup"), message
            steps = list(message["steps"])
            self.rng.shuffle(steps)
            hands: dict[int, str | None] = {}
            for step in steps:
                for space in step["spaces"]:
                    hands.setdefault(space, None)
                    if step["do"] == "place":
                        hands[space] = step["colour"]
            if self.rng.random() < 0.3:
                hands = dict(list(hands.items())[: self.rng.randint(1, len(hands))])
            self.hands(hands)


@pytest.mark.parametrize("seed", range(4))
def test_the_steps_after_any_correction_lead_back_to_play_and_record_nothing(seed: int) -> None:
    desk = Desk(seed)
    done = 0
    for _ in range(ROUNDS):
        for _ in range(desk.rng.randint(1, 3)):
            desk.play()
        for _ in range(desk.rng.randint(1, 2)):
            done += bool(desk.meddle())
        record = desk.table.record()
        for _ in range(4):
            desk.obey()
        assert desk.table.record() == record, "what was asked for is no move"
        if desk.doc["phase"] == "over":
            return
        assert desk.doc["phase"] == "playing"
        position = {int(space): colour for space, colour in desk.doc["spaces"].items()}
        assert position == desk.there
    assert done > ROUNDS // 2


@pytest.mark.parametrize("seed", range(4))
def test_whatever_was_done_to_the_pieces_once_accepted_the_game_is_what_lies_there(seed: int) -> None:
    """Pieces are taken away, swapped, added, moved by a space; the players agree that it is to count."""
    desk = Desk(seed)
    accepted = 0
    for _ in range(ROUNDS):
        for _ in range(desk.rng.randint(1, 4)):
            desk.play()
        desk.hands(disorder(desk))
        answer = desk.table.act("accept", {"note": "agreed"})
        if isinstance(answer, Refusal) and answer.reason == "several":
            answer = desk.table.act("choose", {"id": desk.rng.choice(answer.details["choices"])["id"]})
        if isinstance(answer, Refusal):
            assert answer.reason in ("nothing_to_accept", "cannot_accept"), answer
            desk.obey()
            desk.obey()
            continue
        assert isinstance(answer, tuple)
        desk.table, _ = desk.table.enter(answer)
        accepted += 1
        doc = desk.doc
        if doc["phase"] == "over":
            return
        assert doc["phase"] == "playing"
        half = set(desk.table.game.survey(desk.table.lies).seating.half_seated)  # type: ignore[union-attr]
        position = {int(space): colour for space, colour in doc["spaces"].items() if int(space) not in half}
        assert position == {space: colour for space, colour in desk.there.items() if space not in half}
    assert accepted > ROUNDS // 4


def disorder(desk: Desk) -> dict[int, str | None]:
    """What clumsy hands leave behind."""
    rng, there = desk.rng, desk.there
    pieces = [(piece["player"], piece["spaces"]) for piece in desk.doc["laid"]]
    changes: dict[int, str | None] = {}
    for player, spaces in rng.sample(pieces, min(len(pieces), rng.randint(0, 2))):
        changes |= dict.fromkeys(spaces)
        if rng.random() < 0.5:
            other = rng.choice(default_piece_set().placements).spaces
            changes |= {space: player for space in other if space not in there}
    if rng.random() < 0.4:
        changes[rng.randint(1, 165)] = rng.choice(desk.players)
    return changes
