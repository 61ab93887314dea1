"""State documents of Ligretto written by hand, as a table would publish them: one on which all that the page
shows is present. That a real table publishes such ones, test_api_document.py sees to.
"""

from typing import Any

from tests.web.documents import allowing, link

NAMES = ("Anna", "Ben", "Cleo", "Dora")
DECKS = {"Anna": "red", "Ben": "green", "Cleo": "blue", "Dora": "yellow"}
PILES: dict[str, dict[str, Any]] = {
    "0": {"colour": "red", "value": 4, "height": 4, "complete": False},
    "1": {"colour": "blue", "value": 7, "height": 7, "complete": False},
    "3": {"colour": "green", "value": 10, "height": 10, "complete": True},
    "6": {"colour": "yellow", "value": 2, "height": 2, "complete": False},
}
PLAYED = {"Anna": 9, "Ben": 6, "Cleo": 5, "Dora": 2}
WRONG: list[dict[str, Any]] = [
    {
        "n": 21,
        "pad": 1,
        "player": "Ben",
        "card": {"owner": "Ben", "colour": "green", "value": 7},
        "uid": "04A1B2C3D4E5F6",
        "reasons": ["wrong_colour", "wrong_value"],
        "text": "Take Ben's green 7 off pad 1: the pile there is blue, and it needs an 8.",
        "lies": True,
    },
    {
        "n": 22,
        "pad": 9,
        "player": "Cleo",
        "card": {"owner": "Cleo", "colour": "red", "value": 3},
        "uid": "04A1B2C3D4E5F7",
        "reasons": ["not_a_one"],
        "text": "Take Cleo's red 3 off pad 9: a new pile begins with a 1.",
        "lies": True,
    },
]
UNKNOWN: dict[str, Any] = {
    "n": None,
    "pad": 12,
    "player": None,
    "card": None,
    "uid": "04FFEEDDCCBBAA",
    "reasons": ["unknown_card"],
    "text": "A card that no deck knows lies on pad 12: take it off, or say which it is.",
    "lies": True,
}
UNDECIDED: dict[str, Any] = {
    "id": "decide:17",
    "ns": [17, 18],
    "pad": 6,
    "colour": "yellow",
    "value": 2,
    "players": ["Anna", "Dora"],
    "text": "Anna and Dora laid a yellow 2 on pad 6 in the same moment.",
}
LATER: dict[str, Any] = {**UNDECIDED, "id": "decide:19", "ns": [19, 20], "pad": 0, "players": ["Ben", "Cleo"]}
LOG: list[dict[str, Any]] = [
    {
        "n": 20,
        "player": "Anna",
        "pad": 0,
        "legal": True,
        "height": 4,
        "text": "Anna's red 4 on pad 0.",
        "card": {"owner": "Anna", "colour": "red", "value": 4},
    },
    {
        "n": 21,
        "player": "Ben",
        "pad": 1,
        "legal": False,
        "reasons": ["wrong_colour", "wrong_value"],
        "text": "Ben's green 7 does not fit on pad 1.",
        "card": {"owner": "Ben", "colour": "green", "value": 7},
    },
]
STOPPED: dict[str, Any] = {"by": "Anna", "t_ms": 90_000, "round_ms": 88_000, "after": [24]}
COUNTING: dict[str, Any] = {
    "pad": 15,
    "counted": {"Anna": 0, "Ben": 4, "Cleo": 0, "Dora": 0},
    "text": "Pass the cards that are left over pad 15, one by one: 4 counted so far.",
}
HISTORY: list[dict[str, Any]] = [
    {
        "round": 1,
        "stop": "Ben",
        "played": {"Anna": 20, "Ben": 24, "Cleo": 18, "Dora": 11},
        "left": {"Anna": 3, "Ben": 0, "Cleo": 5, "Dora": 8},
        "points": {"Anna": 14, "Ben": 24, "Cleo": 8, "Dora": -5},
        "totals": {"Anna": 14, "Ben": 24, "Cleo": 8, "Dora": -5},
    },
    {
        "round": 2,
        "stop": "blocked",
        "played": {"Anna": 15, "Ben": 10, "Cleo": 12, "Dora": 12},
        "left": {"Anna": 4, "Ben": 6, "Cleo": 2, "Dora": 1},
        "points": {"Anna": 7, "Ben": -2, "Cleo": 8, "Dora": 10},
        "totals": {"Anna": 21, "Ben": 22, "Cleo": 16, "Dora": 5},
    },
]
RESULT = {"result": {"ended": "rounds", "winners": ["Ben"], "totals": HISTORY[1]["totals"]}}
ACTIONS = (
    "stop",
    "unstop",
    "decide",
    "count",
    "left",
    "next_round",
    "undo",
    "redo",
    "correct",
)


