"""Whole games print exactly what they always did."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tablewire.games.records import score_file

RECORDS = sorted((Path(__file__).parent.parent / "playthroughs").glob("*.jsonl"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_playthrough_prints_what_it_always_did(record: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    status = score_file(str(record), out, err)
    expected = record.with_suffix(".expected").read_text(encoding="utf-8")
    assert out.getvalue() == expected
    assert err.getvalue() == ""
    assert status == (1 if '"legal": false' in expected else 0)


def test_the_playthroughs_of_ligretto_cover_both_endings_and_every_kind_of_line_and_reason() -> None:
    texts = [
        record.with_suffix(".expected").read_text("utf-8") for record in RECORDS if "ligretto" in record.name
    ]
    printed = [json.loads(line) for text in texts for line in text.splitlines()]
    assert {line["result"]["ended"] for line in printed if "result" in line} >= {"rounds", "target"}
    kinds = {tuple(line)[1] for line in printed if "n" in line}
    assert kinds == {"player", "stop", "decided", "round", "legal"}
    assert any(line.get("height") == 10 for line in printed)
    assert {reason for line in printed for reason in line.get("reasons", [])} == {
        *("after_stop", "bad_count", "card_already_played", "game_over", "no_stop", "not_a_one"),
        *("not_in_game", "not_undecided", "pile_complete", "undecided", "unknown_card"),
        *("wrong_colour", "wrong_value", "wrong_winner"),
    }


def test_the_playthroughs_cover_every_ending_and_kind_of_free_turn() -> None:
    texts = [record.with_suffix(".expected").read_text(encoding="utf-8") for record in RECORDS]
    printed = [json.loads(line) for text in texts for line in text.splitlines()]
    endings = {line["result"]["ended"] for line in printed if "result" in line}
    assert endings >= {"target", "blocked", "match"}
    assert {line.get("free_turn") for line in printed} >= {"surrounded", "center_star", "first_sliver"}
    assert any(line.get("auto_passes") and line["next"] for line in printed)
    assert any("ring" in line.get("completed", []) for line in printed)
    assert any(line.get("forced") for line in printed)
    assert any("ruling" in line for line in printed)
