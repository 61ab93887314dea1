"""What the answers of a wiring check mean: for one place, and what together explains many of them.

Owns this judgement as pure functions over what answered. Must not know ports, terminals or time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from tablewire.builder.places import place_of, places_of
from tablewire.games.cirkis.wiring_map import CHANNEL_COUNT, MUX_COUNT, WIRES
from tablewire.wire.observed import SensorId

GROUP_LEAST = 3
"""So many places that fail alike have one cause; two may be chance."""
SELECT_COUNT = 4
"""Select lines S0 to S3 of a 16:1 multiplexer."""


class Heard(Enum):
    """What a magnet on a place did."""

    RIGHT = "right"
    OTHER = "another answered"
    NOTHING = "nothing answered"
    SEVERAL = "several answered"
    ALWAYS_ON = "reads a magnet without one"


class Finding(NamedTuple):
    """What became of one place: who answered, in the order of sensors."""

    sensor: SensorId
    heard: Heard
    answered: tuple[int, ...] = ()


def wire_of(sensor: int) -> str:
    """Where a sensor is connected, in words."""
    wire = WIRES[sensor]
    return f"multiplexer {wire.mux}, channel {wire.channel}"


def judge(sensor: SensorId, answered: Iterable[int]) -> Finding:
    """The finding for a magnet on `sensor` when these sensors answered."""
    found = tuple(sorted(answered))
    if not found:
        return Finding(sensor, Heard.NOTHING)
    if len(found) > 1:
        return Finding(sensor, Heard.SEVERAL, found)
    return Finding(sensor, Heard.RIGHT if found[0] == sensor else Heard.OTHER, found)


def sentence(finding: Finding) -> str:
    """One finding in words."""
    place = place_of(finding.sensor)
    match finding.heard:
        case Heard.RIGHT:
            return f"{place}: right"
        case Heard.OTHER:
            other = finding.answered[0]
            return (
                f"{place}: {place_of(other)} answered instead. The wire of {place} is where that one's "
                f"belongs: on {wire_of(other)}, not on {wire_of(finding.sensor)}"
            )
        case Heard.NOTHING:
            return f"{place}: nothing answered. Look at its sensor and its wire to {wire_of(finding.sensor)}"
        case Heard.SEVERAL:
            return f"{place}: {places_of(finding.answered)} answered together. Look for wires that touch"
        case Heard.ALWAYS_ON:
            return (
                f"{place}: reads a magnet without one. Look for a magnet left there, or a loose wire at "
                f"{wire_of(finding.sensor)}"
            )


def causes(findings: Mapping[SensorId, Finding]) -> list[str]:
    """What is probably wrong, each in one line, those that explain most first; nothing when all is right."""
    left = {s: finding for s, finding in findings.items() if finding.heard is not Heard.RIGHT}
    lines: list[str] = []
    for explain in (_selects, _muxes_silent, _muxes_swapped, _shifted, _swapped):
        for line, explained in explain(left, findings):
            lines.append(line)
            for sensor in explained:
                left.pop(sensor, None)
    return lines + [sentence(left[sensor]) for sensor in sorted(left)]


Explained = list[tuple[str, list[SensorId]]]
Findings = Mapping[SensorId, Finding]


def _others(findings: Findings) -> list[tuple[SensorId, int]]:
    """Where exactly one other sensor answered."""
    return [(s, f.answered[0]) for s, f in findings.items() if f.heard is Heard.OTHER]


def _selects(left: Findings, findings: Findings) -> Explained:
    """Two select lines exchanged, or one that does not arrive: it shows on all multiplexers alike."""
    del findings
    found: Explained = []
    others = [(s, o) for s, o in _others(left) if WIRES[s].mux == WIRES[o].mux]
    for first in range(SELECT_COUNT):
        for second in range(first + 1, SELECT_COUNT):
            fitting = [
                s for s, o in others if WIRES[o].channel == _exchanged(WIRES[s].channel, first, second)
            ]
            if len({WIRES[s].mux for s in fitting}) >= GROUP_LEAST:
                found.append(
                    (
                        f"the select lines S{first} and S{second} are swapped (it shows on all multiplexers)",
                        fitting,
                    )
                )
    for line in range(SELECT_COUNT):
        doubled = [s for s, f in left.items() if f.heard is Heard.SEVERAL and _is_pair(f, line)]
        if len({WIRES[s].mux for s in doubled}) >= GROUP_LEAST:
            gone = {partner for s in doubled for partner in left[s].answered}
            explained = [s for s in left if s in gone]
            found.append((f"the select line S{line} does not reach the multiplexers, or is tied", explained))
    return found


def _exchanged(channel: int, first: int, second: int) -> int:
    """A channel with two of its bits exchanged."""
    bits = (channel >> first & 1, channel >> second & 1)
    return channel & ~(1 << first | 1 << second) | bits[0] << second | bits[1] << first


def _is_pair(finding: Finding, line: int) -> bool:
    """Whether the two that answered differ in this select line alone."""
    if len(finding.answered) != 2:
        return False
    one, other = (WIRES[sensor] for sensor in finding.answered)
    return one.mux == other.mux and one.channel ^ other.channel == 1 << line


def _muxes_silent(left: Findings, findings: Findings) -> Explained:
    found: Explained = []
    for mux in range(MUX_COUNT):
        looked_at = [s for s in findings if WIRES[s].mux == mux]
        silent = [s for s in looked_at if s in left and left[s].heard is Heard.NOTHING]
        if len(silent) >= GROUP_LEAST and len(silent) == len(looked_at):
            found.append(
                (
                    f"multiplexer {mux} is silent: look at its supply, its enable pin and its wire to A{mux}",
                    silent,
                )
            )
    return found


def _muxes_swapped(left: Findings, findings: Findings) -> Explained:
    """The outputs of two multiplexers exchanged: the same channel of the other one answers."""
    del findings
    by_muxes: dict[tuple[int, int], list[SensorId]] = {}
    for sensor, other in _others(left):
        if WIRES[sensor].channel == WIRES[other].channel:
            by_muxes.setdefault((WIRES[sensor].mux, WIRES[other].mux), []).append(sensor)
    found: Explained = []
    for (mux, other_mux), sensors in by_muxes.items():
        back = by_muxes.get((other_mux, mux), [])
        if mux < other_mux and len(sensors) + len(back) >= GROUP_LEAST and back:
            found.append(
                (f"the outputs of multiplexers {mux} and {other_mux} are swapped", [*sensors, *back])
            )
    return found


def _shifted(left: Findings, findings: Findings) -> Explained:
    """A whole plug shifted: on one multiplexer every answer is so many channels away."""
    del findings
    found: Explained = []
    for mux in range(MUX_COUNT):
        shifts: dict[int, list[SensorId]] = {}
        for sensor, other in _others(left):
            if WIRES[sensor].mux == WIRES[other].mux == mux:
                shift = (WIRES[other].channel - WIRES[sensor].channel) % CHANNEL_COUNT
                shifts.setdefault(shift, []).append(sensor)
        for shift, sensors in shifts.items():
            if len(sensors) >= GROUP_LEAST:
                way, count = ("up", shift) if shift <= CHANNEL_COUNT // 2 else ("down", CHANNEL_COUNT - shift)
                off = "one channel" if count == 1 else f"{count} channels"
                line = f"the wires of multiplexer {mux} are {off} too far {way}: {places_of(sensors)}"
                found.append((line, sensors))
    return found


def _swapped(left: Findings, findings: Findings) -> Explained:
    """Two wires exchanged."""
    del findings
    answered = dict(_others(left))
    return [
        (
            f"the wires of {place_of(one)} and {place_of(other)} are swapped "
            f"({wire_of(one)}, and {wire_of(other)})",
            [one, SensorId(other)],
        )
        for one, other in sorted(answered.items())
        if one < other and answered.get(SensorId(other)) == one
    ]


def summary(findings: Sequence[Finding]) -> list[str]:
    """Counts, then what is probably wrong."""
    counts = Counter(finding.heard for finding in findings)
    parts = [f"{counts[heard]} {heard.value}" for heard in Heard if counts[heard]]
    head = (
        f"{len(findings)} of {len(WIRES)} places looked at: {', '.join(parts)}"
        if parts
        else "nothing was looked at"
    )
    wrong = causes({finding.sensor: finding for finding in findings})
    if not wrong:
        return [head]
    return [head, "Probably:", *(f"  {line}" for line in wrong)]
