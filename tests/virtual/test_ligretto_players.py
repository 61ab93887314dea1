"""The players of Ligretto by themselves: on a table without sensors, kept by the rules alone.

A hand that lays a card is a line of the record at once. What the page would say is composed from the game, as
far as players look at it. That the real page says so too, tests/system/ligretto shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from tablewire.games.ligretto.cards import FACES, Card, Face
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import CardLine, DecideLine, LeftLine, Line, Rules, StopLine
from tablewire.virtual.ligretto_deal import OwnCards
from tablewire.virtual.ligretto_players import SLOW, TEMPERS, Company, Press, Say, Sitter, Temper
from tablewire.virtual.ligretto_scribe import Scribe

LIMIT_MS = 3_600_000
"""No evening is so long."""
COUNT_PAD = 15
Json = dict[str, Any]


class PaperTable:
    """Whoever keeps the score here sees every card the moment it comes down. `done`: every deed, in order."""

    def __init__(self, rules: Rules, tempers: Sequence[Temper], seed: str, pad_count: int = 16) -> None:
        names = [f"P{seat}" for seat in range(len(rules.players))]
        sitters = [
            Sitter(player, name, temper)
            for player, name, temper in zip(rules.players, names, tempers, strict=True)
        ]
        self.names = dict(zip(names, rules.players, strict=True))
        self.company = Company(sitters, pad_count, seed)
        self.scribe = Scribe(self.company, COUNT_PAD)
        self.match = Match.begin(rules)
        self.now_ms = 0
        self.lines: list[Line] = []
        self.done: list[Say | Press] = []
        self.counted: Counter[str] | None = None
        self.is_between = False
        self.wrong: dict[tuple[int, Card], int] = {}
        self.left: list[Json] = []

    def play(self, until_round: int | None = None) -> None:
        """Play to the end, or until a round of this number is on."""
        while not self.match.is_over and self.match.round_number != until_round:
            self.now_ms += 10
            assert self.now_ms < LIMIT_MS, self.document()
            due = min(self.company.next_ms() or 0, self.scribe.next_ms)
            if due > self.now_ms and not self._is_open():
                continue
            document = self.document()
            for deed in [
                *self.company.deeds(self.now_ms, document),
                *self.scribe.deeds(self.now_ms, document),
            ]:
                self.done.append(deed)
                self._do(deed)

    def _is_open(self) -> bool:
        return bool(self.match.scans)

    def _enter(self, line: Line) -> None:
        self.lines.append(line)
        self.match = self.match.enter(line)

    def _do(self, deed: Say | Press) -> None:
        if isinstance(deed, Press):
            self._press(deed)
            return
        match deed.line.split():
            case ["lay", word, pad]:
                card = self._card(word)
                if self.counted is not None and int(pad) == COUNT_PAD:
                    self.counted[card.owner] += 1
                else:
                    self._enter(CardLine(self.now_ms, int(pad), card))
                    self.wrong.setdefault((int(pad), card), self.match.n)
            case ["take", word, "from", pad]:
                self.wrong.pop((int(pad), self._card(word)), None)
            case ["press", button]:
                self._enter(StopLine(self.now_ms, self.match.rules.players[int(button)]))
            case ["clear", _]:
                pass

    def _press(self, press: Press) -> None:
        match press.name, press.body:
            case "round_stop", {"player": player}:
                self._enter(StopLine(self.now_ms, player))
            case "unstop", _:
                self._enter(StopLine(self.now_ms, None))
            case "decide", {"n": n, "winner": winner}:
                self._enter(DecideLine(n, winner))
            case "count", {"pad": pad}:
                self.counted = None if pad is None else Counter()
            case "left", {"left": left}:
                rounds = len(self.match.rounds)
                self._enter(LeftLine(left))
                self.left.append(left)
                self.is_between = len(self.match.rounds) > rounds
                self.counted, self.wrong = None, {}
            case "next_round", _:
                self.is_between = False

    def _card(self, word: str) -> Card:
        deck, colour, value = word.split(":")
        return Card(self.names[deck], colour, int(value))

    def document(self) -> Json:
        """What the page says, as far as players look at it."""
        match = self.match.closed
        stopped = match.round.stopped
        open_ns = {n for group in match.round.undecided for n in group.ns}
        wrong = [
            {"pad": pad, "player": card.owner, "card": card._asdict(), "lies": True}
            for (pad, card), n in self.wrong.items()
            if match.round.accepted.get(card) is None and n not in open_ns
        ]
        return {
            "phase": "over" if match.is_over else "waiting" if self.is_between else "playing",
            "round": match.round_number,
            "pads": {
                str(pad): {"colour": pile.colour, "value": pile.value}
                for pad, pile in match.round.piles.items()
            },
            "wrong": wrong,
            "undecided": [
                {"id": f"decide:{min(group.ns)}", **group._asdict()} for group in match.round.undecided
            ],
            "stopped": None if stopped is None else {"by": stopped.by, "t_ms": stopped.t_ms},
            "counting": None if self.counted is None else {"counted": dict(self.counted)},
            "message": None,
            "actions": {
                "stop": stopped is None and not self.is_between,
                "unstop": stopped is not None,
                "left": stopped is not None,
                "next_round": self.is_between and not match.is_over,
            },
        }


@cache
def played(player_count: int, seed: str, rounds: int = 2) -> PaperTable:
    """A whole match, all tempers round the table."""
    players = tuple(f"Player {seat}" for seat in range(player_count))
    tempers = [TEMPERS[seat % len(TEMPERS)] for seat in range(player_count)]
    table = PaperTable(Rules(players, rounds=rounds), tempers, seed, pad_count=4 * player_count)
    table.play()
    return table


SIZES = [(2, "a"), (3, "b"), (4, "c"), (12, "d")]


@pytest.mark.parametrize(("player_count", "seed"), SIZES)
def test_they_play_every_round_to_its_end_and_count_it_rightly(player_count: int, seed: str) -> None:
    table = played(player_count, seed)

    assert [score.number for score in table.match.rounds] == [1, 2]
    for score in table.match.rounds:
        assert score.stop == "blocked" or score.left[score.stop] == 0
        assert sum(score.played.values()) > 4 * player_count
        assert all(score.played[player] + score.left[player] <= 40 for player in score.played)
    assert all(report["legal"] for report in table.match.printed() if "left" in report and "legal" in report)


@pytest.mark.parametrize(("player_count", "seed"), SIZES)
def test_nobody_lays_a_card_that_is_not_in_the_own_deck_or_is_played_already(
    player_count: int, seed: str
) -> None:
    reasons = Counter(
        reason for line in played(player_count, seed).match.printed() for reason in line.get("reasons", ())
    )

    assert not {"not_in_game", "unknown_card", "card_already_played", "game_over"} & set(reasons)
    assert {"wrong_value", "wrong_colour"} & set(reasons), "somebody is sloppy"


def test_a_table_of_twelve_sees_everything_that_a_referee_must_judge() -> None:
    printed = played(12, "d").match.printed()

    assert any(line.get("legal", True) is None for line in printed), "two went for one pile at once"
    assert any("decided" in line for line in printed)
    assert any("after_stop" in line.get("reasons", ()) for line in printed), "somebody cheats"


def test_the_same_seed_plays_the_same_match_and_another_one_another() -> None:
    first, again, other = (
        PaperTable(Rules(("Anna", "Ben")), TEMPERS[:2], seed) for seed in ("one", "one", "two")
    )
    for table in (first, again, other):
        table.play()

    assert first.done == again.done
    assert first.done != other.done


def test_the_slow_get_rid_of_fewer_cards_than_the_quick() -> None:
    quick, slow = TEMPERS[0], SLOW
    table = PaperTable(Rules(("Quick", "Slow"), rounds=3), [quick, slow], "race")
    table.play()

    assert table.match.totals["Quick"] > table.match.totals["Slow"]


def test_where_nobody_can_play_the_round_ends_as_blocked() -> None:
    """On a single pad one colour alone can be played, and soon nobody has the next card at hand."""
    table = PaperTable(Rules(("Anna", "Ben")), [replace(SLOW, look_ms=(50, 100))] * 2, "stuck", pad_count=1)
    table.play()

    assert table.match.rounds[0].stop == "blocked"


def test_of_a_round_that_was_begun_before_everybody_has_the_cards_that_are_not_played() -> None:
    company = Company([Sitter("Anna", "red", SLOW), Sitter("Ben", "green", SLOW)], 16, "again")
    out = FACES[:12]
    company.sit_down(3, 0, {"Anna": out})
    anna, ben = (seat.own for seat in company.seats)

    assert set(anna.out) == set(out)
    assert not set(anna.left) & set(out)
    assert 1 <= anna.left_count < ben.left_count == 10


@pytest.mark.parametrize("seed", range(20))
def test_a_card_that_comes_back_is_where_it_was_and_none_is_lost(seed: int) -> None:
    rng = Random(seed)
    own = OwnCards(4, rng)
    for _ in range(200):
        left = own.left_count
        face = rng.choice(own.playable() or (None,))
        if face is None or rng.random() < 0.4:
            own.turn(rng)
            continue
        own.play(face)
        assert left - own.left_count in (0, 1)
        if rng.random() < 0.7:
            own.take_back(face)
            assert own.left_count == left
            assert face in own.playable() or face in own.left

    seen: set[Face] = set(own.out)
    while own.playable():
        for face in own.playable()[:1]:
            own.play(face)
        seen.update(own.out)
        if not own.playable():
            own.turn(rng)
    assert seen == set(FACES)
