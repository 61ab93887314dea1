"""Check a table's wiring with one magnet: it goes from place to place, and what answers is said.

Owns the order of places, when an answer counts, and going back and forth. Must not know what answers mean
(that is wiring_verdict.py), ports or terminals.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tablewire.builder.conversation import Conversation
from tablewire.builder.dialogue import Person
from tablewire.builder.levels import ZERO_FAR, at_rail
from tablewire.builder.places import place_of, places_of
from tablewire.builder.steady import STEADY_COUNT, Steady
from tablewire.builder.wiring_verdict import Finding, Heard, judge, sentence, summary, wire_of
from tablewire.games.cirkis.wiring import SENSOR_COUNT
from tablewire.games.cirkis.wiring_map import WIRES
from tablewire.wire.hall import LEAST_COUNTS, ZERO_COUNTS
from tablewire.wire.messages import Feature
from tablewire.wire.observed import SensorId

LOOK_S = 0.1
"""Between two looks: three that agree take a third of a second, no longer than a hand rests."""
ORDER: tuple[SensorId, ...] = tuple(
    sorted((SensorId(sensor) for sensor in range(SENSOR_COUNT)), key=lambda sensor: WIRES[sensor])
)
"""Multiplexer by multiplexer, channel by channel, as it was soldered."""

SKIP = ("s", "skip")
BACK = ("b", "back")
HINT = "Enter when it lies there and nothing is said, s skips, b goes back, q stops"


def order_of(muxes: Collection[int]) -> tuple[SensorId, ...]:
    """The places on these multiplexers, or all of them when none is named."""
    return tuple(sensor for sensor in ORDER if not muxes or WIRES[sensor].mux in muxes)


class WiringCheck:
    """One check. `findings` are what was found, by sensor; `has_begun`: the board can be checked."""

    def __init__(self, board: Conversation, person: Person, order: Sequence[SensorId] = ORDER) -> None:
        self.findings: dict[SensorId, Finding] = {}
        self.has_begun = False
        self._board = board
        self._person = person
        self._order = order
        self._steady = Steady(())
        self._always_on: frozenset[int] = frozenset()

    def run(self) -> None:
        """Go through all places; Left when the person stops, BoardError. The summary is told by others."""
        self._board.find_with(Feature.RAW, SENSOR_COUNT)
        self.has_begun = True
        self._person.tell("Take every piece and peg off the table, then press Enter (q stops).")
        while self._person.hear() is None:
            self._board.pump()
        self._begin()
        at = 0
        while at < len(self._order):
            at = max(0, at + self._ask(self._order[at]))

    def _begin(self) -> None:
        """Take the empty table for zero, and leave out what cannot be: it would answer at every place."""
        empty = self._board.readings()
        on = [s for s, count in enumerate(empty) if abs(count - ZERO_COUNTS) > ZERO_FAR or at_rail(count)]
        self._steady = Steady(empty)
        self._always_on = frozenset(on)
        wrong = [sensor for sensor in self._order if sensor in self._always_on]
        for sensor in wrong:
            self.findings[sensor] = Finding(sensor, Heard.ALWAYS_ON)
        if wrong:
            self._person.tell(f"  without a magnet, these read one: {places_of(wrong)}. They are left out.")
        self._person.tell(f"One magnet is enough, of any kind. {HINT}.")

    def _ask(self, sensor: SensorId) -> int:
        """Ask for one place; how many places to go on, or -1 to go back."""
        if sensor in self._always_on:
            return 1
        self._look()
        left_over = self._active()  # still on the place before
        self._person.tell(f"Place a magnet on {place_of(sensor)} ({wire_of(sensor)})")
        last: frozenset[int] = frozenset()
        same_count = 0
        while True:
            self._board.rest(LOOK_S)
            self._look()
            active = self._active()
            left_over &= active
            answered = active - left_over
            same_count = same_count + 1 if answered == last else 1
            last = answered
            if answered and same_count >= STEADY_COUNT:
                return self._note(judge(sensor, answered))
            word = self._person.hear()
            if word in SKIP:
                return 1
            if word in BACK:
                return -1
            if word == "":
                # It lies there: what still answers, if it is the one that should, was there before.
                return self._note(judge(sensor, active & {sensor}))
            if word is not None:
                self._person.tell(f"  {HINT}.")

    def _note(self, finding: Finding) -> int:
        self.findings[finding.sensor] = finding
        self._person.tell(f"  {sentence(finding)}")
        return 1

    def _look(self) -> None:
        self._steady.take(self._board.readings())

    def _active(self) -> frozenset[int]:
        return self._steady.active(LEAST_COUNTS) - self._always_on

    @property
    def faultless(self) -> bool:
        """Whether every place that was looked at answered as it should."""
        return all(finding.heard is Heard.RIGHT for finding in self.findings.values())

    def summary(self) -> list[str]:
        """The end of the check, in lines."""
        return summary(list(self.findings.values()))

    def report(self, *, finished: bool) -> dict[str, Any]:
        """The findings as JSON."""
        return {
            "finished": finished,
            "findings": [
                {
                    "sensor": finding.sensor,
                    "place": place_of(finding.sensor),
                    "heard": finding.heard.name.lower(),
                    "answered": [place_of(one) for one in finding.answered],
                }
                for finding in sorted(self.findings.values())
            ],
            "summary": self.summary(),
        }
