"""A virtual board and a host session on one clock, joined without a port."""

from __future__ import annotations

from collections.abc import Callable

from tablewire.games.cirkis.wiring import SENSOR_COUNT
from tablewire.virtual.board import VirtualBoard
from tablewire.wire.frame import Decoder, Frame
from tablewire.wire.observed import Changes, Complete, SensorChange, Sightings, Snapshot, TagsLying
from tablewire.wire.session import BoardFound, BoardRefused, HostSession, Known, Told


class Bench:
    """Both ends of the link, from the board's time on.

    `told` is all the session ever told, `heard` every sound frame.
    """

    def __init__(self, board: VirtualBoard, known: Known | None = None, step_ms: int = 5) -> None:
        self.board = board
        self.session = HostSession(known)
        self.now_ms = board.table_ms
        self.told: list[Told] = []
        self.heard: list[Frame] = []
        self._decoder = Decoder()
        self._step_ms = step_ms
        self.open()

    def open(self) -> None:
        """The host opens the port."""
        self.board.port_opened()
        self.session.link_opened(self.now_ms)

    def run(self, ms: int) -> list[Told]:
        """Let time pass, bytes going both ways; what the session told meanwhile."""
        begun = len(self.told)
        for _ in range(0, ms, self._step_ms):
            self.now_ms += self._step_ms
            self.board.advance(self.now_ms)
            for chunk in self.board.chunks_to_send():
                self.heard += self._decoder.receive_data(chunk)
                for one in self.session.receive_data(chunk, self.now_ms):
                    self.told.append(one)
                    self.keep(one)
            said = self.session.data_to_send(self.now_ms)
            if said:
                self.board.receive_data(said)
        return self.told[begun:]

    def wait_for_change(self, count: int, sensor: int | None = None) -> int:
        """Let time pass until so many changes were told (of one sensor); how many ms. Fails after 20 s."""
        begun_ms = self.now_ms
        while sum(sensor in (None, change.sensor) for change in self.changes()) < count:
            assert self.now_ms - begun_ms < 20_000, "nothing was told for 20 s"
            self.run(self._step_ms)
        return self.now_ms - begun_ms

    def keep(self, one: Told) -> None:
        match one:
            case Changes(nonce, changes):
                self.session.acknowledge(changes[-1].number, nonce)
            case Snapshot(nonce, number, _, _):
                self.session.acknowledge(number, nonce)

    def do(self, *lines: str, hand: int = 0, rest_ms: int = 0) -> list[str]:
        """Give commands and let time pass until they are done, and for `rest_ms` after that; the answers."""
        tickets = [self.board.command(line, hand) for line in lines]
        while any(ticket.answer is None for ticket in tickets):
            self.run(self._step_ms)
        self.run(rest_ms)
        return [ticket.answer or "" for ticket in tickets]

    def changes(self) -> list[SensorChange]:
        """Every change told."""
        return [change for one in self.told if isinstance(one, Changes) for change in one.changes]

    def believed(self) -> dict[int, int]:
        """What the host believes to lie on each sensor that is not empty: last snapshot and what followed."""
        classes: dict[int, int] = {}
        for one in self.told:
            match one:
                case Snapshot(_, _, _, table):
                    assert len(table) == SENSOR_COUNT
                    classes = dict(enumerate(table))
                case Changes(_, changes):
                    for change in changes:
                        assert classes[change.sensor] == change.old
                        classes[change.sensor] = change.new
                case Complete() | BoardFound() | BoardRefused() | Sightings() | TagsLying():
                    pass
        return {sensor: magnet for sensor, magnet in classes.items() if magnet}

    def counters(self) -> dict[str, int]:
        """What the firmware has counted since its boot."""
        return dict(self.board.heart.counters())

    def lying(self) -> dict[int, int]:
        """What really lies there."""
        magnets = self.board.magnets
        return {sensor: int(magnets[sensor]) for sensor in range(SENSOR_COUNT) if magnets[sensor]}

    def assert_nothing_lost_or_doubled(self) -> None:
        """Within each boot the numbers told have no holes and no repeats, except over a snapshot."""
        number: int | None = None
        for one in self.told:
            match one:
                case Snapshot():
                    number = one.number
                case Changes(_, changes):
                    for change in changes:
                        assert number is not None
                        assert change.number == number + 1
                        number = change.number


def meet(board: VirtualBoard) -> Bench:
    """A bench whose session has found its board and taken the first snapshot."""
    bench = Bench(board)
    bench.run(300)
    assert bench.session.synced
    return bench


Meet = Callable[..., Bench]
"""`met(seed)`: a bench with a new board."""
