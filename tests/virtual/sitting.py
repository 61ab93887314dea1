"""Computer players at a simulated board and a real table, all in one process and on one clock.

The players see documents only, and act through the board's commands; bytes go both ways as on a cable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tablewire.games.catalogue import playable
from tablewire.games.cirkis.options import Options, Rulebook
from tablewire.games.cirkis.rules import Rules
from tablewire.table import Table
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.gestures import SHARES
from tablewire.virtual.players import Choose, Players
from tablewire.wire.observed import Changes, Complete, Snapshot
from tablewire.wire.session import HostSession, LinkState

TICK_MS = 25
LOOK_MS = 200
"""How often the players look at the page."""
CALM_LOOKS = 5
LIMIT_MS = 30 * 60 * 1000


class Sitting:
    """One game. `kinds` counts what the players did, `meant` has the pieces they wanted to lie in the end.

    `documents` keeps what the page showed, once each.
    """

    def __init__(
        self,
        players: Sequence[str] = ("red", "green"),
        rulebook: str = "hasbro",
        seed: str = "1",
        shares: Mapping[str, float] = SHARES,
        target: int = 40,
    ) -> None:
        header = {
            "record": 1,
            "game": "cirkis",
            "rulebook": rulebook,
            "players": list(players),
            "options": {"target": target},
        }
        game = playable("cirkis")
        pinned = {"header": game.pin(header), "rules_version": game.rules_version, "lying": None}
        self.table = Table.begin(pinned)
        self.board = VirtualBoard(1)
        self.session = HostSession()
        self.rules = Rules(players, Options(rulebook=Rulebook(rulebook), target=target))  # type: ignore[arg-type]
        self.players = Players(self.rules, seed, shares)
        self.kinds: Counter[str] = Counter()
        self.documents: list[dict[str, Any]] = [self.table.document()]
        self.lines: list[str] = []
        self.meant: list[tuple[str, list[int]]] = []
        self.now_ms = 0
        self.heard_ms = 0
        for player in players:
            self.board.command(f"peg {player} 0")
        self.session.link_opened(0)

    @property
    def document(self) -> dict[str, Any]:
        """What the page shows now."""
        return self.documents[-1]

    def play(self, until: Callable[[dict[str, Any]], bool]) -> None:
        """Let the players play until the page shows what is wanted and no hand moves any more."""
        last = self.board.command("wait 0")
        calm_count = 0
        while not (until(self.document) and last.answer is not None):
            if self.now_ms > LIMIT_MS:
                raise AssertionError(f"stuck: {self.document['message']} after {self.lines[-10:]}")
            changed = self.look()
            if last.answer is None:
                calm_count = 0
                continue
            if until(self.document):
                return
            calm_count = 0 if changed else calm_count + 1
            calm = calm_count >= CALM_LOOKS
            decision = self.players.decide(self.document, calm=calm)
            if calm:
                calm_count = 0
            if isinstance(decision, Choose):
                self.kinds["choice"] += 1
                answer = self.table.act("choose", {"id": decision.id})
                if isinstance(answer, tuple):
                    self.table, _ = self.table.enter(answer)
            elif decision is not None:
                self.kinds[decision.kind] += 1
                self.lines += decision.lines
                if decision.spaces:
                    self.meant.append((decision.colour, sorted(decision.spaces)))
                for line in decision.lines:
                    last = self.board.command(line)

    def look(self) -> bool:
        """Let time pass until the next look at the page; whether the page has changed."""
        for _ in range(LOOK_MS // TICK_MS):
            self.tick()
        document = self.table.document()
        if document == self.document:
            return False
        self.documents.append(document)
        return True

    def tick(self) -> None:
        """Let a moment pass."""
        self.now_ms += TICK_MS
        self.board.advance(self.now_ms)
        for told in self.session.receive_data(self.board.data_to_send(), self.now_ms):
            if not isinstance(told, Changes | Snapshot | Complete):
                continue
            self.table, _ = self.table.observe(told)
            self.heard_ms = self.now_ms
            match told:
                case Changes(nonce, changes):
                    self.session.acknowledge(changes[-1].number, nonce)
                case Snapshot(nonce, number):
                    self.session.acknowledge(number, nonce)
        deadline_ms = self.table.next_deadline_ms()
        quiet_ms = self.now_ms - self.heard_ms
        if (
            self.session.state is LinkState.UP
            and deadline_ms is not None
            and self.table.lies.now_ms + quiet_ms >= deadline_ms
        ):
            self.session.request_status()
        self.board.receive_data(self.session.data_to_send(self.now_ms))
