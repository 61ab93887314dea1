"""A record's header and lines as frozen values, and their JSON form both ways.

Owns what makes a header or a line well formed; a value that only the rules refuse, such as a green 11 or a
count of eleven cards, is well formed. Must not know whether a line is legal, files, or the table.

What is malformed is the user's error: the whole record is none then. Keys that begin with `x_` are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewire.errors import UserError, quoted
from tablewire.games.ligretto.cards import Card
from tablewire.games.outside import load_json

RECORD_VERSION = 1
GAME_NAME = "ligretto"
PLAYERS_MIN, PLAYERS_MAX = 2, 12
"""One box has decks for four; three boxes serve twelve."""
EXTRA = "x_"
BLOCKED = "blocked"
"""In the place of a player who stops a round: nobody can play any more."""
LINE_CHARS_MAX = 1_048_576
"""A card takes some eighty characters; a mebibyte bounds the work of refusing a line."""
NUMBER_LIMIT = 10**1000
"""Whole numbers stay below it, so that sums and products of them can still be written down."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The first line. `rounds` None: rounds go on until a total reaches `target`.

    Cards that reach one pad no more than `scan_ms` after the first of them are read in one scan; each card
    left in a Ligretto pile costs `left_penalty` points.
    """

    players: tuple[str, ...]
    scan_ms: int = 40
    left_penalty: int = 2
    rounds: int | None = 1
    target: int | None = None


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card came to a pad. Neither its owner nor its face need exist: that is for the rules to say."""

    t_ms: int
    pad: int
    card: Card


@dataclass(frozen=True, slots=True)
class StopLine:
    """A player stops the round, or BLOCKED does; None withdraws a stop."""

    t_ms: int
    stop: str | None


@dataclass(frozen=True, slots=True)
class DecideLine:
    """Of equal cards that came together, the winner's was first. `n` is the line of any one of them."""

    n: int
    winner: str


@dataclass(frozen=True, slots=True)
class LeftLine:
    """What is left in each Ligretto pile: the round is counted. Values may be anything a person wrote."""

    left: Mapping[str, Any]


Line = CardLine | StopLine | DecideLine | LeftLine

OPTIONS: Mapping[str, int] = {"scan_ms": 0, "left_penalty": 0, "rounds": 1, "target": 1}
"""What can be set, and the least value of each."""


def parse_header(source: Mapping[str, Any]) -> Rules:
    """Read a header. UserError: what is wrong with it, and what to do."""
    keys = _ours(source)
    _refuse_unknown(keys, ("record", "game", "players", "options"), "key")
    if type(keys.get("record")) is not int or keys["record"] != RECORD_VERSION:
        raise UserError(
            f'"record" is {quoted(keys.get("record"))}; this version reads "record": {RECORD_VERSION}'
        )
    if keys.get("game") != GAME_NAME:
        raise UserError(f'"game" is {quoted(keys.get("game"))}; this is a reader of "{GAME_NAME}" records')
    given = keys.get("options", {})
    if not isinstance(given, Mapping):
        raise UserError(f'"options" is {quoted(given)}; write a JSON object')
    options = _options(_ours(given))
    if "target" in options:
        options["rounds"] = None
    return Rules(_players(keys.get("players")), **options)


def encode_header(rules: Rules) -> dict[str, Any]:
    """The JSON form of a header; `parse_header` is its inverse."""
    plain = Rules(rules.players)
    options = {
        name: getattr(rules, name)
        for name in OPTIONS
        if getattr(rules, name) not in (None, getattr(plain, name))
    }
    return {
        "record": RECORD_VERSION,
        "game": GAME_NAME,
        "players": list(rules.players),
        "options": options,
    }


