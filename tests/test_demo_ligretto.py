"""The demo of Ligretto as a user runs it: the real programs, a pty between them, and every way to go on."""

from __future__ import annotations

import json
import signal
from datetime import UTC, datetime
from pathlib import Path

from tests.capturing import replayed
from tests.test_demo import Demo, kept, lines_of, wait_until_gone

from tablewire.games.ligretto.decks import printed_deck
from tablewire.games.records import score_text
from tablewire.store.journal import Journal

GAME = ("--game", "ligretto")


def _now() -> datetime:
    return datetime.now(UTC)


def cards_of(lines: list[str]) -> list[str]:
    return [line for line in lines if '"card"' in line]


def test_a_demo_killed_in_the_middle_of_a_round_goes_on_to_the_end_and_another_game_is_put_aside(
    tmp_path: Path,
) -> None:
    with Demo(tmp_path, "--seed", "61", "--players", "2") as demo:
        demo.wait_for(lambda document: document["moves"] >= 1)
        demo.process.send_signal(signal.SIGTERM)
        assert demo.end()[::2] == (0, "")
    cirkis_id = kept(tmp_path)[0]

    options = "--players", "3", "--option", "rounds=1", "--option", "left_penalty=3"
    with Demo(tmp_path, *GAME, "--seed", "62", *options) as demo:
        shown = demo.wait_for(lambda document: document["game"] == "ligretto" and document["moves"] >= 10)
        board_pid = demo.board_pid()
        demo.process.kill()
        demo.process.wait()
        wait_until_gone(board_pid)
    game_id, before = kept(tmp_path)
    assert game_id == shown["game_id"] != cirkis_id

    capture = tmp_path / "1.capture"
    with Demo(tmp_path, *GAME, "--seed", "63", "--once", "--capture", str(capture)) as demo:
        status, out, err = demo.end()
    assert (status, err) == (0, "")
    assert out.startswith(f"going on with game {game_id[:8]} (playing)")
    assert replayed(capture)[0] == 0

    after_id, table = kept(tmp_path)
    assert after_id == game_id
    known, lines = lines_of(before), lines_of(table)
    assert lines[: len(known) - 2] == known[:-2]
    assert len(cards_of(lines)) > len(cards_of(known)) >= 8
    document = json.loads(json.dumps(table.document()))
    printed = score_text(table.record(), "record", Path())
    assert document["phase"] == "over"
    assert [player["name"] for player in document["players"]] == ["Anna", "Ben", "Cleo"]
    assert (document["rounds"], document["left_penalty"]) == (1, 3)
    assert document["result"] == printed[-1]["result"]
    assert document["totals"] == printed[-1]["result"]["totals"]
    assert (document["wrong"], document["undecided"]) == ([], [])


def test_a_deck_of_the_familys_own_is_never_taken_for_the_demos(tmp_path: Path) -> None:
    own = printed_deck("ours").to_kept()
    with Journal.open(tmp_path, _now) as journal:
        journal.keep("ligretto", "red", own)

    with Demo(tmp_path, *GAME, "--seed", "64") as demo:
        status, out, err = demo.end()

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "has a deck called red that is not the simulated board's" in err
    with Journal.open(tmp_path, _now) as journal:
        assert journal.kept("ligretto") == {"red": own}
