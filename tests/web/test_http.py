"""What the page's address answers: documents, actions, limits, and who is not answered at all."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.web.browsing import LIGRETTO_BOARD
from tests.web.documents import playing
from tests.web.operators import WrittenOperator, post, refusal

import tablewire.web
from tablewire.web.actions import Answer
from tablewire.web.app import create_app
from tablewire.web.feed import Feed

ACTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("new-game", "new_game", {"players": ["red", "green"]}),
    (
        "new-game",
        "new_game",
        {"game": "cirkis", "players": ["red", "green"], "rulebook": "hasbro", "options": {"target": 60}},
    ),
    ("put-aside", "put_aside", {}),
    ("resume-game", "resume_game", {"game_id": "1a2b"}),
    ("choose", "choose", {"id": "6-7"}),
    ("choose", "choose", {"id": "mask:5", "by": "Ada", "note": "it chatters"}),
    ("pass", "pass", {}),
    ("undo", "undo", {}),
    ("undo", "undo", {"count": 3, "by": "Ada", "note": "we began wrong"}),
    ("redo", "redo", {}),
    ("redo", "redo", {"count": 2, "by": "Ada", "note": ""}),
    ("next-round", "next_round", {}),
    ("ruling", "ruling", {"points": {"red": -5}, "note": "agreed by all"}),
    ("ruling", "ruling", {"points": {"red": -5}, "by": "Ada"}),
    ("place", "place", {"player": "red", "spaces": [6, 7]}),
    (
        "place",
        "place",
        {"player": "red", "spaces": [6], "forced": True, "note": "its magnet is lost", "by": "Ada"},
    ),
    ("correct", "correct", {"n": 3, "line": {"player": "red", "spaces": [6, 7]}, "note": "wrong piece"}),
    (
        "correct",
        "correct",
        {
            "n": 3,
            "do": "remove",
            "keep_forced": True,
            "drop_rest": False,
            "preview": True,
            "note": "",
            "by": "Ada",
        },
    ),
    ("accept", "accept", {}),
    ("accept", "accept", {"preview": True, "note": "agreed by all", "by": "Ada"}),
    ("mask", "mask", {"sensors": [0, 5], "masked": True}),
    ("mask", "mask", {"sensors": [200], "masked": False, "note": "mended", "by": "Ada"}),
    ("new-game", "new_game", {"game": "ligretto", "players": ["Ann", "Bo"], "x_use": {"Ann": "red"}}),
    ("new-game", "new_game", {"game": "ligretto", "players": ["Ann", "Bo"], "x_count_pad": None}),
    ("correct", "correct", {"tag": "04A1", "card": {"owner": "Ann", "colour": "red", "value": 1}}),
    ("round-stop", "round_stop", {"player": "blocked", "by": "Ada"}),
    ("unstop", "unstop", {}),
    ("decide", "decide", {"n": 17, "winner": "Ann"}),
    ("count", "count", {}),
    ("count", "count", {"pad": 0}),
    ("left", "left", {"left": {}}),
    ("count", "count", {"pad": None}),
    ("left", "left", {"left": {"Ann": 0, "Bo": 10}, "drop_rest": True, "preview": True}),
    ("teach", "teach", {"deck": "red", "pad": None}),
    ("teach-stop", "teach_stop", {}),
    ("teach-fix", "teach_fix", {"do": "face", "colour": "red", "value": 3}),
]
READS = [
    *("/", "/api/state", "/api/events", "/api/board", "/api/legal", "/api/pulse"),
    *("/api/games", "/api/record", "/api/audit", "/api/decks", "/api/health"),
]


# Reading


def test_the_state_is_the_document_published_with_the_age_of_the_boards_last_word(
    client: FlaskClient, feed: Feed, operator: WrittenOperator
) -> None:
    document = playing(12)
    feed.publish(12, document)
    operator.silent_ms = 1234
    answer = client.get("/api/state")
    assert answer.status_code == 200
    assert answer.json == {**document, "link": {**document["link"], "silent_ms": 1234}}


def test_before_the_first_document_the_state_is_said_to_be_starting(client: FlaskClient) -> None:
    answer = client.get("/api/state")
    assert refusal(answer) == (503, "starting")
    assert client.get("/api/pulse").json == {"version": None, "silent_ms": 40}


def test_the_pulse_is_the_version_and_the_age(client: FlaskClient, feed: Feed) -> None:
    feed.publish(12, playing(12))
    assert client.get("/api/pulse").json == {"version": 12, "silent_ms": 40}


def test_the_board_is_the_one_the_game_draws(client: FlaskClient, board: dict[str, Any]) -> None:
    answer = json.loads(client.get("/api/board").data)
    assert len(answer["spaces"]) == 165
    assert answer == board


def test_each_game_has_a_board_of_its_own_and_one_is_meant_where_none_is_named(
    feed: Feed, operator: WrittenOperator, board: dict[str, Any]
) -> None:
    boards = {"cirkis": board, "ligretto": LIGRETTO_BOARD}
    app = create_app(feed, operator, boards=boards, first_game="ligretto", writable=True, hosts=["localhost"])
    client = app.test_client()
    assert client.get("/api/board").json == client.get("/api/board?game=ligretto").json == LIGRETTO_BOARD
    assert client.get("/api/board?game=cirkis").json == board
    assert refusal(client.get("/api/board?game=chess")) == (404, "no_such_game")
    page = client.get("/").text
    assert 'data-games="cirkis ligretto"' in page
    assert 'data-first-game="ligretto"' in page


def test_legal_placements_come_from_the_operator(client: FlaskClient, operator: WrittenOperator) -> None:
    operator.placements = [{"shape": "hook", "spaces": [1, 6]}]
    assert client.get("/api/legal").json == {
        "version": 1,
        "player": "purple",
        "placements": [{"shape": "hook", "spaces": [1, 6]}],
    }


@pytest.mark.parametrize("path", READS)
def test_a_read_takes_no_other_method(client: FlaskClient, path: str) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert client.open(path, method=method).status_code == 405, method


# Acting


@pytest.mark.parametrize(("path", "name", "body"), ACTIONS)
def test_an_action_reaches_the_operator_and_its_answer_comes_back(
    client: FlaskClient, operator: WrittenOperator, path: str, name: str, body: dict[str, Any]
) -> None:
    answer = post(client, path, body)
    assert (answer.status_code, answer.json) == (200, {"version": 7})
    assert operator.asked == [(name, body)]


def test_what_is_not_possible_now_is_passed_on(client: FlaskClient, operator: WrittenOperator) -> None:
    operator.answer = Answer(409, {"reason": "nothing_to_undo", "text": "There is no move to take back."})
    answer = post(client, "undo")
    assert answer.status_code == 409
    assert answer.json == {"reason": "nothing_to_undo", "text": "There is no move to take back."}


def test_a_game_thread_that_does_not_answer_is_said(client: FlaskClient, operator: WrittenOperator) -> None:
    operator.broken = TimeoutError()
    answer = post(client, "undo")
    assert refusal(answer) == (503, "busy")


def test_a_fault_of_ours_shows_no_traceback(client: FlaskClient, operator: WrittenOperator) -> None:
    operator.broken = RuntimeError("secret detail")
    answer = post(client, "undo")
    assert refusal(answer) == (500, "internal")
    assert "secret" not in answer.text


def test_only_json_is_taken(client: FlaskClient, operator: WrittenOperator) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = client.post("/api/undo", data=b"{}", content_type=kind)
        assert refusal(answer) == (415, "not_json"), kind
    assert operator.asked == []


def test_a_long_body_is_refused(client: FlaskClient, operator: WrittenOperator) -> None:
    answer = client.post("/api/undo", data=b" " * 16385, content_type="application/json")
    assert refusal(answer) == (413, "too_large")
    assert operator.asked == []


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS"])
def test_an_action_takes_post_only(client: FlaskClient, operator: WrittenOperator, method: str) -> None:
    answer = client.open("/api/undo", method=method)
    assert refusal(answer) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == "POST"
    assert operator.asked == []


def test_an_unknown_path_is_said_in_json_under_api_and_in_text_elsewhere(client: FlaskClient) -> None:
    answer = client.get("/api/nothing")
    assert refusal(answer) == (404, "not_found")
    answer = client.get("/nothing")
    assert (answer.status_code, answer.mimetype) == (404, "text/plain")
    assert client.get("/static/../app.py").status_code == 404


# Who is answered


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "localhost:80"], ids=lambda host: str(host)
)
def test_the_tables_own_names_are_answered(client: FlaskClient, feed: Feed, host: str) -> None:
    feed.publish(1, playing())
    assert client.get("/api/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "evil.example:8000",
        "",
        "localhost@evil.example",
        "[::1",
        "localhost/x",
        "192.168.1.5",
        "localhost:x",
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/state", "/static/table.js", "/api/nothing"])
def test_another_name_is_not_answered_wherever_it_points(
    client: FlaskClient, feed: Feed, host: str, path: str
) -> None:
    feed.publish(1, playing())
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 421
    assert "Petra" not in answer.text


def test_a_table_on_every_address_is_called_by_address_or_by_its_own_name_only(
    guest: FlaskClient, feed: Feed
) -> None:
    feed.publish(1, playing())
    for host in ("192.168.1.5:8000", "[fe80::1]:8000", "10.0.0.1"):
        assert guest.get("/api/state", headers={"Host": host}).status_code == 200, host
    assert guest.get("/api/state", headers={"Host": "rebound.example"}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_sites_page_cannot_act(
    client: FlaskClient, operator: WrittenOperator, headers: dict[str, str]
) -> None:
    answer = post(client, "undo", headers={"Host": "localhost", **headers})
    assert refusal(answer) == (403, "cross_site")
    assert operator.asked == []


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {}],
)
def test_the_own_page_and_programs_can_act(client: FlaskClient, headers: dict[str, str]) -> None:
    assert post(client, "undo", headers={"Host": "localhost:8000", **headers}).status_code == 200


def test_another_site_may_link_to_the_page_but_not_read_the_state(client: FlaskClient, feed: Feed) -> None:
    feed.publish(1, playing())
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
    assert client.get("/api/state", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.parametrize(("path", "name", "body"), ACTIONS)
def test_a_read_only_table_takes_no_action(
    guest: FlaskClient, operator: WrittenOperator, path: str, name: str, body: dict[str, Any]
) -> None:
    answer = post(guest, path, body, headers={"Host": "192.168.1.5"})
    assert refusal(answer) == (403, "read_only")
    assert operator.asked == []


# What every answer carries


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/api/state", 200),
        ("/static/table.js", 200),
        ("/static/table.css", 200),
        ("/nothing", 404),
        ("/api/undo", 405),
    ],
)
def test_every_answer_forbids_foreign_code_frames_and_guessing(
    client: FlaskClient, feed: Feed, path: str, status: int
) -> None:
    feed.publish(1, playing())
    with client.get(path) as answer:
        assert answer.status_code == status
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    if path.startswith("/api/"):
        assert answer.headers["Cache-Control"] == "no-store"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_page_holds_no_inline_code_or_style(client: FlaskClient) -> None:
    parser = _Tags()
    parser.feed(client.get("/").text)
    assert any(tag == "script" for tag, _ in parser.tags)
    for tag, attributes in parser.tags:
        assert tag != "style"
        assert not any(name == "style" or name.startswith("on") for name in attributes), tag
        if tag == "script":
            assert str(attributes["src"]).startswith("/static/")


def test_the_pages_code_never_parses_text_as_html_or_code() -> None:
    sources = sorted(Path(next(iter(tablewire.web.__path__)), "static").glob("*.js"))
    assert len(sources) > 3
    risky = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|srcdoc"
    )
    assert {path.name: risky.findall(path.read_text("utf-8")) for path in sources} == {
        path.name: [] for path in sources
    }
