"""`tablewire demo`: computer players on a simulated board, and the whole real table that watches them.

Owns the demo's processes, threads and pauses. Must not know rules, frames or SQL, nor how players think.

Processes and threads: the simulated board is a process of its own; here run the threads of a table (see
daemon.py) and *players*, which reads the newest document as a person reads the page, and moves the board's
magnets over its command socket. What the players do reaches the table through the pty alone.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from tablewire.daemon import Daemon
from tablewire.errors import BoardError, StoreError, UserError
from tablewire.games.cirkis.record import parse_header
from tablewire.games.cirkis.score import rules_of
from tablewire.link.address import DEFAULT_BAUD, SerialPath
from tablewire.run import STOPPED, RunningTable, Say, Wanted, stop_on_signals, tell
from tablewire.store.folder import data_folder
from tablewire.virtual.players import Choose, Players
from tablewire.virtual.remote import BoardProcess, Hand
from tablewire.web.feed import Feed

WATCH_S = 0.1
"""How often the main thread looks after the others."""
CALM_S = 1.0
"""How long a page must not change before a player takes it as read."""
FAST_CALM_S = 0.15
"""The same on a fast board, whose slowest reaction, a lift, shows after 120 ms."""
RESULT_PACES = 10.0
"""The result stays on the page for as long as this many moves take to think of."""
JOIN_LIMIT_S = 6.0
"""A little more than the longest wait of the players' thread once everything else is closed: an action's."""
SEED_MAX = 999_999
"""Short enough to be typed again."""


@dataclass(frozen=True, slots=True)
class DemoWanted:
    """What the command line asks for. `pace`: seconds a player thinks, 0 for as fast as the table reads."""

    data: Path | None
    host: str
    http_port: int
    header: dict[str, Any]
    new: bool
    seed: int | None
    pace: float
    once: bool
    capture: Path | None = None


def run_demo(wanted: DemoWanted, say: Say) -> int:
    """Play until SIGINT or SIGTERM, or to the end of the game with `once`; the exit status.

    BoardError when the simulated board fails, StoreError and UserError as for `tablewire run`.
    """
    stop = stop_on_signals()
    seed = SystemRandom().randint(1, SEED_MAX) if wanted.seed is None else wanted.seed
    # A folder of its own, so that a demo never becomes, or ends, a family's game.
    folder = data_folder(None) / "demo" if wanted.data is None else wanted.data
    with BoardProcess(seed, fast=wanted.pace == 0) as board:
        hand = Hand(board.socket_path)
        table: RunningTable | None = None
        try:
            # Nobody can read the board until what is stored lies on it.
            hand.do(["unplug"])
            asked = Wanted(
                SerialPath(str(board.port)),
                DEFAULT_BAUD,
                folder,
                wanted.host,
                wanted.http_port,
                wanted.header,
                wanted.new,
            )
            table = RunningTable(replace(asked, capture=wanted.capture), say)
            say(f"page {table.url}")
            say(f"demo: computer players at a simulated board, seed {seed}; Ctrl-C stops it")
            return _watch(table, board, _Sitting(table, hand, wanted, seed, stop, say), stop, say)
        finally:
            stop.set()
            hand.close()
            if table is not None:
                table.close()


def _watch(
    table: RunningTable, board: BoardProcess, sitting: _Sitting, stop: threading.Event, say: Say
) -> int:
    sitting.start()
    try:
        while not stop.wait(WATCH_S):
            if table.daemon is not None and table.daemon.failed.is_set():
                return 1
            tell(table.capture_trouble(), say)
            ended = board.ended()
            if ended is not None:
                raise BoardError(f"{ended}; the game is kept, start the demo again to go on with it")
            if not sitting.is_alive():
                if sitting.failed is not None:
                    raise sitting.failed
                return 0
        tell(STOPPED, say)
        return 0
    finally:
        sitting.leave()


class _Sitting(threading.Thread):
    """The players' thread. `failed`: why it ended before it was to."""

    def __init__(
        self,
        table: RunningTable,
        hand: Hand,
        wanted: DemoWanted,
        seed: int,
        stop: threading.Event,
        say: Say,
    ) -> None:
        super().__init__(name="players", daemon=True)
        self.failed: Exception | None = None
        self._feed: Feed = table.feed
        self._daemon: Daemon = _started(table)
        self._hand = hand
        self._wanted = wanted
        self._seed = seed
        self._stop_event = stop
        self._say = say
        self._moods = Random(seed)  # noqa: S311 - how long somebody thinks
        self._calm_s = FAST_CALM_S if wanted.pace == 0 else CALM_S

    def run(self) -> None:
        """Set the table up and play."""
        try:
            self._set_up()
            self._play()
        except (BoardError, StoreError, UserError, TimeoutError) as exc:
            # Whatever breaks once we are stopping breaks because we are.
            if not self._stop_event.is_set():
                self.failed = exc if not isinstance(exc, TimeoutError) else StoreError(str(exc))
        except Exception as exc:
            self.failed = exc

    def leave(self) -> None:
        """Wait for the thread, which ends soon after its hand is closed."""
        self._stop_event.set()
        self._hand.close()
        self.join(JOIN_LIMIT_S)

    def _set_up(self) -> None:
        document = self._newest()
        if document["phase"] == "over":
            self._go_on(document)
            document = self._newest()
        self._do(set_up_lines(document))
        self._hand.do(["plug"])

    def _play(self) -> None:
        version, game_id, game_count = -1, None, 0
        document = self._newest()
        players = None
        while not self._stop_event.is_set():
            newer = self._feed.wait_newer(version, self._calm_s)
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
                self._do(decision.lines)

    def _newest(self) -> dict[str, Any]:
        newest = self._feed.current()
        document: dict[str, Any] = json.loads(newest.body(None)) if newest is not None else {}
        return document

    def _sit_down(self, seed: str) -> Players:
        """Players for the current game, by the rules pinned for it."""
        header = parse_header(self._daemon.header())
        return Players(rules_of(header, Path()), seed)

    def _think(self, paces: float) -> None:
        self._stop_event.wait(self._wanted.pace * paces * self._moods.uniform(0.6, 1.4))

    def _do(self, lines: Iterable[str]) -> None:
        """Move the magnets; what lies or lies not where it was thought to is done space by space."""
        lines = list(lines)
        for line, answer in zip(lines, self._hand.do(lines), strict=True):
            if answer.startswith("error"):
                self._hand.do(_one_by_one(line))

    def _clear(self) -> None:
        """Everything off the board, as people do before the next game."""
        answer = self._hand.do(["state"])[0]
        spaces = json.loads(answer.removeprefix("ok "))["spaces"]
        if spaces:
            self._hand.do([f"lift {','.join(spaces)} over 1000", "wait 1500"])

    def _go_on(self, document: Mapping[str, Any]) -> None:
        """The next round of a match, or the next game, as an operator begins it."""
        if document["actions"]["next_round"]:
            answer = self._daemon.act("next_round", {})
        else:
            answer = self._daemon.act("new_game", self._wanted.header)
        if answer.status != 200:
            raise StoreError(f"the next game cannot begin: {answer.body.get('text', answer.status)}")


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


def _started(table: RunningTable) -> Daemon:
    if table.daemon is None:
        raise RuntimeError("the table has no daemon")
    return table.daemon
