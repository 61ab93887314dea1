"""The named faults of a simulated board, what can be set on each, and how a line that names one is read.

Owns names, texts, settings and defaults. Must not know what a fault does: hands and sensors are in mishaps.py
and clumsy.py, the line is in line_faults.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tablewire.virtual.fault_kinds import (
    ANY,
    BOTH,
    HOST,
    NOTHING,
    OWN_SEED,
    Fault,
    FaultError,
    FaultKind,
    Span,
    parse_setting,
    say_setting,
)

_SEED = OWN_SEED
_TEXT_BY_DEFAULT = "\r\nOptiboot 8.3 ready\r\n"

LINE_FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "drop": FaultKind("bytes vanish", {"percent": 1.0, "seed": _SEED, "to": BOTH}, "percent"),
        "flip": FaultKind("bytes change", {"percent": 1.0, "seed": _SEED, "to": BOTH}, "percent"),
        "insert": FaultKind("bytes appear", {"percent": 1.0, "seed": _SEED, "to": BOTH}, "percent"),
        "duplicate": FaultKind("frames come twice", {"percent": 10.0, "seed": _SEED, "to": BOTH}, "percent"),
        "reorder": FaultKind(
            "frames come after the next one", {"percent": 10.0, "seed": _SEED, "to": BOTH}, "percent"
        ),
        "mute": FaultKind("alive, but nothing arrives", {"to": HOST}),
        "deaf": FaultKind("neither hears nor speaks for a while, as after a reset", {"ms": 2000}, "ms"),
        "boot-text": FaultKind("prints text now and at each reset", {"text": _TEXT_BY_DEFAULT}),
        "reset-on-open": FaultKind("each opening of the port resets the board", {"ms": 2000}, "ms"),
        "cut": FaultKind(
            "the link closes after so many more bytes, for so long", {"after": 0, "ms": 500}, "ms"
        ),
        "mtu": FaultKind("leaves in chunks of n - 3 bytes", {"n": 23}, "n"),
        "cut-chunk": FaultKind("the next chunks lose their end", {"count": 1, "seed": _SEED}, "count"),
        "noise": FaultKind(
            "bytes of kind random, nul or nonzero appear now",
            {"bytes": 1000, "kind": "random", "seed": _SEED, "to": HOST},
            "bytes",
        ),
        "stale-snapshot": FaultKind("the next snapshots are the table of now", {"count": 1}, "count"),
    }
)
"""What happens to bytes on their way."""

SENSOR_FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "chatter": FaultKind(
            "a sensor's reading comes and goes, hz times a second for ms (0: until it is turned off)",
            {"at": (), "hz": 10, "ms": 10_000, "seed": _SEED},
            "hz",
        ),
        "weak-magnet": FaultKind(
            "a magnet flickers: strong reads weak in turn, weak reads nothing",
            {"at": (), "hz": 8, "ms": 0, "seed": _SEED},
            "hz",
        ),
        "stuck": FaultKind(
            "a sensor reads a magnet for ever, whatever lies there",
            {"at": (), "colour": ANY, "ms": 0, "seed": _SEED},
            "ms",
        ),
        "silent": FaultKind("a sensor never reads anything", {"at": (), "ms": 0, "seed": _SEED}, "ms"),
        "slow-press": FaultKind("strong magnets read weak for so long on their way", {"ms": 60}, "ms"),
        "power-cut": FaultKind(
            "the board has no power for ms (0: until it is turned off); magnets may be moved meanwhile",
            {"ms": 2000},
            "ms",
        ),
    }
)
"""What sensors and the board's power do; they last until they are turned off, or for `ms`."""

