"""Several people at the page at once while pieces are laid: no error of ours, and the session replays."""

from __future__ import annotations

import json
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.capturing import replayed

from tablewire.link.address import SerialPath
from tablewire.run import RunningTable, Wanted
from tablewire.virtual.remote import BoardProcess, Hand

HEADER = {"record": 1, "game": "cirkis", "rulebook": "hasbro", "players": ["red", "green"], "options": {}}
LIMIT_S = 60.0
PEOPLE_COUNT = 4
DEEDS_COUNT = 30
DEEDS = ("games", "record", "audit", "health", "undo", "ruling", "put-aside", "resume-game")


@pytest.fixture
def board() -> Iterator[BoardProcess]:
    """A simulated board, ten times as quick as a real one."""
    with BoardProcess(1, fast=True) as board:
        yield board


def asked(url: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
    """Status and answer of a read, or of an action with a body."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310 - ours
    try:
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:  # noqa: S310 - ours
            content, status = answer.read(), answer.status
    except urllib.error.HTTPError as refused:
        with refused:
            content, status = refused.read(), refused.code
    return status, json.loads(content.splitlines()[0])


def person(url: str, seed: int) -> set[tuple[str, int]]:
    """One person who does this and that; what came of each kind of deed."""
    rng, came_of_it = random.Random(seed), set()
    ids: list[str] = []
    for _ in range(DEEDS_COUNT):
        deed = rng.choice(
            ["games", "record", "audit", "health", "undo", "ruling", "put-aside", "resume-game"]
        )
        body: dict[str, Any] | None = {}
        if deed in ("games", "record", "audit", "health"):
            body = None
        elif deed == "ruling":
            body = {"points": {"red": 1}}
        elif deed == "resume-game":
            body = {"game_id": rng.choice(ids)} if ids else {"game_id": "none"}
        status, answer = asked(f"{url}api/{deed}", body)
        if deed == "games" and status == 200:
            ids = [game["game_id"] for game in answer["games"]]
        if deed == "put-aside":
            asked(f"{url}api/new-game", {"players": ["red", "green"]})
        came_of_it.add((deed, status))
    return came_of_it


def test_people_who_press_everything_at_once_meet_no_error_and_the_session_replays(
    board: BoardProcess, tmp_path: Path
) -> None:
    table_wanted = Wanted(
        SerialPath(str(board.port)), 500_000, tmp_path / "games", "127.0.0.1", 0, HEADER, new=False
    )
    hand = Hand(board.socket_path)
    with (
        closing(RunningTable(replace(table_wanted, capture=tmp_path / "capture"), print)) as table,
        ThreadPoolExecutor() as people,
    ):
        pressed = [people.submit(person, table.url, seed) for seed in range(PEOPLE_COUNT)]
        while not all(one.done() for one in pressed):
            hand.do(["place red 6,15 over 100", "wait 900", "lift 6,15", "wait 300"])
        came_of_it = set().union(*(one.result() for one in pressed))
        assert table.daemon is not None
        assert not table.daemon.failed.is_set()
    hand.close()
    # Not now (409), no game is being played (404), one reader at a time (503): but never an error of ours.
    assert {status for _, status in came_of_it} <= {200, 404, 409, 503}
    assert {("games", 200), ("health", 200), ("put-aside", 200), ("resume-game", 200)} <= came_of_it
    status, said = replayed(tmp_path / "capture")
    assert (status, len(said)) == (0, 1), said
