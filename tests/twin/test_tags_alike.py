"""The simulated board with readers and the real firmware, told and shown the same, answer alike.

Left aside is what may differ: times by some passes of the readers, nonces, into which batches changes are
put, and in which order one retelling names what lies there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from tests.twin.test_alike import ANSWERED_MS, COUNTERS, Host

from tablewire.twin.heart import TwinHeart
from tablewire.virtual.board import VirtualBoard
from tablewire.virtual.heart import HeartMaker
from tablewire.virtual.python_heart import PythonHeart
from tablewire.wire.frame import Decoder, Frame
from tablewire.wire.messages import (
    BOARD_PARSERS,
    PAYLOAD_MAX,
    Ack,
    BoardKind,
    BoardMessage,
    Calibrate,
    CalibrationReq,
    Hello,
    HostHello,
    HostMessage,
    Light,
    Param,
    ParamKey,
    ParamOp,
    RawReq,
    Result,
    Sight,
    Signal,
    SnapshotReq,
    Sound,
    Status,
    StatusReq,
    Tags,
)

STEPS = 40
BOOTED_MS = 1_000
CAME_MS = 150  # a pass and the reading of a card, several times
GONE_MS = 2_500  # misses of every card of a pile, one in each of its turns
TIMES_DIFFER_MS = 60
CARDS = [f"{owner}:green:{value}" for owner in ("red", "blue") for value in range(1, 5)]
DEEDS = ("lay", "lay", "take", "press", "known", "known", "known", "crafted", "garbage")
HELLO_ALIKE = (
    "kind",
    "sensor_count",
    "reader_count",
    "button_count",
    "features",
    "payload_max",
    "last_number",
    "oldest_number",
)

Row = tuple[int, int, str]


class Side:
    """One board, and what it has said: answers in order, and every numbered change."""

    def __init__(self, heart: HeartMaker) -> None:
        self.board = VirtualBoard(1, heart=heart, kind=BoardKind.LIGRETTO)
        self.answers: list[tuple[object, ...]] = []
        self.rows: dict[int, Row] = {}
        self.times_ms: dict[int, int] = {}
        self.status: Status | None = None
        self.nonce = 0
        self._decoder = Decoder()

    def hear(self) -> None:
        """Take what the board has said."""
        for item in self._decoder.receive_data(self.board.data_to_send()):
            if isinstance(item, Frame):
                self._note(BOARD_PARSERS[item.type](item.payload))

    def _note(self, message: BoardMessage) -> None:
        match message:
            case Hello():
                self.nonce = message.nonce
                self.answers.append(("hello", *(getattr(message, name) for name in HELLO_ALIKE)))
            case Tags(_, first, base_ms, rows):
                for number, row in enumerate(rows, first):
                    told = (row.what, row.source, row.uid[: row.uid_size].hex())
                    assert self.rows.setdefault(number, told) == told
                    self.times_ms[number] = base_ms + row.dt_ms
            case Status():
                self.status = message
            case Result(token, code, value):
                self.answers.append(("result", token, code, value & 0xFFFF))
            case _:
                raise AssertionError(message)

    @property
    def last(self) -> int:
        """Up to which change nothing is missing."""
        number = 0
        while number + 1 in self.rows:
            number += 1
        return number

    def story(self) -> list[list[Row]]:
        """All changes in order, those of one retelling sorted."""
        blocks: list[list[Row]] = []
        for number in range(1, self.last + 1):
            row = self.rows[number]
            retold = row[0] == Sight.FOUND and blocks and blocks[-1][0][0] in (Sight.ANEW, Sight.FOUND)
            if retold:
                blocks[-1].append(row)
            else:
                blocks.append([row])
        return [[block[0], *sorted(block[1:])] for block in blocks]


@dataclass
class Pair:
    """Both boards under the same hands, and hosts that say the same to both."""

    rng: Random
    simulated: Side = field(default_factory=lambda: Side(PythonHeart))
    firmware: Side = field(default_factory=lambda: Side(TwinHeart))
    ms: int = 0
    lying: dict[str, int] = field(default_factory=dict)

    def sides(self) -> Iterable[Side]:
        return (self.simulated, self.firmware)

    def run(self, ms: int) -> None:
        """Let time pass on both."""
        self.ms += ms
        for side in self.sides():
            side.board.advance(self.ms)
            side.hear()

    def do(self, *lines: str) -> None:
        """The same hands over both."""
        for side in self.sides():
            for line in lines:
                side.board.command(line)

    def send(self, data: bytes) -> None:
        """The same bytes to both."""
        for side in self.sides():
            side.board.receive_data(data)

    def say(self, host: Host, message: HostMessage) -> None:
        """A message of one of the hosts; an acknowledgement goes to each board's own boot."""
        seq = host.seq
        for side in self.sides():
            host.seq = seq
            own = replace(message, nonce=message.nonce ^ side.nonce) if isinstance(message, Ack) else message
            side.board.receive_data(host.frame(own.TYPE, own.encode()))
        self.run(ANSWERED_MS)

    def acknowledge(self, host: Host) -> None:
        """All that each has told, until there is no more of it."""
        for _ in range(20):
            seq = host.seq
            before = [side.last for side in self.sides()]
            for side in self.sides():
                host.seq = seq
                side.board.receive_data(host.frame(Ack.TYPE, Ack(side.nonce, side.last).encode()))
            self.run(ANSWERED_MS)
            if [side.last for side in self.sides()] == before:
                return

    def compare(self) -> None:
        """What both have told so far is alike."""
        left, right = self.simulated, self.firmware
        assert left.answers == right.answers
        assert left.story() == right.story()
        for number, (what, _, _) in left.rows.items():
            if what in (Sight.CAME, Sight.DOWN, Sight.UP):
                assert abs(left.times_ms[number] - right.times_ms[number]) <= TIMES_DIFFER_MS, number
        assert left.status is not None
        assert right.status is not None
        assert left.status.readers == right.status.readers
        for name in COUNTERS:
            assert getattr(left.status, name) == getattr(right.status, name), name


