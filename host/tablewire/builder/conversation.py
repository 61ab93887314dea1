"""A builder's conversation with one board over one link: find it, ask, and wait for the answer.

Owns the session, and one line for everything that can go wrong with it and the link. Must not know what is
asked for, what the link goes over, or a terminal. One thread; every wait has a limit.

    with Conversation(link, say) as board:
        board.find()
        board.ask(Calibrate(0, CalibrateStep.ZERO, 255))

What the board tells is acknowledged at once and kept nowhere, for no game is played at the bench: a
`tablewire run` started later takes a snapshot of the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from tablewire.errors import BoardError, one_line
from tablewire.link.contract import Link, Seeking
from tablewire.link.faults import LinkLost, LinkRefused, without_promise
from tablewire.link.stranger import GREET_LIMIT_S
from tablewire.wire.commands import Answer, Command
from tablewire.wire.messages import (
    BoardKind,
    Calibrate,
    Calibration,
    CalibrationReq,
    CalibrationRow,
    Feature,
    Hello,
    Raw,
    RawReq,
    Result,
    ResultCode,
    Status,
)
from tablewire.wire.observed import Changes, SensorChange, Sighting, Sightings, Snapshot
from tablewire.wire.session import BoardFound, BoardRefused, HostSession, LinkState, Told

WHAT_TO_ASK = "tablewire doctor looks further"
"""Where to go on, for whoever finds no board."""
PATIENCE_S = 0.7
"""A board that was on answers the first or second greeting; after this it is said what is waited for."""
READ_LIMIT_S = 0.02
"""How long one read may wait while other things are looked after: too short to be noticed by a hand."""
STATUS_LIMIT_S = 3.0
"""Three heartbeats."""

Say = Callable[[str], None]


class Restarted(BoardError):  # noqa: N818 - the word says what happened
    """The board began anew in the middle: what was not stored is gone."""


class Conversation:
    """The open link. `classes` is what the board believes of each sensor; `boot_count` rises at a restart."""

    def __init__(self, link: Link, say: Say = print, clock_s: Callable[[], float] = time.monotonic) -> None:
        self.session = HostSession()
        self.boot_count = 0
        self.classes = bytearray()
        self.heard_bytes = 0
        self._say = say
        self._link = link
        self._clock_s = clock_s
        self._refused: str | None = None
        self._changes: list[SensorChange] = []
        self._sightings: list[Sighting] = []

    @property
    def port(self) -> str:
        """What a person calls the place of the board; a link that searches knows it once it is open."""
        return one_line(self._link.name)

    def __enter__(self) -> Self:
        """Open the link, and say where the board is when it had to be looked for, and where others are.

        BoardError when it cannot be opened; then it is said where a board was looked for, and why in vain.
        """
        asked_for = self._link.name
        try:
            self._link.open()
        except KeyboardInterrupt:
            self._link.close()
            raise
        except LinkRefused as exc:
            text = plain(str(exc))
            for one in exc.tried:
                why = plain(one.why)
                if why not in text:  # one place alone is told of in the text itself
                    self._say(f"{one_line(one.port)}: {why}")
            raise BoardError(f"{text}; {WHAT_TO_ASK}") from exc
        if self._link.name != asked_for:
            self._say(f"the board at {self.port} is used")
            for one in self._link.tried if isinstance(self._link, Seeking) else ():
                self._say(f"{one_line(one.port)}: {plain(one.why)}")
        self.session.link_opened(self.now_ms())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.close()

    def now_ms(self) -> int:
        """The host's monotonic clock."""
        return int(self._clock_s() * 1000)

    # ---- finding ----

    def find(self, limit_s: float = GREET_LIMIT_S) -> Hello:
        """Wait until a board greets and tells what lies on it. BoardError when none does within `limit_s`."""
        begun_s = self._clock_s()
        patient = False
        while not self._up_to_date():
            waited_s = self._clock_s() - begun_s
            if self._refused is not None:
                raise BoardError(f"{self._refused} (at {self.port})")
            if waited_s >= limit_s:
                raise BoardError(f"{self._nobody(limit_s)}; {WHAT_TO_ASK}")
            if waited_s >= PATIENCE_S and not patient:
                patient = True
                self._say(f"waiting for the board at {self.port} (opening the port resets many boards) ...")
            self.pump()
        return self.hello

    def _up_to_date(self) -> bool:
        """Whether all that had happened when the board greeted has been told."""
        hello = self.session.hello
        return hello is not None and self.session.synced and self.session.number >= hello.last_number

    def find_with(self, features: Feature, sensor_count: int) -> Hello:
        """`find`, and BoardError when the board is another table or lacks a feature."""
        hello = self.find()
        if hello.kind == BoardKind.LIGRETTO:
            raise BoardError(
                f"the board at {self.port} is another table, one for Ligretto: it has {hello.reader_count} "
                "readers and no sensors (tablewire doctor looks at them)"
            )
        if hello.kind != BoardKind.CIRKIS or hello.sensor_count != sensor_count:
            raise BoardError(
                f"the board at {self.port} is another table: it has {hello.sensor_count} sensors, "
                f"a Cir*Kis table has {sensor_count}"
            )
        lacking = features & ~Feature(hello.features)
        if lacking:
            names = ", ".join(feature.name or "" for feature in Feature if feature in lacking)
            raise BoardError(
                f"the board at {self.port} lacks {names}: its firmware may be too old (tablewire flash)"
            )
        return hello

    def find_readers(self) -> Hello:
        """`find`, and BoardError when the board has sensors in place of readers."""
        hello = self.find()
        if hello.kind != BoardKind.LIGRETTO:
            raise BoardError(
                f"the board at {self.port} has {hello.sensor_count} sensors and no readers for cards: "
                "connect the one for Ligretto, or name its port with --port"
            )
        return hello

    @property
    def hello(self) -> Hello:
        """The greeting of the board. BoardError before it was found."""
        if self.session.hello is None:
            raise BoardError(f"no board was found at {self.port}")
        return self.session.hello

    def _nobody(self, limit_s: float) -> str:
        if self.session.hello is not None:
            return f"the board at {self.port} greets but does not tell what lies on it: switch it off and on"
        dropped = self.session.decoder.drops.total()
        if self.heard_bytes and self.session.silent_ms(self.now_ms()) is None:
            return (
                f"what speaks at {self.port} is not a tablewire board, or speaks at another speed (--baud): "
                f"{self.heard_bytes} bytes came, and no message in them"
            )
        if self.heard_bytes:
            return f"the line to {self.port} is too bad: {dropped} frames came damaged (try another cable)"
        return (
            f"no board answers at {self.port} within {limit_s:.0f} s: check the cable, and that the "
            "firmware is on it (tablewire flash)"
        )

    # ---- talking ----

    def pump(self, limit_s: float = READ_LIMIT_S) -> list[Told]:
        """Exchange what there is, waiting for bytes at most `limit_s`; what the board told. BoardError."""
        try:
            data = self.session.data_to_send(self.now_ms())
            if data:
                self._link.write(data)
            chunk = self._link.read(limit_s)
        except LinkLost as exc:
            self.session.link_lost(self.now_ms())
            raise BoardError(plain(str(exc))) from exc
        self.heard_bytes += len(chunk)
        told = self.session.receive_data(chunk, self.now_ms())
        for one in told:
            self._take(one)
        if self.boot_count and self.session.state is LinkState.DOWN:
            raise BoardError(f"the board at {self.port} has fallen silent: check its cable and its power")
        return told

    def _take(self, told: Told) -> None:
        match told:
            case BoardFound(_, new_boot):
                self.boot_count += new_boot
                if self.boot_count > 1 and new_boot:
                    raise Restarted(
                        "the board has restarted in the middle (check its power): what was stored is kept, "
                        "start this again to go on"
                    )
            case BoardRefused(text):
                self._refused = text
            case Snapshot(nonce, number, _, classes):
                self.classes[:] = classes
                self.session.acknowledge(number, nonce)
            case Changes(nonce, changes):
                for change in changes:
                    self.classes[change.sensor] = change.new
                self._changes += changes
                self.session.acknowledge(changes[-1].number, nonce)
            case Sightings(nonce, sightings):
                self._sightings += sightings
                self.session.acknowledge(sightings[-1].number, nonce)

    def rest(self, for_s: float) -> None:
        """Let time pass, listening."""
        until_s = self._clock_s() + for_s
        while self._clock_s() < until_s:
            self.pump()

    def now_s(self) -> float:
        """The clock this conversation goes by."""
        return self._clock_s()

    def status(self, limit_s: float = STATUS_LIMIT_S) -> Status:
        """The newest heartbeat. BoardError when none comes within `limit_s`."""
        until_s = self._clock_s() + limit_s
        self.session.request_status()
        while self.session.status is None:
            if self._clock_s() >= until_s:
                raise BoardError(f"the board at {self.port} gives no status: the line is too bad")
            self.pump()
        return self.session.status

    def take_changes(self) -> list[SensorChange]:
        """The changes of sensors since the last call, in order."""
        changes, self._changes = self._changes, []
        return changes

    def take_sightings(self) -> list[Sighting]:
        """What readers and buttons told since the last call, in order."""
        sightings, self._sightings = self._sightings, []
        return sightings

    def ask(self, command: Command) -> Answer:
        """Give a command and wait for its answer. BoardError when none comes."""
        self.session.take_outcomes()
        if not self.session.submit(command):
            raise BoardError(self._unanswered(command))
        while True:
            for outcome in self.session.take_outcomes():
                if replace(outcome.command, token=0) != replace(command, token=0):
                    continue  # given before the board restarted, and repeated since
                if outcome.answer is None:
                    raise BoardError(self._unanswered(command))
                return outcome.answer
            self.pump()

    def _unanswered(self, command: Command) -> str:
        dropped = self.session.decoder.drops.total()
        if dropped:
            return f"the line to {self.port} is too bad: {dropped} frames came damaged (try another cable)"
        return (
            f"the board at {self.port} does not answer {type(command).__name__}: "
            "its firmware may be too old (tablewire flash)"
        )

    def calibrate(self, step: int, sensor: int) -> Result:
        """One step of calibration, done or FAILED. BoardError when the board knows no such step or sensor."""
        answer = self.ask(Calibrate(0, step, sensor))
        if not isinstance(answer, Result) or answer.code not in (ResultCode.OK, ResultCode.FAILED):
            raise BoardError(f"the board at {self.port} refuses to calibrate (step {step}, sensor {sensor})")
        return answer

    def readings(self) -> tuple[int, ...]:
        """What every sensor reads now, in ADC counts."""
        counts: list[int] = []
        while len(counts) < self.hello.sensor_count:
            left = self.hello.sensor_count - len(counts)
            answer = self.ask(RawReq(0, len(counts), min(Raw.ROWS_MAX, left)))
            if not isinstance(answer, Raw) or answer.first_sensor != len(counts) or not answer.rows:
                raise BoardError(f"the board at {self.port} does not give its readings")
            counts += [row.adc for row in answer.rows]
        return tuple(counts)

    def levels(self) -> tuple[CalibrationRow, ...]:
        """What the board believes of every sensor."""
        rows: list[CalibrationRow] = []
        while len(rows) < self.hello.sensor_count:
            left = self.hello.sensor_count - len(rows)
            answer = self.ask(CalibrationReq(0, len(rows), min(Calibration.ROWS_MAX, left)))
            if not isinstance(answer, Calibration) or answer.first_sensor != len(rows) or not answer.rows:
                raise BoardError(f"the board at {self.port} does not tell its calibration")
            rows += answer.rows
        return tuple(rows)


def plain(text: str) -> str:
    """A link's words without the promise to try again: at the bench a person does."""
    return without_promise(one_line(text))
