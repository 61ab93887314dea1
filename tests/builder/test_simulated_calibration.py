"""What a builder's tools rely on in the simulated board: levels are measured, told, kept and forgotten."""

from __future__ import annotations

from tablewire.virtual.calibration import Eeprom
from tablewire.virtual.device import Device
from tablewire.wire.frame import Decoder, Sender
from tablewire.wire.messages import (
    BOARD_PARSERS,
    Calibrate,
    Calibration,
    CalibrationReq,
    CalibrationRow,
    HostMessage,
    Param,
    Result,
    ResultCode,
    Settings,
    Signal,
    Status,
    StatusReq,
)

ALL = 255
ZERO, N_WEAK, N_STRONG, S_WEAK, S_STRONG, SAVE, FORGET = range(1, 8)
NOTHING = CalibrationRow(0, 0, 0, 0, 0, 0)


class Bare:
    """One boot of a device without a line: messages in, messages out."""

    def __init__(self, eeprom: Eeprom | None = None) -> None:
        self.magnets = [0] * 201
        self.said: list[object] = []
        self.now_ms = 0
        self._decoder = Decoder()
        self._sender = Sender()
        self._token = 0
        self.device = Device(7, 201, self.magnets.__getitem__, self._hear, eeprom=eeprom)

    def _hear(self, data: bytes) -> None:
        for frame in self._decoder.receive_data(data):
            self.said.append(BOARD_PARSERS[frame.type](frame.payload))

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.now_ms += 1
            self.device.run(self.now_ms, frozenset())

    def say(self, message: HostMessage) -> None:
        self.device.receive_data(self._sender.encode(message.TYPE, message.encode()), self.now_ms)

    def calibrate(self, step: int, sensor: int = ALL, wait_ms: int = 150) -> Result | None:
        self._token += 1
        self.say(Calibrate(self._token, step, sensor))
        self.run(wait_ms)
        answers = [one for one in self.said if isinstance(one, Result) and one.token == self._token]
        return answers[-1] if answers else None

    def rows(self, first: int, count: int) -> tuple[CalibrationRow, ...]:
        self.say(CalibrationReq(0, first, count))
        answer = self.said[-1]
        assert isinstance(answer, Calibration)
        assert answer.first_sensor == first
        return answer.rows

    def settings(self) -> int:
        self.say(StatusReq())
        answer = self.said[-1]
        assert isinstance(answer, Status)
        return answer.settings

    def save(self) -> list[int]:
        """What each SAVE says is still to be written, until nothing is."""
        left: list[int] = []
        while not left or left[-1]:
            answer = self.calibrate(SAVE, wait_ms=500)
            assert answer is not None
            assert answer.code == ResultCode.OK
            left.append(answer.value)
        return left


def test_nothing_is_measured_at_first() -> None:
    board = Bare()
    assert board.rows(0, 15) == (NOTHING,) * 15
    assert board.settings() == Settings.NONE


def test_zero_measures_every_sensor_over_sixteen_scans() -> None:
    board = Bare()
    assert board.calibrate(ZERO, wait_ms=90) is None  # 14 scans
    board.run(40)
    assert board.rows(195, 15) == ((512, 0, 0, 0, 0, 2),) * 6


def test_a_level_is_the_distance_from_the_sensors_own_zero() -> None:
    board = Bare()
    board.magnets[5], board.magnets[6] = 2, 3
    north, south = board.calibrate(N_STRONG, 5), board.calibrate(S_WEAK, 6)
    assert north is not None
    assert south is not None
    assert (north.value & 0xFFFF, north.value >> 16) == (248, 2)
    assert (south.value & 0xFFFF, south.value >> 16) == (88, 2)
    assert board.rows(5, 2) == ((0, 0, 124, 0, 0, 0), (0, 0, 0, 44, 0, 0))


def test_a_magnet_of_the_wrong_pole_or_none_fails_and_changes_nothing() -> None:
    board = Bare()
    board.magnets[5] = 2
    for step, sensor in ((S_STRONG, 5), (N_WEAK, 6)):
        answer = board.calibrate(step, sensor)
        assert answer is not None
        assert answer.code == ResultCode.FAILED
    assert board.rows(5, 2) == (NOTHING, NOTHING)


def test_only_zero_forget_and_save_are_for_all_sensors() -> None:
    board = Bare()
    for step, sensor in ((N_WEAK, ALL), (ZERO, 201), (99, 3), (0, ALL)):
        answer = board.calibrate(step, sensor)
        assert answer is not None
        assert answer.code == ResultCode.BAD_VALUE


def test_a_measurement_said_twice_is_measured_once() -> None:
    board = Bare()
    board.say(Calibrate(9, ZERO, 3))
    board.run(60)
    board.say(Calibrate(9, ZERO, 3))
    board.run(60)
    board.say(Calibrate(9, ZERO, 3))
    answers = [one for one in board.said if isinstance(one, Result)]
    assert (
        answers == [Result(9, ResultCode.OK, 512 | 2 << 16)] * 2
    )  # when it ended, and when it was asked for


def test_what_is_saved_outlives_a_reset_and_what_is_not_does_not() -> None:
    eeprom = Eeprom()
    board = Bare(eeprom)
    board.calibrate(ZERO)
    left = board.save()
    assert len(left) > 2
    assert left == sorted(left, reverse=True)
    board.magnets[3] = 1
    board.calibrate(N_WEAK, 3)
    again = Bare(eeprom)
    assert again.rows(3, 1) == ((512, 0, 0, 0, 0, 2),)
    assert again.settings() == Settings.STORED


def test_a_reset_in_the_middle_of_a_write_keeps_what_was_stored_before() -> None:
    eeprom = Eeprom()
    board = Bare(eeprom)
    board.calibrate(ZERO, 3)
    board.save()
    board.calibrate(FORGET)
    begun = board.calibrate(SAVE, wait_ms=1)
    assert begun is not None
    assert begun.value > 0
    assert Bare(eeprom).rows(3, 1) == ((512, 0, 0, 0, 0, 2),)


def test_forget_takes_the_levels_of_one_sensor_or_of_all() -> None:
    board = Bare()
    board.calibrate(ZERO)
    board.calibrate(FORGET, 4)
    assert board.rows(3, 3) == ((512, 0, 0, 0, 0, 2), NOTHING, (512, 0, 0, 0, 0, 2))
    board.calibrate(FORGET)
    assert board.rows(3, 3) == (NOTHING,) * 3


def test_a_parameter_that_is_set_is_stored_by_itself() -> None:
    eeprom = Eeprom()
    board = Bare(eeprom)
    board.say(Param(1, 1, 3, 30))
    board.run(5000)
    again = Bare(eeprom)
    again.say(Param(2, 0, 3, 0))
    assert again.said[-1] == Result(2, ResultCode.OK, 30)


def test_a_light_or_sound_that_does_not_exist_is_refused_and_the_lights_stay() -> None:
    board = Bare()
    board.say(Signal(1, 5, 1, 1))
    for token, verdict, sound in ((2, 4, 0), (3, 0, 6)):
        board.say(Signal(token, 0, verdict, sound))
        assert board.said[-1] == Result(token, ResultCode.BAD_VALUE, 0)
    assert (board.device.lit.players, board.device.lit.verdict) == (5, 1)
