"""What a calibration came to, in words and as JSON.

Owns the wording of classes and margins. Must not know how anything was measured, ports or terminals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablewire.builder.levels import (
    KINDS,
    MARGIN_LEAST,
    Margin,
    Pole,
    level_of,
    margins,
    without_any_level,
    without_level,
    without_zero,
)
from tablewire.builder.places import HOLES, SPACES, place_of, places_of
from tablewire.games.cirkis.wiring import DEFAULT_MAGNETS, colour_of
from tablewire.wire.messages import CalibrationRow, MagnetClass

WORST_COUNT = 5
"""Margins listed: the worst few are where a builder has something to do."""


def name_of(magnet: MagnetClass, *, pole: bool = False) -> str:
    """A class in a builder's words: the colour that has it, or its pole and strength ("north strong")."""
    if magnet is MagnetClass.EMPTY:
        return "nothing"
    if not pole:
        return str(colour_of(magnet))
    kind = KINDS[magnet]
    return f"{'north' if kind.pole is Pole.NORTH else 'south'} {'strong' if kind.strong else 'weak'}"


def margin_lines(rows: Sequence[CalibrationRow]) -> list[str]:
    """The narrowest margins, each with its place, and what follows from them."""
    found = margins(rows)
    if not found:
        return ["Margins: nothing was measured with a magnet."]
    lines = ["Margins, the narrowest first (from a class to the threshold beside it):"]
    lines += [
        f"  {place_of(m.sensor)}: {name_of(m.lower)} and {name_of(m.upper)} {m.counts:g} counts from their "
        f"threshold, {m.times_noise:g} times the noise"
        for m in found[:WORST_COUNT]
    ]
    narrow = [margin for margin in found if margin.times_noise < MARGIN_LEAST]
    if narrow:
        lines.append(
            f"  {len(narrow)} below {MARGIN_LEAST:g} times the noise: bring those sensors nearer to the "
            "surface, or use stronger magnets."
        )
    return lines


def missing_lines(rows: Sequence[CalibrationRow]) -> list[str]:
    """What was left out and what that means, in one line; none when everything was measured."""
    lacking = []
    no_zero = without_zero(rows)
    if no_zero:
        lacking.append(f"the zero of {places_of(no_zero)}")
    for colour, magnet in DEFAULT_MAGNETS.items():
        missing = [s for s in SPACES if not level_of(rows[s], magnet)]
        if missing:
            lacking.append(f"{colour} on {len(missing)} of {len(SPACES)} spaces")
    no_peg = [s for s in HOLES if not any(level_of(rows[s], magnet) for magnet in KINDS)]
    if no_peg:
        lacking.append(f"pegs in {len(no_peg)} of {len(HOLES)} holes")
    if not lacking:
        return []
    return [
        f"Not measured: {'; '.join(lacking)}. There the board goes by typical levels; the same command goes "
        "on with them."
    ]


def _margin_json(margin: Margin) -> dict[str, Any]:
    return {
        "place": place_of(margin.sensor),
        "sensor": margin.sensor,
        "between": [name_of(margin.lower), name_of(margin.upper)],
        "counts": margin.counts,
        "times_noise": margin.times_noise,
    }


def report_json(rows: Sequence[CalibrationRow], *, finished: bool, stored: bool) -> dict[str, Any]:
    """The whole report: counts, what is missing by place, every level, every margin."""
    no_zero = without_zero(rows)
    classes = {}
    for colour, magnet in DEFAULT_MAGNETS.items():
        missing = [s for s in SPACES if not level_of(rows[s], magnet)] if rows else list(SPACES)
        classes[str(colour)] = {
            "measured": len(SPACES) - len(missing),
            "missing": [place_of(sensor) for sensor in missing],
            "ready": bool(rows) and not no_zero and not without_level(rows, magnet, SPACES),
        }
    no_peg = (
        [s for s in HOLES if s in without_any_level(rows, HOLES) or s in no_zero] if rows else list(HOLES)
    )
    return {
        "finished": finished,
        "stored": stored,
        "zero": {"measured": len(rows) - len(no_zero), "missing": [place_of(sensor) for sensor in no_zero]},
        "classes": classes,
        "pegs": {"measured": len(HOLES) - len(no_peg), "missing": [place_of(sensor) for sensor in no_peg]},
        "margins": [_margin_json(margin) for margin in margins(rows)],
    }
