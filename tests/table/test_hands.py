"""Random games by messy hands, and hands that mean nothing at all.

TABLEWIRE_GAMES says how many; `make soak` plays a thousand.
"""

from __future__ import annotations

import os

import pytest
from tests.table.hands import MAGNET
from tests.table.meant_games import MeantGame
from tests.table.three_tables import COLOURS, ThreeTables

GAMES = int(os.environ.get("TABLEWIRE_GAMES", "12"))
SCENES = 12
STEPS_MAX = 25
"""A person who does what the page says is done after so many messages, whatever lay there before."""


@pytest.mark.parametrize("seed", range(GAMES))
def test_what_messy_hands_mean_is_what_the_table_understands(seed: int) -> None:
    """However late the host hears of it, and through restarts."""
    game = MeantGame(seed)
    game.play(SCENES)
    assert game.doc["phase"] == "over" or game.on_table() == dict(game.doc["spaces"])


@pytest.mark.parametrize("seed", range(max(1, GAMES // 3)))
def test_doing_what_the_page_says_always_leads_back_to_play(seed: int) -> None:
    """Pieces of any colour anywhere, lifted and nudged at random, and buttons pressed at random."""
    game = Meddling(seed)
    for _ in range(5):
        for _ in range(game.rng.randint(1, 3)):
            game.meddle()
            game.press()
        game.tell(4_000)
        game.obey()


class Meddling(ThreeTables):
    """Hands that mean nothing, and then do as they are told."""

    def meddle(self) -> None:
        """A handful of random gestures."""
        rng, hands = self.rng, self.hands
        for _ in range(rng.randint(1, 8)):
            kind, table = rng.random(), self.feeds[0].table
            legal, on = table.legal(), sorted(int(space) for space in self.on_table())
            if kind < 0.45 and legal["placements"]:
                self.scatter(legal["player"], rng.choice(legal["placements"])["spaces"])
            elif kind < 0.6:
                self.scatter(rng.choice(COLOURS), rng.choice(self.rules.pieces.placements).spaces)
            elif kind < 0.75:
                for space in rng.sample(on, min(len(on), rng.randint(1, 3))):
                    hands.put(self.at_ms, space, 0)
            elif kind < 0.9 and self.doc["laid"]:
                for space in rng.choice(self.doc["laid"][-3:])["spaces"]:
                    hands.put(self.at_ms, space, 0)
                    self.at_ms += rng.choice([0, 30, 300])
            else:
                hands.script.append((self.at_ms, rng.randrange(len(hands.classes)), rng.randrange(5)))
            self.at_ms += rng.choice([10, 100, 400, 700, 1_300, 2_000])
        self.tell(rng.choice([0, 300, 700, 1_600, 4_000]))

    def scatter(self, colour: str, spaces: list[int] | tuple[int, ...]) -> None:
        for space in spaces:
            self.hands.put(self.at_ms, space, MAGNET[colour])
            self.at_ms += self.rng.choice([0, 50, 300, 900])

    def press(self) -> None:
        """A random button, or none."""
        doc, rng = self.doc, self.rng
        line = {
            "player": rng.choice(self.players),
            "spaces": list(rng.choice(self.rules.pieces.placements).spaces),
        }
        buttons: list[tuple[str, dict[str, object]]] = [
            *[(name, {}) for name in ("undo", "redo", "pass", "next_round")],
            ("ruling", {"points": {self.players[0]: 5}, "note": "a coffee cup"}),
            ("correct", {"n": rng.randint(1, 1 + len(doc["history"])), "line": line, "keep_forced": True}),
            *[("choose", {"id": c["id"]}) for c in (doc["message"] or {"choices": []})["choices"]],
        ]
        if rng.random() < 0.7:
            self.act(*rng.choice(buttons))

    def obey(self) -> None:
        """Do what the page says until it says no more; then the table is the position."""
        said = []
        for _ in range(STEPS_MAX):
            message = self.doc["message"]
            if message is None or message["kind"] == "peg" or self.doc["phase"] == "over":
                break
            said.append(message["text"])
            if message["choices"] and self.rng.random() < 0.6:
                assert self.act("choose", {"id": self.rng.choice(message["choices"])["id"]})
            else:
                for step in message["steps"]:
                    for space in step["spaces"]:
                        self.hands.put(
                            self.at_ms, space, MAGNET[step["colour"]] if step["do"] == "place" else 0
                        )
                    self.at_ms += 1_500
            self.tell(4_000)
        else:
            raise AssertionError(f"no way out: {said[-4:]}")
        assert self.doc["phase"] == "over" or self.on_table() == dict(self.doc["spaces"]), said[-4:]
