"""The Flask application: the page, the state document, the event stream, the operator's actions.

Owns the routes and the form of every answer. Must not know the rules of a game, the store or the board's
link: the document comes from a Feed, actions go to an Operator, the board's drawing is given as JSON.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from tablewire.errors import StoreError, UserError
from tablewire.web.actions import ACTIONS, BODY_MAX_BYTES, Action, MalformedError, Operator, parse_body
from tablewire.web.feed import Feed, encode_json
from tablewire.web.guard import HEADERS, Refusal, refuse_cross_site, refuse_host
from tablewire.web.streams import Streams

# A table has a screen or two and a phone per player; twice that again for tabs left open.
STREAM_CAP_COUNT = 24
# Said to a client that finds no free stream; the page asks for the state meanwhile.
STREAM_RETRY_S = 5
# Years of a family's evenings, or a season of a club's; `tablewire games list` shows all there are.
GAMES_MAX_COUNT = 1_000
# An id has 32 characters; whatever is longer is none.
GAME_ID_MAX_CHARS = 64
# What a name of a file may hold on every system, and in a header without quoting.
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")
NAME_MAX_CHARS = 80
# The style of everything on the page; the others are for parts of it.
FIRST_STYLE = "table.css"

_LOG = logging.getLogger(__name__)

_READ_ONLY = Refusal(
    403,
    "read_only",
    "this page is read-only: it is reached from other computers and there are no operator keys",
)
_STARTING = Refusal(503, "starting", "the table is starting; there is no state yet")
_NO_SUCH_BOARD = Refusal(404, "no_such_game", "this table knows no game of this name")
_BUSY = Refusal(503, "busy", "the table did not answer in time; try again")
# What the framework's own errors are called in an answer under /api/; any other is "refused".
_ERROR_REASONS = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 500: "internal"}
_ERROR_TEXTS = {
    404: "there is nothing at this path",
    405: "this path does not take this method",
    413: f"the body is larger than {BODY_MAX_BYTES} bytes",
    500: "something went wrong inside the table's program; its log says what",
}


def create_app(
    feed: Feed,
    operator: Operator,
    *,
    boards: Mapping[str, Mapping[str, Any]],
    first_game: str,
    writable: bool,
    hosts: Sequence[str],
    streams: Streams | None = None,
) -> Flask:
    """The WSGI application.

    `boards` is what each game is drawn on, by the game's name, as JSON; `first_game` the one of them that is
    meant where none is named; `hosts` the names (without port) a request may call this
    server by; with `writable` false every action is refused and the page shows no buttons. The streams are
    under `app.extensions["tablewire.streams"]`.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_MAX_BYTES
    app.extensions["tablewire.streams"] = streams or Streams(feed, STREAM_CAP_COUNT)
    app.extensions["tablewire.feed"] = feed
    known_hosts = tuple(name.lower() for name in hosts)
    _add_guards(app, known_hosts, writable)
    _add_page(app, writable, tuple(boards), first_game)
    _add_boards(app, {name: encode_json(board) for name, board in boards.items()}, first_game)
    _add_reads(app, feed, operator)
    _add_books(app, operator)
    for action in ACTIONS:
        _add_action(app, action, operator)
    return app


def _add_guards(app: Flask, hosts: Sequence[str], writable: bool) -> None:
    @app.before_request
    def guard() -> Response | None:
        writes = request.method not in ("GET", "HEAD")
        is_api = request.path.startswith("/api/")
        refusal = refuse_host(request.headers.get("Host"), hosts)
        if refusal is None and (writes or is_api):
            refusal = refuse_cross_site(request.headers, writes=writes)
        if refusal is None and request.method == "POST" and is_api and not writable:
            refusal = _READ_ONLY
        return None if refusal is None else _refuse(refusal)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        if not request.path.startswith("/static/"):
            response.headers["Cache-Control"] = "no-store"
        return response

    @app.errorhandler(HTTPException)
    def say_http(error: HTTPException) -> Response:
        status = error.code or 500
        text = _ERROR_TEXTS.get(status, "the request was refused")
        response = _refuse(Refusal(status, _ERROR_REASONS.get(status, "refused"), text))
        if status == 405:
            response.headers["Allow"] = dict(error.get_headers()).get("Allow", "")
        return response

    @app.errorhandler(TimeoutError)
    def say_busy(_error: TimeoutError) -> Response:
        return _refuse(_BUSY)

    @app.errorhandler(UserError)
    def say_unknown(error: UserError) -> Response:
        # All that a person gives to a read is which game.
        return _refuse(Refusal(404, "no_such_game", str(error)))

    @app.errorhandler(StoreError)
    def say_store(error: StoreError) -> Response:
        return _refuse(Refusal(503, "store", str(error)))

    @app.errorhandler(Exception)
    def say_broken(error: Exception) -> Response:
        _LOG.error("a request to %s failed", request.path, exc_info=error)
        return _refuse(Refusal(500, _ERROR_REASONS[500], _ERROR_TEXTS[500]))


