"""The named faults of a board with sensors: what hands, magnets and sensors do.

Owns names, texts, settings and defaults. Must not know what a fault does: hands and sensors are in mishaps.py
and clumsy.py, the line's faults in line_table.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import SPACE_COUNT
from tablewire.virtual.fault_kinds import ANY, OWN_SEED, Fault, FaultKind, FaultTable, Span
from tablewire.virtual.line_table import LINE_FAULTS, POWER_FAULTS

_SEED = OWN_SEED
NOTHING, WEAK = "nothing", "weak"

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
    }
)
"""What sensors do; they last until they are turned off, or for `ms`."""

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
    {**LINE_FAULTS, **SENSOR_FAULTS, **POWER_FAULTS, **HAND_FAULTS, **PLACING_FAULTS}
)

TABLE = FaultTable(
    FAULTS,
    {"reads": (NOTHING, WEAK), "colour": (*PlayerColour, ANY)},
    {"floor": (0, 100), "spaces": (1, 20), "over": (1, 20), "hz": (1, 500)},  # faster than any scan
    ("spaces", 1, SPACE_COUNT),
)
"""All faults of such a board."""


def colour_told(fault: Fault) -> PlayerColour | None:
    """The colour that a fault was told; None: whichever fits."""
    colour = fault.settings.get("colour", ANY)
    return None if colour == ANY else PlayerColour(str(colour))
