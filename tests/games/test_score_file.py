"""`tablewire score` from the outside: exit statuses, what goes to which stream, and what is no record."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tablewire.games.cirkis.record import parse_header
from tablewire.games.cirkis.score import rules_of
from tablewire.games.records import score_file

HEADER: dict[str, Any] = {"record": 1, "game": "cirkis", "players": ["red", "green"]}
FIRST = '{"player": "red", "spaces": [6, 16]}'


def run(path: Path | str, stdin: bytes = b"") -> tuple[int, list[str], list[str]]:
    """Exit status, lines of standard output, lines of standard error."""
    out, err = io.StringIO(), io.StringIO()
    status = score_file(str(path), out, err, io.BytesIO(stdin))
    return status, out.getvalue().splitlines(), err.getvalue().splitlines()


def record(tmp_path: Path, *lines: Any) -> Path:
    """A record file of JSON values or texts."""
    file = tmp_path / "game.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return file


def test_a_legal_record_prints_a_line_each_and_the_result(tmp_path: Path) -> None:
    status, out, err = run(record(tmp_path, HEADER, FIRST))
    assert (status, err) == (0, [])
    assert out == [
        '{"n": 1, "player": "red", "shape": "triangle", "legal": true, "completed": [], "points": {}, '
        '"free_turn": null, "auto_passes": [], "scores": {"red": 0, "green": 0}, "next": "green"}',
        '{"result": {"ended": null, "winners": [], "scores": {"red": 0, "green": 0}, '
        '"unplayed": {"red": 19, "green": 20}}}',
    ]


def test_an_illegal_line_ends_it_with_status_1(tmp_path: Path) -> None:
    status, out, err = run(record(tmp_path, HEADER, FIRST, FIRST, FIRST))
    assert (status, err) == (1, [])
    assert json.loads(out[1]) == {
        "n": 2,
        "player": "red",
        "legal": False,
        "reasons": ["not_your_turn", "space_filled"],
    }
    assert json.loads(out[2])["result"]["unplayed"] == {"red": 19, "green": 20}
    assert len(out) == 3


def test_a_header_alone_is_a_record(tmp_path: Path) -> None:
    status, out, _ = run(record(tmp_path, HEADER))
    assert status == 0
    assert len(out) == 1


def test_blank_lines_do_not_count(tmp_path: Path) -> None:
    status, out, _ = run(
        record(tmp_path, "", "  ", HEADER, "\t", FIRST, "", '{"player": "green", "spaces": [7]}', " ")
    )
    assert status == 0
    assert [json.loads(line).get("n") for line in out] == [1, 2, None]


def test_windows_line_ends_a_byte_order_mark_and_no_last_line_end_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(HEADER).encode() + b"\r\n\r\n" + FIRST.encode())
    status, out, _ = run(file)
    assert status == 0
    assert json.loads(out[0])["n"] == 1


def test_a_dash_reads_standard_input(tmp_path: Path) -> None:
    file = record(tmp_path, HEADER, FIRST)
    assert run("-", file.read_bytes()) == run(file)
    assert run("-", b"") == (
        2,
        [],
        ["standard input:1: the record is empty; its first line must be a header"],
    )


BAD_HEADERS: list[tuple[Any, str]] = [
    ("{", "not JSON"),
    ("[" * 100_000, "not JSON"),
    ("[]", "not a JSON object"),
    ('"cirkis"', "not a JSON object"),
    (FIRST, '"game" is None'),
    (HEADER | {"game": "go"}, "this version knows cirkis, ligretto"),
    (HEADER | {"game": ["cirkis"]}, "\"game\" is ['cirkis']"),
    (HEADER | {"record": 2}, '"record" is 2'),
    (HEADER | {"record": True}, '"record" is True'),
    (HEADER | {"record": 1.0}, '"record" is 1.0'),
    ({"game": "cirkis", "players": ["red", "green"]}, '"record" is None'),
    (HEADER | {"colour": "red"}, "'colour' is no key"),
    (HEADER | {"rulebook": "french"}, "\"rulebook\" is 'french'"),
    (HEADER | {"rulebook": None}, '"rulebook" is None'),
    (HEADER | {"players": None}, '"players" is None'),
    (HEADER | {"players": ["red"]}, "\"players\" is ['red']"),
    (HEADER | {"players": ["red"] * 2}, "a colour twice"),
    (HEADER | {"players": ["red", "blue"]}, "'blue'"),
    (HEADER | {"players": ["red", ["green"]]}, "['green']"),
    (HEADER | {"players": ["red", "green", "purple", "yellow", "red"]}, "2 to 4"),
    (HEADER | {"players": "red"}, "\"players\" is 'red'"),
    (HEADER | {"options": []}, '"options" is []'),
    (HEADER | {"options": None}, '"options" is None'),
    (HEADER | {"options": {"ring": True}}, "'ring' is no option"),
    (HEADER | {"options": {"center_ring": 1}}, '"center_ring" is 1'),
    (HEADER | {"options": {"voluntary_pass": "yes"}}, "\"voluntary_pass\" is 'yes'"),
    (HEADER | {"options": {"target": 0}}, '"target" is 0'),
    (HEADER | {"options": {"target": 40.0}}, '"target" is 40.0'),
    (HEADER | {"options": {"target": True}}, '"target" is True'),
    (HEADER | {"options": {"match": None}}, '"match" is None'),
    (HEADER | {"options": {"pieces": 3}}, '"pieces" is 3'),
    (HEADER | {"options": {"pieces": ""}}, "\"pieces\" is ''"),
    (HEADER | {"options": {"pieces": []}}, '"pieces" is []'),
    (HEADER | {"options": {"pieces": [{"name": "x"}]}}, "piece set, shape 1: the shape has no count"),
    (HEADER | {"options": {"pieces": "none.toml"}}, "none.toml: cannot be read: No such file"),
    ('{"record": 1, "game": "cirkis", "players": ["red", "green"], "x_a": NaN}', "is not JSON"),
]


@pytest.mark.parametrize(("header", "said"), BAD_HEADERS, ids=range(len(BAD_HEADERS)))
def test_a_bad_first_line_is_no_record(tmp_path: Path, header: Any, said: str) -> None:
    file = record(tmp_path, "", header, FIRST)
    status, out, err = run(file)
    assert (status, out) == (2, [])
    assert len(err) == 1
    assert err[0].startswith(f"{file}:2: ")
    assert said in err[0]


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_no_record(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(content)
    assert run(file) == (2, [], [f"{file}:1: the record is empty; its first line must be a header"])


def test_a_file_that_is_not_utf_8_is_no_record_however_far_down(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(f"{json.dumps(HEADER)}\n{FIRST}\n".encode() + b'{"player": "gr\xfcn"}\n')
    status, out, err = run(file)
    assert (status, out) == (2, [])
    assert err == [f"{file}:3: byte 0xfc is not UTF-8; save the record as UTF-8 text"]


def test_what_cannot_be_read_is_no_record(tmp_path: Path) -> None:
    missing = tmp_path / "none.jsonl"
    assert run(missing) == (2, [], [f"{missing}: cannot be read: No such file or directory"])
    assert run(tmp_path) == (2, [], [f"{tmp_path}: cannot be read: Is a directory"])
    assert run("a\0b")[:2] == (2, [])
    status, out, err = run(tmp_path / "two\nlines")
    assert (status, out, len(err)) == (2, [], 1)


def test_a_device_without_end_is_no_record() -> None:
    status, out, err = run("/dev/zero")
    assert (status, out) == (2, [])
    assert "longer than" in err[0]


def test_a_piece_file_is_found_beside_the_record(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    text = '[[shape]]\nname = "dot"\ncount = 4\nexample = [6]\n'
    (tmp_path / "sets" / "mine.toml").write_text(text, encoding="utf-8")
    header = HEADER | {"options": {"pieces": "sets/mine.toml"}}
    status, out, _ = run(record(tmp_path, header, '{"player": "red", "spaces": [6]}'))
    assert status == 0
    assert json.loads(out[0])["shape"] == "dot"


def test_a_piece_file_with_a_fault_is_named_by_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        '[[shape]]\nname = "dot"\ncount = 4\nexample = [0]\n', encoding="utf-8"
    )
    file = record(tmp_path, HEADER | {"options": {"pieces": "mine.toml"}})
    status, out, err = run(file)
    assert (status, out) == (2, [])
    assert err == [f"{file}:1: {tmp_path}/mine.toml:4: example: there is no space 0; use numbers 1 to 165"]


def test_an_unusual_piece_set_is_scored_with_a_warning(tmp_path: Path) -> None:
    header = HEADER | {"options": {"pieces": [{"name": "dot", "count": 20, "example": [6]}]}}
    file = record(tmp_path, header, '{"player": "red", "spaces": [6]}')
    status, out, err = run(file)
    assert (status, len(out)) == (0, 2)
    assert err == [f"{file}: warning: the piece set has 1 shapes; the box has 9"]


def test_standard_input_that_cannot_be_read_is_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    out, err = io.StringIO(), io.StringIO()
    assert score_file("-", out, err) == 2
    assert err.getvalue() == "standard input: it is closed; give a file, or pipe a record in\n"


def test_extra_keys_and_the_default_rulebook_are_accepted(tmp_path: Path) -> None:
    header = HEADER | {"x_table": "kitchen", "options": {"x_why": None}}
    assert run(record(tmp_path, header, FIRST)) == run(
        record(tmp_path, HEADER | {"rulebook": "hasbro"}, FIRST)
    )


def test_records_with_one_header_are_scored_by_the_same_rules_unless_a_file_says_where_pieces_fit(
    tmp_path: Path,
) -> None:
    """A file may be another one the next time; all else is worked out once for a whole list of games."""
    for options in ({}, {"center_ring": True}, {"pieces": [{"name": "dot", "count": 20, "example": [6]}]}):
        header = HEADER | {"options": options}
        assert rules_of(parse_header(header), tmp_path) is rules_of(parse_header(header), tmp_path)
    file = tmp_path / "mine.toml"
    header = HEADER | {"options": {"pieces": "mine.toml"}}
    for count in (20, 30):
        file.write_text(f'[[shape]]\nname = "dot"\ncount = {count}\nexample = [6]\n', "utf-8")
        assert rules_of(parse_header(header), tmp_path).pieces.counts == {"dot": count}
