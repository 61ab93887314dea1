"""`tablewire score` of Ligretto from the outside: exit statuses, streams, and what is no record."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.games.ligretto.by_hand import Json, card, cards, decide, header, left, stop

from tablewire.games.records import score_file

FIRST = card(100, 0, "ab1")


def run(tmp_path: Path, *lines: Any) -> tuple[int, list[str], list[str]]:
    """Exit status, lines of standard output, lines of standard error; the file's name is cut off."""
    file = tmp_path / "round.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    status = score_file(str(file), out, err)
    return status, out.getvalue().splitlines(), err.getvalue().replace(f"{file}:", "").splitlines()


def test_a_round_prints_a_line_each_and_the_result_to_the_letter(tmp_path: Path) -> None:
    game = [*cards("ab1 bb2"), card(5000, 0, "ab3"), card(5000, 0, "bb3"), decide(3, "Ben"), stop(9000)]
    status, out, err = run(tmp_path, header(["Ben", "Anna"]), *game, {"left": {"Anna": 0, "Ben": 4}})
    assert (status, err) == (0, [])
    assert out == [
        '{"n": 1, "player": "Anna", "pad": 0, "legal": true, "height": 1}',
        '{"n": 2, "player": "Ben", "pad": 0, "legal": true, "height": 2}',
        '{"n": 3, "player": "Anna", "pad": 0, "legal": null, "reasons": ["undecided"], "with": [4]}',
        '{"n": 4, "player": "Ben", "pad": 0, "legal": null, "reasons": ["undecided"], "with": [3]}',
        '{"n": 5, "decided": [3, 4], "winner": "Ben"}',
        '{"n": 6, "stop": "Anna", "t_ms": 9000}',
        '{"n": 7, "round": 1, "played": {"Ben": 2, "Anna": 1}, "left": {"Ben": 4, "Anna": 0}, '
        '"points": {"Ben": -6, "Anna": 1}, "totals": {"Ben": -6, "Anna": 1}}',
        '{"result": {"ended": "rounds", "winners": ["Anna"], "totals": {"Ben": -6, "Anna": 1}}}',
    ]


@pytest.mark.parametrize(
    "wrong",
    [card(200, 0, "bb3"), stop(200, "Zoe"), decide(1, "Anna"), left(), left(11)],
    ids=["card", "stop", "decide", "no stop", "count"],
)
def test_a_line_against_the_rules_makes_the_status_1_and_the_file_is_read_on(
    tmp_path: Path, wrong: Json
) -> None:
    status, out, err = run(tmp_path, header(), FIRST, wrong, card(300, 0, "bb2"))
    assert (status, err) == (1, [])
    assert json.loads(out[1])["legal"] is False
    assert json.loads(out[2]) == {"n": 3, "player": "Ben", "pad": 0, "legal": True, "height": 2}


def test_undecided_cards_alone_are_no_breach(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, header(), FIRST, card(100, 0, "bb1"))
    assert (status, len(out)) == (0, 3)


def test_blank_lines_do_not_count(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, "", header(), " ", FIRST, "", "\t", card(200, 0, "bb2"), "")
    assert status == 0
    assert [json.loads(line).get("n") for line in out] == [1, 2, None]


def test_keys_that_begin_with_x_are_ignored_wherever_they_stand(tmp_path: Path) -> None:
    plain = [header(), FIRST, stop(200), decide(1, "Anna"), left()]
    head = {**header(x_why=["a"]), "x_decks": {"Anna": 3}}
    first = {**FIRST, "x_uid": "04", "card": {**FIRST["card"], "x_seen": None}}
    extra = [{**stop(200), "x_a": 1}, {**decide(1, "Anna"), "x_by": "me"}, {**left(x_sum=4), "x_b": {}}]
    assert run(tmp_path, head, first, *extra) == run(tmp_path, *plain)


def test_a_player_may_be_called_like_an_ignored_key(tmp_path: Path) -> None:
    lines = [stop(0, "blocked"), {"left": {"x_ray": 3, "Ben": 1, "x_note": 9}}]
    status, out, _ = run(tmp_path, header(["x_ray", "Ben"]), *lines)
    assert status == 0
    assert json.loads(out[1])["points"] == {"x_ray": -6, "Ben": -2}


def test_options_may_be_left_out(tmp_path: Path) -> None:
    bare = {key: value for key, value in header().items() if key != "options"}
    assert run(tmp_path, bare, FIRST) == run(tmp_path, header(), FIRST)
    spelt_out = header(scan_ms=40, left_penalty=2, rounds=1)
    assert run(tmp_path, spelt_out, *cards("ab1 bb2"), stop(9000), left()) == run(
        tmp_path, header(), *cards("ab1 bb2"), stop(9000), left()
    )


