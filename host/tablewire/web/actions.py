"""What a person at the page may ask the table to do, as a table: path, name, fields.

Owns the form of a request body: which fields, of which type, how long. Must not know the rules of any game,
whether an action is possible now (the operator answers that) or Flask.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, Protocol

from tablewire.errors import quoted

# The longest body of an action is a correction with a note; a whole one is under 2 KiB.
BODY_MAX_BYTES = 16 * 1024
# A note is a sentence beside a ruling, not a letter.
TEXT_MAX_CHARS = 500
# More entries than any list or object of an action has a use for (a whole piece set has 9 shapes).
ENTRY_MAX_COUNT = 64
# A piece set among the options is four deep.
NESTING_MAX = 16
# JavaScript's whole numbers end here.
EXACT_MAX = 2**53
# No award, space number, round or entry number comes near; small enough for every store and for JavaScript.
NUMBER_MAX = 1_000_000


class Answer(NamedTuple):
    """What the table says to an action: 200 and the new version, or 409 or 422 with `reason` and `text`."""

    status: int
    body: dict[str, Any]


class Download(NamedTuple):
    """A text to be kept as a file, and a name for it."""

    name: str
    text: str


class Operator(Protocol):
    """The way from a web thread to the game thread and to the games kept.

    Of a game that is not kept the reads say UserError, of a disk that cannot be read StoreError, and
    TimeoutError when the table does not answer in time.
    """

    def act(self, name: str, body: dict[str, Any]) -> Answer:
        """Do one action on the game thread. TimeoutError when the game thread does not answer in time."""

    def legal(self) -> dict[str, Any]:
        """Where the player to move may place: version, player, placements (each shape and spaces); a game
        without turns has neither.
        """

    def games(self) -> list[dict[str, Any]]:
        """Every game kept, newest first: id, players, times, moves, scores, state."""

    def record(self, game_id: str | None) -> Download:
        """A game as its record, JSON Lines; None: the current one."""

    def audit(self, game_id: str | None) -> list[dict[str, Any]]:
        """What people did to a game besides playing it, oldest first; None: the current one."""

    def decks(self) -> dict[str, Any]:
        """What is kept now of the decks that games are played with: `decks`, and `decks_text`, why they
        cannot be read, None where they can.
        """

    def health(self) -> dict[str, Any]:
        """Every sensor with what it stands for and how far it can be believed."""

    def age_ms(self) -> int | None:
        """How long the board has been silent; None when it was never heard."""


class MalformedError(Exception):
    """A request body is not of the form its action asks for; the text is one line."""


Check = Callable[[object], str | None]


class Field(NamedTuple):
    """One field of a body: its name, what is wrong with a value (None: nothing), and whether it must be
    there.
    """

    name: str
    check: Check
    required: bool = True


class Action(NamedTuple):
    """One POST path under /api/, the name the operator knows it by, and its fields."""

    path: str
    name: str
    fields: tuple[Field, ...] = ()


def _text(value: object) -> str | None:
    if not isinstance(value, str):
        return "must be a text"
    if len(value) > TEXT_MAX_CHARS:
        return f"must be at most {TEXT_MAX_CHARS} characters long"
    return _fault(value)


def _name(value: object) -> str | None:
    return _text(value) or (None if value else "must not be empty")


def _names(value: object) -> str | None:
    if not isinstance(value, list) or not 1 <= len(value) <= ENTRY_MAX_COUNT:
        return "must be a list of texts, not empty"
    return next((f"holds an entry that {wrong}" for entry in value if (wrong := _name(entry))), None)


def _number(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return "must be a whole number"
    return None if abs(value) <= NUMBER_MAX else f"must be between -{NUMBER_MAX} and {NUMBER_MAX}"


def _ordinal(value: object) -> str | None:
    return _number(value) or (None if isinstance(value, int) and value >= 1 else "must be 1 or more")


def _natural(value: object) -> str | None:
    return _number(value) or (None if isinstance(value, int) and value >= 0 else "must be 0 or more")


def _naturals(value: object) -> str | None:
    if not isinstance(value, list) or not 1 <= len(value) <= ENTRY_MAX_COUNT:
        return f"must be a list of 1 to {ENTRY_MAX_COUNT} whole numbers"
    wrong = next((wrong for entry in value if (wrong := _number(entry))), None)
    if wrong is None and min(value) < 0:
        wrong = "must be 0 or more"
    return f"holds a number that {wrong}" if wrong else None


def _ordinals(value: object) -> str | None:
    return _naturals(value) or ("holds a number that must be 1 or more" if 0 in _inside(value) else None)


def _flag(value: object) -> str | None:
    return None if isinstance(value, bool) else "must be true or false"


def _points(value: object) -> str | None:
    if not isinstance(value, dict) or not 1 <= len(value) <= ENTRY_MAX_COUNT:
        return "must be an object of points by player, not empty"
    return next(
        (f"has a value that {wrong}" for points in value.values() if (wrong := _number(points))), None
    )


def _counts(value: object) -> str | None:
    if not isinstance(value, dict) or len(value) > ENTRY_MAX_COUNT:
        return f"must be an object of whole numbers by player, with at most {ENTRY_MAX_COUNT}"
    wrong = next((wrong for count in value.values() if (wrong := _natural(count))), None)
    return f"has a value that {wrong}" if wrong else _fault(value)


def _pad(value: object) -> str | None:
    """A pad, or null: none."""
    return None if value is None else _natural(value)


def _object(value: object) -> str | None:
    if not isinstance(value, dict) or len(value) > ENTRY_MAX_COUNT:
        return f"must be an object with at most {ENTRY_MAX_COUNT} entries"
    return _fault(value)


BY = Field("by", _name, required=False)
NOTE = Field("note", _text, required=False)
"""Who did it, and why: for the audit."""
SEEN = Field("seen", _natural, required=False)
"""How many entries of the history the person saw who asks: it is not done when there are others by now."""

ACTIONS = (
    Action(
        "new-game",
        "new_game",
        (
            Field("players", _names),
            Field("game", _name, required=False),
            Field("rulebook", _name, required=False),
            Field("options", _object, required=False),
            Field("x_use", _object, required=False),
            Field("x_count_pad", _pad, required=False),
        ),
    ),
    Action("put-aside", "put_aside"),
    Action("resume-game", "resume_game", (Field("game_id", _name),)),
    Action("choose", "choose", (Field("id", _name), BY, NOTE)),
    Action("pass", "pass"),
    Action("undo", "undo", (Field("count", _ordinal, required=False), SEEN, BY, NOTE)),
    Action("redo", "redo", (Field("count", _ordinal, required=False), SEEN, BY, NOTE)),
    Action("next-round", "next_round"),
    Action("ruling", "ruling", (Field("points", _points), NOTE, BY)),
    Action(
        "place",
        "place",
        (
            Field("player", _name),
            Field("spaces", _ordinals),
            Field("forced", _flag, required=False),
            NOTE,
            BY,
        ),
    ),
    Action(
        "correct",
        "correct",
        (
            Field("n", _ordinal, required=False),
            Field("line", _object, required=False),
            Field("do", _name, required=False),
            Field("tag", _name, required=False),
            Field("card", _object, required=False),
            Field("keep_forced", _flag, required=False),
            Field("drop_rest", _flag, required=False),
            Field("preview", _flag, required=False),
            SEEN,
            NOTE,
            BY,
        ),
    ),
    Action(
        "accept",
        "accept",
        (
            Field("note", _name, required=False),
            Field("preview", _flag, required=False),
            BY,
        ),
    ),
    Action("mask", "mask", (Field("sensors", _naturals), Field("masked", _flag), NOTE, BY)),
    Action("round-stop", "round_stop", (Field("player", _name), NOTE, BY)),
    Action("unstop", "unstop", (NOTE, BY)),
    Action("decide", "decide", (Field("n", _ordinal), Field("winner", _name), NOTE, BY)),
    Action("count", "count", (Field("pad", _pad, required=False), NOTE, BY)),
    Action(
        "left",
        "left",
        (
            Field("left", _counts, required=False),
            Field("drop_rest", _flag, required=False),
            Field("preview", _flag, required=False),
            NOTE,
            BY,
        ),
    ),
    Action("teach", "teach", (Field("deck", _name), Field("pad", _pad, required=False), NOTE, BY)),
    Action("teach-stop", "teach_stop", (NOTE, BY)),
    Action(
        "teach-fix",
        "teach_fix",
        (
            Field("do", _name),
            Field("colour", _name, required=False),
            Field("value", _ordinal, required=False),
            NOTE,
            BY,
        ),
    ),
)


def parse_body(action: Action, raw: bytes) -> dict[str, Any]:
    """The body of one action as a dictionary of checked fields. MalformedError says what is wrong in one
    line.
    """
    body = _parse_object(raw)
    known = {field.name for field in action.fields}
    for name in body:
        if name not in known:
            raise MalformedError(f"unknown field {quoted(name)}; {_fields_said(action)}")
    for field in action.fields:
        if field.name not in body:
            if field.required:
                raise MalformedError(f"the field {field.name!r} is missing; {_fields_said(action)}")
        elif wrong := field.check(body[field.name]):
            raise MalformedError(f"the field {field.name!r} {wrong}")
    return body


def _fields_said(action: Action) -> str:
    names = ", ".join(field.name for field in action.fields)
    return f"{action.path} takes: {names}" if names else f"{action.path} takes no fields"


def _parse_object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(
            raw.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_unique_pairs
        )
    except MalformedError:
        raise
    # RecursionError: a body of nothing but brackets. ValueError: not JSON, not UTF-8, a number of 5000
    # digits.
    except (ValueError, RecursionError):
        raise MalformedError("the body is not JSON in UTF-8") from None
    if not isinstance(value, dict):
        raise MalformedError("the body must be a JSON object, such as {}")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedError(f"{name} is not JSON")


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise MalformedError("a field is given twice")
    return body


def _fault(value: object) -> str | None:
    """What in a value cannot be stored and shown, however deep it is; None: nothing."""
    level: list[object] = [value]
    for _ in range(NESTING_MAX):
        texts = [entry for entry in level if isinstance(entry, str)]
        if any(
            "\0" in text or any("\ud800" <= character <= "\udfff" for character in text) for text in texts
        ):
            return "contains characters that are no text"
        if any(isinstance(entry, int | float) and not abs(entry) <= EXACT_MAX for entry in level):
            return "contains a number that is too large"
        level = [inner for entry in level for inner in _inside(entry)]
        if not level:
            return None
    return "is nested too deeply"


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else []
