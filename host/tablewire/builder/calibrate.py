"""Calibrate a table with a person's hands: the zero of every sensor, then each class of magnet on each space.

Owns the order of the stages, what is said, and when it is stored. Must not know ports or terminals; what
readings mean is levels.py's, when a magnet lies still is steady.py's.

The board keeps what was measured, so a run that was broken off is gone on with: only what is missing is asked
for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from tablewire.builder.conversation import Conversation
from tablewire.builder.dialogue import Left, Person
from tablewire.builder.levels import (
    KINDS,
    NOISE_MAX,
    Oddity,
    fits,
    level_of,
    magnet_of,
    oddity,
    taken_for,
    without_any_level,
    without_level,
    without_zero,
)
from tablewire.builder.places import HOLES, SPACES, place_of, places_of
from tablewire.builder.report import margin_lines, missing_lines, name_of, report_json
from tablewire.builder.steady import STEADY_COUNTS, Steady
from tablewire.errors import BoardError
from tablewire.games.cirkis.wiring import DEFAULT_MAGNETS, SENSOR_COUNT
from tablewire.wire.hall import LEAST_COUNTS, UNIT_COUNTS, level_byte
from tablewire.wire.messages import CalibrateStep, CalibrationRow, Feature, MagnetClass, ResultCode, Settings
from tablewire.wire.observed import SensorId

LOOK_S = 0.1
"""Between two looks at all sensors: four messages and their answers take a fifth of it on the cable."""
ZERO_GAPS_S = (0.011, 0.017, 0.023, 0.031, 0.041, 0.053, 0.067, 0.0)
"""Between looks at the empty table; uneven, for a flicker in step with the looks would not be seen."""
STORE_ASK_S = 0.3
"""The board writes only while no bytes come in, so it is asked seldom."""
STORE_LIMIT_S = 60.0
"""A whole calibration is 1.4 kB at 3.4 ms a byte: 5 s, and twice that when a write was under way."""
STORE_EVERY_S = 30.0
"""What a pulled cable may cost in the middle of a stage."""
ALL = 255
LEAVE = "leave"
ONWARD = "Enter goes on, q stops"

SETTINGS_WORDS = {
    Settings.STORED: "the board brought its stored calibration",
    Settings.NONE: "nothing is stored on the board yet",
    Settings.DAMAGED: "what the board had stored was damaged, so it runs on defaults",
    Settings.OTHER_VERSION: "what the board had stored is of another firmware, so it runs on defaults",
}


class _Choice(NamedTuple):
    """What a steady field on a sensor is to be measured as; None with what is wrong with it."""

    magnet: MagnetClass | None
    wrong: str = ""


class Calibrating:
    """One run. `rows` is what the board believes, `stored` whether all of it is stored."""

    def __init__(self, board: Conversation, person: Person) -> None:
        self.rows: list[CalibrationRow] = []
        self.stored = True
        self._board = board
        self._person = person
        self._doubtful: set[SensorId] = set()
        self._stored_s = 0.0

    def run(self, *, again: bool = False) -> dict[str, Any]:
        """Go through all stages; the report. Left when the person stops, all being stored. BoardError."""
        self._board.find_with(Feature.CALIBRATION | Feature.RAW, SENSOR_COUNT)
        self._person.tell(SETTINGS_WORDS.get(Settings(self._board.status().settings), ""))
        if again:
            self._person.tell("Forgetting all that was measured.")
            self._board.calibrate(CalibrateStep.FORGET, ALL)
            self.stored = False
        self.rows = list(self._board.levels())
        self._stored_s = self._board.now_s()
        try:
            self._measure_zeros()
            for colour, magnet in DEFAULT_MAGNETS.items():
                self._measure_colour(str(colour), magnet)
            self._measure_pegs()
        except (Left, KeyboardInterrupt):
            self.store()
            raise
        for line in (*margin_lines(self.rows), *missing_lines(self.rows)):
            self._person.tell(line)
        return self.report(finished=True)

    def report(self, *, finished: bool) -> dict[str, Any]:
        """What is measured and what is missing, as JSON."""
        return report_json(self.rows, finished=finished, stored=self.stored)

    # ---- stages ----

    def _measure_zeros(self) -> None:
        missing = without_zero(self.rows)
        if not missing:
            self._person.tell(f"Zero: measured on all {len(self.rows)} sensors.")
            return
        self._person.tell(
            f"Zero: {len(missing)} of {len(self.rows)} sensors to measure. Take every piece and peg off the "
            "table, then press Enter (q stops)."
        )
        self._wait_for_line()
        odd = self._odd(missing)
        while odd:
            for kind in Oddity:
                of_kind = [sensor for sensor, its in odd.items() if its is kind]
                if of_kind:
                    self._person.tell(f"  {kind.value}: {places_of(of_kind)}")
            self._person.tell(
                f"Put that right and press Enter to look again, or type {LEAVE} to go on without them."
            )
            if self._wait_for_line() == LEAVE:
                break
            odd = self._odd(missing)
        self._take_zeros(missing, set(odd))
        self.store()

    def _odd(self, sensors: Iterable[SensorId]) -> dict[SensorId, Oddity]:
        looks = []
        for gap_s in ZERO_GAPS_S:
            looks.append(self._board.readings())
            self._board.rest(gap_s)
        found = {sensor: oddity([look[sensor] for look in looks]) for sensor in sensors}
        return {sensor: its for sensor, its in found.items() if its is not None}

    def _take_zeros(self, missing: Sequence[SensorId], left_out: set[SensorId]) -> None:
        self.stored = False
        if len(missing) == len(self.rows):
            self._board.calibrate(CalibrateStep.ZERO, ALL)
        else:
            for sensor in missing:
                if sensor not in left_out:
                    self._board.calibrate(CalibrateStep.ZERO, sensor)
        self.rows = list(self._board.levels())
        noisy = {s for s in missing if self.rows[s].noise > NOISE_MAX} - left_out
        if noisy:
            self._person.tell(f"  {Oddity.NOISE.value}, left out: {places_of(noisy)}")
        for sensor in sorted(noisy | left_out):
            self._forget(sensor)
        done = len(self.rows) - len(without_zero(self.rows))
        self._person.tell(f"Zero: measured on {done} of {len(self.rows)} sensors.")

    def _measure_colour(self, colour: str, magnet: MagnetClass) -> None:
        with_zero = [sensor for sensor in SPACES if self.rows[sensor].zero]
        missing = without_level(self.rows, magnet, with_zero)
        if not missing:
            self._person.tell(f"{colour.capitalize()}: measured on all {len(with_zero)} spaces.")
            return

        def choose(sensor: SensorId, field: int) -> _Choice:
            if fits(field, magnet, self.rows[sensor]):
                return _Choice(magnet)
            taken = name_of(taken_for(field, magnet))
            return _Choice(None, f"reads like {taken}, not like {colour} ({field:+d} counts)")

        self._person.tell(
            f"{colour.capitalize()} ({name_of(magnet, pole=True)}): lay {colour} pieces on the board and "
            "move them about until every space has been seen. Enter goes on to the next colour, q stops."
        )
        self._watch(colour, "spaces", SPACES, set(missing), len(with_zero), choose)
        self.store()

    def _measure_pegs(self) -> None:
        with_zero = [sensor for sensor in HOLES if self.rows[sensor].zero]
        missing = without_any_level(self.rows, with_zero)
        if not missing:
            self._person.tell(f"Pegs: measured in all {len(with_zero)} holes.")
            return
        self._person.tell("Pegs: put a peg into each hole, one after another. Enter ends this, q stops.")
        self._watch(
            "pegs", "holes", HOLES, set(missing), len(with_zero), lambda _, field: _Choice(magnet_of(field))
        )
        self.store()

    def _watch(
        self,
        what: str,
        unit: str,
        among: Sequence[SensorId],
        missing: set[SensorId],
        whole: int,
        choose: Callable[[SensorId, int], _Choice],
    ) -> None:
        """Measure each missing sensor that holds a steady field, until none is or the person goes on."""
        steady = Steady([row.zero or 0 for row in self.rows])
        named: dict[SensorId, int] = {}  # what was said to be wrong, by the field it was said of
        while missing:
            steady.take(self._board.readings())
            measured = []
            for sensor in among:
                field = steady.field(sensor) if sensor in missing else None
                if field is None:
                    continue
                if abs(field) < LEAST_COUNTS:
                    named.pop(sensor, None)
                    continue
                choice = choose(sensor, field)
                if choice.magnet is None:
                    if sensor not in named or abs(field - named[sensor]) > STEADY_COUNTS:
                        self._person.tell(f"  {place_of(sensor)} {choice.wrong}")
                        named[sensor] = field
                elif self._measure(sensor, choice.magnet, field):
                    measured.append(sensor)
            if measured:
                missing.difference_update(measured)
                left = f", still missing: {places_of(missing)}" if missing else ""
                self._person.tell(f"  {what}: {whole - len(missing)} of {whole} {unit}{left}")
            word = self._person.hear()
            if word == "":
                return
            if word is not None:
                self._person.tell(f"  {ONWARD}.")
            self._store_now_and_then()
            self._board.rest(LOOK_S)

    def _measure(self, sensor: SensorId, magnet: MagnetClass, field: int) -> bool:
        """Measure a magnet that lies on a sensor; False when it did not lie still meanwhile."""
        kind = KINDS[magnet]
        answer = self._board.calibrate(kind.step, sensor)
        if answer.code == ResultCode.FAILED:
            return False
        level, noise = answer.value & 0xFFFF, answer.value >> 16
        self.stored = False
        if abs(level - abs(field)) > STEADY_COUNTS or noise > NOISE_MAX:
            self._person.tell(f"  {place_of(sensor)} moved while it was measured: let it lie a moment")
            self._doubtful.add(sensor)
            return False
        self._doubtful.discard(sensor)
        self.rows[sensor] = self.rows[sensor]._replace(**{kind.field: level_byte(level)})
        return True

    # ---- storing ----

    def store(self) -> None:
        """Store all that was measured, wait for the board to have it, and read it back. BoardError."""
        for sensor in sorted(self._doubtful):
            self._forget(sensor)
        self._doubtful.clear()
        if self.stored:
            return
        until_s = self._board.now_s() + STORE_LIMIT_S
        unwritten = self._save()
        if unwritten:
            self._person.tell(f"Storing ({unwritten} bytes to write) ...")
        while unwritten:
            if self._board.now_s() >= until_s:
                raise BoardError("the board does not finish storing: reset it, and start this again")
            self._board.rest(STORE_ASK_S)
            unwritten = self._save()
        self._verify()
        self.stored = True
        self._stored_s = self._board.now_s()

    def _save(self) -> int:
        answer = self._board.calibrate(CalibrateStep.SAVE, 0)
        if answer.code != ResultCode.OK:
            raise BoardError("the board cannot store its calibration: its EEPROM may be worn out")
        return answer.value

    def _store_now_and_then(self) -> None:
        if not self.stored and self._board.now_s() - self._stored_s >= STORE_EVERY_S:
            self._stored_s = self._board.now_s()
            self._save()

    def _verify(self) -> None:
        told = self._board.levels()
        for sensor, (ours, theirs) in enumerate(zip(self.rows, told, strict=True)):
            for magnet in KINDS:
                if abs(level_of(ours, magnet) - level_of(theirs, magnet)) > UNIT_COUNTS or (
                    bool(ours.zero) != bool(theirs.zero)
                ):
                    raise BoardError(
                        f"the board does not hold what was measured at {place_of(sensor)}: start this again"
                    )
        self.rows = list(told)

    def _forget(self, sensor: SensorId) -> None:
        self._board.calibrate(CalibrateStep.FORGET, sensor)
        self.rows[sensor] = CalibrationRow(0, 0, 0, 0, 0, 0)
        self.stored = False

    def _wait_for_line(self) -> str:
        while True:
            word = self._person.hear()
            if word is not None:
                return word
            self._board.pump()
