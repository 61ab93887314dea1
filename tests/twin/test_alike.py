"""The simulated board and the real firmware, told the same and shown the same magnets, answer alike.

Left aside is what may differ: times by a few scans, nonces, noise, and into which batches changes are put.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

import pytest
from tests.twin.desk import Talk

from tablewire.games.cirkis.wiring import SENSOR_COUNT
from tablewire.virtual.calibration import Eeprom
from tablewire.virtual.device import Device
from tablewire.wire.frame import Decoder, Frame, encode_frame
from tablewire.wire.hall import FIELD_COUNTS
from tablewire.wire.messages import (
    BOARD_PARSERS,
    PAYLOAD_MAX,
    Ack,
    BoardMessage,
    Calibrate,
    CalibrateStep,
    Calibration,
    CalibrationReq,
    Events,
    Hello,
    HostHello,
    HostMessage,
    Light,
    MagnetClass,
    Param,
    ParamKey,
    ParamOp,
    Raw,
    RawReq,
    Result,
    Settings,
    Signal,
    Snapshot,
    SnapshotReq,
    Sound,
    Status,
    StatusReq,
)

STEPS = 60
APART_MS = 10  # more than a scan: then both boards see changes in the same order
SETTLED_MS = 60  # the debounce, at most 30 ms here, and some scans
ANSWERED_MS = 40
MEASURED_MS = 160  # 16 scans of 6 ms, and some more
TIMES_DIFFER_MS = 25
CALIBRATION_ROWS = 15
SAVING_STEPS = 10
SAVING_MS = 700  # 1400 bytes take 5 s
# What STATUS says on both alike; not the settings, which count as stored when a write in the background ends.
COUNTERS = (
    "last_number",
    "rx_frames",
    "rx_bad_crc",
    "rx_bad_cobs",
    "rx_bad_length",
    "rx_lost",
    "rx_unknown",
)
OPPOSITE = {
    MagnetClass.N_WEAK: CalibrateStep.S_WEAK,
    MagnetClass.N_STRONG: CalibrateStep.S_STRONG,
    MagnetClass.S_WEAK: CalibrateStep.N_WEAK,
    MagnetClass.S_STRONG: CalibrateStep.N_STRONG,
}


@dataclass
class Told:
    """What one board has said: answers in order, and every change and snapshot."""

    answers: list[tuple[object, ...]] = field(default_factory=list)
    changes: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    snapshots: dict[int, tuple[bytes, int]] = field(default_factory=dict)
    status: Status | None = None
    nonce: int = 0

    def note(self, message: BoardMessage) -> None:
        """One message; a change or snapshot that is told again must be the same."""
        match message:
            case Hello():
                self.nonce = message.nonce
                self.answers.append(("hello", message.last_number, message.oldest_number))
            case Events(_, first, base_ms, rows):
                for number, row in enumerate(rows, first):
                    change = (row.sensor, row.classes, base_ms + row.dt_ms)
                    assert self.changes.setdefault(number, change) == change
            case Snapshot(_, number, device_ms, classes):
                assert self.snapshots.setdefault(number, (classes, device_ms))[0] == classes
            case Status():
                self.status = message
            case Result(token, code, value):
                self.answers.append(("result", token, code, value & 0xFFFF))
            case Calibration(token, first, levels):
                bare = tuple(row._replace(noise=0) for row in levels)
                self.answers.append(("calibration", token, first, bare))
            case Raw():
                self.answers.append(("raw", message))
            case _:
                raise AssertionError(message)


class Pair:
    """Both boards under the same magnets, and one host that says the same to both."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.talk = Talk(seed)
        self.lies = [MagnetClass.EMPTY] * SENSOR_COUNT
        self.firmware = Told()
        self.simulated = Told()
        self.ms = 0
        self._eeprom = Eeprom()
        self.changed: set[int] = set()  # the simulated board reads these alone
        self._decoder = Decoder()
        self._boot()

    def _boot(self) -> None:
        self._booted_ms = self.ms
        self._device = Device(
            0xA5A5_0001,
            SENSOR_COUNT,
            lambda sensor: self.lies[sensor],
            self._hear_simulated,
            eeprom=self._eeprom,
        )
        self.run(100)

    def reset(self) -> None:
        """Both lose their power for a moment."""
        self.talk.chip.reset("power")
        self.firmware, self.simulated = Told(), Told()
        self._boot()

    def _hear_simulated(self, data: bytes) -> None:
        for item in self._decoder.receive_data(data):
            if isinstance(item, Frame):
                self.simulated.note(BOARD_PARSERS[item.type](item.payload))

    def run(self, ms: int) -> None:
        """Let time pass on both."""
        for message in self.talk.run(ms * 1000):
            self.firmware.note(message)
        for _ in range(ms):
            self.ms += 1
            self._device.run(self.ms - self._booted_ms, self.changed)

    def lay(self, sensor: int, magnet: MagnetClass) -> None:
        """Let one sensor read this from now on."""
        self.lies[sensor] = magnet
        self.changed.add(sensor)
        self.talk.chip.field(sensor, FIELD_COUNTS[magnet])
        self.run(APART_MS)

    def send(self, data: bytes) -> None:
        """The same bytes to both."""
        self.talk.chip.rx(data)
        self._device.receive_data(data, self.ms - self._booted_ms)

    def say(self, host: Host, message: HostMessage) -> None:
        """A message of one of the hosts; an acknowledgement goes to each board's own boot."""
        if not isinstance(message, Ack):
            self.send(host.frame(message.TYPE, message.encode()))
            return
        for_firmware = replace(message, nonce=message.nonce ^ self.firmware.nonce)
        for_simulated = replace(message, nonce=message.nonce ^ self.simulated.nonce)
        self.talk.chip.rx(host.frame(message.TYPE, for_firmware.encode()))
        host.seq -= 1
        data = host.frame(message.TYPE, for_simulated.encode())
        self._device.receive_data(data, self.ms - self._booted_ms)

    def compare(self) -> None:
        """What both have told so far is alike."""
        assert self.firmware.answers == self.simulated.answers
        self._compare_changes()
        told = self.simulated.snapshots
        for number, (classes, _) in self.firmware.snapshots.items():
            if number in told:
                assert classes == told[number][0], number
        assert self.firmware.status is not None
        assert self.simulated.status is not None
        for name in COUNTERS:
            assert getattr(self.firmware.status, name) == getattr(self.simulated.status, name), name

    def _compare_changes(self) -> None:
        told = self.simulated.changes
        for number, (sensor, classes, ms) in self.firmware.changes.items():
            if number in told:
                assert (sensor, classes) == told[number][:2], number
                assert abs(ms - told[number][2]) <= TIMES_DIFFER_MS, number


