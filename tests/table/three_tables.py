"""One pair of hands, three tables that hear of it differently: they must agree, also after a restart."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from tests.table.hands import (
    MAGNET,
    SPACES,
    Feed,
    Hands,
    in_batches,
    laid,
    late_and_at_once,
    one_by_one,
    pinned,
)

from tablewire.games.cirkis.options import Options
from tablewire.games.cirkis.pieces import Placement
from tablewire.games.cirkis.record import Turn
from tablewire.games.cirkis.rules import PlayerColour, Rules

COLOURS = tuple(MAGNET)


class ThreeTables:
    """A seeded game. `at_ms` is when the hands move next; `done` says what they did, for a failure's text."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.players = self.rng.sample(COLOURS, self.rng.choice([2, 2, 3, 4]))
        options = Options(target=self.rng.choice([10, 40, 40]), voluntary_pass=self.rng.random() < 0.2)
        begun = pinned(self.players, {"target": options.target, "voluntary_pass": options.voluntary_pass})
        self.feeds = [Feed(begun) for _ in range(3)]
        self.tellings = (one_by_one, late_and_at_once, in_batches(random.Random(seed)))
        self.rules = Rules([PlayerColour(p) for p in self.players], options)
        self.hands = Hands(self.rng)
        self.at_ms = 1_000
        self.done: list[str] = []

    @property
    def doc(self) -> dict[str, Any]:
        """The document, the same on all three."""
        return self.feeds[0].table.document()

    def tell(self, quiet_ms: int) -> None:
        """Tell all three what the hands did, and that they then rested."""
        changes = self.hands.take()
        end_ms = max([self.at_ms, *(change.device_ms for change in changes)]) + quiet_ms
        for feed, telling in zip(self.feeds, self.tellings, strict=True):
            telling(feed, changes, end_ms)
        self.at_ms = end_ms + 1
        self.agree()

    def act(self, name: str, body: Mapping[str, Any]) -> bool:
        """Press a button on all three; whether it was carried out."""
        answers = [feed.act(name, body) for feed in self.feeds]
        assert answers[0] == answers[1] == answers[2]
        self.agree()
        return answers[0] is None

    def agree(self) -> None:
        """All three show the same, and a restart, which one of them may now go through, changes nothing."""
        docs = [feed.table.document() for feed in self.feeds]
        assert docs[0] == docs[1] == docs[2], self.done
        feed = self.rng.choice(self.feeds)
        restored = feed.restored()
        assert restored.document() == feed.table.document(), self.done
        if self.rng.random() < 0.3:
            feed.table = restored

    def on_table(self) -> dict[str, str]:
        """The magnets as the hands know them."""
        names = {magnet: colour for colour, magnet in MAGNET.items()}
        return {str(i + 1): names[cls] for i, cls in enumerate(self.hands.classes[:SPACES]) if cls}

    # What the rules say

    def legal(self, meant: list[tuple[str, list[int]]]) -> tuple[str | None, list[Placement]]:
        """Whose turn it is after these moves, and what may be laid."""
        state = self.rules.start()
        for player, spaces in meant:
            step = self.rules.apply(state, Turn(PlayerColour(player), tuple(spaces)))
            assert step.report.legal, (meant, self.done)
            state = step.state
        return state.to_move, self.rules.legal_placements(state)

    def joins(self, spaces: list[int], placement: Placement) -> bool:
        """Whether some piece is made of all of `spaces` and some of the placement."""
        old, new = set(spaces), set(placement.spaces)
        return any(
            old < set(p.spaces) <= old | new for p in self.rules.pieces.placements if spaces[0] in p.spaces
        )

    def may_grow(self) -> bool:
        """Whether any piece shown could become a larger one in stock, on spaces that are empty."""
        doc = self.doc
        filled = {int(space) for space in doc["spaces"]}
        stock = {player["colour"]: player["unplayed"] for player in doc["players"]}
        for player, spaces in laid(doc):
            for placement in self.rules.pieces.placements:
                more = set(placement.spaces) - set(spaces)
                grows = len(placement.spaces) == len(spaces) + len(more) and more
                if grows and not more & filled and stock[player][placement.shape] > 0:
                    return True
        return False
