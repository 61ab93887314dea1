"""A board whose every word is written by the test, and the other end of its session."""

from __future__ import annotations

from typing import Any

from tablewire.wire.frame import Decoder, Frame, Sender
from tablewire.wire.messages import HOST_PARSERS, Ack, EventRow, Events, Hello, Snapshot, Status
from tablewire.wire.observed import Changes, SensorChange, SensorId
from tablewire.wire.session import HostSession, Known, Told

NONCE = 0xB0A2D001
OTHER_NONCE = 0xB0A2D002
SENSORS = 8
EMPTY = bytes(SENSORS)

GREETING = Hello(
    major=1,
    minor=0,
    firmware="test",
    kind=1,
    sensor_count=SENSORS,
    reader_count=0,
    button_count=0,
    features=1,
    payload_max=115,
    ring_count=64,
    nonce=NONCE,
    reset_cause=1,
    device_ms=1000,
    last_number=0,
    oldest_number=1,
)
HEARTBEAT = Status(NONCE, 1000, 0, 159, 5000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, ())


def events(first: int, *rows: tuple[int, int, int], base_ms: int = 2000, nonce: int = NONCE) -> Events:
    """A batch; rows are (sensor, old class, new class), 5 ms apart."""
    packed = (EventRow(sensor, old << 4 | new, 5 * n) for n, (sensor, old, new) in enumerate(rows))
    return Events(nonce, first, base_ms, tuple(packed))


def snapshot(number: int, classes: bytes = EMPTY, device_ms: int = 1500, nonce: int = NONCE) -> Snapshot:
    """The table after a change."""
    return Snapshot(nonce, number, device_ms, classes)


class Scene:
    """A session, and the test speaking as its board. Time is `now_ms`."""

    def __init__(self, known: Known | None = None) -> None:
        self.session = HostSession(known)
        self.now_ms = 10_000
        self._sender = Sender()
        self._decoder = Decoder()
        self.session.link_opened(self.now_ms)

    def state(self) -> str:
        """What the session says of its board."""
        return str(self.session.state)

    def say(self, *messages: Any) -> list[Told]:
        """The board says this; what the session tells."""
        data = b"".join(self._sender.encode(message.TYPE, message.encode()) for message in messages)
        return self.session.receive_data(data, self.now_ms)

    def say_raw(self, frame_type: int, payload: bytes) -> list[Told]:
        """The board says something that may be no message."""
        return self.session.receive_data(self._sender.encode(frame_type, payload), self.now_ms)

    def heard(self) -> list[Any]:
        """What the host says now."""
        return [
            self._parse(frame) for frame in self._decoder.receive_data(self.session.data_to_send(self.now_ms))
        ]

    def later(self, ms: int) -> list[Any]:
        """Let time pass; what the host says meanwhile, called whenever it asked to be."""
        until_ms = self.now_ms + ms
        said = self.heard()
        while True:
            wake_ms = self.session.next_wakeup_ms(self.now_ms + 1)
            if wake_ms is None or wake_ms > until_ms:
                break
            self.now_ms = wake_ms
            said += self.heard()
        self.now_ms = until_ms
        return said

    def meet(self, classes: bytes = EMPTY) -> None:
        """Find the board and take its first snapshot, acknowledged."""
        self.say(GREETING, snapshot(0, classes))
        self.session.acknowledge(0)
        self.heard()

    @staticmethod
    def _parse(frame: Frame) -> Any:
        return HOST_PARSERS[frame.type](frame.payload)


FIRST = events(1, (5, 0, 2), (6, 0, 2))
FIRST_TOLD = Changes(
    NONCE, (SensorChange(1, SensorId(5), 0, 2, 2000), SensorChange(2, SensorId(6), 0, 2, 2005))
)
BOTH_DOWN = bytes([0, 0, 0, 0, 0, 2, 2, 0])


def after_first() -> Scene:
    """A session that has the first two changes, on disk and acknowledged."""
    scene = Scene()
    scene.meet()
    assert scene.say(FIRST) == [FIRST_TOLD]
    scene.session.acknowledge(2)
    assert scene.heard() == [Ack(NONCE, 2)]
    return scene
