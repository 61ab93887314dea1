"""A real table behind the page: the simulated board, the core, its journal on disk, and the page's server."""

import os
import threading
import tty
from pathlib import Path
from typing import Any

from tests.system.rig import CROSSING_LIMIT_S, Rig, _open_patiently

from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.tiling import board_json
from tablewire.link.faults import LinkLost
from tablewire.link.serial_port import SerialLink
from tablewire.shelf import Shelf
from tablewire.web.actions import Answer, Download
from tablewire.web.app import create_app
from tablewire.web.feed import Feed
from tablewire.web.server import serve
from tablewire.web.streams import Streams

HEADER = {"record": 1, "game": "cirkis", "players": ["red", "green"]}
QUIET_MS = 2_500
"""Long enough for a piece to be counted and to be final."""


class RealTable(Rig):
    """One table whose documents go to a page; it stands where the daemon does. Time moves only in `run`."""

    def __init__(self, folder: Path) -> None:
        self.feed = Feed()
        self._mutex = threading.RLock()
        self._is_plugged = True
        super().__init__(folder, header=HEADER)
        self.shelf = Shelf(self._journal)
        app = create_app(
            self.feed,
            self,
            boards={"cirkis": board_json(default_piece_set())},
            first_game="cirkis",
            writable=True,
            hosts=["127.0.0.1"],
            streams=Streams(self.feed, 4),
        )
        self._server = serve(app, "127.0.0.1", 0)
        self.url = self._server.url

    def close(self) -> None:
        """End the page, then the table."""
        self._server.close()
        super().close()

    def _publish(self, version: int, document: dict[str, Any]) -> None:
        super()._publish(version, document)
        self.feed.publish(version, document)

    def run(self, ms: int) -> dict[str, Any]:
        """Let time pass; what the page asks waits meanwhile."""
        with self._mutex:
            return super().run(ms)

    def play(self, *lines: str) -> None:
        """Give the board commands, one after another, each with time to be counted."""
        for line in lines:
            self.do(line)
            self.run(QUIET_MS)

    # The cable

    def unplug(self) -> None:
        """Pull the board's cable: its end of the port is gone, and the table's reading tells so."""
        with self._mutex:
            self._is_plugged = False
            os.close(self._master)
            self._master = os.dup(self._slave)  # something that `close` may close
            try:
                self._link.read(CROSSING_LIMIT_S)
            except LinkLost as exc:
                self._link.close()
                self.core.link_lost(self.now_ms, str(exc))
            else:
                raise AssertionError("a port without a board went on")

    def plug(self) -> None:
        """Plug it in again; it comes back at another port."""
        with self._mutex:
            os.close(self._master)
            os.close(self._slave)
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            self._port = os.ttyname(self._slave)
            self._link = SerialLink(self._port, opener=_open_patiently)
            self._link.open()
            self.core.link_opened(self.now_ms, self._port, self._link.kind)
            self.board.port_opened()
            self._is_plugged = True

    def _exchange(self) -> None:
        if self._is_plugged:
            super()._exchange()
        else:
            self.board.data_to_send()
            self.core.data_to_send(self.now_ms)

    # What the page asks

    def act(self, name: str, body: dict[str, Any]) -> Answer:
        """Do one action."""
        with self._mutex:
            outcome = self.core.act(name, body)
        return Answer(outcome.status, outcome.body)

    def legal(self) -> dict[str, Any]:
        """Where the player to move may place."""
        with self._mutex:
            return {"version": self.core.version, **self.core.table.legal()}

    def age_ms(self) -> int | None:
        """How long the board has been silent, in the time of this table."""
        heard_ms = self.core.session.heard_ms
        return None if heard_ms is None else self.now_ms - heard_ms

    def games(self) -> list[dict[str, Any]]:
        """Every game kept."""
        return self.shelf.games()

    def record(self, game_id: str | None = None) -> Download:
        """A game's record."""
        return Download("game.jsonl", self.shelf.record(game_id))

    def audit(self, game_id: str | None = None) -> list[dict[str, Any]]:
        """What was changed in a game."""
        return self.shelf.audit(game_id or self.core.game_id)

    def decks(self) -> dict[str, Any]:
        """The decks that are kept."""
        return self.shelf.decks()

    def health(self) -> dict[str, Any]:
        """Every sensor."""
        with self._mutex:
            return self.core.table.health()
