"""Asks a table that runs, at the address of its page, how it fares.

Owns this conversation over HTTP. Must not know what is good or bad. Every answer is capped and has a limit.
"""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from tablewire.doctor.limits import Late, within
from tablewire.doctor.seen import PageSeen
from tablewire.errors import one_line
from tablewire.link.faults import Tried
from tablewire.wire.account import Account, read_account

ASK_LIMIT_S = 4.0
"""A page on the same computer answers within milliseconds; one whose computer is busy, within seconds."""
LOOK_LIMIT_S = 6.0
"""All questions together, since each may be answered in drops: this look ends before it is given up."""
ANSWER_MAX_BYTES = 1 << 20
"""A document of a long game has some 200 kB."""
WINDOW_S = 3.0
"""As long as a board that is asked itself is listened to."""
TEXT_MAX_CHARS = 300
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  asked at, never bound to
"""Where a page that listens everywhere is asked from this computer."""


class NotNow(Exception):  # noqa: N818 - the word says what happened
    """A table of ours answers, and says in one line why it does not tell."""


def look_at_page(
    host: str,
    port: int,
    window_s: float = WINDOW_S,
    sleep: Callable[[float], None] = time.sleep,
    limit_s: float = LOOK_LIMIT_S,
) -> PageSeen:
    """Who answers at the address, and what a table of ours tells there. Ends within `limit_s`."""
    address = f"{f'[{host}]' if ':' in host else host}:{port}"
    until_s = time.monotonic() + limit_s
    try:
        why = within(limit_s / 2, lambda: _why_nowhere(host))
    except Late:
        why = "nobody says which address it is"
    if why is not None:
        return PageSeen(address, "nowhere", text=why)
    host = EVERY_ADDRESS.get(host, host)
    try:
        if port == 0 or not within(until_s - time.monotonic(), lambda: _is_taken(host, port)):
            return PageSeen(address)
        left_s = until_s - time.monotonic()
        return within(left_s, lambda: _asked(address, host, port, min(window_s, left_s / 2), sleep))
    except Late:
        return PageSeen(address, "other")


def _why_nowhere(host: str) -> str | None:
    """Why no page can be at any port of this address; None when it is one of this computer."""
    try:
        kind, _, _, _, place = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
        with closing(socket.socket(kind, socket.SOCK_STREAM)) as ours:
            ours.bind(place)
    except (OSError, ValueError) as exc:
        return one_line(getattr(exc, "strerror", None) or exc)
    return None


def _asked(address: str, host: str, port: int, window_s: float, sleep: Callable[[float], None]) -> PageSeen:
    """What who has the address answers."""
    try:
        state, health = _ask(host, port, "/api/state"), _ask(host, port, "/api/health")
        link, sensors = state["link"], health["sensors"]
        link_state, place, text = str(link["state"]), str(link["port"]), link.get("text")
        rows = tuple(row for row in sensors if isinstance(row, dict))
        tried = tuple(Tried(_short(one["port"]), _short(one["why"])) for one in link.get("tried", ()))
    except NotNow as exc:
        return PageSeen(address, "tablewire", text=_short(exc))
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        http.client.HTTPException,
    ):
        return PageSeen(address, "other")
    first = last = _account(health)
    begun_s = time.monotonic()
    if first is not None and link_state == "up":
        sleep(window_s)
        try:
            last = _account(_ask(host, port, "/api/health"))
        except (NotNow, OSError, ValueError, http.client.HTTPException):
            first = last = None  # it ended meanwhile
    return PageSeen(
        address,
        "tablewire",
        link_state,
        _short(place),
        None if text is None else _short(text),
        tried,
        rows,
        first,
        last,
        time.monotonic() - begun_s,
    )


def _short(text: object) -> str:
    return one_line(text)[:TEXT_MAX_CHARS]


def _is_taken(host: str, port: int) -> bool:
    """Whether anybody listens there."""
    try:
        with closing(socket.create_connection((host, port), ASK_LIMIT_S)):
            return True
    except TimeoutError:
        return True  # who takes no connection holds the address all the same
    except (OSError, ValueError):
        return False


def _ask(host: str, port: int, path: str) -> dict[str, Any]:
    """The JSON object at this path. NotNow, OSError, ValueError, HTTPException."""
    until_s = time.monotonic() + ASK_LIMIT_S
    with closing(http.client.HTTPConnection(host, port, timeout=ASK_LIMIT_S)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = b""
        while chunk := answer.read1(1 << 16):
            body += chunk
            if len(body) > ANSWER_MAX_BYTES or time.monotonic() > until_s:
                raise ValueError("the answer does not end")
    found = json.loads(body)
    if not isinstance(found, dict):
        raise ValueError("not the answer of a table")
    if answer.status != http.client.OK:
        # As every refusal of a table looks: web/guard.py.
        if isinstance(found.get("reason"), str) and isinstance(found.get("text"), str):
            raise NotNow(found["text"])
        raise ValueError("not the answer of a table")
    return found


def _account(health: dict[str, Any]) -> Account | None:
    try:
        return read_account(health.get("board"))
    except ValueError:
        return None
