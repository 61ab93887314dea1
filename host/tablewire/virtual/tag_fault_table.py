"""The named faults of a board with readers: how cards are read, and what happens to them.

Owns names, texts, settings and defaults. Must not know what a fault does (tag_troubles.py), nor the line's
faults (line_table.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tablewire.virtual.fault_kinds import OWN_SEED, FaultKind, FaultTable, Span
from tablewire.virtual.line_table import LINE_FAULTS, POWER_FAULTS

_SEED = OWN_SEED
CHANCE, TURN = "chance", "turn"
BETWEEN_MS = Span(150, 900)
"""How long one of two readers sees a card that rests between them, before the other one does."""

READ_FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "missed-reads": FaultKind(
            "percent of tags' answers do not come, or every other one (how=turn); garbled percent are spoilt",
            {"percent": 10.0, "garbled": 0.0, "how": CHANCE, "ms": 0},
            "percent",
        ),
        "late-reads": FaultKind(
            "percent of the cards laid come into the field ms too late",
            {"ms": Span(300, 300), "percent": 100.0, "seed": _SEED},
            "ms",
        ),
        "collide": FaultKind(
            "cards laid on one pad within ms come into its field at once; percent of them only a try later",
            {"ms": 40, "percent": 50.0, "seed": _SEED},
            "ms",
        ),
        "cross-read": FaultKind(
            "percent of the cards laid on pad are read by a neighbour too",
            {"pad": (), "by": (), "percent": 100.0, "seed": _SEED},
            "percent",
        ),
        "between": FaultKind(
            "the next cards laid rest between their pad and a neighbour: ms told by one, then by the other",
            {"count": 1, "ms": BETWEEN_MS, "seed": _SEED},
            "count",
        ),
        "deaf-reader": FaultKind(
            "a reader does not answer the chip for ms (0: until it is turned off)",
            {"pad": (), "ms": 0, "seed": _SEED},
            "ms",
        ),
    }
)
"""How cards are read, until it is turned off, for `ms`, or for `count` cards."""

CARD_FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "nudge": FaultKind(
            "the top card of a pile is out of the field for ms",
            {"pad": (), "ms": Span(50, 400), "seed": _SEED},
        ),
        "sweep": FaultKind(
            "an arm sweeps all cards off the pads within ms", {"ms": Span(200, 600), "seed": _SEED}
        ),
    }
)
"""What happens to the cards that lie there, once."""


def fault_table(pad_count: int) -> FaultTable:
    """All faults of a board with so many pads."""
    return FaultTable(
        {**LINE_FAULTS, **POWER_FAULTS, **READ_FAULTS, **CARD_FAULTS},
        {"how": (CHANCE, TURN)},
        {"garbled": (0, 100)},
        ("pads", 0, pad_count - 1),
    )