# ---- what happens ----


def lay(pair: Pair) -> None:
    """A card comes; two at once would be told in either order."""
    card = pair.rng.choice([card for card in CARDS if card not in pair.lying] or [""])
    if card:
        pair.lying[card] = pair.rng.randrange(4)
        pair.do(f"lay {card} {pair.lying[card]}")
        pair.run(CAME_MS)


def take(pair: Pair) -> None:
    """A card goes."""
    if pair.lying:
        card = pair.rng.choice(sorted(pair.lying))
        del pair.lying[card]
        pair.do(f"take {card}")
        pair.run(GONE_MS)


def press(pair: Pair) -> None:
    """A button, for long or so short that it bounces only."""
    pair.do(f"press {pair.rng.randrange(4)} {pair.rng.choice((3, 100))}")
    pair.run(CAME_MS)
    pair.run(CAME_MS)


def known_message(pair: Pair, token: int) -> HostMessage:
    """A message that a host may send, with values at and beyond their limits."""
    rng = pair.rng
    return rng.choice(
        (
            HostHello(rng.randrange(3), rng.randrange(3)),
            Ack(0, pair.simulated.last + 1000),
            Ack(1 << 16, pair.simulated.last),
            SnapshotReq(),
            StatusReq(),
            Param(token, rng.randrange(3), rng.randrange(8), rng.choice((0, 3, 11, 201, 65536 + 2))),
            Param(token, ParamOp.SET, ParamKey.FIELD_GROUPS, rng.choice((0, 1, 3, 5, 8))),
            Param(token, ParamOp.SET, ParamKey.MISSES, rng.choice((1, 2, 3, 4, 11))),
            Param(token, ParamOp.SET, ParamKey.DEBOUNCE_MS, rng.choice((5, 20, 30, 201))),
            RawReq(token, 0, 3),
            CalibrationReq(token, 0, 3),
            Calibrate(token, rng.randrange(10), 255),
            Signal(token, rng.randrange(256), rng.randrange(len(Light) + 2), rng.randrange(len(Sound) + 2)),
        )
    )


def say_known(pair: Pair, host: Host, token: int) -> None:
    """A message, perhaps twice."""
    message = known_message(pair, token)
    for _ in range(pair.rng.choice((1, 1, 2))):
        pair.say(host, message)


def say_crafted(pair: Pair, host: Host) -> None:
    """A frame of any type with any number of bytes."""
    kind = pair.rng.choice((*range(0x40, 0x4C), pair.rng.randrange(256)))
    size = pair.rng.choice((0, 1, 2, 3, 4, 5, 7, 8, pair.rng.randrange(PAYLOAD_MAX + 1)))
    pair.send(host.frame(kind, pair.rng.randbytes(size)))
    pair.run(ANSWERED_MS)


def say_garbage(pair: Pair) -> None:
    """Bytes that are no frame, or a frame with damage."""
    count = pair.rng.choice((1, 5, 30, 121, 122, 123, 300))
    pair.send(bytes(pair.rng.choice((0, 1, 2, 5, pair.rng.randrange(256))) for _ in range(count)) + b"\0")
    pair.run(ANSWERED_MS)


@pytest.mark.parametrize("seed", range(2))
def test_both_boards_answer_alike(seed: int) -> None:
    pair, hosts = Pair(Random(seed)), (Host(), Host())
    try:
        pair.run(BOOTED_MS)
        for side in pair.sides():
            side.answers.clear()  # how often each greeted on its own
        pair.say(hosts[0], HostHello(1, 0))
        for step in range(STEPS):
            host = hosts[pair.rng.random() < 0.2]
            token = pair.rng.choice((step, step, 7))
            match pair.rng.choice(DEEDS):
                case "lay":
                    lay(pair)
                case "take":
                    take(pair)
                case "press":
                    press(pair)
                case "known":
                    say_known(pair, host, token)
                case "crafted":
                    say_crafted(pair, host)
                case _:
                    say_garbage(pair)
            pair.acknowledge(hosts[0])
            pair.say(hosts[0], StatusReq())
            pair.compare()
        for key in range(1, 7):
            pair.say(hosts[0], Param(100 + key, ParamOp.GET, key, 0))
        pair.compare()
        assert pair.simulated.last > STEPS / 4, "hardly anything happened"
    finally:
        for side in pair.sides():
            side.board.close()
