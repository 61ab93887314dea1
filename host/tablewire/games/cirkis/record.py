"""A record's header and lines as frozen values, and their JSON form both ways.

Owns what makes a line well formed. Must not know whether a line is legal, files, or the board.

An unreadable header is the user's error; an unreadable line is a verdict (`parse_line` gives None), because a
record is read on a line at a time while a game is played. Keys that begin with `x_` are kept and ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewire.errors import UserError, quoted
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.options import Options, Rulebook
from tablewire.games.outside import load_json

RECORD_VERSION = 1
GAME_NAME = "cirkis"
MIN_PLAYERS, MAX_PLAYERS = 2, 4
EXTRA = "x_"
MAX_LINE_CHARS = 1_048_576
"""A turn takes some fifty characters; a mebibyte bounds the work of refusing a line."""
MAX_RULING_POINTS = 1_000_000_000
"""Whole numbers up to here are exact wherever the JSON is read, and their sums stay short."""

Extra = Mapping[str, Any]
PLAIN = Options()


@dataclass(frozen=True, slots=True)
class Header:
    """The first line. `pieces` is what it says of the piece set: None, a path, or the set itself as JSON."""

    players: tuple[PlayerColour, ...]
    options: Options = PLAIN
    pieces: Any = None
    extra: Extra = field(default_factory=dict)
    extra_options: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """A placement. Neither player nor spaces need exist: that is for the rules to say."""

    player: str
    spaces: tuple[int, ...]
    forced: bool = False
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pass:
    """A turn passed, or a statement of one that the table has passed over already."""

    player: str
    forced: bool = False
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """Points given or taken by the house. `note` None: there is none."""

    points: Mapping[str, int]
    note: str | None = None
    extra: Extra = field(default_factory=dict)
    extra_ruling: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NextRound:
    """The next round of a match opens."""

    number: int
    extra: Extra = field(default_factory=dict)


Line = Turn | Pass | Ruling | NextRound


def parse_header(source: object) -> Header:
    """Read a header from a JSON value or its text. UserError: what is wrong with it, and what to do."""
    try:
        value = load_json(source) if isinstance(source, str) else source
    except ValueError as error:
        raise UserError("the first line is no JSON; write the header as one JSON object") from error
    if not isinstance(value, Mapping):
        raise UserError(f"the first line is {quoted(value)}, not a JSON object; write the header there")
    keys, extra = _split(value)
    _refuse_unknown(keys, {"record", "game", "rulebook", "players", "options"}, "key")
    if type(keys.get("record")) is not int or keys["record"] != RECORD_VERSION:
        raise UserError(
            f'"record" is {quoted(keys.get("record"))}; this version reads "record": {RECORD_VERSION}'
        )
    if keys.get("game") != GAME_NAME:
        raise UserError(f'"game" is {quoted(keys.get("game"))}; this is a reader of "{GAME_NAME}" records')
    given = keys.get("options", {})
    if not isinstance(given, Mapping):
        raise UserError(f'"options" is {quoted(given)}; write a JSON object')
    named, extra_options = _split(given)
    _refuse_unknown(named, {"center_ring", "target", "voluntary_pass", "pieces", "match"}, "option")
    options = Options(
        rulebook=_rulebook(keys.get("rulebook", Rulebook.HASBRO.value)),
        center_ring=_switch(named, "center_ring"),
        target=_points(named, "target") if "target" in named else PLAIN.target,
        voluntary_pass=_switch(named, "voluntary_pass"),
        match=_points(named, "match") if "match" in named else None,
    )
    return Header(_players(keys.get("players")), options, _pieces(named), extra, extra_options)


def encode_header(header: Header) -> dict[str, Any]:
    """The JSON form of a header; `parse_header` is its inverse."""
    options = header.options
    named = {
        key: getattr(options, key)
        for key in ("center_ring", "target", "voluntary_pass", "match")
        if getattr(options, key) != getattr(PLAIN, key)
    }
    if header.pieces is not None:
        named["pieces"] = header.pieces
    return {
        "record": RECORD_VERSION,
        "game": GAME_NAME,
        "rulebook": options.rulebook.value,
        "players": [player.value for player in header.players],
        "options": {**named, **header.extra_options},
        **header.extra,
    }


def parse_line(source: object) -> Line | None:
    """Read a line after the header from a JSON value or its text; None when it is not a line."""
    if isinstance(source, str):
        if len(source) > MAX_LINE_CHARS:
            return None
        try:
            source = load_json(source)
        except ValueError:
            return None
    if not isinstance(source, Mapping):
        return None
    keys, extra = _split(source)
    for needed, allowed, parse in _LINES:
        if needed <= keys.keys() <= allowed:
            return parse(keys, extra)
    return None


def encode_line(line: Line) -> dict[str, Any]:
    """The JSON form of a line; `parse_line` is its inverse."""
    match line:
        case Turn(player, spaces, forced, extra):
            return {"player": str(player), "spaces": list(spaces), **_forced(forced), **extra}
        case Pass(player, forced, extra):
            return {"player": str(player), "pass": True, **_forced(forced), **extra}
        case Ruling(points, note, extra, extra_ruling):
            noted = {} if note is None else {"note": note}
            body = {
                "points": {str(player): count for player, count in points.items()},
                **noted,
                **extra_ruling,
            }
            return {"ruling": body, **extra}
        case NextRound(number, extra):
            return {"round": number, **extra}


def _forced(forced: bool) -> dict[str, Any]:
    return {"forced": True} if forced else {}


def _split(value: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys of ours, and those that are kept and ignored."""
    extra = {key: item for key, item in value.items() if key.startswith(EXTRA)}
    return {key: item for key, item in value.items() if key not in extra}, extra


