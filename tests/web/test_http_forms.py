"""The form of a body: what is malformed goes no further than the web thread, and is said in one line."""

import json

import pytest
from flask.testing import FlaskClient
from tests.web.operators import WrittenOperator, post, refusal

MALFORMED: list[tuple[str, bytes]] = [
    ("undo", b""),
    ("undo", b"nonsense"),
    ("undo", b"[]"),
    ("undo", b"null"),
    ("undo", b'{"extra": 1}'),
    ("undo", b"\xff\xfe"),
    ("undo", b"[" * 16000),
    ("undo", b'{"a":' * 3000),
    ("choose", b"{}"),
    ("choose", b'{"id": 5}'),
    ("choose", b'{"id": ""}'),
    ("choose", b'{"id": "a", "id": "b"}'),
    ("choose", b'{"id": "%s"}' % (b"x" * 501)),
    ("choose", b'{"id": "\\ud800"}'),
    ("choose", b'{"id": "a\\u0000"}'),
    ("new-game", b"{}"),
    ("new-game", b'{"players": []}'),
    ("new-game", b'{"players": "red"}'),
    ("new-game", b'{"players": ["red", 5]}'),
    ("new-game", b'{"players": ["red"], "options": []}'),
    ("new-game", b'{"players": ["red"], "options": {"a": ["\\udfff"]}}'),
    ("new-game", b'{"players": %s}' % (b"[" + b'"red",' * 64 + b'"red"]')),
    ("new-game", b'{"players": ["red"], "options": {"x_a": %s}}' % (b"[" * 900 + b"]" * 900)),
    ("new-game", b'{"players": ["red"], "options": {"x_a": %s}}' % (b'{"a":' * 300 + b"1" + b"}" * 300)),
    ("new-game", b'{"players": ["red"], "options": {"target": %s}}' % (b"9" * 4000)),
    ("new-game", b'{"players": ["red"], "options": {"x_a": [-1e400]}}'),
    ("correct", b'{"n": 1, "line": {"x_a": %s}}' % (b"[" * 900 + b"]" * 900)),
    ("correct", b'{"n": 1, "line": {"x_a": 1e400}}'),
    ("ruling", b'{"points": {}}'),
    ("ruling", b'{"points": {"red": true}}'),
    ("ruling", b'{"points": {"red": 1.5}}'),
    ("ruling", b'{"points": {"red": NaN}}'),
    ("ruling", b'{"points": {"red": 1e400}}'),
    ("ruling", b'{"points": {"red": %s}}' % (b"9" * 5000)),
    ("ruling", b'{"points": {"red": 1000001}}'),
    ("ruling", b'{"points": {"red": 5}, "note": 5}'),
    ("correct", b'{"n": 0, "line": {}}'),
    ("correct", b'{"tag": "", "card": {}}'),
    ("round-stop", b"{}"),
    ("decide", b'{"n": 0, "winner": "Ann"}'),
    ("decide", b'{"n": 1, "winner": null}'),
    ("count", b'{"pad": -1}'),
    ("count", b'{"pad": "3"}'),
    ("left", b'{"left": [0, 4]}'),
    ("left", b'{"left": {"Ann": -1}}'),
    ("left", b'{"left": {"Ann": 1.5}}'),
    ("left", b'{"left": {"Ann": true}}'),
    ("left", b'{"left": {"\\ud800": 1}}'),
    ("teach", b'{"deck": ""}'),
    ("teach-fix", b'{"do": "face", "value": 0}'),
    ("correct", b'{"n": true, "line": {}}'),
    ("correct", b'{"n": 1, "line": []}'),
    ("correct", b'{"n": 1, "line": {}, "keep_forced": 1}'),
    ("correct", b'{"n": 1, "drop_rest": "yes"}'),
    ("correct", b'{"n": 1, "preview": null}'),
    ("correct", b'{"n": 1, "do": ["remove"]}'),
    ("correct", b'{"n": 1, "do": ""}'),
    ("correct", b'{"n": 1000001}'),
    ("resume-game", b"{}"),
    ("resume-game", b'{"game_id": null}'),
    ("resume-game", b'{"game_id": ""}'),
    ("resume-game", b'{"game_id": "%s"}' % (b"a" * 501)),
    ("put-aside", b'{"game_id": "1a2b"}'),
    ("undo", b'{"count": 0}'),
    ("undo", b'{"count": -1}'),
    ("undo", b'{"count": "2"}'),
    ("undo", b'{"count": 1.0}'),
    ("redo", b'{"count": true}'),
    ("redo", b'{"count": 1000001}'),
    ("place", b'{"player": "red"}'),
    ("place", b'{"spaces": [6]}'),
    ("place", b'{"player": "red", "spaces": []}'),
    ("place", b'{"player": "red", "spaces": 6}'),
    ("place", b'{"player": "red", "spaces": [0]}'),
    ("place", b'{"player": "red", "spaces": ["6"]}'),
    ("place", b'{"player": "red", "spaces": [6.0]}'),
    ("place", b'{"player": "red", "spaces": [true]}'),
    ("place", b'{"player": "red", "spaces": [%s]}' % b",".join([b"6"] * 65)),
    ("place", b'{"player": ["red"], "spaces": [6]}'),
    ("place", b'{"player": "red", "spaces": [6], "forced": "yes"}'),
    ("accept", b'{"note": ""}'),
    ("accept", b'{"note": "%s"}' % (b"x" * 501)),
    ("accept", b'{"preview": 1}'),
    ("mask", b'{"sensors": [5]}'),
    ("mask", b'{"masked": true}'),
    ("mask", b'{"sensors": [], "masked": true}'),
    ("mask", b'{"sensors": 5, "masked": true}'),
    ("mask", b'{"sensors": [-1], "masked": true}'),
    ("mask", b'{"sensors": [1000001], "masked": true}'),
    ("mask", b'{"sensors": [5], "masked": 1}'),
    *(
        (path, b'{%s"by": %s}' % (rest, by))
        for path, rest in (
            ("choose", b'"id": "a", '),
            ("undo", b""),
            ("redo", b""),
            ("ruling", b'"points": {"red": 1}, '),
            ("place", b'"player": "red", "spaces": [6], '),
            ("correct", b'"n": 1, "line": {}, '),
            ("accept", b""),
            ("mask", b'"sensors": [5], "masked": true, '),
        )
        for by in (b"5", b'""', b'"%s"' % (b"x" * 501))
    ),
]


@pytest.mark.parametrize(("path", "body"), MALFORMED)
def test_a_malformed_body_is_refused_in_one_line_and_goes_no_further(
    client: FlaskClient, operator: WrittenOperator, path: str, body: bytes
) -> None:
    answer = client.post(f"/api/{path}", data=body, content_type="application/json")
    assert refusal(answer) == (422, "malformed")
    text = json.loads(answer.data)["text"]
    assert 0 < len(text) < 200
    assert "\n" not in text
    assert operator.asked == []


def test_the_text_of_a_malformed_body_names_the_field_and_what_is_wrong(client: FlaskClient) -> None:
    assert post(client, "choose").json["text"] == ("the field 'id' is missing; choose takes: id, by, note")
    assert post(client, "place", {"player": "red", "spaces": [0]}).json["text"] == (
        "the field 'spaces' holds a number that must be 1 or more"
    )
    assert post(client, "mask", {"sensors": [-1], "masked": True}).json["text"] == (
        "the field 'sensors' holds a number that must be 0 or more"
    )
    assert post(client, "choose", {"id": 5}).json["text"] == "the field 'id' must be a text"
    assert post(client, "pass", {"x": 1}).json["text"] == "unknown field 'x'; pass takes no fields"
