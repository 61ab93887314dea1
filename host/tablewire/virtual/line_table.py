"""The named faults that every simulated board has: those of its line and of its power.

Owns names, texts, settings and defaults. Must not know what a fault does (line_faults.py, cable.py,
board.py), nor any game.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tablewire.virtual.fault_kinds import BOTH, HOST, OWN_SEED, FaultKind

_SEED = OWN_SEED

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
        "boot-text": FaultKind("prints text now and at each reset", {"text": "\r\nOptiboot 8.3 ready\r\n"}),
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

POWER_FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "power-cut": FaultKind(
            "the board has no power for ms (0: until it is turned off); hands may go on meanwhile",
            {"ms": 2000},
            "ms",
        ),
    }
)
"""What happens to the board's supply."""