@dataclass
class Host:
    """Numbers its own frames."""

    seq: int = 0

    def frame(self, kind: int, payload: bytes) -> bytes:
        """The next frame's bytes."""
        data = encode_frame(Frame(kind, self.seq % 256, 0, payload))
        self.seq += 1
        return data


# ---- what happens ----


def lay_some(pair: Pair, count: int) -> None:
    """Magnets come and go, one after another."""
    for sensor in pair.rng.sample(range(SENSOR_COUNT), count):
        pair.lay(sensor, pair.rng.choice([one for one in MagnetClass if one != pair.lies[sensor]]))
    pair.run(SETTLED_MS)
    pair.changed.clear()


def known_message(pair: Pair, token: int) -> HostMessage:
    """A message that a host may send, with values at and beyond their limits."""
    rng = pair.rng
    last = max([*pair.simulated.changes, *pair.simulated.snapshots, 0])
    edge = rng.choice((0, 1, 100, 145, 186, 187, 199, 200, 201, 202, 254, 255))
    return rng.choice(
        (
            HostHello(rng.randrange(3), rng.randrange(3)),
            Ack(0, max(0, last - rng.choice((0, 0, 1, 2, 5, 20)))),
            Ack(0, last + 1000),
            Ack(1 << 16, last),
            SnapshotReq(),
            StatusReq(),
            Param(token, rng.randrange(3), rng.randrange(5), rng.choice((0, 4, 201, 2001, 65536 + 20))),
            Param(token, ParamOp.SET, ParamKey.DEBOUNCE_MS, rng.choice((5, 20, 30))),
            Param(token, ParamOp.SET, ParamKey.HYSTERESIS_COUNTS, rng.choice((1, 2, 16, 64, 65))),
            RawReq(token, edge, rng.choice((0, 1, 55, 56, 57, 255))),
            CalibrationReq(token, edge, rng.choice((0, 1, 14, 15, 16, 255))),
            Signal(token, rng.randrange(256), rng.randrange(len(Light) + 2), rng.randrange(len(Sound) + 2)),
            Calibrate(token, CalibrateStep.FORGET, rng.choice((edge, rng.randrange(SENSOR_COUNT)))),
            Calibrate(token, rng.choice((0, 8, 255)), edge),
            Calibrate(token, rng.choice(list(CalibrateStep)[:6]), rng.choice((201, 254))),
            Calibrate(token, rng.choice(list(OPPOSITE.values())), 255),
        )
    )


