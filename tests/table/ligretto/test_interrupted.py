"""Boards that are reset, games that are put aside, and what lay on the pads before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.table.ligretto.pads import NONCE, STRANGER, Pads, header_of, uid_of

from tablewire.entries import Entry, EntryKind
from tablewire.errors import UserError
from tablewire.games.base import RecordLine
from tablewire.games.catalogue import playable
from tablewire.games.ligretto.decks import printed_deck
from tablewire.games.records import score_text
from tablewire.table import Table
from tablewire.wire.messages import Sight
from tablewire.wire.observed import Snapshot, TagsLying, encode_observation


def test_what_lies_there_when_a_game_begins_does_not_count_until_it_is_lifted() -> None:
    pads = Pads(lying={3: "Anna blue 1", 5: STRANGER})
    assert pads.doc["message"]["steps"] == [{"do": "lift", "pad": 3}, {"do": "lift", "pad": 5}]
    assert (pads.piles, pads.wrong) == ({}, [])
    pads.go(1_000, 3, "Anna blue 1")
    pads.go(1_000, 5, STRANGER)
    assert pads.doc["message"] is None
    pads.come(4_000, 3, "Anna blue 1")
    assert pads.piles == {"3": "blue 1"}


def test_what_the_first_board_finds_is_not_laid_either() -> None:
    pads = Pads()
    pads.pinned["lying"] = None
    pads.table = Table.begin(pads.pinned)
    pads.lying = {(3, uid_of("Anna blue 1"))}
    pads.boot()
    pads.wait()
    assert (pads.piles, pads.doc["health"]["resting"]) == ({}, {"3": 1})
    pads.come(4_000, 4, "Ben red 1")
    assert pads.piles == {"4": "red 1"}


def test_a_board_that_is_reset_in_mid_round_changes_nothing() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", "4 Ben red 1", "5 Anna green 7")
    pads.wait()
    before = pads.doc
    pads.boot()
    pads.wait()
    assert pads.doc == before
    pads.come(4_000, 3, "Anna blue 3")
    pads.wait()
    assert pads.piles["3"] == "blue 3"


def test_what_was_laid_while_the_board_was_away_counts_and_what_went_is_gone() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "5 Anna green 7")
    pads.wait()
    pads.lying |= {(3, uid_of("Ben blue 2")), (3, uid_of("Anna blue 3"))}
    pads.lying -= {(5, uid_of("Anna green 7"))}
    pads.boot()
    pads.wait()
    assert (pads.piles, pads.wrong, pads.played) == ({"3": "blue 3"}, [], {"Anna": 2, "Ben": 1})


def test_a_ring_that_overflowed_tells_everything_anew_and_nothing_is_doubled() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", "5 Anna green 7")
    pads.wait(4_000)
    pads.tell(4_000, Sight.ANEW)
    for pad, uid in sorted(pads.lying):
        pads.tell(4_010, Sight.FOUND, pad, uid)
    pads.wait()
    assert (pads.piles, len(pads.wrong), len(pads.lines())) == ({"3": "blue 2"}, 1, 3)


def test_a_button_that_is_held_and_told_again_stops_only_once() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1")
    pads.tell(2_000, Sight.DOWN, 1)
    pads.tell(2_500, Sight.ANEW)
    pads.tell(2_500, Sight.FOUND, 3, uid_of("Anna blue 1"))
    pads.tell(2_500, Sight.DOWN, 1)
    pads.wait()
    assert [line.get("stop") for line in pads.lines()] == [None, "Ben"]


def test_a_button_without_a_player_stops_nothing() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1")
    pads.press(2_000, 2)
    pads.wait()
    assert pads.doc["stopped"] is None


def test_a_game_that_is_gone_on_with_knows_its_cards_and_takes_no_others_for_laid() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", "5 Anna green 7")
    pads.wait()
    pads.lying |= {(6, uid_of("Ben red 1"))}
    seen = TagsLying(NONCE, 50, 60_000, tuple(sorted(pads.lying)))
    at_ms = pads.table.lies.observe(seen).now_ms
    resumed = Entry(EntryKind.OBSERVATION, at_ms, {**encode_observation(seen), "resumed": True})
    pads.table, kept = pads.table.enter((resumed,))
    pads.kept += kept
    pads.check_restart()
    pads.number, pads.now_ms = 50, 60_000
    pads.wait()
    assert (pads.piles, len(pads.wrong)) == ({"3": "blue 2"}, 1)
    assert pads.doc["health"]["resting"] == {"6": 1}
    pads.come(63_000, 3, "Anna blue 3")
    pads.wait()
    assert pads.piles == {"3": "blue 3"}


def test_a_game_gone_on_with_over_the_board_of_another_waits_for_its_own() -> None:
    pads = Pads()
    pads.lay(1_000, "3 Anna blue 1")
    pads.wait()
    seen = Snapshot(55, 0, 100, bytes(201))
    at_ms = pads.table.lies.observe(seen).now_ms
    resumed = Entry(EntryKind.OBSERVATION, at_ms, {**encode_observation(seen), "resumed": True})
    pads.table, kept = pads.table.enter((resumed,))
    pads.kept += kept
    pads.lying |= {(6, uid_of("Ben red 1"))}
    pads.boot()
    pads.wait()
    assert (pads.piles, pads.doc["health"]["resting"]) == ({"3": "blue 1"}, {"6": 1})


def test_a_record_has_no_tags_and_scores_as_the_page_shows() -> None:
    pads = Pads(rounds=2)
    pads.lay(1_000, "3 Anna blue 1", "3 Ben blue 2", "5 Anna green 7")
    pads.press(4_000, 0)
    pads.wait()
    pads.act("left", left={"Anna": 0, "Ben": 2}, drop_rest=True)
    record = pads.table.record()
    assert "x_" not in record
    assert uid_of("Anna blue 1") not in record
    assert pads.score()[-2]["totals"] == pads.doc["totals"]


def test_a_record_played_elsewhere_is_gone_on_with() -> None:
    record = [
        '{"t_ms": 900000, "pad": 3, "card": {"owner": "Anna", "colour": "blue", "value": 1}}',
        '{"t_ms": 900500, "pad": 3, "card": {"owner": "Ben", "colour": "green", "value": 5}}',
    ]
    game = playable("ligretto")
    entries = game.entries_of(
        header_of("Anna", "Ben"), [RecordLine(n, line) for n, line in enumerate(record, 2)]
    )
    pads = Pads()
    pads.pinned["lying"] = None
    pads.table = Table.begin(pads.pinned)
    pads.table, kept = pads.table.enter(entries)
    pads.kept += kept
    assert pads.piles == {"3": "blue 1"}
    pads.come(1_000, 3, "Ben blue 2")
    pads.wait()
    assert (pads.piles, pads.doc["log"][1]["legal"]) == ({"3": "blue 2"}, False)
    assert score_text(pads.table.record(), "it", Path())[2]["legal"] is True


def test_a_record_that_is_none_is_refused_with_its_line() -> None:
    game, header = playable("ligretto"), header_of("Anna", "Ben")
    for lines in (["{}"], ['{"t_ms": 5, "stop": "Anna"}', '{"t_ms": 4, "stop": "Anna"}']):
        with pytest.raises(UserError, match=f"line {len(lines) + 1}: "):
            game.entries_of(header, [RecordLine(n, line) for n, line in enumerate(lines, 2)])


# Which deck is whose


def kept(*names: str, missing: int = 0) -> dict[str, Any]:
    """Printed decks as the store keeps them; the last has some cards less."""
    bodies = {name: printed_deck(name).to_kept() for name in names}
    for uid in list(bodies[names[-1]]["tags"])[:missing]:
        del bodies[names[-1]]["tags"][uid]
    return bodies


def furnished(decks: dict[str, Any], *players: str, **more: Any) -> dict[str, Any]:
    """The header of a game among these players at a table with these decks."""
    game = playable("ligretto")
    header = {"record": 1, "game": "ligretto", "players": list(players), **more}
    return game.pin(game.furnish(header, decks, None))


def test_each_player_has_the_deck_of_their_name_or_the_next_that_is_free() -> None:
    header = furnished(kept("red", "green", "Ben", "blue"), "Anna", "Ben", "Cleo")
    assert {player: deck["deck"] for player, deck in header["x_decks"].items()} == {
        "Anna": "red",
        "Ben": "Ben",
        "Cleo": "green",
    }
    assert list(header["x_others"]) == ["blue"]


def test_a_deck_can_be_chosen() -> None:
    header = furnished(kept("red", "green", "blue"), "Anna", "Ben", x_use={"Anna": "blue"}, x_count_pad=7)
    assert [deck["deck"] for deck in header["x_decks"].values()] == ["blue", "red"]
    assert (header["x_count_pad"], "x_use" in header) == (7, False)


def test_a_deck_of_ones_own_name_is_given_up_where_another_chose_it() -> None:
    header = furnished(kept("Anna", "Ben"), "Anna", "Ben", x_use={"Ben": "Anna"})
    assert [deck["deck"] for deck in header["x_decks"].values()] == ["Ben", "Anna"]


@pytest.mark.parametrize(
    ("decks", "more", "text"),
    [
        ((), {}, "2 players need 2 decks, and none is kept at this table: teach them"),
        (("red",), {}, "2 players need 2 decks, and 1 is kept"),
        (("red", "green"), {"x_use": {"Anna": "pink"}}, "no deck 'pink' is kept"),
        (("red", "green"), {"x_use": {"Zoe": "red"}}, "'Zoe', who does not play"),
        (("red", "green"), {"x_use": {"Anna": "red", "Ben": "red"}}, "the same deck"),
        (("red", "green"), {"x_use": ["red"]}, "write a JSON object"),
        (("red", "green"), {"x_use": {"Anna": ["red"]}}, r"no deck \['red'\] is kept"),
        (("red", "green"), {"x_use": {"Anna": {}, "Ben": None}}, r"no deck \{\} is kept"),
        (
            ("red", "green"),
            {"players": ["Anna\nBen", "Cleo"]},
            r"called 'Anna\\nBen': write a name of one line",
        ),
        (("red", "green"), {"players": ["Anna", "B\x1b[31m"]}, "nobody can be called"),
        (("red", "green"), {"players": ["Anna", "B" * 41]}, "at most 40 characters"),
        (("red", "green"), {"x_count_pad": -1}, "number of a pad"),
        (("red", "green"), {"players": "Anna"}, '"players"'),
    ],
)
def test_what_is_wrong_with_the_decks_is_said_in_one_line(
    decks: tuple[str, ...], more: dict[str, Any], text: str
) -> None:
    game = playable("ligretto")
    header = {"record": 1, "game": "ligretto", "players": ["Anna", "Ben"], **more}
    with pytest.raises(UserError, match=text) as told:
        game.pin(game.furnish(header, kept(*decks) if decks else {}, None))
    assert "\n" not in str(told.value)


def test_a_deck_that_is_not_complete_is_named_and_taken_only_where_no_other_is_there() -> None:
    with pytest.raises(UserError, match="'green' is not complete: 3 cards are missing"):
        furnished(kept("red", "green", missing=3), "Anna", "Ben")
    with pytest.raises(UserError, match="1 card is missing"):
        furnished(kept("red", "green", missing=1), "Anna", "Ben")
    assert furnished(kept("red", "green", "blue", missing=1), "Anna", "Ben")["x_decks"].keys() == {
        "Anna",
        "Ben",
    }


def test_one_tag_in_two_decks_is_refused() -> None:
    decks = kept("red", "green")
    uid = next(iter(decks["red"]["tags"]))
    first = next(iter(decks["green"]["tags"]))
    decks["green"]["tags"] = {
        uid if other == first else other: face for other, face in decks["green"]["tags"].items()
    }
    with pytest.raises(UserError, match=uid):
        furnished(decks, "Anna", "Ben")
