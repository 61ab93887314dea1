"""The firmware of any simulated board: the board's side of the protocol, whatever it senses.

Owns one boot: greeting, acknowledging, parameters, lights, the heartbeat and its counters. Must not know
sensors, readers, faults of the line, ports or real clocks: its own milliseconds since boot are an argument.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewire.virtual.calibration import Eeprom
from tablewire.virtual.numbered import NumberedBox
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
    Calibration,
    CalibrationReq,
    Feature,
    Hello,
    HostHello,
    HostMessage,
    Light,
    Param,
    ParamKey,
    ParamOp,
    PayloadError,
    Raw,
    RawReq,
    ReaderRow,
    ResetCause,
    Result,
    ResultCode,
    Signal,
    SnapshotReq,
    Sound,
    Status,
    StatusReq,
)

FIRMWARE = "virtual"
STATUS_PERIOD_MS = 1000
STATUS_PERIODS_MS = range(100, 2001)
SUPPLY_MV = 5000
NOBODY = 255
WRAP = 0x1_0000_0000
_COUNTER_WRAP = 0x1_0000

Commanded = Param | Calibrate | CalibrationReq | RawReq | Signal
Answered = Result | Raw | Calibration


@dataclass(frozen=True, slots=True)
class Boot:
    """How a board starts. `emit` takes each message's frame, `eeprom` is what the boots before left."""

    nonce: int
    emit: Callable[[bytes], None]
    reset_cause: ResetCause = ResetCause.POWER_ON
    start_ms: int = 0
    eeprom: Eeprom = field(default_factory=Eeprom)
    firmware: str = FIRMWARE


@dataclass(frozen=True, slots=True)
class Build:
    """What a board is and has. `ranges`: the values that each parameter may take."""

    kind: BoardKind
    features: Feature
    ring_count: int
    sensor_count: int = 0
    reader_count: int = 0
    button_count: int = 0
    ranges: Mapping[ParamKey, Container[int]] = field(default_factory=dict)


class Firmware(ABC):
    """One boot. Whoever senses something says HELLO once it is ready, by `_greet`."""

    outbox: NumberedBox[Any, Any]

    def __init__(self, boot: Boot, build: Build, params: Mapping[ParamKey, int]) -> None:
        self.nonce = boot.nonce
        self.now_ms = boot.start_ms
        self.lit = Signal(0, 0, 0, 0)
        self.eeprom = boot.eeprom
        self.params = dict(params)
        stored = self.eeprom.power_up()
        if stored is not None:
            self.params.update(stored.params)
        self.counts: Counter[str] = Counter()
        self._boot = boot
        self._build = build
        self._decoder = Decoder()
        self._sender = Sender()
        self._heard_host = False  # before that, only HELLO is said: who listens may be no host of ours
        self._status_due_ms = boot.start_ms
        self._flicker_source = NOBODY
        self._last_command: Commanded | None = None
        self._last_answer: Answered | None = None
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

    # ---- what each kind of board does by itself ----

    @abstractmethod
    def _on_snapshot_req(self, _: SnapshotReq) -> None:
        """Say everything."""

    @abstractmethod
    def _obey_own(self, command: Calibrate | CalibrationReq | RawReq) -> Answered | None:
        """Do a command about what is sensed; None: it is answered later."""

    @abstractmethod
    def _scans_hz(self) -> int:
        """Full scans a second."""

    @abstractmethod
    def _store(self) -> None:
        """Begin to write what must survive a reset."""

    def _give_up_command(self) -> None:  # noqa: B027 - most boards answer every command at once
        """The host has given up the command that is under way."""

    def _readers(self) -> tuple[ReaderRow, ...]:
        """How each reader is."""
        return ()

    # ---- time ----

    def _speech_due_ms(self) -> list[int | None]:
        """When something is to be said."""
        return [self.outbox.next_due_ms(), self._status_due_ms] if self._heard_host else []

    def _speak(self) -> None:
        """Say what is due."""
        self.eeprom.run(self.now_ms)
        if not self._heard_host:
            return
        message = self.outbox.take_due(self.now_ms)
        if message is not None:
            self._say(message)
        if self.now_ms >= self._status_due_ms:
            self._on_status_req(None)

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
        self._last_command = None  # another host may begin with the same tokens
        self._give_up_command()
        self._greet()
        self.outbox.resend(self.now_ms)

    def _on_ack(self, ack: Ack) -> None:
        if ack.nonce == self.nonce:
            self.outbox.acknowledge(ack.number)

    def _on_status_req(self, _: StatusReq | None) -> None:
        self._status_due_ms = self.now_ms + self.params[ParamKey.STATUS_PERIOD_MS]
        self._say(self._status())

    def _on_command(self, command: Commanded) -> None:
        """Do a command once, however often it is said, and answer every time; a measurement when it ends."""
        if command != self._last_command:
            self._give_up_command()  # a host has one command under way: it has given the last one up
            self._last_command = command
            self._last_answer = self._obey(command)
        if self._last_answer is not None:
            self._say(self._last_answer)

    def _obey(self, command: Commanded) -> Answered | None:
        match command:
            case Param():
                return self._obey_param(command)
            case Signal(token, _, verdict, sound):
                if verdict not in set(Light) or sound not in set(Sound):
                    return bad_value(token)
                self.lit = command
                self.counts["signals"] += 1
                return Result(token, ResultCode.OK, 0)
            case _:
                return self._obey_own(command)

    def _obey_param(self, command: Param) -> Result:
        if command.key not in self._build.ranges or command.op not in set(ParamOp):
            return Result(command.token, ResultCode.UNKNOWN, 0)
        key = ParamKey(command.key)
        if command.op == ParamOp.SET:
            if command.value not in self._build.ranges[key]:
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
        self._boot.emit(self._sender.encode(message.TYPE, message.encode()))

    def _greet(self) -> None:
        build, boot = self._build, self._boot
        hello = Hello(
            major=MAJOR,
            minor=MINOR,
            firmware=boot.firmware,
            kind=build.kind,
            sensor_count=build.sensor_count,
            reader_count=build.reader_count,
            button_count=build.button_count,
            features=build.features,
            payload_max=PAYLOAD_MAX,
            ring_count=build.ring_count,
            nonce=self.nonce,
            reset_cause=boot.reset_cause,
            device_ms=self.now_ms % WRAP,
            last_number=self.outbox.last_number,
            oldest_number=self.outbox.oldest_number,
        )
        self._say(hello)

    def _status(self) -> Status:
        counters = {name: count % _COUNTER_WRAP for name, count in self.counters().items()}
        return Status(
            nonce=self.nonce,
            device_ms=self.now_ms % WRAP,
            last_number=self.outbox.last_number,
            scan_hz=self._scans_hz(),
            supply_mv=SUPPLY_MV,
            flicker_sensor=self._flicker_source,
            settings=self.eeprom.settings,
            scan_overruns=0,
            stack_free=0,
            readers=self._readers(),
            **counters,
        )


def bad_value(token: int) -> Result:
    """A command that asks for what there is not."""
    return Result(token, ResultCode.BAD_VALUE, 0)
