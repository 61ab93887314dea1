"""The calibration of a simulated board: what it believes of each sensor, how it measures, and what it keeps.

Owns levels, one measurement of 16 scans, and the EEPROM with the time a write takes. Must not know frames,
commands or what a sensor stands for; readings and the board's milliseconds are arguments.

The simulated sensors are read as classes, so levels decide nothing here: they are only measured, told and
kept, by the rules of the firmware.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tablewire.wire.hall import FIELD_COUNTS, LEAST_COUNTS, ZERO_COUNTS, level_byte
from tablewire.wire.messages import CalibrateStep, CalibrationRow, ParamKey, ResultCode, Settings

ADC_OF = {magnet: ZERO_COUNTS + counts for magnet, counts in FIELD_COUNTS.items()}
"""What a simulated sensor reads of each class."""
MEASURE_SCANS = 16
UNMEASURED = CalibrationRow(0, 0, 0, 0, 0, 0)
# Noise that repeats: one count up and down, as an amplified sensor shows it.
_NOISE = (0, 1, 0, -1)

_EEPROM_BYTE_MS = 3.4  # how long the chip writes one byte
_ROW_BYTES = 7
_HEADER_BYTES = 16  # version, sequence number, parameters, checksum

MEASURED = {
    CalibrateStep.ZERO: ("zero", 0),
    CalibrateStep.N_WEAK: ("n_weak", 1),
    CalibrateStep.N_STRONG: ("n_strong", 1),
    CalibrateStep.S_WEAK: ("s_weak", -1),
    CalibrateStep.S_STRONG: ("s_strong", -1),
}
"""The steps that measure: the field of a row, and the sign of the distance from zero."""


def noisy(counts: int, sensor: int, scan: int) -> int:
    """A reading as the converter would give it in this scan."""
    return counts + _NOISE[(sensor + scan) % len(_NOISE)]


class Measured(NamedTuple):
    """What came of a measurement; `row` is the sensor's new row, or the old one when it failed."""

    row: CalibrationRow
    code: ResultCode
    level: int
    noise: int


def measured(row: CalibrationRow, step: CalibrateStep, readings: list[int]) -> Measured:
    """What `readings` of one sensor make of its row. The level of a magnet is its distance from zero."""
    mean = round(sum(readings) / len(readings))
    noise = min(max(readings) - min(readings), 255)
    name, sign = MEASURED[step]
    if step is CalibrateStep.ZERO:
        return Measured(row._replace(zero=mean, noise=noise), ResultCode.OK, mean, noise)
    level = sign * (mean - (row.zero or ZERO_COUNTS))
    if level < LEAST_COUNTS:
        return Measured(row, ResultCode.FAILED, max(level, 0), noise)
    return Measured(row._replace(**{name: level_byte(level)}), ResultCode.OK, level, noise)


@dataclass(slots=True)
class Measuring:
    """A measurement under way: the readings so far of each sensor that is measured."""

    token: int
    step: CalibrateStep
    readings: dict[int, list[int]]
    scan_count: int = 0

    @property
    def done(self) -> bool:
        """Whether enough scans have been seen."""
        return self.scan_count >= MEASURE_SCANS


class Image(NamedTuple):
    """What one write stores."""

    rows: tuple[CalibrationRow, ...]
    params: Mapping[ParamKey, int]


@dataclass(slots=True)
class Eeprom:
    """What survives a reset; a write that a reset cuts off leaves the image before it."""

    image: Image | None = None
    settings: Settings = Settings.NONE
    _writing: tuple[Image, float, float] | None = field(default=None)

    def power_up(self) -> Image | None:
        """The stored image, as a board finds it when it starts."""
        self._writing = None
        self.settings = Settings.NONE if self.image is None else Settings.STORED
        return self.image

    def store(self, image: Image, now_ms: float) -> None:
        """Begin to write `image`, unless that is stored or being written already."""
        self.run(now_ms)
        newest = self._writing[0] if self._writing else self.image
        if image == newest:
            return
        old_rows = self.image.rows if self.image else (UNMEASURED,) * len(image.rows)
        fresh = sum(old != new for old, new in zip(old_rows, image.rows, strict=True))
        size_bytes = _HEADER_BYTES + _ROW_BYTES * fresh
        self._writing = (image, now_ms, now_ms + size_bytes * _EEPROM_BYTE_MS)

    def unwritten_bytes(self, now_ms: float) -> int:
        """How much of the newest image is not stored yet; 0 when all of it is."""
        self.run(now_ms)
        return -int(-(self._writing[2] - now_ms) // _EEPROM_BYTE_MS) if self._writing else 0

    def run(self, now_ms: float) -> None:
        """Let a write end that is due."""
        if self._writing and now_ms >= self._writing[2]:
            self.image, self._writing = self._writing[0], None
            self.settings = Settings.STORED