BAD_HEADERS: list[tuple[Any, str]] = [
    (header() | {"record": 2}, '"record" is 2'),
    (header() | {"record": True}, '"record" is True'),
    (header() | {"game": "Ligretto"}, "\"game\" is 'Ligretto'"),
    (header() | {"rulebook": "hasbro"}, "'rulebook' is no key"),
    (header(["Anna"]), "2 to 12"),
    (header([f"player {k}" for k in range(13)]), "2 to 12"),
    (header() | {"players": None}, '"players" is None'),
    (header() | {"players": "Anna Ben"}, "2 to 12"),
    (header() | {"players": {"Anna": 1, "Ben": 2}}, "2 to 12"),
    (header() | {"players": ["Anna", 7]}, "holds 7"),
    (header() | {"players": ["Anna", ["Ben"]]}, "holds ['Ben']"),
    (header(["Anna", ""]), "write a name"),
    (header(["Anna", "Anna"]), "a name twice"),
    (header(["Anna", "blocked"]), '"blocked"'),
    (header() | {"options": None}, '"options" is None'),
    (header() | {"options": []}, '"options" is []'),
    (header(speed=1), "'speed' is no option"),
    (header(rounds=1, target=99), "write one of them"),
    (header(rounds=0), "write a whole number from 1"),
    (header(rounds=None), '"rounds" is None'),
    (header(rounds=True), '"rounds" is True'),
    (header(rounds=2.0), '"rounds" is 2.0'),
    (header(target=0), '"target" is 0'),
    (header(target="99"), "\"target\" is '99'"),
    (header(left_penalty=-1), "write a whole number from 0"),
    (header(left_penalty=2.5), '"left_penalty" is 2.5'),
    (header(scan_ms=-40), '"scan_ms" is -40'),
    (header(scan_ms=False), '"scan_ms" is False'),
    (header(left_penalty=10**1000), '"left_penalty" is 1000'),
    ('{"record": 1, "game": "ligretto", "players": ["a", "b"], "x_a": NaN}', "is not JSON"),
]


@pytest.mark.parametrize(("head", "told"), BAD_HEADERS, ids=range(len(BAD_HEADERS)))
def test_a_bad_header_is_no_record(tmp_path: Path, head: Any, told: str) -> None:
    status, out, err = run(tmp_path, "", head, FIRST)
    assert (status, out, len(err)) == (2, [], 1)
    assert err[0].startswith("2: ")
    assert told in err[0]


def without(line: Json, key: str) -> Json:
    return {name: value for name, value in line.items() if name != key}


def face(**changed: Any) -> Json:
    return {**FIRST, "card": {**FIRST["card"], **changed}}


