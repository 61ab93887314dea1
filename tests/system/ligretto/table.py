"""A whole Ligretto table in one process and on one clock: players, simulated board, core and journal.

What hands do reaches the core through the board's readers and a real pseudo-terminal alone. What is shown and
kept is held against what lies there before each count, and against `tablewire score` after each round.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.system.rig import Rig

from tablewire.demo_ligretto import begun_round
from tablewire.games.ligretto.decks import DECK_NAMES, printed_deck
from tablewire.games.records import score_text
from tablewire.outcome import Outcome
from tablewire.store.journal import Journal
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.ligretto_players import TEMPERS, Company, Press, Range, Say, Sitter, Temper
from tablewire.virtual.ligretto_scribe import Scribe
from tablewire.wire.messages import BoardKind

NAMES = (
    *("Anna", "Ben", "Cleo", "David", "Emma", "Felix"),
    *("Greta", "Hugo", "Ida", "Jonas", "Klara", "Leo"),
)
HASTE = 0.4
"""How much of the usual time these players take: a round is as long in cards, and shorter in time."""
MOMENT_MS = 20
"""How often hands do something: two within one are in one scan of a reader, as is the next."""
SEED_COUNT = max(1, int(os.environ.get("TABLEWIRE_GAMES", "0")) // 100)
"""How often what chance has a part in is tried, with another seed each time."""
BOOT_MS = 1_000
"""What lies on a board before it has looked for the first time lay there all along."""
ROUND_LIMIT_MS = 300_000
"""Far more than any round takes."""

Json = dict[str, Any]
Document = dict[str, Any]


def header(names: Sequence[str], **options: int) -> Json:
    """A record's header; each player has one of the simulated board's decks."""
    use = dict(zip(names, DECK_NAMES, strict=False))
    return {"record": 1, "game": "ligretto", "players": list(names), "options": options, "x_use": use}


def hasty(temper: Temper, haste: float) -> Temper:
    """The same temper, and quicker."""

    def quick(span: Range) -> Range:
        return round(span[0] * haste), round(span[1] * haste)

    return replace(
        temper, look_ms=quick(temper.look_ms), reach_ms=quick(temper.reach_ms), turn_ms=quick(temper.turn_ms)
    )


def scored(record: str) -> list[Json]:
    """What `tablewire score` prints for a record."""
    return score_text(record, "record", Path())


class RoundTable(Rig):
    """The table, and everybody round it. `answers` are those to the page's buttons, oldest first.

    `pads_board`: the board with readers, if it is to be none of the simulated ones; `board` and `first`:
    another board and game to begin with.
    """

    def __init__(
        self,
        folder: Path,
        count: int = 4,
        *,
        seed: int = 1,
        pads: int = 16,
        pads_board: VirtualBoard | None = None,
        haste: float = HASTE,
        tempers: Sequence[Temper] = TEMPERS,
        options: Mapping[str, int] | None = None,
        board: VirtualBoard | None = None,
        first: Json | None = None,
    ) -> None:
        self.names = NAMES[:count]
        self.answers: list[tuple[Press, Outcome]] = []
        self.hands: list[str] = []
        keep_decks(folder, count)
        self.pads_board = pads_board or VirtualBoard(seed, kind=BoardKind.LIGRETTO, pads=pads)
        super().__init__(
            folder,
            board=board or self.pads_board,
            header=first or header(self.names, **(options or {})),
        )
        self.run(BOOT_MS)
        sitters = [
            Sitter(name, deck, hasty(tempers[seat % len(tempers)], haste))
            for seat, (name, deck) in enumerate(zip(self.names, DECK_NAMES, strict=False))
        ]
        self.company = Company(sitters, pads, f"table {seed}")
        self.scribe = Scribe(self.company, pads - 1)

    def plug_in(self, board: VirtualBoard) -> None:
        """Pull the board out, and plug another in."""
        self.cut()
        self.run(BOOT_MS)
        self.board = board
        board.advance(self.now_ms)
        self.mend()
        self.until(lambda doc: doc["link"]["state"] == "up")

    def close(self) -> None:
        """End of the test."""
        super().close()
        self.board.close()
        self.pads_board.close()

    # Playing

    def play(self, until: Callable[[Document], bool], limit_ms: int = ROUND_LIMIT_MS) -> Document:
        """Let everybody play until the document is so."""
        end_ms = self.now_ms + limit_ms
        while not until(self.doc):
            assert self.now_ms < end_ms, f"not so after {limit_ms} ms: {json.dumps(self.doc)}"
            self.step()
        return self.doc

    def play_round(self) -> Json:
        """Play until one round more is counted; that round as the document tells it."""
        count = len(self.doc["history"])
        self.play(lambda doc: len(doc["history"]) > count)
        self.assert_right()
        return dict(self.doc["history"][-1])

    def step(self) -> None:
        """A moment passes, and whoever is ready does something."""
        self.run(MOMENT_MS)
        document = self.doc
        if document["link"]["state"] != "up":
            return
        for deed in (
            *self.company.deeds(self.now_ms, document),
            *self.scribe.deeds(self.now_ms, document),
        ):
            self.do_deed(deed)

    def do_deed(self, deed: Say | Press) -> None:
        """A hand at the table, or at the page."""
        if isinstance(deed, Say):
            self.hands.append(deed.line)
            ticket = self.board.command(deed.line)
            assert ticket.answer is None or ticket.answer.startswith("ok"), (deed.line, ticket.answer)
            return
        if deed.name == "left":
            self.assert_counted_is_what_lies_there()
        self.answers.append((deed, self.core.act(deed.name, dict(deed.body))))

    # What must be so

    def _publish(self, version: int, document: Document) -> None:
        """While a round is on, every document shown adds up."""
        if document["game"] == "ligretto" and document["phase"] in ("playing", "hold"):
            played = sum(player["played"] for player in document["players"])
            heights = sum(pile["height"] for pile in document["pads"].values())
            assert played + len(document["undecided"]) == heights, document
        self.assert_nothing_is_missed(document)
        super()._publish(version, document)

    def assert_nothing_is_missed(self, document: Document) -> None:
        """What is said to be off its pile does not lie there."""
        for choice in document["message"]["choices"] if document.get("message") else ():
            if choice["id"].startswith("taken:"):
                (pad,) = choice["pads"]
                lying = [
                    f"{self.names[card.seat]}'s {card.face.colour} {card.face.value} "
                    for card in self.company.centre.on(pad)
                ]
                assert not choice["text"].startswith(tuple(lying)), choice

    def assert_right(self) -> None:
        """The document tells what the record scores to, and every card on the piles is somebody's."""
        doc = self.doc
        printed = scored(self.core.table.record())
        result = printed[-1]["result"]
        assert doc["totals"] == result["totals"]
        assert {player["name"]: player["total"] for player in doc["players"]} == result["totals"]
        rounds = [line for line in printed if "played" in line]
        for told, line in zip(doc["history"], rounds, strict=True):
            assert {key: told[key] for key in ("played", "left", "points", "totals")} == {
                key: line[key] for key in ("played", "left", "points", "totals")
            }

    def assert_counted_is_what_lies_there(self) -> None:
        """Every card that lies on a pad is counted once there, and nothing else is."""
        begun = begun_round(self.core.table.record()).cards
        counted = Counter((pad, DECK_NAMES[self.names.index(name)], *face) for pad, name, face in begun)
        assert max(counted.values(), default=1) == 1
        lying = Counter(
            (pad, self.company.sitters[card.seat].deck, *card.face)
            for pad, cards in self.company.centre.cards().items()
            for card in cards
        )
        full = {int(pad) for pad, pile in self.doc["pads"].items() if pile["complete"]}
        # A reader keeps twelve tags: what is laid on a full pile besides may go unseen, and counts not.
        missing = [one for one in lying - counted if one[0] not in full]
        assert not missing, f"lost: {sorted(missing)}"
        removed = {pad for pad, *_ in (counted - lying)}
        assert removed <= {self.company.centre.pad_count - 1}, f"made up: {sorted(counted - lying)}"


def keep_decks(folder: Path, count: int) -> None:
    """Somebody has taught the table the simulated board's decks."""
    with Journal.open(folder, lambda: datetime.now(UTC)) as journal:
        for name in DECK_NAMES[:count]:
            journal.keep("ligretto", name, printed_deck(name).to_kept())
