"""A table of Ligretto without wire, disk or page: cards on pads at moments in, the document out.

Every scene also restores the table from the entries it kept, whenever something follows, and compares: a
restart at any moment must change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablewire.entries import Entry
from tablewire.games.catalogue import playable
from tablewire.games.ligretto.cards import Face
from tablewire.games.ligretto.decks import printed_deck, printed_uid
from tablewire.games.live import Refusal, Told
from tablewire.games.records import score_text
from tablewire.table import Table, restore
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Complete, Observation, Sighting, Sightings

NONCE = 7
STRANGER = "04DEADBEEF0102"
"""A tag that no deck has."""
QUIET_MS = 2_000
"""After so long nothing of a card can still change by itself."""


def decks(*players: str, beside: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a pinned header says of printed decks: one for each player, and some that do not play."""
    others = {name: printed_deck(name).to_kept() for name in beside}
    return {
        "x_decks": {name: {"deck": name, **printed_deck(name).to_kept()} for name in players},
        **({"x_others": others} if others else {}),
    }


def header_of(*players: str, beside: tuple[str, ...] = (), **options: Any) -> dict[str, Any]:
    """A pinned header for these players, whose decks have their names."""
    header = {"record": 1, "game": "ligretto", "players": list(players), "options": options}
    return playable("ligretto").pin({**header, **decks(*players, beside=beside)})


def uid_of(card: str) -> str:
    """The tag of a card such as "Anna blue 4"; anything else is a tag already."""
    words = card.split()
    return card if len(words) != 3 else printed_uid(words[0], Face(words[1], int(words[2])))


class Pads:
    """One game. Times are milliseconds of the board since its boot, and may only rise."""

    def __init__(
        self,
        *players: str,
        lying: Mapping[int, str] | None = None,
        beside: tuple[str, ...] = (),
        **options: Any,
    ) -> None:
        names = players or ("Anna", "Ben")
        tags = tuple((pad, uid_of(card)) for pad, card in (lying or {}).items())
        self.pinned: dict[str, Any] = {
            "header": header_of(*names, beside=beside, **options),
            "rules_version": playable("ligretto").rules_version,
            "lying": {"nonce": NONCE, "number": 0, "device_ms": 0, "tags": [list(tag) for tag in tags]},
        }
        self.kept: list[Entry] = []
        self.table = Table.begin(self.pinned)
        self.number, self.nonce, self.now_ms = 0, NONCE, 0
        self.lying = set(tags)

    def observe(self, observation: Observation) -> None:
        """Take in one observation, keep what follows, and prove that a restart would change nothing."""
        self.table, entries = self.table.observe(observation)
        self.kept += entries
        if len(entries) > 1:
            self.check_restart()

    def check_restart(self) -> None:
        """Compare with the table that the entries alone lead to."""
        assert restore(self.pinned, self.kept).document() == self.table.document()

    def tell(self, at_ms: int, what: Sight, source: int = 0, uid: str = "") -> None:
        """One reader or button tells something."""
        assert at_ms >= self.now_ms
        self.now_ms = at_ms
        self.number += 1
        self.observe(Sightings(self.nonce, (Sighting(self.number, what, source, uid, at_ms),)))

    def come(self, at_ms: int, pad: int, card: str) -> None:
        """A card comes to a pad."""
        self.lying.add((pad, uid_of(card)))
        self.tell(at_ms, Sight.CAME, pad, uid_of(card))

    def go(self, at_ms: int, pad: int, card: str) -> None:
        """A card leaves a pad, and its reader has noticed."""
        self.lying.discard((pad, uid_of(card)))
        self.tell(at_ms, Sight.GONE, pad, uid_of(card))

    def press(self, at_ms: int, button: int) -> None:
        """A stop button goes down and up again."""
        self.tell(at_ms, Sight.DOWN, button)
        self.tell(at_ms + 80, Sight.UP, button)

    def boot(self, at_ms: int = 500) -> None:
        """The board is reset: another boot, whose clock begins anew, finds what lies there."""
        self.nonce, self.number, self.now_ms = self.nonce + 1, 0, 0
        self.tell(at_ms, Sight.ANEW)
        for pad, uid in sorted(self.lying):
            self.tell(at_ms, Sight.FOUND, pad, uid)

    def lay(self, at_ms: int, *cards: str, every_ms: int = 400) -> int:
        """Cards such as "3 Anna blue 4" come one after another; the time after the last."""
        for step, spoken in enumerate(cards):
            pad, card = spoken.split(" ", 1)
            self.come(at_ms + step * every_ms, int(pad), card)
        return at_ms + len(cards) * every_ms

    def wait(self, until_ms: int | None = None) -> None:
        """Nothing happens until then, and the board says so whenever something may be due."""
        end_ms = self.now_ms + QUIET_MS if until_ms is None else until_ms
        offset_ms = self.table.lies.clock.offset_ms
        while (due_ms := self.table.next_deadline_ms()) is not None and due_ms - offset_ms < end_ms:
            self.observe(Complete(self.nonce, due_ms - offset_ms))
        self.now_ms = end_ms
        self.observe(Complete(self.nonce, end_ms))

    def act(self, name: str, **body: Any) -> Any:
        """Do an action that must be possible; what it told, if it only asked."""
        answer = self.table.act(name, body)
        assert not isinstance(answer, Refusal), answer
        if isinstance(answer, Told):
            return answer.body
        self.table, entries = self.table.enter(answer)
        self.kept += entries
        self.check_restart()
        return None

    def refused(self, name: str, **body: Any) -> Refusal:
        """Try an action that must not be possible."""
        before = self.table
        answer = self.table.act(name, body)
        assert isinstance(answer, Refusal), answer
        assert "\n" not in answer.text
        assert self.table == before
        return answer

    def choose(self, start: str) -> None:
        """Press the only choice of the message whose id begins so."""
        (choice,) = [each for each in self.doc["message"]["choices"] if each["id"].startswith(start)]
        self.act("choose", id=choice["id"])

    @property
    def doc(self) -> dict[str, Any]:
        """The document now."""
        return self.table.document()

    @property
    def piles(self) -> dict[str, str]:
        """The top of each pile, such as {"3": "blue 4"}."""
        return {pad: f"{pile['colour']} {pile['value']}" for pad, pile in self.doc["pads"].items()}

    @property
    def played(self) -> dict[str, int]:
        """How many cards of each player lie rightly."""
        return {player["name"]: player["played"] for player in self.doc["players"]}

    @property
    def wrong(self) -> list[str]:
        """What is to be taken off, in words."""
        return [wrong["text"] for wrong in self.doc["wrong"]]

    @property
    def told(self) -> list[str]:
        """What the audit says of everything so far."""
        table, said = Table.begin(self.pinned), []
        for entry in self.kept:
            done = table.intervention(entry)
            said += [] if done is None else [done.text]
            table = table.evolve(entry)
        return said

    def score(self) -> list[dict[str, Any]]:
        """What `tablewire score` prints for the game so far."""
        return score_text(self.table.record(), "the record", Path())

    def lines(self) -> list[dict[str, Any]]:
        """The record's lines after its header."""
        return [json.loads(line) for line in self.table.record().splitlines()[1:]]
