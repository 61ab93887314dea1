"""What the sensors come to: by the table that plays, or by what they read and what was calibrated.

Owns these judgements and their words; those of a board with readers are in checks_readers.py. Must not know
how anything was asked. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median_low

from tablewire.builder.levels import (
    KINDS,
    MARGIN_LEAST,
    NOISE_MAX,
    at_rail,
    level_of,
    margins,
    without_zero,
)
from tablewire.builder.places import place_of, places_of
from tablewire.doctor.checks_board import GRAVE_COUNT, accounts_of, check_calibration, why_none
from tablewire.doctor.checks_readers import has_readers, judge_readers
from tablewire.doctor.finding import Check, Finding, note, ok, skipped, trouble
from tablewire.doctor.seen import Board, BoardSeen, PageSeen
from tablewire.games.cirkis.wiring_map import MUX_COUNT, WIRES
from tablewire.wire.account import Account
from tablewire.wire.hall import FIELD_COUNTS, ZERO_COUNTS
from tablewire.wire.messages import CalibrationRow, MagnetClass

NEAR_COUNTS = 8
"""Half of the hysteresis: a field as near as this to a threshold may fall on either side of it."""
NO_SENSOR = 255
"""What STATUS says where no sensor flickered."""
BY_POLE = (
    (MagnetClass.EMPTY, MagnetClass.N_WEAK, MagnetClass.N_STRONG),
    (MagnetClass.EMPTY, MagnetClass.S_WEAK, MagnetClass.S_STRONG),
)

HEALTH_WORDS = {
    "chattering": ("comes and goes", "look at its magnet and its wire, or mask it on the page: Sensors"),
    "stuck": ("reads a magnet where none can be", "lift what lies there, or mask it on the page: Sensors"),
    "silent": ("does not read what lies there", "press the piece down, or mask it on the page: Sensors"),
}
"""By the state in /api/health: what the sensor does, and what to do."""


def check_sensors(board: Board, page: PageSeen) -> Iterator[Finding]:
    """Which sensors cannot be believed."""
    told = accounts_of(board, page)
    if told is not None and has_readers(told[1]):
        yield from judge_readers(told[0], told[1])
        return
    found: list[Finding] = []
    if told is not None:
        found += check_calibration(told[1])
        found += _flickers(told[0], told[1])
    if isinstance(board, BoardSeen):
        found += _of_board(board)
    elif page.sensors:
        found += _of_page(page.sensors)
    elif told is None:
        yield skipped(Check.SENSORS, why_none(board, page))
        return
    yield from found
    if not found:
        yield ok(Check.SENSORS, "every sensor can be believed")


def _flickers(first: Account, last: Account) -> Iterator[Finding]:
    count = (last.status.get("flicker_count", 0) - first.status.get("flicker_count", 0)) % (1 << 16)
    sensor = last.status.get("flicker_sensor", NO_SENSOR)
    if count >= GRAVE_COUNT and sensor != NO_SENSOR:
        text = f"{count} changes too short to count, the last at {place_of(sensor)}"
        yield trouble(
            Check.SENSORS, text, "look at its wire and how near its magnet is, then calibrate it again"
        )


def _of_page(sensors: Sequence[Mapping[str, object]]) -> Iterator[Finding]:
    by_state: dict[object, list[int]] = {}
    for row in sensors:
        number = row.get("sensor")
        if isinstance(number, int):
            by_state.setdefault(row.get("state"), []).append(number)
    for state, (words, do) in HEALTH_WORDS.items():
        if bad := by_state.get(state):
            yield trouble(Check.SENSORS, f"{places_of(bad)}: {words}", do)
    if masked := by_state.get("masked"):
        text = f"left out by hand: {places_of(masked)}"
        yield note(Check.SENSORS, text, "once they are mended, unmask them on the page: Sensors")


def _of_board(board: BoardSeen) -> Iterator[Finding]:
    if not board.readings or not board.rows:
        yield skipped(Check.SENSORS, board.not_told or "the board does not tell its readings")
        return
    looks = list(zip(*board.readings, strict=True))
    middle = [median_low(values) for values in looks]
    off = [sensor for sensor, counts in enumerate(middle) if at_rail(counts)]
    yield from _off(off)
    well = [sensor for sensor in range(len(middle)) if sensor not in off]
    noisy = [sensor for sensor in well if max(looks[sensor]) - min(looks[sensor]) > NOISE_MAX]
    if noisy:
        do = "leave the table alone and look again; if it stays, look at their wires and the supply"
        yield trouble(Check.SENSORS, f"restless: {places_of(noisy)}", do)
    near = [s for s in well if s not in noisy and is_near_threshold(board.rows[s], middle[s])]
    if near:
        do = "press down what lies there, take away magnets nearby, then calibrate these again"
        yield trouble(Check.SENSORS, f"at a threshold, so they may read either way: {places_of(near)}", do)
    yield from _calibrated(board.rows)


def _off(off: list[int]) -> Iterator[Finding]:
    """Sensors that read the end of the scale: a whole multiplexer, or wires one by one."""
    left = set(off)
    for mux in range(MUX_COUNT):
        its = {sensor for sensor, wire in enumerate(WIRES) if wire.mux == mux}
        if its <= left:
            left -= its
            text = f"multiplexer {mux} is dead: none of its {len(its)} sensors reads"
            yield trouble(
                Check.SENSORS, text, "look at its supply, its select lines and its wire to the board"
            )
    if left:
        text = f"read as if their wires were off or shorted: {places_of(left)}"
        yield trouble(Check.SENSORS, text, "look at those sensors and their wires: tablewire wiring")


def _calibrated(rows: Sequence[CalibrationRow]) -> Iterator[Finding]:
    no_zero = without_zero(rows)
    if no_zero and len(no_zero) < len(rows):
        text = f"not calibrated: {places_of(no_zero)}"
        yield note(Check.SENSORS, text, "tablewire calibrate goes on where it was left")
    narrow = [margin for margin in margins(rows) if margin.times_noise < MARGIN_LEAST]
    if narrow:
        where = places_of(margin.sensor for margin in narrow)
        text = f"classes lie less than {MARGIN_LEAST:g} times the noise from their thresholds: {where}"
        yield trouble(
            Check.SENSORS, text, "bring those sensors nearer to the surface, or use stronger magnets"
        )


def is_near_threshold(row: CalibrationRow, counts: int) -> bool:
    """Whether a reading lies so near to a threshold of its sensor that it may be read either way.

    Thresholds lie in the middle between neighbouring classes, by measured levels or else by typical ones.
    """
    field = counts - (row.zero or ZERO_COUNTS)
    for classes in BY_POLE:
        levels = [_level(row, magnet) for magnet in classes]
        sign = 1 if classes[1] is MagnetClass.N_WEAK else -1
        if any(abs(field * sign - (low + high) / 2) < NEAR_COUNTS for low, high in pairwise(levels)):
            return True
    return False


def _level(row: CalibrationRow, magnet: MagnetClass) -> int:
    return level_of(row, magnet) or abs(FIELD_COUNTS[magnet]) if magnet in KINDS else 0
