"""The command line: options become a game, an address or one clear line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tablewire import cli
from tablewire import options as shared
from tablewire.errors import BoardError, StoreError, UserError
from tablewire.games.cirkis.pieces import DEFAULT_FILE
from tablewire.new_game import header_of


def typed(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit status of the program with these arguments."""
    monkeypatch.setattr(sys, "argv", ["tablewire", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "--port", "ble:"], "Invalid value for '--port': ble: must be followed by a name"),
        (["run", "--port", "x", "--quiet", "5"], "5 is not in the range 100<=x<=10000"),
        (["run", "--port", "x", "--baud", "0"], "0 is not in the range 300<=x<=4000000"),
        (["run", "--port", "x", "--resume", "1a", "--new"], "--new and --players begin one: leave either"),
        (["run", "--port", "x", "--resume", "1a", "--players", "2"], "--resume goes on with a game"),
        (["replay", "none"], "none: cannot be read: No such file or directory"),
        (["replay", "."], ".: cannot be read: Is a directory"),
        (
            ["replay", "none", "--record", "."],
            "--record .: there is such a file already",
        ),
        (["run", "--port", "x", "--capture", "."], "--capture .: there is such a file already"),
        (["demo", "--pace", "nan"], "nan is not a number of seconds"),
        (
            ["run", "--port", "x", "--listen", "8750"],
            "--listen 8750: write HOST:PORT, such as 127.0.0.1:8750",
        ),
        (["run", "--port", "x", "--listen", "h:66000"], "--listen h:66000: write HOST:PORT"),
        (["run", "--port", "x", "--rulebook", "chess"], "'chess' is not one of 'hasbro', 'international'"),
        (
            ["run", "--port", "x", "--players", "2", "--option", "target=soon"],
            "target=soon: write true, false or a whole number",
        ),
        (
            ["demo", "--game", "ligretto", "--option", "n\n" * 500 + "=" + "9" * 5000],
            r"--option n\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn\nn...: write true, false or a whole number",
        ),
        (["run", "--port", "x", "--players", "2", "--pieces", "none.toml"], "none.toml: cannot be read"),
        (["run", "--port", "x", "--game", "chess"], "'chess' is not one of 'cirkis', 'ligretto'"),
        (["run", "--port", "x", "--game", "ligretto"], "--game is for a new game: say with --players who"),
        (["run", "--port", "x", "--rulebook", "hasbro"], "--rulebook is for a new game"),
        (
            ["run", "--port", "x", "--players", "Anna,Ben"],
            "Cir*Kis is played by colours (red, green, purple, yellow); names are for --game ligretto",
        ),
        (["demo", "--players", "5"], "--players 5: Cir*Kis is for 2 to 4 players"),
        (["demo", "--players", "13", "--game", "ligretto"], "--players 13: Ligretto is for 2 to 12 players"),
        (
            ["demo", "--game", "ligretto", "--option", "center_ring"],
            "center_ring is for Cir*Kis; Ligretto knows --option rounds, target, left_penalty, scan_ms",
        ),
        (["demo", "--option", "rounds=3"], "--option rounds is for Ligretto; Cir*Kis knows --option center"),
        (
            ["demo", "--game", "ligretto", "--rulebook", "hasbro"],
            "--rulebook is for Cir*Kis: leave it out; Ligretto knows --option rounds",
        ),
        (["demo", "--game", "ligretto", "--pieces", "a.toml"], "--pieces is for Cir*Kis: leave it out"),
        (["demo", "--pace", "-1"], "-1.0 is not in the range"),
        (["virtual", "--speed", "warp"], "'warp' is not one of 'real', 'fast'"),
        (["virtual", "--board", "chess"], "'chess' is not one of 'cirkis', 'ligretto'"),
        (["virtual", "--pads", "20"], "--pads is for --board ligretto: a Cir*Kis board has sensors"),
        (["virtual", "--board", "ligretto", "--pads", "49"], "49 is not in the range 1<=x<=48"),
        (["board"], "Missing option '--json'."),
        (["board", "--json", "--pieces", "none.toml"], "none.toml: cannot be read"),
        (["board", "--json", "--game", "ligretto", "--pieces", "a"], "--pieces is for Cir*Kis; Ligretto has"),
        (["play"], "No such command 'play'."),
    ],
)
def test_wrong_input_is_one_line_and_status_2(
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert typed(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("tablewire: ")
    assert said in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "red,blue"], "\"players\" holds 'blue'"),
        (["--players", "red"], '"players" is '),
        (["--players", "2", "--option", "speed"], "'speed' is no option of a record"),
        (["--game", "ligretto", "--players", "Anna,Anna"], "holds a name twice"),
        (["--game", "ligretto", "--players", "Anna,blocked"], 'a player is named "blocked"'),
        (["--game", "ligretto", "--players", ",".join("abcdefghijklm")], "2 to 12 names"),
        (
            ["--game", "ligretto", "--players", "2", "--option", "rounds=2", "--option", "target=9"],
            "target",
        ),
        (["--game", "ligretto", "--players", "2", "--option", "scan_ms=yes"], "scan_ms"),
        (
            ["--players", "2", "--option", "target=true"],
            "--option target=true: target is a whole number; write --option target=NUMBER",
        ),
        (
            ["--game", "ligretto", "--players", "2", "--option", "rounds="],
            "--option rounds=: rounds is a whole number; write --option rounds=NUMBER",
        ),
        (
            ["--game", "ligretto", "--players", "2", "--quiet", "600"],
            "--quiet is for Cir*Kis: leave it out; Ligretto knows --option rounds, target",
        ),
    ],
)
def test_a_game_that_cannot_be_is_refused_before_anything_is_kept_or_opened(
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    status = typed(monkeypatch, "run", "--port", "none", "--data", str(tmp_path), *arguments)
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize(
    ("error", "status"), [(UserError("it"), 2), (StoreError("it"), 1), (BoardError("it"), 1)]
)
def test_an_error_of_ours_is_its_line_and_says_whose_fault_it_is(
    error: Exception, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_args: object, **_kwargs: object) -> int:
        raise error

    monkeypatch.setattr("tablewire.demo.run_demo", fail)
    assert typed(monkeypatch, "demo") == status
    assert capsys.readouterr().err == "tablewire: it\n"


@pytest.mark.parametrize(
    ("options", "header"),
    [
        ({}, {"rulebook": "hasbro", "players": ["red", "green"], "options": {}}),
        ({"players": "4"}, {"players": ["red", "green", "purple", "yellow"]}),
        ({"players": "yellow, red"}, {"players": ["yellow", "red"]}),
        ({"rulebook": "international"}, {"rulebook": "international"}),
        ({"options": ["center_ring", "target=60"]}, {"options": {"center_ring": True, "target": 60}}),
        ({"options": ["voluntary_pass=no"]}, {"options": {"voluntary_pass": False}}),
        (
            {"game": "ligretto", "players": "Anna, Ben ,Cleo", "options": ["rounds=3", "left_penalty=3"]},
            {
                "game": "ligretto",
                "players": ["Anna", "Ben", "Cleo"],
                "options": {"rounds": 3, "left_penalty": 3},
            },
        ),
        ({"game": "ligretto"}, {"game": "ligretto", "players": ["Player 1", "Player 2"], "options": {}}),
    ],
)
def test_options_describe_a_game(options: dict[str, Any], header: dict[str, Any]) -> None:
    made = header_of(**{"players": "2", **options})
    assert made == {**made, "game": "cirkis", **header, "record": 1}


def test_a_piece_file_goes_into_the_game_whole() -> None:
    made = header_of("2", pieces=DEFAULT_FILE)
    assert [shape["name"] for shape in made["options"]["pieces"]][:2] == ["wedge", "arrow"]
    assert sum(shape["count"] for shape in made["options"]["pieces"]) == 20
    assert json.dumps(made)


@pytest.mark.parametrize(
    ("listen", "address"),
    [
        ("127.0.0.1:8750", ("127.0.0.1", 8750)),
        ("0.0.0.0:0", ("0.0.0.0", 0)),  # noqa: S104 - only read
        ("[::1]:80", ("::1", 80)),
        ("table.local:65535", ("table.local", 65535)),
    ],
)
def test_an_address_is_a_host_and_a_port(listen: str, address: tuple[str, int]) -> None:
    assert shared.address_of(listen) == address