def say_known(pair: Pair, host: Host, token: int) -> None:
    """A message, perhaps twice."""
    message = known_message(pair, token)
    for _ in range(pair.rng.choice((1, 1, 2))):
        pair.say(host, message)
        pair.run(ANSWERED_MS)


def measure(pair: Pair, host: Host, token: int) -> None:
    """A level of a sensor as what lies there, or as what does not; at times another command comes between."""
    sensor = pair.rng.randrange(SENSOR_COUNT)
    lies = pair.lies[sensor]
    if lies is MagnetClass.EMPTY:
        step = pair.rng.choice((CalibrateStep.ZERO, *OPPOSITE.values()))
    else:
        step = pair.rng.choice((OPPOSITE[lies], CalibrateStep[lies.name]))
    if not any(pair.lies) and pair.rng.random() < 0.5:
        step, sensor = CalibrateStep.ZERO, 255
    order = Calibrate(token, step, sensor)
    pair.say(host, order)
    pair.run(20)
    match pair.rng.randrange(4):
        case 0:
            pair.say(host, Param(token, ParamOp.GET, ParamKey.DEBOUNCE_MS, 0))
        case 1:
            pair.say(host, HostHello(1, 0))
        case 2:
            pair.say(host, order)
    pair.run(MEASURED_MS)
    pair.say(host, order)  # answered again, or measured anew
    pair.run(MEASURED_MS)


def say_crafted(pair: Pair, host: Host) -> None:
    """A frame of any type with any number of bytes, none of which makes a measurement begin."""
    kind = pair.rng.choice((*range(0x40, 0x4C), pair.rng.randrange(256)))
    size = pair.rng.choice((0, 1, 2, 3, 4, 5, 7, 8, pair.rng.randrange(PAYLOAD_MAX + 1)))
    payload = bytearray(pair.rng.randbytes(size))
    if kind == Calibrate.TYPE and size >= 2:
        payload[1] |= 8
    pair.send(host.frame(kind, bytes(payload)))
    pair.run(ANSWERED_MS)


def say_garbage(pair: Pair) -> None:
    """Bytes that are no frame, or a frame with damage."""
    count = pair.rng.choice((1, 5, 30, 121, 122, 123, 300))
    pair.send(bytes(pair.rng.choice((0, 1, 2, 5, pair.rng.randrange(256))) for _ in range(count)) + b"\0")
    pair.run(ANSWERED_MS)


def ask_all(pair: Pair, host: Host) -> None:
    """What both believe of every sensor, and what lies there."""
    for key in ParamKey:
        pair.say(host, Param(100 + key, ParamOp.GET, key, 0))
        pair.run(ANSWERED_MS)
    for first in range(0, SENSOR_COUNT, CALIBRATION_ROWS):
        pair.say(host, CalibrationReq(first, first, CALIBRATION_ROWS))
        pair.run(ANSWERED_MS)
    for message in (SnapshotReq(), StatusReq()):
        pair.say(host, message)
        pair.run(ANSWERED_MS)


def save(pair: Pair, host: Host) -> None:
    """Each has its own number of bytes to write; in the end it is none."""
    for token in range(SAVING_STEPS):
        pair.say(host, Calibrate(token, CalibrateStep.SAVE, 255))
        pair.run(SAVING_MS)
    assert pair.firmware.answers[-1][3] == pair.simulated.answers[-1][3] == 0


@pytest.mark.parametrize("seed", range(3))
def test_both_boards_answer_alike(seed: int) -> None:
    pair = Pair(seed)
    rng, hosts = pair.rng, (Host(), Host())
    with pair.talk.chip:
        lay_some(pair, rng.randrange(20))
        pair.say(hosts[0], HostHello(1, 0))
        pair.run(ANSWERED_MS)
        for step in range(STEPS):
            host = hosts[rng.random() < 0.2]
            token = rng.choice((step, step, 7))
            match rng.choice(("lay", "lay", "known", "known", "known", "measure", "crafted", "garbage")):
                case "lay":
                    lay_some(pair, 150 if rng.random() < 0.05 else rng.randrange(1, 12))
                case "known":
                    say_known(pair, host, token)
                case "measure":
                    measure(pair, host, token)
                case "crafted":
                    say_crafted(pair, host)
                case _:
                    say_garbage(pair)
            pair.say(hosts[0], StatusReq())
            pair.run(ANSWERED_MS)
            pair.compare()
        ask_all(pair, hosts[0])
        pair.compare()
        save(pair, hosts[0])
        pair.reset()
        pair.say(hosts[0], HostHello(1, 0))
        ask_all(pair, hosts[0])
        pair.compare()
        for told in (pair.firmware, pair.simulated):
            assert told.status is not None
            assert told.status.settings == Settings.STORED
