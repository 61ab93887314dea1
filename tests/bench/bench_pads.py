"""How long a table with readers takes to understand and to show a card, against thirty cards a second.

Twelve players lay all of their 480 cards on forty-eight pads, one in 33 ms of the board's time. Each is taken
in, and a document is composed for the page after each, as in the daemon. CPU time of one process, each with
its limit.
"""

from __future__ import annotations

from time import process_time

from tests.system.ligretto.script import full_tables
from tests.system.ligretto.table import NAMES, header

from tablewire.games.catalogue import playable
from tablewire.games.ligretto.cards import Face
from tablewire.games.ligretto.decks import DECK_NAMES, printed_deck, printed_uid
from tablewire.table import Table
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Complete, Observation, Sighting, Sightings

NONCE = 77
EVERY_MS, APART_MS = 33, 600
HEARTBEAT_MS = 100
"""The daemon asks the board for its time about so often while a scan is open."""
SPEED_AIM = 3.0
"""Board time per CPU time: a computer a third as fast still keeps up."""
DOCUMENT_LIMIT_MS = 5.0
"""Composed for every card; the page draws 60 times a second at most."""


class Reading:
    """One table that is told what readers see. `worst_ms`: the longest it took to compose a document."""

    def __init__(self) -> None:
        game = playable("ligretto")
        kept = {name: printed_deck(name).to_kept() for name in DECK_NAMES}
        pinned = game.pin(game.furnish(header(NAMES), kept, None))
        self.table = Table.begin(
            {"header": pinned, "rules_version": game.rules_version, "lying": None, "masked": []}
        )
        self.number = 0
        self.worst_ms = 0.0
        self.look_s = 0.0

    def tell(self, observation: Observation) -> None:
        """Take in what the board says, and compose what is shown."""
        self.table, _ = self.table.observe(observation)
        begun = process_time()
        self.table.document()
        took_s = process_time() - begun
        self.look_s += took_s
        self.worst_ms = max(self.worst_ms, took_s * 1_000)

    def sight(self, what: Sight, pad: int, uid: str, at_ms: int) -> None:
        """A reader tells of one tag."""
        self.number += 1
        self.tell(Sightings(NONCE, (Sighting(self.number, what, pad, uid, at_ms),)))


def main() -> None:
    """Print each figure with the limit it is held against."""
    laid = full_tables(DECK_NAMES, EVERY_MS, APART_MS, seed=1)
    reading = Reading()
    begun_ms = 1_000
    reading.sight(Sight.ANEW, 0, "", begun_ms // 2)
    begun, now_ms = process_time(), begun_ms
    for card in laid:
        for quiet_ms in range(now_ms + HEARTBEAT_MS, begun_ms + card.at_ms, HEARTBEAT_MS):
            reading.tell(Complete(NONCE, quiet_ms))
        now_ms = begun_ms + card.at_ms
        uid = printed_uid(card.deck, Face(card.colour, card.value))
        reading.sight(Sight.CAME, card.pad, uid, now_ms)
    reading.tell(Complete(NONCE, now_ms + 2_000))
    took_s = process_time() - begun
    document = reading.table.document()
    played = sum(player["played"] for player in document["players"])
    if played != len(laid):
        raise SystemExit(f"{played} of {len(laid)} cards count")
    speed = (now_ms - begun_ms) / 1_000 / took_s
    print(f"{len(laid)} cards of twelve, 30 a second: {speed:.1f} x real time (aim: {SPEED_AIM:.0f})")
    print(
        f"a document: {reading.look_s * 1_000 / len(laid):.1f} ms, {reading.worst_ms:.1f} ms at worst "
        f"(limit: {DOCUMENT_LIMIT_MS:.0f})"
    )
    if speed < SPEED_AIM or reading.worst_ms > DOCUMENT_LIMIT_MS:
        raise SystemExit("the table is too slow")


if __name__ == "__main__":
    main()