def _add_page(app: Flask, writable: bool, games: Sequence[str], first_game: str) -> None:
    # Named in the page's head, so that a browser asks for all of them at once and not one after another. What
    # every page needs comes first: of two styles for one thing the later one counts.
    names = sorted(path.name for path in Path(str(app.static_folder)).iterdir())
    modules = [name for name in names if name.endswith(".js")]
    styles = sorted((name for name in names if name.endswith(".css")), key=lambda name: name != FIRST_STYLE)

    @app.get("/", provide_automatic_options=False)
    def page() -> str:
        return render_template(
            "index.html",
            writable=writable,
            modules=modules,
            styles=styles,
            games=games,
            first_game=first_game,
        )


def _add_boards(app: Flask, boards: Mapping[str, bytes], first_game: str) -> None:
    @app.get("/api/board", provide_automatic_options=False)
    def read_board() -> Response:
        board = boards.get(request.args.get("game", first_game))
        if board is None:
            return _refuse(_NO_SUCH_BOARD)
        return Response(board, mimetype="application/json")


def _add_reads(app: Flask, feed: Feed, operator: Operator) -> None:
    streams: Streams = app.extensions["tablewire.streams"]

    @app.get("/api/state", provide_automatic_options=False)
    def read_state() -> Response:
        newest = feed.current()
        if newest is None:
            return _refuse(_STARTING)
        return Response(newest.body(operator.age_ms()), mimetype="application/json")

    @app.get("/api/pulse", provide_automatic_options=False)
    def read_pulse() -> Response:
        newest = feed.current()
        return _answer(
            200, {"version": None if newest is None else newest.version, "silent_ms": operator.age_ms()}
        )

    @app.get("/api/legal", provide_automatic_options=False)
    def read_legal() -> Response:
        return _answer(200, operator.legal())

    @app.get("/api/events", provide_automatic_options=False)
    def read_events() -> Response:
        if request.method == "HEAD":
            return Response(mimetype="text/event-stream")
        gone = request.environ.get("waitress.client_disconnected", lambda: False)
        stream = streams.open(operator.age_ms, gone)
        if stream is None:
            text = f"all {streams.cap_count} event streams are taken; /api/state still answers"
            full = _refuse(Refusal(503, "streams_full", text))
            full.headers["Retry-After"] = str(STREAM_RETRY_S)
            return full
        return Response(stream, mimetype="text/event-stream")


def _add_books(app: Flask, operator: Operator) -> None:
    """The reads about the games and the decks kept, and about the sensors."""

    @app.get("/api/games", provide_automatic_options=False)
    def read_games() -> Response:
        games = operator.games()
        return _answer(
            200, {"games": games[:GAMES_MAX_COUNT], "left_out": max(0, len(games) - GAMES_MAX_COUNT)}
        )

    @app.get("/api/record", provide_automatic_options=False)
    def read_record() -> Response:
        record = operator.record(_game_id())
        name = _NOT_IN_A_NAME.sub("-", record.name)[-NAME_MAX_CHARS:].lstrip("-.") or "game.jsonl"
        response = Response(record.text.encode("utf-8", "replace"), mimetype="text/plain")
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    @app.get("/api/audit", provide_automatic_options=False)
    def read_audit() -> Response:
        return _answer(200, {"audit": operator.audit(_game_id())})

    @app.get("/api/decks", provide_automatic_options=False)
    def read_decks() -> Response:
        return _answer(200, operator.decks())

    @app.get("/api/health", provide_automatic_options=False)
    def read_health() -> Response:
        return _answer(200, operator.health())


def _game_id() -> str | None:
    """The game that a read asks for; None: the current one. UserError when it can be no game's id."""
    given = request.args.getlist("game_id")
    if not given:
        return None
    if len(given) > 1 or not 1 <= len(given[0]) <= GAME_ID_MAX_CHARS:
        raise UserError("no game has this id: /api/games lists them")
    return given[0]


def _add_action(app: Flask, action: Action, operator: Operator) -> None:
    def act() -> Response:
        if request.mimetype != "application/json":
            return _refuse(Refusal(415, "not_json", "the content type must be application/json"))
        try:
            body = parse_body(action, request.get_data())
        except MalformedError as error:
            return _refuse(Refusal(422, "malformed", str(error)))
        answer = operator.act(action.name, body)
        return _answer(answer.status, answer.body)

    app.add_url_rule(
        f"/api/{action.path}", action.name, act, methods=["POST"], provide_automatic_options=False
    )


def _answer(status: int, body: dict[str, Any]) -> Response:
    return Response(encode_json(body), status, mimetype="application/json")


def _refuse(refusal: Refusal) -> Response:
    if request.path.startswith("/api/"):
        return _answer(refusal.status, {"reason": refusal.reason, "text": refusal.text})
    return Response(f"{refusal.text}\n", refusal.status, mimetype="text/plain")
