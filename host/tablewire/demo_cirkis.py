"""Cir*Kis in the demo: its computer players at a simulated board with magnets.

Owns their pauses, and how a position is laid on a bare board. Must not know rules, frames or SQL, nor how
players think.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tablewire.demo_sitting import Sitting
from tablewire.games.cirkis.record import parse_header
from tablewire.games.cirkis.score import rules_of
from tablewire.virtual.players import Choose, Players

CALM_S = 1.0
"""How long a page must not change before a player takes it as read."""
FAST_CALM_S = 0.15
"""The same on a fast board, whose slowest reaction, a lift, shows after 120 ms."""
RESULT_PACES = 10.0
"""The result stays on the page for as long as this many moves take to think of."""


class CirkisSitting(Sitting):
    """The players of Cir*Kis: one decision at a time, whoever's turn it is."""

    def _set_up(self, document: Mapping[str, Any]) -> None:
        self._lay(set_up_lines(document))

    def _play(self) -> None:
        version, game_id, game_count = -1, None, 0
        calm_s = FAST_CALM_S if self._wanted.pace == 0 else CALM_S
        document = self._newest()
        players = None
        while not self._stop_event.is_set():
            newer = self._feed.wait_newer(version, calm_s)
            if newer is not None:
                version, document = newer.version, json.loads(newer.body(None))
            if document["game"] != "cirkis" or document["link"]["state"] != "up":
                continue
            if players is None or document["game_id"] != game_id:
                game_id, game_count = document["game_id"], game_count + 1
                players = self._sit_down(f"{self._seed}/{game_count}")
            decision = players.decide(document, calm=newer is None)
            if decision is None:
                # A sensor that flickers is said, too, but nobody can do anything about it.
                asked = document["message"] is not None and document["message"]["steps"]
                if document["phase"] == "over" and not asked and newer is None:
                    self._think(RESULT_PACES)
                    if self._wanted.once:
                        return
                    self._clear()
                    self._go_on(document)
                continue
            self._think(1.0 if not isinstance(decision, Choose) and decision.spaces else 0.5)
            if isinstance(decision, Choose):
                self._daemon.act("choose", {"id": decision.id})
            else:
                self._lay(decision.lines)

    def _sit_down(self, seed: str) -> Players:
        """Players for the current game, by the rules pinned for it."""
        header = parse_header(self._daemon.header())
        return Players(rules_of(header, Path()), seed)

    def _lay(self, lines: Iterable[str]) -> None:
        """Move the magnets; what lies or lies not where it was thought to is done space by space."""
        lines = list(lines)
        for line, answer in zip(lines, self._do(lines), strict=True):
            if answer.startswith("error"):
                self._do(_one_by_one(line))

    def _clear(self) -> None:
        """Everything off the board, as people do before the next game."""
        answer = self._do(["state"])[0]
        spaces = json.loads(answer.removeprefix("ok "))["spaces"]
        if spaces:
            self._do([f"lift {','.join(spaces)} over 1000", "wait 1500"])


def set_up_lines(document: Mapping[str, Any]) -> list[str]:
    """The lines that lay a document's position, pieces and pegs, on an empty simulated board."""
    by_colour: dict[str, list[str]] = {}
    for space, colour in document.get("spaces", {}).items():
        by_colour.setdefault(colour, []).append(space)
    lines = [f"place {colour} {','.join(spaces)}" for colour, spaces in by_colour.items()]
    for player in document["players"]:
        hole, due = player["peg"]["hole"], player["peg"]["due"]
        lines.append(f"peg {player['colour']} {due if hole is None else hole}")
    return lines


def _one_by_one(line: str) -> list[str]:
    match line.split():
        case ["place", colour, spaces, *_]:
            return [f"place {colour} {space}" for space in spaces.split(",")]
        case ["lift", spaces, *_]:
            return [f"lift {space}" for space in spaces.split(",")]
        case _:
            return []
