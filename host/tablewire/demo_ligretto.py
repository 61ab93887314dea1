"""Ligretto in the demo: its computer players at a simulated board whose pads read tags.

Owns the players' clock, the decks they bring along, and how a round that was begun is laid on a bare board.
Must not know rules, frames or SQL, nor how players think.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from tablewire.demo_sitting import Document, Sitting
from tablewire.errors import UserError, one_line
from tablewire.games.base import RecordLine
from tablewire.games.ligretto.cards import Face
from tablewire.games.ligretto.decks import DECK_NAMES, printed_deck
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import parse_header, parse_line
from tablewire.games.records import split_record
from tablewire.run import Say as Tell
from tablewire.store.journal import Journal
from tablewire.virtual.ligretto_players import TEMPERS, Company, Press, Say, Sitter
from tablewire.virtual.ligretto_scribe import Scribe

NAME = "ligretto"
PLAYERS = (
    *("Anna", "Ben", "Cleo", "David", "Emma", "Felix"),
    *("Greta", "Hugo", "Ida", "Jonas", "Klara", "Leo"),
)
"""Who plays in the demo where only their number is said."""
ROUNDS = "rounds=3"
"""How long the demo plays where nothing is said: long enough for a table of scores."""
LENGTHS = ("rounds=", "target=")
"""What says how long."""
PADS_MIN, PADS_PER_PLAYER = 16, 4
"""Pads of one board; there is at most one pile for each 1 in play."""
USUAL_PACE_S = 1.5
"""The pace at which the players' own milliseconds are those of the clock."""
FASTEST = 6.0
"""How much quicker they are at most: what ten times real time leaves for reading and writing on a small
computer."""
LOOK_S = 0.1
"""How often the page is looked at while nobody has anything to do."""
RESULT_PACES = 10.0
"""The result stays on the page for as long as this many thoughts take."""


def header_for(header: Mapping[str, Any]) -> dict[str, Any]:
    """The header of the demo's game: each player has one of the simulated board's decks."""
    use = dict(zip(header["players"], DECK_NAMES, strict=False))
    return {**header, "x_use": use}


def pad_count_of(header: Mapping[str, Any]) -> int:
    """How many pads the players need."""
    return max(PADS_MIN, PADS_PER_PLAYER * len(header["players"]))


def with_rounds(options: Sequence[str]) -> Sequence[str]:
    """Options, and how long is played where they do not say it."""
    return options if any(option.startswith(LENGTHS) for option in options) else (*options, ROUNDS)


def keep_decks(folder: Path, header: Mapping[str, Any], say: Tell) -> None:
    """Teach the table in this folder the decks of the simulated board, as if somebody had laid every card.

    UserError when it knows another deck by such a name.
    """
    with Journal.open(folder, lambda: datetime.now(UTC)) as journal:
        for notice in journal.notices:
            say(f"tablewire: {notice}")
        known = journal.kept(NAME)
        for name in header["x_use"].values():
            body = printed_deck(name).to_kept()
            if known.get(name, body) != body:
                raise UserError(
                    f"{one_line(folder)} has a deck called {name} that is not the simulated board's: give "
                    "the demo another --data"
                )
            if name not in known:
                journal.keep(NAME, name, body)


class LigrettoSitting(Sitting):
    """The players of Ligretto: all at once, each at an own speed."""

    def _set_up(self, document: Mapping[str, Any]) -> None:
        self._begun_s = time.monotonic()
        self._game_id: str | None = None
        self._game_count = 0
        if document["game"] == NAME:
            self._sit_down(document)
            begun = begun_round(self._daemon.record().text)
            self._company.sit_down(document["round"], self._now_ms(), begun.played)
            self._lay(begun)

    def _now_ms(self) -> int:
        """The players' clock."""
        pace = self._wanted.pace
        speed = FASTEST if pace == 0 else min(FASTEST, USUAL_PACE_S / pace)
        return round((time.monotonic() - self._begun_s) * 1_000 * speed)

    def _sit_down(self, document: Mapping[str, Any]) -> None:
        """Players for the current game."""
        self._game_id, self._game_count = document["game_id"], self._game_count + 1
        players = document["players"]
        sitters = [
            Sitter(player["name"], player["deck"], TEMPERS[seat % len(TEMPERS)])
            for seat, player in enumerate(players)
        ]
        pad_count = pad_count_of(self._wanted.header)  # the board has so many, whoever plays
        self._company = Company(sitters, pad_count, f"{self._seed}/{self._game_count}")
        self._scribe = Scribe(self._company, pad_count - 1)

    def _lay(self, begun: Begun) -> None:
        seats = {seat.who.name: seat for seat in self._company.seats}
        for pad, name, face in begun.cards:
            seat = seats[name]
            self._company.centre.lay(seat.index, face, pad, self._now_ms())
            self._do([f"lay {seat.word(face)} {pad}"])

    def _play(self) -> None:
        document = self._newest()
        while not self._stop_event.is_set():
            newer = self._feed.wait_newer(document["version"], self._pause_s())
            document = document if newer is None else json.loads(newer.body(None))
            if document["game"] != NAME or document["link"]["state"] != "up":
                self._stop_event.wait(LOOK_S)
                continue
            if document["game_id"] != self._game_id:
                self._do(["clear all"])
                self._sit_down(document)
            if document["phase"] == "over":
                self._think(RESULT_PACES)
                if self._wanted.once:
                    return
                self._do(["clear all"])
                self._go_on(document)
                document = self._newest()
                continue
            self._act(document)

    def _act(self, document: Document) -> None:
        now_ms = self._now_ms()
        for deed in (*self._company.deeds(now_ms, document), *self._scribe.deeds(now_ms, document)):
            match deed:
                case Say(line):
                    self._do([line])
                case Press(name, body):
                    self._daemon.act(name, dict(body))

    def _pause_s(self) -> float:
        """Until somebody does something; never so short that the thread does nothing but look."""
        if self._game_id is None:
            return LOOK_S
        due = [ms for ms in (self._company.next_ms(), self._scribe.next_ms) if ms is not None]
        return min(LOOK_S, max(0.002, (min(due) - self._now_ms()) / 1_000 / FASTEST))


class Begun(NamedTuple):
    """The cards that lie in the centre of a round: pad, whose, face; lowest of a pad first."""

    cards: tuple[tuple[int, str, Face], ...]

    @property
    def played(self) -> dict[str, list[Face]]:
        """The faces by player."""
        played: dict[str, list[Face]] = {}
        for _, name, face in self.cards:
            played.setdefault(name, []).append(face)
        return played


def begun_round(record: str) -> Begun:
    """What lies in the centre after the last line of a record. UserError when it is none."""
    header, lines, _ = split_record(record, "the game")
    match = _played(Match.begin(parse_header(header)), lines).closed
    pads = {n: match.verdict_of(n).pad for n in match.round.accepted.values()}
    cards = [(pads[n], card.owner, card.face) for card, n in match.round.accepted.items()]
    return Begun(tuple(sorted(cards, key=lambda card: (card[0], card[2].value, card[1]))))


def _played(match: Match, lines: Iterable[RecordLine]) -> Match:
    for line in lines:
        match = match.enter(parse_line(line.text))
    return match
