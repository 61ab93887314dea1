"""State documents written by hand, as a table would publish them: one on which everything the page shows is
present.
"""

from typing import Any

FULL_STOCK = {
    "wedge": 3,
    "arrow": 3,
    "sliver": 2,
    "small slice": 2,
    "big slice": 2,
    "kite": 2,
    "hook": 2,
    "boomerang": 2,
    "triangle": 2,
}
EXAMPLES = {
    "wedge": [6],
    "arrow": [1],
    "sliver": [156],
    "small slice": [7, 8],
    "big slice": [26, 36, 56],
    "kite": [2, 7, 8],
    "hook": [2, 7],
    "boomerang": [1, 2],
    "triangle": [6, 16],
}
LAID = (
    ("purple", "boomerang", [1, 2]),
    ("red", "small slice", [7, 8]),
    ("green", "big slice", [26, 36, 56]),
    ("yellow", "small slice", [45, 65]),
)
DISTURBANCE: list[dict[str, Any]] = [
    {"do": "lift", "spaces": [22], "colour": "purple"},
    {"do": "place", "spaces": [7, 8], "colour": "red"},
    {"do": "place", "spaces": [26, 36, 56], "colour": "green"},
]
GONE = "lost the board at /dev/ttyACM0 (Input/output error); the game is kept and the port tried again"
NO_RIGHTS = (
    "permission denied; serial ports belong to the group dialout: sudo usermod -aG dialout $USER, "
    "then log out and in again"
)
TRIED = [
    {"port": "/dev/ttyACM0", "why": NO_RIGHTS},
    {"port": "/dev/ttyUSB0", "why": "something answers, but not as a board does"},
    {"port": "/dev/ttyUSB1", "why": "another program uses it; close that program, it is tried again"},
    {"port": "HMSoft (ble)", "why": "not tried, it does not call itself tablewire; --port ble:HMSoft"},
]
OTHER_MAJOR = "the board speaks protocol 3, this program 1: update tablewire on this computer"
NAMES = {"purple": "Petra", "red": "Robert", "green": "Gesa", "yellow": "Yusuf"}


def playing(version: int = 1, **changed: Any) -> dict[str, Any]:
    """Four players, four pieces; yellow has just completed circle C1, in which green is dominant."""
    scores = {"purple": 0, "red": 0, "green": 10, "yellow": 5}
    holes = {"purple": 0, "red": 0, "green": 0, "yellow": 5}
    document: dict[str, Any] = {
        "schema": 1,
        "version": version,
        "game": "cirkis",
        "game_id": "0f5e",
        "rulebook": "hasbro",
        "options": {},
        "phase": "playing",
        "turn": "purple",
        "free_turn": None,
        "why_turn": {"kind": "next", "text": "Petra is next, clockwise from Yusuf."},
        "passed_over": [],
        "players": [
            {
                "colour": colour,
                "name": name,
                "score": scores[colour],
                "peg": {"hole": holes[colour], "due": scores[colour]},
                "unplayed": _stock(colour),
            }
            for colour, name in NAMES.items()
        ],
        "spaces": {str(space): colour for colour, _, spaces in LAID for space in spaces},
        "leader": [45, 65],
        "laid": [{"player": colour, "shape": shape, "spaces": spaces} for colour, shape, spaces in LAID],
        "completed": {"C1": {"completer": "yellow", "dominant": "green"}},
        "moves": 4,
        "provisional": False,
        "last": {"n": 4, "player": "yellow", "shape": "small slice", "legal": True},
        "verdict": {"legal": True, "text": "Yusuf placed a small slice on 45 and 65."},
        "awards": [
            _award("green", 10, "dominant", "Gesa has the most spaces of circle C1."),
            _award("yellow", 5, "completer", "Yusuf completed circle C1."),
        ],
        "message": None,
        "result": None,
        "round": 1,
        "totals": None,
        "pieces": {
            "name": "test set",
            "shapes": [
                {"name": name, "count": count, "example": EXAMPLES[name]}
                for name, count in FULL_STOCK.items()
            ],
        },
        "history": [],
        "actions": _actions(undo=True),
        "flaky": [],
        "notices": [],
        "link": link("up"),
    }
    return {**document, **changed}


def link(state: str, **changed: Any) -> dict[str, Any]:
    """The `link` part of a document: a board at a cable, unless something else is said of it."""
    told: dict[str, Any] = {
        "state": state,
        "port": "/dev/ttyACM0",
        "wanted": "auto",
        "kind": "serial",
        "silent_ms": None,
        "tried": [],
    }
    return {**told, **changed}


def no_game(version: int = 1) -> dict[str, Any]:
    """What a table publishes before its first game: no players, no game, and no part that only a game has."""
    return {
        "schema": 1,
        "version": version,
        "game": None,
        "game_id": None,
        "phase": "waiting",
        "turn": None,
        "free_turn": None,
        "players": [],
        "moves": 0,
        "provisional": False,
        "last": None,
        "message": None,
        "result": None,
        "actions": _actions(),
        "link": link("searching", kind=None),
    }


def history() -> list[dict[str, Any]]:
    """The four pieces laid, then a house ruling, a move against the rules, and a pass."""
    lines = [_line(n, player, shape, spaces) for n, (player, shape, spaces) in enumerate(LAID, 1)]
    lines[3]["points"] = {"green": 10, "yellow": 5}
    ruling = {"n": 5, "ruling": {"red": 5, "green": -10}, "note": "A sleeve moved it", "scores": {}}
    forced = {**_line(6, "purple", "wedge", [9]), "forced": ["not_touching_leader"]}
    passed = {key: value for key, value in _line(7, "red", None, []).items() if key != "spaces"}
    return [*lines, ruling, forced, passed]


def _line(n: int, player: str, shape: str | None, spaces: list[int]) -> dict[str, Any]:
    return {
        "n": n,
        "player": player,
        "shape": shape,
        "legal": True,
        "completed": [],
        "points": {},
        "free_turn": None,
        "auto_passes": [],
        "scores": {},
        "next": None,
        "spaces": spaces,
    }


def disturbed(version: int = 1, steps: list[dict[str, Any]] | None = None, **changed: Any) -> dict[str, Any]:
    """A table that is not the game's: a stranger's wedge lies on 22, red's small slice and green's big slice
    do not lie where they did.
    """
    message = {
        "kind": "restore",
        "reasons": [],
        "text": "The table is not as the game has it.",
        "steps": DISTURBANCE if steps is None else steps,
        "choices": [],
    }
    return playing(
        version,
        phase="hold",
        message=message,
        history=history(),
        actions=allowing(undo=True, accept=True, place=True, ruling=True, correct=True),
        **changed,
    )


def allowing(**allowed: bool) -> dict[str, Any]:
    """The `actions` part of a document in which just these are possible, and a new game."""
    return _actions(**allowed)


def _actions(**allowed: bool) -> dict[str, bool]:
    none = dict.fromkeys(("pass", "decline", "undo", "redo", "next_round"), False)
    return {**none, "new_game": True, **allowed}


def _stock(colour: str) -> dict[str, int]:
    played = [shape for player, shape, _ in LAID if player == colour]
    return {shape: count - played.count(shape) for shape, count in FULL_STOCK.items()}


def _award(player: str, points: int, why: str, text: str) -> dict[str, Any]:
    return {"player": player, "points": points, "why": why, "figure": "C1", "text": text}
