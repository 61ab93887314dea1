"""A game followed while it is played: what stands, what waits, and what would be."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from tests.games.ligretto.by_hand import Json, card, cards, decide, header, left, said, stop
from tests.games.ligretto.random_records import Hands

from tablewire.errors import UserError
from tablewire.games.ligretto.cards import DECK_COUNT, FACES, Card, Face, is_face
from tablewire.games.ligretto.grown import BLOCK_COUNT, Grown
from tablewire.games.ligretto.match import Match
from tablewire.games.ligretto.record import (
    CardLine,
    Rules,
    encode_header,
    encode_line,
    parse_header,
    parse_line,
)
from tablewire.games.ligretto.round import Group, Stop
from tablewire.games.ligretto.scan import Pile


def after(lines: Sequence[Json], **options: Any) -> Match:
    """The game after these lines."""
    match = Match.begin(parse_header(header(**options)))
    for line in lines:
        match = match.enter(parse_line(line))
    return match


def test_a_card_waits_until_its_scan_is_over() -> None:
    match = after([card(0, 0, "ab1"), card(40, 0, "bb2")])
    assert (match.n, match.printed(), len(match.round.piles)) == (2, (), 0)
    assert said(list(match.enter(parse_line(card(41, 9, "cr1"))).printed())) == [1, 2]
    assert said(list(match.enter(parse_line(stop(40))).printed())) == [1, 2]


def test_time_alone_ends_a_scan_when_nothing_earlier_can_come() -> None:
    match = after([card(0, 0, "ab1"), card(20, 1, "bb1")])
    assert match.close_scans(40) == match
    assert said(list(match.close_scans(41).printed())) == [1]
    assert said(list(match.close_scans(61).printed())) == [1, 1]


def test_what_shows_takes_open_scans_as_they_are_and_ends_none() -> None:
    match = after([card(0, 0, "ab2"), card(20, 0, "bb3")])
    assert said(list(match.closed.printed())) == ["not_a_one", "not_a_one"]
    assert said(list(match.enter(parse_line(card(40, 0, "cb1"))).closed.printed())) == [2, 3, 1]


def test_a_settled_line_waits_for_the_lines_before_it() -> None:
    match = after([card(0, 1, "ab1"), card(30, 2, "br1"), card(35, 1, "bb2"), card(60, 3, "cy1")])
    assert said(list(match.printed())) == [1]
    assert match.verdict_of(3).height == 2
    assert said(list(after([], rounds=1).printed())) == []


def test_a_verdict_is_found_by_its_line() -> None:
    match = after([card(0, 0, "ab1"), stop(100), card(200, 0, "bb2")])
    assert match.verdict_of(1).legal is True
    for n in (-1, 0, 2, 3, 4):
        with pytest.raises(KeyError):
            match.verdict_of(n)
    assert match.report_of(2).to_json() == {"n": 2, "stop": "Anna", "t_ms": 100}
    late = match.closed.verdict_of(3)
    assert (late.player, late.pad, late.legal, late.reasons, late.height) == (
        *("Ben", 0, False),
        *(("after_stop",), None),
    )


def test_a_round_shows_its_piles_its_players_counts_and_its_open_questions() -> None:
    lines = [*cards("ab1 bb2", pad=3), card(5000, 3, "ab3"), card(5001, 3, "cb3"), card(6000, 4, "cr1")]
    shown = after([*lines, stop(7000, "Ben")]).round
    assert shown.piles == {3: Pile("blue", 3), 4: Pile("red", 1)}
    assert [pile.height for pile in shown.piles.values()] == [3, 1]
    assert shown.played == {"Anna": 1, "Ben": 1, "Cleo": 1}
    assert shown.undecided == (Group((3, 4), 3, "blue", 3, ("Anna", "Cleo")),)
    assert shown.accepted[Card("Cleo", "blue", 3)] == 4
    assert (shown.stopped, shown.last_ms, shown.has_begun) == (Stop("Ben", 7000), 7000, True)
    assert after([*lines, stop(7000, "Ben"), decide(3, "Cleo")]).round.undecided == ()


def test_a_counted_round_makes_room_for_the_next_one() -> None:
    lines = [*cards("ab1 bb2"), stop(9000, "Anna"), left(0, 1, 2)]
    match = after(lines, rounds=2)
    assert (match.round_number, match.is_over, match.round.has_begun) == (2, False, False)
    assert match.totals == {"Anna": 1, "Ben": -1, "Cleo": -4}
    assert [(score.number, score.stop, score.points["Ben"]) for score in match.rounds] == [(1, "Anna", -1)]
    over = after(lines)
    assert (over.round_number, over.is_over, over.ended) == (1, True, "rounds")


def test_names_whose_count_cannot_be_are_told() -> None:
    shown = after([stop(0, "Ben")]).round
    assert shown.bad_counts({"Anna": 11, "Ben": 1, "Zoe": 0, "x_note": 5}) == ("Anna", "Ben", "Cleo", "Zoe")
    assert shown.bad_counts({"Anna": 10, "Ben": 0, "Cleo": 3}) == ()


def test_a_card_can_be_judged_before_it_is_laid() -> None:
    match = after([*cards("ab1 bb2"), card(1130, 0, "cb3"), stop(5000, "Ben")])
    judged = match.judge(0, Card("Anna", "blue", 4), 5000)
    assert (judged.n, judged.legal, judged.height) == (5, True, 4)
    assert match.judge(0, Card("Anna", "red", 5), 5001).reasons == (
        *("after_stop", "wrong_colour", "wrong_value"),
    )
    assert match.judge(7, Card("Zoe", "red", 1), 5000).reasons == ("not_in_game",)
    over = match.enter(parse_line(left()))
    assert over.judge(0, Card("Anna", "blue", 1), 0).reasons == ("game_over",)


def test_time_that_falls_is_the_callers_fault_and_changes_nothing() -> None:
    match = after([card(100, 0, "ab1")])
    with pytest.raises(UserError, match='"t_ms" falls from 100 to 99'):
        match.enter(parse_line(card(99, 0, "bb2")))
    assert match.n == 1


def test_a_deck_has_every_face_once_and_knows_no_other() -> None:
    assert len(FACES) == len(set(FACES)) == DECK_COUNT
    assert FACES[0] == Face("red", 1)
    assert all(is_face(face) for face in FACES)
    assert not any(map(is_face, (Face("red", 0), Face("red", 11), Face("RED", 1))))


def test_a_long_sequence_grows_as_a_value() -> None:
    count = 3 * BLOCK_COUNT + 5
    grown: Grown[int] = Grown()
    shorter = grown
    for k in range(count):
        shorter = grown if k == BLOCK_COUNT + 1 else shorter
        grown = grown.plus(k)
    assert (list(shorter), len(grown), list(grown)) == (
        *(list(range(BLOCK_COUNT + 1)), count),
        list(range(count)),
    )
    assert (grown[0], grown[BLOCK_COUNT], grown[-1], grown[-3:]) == (
        *(0, BLOCK_COUNT, count - 1),
        (count - 3, count - 2, count - 1),
    )
    assert list(shorter.plus(-1))[-2:] == [BLOCK_COUNT, -1]
    for index in (count, -count - 1):
        with pytest.raises(IndexError):
            grown[index]


@pytest.mark.parametrize(
    "line", [card(5, 3, "ab4"), stop(5), stop(5, None), decide(3, "Ben"), left(0, 4, "7")]
)
def test_a_line_is_written_as_it_was_read(line: Json) -> None:
    assert encode_line(parse_line(line)) == line


@pytest.mark.parametrize(
    "options", [{}, {"rounds": 3}, {"target": 99, "left_penalty": 3}, {"scan_ms": 0, "left_penalty": 0}]
)
def test_a_header_is_written_as_it_was_read(options: dict[str, Any]) -> None:
    assert encode_header(parse_header(header(**options))) == header(**options)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_played_some_things_hold_after_every_line(seed: int) -> None:
    rng = random.Random(seed)
    hands = Hands(rng, wildness=rng.choice([0.05, 0.3]))
    for _ in range(60):
        before = hands.match
        hands.go_on()
        match = hands.match
        settled = match.printed()
        assert settled[: len(before.printed())] == before.printed(), "what has been said stays"
        for each in (match, match.closed):
            shown = each.round
            on_piles = sum(pile.height for pile in shown.piles.values())
            assert sum(shown.played.values()) + len(shown.undecided) == on_piles
            open_count = sum(len(group.ns) for group in shown.undecided)
            assert len(shown.accepted) == sum(shown.played.values()) + open_count
        assert len(match.closed.printed()) == match.n
        for score in match.rounds:
            least = -10 * match.rules.left_penalty
            assert all(least <= points <= 40 for points in score.points.values())
            assert all(score.played[p] + score.left[p] <= 40 for p in match.rules.players)
        for player, total in match.totals.items():
            assert total == sum(score.points[player] for score in match.rounds)


@pytest.mark.parametrize("seed", range(12))
def test_the_order_of_lines_within_a_scan_means_nothing(seed: int) -> None:
    rng = random.Random(seed)
    hands = Hands(rng, wildness=0.2)
    while len(hands.rows) < 60:
        hands.go_on()
    rows = list(hands.rows)
    at_once: dict[tuple[int, int, int], list[int]] = {}
    lines_between = 0
    for at, row in enumerate(rows):
        lines_between += "pad" not in row
        if "pad" in row:
            at_once.setdefault((row["t_ms"], row["pad"], lines_between), []).append(at)
    mixed = list(rows)
    for places in at_once.values():
        for place, other in zip(places, rng.sample(places, len(places)), strict=True):
            mixed[place] = rows[other]
    assert mixed != rows
    parsed = parse_header(hands.header)
    assert _outcome(parsed, rows) == _outcome(parsed, mixed)


def _outcome(rules: Rules, rows: list[Json]) -> object:
    """Every card with its verdict, without lines of the record, and how the table stands in the end."""
    lines = [parse_line(row) for row in rows if "decide" not in row]
    match = Match.begin(rules)
    for line in lines:
        match = match.enter(line)
    match = match.closed
    verdicts = []
    for n, line in enumerate(lines, 1):
        if isinstance(line, CardLine):
            verdict = match.verdict_of(n)
            others = sorted(match.verdict_of(other).player for other in verdict.others)
            verdicts.append((line, verdict.legal, verdict.reasons, verdict.height, others))
    return sorted(verdicts, key=repr), match.totals, match.round.piles, match.round.played


@pytest.mark.parametrize("seed", range(6))
def test_a_card_is_judged_as_it_will_be_when_it_is_laid_alone(seed: int) -> None:
    rng = random.Random(seed)
    hands = Hands(rng, wildness=0.2)
    for _ in range(40):
        hands.go_on()
        t_ms = hands.t_ms + hands.match.rules.scan_ms + 1
        owner = rng.choice([*hands.players, "stranger"])
        tried = Card(owner, rng.choice(["red", "green", "pink"]), rng.randint(0, 11))
        pad = rng.randrange(5)
        laid = hands.match.enter(CardLine(t_ms, pad, tried)).closed
        assert hands.match.judge(pad, tried, t_ms) == laid.verdict_of(laid.n)