def round_on(version: int = 1, **changed: Any) -> dict[str, Any]:
    """Four players in a round: 16 pads, a complete pile, nothing wrong."""
    document: dict[str, Any] = {
        "schema": 1,
        "version": version,
        "game": "ligretto",
        "game_id": "11ab",
        "rulebook": None,
        "options": {"scan_ms": 40, "left_penalty": 2, "rounds": 3},
        "phase": "playing",
        "players": [seat(k, name) for k, name in enumerate(NAMES)],
        "pad_count": 16,
        "pads": PILES,
        "wrong": [],
        "undecided": [],
        "round": 1,
        "rounds": 3,
        "target": None,
        "stopped": None,
        "counting": None,
        "history": [],
        "log": LOG[:1],
        "moves": 22,
        "provisional": False,
        "last": {key: value for key, value in LOG[0].items() if key not in ("text", "card")},
        "message": None,
        "result": None,
        "undone": 0,
        "totals": dict.fromkeys(NAMES, 0),
        "health": {"ghosts": 0, "unknown_tags": 0},
        "actions": can(stop=True, undo=True, correct=True),
        "notices": [],
        "link": link("up", board="ligretto"),
    }
    return {**document, **changed}


def seat(k: int, name: str, **changed: Any) -> dict[str, Any]:
    """A player in the midst of a round."""
    told = {
        "name": name,
        "deck": DECKS.get(name, name),
        "seat": k,
        "played": PLAYED.get(name, k),
        "left": None,
        "points": None,
        "total": 0,
    }
    return {**told, **changed}


def can(**allowed: bool) -> dict[str, bool]:
    """The `actions` part in which just these are possible, and a new game."""
    return {**allowing(**dict.fromkeys(ACTIONS, False)), **allowed}


def wrong_cards(version: int = 1, **changed: Any) -> dict[str, Any]:
    """Two wrong cards, one that nobody knows, and a pair of which nobody knows who was first."""
    message = {
        "kind": "illegal",
        "reasons": WRONG[0]["reasons"],
        "text": WRONG[0]["text"],
        "steps": [{"do": "lift", "pad": 1, "card": WRONG[0]["card"]}],
        "choices": [],
    }
    found: dict[str, Any] = {
        "wrong": [*WRONG, UNKNOWN],
        "undecided": [UNDECIDED],
        "message": message,
        "log": LOG,
        "actions": can(stop=True, undo=True, correct=True, decide=True),
    }
    return round_on(version, **{**found, **changed})


def stopped(version: int = 1, **changed: Any) -> dict[str, Any]:
    """Anna has stopped; the cards left are counted."""
    found: dict[str, Any] = {
        "stopped": STOPPED,
        "counting": COUNTING,
        "actions": can(unstop=True, count=True, left=True, undo=True, correct=True),
    }
    return round_on(version, **{**found, **changed})


def between_rounds(version: int = 1, **changed: Any) -> dict[str, Any]:
    """Two rounds are scored, the third is to be opened."""
    totals = HISTORY[1]["totals"]
    found: dict[str, Any] = {
        "phase": "waiting",
        "round": 3,
        "pads": {},
        "players": [seat(k, name, played=0, total=totals[name]) for k, name in enumerate(NAMES)],
        "history": HISTORY,
        "totals": totals,
        "actions": can(next_round=True, undo=True, correct=True),
    }
    return round_on(version, **{**found, **changed})


def over(version: int = 1, **changed: Any) -> dict[str, Any]:
    """All rounds are played."""
    found: dict[str, Any] = {
        "phase": "over",
        "rounds": 2,
        "round": 2,
        "result": RESULT,
        "actions": can(undo=True, correct=True),
    }
    return between_rounds(version, **{**found, **changed})


def no_ligretto(version: int = 1, **changed: Any) -> dict[str, Any]:
    """No game yet, and a Ligretto board is connected; three decks are known, one of them not wholly."""
    document = {
        "schema": 1,
        "version": version,
        "game": None,
        "game_id": None,
        "phase": "waiting",
        "players": [],
        "moves": 0,
        "provisional": False,
        "last": None,
        "message": None,
        "result": None,
        "decks": [
            {"name": "red", "missing": 0},
            {"name": "green", "missing": 0},
            {"name": "blue", "missing": 3},
        ],
        "actions": allowing(),
        "link": link("up", board="ligretto"),
    }
    return {**document, **changed}


def twelve(version: int = 1, **changed: Any) -> dict[str, Any]:
    """Twelve players on three boards' pads, with piles everywhere and much that is wrong."""
    names = [*NAMES, "Emil", "Frida", "Gustav", "Hanna", "Ivan", "Johanna Maria", "Konstantin", "Lu"]
    colours = ("red", "green", "yellow", "blue")
    pads = {
        str(pad): {
            "colour": colours[pad % 4],
            "value": 1 + pad % 10,
            "height": 1 + pad % 10,
            "complete": pad % 10 == 9,
        }
        for pad in range(44)
    }
    wrong = [{**WRONG[k % 2], "n": 100 + k, "pad": 4 * k + 1} for k in range(10)]
    players = [seat(k, name, played=20 - k, total=14 * k - 20) for k, name in enumerate(names)]
    found = {
        "players": players,
        "pads": pads,
        "pad_count": 48,
        "wrong": wrong,
        "undecided": [UNDECIDED, LATER],
    }
    return wrong_cards(version, **{**found, **changed})