def parse_line(source: object) -> Line:
    """Read a line after the header from a JSON value or its text. UserError: why it is none."""
    if isinstance(source, str):
        if len(source) > LINE_CHARS_MAX:
            raise UserError(f"the line is longer than {LINE_CHARS_MAX} characters; write one line for a card")
        try:
            source = load_json(source)
        except ValueError as error:
            raise UserError("the line is not JSON; write one JSON object on it") from error
    if not isinstance(source, Mapping):
        raise UserError(f"the line is {quoted(source)}; write a JSON object")
    keys = _ours(source)
    for form, parse in _FORMS:
        if keys.keys() == form:
            return parse(keys)
    forms = "; or ".join(", ".join(sorted(form)) for form, _ in _FORMS)
    raise UserError(f"a line with the keys {quoted(sorted(keys))} is none of a record; write {forms}")


def encode_line(line: Line) -> dict[str, Any]:
    """The JSON form of a line; `parse_line` is its inverse."""
    match line:
        case CardLine(t_ms, pad, card):
            return {"t_ms": t_ms, "pad": pad, "card": card._asdict()}
        case StopLine(t_ms, stop):
            return {"t_ms": t_ms, "stop": stop}
        case DecideLine(n, winner):
            return {"decide": n, "winner": winner}
        case LeftLine(left):
            return {"left": dict(left)}


def _ours(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if not key.startswith(EXTRA)}


def _card_line(keys: Mapping[str, Any]) -> CardLine:
    card = keys["card"]
    if not isinstance(card, Mapping) or (own := _ours(card)).keys() != {"owner", "colour", "value"}:
        raise UserError(f'"card" is {quoted(card)}; write its owner, colour and value')
    owner, colour = _text(own, "owner"), _text(own, "colour")
    value = _whole(own, "value", least=-NUMBER_LIMIT + 1)
    return CardLine(_whole(keys, "t_ms"), _whole(keys, "pad"), Card(owner, colour, value))


def _stop_line(keys: Mapping[str, Any]) -> StopLine:
    return StopLine(_whole(keys, "t_ms"), None if keys["stop"] is None else _text(keys, "stop"))


def _decide_line(keys: Mapping[str, Any]) -> DecideLine:
    return DecideLine(_whole(keys, "decide", least=-NUMBER_LIMIT + 1), _text(keys, "winner"))


def _left_line(keys: Mapping[str, Any]) -> LeftLine:
    if not isinstance(keys["left"], Mapping):
        raise UserError(f'"left" is {quoted(keys["left"])}; write how many cards each player has left')
    return LeftLine(dict(keys["left"]))


_FORMS = (
    ({"t_ms", "pad", "card"}, _card_line),
    ({"t_ms", "stop"}, _stop_line),
    ({"decide", "winner"}, _decide_line),
    ({"left"}, _left_line),
)
"""Which keys a line has, and who reads it."""


def _text(keys: Mapping[str, Any], key: str) -> str:
    value = keys[key]
    if not isinstance(value, str):
        raise UserError(f'"{key}" is {quoted(value)}; write text')
    return value


def _whole(keys: Mapping[str, Any], key: str, least: int = 0) -> int:
    value = keys[key]
    if type(value) is not int or not least <= value < NUMBER_LIMIT:
        what = "a whole number" if least < 0 else f"a whole number from {least}"
        raise UserError(f'"{key}" is {quoted(value)}; write {what}')
    return value


def _refuse_unknown(keys: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in keys:
        if key not in known:
            raise UserError(f"{quoted(key)} is no {what} of a record; known are {', '.join(known)}")


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    _refuse_unknown(given, tuple(OPTIONS), "option")
    if {"rounds", "target"} <= given.keys():
        raise UserError('both "rounds" and "target" say when the game ends; write one of them')
    return {name: _whole(given, name, OPTIONS[name]) for name in given}


def _players(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not PLAYERS_MIN <= len(value) <= PLAYERS_MAX:
        raise UserError(f'"players" is {quoted(value)}; list {PLAYERS_MIN} to {PLAYERS_MAX} names')
    for player in value:
        if not isinstance(player, str) or not player.strip():
            raise UserError(f'"players" holds {quoted(player)}; write a name')
        if player == BLOCKED:
            raise UserError(
                f'a player is named "{BLOCKED}", which is how a round ends by itself; rename them'
            )
    if len(set(value)) != len(value):
        raise UserError(f'"players" holds a name twice: {quoted(value)}; list each once')
    return tuple(value)
