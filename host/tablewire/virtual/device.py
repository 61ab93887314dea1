"""The firmware of a simulated board: scanning, debounce, and the board's side of the protocol.

Owns one boot, from power on to reset. Must not know spaces, colours, faults of the line, ports or real
clocks: it reads sensors through a function, and its own milliseconds since boot are an argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set
from typing import Any

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
from tablewire.virtual.outbox import RING_COUNT, Outbox
from tablewire.wire.frame import Decoder, Drop, Frame, Sender
from tablewire.wire.messages import (
    HOST_PARSERS,
    MAJOR,
    MINOR,
    PAYLOAD_MAX,
    Ack,
    BoardKind,
    BoardMessage,
    Calibrate,
    CalibrateStep,
    Calibration,
    CalibrationReq,
    Feature,
    Hello,
    HostHello,
    HostMessage,
    Light,
    MagnetClass,
    Param,
    ParamKey,
    ParamOp,
    PayloadError,
    Raw,
    RawReq,
    RawRow,
    ResetCause,
    Result,
    ResultCode,
    Signal,
    Snapshot,
    SnapshotReq,
    Sound,
    Status,
    StatusReq,
)

FIRMWARE = "virtual"
SCAN_HZ = 159  # measured with the converter's clock divided by 32 and 201 sensors
STATUS_PERIOD_MS = 1000
SUPPLY_MV = 5000
NO_SENSOR = 255
ALL_SENSORS = 255
_WRAP = 0x1_0000_0000
_COUNTER_WRAP = 0x1_0000
HYSTERESIS_COUNTS = 16  # four times the noise of a sensor with its amplifier
PARAM_RANGES = {
    ParamKey.DEBOUNCE_MS: range(5, 201),
    ParamKey.STATUS_PERIOD_MS: range(100, 2001),
    ParamKey.HYSTERESIS_COUNTS: range(2, 65),
}

Commanded = Param | Calibrate | CalibrationReq | RawReq | Signal
Answered = Result | Raw | Calibration


class Device:
    """One boot. `emit` takes each message's frame; `read(sensor)` is the class a sensor reads now.

    `eeprom` is what the boots before left behind; without one the board is blank.
    """

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
        self.nonce = nonce
        self.now_ms = start_ms
        self.lit = Signal(0, 0, 0, 0)
        self.params = {
            ParamKey.DEBOUNCE_MS: SETTLE_MS,
            ParamKey.STATUS_PERIOD_MS: STATUS_PERIOD_MS,
            ParamKey.HYSTERESIS_COUNTS: HYSTERESIS_COUNTS,
        }
        self.eeprom = Eeprom() if eeprom is None else eeprom
        self.levels = [UNMEASURED] * sensor_count
        stored = self.eeprom.power_up()
        if stored is not None:
            self.levels = list(stored.rows)
            self.params.update(stored.params)
        self.scan_hz = scan_hz
        self.counts: Counter[str] = Counter()
        self.outbox = Outbox(nonce, self._snapshot)
        self._firmware = firmware
        self._read = read
        self._emit = emit
        self._reset_cause = reset_cause
        self._start_ms = start_ms
        self._decoder = Decoder()
        self._sender = Sender()
        # What lies there at power on is the beginning, not a change.
        self._sensors = [at_rest(read(sensor)) for sensor in range(sensor_count)]
        self._undecided: set[int] = set()
        self._scanned_ms = start_ms
        self._heard_host = False  # before that, only HELLO is said: who listens may be no host of ours
        self._status_due_ms = start_ms
        self._flicker_sensor = NO_SENSOR
        self._last_command: Commanded | None = None
        self._last_answer: Answered | None = None
        self._measuring: Measuring | None = None
        self._on_message: dict[type[Any], Callable[[Any], None]] = {
            HostHello: self._on_hello,
            Ack: self._on_ack,
            SnapshotReq: self._on_snapshot_req,
            StatusReq: self._on_status_req,
            Param: self._on_command,
            Calibrate: self._on_command,
            CalibrationReq: self._on_command,
            RawReq: self._on_command,
            Signal: self._on_command,
        }
        self._say(self._hello())

    # ---- time ----

    def next_due_ms(self, restless: bool) -> int | None:
        """When `run` should be called next; `restless`: some sensor's reading may change meanwhile."""
        scanning = restless or self._undecided or self._measuring is not None
        due = [self._next_scan_ms() if scanning else None]
        if self._heard_host:
            due += [self.outbox.next_due_ms(), self._status_due_ms]
        known = [ms for ms in due if ms is not None]
        return min(known) if known else None

    def run(self, now_ms: int, restless: Set[int]) -> None:
        """Scan if a scan is due, looking at the sensors that may have changed, and say what is due."""
        self.now_ms = now_ms
        scan_ms = self._scan_at(now_ms)
        if scan_ms > self._scanned_ms:
            self._scan(restless | self._undecided)
            self._measure()
            self._scanned_ms = scan_ms
        self.eeprom.run(now_ms)
        if not self._heard_host:
            return
        message = self.outbox.take_due(now_ms)
        if message is not None:
            self._say(message)
        if now_ms >= self._status_due_ms:
            self._on_status_req(None)

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
                self._flicker_sensor = sensor
            (self._undecided.add if after.undecided else self._undecided.discard)(sensor)

    # ---- what the host says ----

    def receive_data(self, chunk: bytes, now_ms: int) -> None:
        """Bytes from the line."""
        self.now_ms = now_ms
        for frame in self._decoder.receive_data(chunk):
            self.counts["rx_frames"] += 1
            self._sender.heard(frame)
            message = self._parse(frame)
            if message is None:
                self.counts["rx_unknown"] += 1
            else:
                self._heard_host = True
                self._on_message[type(message)](message)

    def _parse(self, frame: Frame) -> HostMessage | None:
        parse = HOST_PARSERS.get(frame.type)
        try:
            return parse(frame.payload) if parse else None
        except PayloadError:
            return None

    def _on_hello(self, _: HostHello) -> None:
        self._last_command = self._measuring = None  # another host may begin with the same tokens
        self._say(self._hello())
        self.outbox.resend(self.now_ms)

    def _on_ack(self, ack: Ack) -> None:
        if ack.nonce == self.nonce:
            self.outbox.acknowledge(ack.number)

    def _on_snapshot_req(self, _: SnapshotReq) -> None:
        self._say(self._base_snapshot())

    def _on_status_req(self, _: StatusReq | None) -> None:
        self._status_due_ms = self.now_ms + self.params[ParamKey.STATUS_PERIOD_MS]
        self._say(self._status())

    def _on_command(self, command: Commanded) -> None:
        """Do a command once, however often it is said, and answer every time; a measurement when it ends."""
        if command != self._last_command:
            self._measuring = None  # a host has one command under way: it has given the last one up
            self._last_command = command
            self._last_answer = self._obey(command)
        if self._last_answer is not None:
            self._say(self._last_answer)

    def _obey(self, command: Commanded) -> Answered | None:
        match command:
            case Param():
                return self._obey_param(command)
            case Calibrate():
                return self._obey_calibrate(command)
            case CalibrationReq(token, first, count):
                known = self.levels[first : first + min(count, Calibration.ROWS_MAX)]
                return Calibration(token, first, tuple(known)) if known else _bad_value(token)
            case RawReq(token, first, count):
                rows = range(first, min(first + min(count, Raw.ROWS_MAX), len(self._sensors)))
                return (
                    Raw(token, first, tuple(RawRow(self._adc(s)) for s in rows))
                    if rows
                    else _bad_value(token)
                )
            case Signal(token, _, verdict, sound):
                if verdict not in set(Light) or sound not in set(Sound):
                    return _bad_value(token)
                self.lit = command
                self.counts["signals"] += 1
                return Result(token, ResultCode.OK, 0)

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
            return _bad_value(token)
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

    def _obey_param(self, command: Param) -> Result:
        if command.key not in PARAM_RANGES or command.op not in set(ParamOp):
            return Result(command.token, ResultCode.UNKNOWN, 0)
        key = ParamKey(command.key)
        if command.op == ParamOp.SET:
            if command.value not in PARAM_RANGES[key]:
                return Result(command.token, ResultCode.BAD_VALUE, self.params[key])
            if command.value != self.params[key]:
                self.params[key] = command.value
                self._store()
        return Result(command.token, ResultCode.OK, self.params[key])

    # ---- what the board says ----

    def counters(self) -> dict[str, int]:
        """The counters of STATUS, by name."""
        drops = self._decoder.drops
        return {
            "rx_frames": self.counts["rx_frames"],
            "rx_bad_crc": drops[Drop.BAD_CRC],
            "rx_bad_cobs": drops[Drop.BAD_COBS],
            "rx_bad_length": drops[Drop.TOO_LONG] + drops[Drop.TOO_SHORT],
            "rx_lost": self._sender.lost_count,
            "rx_unknown": self.counts["rx_unknown"],
            "rx_overrun": 0,
            "tx_retries": self.outbox.retry_count,
            "ring_overflows": self.outbox.overflow_count,
            "flicker_count": self.counts["flicker_count"],
            "tx_dropped": 0,
        }

    def _say(self, message: BoardMessage) -> None:
        self._emit(self._sender.encode(message.TYPE, message.encode()))

    def _hello(self) -> Hello:
        return Hello(
            major=MAJOR,
            minor=MINOR,
            firmware=self._firmware,
            kind=BoardKind.CIRKIS,
            sensor_count=len(self._sensors),
            reader_count=0,
            button_count=0,
            features=Feature.HALL | Feature.LEDS | Feature.PIEZO | Feature.CALIBRATION | Feature.RAW,
            payload_max=PAYLOAD_MAX,
            ring_count=RING_COUNT,
            nonce=self.nonce,
            reset_cause=self._reset_cause,
            device_ms=self.now_ms % _WRAP,
            last_number=self.outbox.last_number,
            oldest_number=self.outbox.oldest_number,
        )

    def _snapshot(self, number: int) -> Snapshot:
        classes = bytes(state.stable for state in self._sensors)
        return Snapshot(self.nonce, number, self.now_ms % _WRAP, classes)

    def _base_snapshot(self) -> Snapshot:
        """The table just before the oldest change still kept, so that no order is lost."""
        pending = self.outbox.pending
        if not pending:
            return self._snapshot(self.outbox.last_number)
        classes = bytearray(state.stable for state in self._sensors)
        for change in reversed(pending):
            classes[change.sensor] = change.old
        return Snapshot(self.nonce, pending[0].number - 1, pending[0].device_ms % _WRAP, bytes(classes))

    def _status(self) -> Status:
        counters = {name: count % _COUNTER_WRAP for name, count in self.counters().items()}
        return Status(
            nonce=self.nonce,
            device_ms=self.now_ms % _WRAP,
            last_number=self.outbox.last_number,
            scan_hz=self.scan_hz,
            supply_mv=SUPPLY_MV,
            flicker_sensor=self._flicker_sensor,
            settings=self.eeprom.settings,
            scan_overruns=0,
            stack_free=0,
            readers=(),
            **counters,
        )


def _bad_value(token: int) -> Result:
    return Result(token, ResultCode.BAD_VALUE, 0)
