"""A record from elsewhere becomes a game at this table, whole, or it is said which line cannot be."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from tests.games.random_records import random_record

from tablewire.errors import UserError
from tablewire.games.base import RecordLine
from tablewire.games.catalogue import playable
from tablewire.table import Table, restore

GAME = playable("cirkis")
HEADER = {"record": 1, "game": "cirkis", "players": ["red", "green"], "options": {"match": 10, "target": 10}}


def taken_in(header: dict[str, Any], lines: list[str]) -> Table:
    """The table of a game whose record was taken in."""
    pinned = GAME.pin(header)
    rows = [RecordLine(n, line) for n, line in enumerate(lines, 2) if line.strip()]
    entries = GAME.entries_of(pinned, rows)
    return restore({"header": pinned, "rules_version": GAME.rules_version, "lying": None}, entries)


def lines_of(*rows: Any) -> list[str]:
    return [json.dumps(row, ensure_ascii=False) for row in rows]


def test_rulings_forced_entries_rounds_passes_and_keys_of_others_come_in_whole_and_go_out_the_same() -> None:
    header = {**HEADER, "options": {"match": 100, "target": 10, "x_o": 1.5}, "x_where": "Zürich ☕"}
    rows = [
        {"player": "red", "spaces": [3, 2], "x_ms": 1200},
        {"player": "green", "spaces": [4, 5]},
        {"ruling": {"points": {"green": 5, "red": 0}, "note": "«потому»", "x_n": None}, "x_by": "Ada"},
        {"player": "red", "spaces": [1]},
        {"player": "red", "spaces": [60], "forced": True},
        {"round": 2, "x_at": "später"},
        {"player": "green", "spaces": [6]},
        {"player": "red", "pass": True, "forced": True, "x_why": {"a": [True]}},
        {"player": "green", "spaces": [16]},
    ]
    record = taken_in(header, lines_of(*rows)).record()
    assert record.splitlines()[1:] == lines_of(*rows)
    first, *rest = record.splitlines()
    assert taken_in(json.loads(first), rest).record() == record
    assert '"x_where": "Zürich ☕"' in first
    assert '"x_o": 1.5' in first


@pytest.mark.parametrize("seed", range(3))
def test_any_record_that_is_scored_is_taken_in_and_goes_out_the_same(seed: int) -> None:
    """Random records with every kind of line, up to their first line that cannot stand."""
    rng = random.Random(seed)
    for _ in range(4):
        header, *lines = random_record(rng, wildness=0.15).splitlines()
        good = list(lines)
        while True:
            try:
                table = taken_in(json.loads(header), good)
                break
            except UserError as exc:
                number = int(str(exc).removeprefix("line ").split(":")[0])
                assert number - 2 < len(good)
                good = good[: number - 2]
        first, *rest = table.record().splitlines()
        assert [json.loads(line) for line in rest] == [json.loads(line) for line in good]
        assert taken_in(json.loads(first), rest).record() == table.record()


def test_a_character_that_is_half_of_one_goes_out_as_it_came_in() -> None:
    """A record may escape what no file can hold as it is."""
    line = '{"player": "red", "spaces": [6], "x_note": "\\ud83d"}'
    record = taken_in(HEADER, [line]).record()
    record.encode("utf-8")
    assert record.splitlines()[1] == line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"player": "green", "spaces": [60]}', "line 3: green's wedge on space 60 is against the rules"),
        ('{"player": "green", "spaces": [6]}', "a space is filled already"),
        ('{"player": "green", "spaces": [7, 99]}', "no piece of the set has this shape"),
        ('{"player": "yellow", "spaces": [7]}', "Yellow is not playing"),
        ('{"player": "red", "pass": true}', "red's pass is against the rules"),
        ('{"round": 2}', "is no line of this game"),
        ('{"ruling": {"points": {"yellow": 5}}}', "is no line of this game"),
        ("gibberish", "line 3: 'gibberish' is no line of this game; correct it"),
        (f'{{"player": "green", "spaces": {list(range(999))}}}', "5, 6, 7, 8... is against the rules"),
        (f'{{"player": "green", "spaces": [{10**400}]}}', "0000... is against the rules"),
        (f'{{"player": "{"x" * 9999}", "spaces": [7]}}', "xxxx... is not playing"),
        ('{"player": "green", "spaces": [7], "x_big": 1e999}', "line 3: it holds a number that is too large"),
    ],
)
def test_the_first_line_that_cannot_stand_is_named(line: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        taken_in(HEADER, ['{"player": "red", "spaces": [6]}', line])
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_line_that_no_journal_would_keep_is_named() -> None:
    """The store would refuse it half-way through the game."""
    line = json.dumps({"player": "red", "spaces": [6], "x_note": "é" * 10_000}, ensure_ascii=False)
    with pytest.raises(UserError, match="line 2: it is longer than 49152 characters; shorten its notes"):
        taken_in(HEADER, [line])


def test_a_game_taken_in_can_be_gone_on_with_and_nothing_in_it_is_taken_back_by_an_empty_table() -> None:
    table = taken_in(HEADER, lines_of({"player": "red", "spaces": [3]}, {"player": "green", "spaces": [2]}))
    assert table.document()["moves"] == 2
    assert table.document()["phase"] == "playing"
    assert table.legal()["player"] == "red"
