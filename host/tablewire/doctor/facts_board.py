"""Visits a board: who it is, how its line fares for some seconds, and what its sensors read.

Owns the open link and the session of one visit. Must not know what is good or bad. Nothing that the board
tells is acknowledged, so that a table that is started afterwards still hears all of it, in order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tablewire.doctor.seen import Board, BoardSeen, NoBoard
from tablewire.errors import one_line
from tablewire.link.contract import Link
from tablewire.link.faults import Cause, LinkLost, LinkRefused
from tablewire.link.last_good import KnownBoard, read_known_board
from tablewire.link.stranger import GREET_LIMIT_S
from tablewire.wire.account import Account, account_of
from tablewire.wire.commands import Answer, Command
from tablewire.wire.messages import (
    BoardKind,
    Calibration,
    CalibrationReq,
    CalibrationRow,
    Feature,
    Hello,
    Raw,
    RawReq,
)
from tablewire.wire.session import BoardRefused, HostSession

STATUS_LIMIT_S = 3.0
"""Three heartbeats."""
ASK_LIMIT_S = 2.0
"""A command is said again three times, 300 ms apart, and then given up."""
WINDOW_S = 3.0
"""Three heartbeats: a line that damages one frame in a hundred shows in that."""
READ_LIMIT_S = 0.02
LOOKS_COUNT = 8
"""Looks at all readings within the window: enough to tell noise, and few enough for a slow radio."""


class NotToldError(Exception):
    """The board does not tell what it is asked; one line that says so."""


class Unchanged:
    """The memory of which board answered last, for somebody who changes nothing."""

    def __init__(self, file: Path, without: Collection[str] = ()) -> None:
        """`without`: ports that are not to be looked at."""
        self._file = file
        self._without = without

    def load(self) -> KnownBoard | None:
        """The board that answered last; None when none is known, or it cannot be read."""
        try:
            found = read_known_board(self._file)
        except (OSError, ValueError):
            return None
        return None if found is not None and found.port in self._without else found

    def save(self, board: KnownBoard, /) -> None:
        """Nothing is noted."""


class Visit:
    """One board over one link, from `open` to `close`."""

    def __init__(self, link: Link, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._link = link
        self._clock_s = clock_s
        self._session = HostSession()
        self._refused: str | None = None
        self._heard_bytes = 0

    def look(self, window_s: float = WINDOW_S) -> Board:
        """All there is to see of the board. The link is closed afterwards, whatever happened."""
        try:
            self._link.open()
            self._session.link_opened(self._now_ms())
            hello = self._find()
            return self._look(hello, window_s)
        except LinkRefused as exc:
            return NoBoard(one_line(exc), exc.cause, exc.tried)
        except LinkLost as exc:
            return NoBoard(one_line(exc), Cause.OTHER)
        except NotToldError as exc:
            return NoBoard(one_line(exc), Cause.SILENT)
        finally:
            self._link.close()

    def _look(self, hello: Hello, window_s: float) -> BoardSeen:
        first = self._account()
        begun_s = self._clock_s()
        readings, rows, not_told = self._sensors(hello, window_s)
        while self._clock_s() < begun_s + window_s:
            self._pump()
        last = self._account()
        return BoardSeen(
            port=self._link.name,
            kind=self._link.kind,
            first=first,
            last=last,
            window_s=self._clock_s() - begun_s,
            readings=readings,
            rows=rows,
            not_told=not_told,
            # A search tells there, once it has found one, where others answered.
            others=tuple(getattr(self._link, "tried", ())),
        )

    def _sensors(
        self, hello: Hello, window_s: float
    ) -> tuple[tuple[tuple[int, ...], ...], tuple[CalibrationRow, ...], str | None]:
        """What the sensors read, several times, and what the board believes of them; else why not."""
        if hello.kind == BoardKind.LIGRETTO:
            return (), (), None  # what there is to know of readers, its heartbeat tells
        if hello.kind != BoardKind.CIRKIS:
            return (), (), "it is another table, whose sensors are not known here"
        if not hello.features & Feature.RAW or not hello.features & Feature.CALIBRATION:
            return (), (), "its firmware does not tell what its sensors read: tablewire flash"
        until_s = self._clock_s() + window_s
        looks: list[tuple[int, ...]] = []
        try:
            rows = self._rows(hello.sensor_count)
            while len(looks) < LOOKS_COUNT and (not looks or self._clock_s() < until_s):
                looks.append(self._readings(hello.sensor_count))
        except NotToldError as exc:
            return (), (), str(exc)
        return tuple(looks), rows, None

    # ---- talking ----

    def _now_ms(self) -> int:
        return int(self._clock_s() * 1000)

    def _pump(self) -> None:
        """Exchange what there is. LinkLost; NotToldError when the board cannot be used."""
        data = self._session.data_to_send(self._now_ms())
        if data:
            self._link.write(data)
        chunk = self._link.read(READ_LIMIT_S)
        self._heard_bytes += len(chunk)
        for told in self._session.receive_data(chunk, self._now_ms()):
            if isinstance(told, BoardRefused):
                raise NotToldError(told.text)

    def _find(self) -> Hello:
        """The board's greeting. NotToldError when none comes."""
        until_s = self._clock_s() + GREET_LIMIT_S
        while self._session.hello is None:
            if self._clock_s() >= until_s:
                raise NotToldError(self._nobody())
            self._pump()
        return self._session.hello

    def _nobody(self) -> str:
        name = one_line(self._link.name)
        if self._heard_bytes and self._session.silent_ms(self._now_ms()) is None:
            return (
                f"what speaks at {name} is not a tablewire board, or speaks at another speed (--baud): "
                f"{self._heard_bytes} bytes came, and no message in them"
            )
        if self._heard_bytes:
            return f"the line to {name} is too bad for a greeting: try another cable"
        return (
            f"no board answers at {name}: see that its lamp is lit and its firmware on it (tablewire flash)"
        )

    def _account(self) -> Account:
        """What the board tells of itself now. Without a fresh status, what it told before."""
        old, until_s = self._session.status, self._clock_s() + STATUS_LIMIT_S
        self._session.request_status()
        while self._session.status is old and self._clock_s() < until_s:
            self._pump()
        account = account_of(self._session)
        if account is None:
            raise NotToldError(f"the board at {one_line(self._link.name)} does not tell how it fares")
        # It says again what is not acknowledged, which here is no fault of the line.
        return replace(account, status={**account.status, "tx_retries": 0})

    def _ask(self, command: Command) -> Answer:
        """The answer to a command. NotToldError when none comes."""
        self._session.take_outcomes()
        until_s = self._clock_s() + ASK_LIMIT_S
        if self._session.submit(command):
            while self._clock_s() < until_s:
                for outcome in self._session.take_outcomes():
                    if outcome.answer is not None:
                        return outcome.answer
                    until_s = self._clock_s()
                self._pump()
        raise NotToldError("the board does not tell what its sensors read: the line is too bad")

    def _readings(self, sensor_count: int) -> tuple[int, ...]:
        counts: list[int] = []
        while len(counts) < sensor_count:
            answer = self._ask(RawReq(0, len(counts), min(Raw.ROWS_MAX, sensor_count - len(counts))))
            if not isinstance(answer, Raw) or answer.first_sensor != len(counts) or not answer.rows:
                raise NotToldError("the board does not tell its readings as they are asked for")
            counts += [row.adc for row in answer.rows]
        return tuple(counts[:sensor_count])

    def _rows(self, sensor_count: int) -> tuple[CalibrationRow, ...]:
        rows: list[CalibrationRow] = []
        while len(rows) < sensor_count:
            answer = self._ask(
                CalibrationReq(0, len(rows), min(Calibration.ROWS_MAX, sensor_count - len(rows)))
            )
            if not isinstance(answer, Calibration) or answer.first_sensor != len(rows) or not answer.rows:
                raise NotToldError("the board does not tell its calibration as it is asked for")
            rows += answer.rows
        return tuple(rows[:sensor_count])


def give_up(link: Link) -> None:
    """End a visit from another thread: it took too long. Never fails."""
    with suppress(Exception):
        link.give_up()
        link.wake()
