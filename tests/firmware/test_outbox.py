"""The firmware's outbox says the same as the simulated board's, whatever happens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.firmware.native import Codec

from tablewire.virtual.outbox import Outbox
from tablewire.wire.messages import Events, Snapshot


@pytest.fixture(scope="module")
def codec() -> Iterator[Codec]:
    one = Codec()
    yield one
    one.close()


class Simulated:
    """The simulated board's outbox, going through the same steps."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.outbox = Outbox(1, lambda number: Snapshot(1, number, 0, b""))

    def take(self, step: str) -> None:
        """One step, as the firmware's driver reads it."""
        verb, *numbers = step.split(":")
        match verb, [int(number) for number in numbers]:
            case "push", [sensor, old, new, ms]:
                self.outbox.push(sensor, old, new, ms)
            case "ack", [number]:
                self.outbox.acknowledge(number)
            case "resend", [ms]:
                self.outbox.resend(ms)
            case _, [ms]:
                self.words.append(self._word(self.outbox.take_due(ms)))

    def counters(self) -> str:
        """As the firmware's driver ends its answer."""
        return f"{self.outbox.retry_count}:{self.outbox.overflow_count}:{self.outbox.oldest_number}"

    @staticmethod
    def _word(message: Events | Snapshot | None) -> str:
        match message:
            case Events(_, first, base_ms, rows):
                return ":".join(map(str, ("events", first, base_ms, *(one for row in rows for one in row))))
            case Snapshot(_, number, _, _):
                return f"snapshot:{number}"
            case None:
                return "-"


def pushes(first: int, count: int, ms: int) -> list[str]:
    """Changes of as many sensors, one after another."""
    return [f"push:{(first + k) % 201}:0:{k % 4 + 1}:{ms + min(k, 2)}" for k in range(count)]


@settings(deadline=None)  # the answers come from another process
@given(data=st.data())
def test_any_course_of_events_is_told_alike(codec: Codec, data: st.DataObject) -> None:
    simulated = Simulated()
    steps: list[str] = []
    ms = 0
    for _ in range(data.draw(st.integers(1, 60))):
        ms += data.draw(st.sampled_from((0, 1, 5, 29, 30, 31, 60, 500, 70_000)))
        last = simulated.outbox.last_number
        match data.draw(st.sampled_from(("push", "burst", "ack", "due", "due", "due", "resend"))):
            case "push":
                new = pushes(last, data.draw(st.integers(1, 4)), ms)
                ms += 2
            case "burst":
                new = pushes(last, data.draw(st.sampled_from((15, 17, 40, 127, 128, 129))), ms)
                ms += 2
            case "ack":
                oldest = simulated.outbox.oldest_number
                new = [f"ack:{data.draw(st.integers(max(0, oldest - 3), last + 1))}"]
            case "resend":
                new = [f"resend:{ms}"]
            case _:
                new = [f"due:{ms}"]
        for step in new:
            simulated.take(step)
        steps += new
    assert codec.outbox(steps) == [*simulated.words, simulated.counters()]


def test_a_line_that_never_answers_sees_the_same_retries(codec: Codec) -> None:
    steps = [*pushes(0, 40, 100), *(f"due:{ms}" for ms in range(100, 9000))]
    simulated = Simulated()
    for step in steps:
        simulated.take(step)
    said = codec.outbox(steps)
    assert said == [*simulated.words, simulated.counters()]
    told = [word.split(":") for word in said[:-1] if word != "-"]
    assert [(len(words) - 3) // 3 for words in told][:10] == [16, 16, 8, 8, 4, 4, 2, 2, 1, 1]
