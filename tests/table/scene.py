"""A table without wire, disk or page: magnets at moments in, the document out.

Every scene also restores the table from the entries it kept, after every step, and compares: a restart at any
moment must change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablewire.entries import Entry
from tablewire.games.catalogue import playable
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.wiring import SENSOR_COUNT, class_of, peg_sensor, sensor_of
from tablewire.games.live import Refusal, Told
from tablewire.table import Table, restore
from tablewire.wire.observed import Changes, Complete, Observation, SensorChange, SensorId, Snapshot

NONCE = 7


class Scene:
    """One game. Times are milliseconds of the board since its boot, and may only rise."""

    def __init__(
        self,
        players: tuple[str, ...] = ("red", "green"),
        lying: dict[int, str] | None = None,
        **options: Any,
    ) -> None:
        rulebook = options.pop("rulebook", "hasbro")
        header = {
            "record": 1,
            "game": "cirkis",
            "players": list(players),
            "rulebook": rulebook,
            "options": options,
        }
        game = playable("cirkis")
        self.pinned = {"header": game.pin(header), "rules_version": game.rules_version, "lying": None}
        self.kept: list[Entry] = []
        self.table = Table.begin(self.pinned)
        self.classes = bytearray(SENSOR_COUNT)
        for space, colour in (lying or {}).items():
            self.classes[sensor_of(space)] = class_of(colour)
        self.number = 0
        self.nonce = NONCE
        self.now_ms = 0
        self.observe(Snapshot(self.nonce, 0, 0, bytes(self.classes)))

    def observe(self, observation: Observation) -> None:
        """Take in one observation, keep what follows, and prove that a restart would change nothing."""
        self.table, entries = self.table.observe(observation)
        self.kept += entries
        # A fold over everything at each bounce of a sensor would take minutes; nothing follows from most of
        # them.
        if len(entries) > 1 or isinstance(observation, Complete):
            self.check_restart()

    def check_restart(self) -> None:
        """Compare with the table that the entries alone lead to."""
        assert restore(self.pinned, self.kept).document() == self.table.document()

    def read(self, at_ms: int, sensor: SensorId, magnet: int) -> None:
        """One sensor reads another class."""
        assert at_ms >= self.now_ms
        self.now_ms = at_ms
        self.number += 1
        change = SensorChange(self.number, sensor, self.classes[sensor], magnet, at_ms)
        self.classes[sensor] = magnet
        self.observe(Changes(self.nonce, (change,)))

    def land(self, at_ms: int, colour: str, *spaces: int, every_ms: int = 0) -> None:
        """Magnets of a colour come down, one every `every_ms`."""
        for step, space in enumerate(spaces):
            self.read(at_ms + step * every_ms, sensor_of(space), class_of(colour))

    def clear(self, at_ms: int, *spaces: int) -> None:
        """Magnets go."""
        for space in spaces:
            self.read(at_ms, sensor_of(space), 0)

    def peg(self, at_ms: int, colour: str, hole: int | None, old: int | None = None) -> None:
        """A peg leaves a hole and stands in another."""
        if old is not None:
            self.read(at_ms, peg_sensor(colour, old), 0)
        if hole is not None:
            self.read(at_ms, peg_sensor(colour, hole), class_of(PlayerColour.RED))

    def reboot(
        self,
        lands: Mapping[str, Sequence[int]] | None = None,
        clears: Sequence[int] = (),
        pegs: Mapping[str, int] | None = None,
    ) -> None:
        """The board boots anew, and what has changed meanwhile nobody saw: only a snapshot tells of it.

        From here on times are those of the new boot, which is 100 ms old.
        """
        for space in clears:
            self.classes[sensor_of(space)] = 0
        for colour, spaces in (lands or {}).items():
            for space in spaces:
                self.classes[sensor_of(space)] = class_of(colour)
        for colour, hole in (pegs or {}).items():
            self.classes[peg_sensor(colour, hole)] = class_of(PlayerColour.RED)
        self.nonce, self.number, self.now_ms = self.nonce + 1, 0, 100
        self.observe(Snapshot(self.nonce, 0, self.now_ms, bytes(self.classes)))

    def quiet(self, until_ms: int) -> dict[str, Any]:
        """Nothing happens up to `until_ms`; the document then."""
        assert until_ms >= self.now_ms
        while (deadline_ms := self.table.next_deadline_ms()) is not None and deadline_ms < until_ms:
            self.observe(Complete(self.nonce, deadline_ms))
        self.now_ms = until_ms
        self.observe(Complete(self.nonce, until_ms))
        return self.doc

    def place(self, at_ms: int, colour: str, *spaces: int) -> dict[str, Any]:
        """A piece is placed well and nothing more happens until it is final."""
        self.land(at_ms, colour, *spaces, every_ms=50)
        return self.quiet(at_ms + 50 * len(spaces) + 1_600)

    def act(self, name: str, **body: Any) -> Refusal | None:
        """An operator's action; the refusal, if it is one."""
        answer = self.table.act(name, body)
        if isinstance(answer, Refusal):
            return answer
        assert not isinstance(answer, Told), "this asks for something to be done"
        self.table, entries = self.table.enter(answer)
        self.kept += entries
        self.check_restart()
        return None

    @property
    def doc(self) -> dict[str, Any]:
        """The state document."""
        return self.table.document()

    def said(self) -> list[tuple[str, str, str]]:
        """The audit: kind, by whom, and what it says."""
        table, found = Table.begin(self.pinned), list[tuple[str, str, str]]()
        for entry in self.kept:
            told = table.intervention(entry)
            if told is not None:
                found.append((told.kind, told.by, told.text))
            table = table.evolve(entry)
        return found

    @property
    def kinds(self) -> list[str]:
        """What the journal holds beside observations."""
        return [entry.kind.value for entry in self.kept if entry.kind.value != "observation"]


def laid(scene: Scene) -> list[tuple[str, list[int]]]:
    """The pieces of the document, oldest first."""
    return [(str(piece["player"]), piece["spaces"]) for piece in scene.doc["laid"]]


def opened() -> Scene:
    """Red's kite on 6, green's dart on 16; it is red's turn and everything is final at 8,000."""
    scene = Scene()
    scene.place(1_000, "red", 6)
    scene.place(4_000, "green", 16)
    scene.quiet(8_000)
    return scene
