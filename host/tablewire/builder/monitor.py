"""Watch a board: which class each sensor reads, each change with its reading, and how the link fares.

Owns what is watched and the plain lines. Must not know how it is drawn on a screen, or where lines go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from tablewire.builder.conversation import Conversation, Restarted
from tablewire.builder.levels import KINDS, Pole
from tablewire.builder.places import place_of
from tablewire.games.cirkis.wiring import SENSOR_COUNT
from tablewire.wire.hall import ZERO_COUNTS
from tablewire.wire.messages import Feature, MagnetClass, Status
from tablewire.wire.session import Count

LOOK_S = 0.1
"""Between two looks at all readings: as often as an eye follows."""
RECENT_COUNT = 10
"""Changes kept for the screen: what fits below the table on a terminal of 40 lines."""
NO_SENSOR = 255
"""What STATUS says where no sensor flickered."""
EXPECTED = (Count.BEFORE_HELLO, Count.WHILE_UNSURE, Count.REPEATED)
"""What any session counts while it begins."""
LINK_COUNTERS = (
    ("rx_bad_crc", "frames damaged on the way to the board"),
    ("rx_bad_cobs", "frames cut on the way to the board"),
    ("rx_bad_length", "frames of the wrong length on the way to the board"),
    ("rx_lost", "frames that never reached the board"),
    ("rx_unknown", "messages the board did not know"),
    ("rx_overrun", "bytes the board was too late for"),
    ("tx_retries", "messages said again"),
    ("ring_overflows", "times more happened than the board can keep"),
    ("tx_dropped", "answers dropped because the line was full"),
    ("scan_overruns", "rows of the scan lost"),
)


def words_of(magnet: int) -> str:
    """A class in a monitor's words: "empty", "N strong"."""
    kind = KINDS.get(MagnetClass(magnet)) if magnet in set(MagnetClass) else None
    if kind is None:
        return "empty" if magnet == MagnetClass.EMPTY else f"class {magnet}"
    return f"{'N' if kind.pole is Pole.NORTH else 'S'} {'strong' if kind.strong else 'weak'}"


@dataclass(slots=True)
class Watched:
    """What is known of the board now. `among` are the sensors watched; `lines` are their newest changes."""

    port: str
    firmware: str
    classes: bytes = b""
    readings: tuple[int, ...] = ()
    zeros: tuple[int, ...] = ()
    status: Status | None = None
    among: Collection[int] = range(SENSOR_COUNT)
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=RECENT_COUNT))

    def field_of(self, sensor: int) -> int:
        """A sensor's reading less its zero."""
        return self.readings[sensor] - self.zeros[sensor]

    def strongest(self, count: int) -> list[int]:
        """The watched sensors that read something or hold the widest fields, widest first."""
        return sorted(self.among, key=lambda s: (-abs(self.field_of(s)), s))[:count]


class Monitor:
    """One watch. `say` takes each line, `show` the whole after each look."""

    def __init__(
        self,
        board: Conversation,
        say: Callable[[str], None],
        show: Callable[[Watched], None] = lambda _: None,
        among: Collection[int] = range(SENSOR_COUNT),
    ) -> None:
        self._board = board
        self._say = say
        self.show = show
        hello = board.find_with(Feature.RAW, SENSOR_COUNT)
        self.watched = Watched(board.port, hello.firmware, bytes(board.classes), among=frozenset(among))
        self.watched.zeros = (ZERO_COUNTS,) * hello.sensor_count
        if hello.features & Feature.CALIBRATION:
            self.watched.zeros = tuple(row.zero or ZERO_COUNTS for row in board.levels())

    def run(self, for_s: float | None = None) -> None:
        """Watch for so long, or until KeyboardInterrupt. BoardError when the board is lost."""
        until_s = None if for_s is None else self._board.now_s() + for_s
        self.watched.readings = self._board.readings()
        for line in lying_lines(self.watched):
            self._say(line)
        while until_s is None or self._board.now_s() < until_s:
            try:
                self._look()
                self._board.rest(LOOK_S)
            except Restarted:
                self._tell("the board has restarted")

    def _look(self) -> None:
        """Read everything, and say what has changed."""
        watched = self.watched
        # The readings come second: what changes while they are read belongs to the next look.
        told, classes = self._board.take_changes(), bytes(self._board.classes)
        watched.readings = self._board.readings()
        watched.status = self._board.session.status
        for change in told:
            if change.sensor not in watched.among:
                continue
            self._tell(
                f"{change.device_ms / 1000:.3f} s {place_of(change.sensor)} {words_of(change.old)} -> "
                f"{words_of(change.new)} ({watched.readings[change.sensor]})"
            )
        unsaid = {change.sensor for change in told}
        for sensor, (old, new) in enumerate(zip(watched.classes, classes, strict=True)):
            if (
                old != new and sensor in watched.among and sensor not in unsaid
            ):  # a snapshot said so, after a restart or a gap
                self._tell(f"{place_of(sensor)} is now {words_of(new)} ({watched.readings[sensor]})")
        watched.classes = classes
        self.show(watched)

    def _tell(self, line: str) -> None:
        self.watched.lines.append(line)
        self._say(line)

    def counter_lines(self) -> Iterator[str]:
        """The link's counters, for the end."""
        yield from counter_lines(self.watched.status, self._board)


def lying_lines(watched: Watched) -> Iterator[str]:
    """What lies there at the beginning."""
    lying = [
        (sensor, magnet)
        for sensor, magnet in enumerate(watched.classes)
        if magnet and sensor in watched.among
    ]
    if not lying:
        yield "nothing lies on the board" if len(watched.among) == SENSOR_COUNT else "nothing lies there"
    for sensor, magnet in lying:
        yield f"{place_of(sensor)} {words_of(magnet)} ({watched.readings[sensor]})"


def counter_lines(status: Status | None, board: Conversation) -> Iterator[str]:
    """What went wrong on the line, in words; one line when nothing did."""
    lines = list(_counts(status, board))
    if status is not None:
        yield f"{status.scan_hz} scans a second, supply {status.supply_mv / 1000:.2f} V"
        if status.flicker_count:
            where = (
                ""
                if status.flicker_sensor == NO_SENSOR
                else f", the last at {place_of(status.flicker_sensor)}"
            )
            yield f"{status.flicker_count} changes too short to count{where}"
    yield from lines or ["the link: no trouble"]


def _counts(status: Status | None, board: Conversation) -> Iterable[str]:
    if status is not None:
        for name, words in LINK_COUNTERS:
            count = getattr(status, name)
            if count:
                yield f"the link: {count} {words}"
    dropped = board.session.decoder.drops.total()
    if dropped:
        yield f"the link: {dropped} frames damaged on the way to this computer"
    for what, count in board.session.counts.items():
        if count and what not in EXPECTED:
            yield f"the link: {count} {what.value}"
