"""Several games on one table over many evenings: put aside, gone on with, cleared, laid again, killed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.system.games import header
from tests.system.rig import Killed, Rig

SPACE_COUNT = 165
SETTLED_MS = 2_500
STEPS_COUNT = 14
OBEYED_MAX_COUNT = 5
"""More rounds of steps than this are a page that asks for the same again and again."""


class Evenings:
    """Hands that obey the page, and a list of moves for each game that knows nothing of the program."""

    def __init__(self, rig: Rig, rng: random.Random) -> None:
        self._rig = rig
        self._rng = rng
        self.moves: dict[str, list[list[int]]] = {rig.doc["game_id"]: []}
        self.current: str | None = rig.doc["game_id"]

    def step(self) -> None:
        """One thing that people, or the power, do."""
        deeds = [self.play, self.play, self.play, self.switch, self.switch, self.restart]
        self._rng.choice(deeds)()
        self.check()

    def play(self) -> None:
        """The next player lays a legal piece."""
        legal = self._rig.core.table.legal()
        if self.current is None or not legal["placements"]:
            return
        piece = self._rng.choice(legal["placements"])
        spaces = sorted(piece["spaces"])
        self._rig.do(f"place {legal['player']} {','.join(map(str, spaces))} over 100")
        self._rig.run(SETTLED_MS)
        self.moves[self.current].append(spaces)

    def switch(self) -> None:
        """Another game, a new one, or none; the program may be killed between the disk and the page."""
        choices: list[tuple[str, dict[str, Any]]] = [
            ("put_aside", {}),
            ("new_game", {"players": ["red", "green"]}),
            *(("resume_game", {"game_id": game_id}) for game_id in self.moves),
        ]
        name, body = self._rng.choice(choices)
        if name == "put_aside" and self.current is None:
            return
        self._rig.die_before_showing = self._rng.random() < 0.3
        try:
            assert self._rig.core.act(name, body).status == 200
        except Killed:
            self._rig.restart()
        self._rig.die_before_showing = False
        self.current = self._rig.core.game_id
        assert self.current == body.get("game_id", self.current)
        if name == "new_game":
            assert self.current not in self.moves
            self.moves[str(self.current)] = []
        self._rig.run(SETTLED_MS)
        self.tidy()

    def tidy(self) -> None:
        """Do what the page asks for, or clear the table while nothing is played; the power may be off."""
        for _ in range(OBEYED_MAX_COUNT):
            message = self._rig.doc["message"]
            steps = message["steps"] if message and self.current is not None else []
            if not steps:
                break
            self._hands([line for step in steps for line in line_of(step)])
        if self.current is None and self._lying() and self._rng.random() < 0.5:
            self._hands([f"lift {self._lying()}"])

    def _hands(self, lines: list[str]) -> None:
        lines = lines + ["reset"] * (self._rng.random() < 0.3)
        if self._rng.random() < 0.3:
            self._rig.kill()
            for line in lines:
                self._rig.board.command(line)
            self._rig.start()
        else:
            self._rig.do(*lines)
        self._rig.run(SETTLED_MS)

    def restart(self) -> None:
        """The host, the board, or both begin anew."""
        which = self._rng.choice(["host", "board", "both"])
        if which != "board":
            self._rig.kill()
        if which != "host":
            self._rig.board.command("reset")
        if which != "board":
            self._rig.start()
        self._rig.run(2 * SETTLED_MS)

    def check(self) -> None:
        """The page shows the game that is played, with its own moves and no other's."""
        doc = self._rig.doc
        assert doc["game_id"] == self.current
        if self.current is None:
            assert doc["phase"] == "waiting"
            return
        played = [sorted(line["spaces"]) for line in doc["history"] if "spaces" in line]
        assert played == self.moves[self.current]
        assert doc["phase"] in ("playing", "waiting", "over")
        assert doc["message"] is None or doc["message"]["kind"] == "peg", doc["message"]

    def _lying(self) -> str:
        """Every space that reads a magnet, as the board's commands take them."""
        sensors = self._rig.core.table.lies.sensors[:SPACE_COUNT]
        return ",".join(str(n) for n, sensor in enumerate(sensors, start=1) if sensor.cls)


def line_of(step: dict[str, Any]) -> list[str]:
    """What hands do for one step of the page, as a command of the board."""
    spaces = ",".join(map(str, step.get("spaces", ())))
    match step["do"]:
        case "lift":
            return [f"lift {spaces}"]
        case "place":
            return [f"place {step['colour']} {spaces}"]
        case _:
            return [f"peg {step['colour']} {step['hole']}"]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A table for two."""
    made = Rig(tmp_path, header=header("red", "green"))
    made.run(500)
    yield made
    made.close()


@pytest.mark.parametrize("seed", range(3))
def test_every_game_keeps_its_own_moves_over_many_evenings(rig: Rig, seed: int) -> None:
    evenings = Evenings(rig, random.Random(seed))
    for _ in range(STEPS_COUNT):
        evenings.step()
    for game_id in evenings.moves:
        assert rig.core.act("resume_game", {"game_id": game_id}).status == 200
        evenings.current = game_id
        rig.run(SETTLED_MS)
        evenings.tidy()
        evenings.check()