def _turn(keys: dict[str, Any], extra: Extra) -> Turn | None:
    spaces = keys["spaces"]
    if not isinstance(keys["player"], str) or not isinstance(spaces, list):
        return None
    if any(type(space) is not int for space in spaces) or type(keys.get("forced", False)) is not bool:
        return None
    return Turn(keys["player"], tuple(spaces), keys.get("forced", False), extra)


def _pass(keys: dict[str, Any], extra: Extra) -> Pass | None:
    if not isinstance(keys["player"], str) or keys["pass"] is not True:
        return None
    if type(keys.get("forced", False)) is not bool:
        return None
    return Pass(keys["player"], keys.get("forced", False), extra)


def _ruling(keys: dict[str, Any], extra: Extra) -> Ruling | None:
    if not isinstance(keys["ruling"], Mapping):
        return None
    body, extra_ruling = _split(keys["ruling"])
    points, note = body.get("points"), body.get("note")
    if not body.keys() <= {"points", "note"} or not isinstance(points, Mapping) or not points:
        return None
    if any(type(count) is not int or abs(count) > MAX_RULING_POINTS for count in points.values()):
        return None
    if "note" in body and not isinstance(note, str):
        return None
    return Ruling(dict(points), note, extra, extra_ruling)


def _round(keys: dict[str, Any], extra: Extra) -> NextRound | None:
    return NextRound(keys["round"], extra) if type(keys["round"]) is int else None


_LINES = (
    ({"player", "spaces"}, {"player", "spaces", "forced"}, _turn),
    ({"player", "pass"}, {"player", "pass", "forced"}, _pass),
    ({"ruling"}, {"ruling"}, _ruling),
    ({"round"}, {"round"}, _round),
)
"""Which keys a line must and may have, and who reads it."""


def _refuse_unknown(keys: Mapping[str, Any], known: set[str], what: str) -> None:
    for key in keys:
        if key not in known:
            raise UserError(f"{quoted(key)} is no {what} of a record; known are {', '.join(sorted(known))}")


def _rulebook(value: object) -> Rulebook:
    if value not in [rulebook.value for rulebook in Rulebook]:
        raise UserError(f'"rulebook" is {quoted(value)}; choose "hasbro" or "international"')
    return Rulebook(str(value))


def _players(value: object) -> tuple[PlayerColour, ...]:
    colours = [colour.value for colour in PlayerColour]
    if not isinstance(value, list) or not MIN_PLAYERS <= len(value) <= MAX_PLAYERS:
        raise UserError(f'"players" is {quoted(value)}; list 2 to 4 of {", ".join(colours)} in turn order')
    for player in value:
        if player not in colours:
            raise UserError(f'"players" holds {quoted(player)}; choose from {", ".join(colours)}')
    if len(set(value)) != len(value):
        raise UserError(f'"players" holds a colour twice: {quoted(value)}; list each once')
    return tuple(map(PlayerColour, value))


def _switch(options: Mapping[str, Any], name: str) -> bool:
    value = options.get(name, False)
    if type(value) is not bool:
        raise UserError(f'option "{name}" is {quoted(value)}; write true or false')
    return value


def _points(options: Mapping[str, Any], name: str) -> int:
    value = options[name]
    if type(value) is not int or value < 1:
        raise UserError(f'option "{name}" is {quoted(value)}; write a whole number of points, 1 or more')
    return value


def _pieces(options: Mapping[str, Any]) -> Any:
    value = options.get("pieces")
    if "pieces" in options and (not isinstance(value, str | list | Mapping) or not value):
        raise UserError(
            f'option "pieces" is {quoted(value)}; write the path of a piece set or a list of shapes'
        )
    return value
