"""The firmware of a board with sensors: scanning, debounce, calibration and snapshots.

Owns what one boot senses, from power on to reset. Must not know spaces, colours, faults of the line, ports
or real clocks: it reads sensors through a function, and its own milliseconds since boot are an argument.
What all boards say alike is in firmware.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from types import MappingProxyType

from tablewire.virtual.calibration import (
    ADC_OF,
    MEASURED,
    UNMEASURED,
    Eeprom,
    Image,
    Measuring,
    measured,
    noisy,
)
from tablewire.virtual.debounce import SETTLE_MS, at_rest, debounce
from tablewire.virtual.firmware import (
    FIRMWARE,
    STATUS_PERIOD_MS,
    STATUS_PERIODS_MS,
    WRAP,
    Answered,
    Boot,
    Build,
    Firmware,
    bad_value,
)
from tablewire.virtual.outbox import RING_COUNT, Outbox
from tablewire.wire.messages import (
    BoardKind,
    Calibrate,
    CalibrateStep,
    Calibration,
    CalibrationReq,
    Feature,
    MagnetClass,
    ParamKey,
    Raw,
    RawReq,
    RawRow,
    ResetCause,
    Result,
    ResultCode,
    Snapshot,
    SnapshotReq,
)

SCAN_HZ = 159  # measured with the converter's clock divided by 32 and 201 sensors
ALL_SENSORS = 255
HYSTERESIS_COUNTS = 16  # four times the noise of a sensor with its amplifier
FEATURES = Feature.HALL | Feature.LEDS | Feature.PIEZO | Feature.CALIBRATION | Feature.RAW
PARAM_RANGES: Mapping[ParamKey, range] = MappingProxyType(
    {
        ParamKey.DEBOUNCE_MS: range(5, 201),
        ParamKey.STATUS_PERIOD_MS: STATUS_PERIODS_MS,
        ParamKey.HYSTERESIS_COUNTS: range(2, 65),
    }
)
_DEFAULTS = {
    ParamKey.DEBOUNCE_MS: SETTLE_MS,
    ParamKey.STATUS_PERIOD_MS: STATUS_PERIOD_MS,
    ParamKey.HYSTERESIS_COUNTS: HYSTERESIS_COUNTS,
}


class Device(Firmware):
    """One boot. `emit` takes each message's frame; `read(sensor)` is the class a sensor reads now.

    `eeprom` is what the boots before left behind; without one the board is blank.
    """

    outbox: Outbox

    def __init__(
        self,
        nonce: int,
        sensor_count: int,
        read: Callable[[int], int],
        emit: Callable[[bytes], None],
        reset_cause: ResetCause = ResetCause.POWER_ON,
        scan_hz: int = SCAN_HZ,
        start_ms: int = 0,
        eeprom: Eeprom | None = None,
        firmware: str = FIRMWARE,
    ) -> None:
        kept = Eeprom() if eeprom is None else eeprom
        super().__init__(
            Boot(nonce, emit, reset_cause, start_ms, kept, firmware),
            Build(BoardKind.CIRKIS, FEATURES, RING_COUNT, sensor_count=sensor_count, ranges=PARAM_RANGES),
            _DEFAULTS,
        )
        self.levels = list(kept.image.rows) if kept.image is not None else [UNMEASURED] * sensor_count
        self.scan_hz = scan_hz
        self.outbox = Outbox(nonce, self._snapshot)
        self._read = read
        self._start_ms = start_ms
        # What lies there at power on is the beginning, not a change.
        self._sensors = [at_rest(read(sensor)) for sensor in range(sensor_count)]
        self._undecided: set[int] = set()
        self._scanned_ms = start_ms
        self._measuring: Measuring | None = None
        self._greet()

    # ---- time ----

    def next_due_ms(self, restless: bool) -> int | None:
        """When `run` should be called next; `restless`: some sensor's reading may change meanwhile."""
        scanning = restless or self._undecided or self._measuring is not None
        due = [self._next_scan_ms() if scanning else None, *self._speech_due_ms()]
        return min((ms for ms in due if ms is not None), default=None)

    def run(self, now_ms: int, restless: Set[int]) -> None:
        """Scan if a scan is due, looking at the sensors that may have changed, and say what is due."""
        self.now_ms = now_ms
        scan_ms = self._scan_at(now_ms)
        if scan_ms > self._scanned_ms:
            self._scan(restless | self._undecided)
            self._measure()
            self._scanned_ms = scan_ms
        self._speak()

    def _scan_at(self, now_ms: int) -> int:
        """When the last scan up to now ended. Scans follow a fixed grid from boot."""
        scans = ((now_ms - self._start_ms) * self.scan_hz) // 1000
        return self._start_ms + -(-scans * 1000 // self.scan_hz)

    def _next_scan_ms(self) -> int:
        scans = ((self.now_ms - self._start_ms) * self.scan_hz) // 1000 + 1
        return self._start_ms + -(-scans * 1000 // self.scan_hz)

    def _scan(self, sensors: Set[int]) -> None:
        elapsed_ms = max(1, 1000 // self.scan_hz)
        settle_ms = self.params[ParamKey.DEBOUNCE_MS]
        for sensor in sorted(sensors):
            before = self._sensors[sensor]
            after = debounce(before, self._read(sensor), elapsed_ms, settle_ms)
            self._sensors[sensor] = after
            if after.stable != before.stable:
                self.outbox.push(sensor, before.stable, after.stable, self.now_ms)
            elif before.undecided and after.candidate != before.candidate:
                self.counts["flicker_count"] += 1
                self._flicker_source = sensor
            (self._undecided.add if after.undecided else self._undecided.discard)(sensor)

    # ---- what the host says ----

    def _scans_hz(self) -> int:
        return self.scan_hz

    def _on_snapshot_req(self, _: SnapshotReq) -> None:
        self._say(self._base_snapshot())

    def _give_up_command(self) -> None:
        self._measuring = None

    def _obey_own(self, command: Calibrate | CalibrationReq | RawReq) -> Answered | None:
        match command:
            case Calibrate():
                return self._obey_calibrate(command)
            case CalibrationReq(token, first, count):
                known = self.levels[first : first + min(count, Calibration.ROWS_MAX)]
                return Calibration(token, first, tuple(known)) if known else bad_value(token)
            case RawReq(token, first, count):
                rows = range(first, min(first + min(count, Raw.ROWS_MAX), len(self._sensors)))
                return (
                    Raw(token, first, tuple(RawRow(self._adc(s)) for s in rows)) if rows else bad_value(token)
                )

    def _adc(self, sensor: int) -> int:
        return ADC_OF[MagnetClass(self._read(sensor))]

    def _obey_calibrate(self, command: Calibrate) -> Result | None:
        token, step, sensor = command.token, command.step, command.sensor
        every = sensor == ALL_SENSORS and step in (
            CalibrateStep.ZERO,
            CalibrateStep.FORGET,
            CalibrateStep.SAVE,
        )
        if step not in set(CalibrateStep) or not (every or sensor < len(self.levels)):
            return bad_value(token)
        sensors = range(len(self.levels)) if every else (sensor,)
        if step in MEASURED:
            self._measuring = Measuring(token, CalibrateStep(step), {one: [] for one in sensors})
            return None
        if step == CalibrateStep.SAVE:
            self._store()
            return Result(token, ResultCode.OK, self.eeprom.unwritten_bytes(self.now_ms))
        for one in sensors:
            self.levels[one] = UNMEASURED
        return Result(token, ResultCode.OK, 0)

    def _store(self) -> None:
        self.eeprom.store(Image(tuple(self.levels), dict(self.params)), self.now_ms)

    def _measure(self) -> None:
        """Take the readings of a scan into the measurement under way, and answer when it ends."""
        measuring = self._measuring
        if measuring is None:
            return
        for sensor, readings in measuring.readings.items():
            readings.append(noisy(self._adc(sensor), sensor, measuring.scan_count))
        measuring.scan_count += 1
        if not measuring.done:
            return
        self._measuring = None
        value = code = 0
        for sensor, readings in measuring.readings.items():
            self.levels[sensor], code, level, noise = measured(self.levels[sensor], measuring.step, readings)
            value = level | noise << 16 if len(measuring.readings) == 1 else 0
        self._last_answer = Result(measuring.token, code, value)
        self._say(self._last_answer)

    # ---- what the board says ----

    def _snapshot(self, number: int) -> Snapshot:
        classes = bytes(state.stable for state in self._sensors)
        return Snapshot(self.nonce, number, self.now_ms % WRAP, classes)

    def _base_snapshot(self) -> Snapshot:
        """The table just before the oldest change still kept, so that no order is lost."""
        pending = self.outbox.pending
        if not pending:
            return self._snapshot(self.outbox.last_number)
        classes = bytearray(state.stable for state in self._sensors)
        for change in reversed(pending):
            classes[change.sensor] = change.old
        return Snapshot(self.nonce, pending[0].number - 1, pending[0].device_ms % WRAP, bytes(classes))