HAND_FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "nudge": FaultKind(
            "magnets go off and come back after ms, so many times (0: until it is turned off)",
            {
                "count": Span(1, 4),
                "ms": Span(20, 800),
                "at": (),
                "times": 1,
                "every": Span(1500, 2500),
                "seed": _SEED,
            },
            "times",
        ),
        "jolt": FaultKind(
            "the table is bumped: everything jumps and lies again after ms", {"ms": Span(20, 60)}
        ),
        "knock": FaultKind(
            "pieces fly off: floor percent of them to the floor, the others lie elsewhere",
            {"count": Span(1, 3), "floor": 30, "at": (), "ms": Span(50, 300), "seed": _SEED},
            "count",
        ),
        "sweep": FaultKind("an arm sweeps the whole board clear within ms", {"ms": Span(200, 600)}),
        "clear-after-end": FaultKind(
            "many hands clear the table piece by piece, pegs too", {"ms": Span(2000, 4000), "seed": _SEED}
        ),
        "swap": FaultKind(
            "two pieces change places, each ms in the air", {"at": (), "ms": Span(200, 900), "seed": _SEED}
        ),
        "turn": FaultKind(
            "a piece is turned: its magnets but one come to lie on other spaces",
            {"at": (), "ms": Span(200, 900), "seed": _SEED},
        ),
        "shove": FaultKind(
            "a row of magnets moves on by one space, all within ms",
            {"count": Span(2, 4), "at": (), "ms": Span(30, 250), "seed": _SEED},
            "count",
        ),
        "passing": FaultKind(
            "a magnet in a hand passes over count bare spaces, ms over each",
            {"count": Span(2, 5), "ms": Span(25, 120), "at": (), "colour": ANY, "seed": _SEED},
            "count",
        ),
        "stranger": FaultKind(
            "a magnet of a colour that does not play is laid down", {"at": (), "colour": ANY, "seed": _SEED}
        ),
        "out-of-turn": FaultKind(
            "whoever laid a piece last lays another one at once", {"at": (), "colour": ANY, "seed": _SEED}
        ),
        "peg-fallen": FaultKind("a peg falls out of its hole", {"colour": ANY, "seed": _SEED}),
    }
)
"""What happens to the pieces that lie there, once."""

PLACING_FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "half-seated": FaultKind(
            "the next pieces (or those at) sit badly: one space reads nothing, or weak",
            {"count": 1, "reads": NOTHING, "at": (), "seed": _SEED},
            "count",
        ),
        "slide": FaultKind(
            "the next pieces slide to their place over so many spaces, ms on each",
            {"count": 1, "over": Span(5, 5), "ms": Span(30, 2000), "seed": _SEED},
            "count",
        ),
        "straighten-while-placing": FaultKind(
            "while the next pieces are laid, so many magnets beside them go off for ms",
            {"count": 1, "spaces": Span(1, 4), "ms": Span(20, 800), "seed": _SEED},
            "count",
        ),
        "wrong-colour": FaultKind(
            "the next pieces are laid in another colour", {"count": 1, "colour": ANY, "seed": _SEED}, "count"
        ),
        "too-fast": FaultKind(
            "ms after the next pieces another player's lands beside them",
            {"count": 1, "ms": Span(50, 300), "colour": ANY, "seed": _SEED},
            "count",
        ),
        "two-hands": FaultKind(
            "another player's piece lands ms after the first magnet of the next pieces",
            {"count": 1, "ms": Span(1, 1), "colour": ANY, "seed": _SEED},
            "count",
        ),
        "no-peg": FaultKind("the next pegs to be moved are forgotten", {"count": 1}, "count"),
        "wrong-peg": FaultKind(
            "the next pegs to be moved go to a hole beside theirs", {"count": 1, "seed": _SEED}, "count"
        ),
    }
)
"""What goes wrong with the next pieces laid, or the next pegs moved; over after `count` of them."""

FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {**LINE_FAULTS, **SENSOR_FAULTS, **HAND_FAULTS, **PLACING_FAULTS}
)


def parse_fault(name: str, arguments: list[str]) -> Fault:
    """Read `NAME [KEY=VALUE ...]`, or a bare number for the main setting. FaultError."""
    kind = FAULTS.get(name)
    if kind is None:
        raise FaultError(f"no fault is called {name}; there are {explain_all()}")
    settings = dict(kind.defaults)
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals and kind.bare is not None:
            key, value = kind.bare, argument
        if key not in settings:
            can = ", ".join(settings) or "no settings"
            raise FaultError(f"{name} has no setting {key}; it has {can}")
        settings[key] = parse_setting(key, value, settings[key])
    return Fault(name, MappingProxyType(settings))


def explain_all() -> str:
    """Every fault with what it does, and its settings with their defaults, in one line."""
    return "; ".join(explain(name) for name in FAULTS)


def explain(name: str) -> str:
    """What a fault does, and its settings with their defaults."""
    kind = FAULTS[name]
    settings = " ".join(
        f"{key}={say_setting(value) or ANY}" for key, value in kind.defaults.items() if _worth_saying(value)
    )
    return f"{name}: {kind.text}{f' ({settings})' if settings else ''}"


def _worth_saying(value: object) -> bool:
    return value not in (_SEED, _TEXT_BY_DEFAULT)


def describe(fault: Fault) -> str:
    """The line that turns a fault on."""
    settings = [
        f"{key}={say_setting(value)}"
        for key, value in fault.settings.items()
        if _worth_saying(value) and value != ()
    ]
    return " ".join([fault.name, *settings])


def seed_of(fault: Fault, board_seed: int) -> str:
    """What a fault's random choices start from: its own seed, or the board's."""
    own = fault.settings.get("seed", _SEED)
    return f"{fault.name} {board_seed if own == _SEED else own}"
