"""What the page reads beside the state: games kept, a record as a download, the audit, the sensors."""

import pytest
from flask.testing import FlaskClient
from tests.web.operators import WrittenOperator, refusal

from tablewire.errors import StoreError, UserError
from tablewire.web.actions import Download


def test_the_games_kept_are_listed_and_what_is_left_out_is_said(
    client: FlaskClient, operator: WrittenOperator
) -> None:
    operator.kept_games = [{"game_id": f"{n:x}", "state": "adjourned"} for n in range(1_003)]
    answer = client.get("/api/games")
    assert answer.status_code == 200
    assert (answer.json or {})["games"] == operator.kept_games[:1_000]
    assert (answer.json or {})["left_out"] == 3


def test_a_record_is_a_download_of_the_current_game_or_of_the_one_asked_for(
    client: FlaskClient, operator: WrittenOperator
) -> None:
    operator.kept_record = Download("cirkis-1.jsonl", '{"record": 1}\n{"x_note": "f\u00fcr Anna"}\n')
    for path, game_id in (("/api/record", None), ("/api/record?game_id=1a2b", "1a2b")):
        answer = client.get(path)
        assert (answer.status_code, answer.mimetype) == (200, "text/plain")
        assert answer.data.decode("utf-8") == operator.kept_record.text
        assert answer.headers["Content-Disposition"] == 'attachment; filename="cirkis-1.jsonl"'
        assert operator.asked.pop() == ("record", {"game_id": game_id})


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "etc-passwd"),
        ('a"\r\nX-Evil: 1.jsonl', "a-X-Evil-1.jsonl"),
        ("\u00fcber.jsonl", "ber.jsonl"),
        ("...", "game.jsonl"),
        ("", "game.jsonl"),
        ("x" * 500 + ".jsonl", "x" * 74 + ".jsonl"),
    ],
)
def test_the_name_of_a_download_is_safe_on_every_system(
    client: FlaskClient, operator: WrittenOperator, name: str, safe: str
) -> None:
    operator.kept_record = Download(name, "{}")
    answer = client.get("/api/record")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{safe}"'


def test_the_audit_the_sensors_and_the_decks_come_from_the_operator(
    client: FlaskClient, operator: WrittenOperator
) -> None:
    operator.kept_audit = [{"n": 4, "kind": "ruling", "by": "Ada", "note": "", "text": "Red has 5 more."}]
    operator.sensors = [{"sensor": 5, "space": 6, "state": "ok"}]
    assert client.get("/api/audit?game_id=1a2b").json == {"audit": operator.kept_audit}
    assert client.get("/api/health").json == {"sensors": operator.sensors}
    assert client.get("/api/decks").json == {"decks": operator.kept_decks, "decks_text": None}
    assert operator.asked == [("audit", {"game_id": "1a2b"}), ("health", {}), ("decks", {})]


@pytest.mark.parametrize("path", ["/api/record", "/api/audit"])
def test_a_game_that_is_not_kept_is_not_found(
    client: FlaskClient, operator: WrittenOperator, path: str
) -> None:
    for query in ("?game_id=", f"?game_id={'a' * 65}", "?game_id=1&game_id=2"):
        assert refusal(client.get(path + query)) == (404, "no_such_game"), query
    assert operator.asked == []
    operator.broken = UserError("no game begins with 77")
    answer = client.get(f"{path}?game_id=77")
    assert (refusal(answer), (answer.json or {})["text"]) == ((404, "no_such_game"), "no game begins with 77")


@pytest.mark.parametrize("path", ["/api/games", "/api/record", "/api/audit", "/api/decks", "/api/health"])
def test_what_a_read_cannot_get_is_said(client: FlaskClient, operator: WrittenOperator, path: str) -> None:
    operator.broken = StoreError("cannot read the file: it is garbled on disk")
    assert refusal(client.get(path)) == (503, "store")
    operator.broken = TimeoutError()
    assert refusal(client.get(path)) == (503, "busy")
    operator.broken = RuntimeError("secret detail")
    answer = client.get(path)
    assert refusal(answer) == (500, "internal")
    assert "secret" not in answer.text