BAD_LINES: list[tuple[Any, str]] = [
    ("{", "not JSON"),
    ("[" * 100_000, "not JSON"),
    ("[1]", "write a JSON object"),
    ("null", "write a JSON object"),
    ('"stop"', "write a JSON object"),
    ('{"t_ms": NaN, "stop": "Anna"}', "not JSON"),
    (f'{{"t_ms": {"9" * 5000}, "stop": "Anna"}}', "not JSON"),
    ({}, "none of a record"),
    ({"x_note": "later"}, "none of a record"),
    ({"round": 2}, "none of a record"),
    ({"player": "Anna", "spaces": [6]}, "none of a record"),
    ({**FIRST, "note": "!"}, "none of a record"),
    ({**FIRST, "stop": "Anna"}, "none of a record"),
    ({**left(), "t_ms": 200}, "none of a record"),
    ({**decide(1, "Anna"), "t_ms": 200}, "none of a record"),
    (without(FIRST, "t_ms"), "none of a record"),
    (without(FIRST, "pad"), "none of a record"),
    (without(stop(200), "t_ms"), "none of a record"),
    ({"stop": None}, "none of a record"),
    (without(decide(1, "Anna"), "winner"), "none of a record"),
    ({**FIRST, "t_ms": 100.0}, '"t_ms" is 100.0'),
    ({**FIRST, "t_ms": "100"}, "\"t_ms\" is '100'"),
    ({**FIRST, "t_ms": True}, '"t_ms" is True'),
    ({**FIRST, "t_ms": None}, '"t_ms" is None'),
    ({**FIRST, "t_ms": -1}, '"t_ms" is -1'),
    ({**FIRST, "pad": -1}, '"pad" is -1'),
    ({**FIRST, "pad": "3"}, "\"pad\" is '3'"),
    ({**FIRST, "pad": 10**1000}, '"pad" is 1000'),
    ({**FIRST, "card": None}, "its owner, colour and value"),
    ({**FIRST, "card": ["Anna", "blue", 1]}, "its owner, colour and value"),
    ({**FIRST, "card": without(FIRST["card"], "owner")}, "its owner, colour and value"),
    (face(suit="hearts"), "its owner, colour and value"),
    (face(owner=None), '"owner" is None'),
    (face(owner=1), '"owner" is 1'),
    (face(colour=4), '"colour" is 4'),
    (face(colour=None), '"colour" is None'),
    (face(value="1"), "\"value\" is '1'"),
    (face(value=1.0), '"value" is 1.0'),
    (face(value=True), '"value" is True'),
    (face(value=None), '"value" is None'),
    (stop(200) | {"stop": 1}, '"stop" is 1'),
    (stop(200) | {"stop": False}, '"stop" is False'),
    (stop(200) | {"t_ms": "200"}, "\"t_ms\" is '200'"),
    ({"decide": "1", "winner": "Anna"}, "\"decide\" is '1'"),
    ({"decide": 1.0, "winner": "Anna"}, '"decide" is 1.0'),
    ({"decide": True, "winner": "Anna"}, '"decide" is True'),
    ({"decide": None, "winner": "Anna"}, '"decide" is None'),
    ({"decide": 1, "winner": None}, '"winner" is None'),
    ({"left": None}, '"left" is None'),
    ({"left": [0, 4, 7]}, '"left" is [0, 4, 7]'),
    ({"left": 0}, '"left" is 0'),
    (card(99, 0, "bb2"), "falls from 100 to 99"),
    (card(99, 5, "bb2"), "falls from 100 to 99"),
    (stop(99), "falls from 100 to 99"),
    (stop(99, None), "falls from 100 to 99"),
    (stop(99, "Zoe"), "falls from 100 to 99"),
]


@pytest.mark.parametrize(("line", "told"), BAD_LINES, ids=range(len(BAD_LINES)))
def test_a_bad_line_is_no_record_and_is_named_by_its_place_in_the_file(
    tmp_path: Path, line: Any, told: str
) -> None:
    status, out, err = run(tmp_path, header(), "", FIRST, line, left())
    assert (status, out, len(err)) == (2, [], 1)
    assert err[0].startswith("4: ")
    assert told in err[0]


def test_a_line_of_a_mebibyte_is_refused_unread(tmp_path: Path) -> None:
    status, _, err = run(tmp_path, header(), json.dumps({**FIRST, "x_a": "a" * 1_048_576}))
    assert status == 2
    assert "longer than 1048576 characters" in err[0]


def test_times_may_stand_still_and_begin_anew_with_each_round(tmp_path: Path) -> None:
    still = [FIRST, FIRST, stop(100), left(), stop(0, "blocked"), left()]
    assert run(tmp_path, header(rounds=2), *still)[0] == 1
    status, _, err = run(tmp_path, header(rounds=2), FIRST, stop(100), left(), stop(50), card(49, 0, "ab1"))
    assert (status, err[0][:3]) == (2, "6: ")


def test_a_count_that_is_refused_begins_no_round(tmp_path: Path) -> None:
    status, _, err = run(tmp_path, header(rounds=2), FIRST, left(), card(99, 0, "bb2"))
    assert (status, err[0][:3]) == (2, "4: ")


def test_a_wrong_card_and_a_strangers_stop_have_their_time_too(tmp_path: Path) -> None:
    assert run(tmp_path, header(), card(100, 0, "ab7"), card(99, 0, "bb1"))[0] == 2
    assert run(tmp_path, header(), stop(100, "Zoe"), card(99, 0, "bb1"))[0] == 2


def test_after_the_game_a_bad_line_is_still_no_record(tmp_path: Path) -> None:
    over = [header(), stop(100, "blocked"), left()]
    assert run(tmp_path, *over, card(50, 0, "ab1"))[0] == 1
    assert run(tmp_path, *over, {"round": 2})[0] == 2


def test_the_longest_numbers_can_be_reckoned_with(tmp_path: Path) -> None:
    most = 10**1000 - 1
    game = [{**FIRST, "t_ms": most, "pad": most}, {**stop(0, "blocked"), "t_ms": most}, left(1)]
    status, out, _ = run(tmp_path, header(left_penalty=most), *game)
    assert status == 0
    assert json.loads(out[2])["points"]["Anna"] == 1 - most
