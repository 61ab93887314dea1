"""`tablewire demo`: computer players on a simulated board, and the whole real table that watches them.

Owns the demo's processes, threads and pauses. Must not know rules, frames or SQL, nor how players think.

Processes and threads: the simulated board is a process of its own; here run the threads of a table (see
daemon.py) and *players*, which reads the newest document as a person reads the page, and moves what lies on
the board over its command socket. What the players do reaches the table through the pty alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom
from typing import Any

from tablewire import demo_ligretto
from tablewire.demo_cirkis import CirkisSitting
from tablewire.demo_ligretto import LigrettoSitting
from tablewire.demo_sitting import DemoWanted, Sitting
from tablewire.errors import BoardError, StoreError
from tablewire.games.catalogue import playable
from tablewire.link.address import DEFAULT_BAUD, SerialPath
from tablewire.new_game import CIRKIS, header_of
from tablewire.run import STOPPED, RunningTable, Say, Wanted, stop_on_signals, tell
from tablewire.store.folder import data_folder
from tablewire.store.journal import Journal
from tablewire.virtual.remote import BoardProcess, Hand
from tablewire.wire.messages import BoardKind

WATCH_S = 0.1
"""How often the main thread looks after the others."""
PLAYERS_USUAL = "4"
SEED_MAX = 999_999
"""Short enough to be typed again."""


@dataclass(frozen=True, slots=True)
class Way:
    """How one game is played here: its players, its board's arguments, what is kept before it begins.

    `names`: who plays where only their number is said; `options`: those of the command line, and what is
    added to them.
    """

    sitting: type[Sitting]
    board: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    header: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    prepare: Callable[[Path, Mapping[str, Any], Say], None] = lambda _folder, _header, _say: None
    names: Sequence[str] = ()
    options: Callable[[Sequence[str]], Sequence[str]] = lambda options: options


WAYS: Mapping[str, Way] = {
    CIRKIS: Way(CirkisSitting, lambda _: {}),
    demo_ligretto.NAME: Way(
        LigrettoSitting,
        lambda header: {"kind": BoardKind.LIGRETTO, "pads": demo_ligretto.pad_count_of(header)},
        demo_ligretto.header_for,
        demo_ligretto.keep_decks,
        demo_ligretto.PLAYERS,
        demo_ligretto.with_rounds,
    ),
}


def demo_header(
    players: str | None, game: str | None, options: Sequence[str], **others: Any
) -> dict[str, Any]:
    """The header of the demo's game, as the command line describes it; `others` as for `header_of`.

    UserError.
    """
    way = WAYS[game or CIRKIS]
    return header_of(players or PLAYERS_USUAL, game, options=way.options(options), names=way.names, **others)


def run_demo(wanted: DemoWanted, say: Say) -> int:
    """Play until SIGINT or SIGTERM, or to the end of the game with `once`; the exit status.

    BoardError when the simulated board fails, StoreError and UserError as for `tablewire run`.
    """
    # A game that cannot be is refused before anything is kept or started.
    playable(wanted.header["game"]).pin(wanted.header)
    stop = stop_on_signals()
    seed = SystemRandom().randint(1, SEED_MAX) if wanted.seed is None else wanted.seed
    # A folder of its own, so that a demo never becomes, or ends, a family's game.
    folder = data_folder(None) / "demo" if wanted.data is None else wanted.data
    way = WAYS[wanted.header["game"]]
    wanted = replace(wanted, header=way.header(wanted.header))
    is_new = wanted.new or _plays_another(folder, wanted.header["game"])
    way.prepare(folder, wanted.header, say)
    with BoardProcess(seed, fast=wanted.pace == 0, **way.board(wanted.header)) as board:
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
                is_new,
            )
            table = RunningTable(replace(asked, capture=wanted.capture), say)
            say(f"page {table.url}")
            say(f"demo: computer players at a simulated board, seed {seed}; Ctrl-C stops it")
            return _watch(table, board, way.sitting(table, hand, wanted, seed, stop, say), stop, say)
        finally:
            stop.set()
            hand.close()
            if table is not None:
                table.close()


def _plays_another(folder: Path, game: str) -> bool:
    """Whether another game is in progress in this folder, which players of this one cannot go on with."""
    # What cannot be read, the table itself sets aside and says.
    with suppress(StoreError), Journal.open_reading(folder, lambda: datetime.now(UTC)) as journal:
        current = journal.current_game()
        return current is not None and current.game != game
    return False


def _watch(
    table: RunningTable, board: BoardProcess, sitting: Sitting, stop: threading.Event, say: Say
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
