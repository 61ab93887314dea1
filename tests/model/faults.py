"""What breaks under a table: the host, the board, the cable, the line, the disk.

Owns the rules of the machine that break something and mend it. While it is broken the hands go on; when it is
mended everything they did has been understood, in their order.
"""

from __future__ import annotations

from random import Random

from hypothesis.stateful import precondition, rule
from tests.model.mishaps import Mishaps
from tests.model.sitting import CHANCE

LINE_FAULTS = (
    "drop percent=3",
    "flip percent=3",
    "insert percent=3",
    "duplicate percent=20",
    "reorder percent=20",
    "mute to=host",
    "mtu 23",
)


class Faults(Mishaps):
    """Kill, reset, unplug, noise, no room."""

    @precondition(lambda self: self.may_break)
    @rule(chance=CHANCE)
    def the_host_is_killed(self, chance: int) -> None:
        """Before or after a write or at rest; it comes back at once, or later."""
        rng = Random(chance)
        if "off" in self.trouble:
            return
        when = rng.choice(["now", "before it is kept", "before it is shown"])
        if when == "now":
            self.evening.kill()
        else:
            self.evening.disk.dies = when
        self.trouble.add("off")
        if rng.random() < 0.5:
            self.evening.run(rng.choice([0, 50, 2_000]))
            self.evening.kill()
            # Whoever starts the program again has made room on the disk.
            self.evening.switch_on()
            self.trouble -= {"off", "full"}
            if not self.trouble:
                self.heal_everything()

    @precondition(lambda self: self.begun and not self.trouble)
    @rule(chance=CHANCE)
    def the_board_is_reset(self, chance: int) -> None:
        """A new boot; what lies there is what lay there. With it, perhaps, the host."""
        rng = Random(chance)
        both = rng.random() < 0.3
        if both:
            self.evening.kill()
        self.hand("reset")
        if both:
            self.evening.switch_on()
        self.heal_everything()

    @precondition(lambda self: self.begun and not self.trouble)
    @rule(chance=CHANCE)
    def the_board_resets_when_its_port_is_opened(self, chance: int) -> None:
        """As an Arduino does: deaf for a while, then a new boot, after which it is what it was."""
        self.hand(f"fault reset-on-open ms={Random(chance).choice([10, 500, 2_000])}")
        self.evening.kill()
        self.evening.switch_on()
        self.evening.found()
        self.hand("fault off reset-on-open")
        self.heal_everything()

    @precondition(lambda self: self.playing)
    @rule(chance=CHANCE)
    def the_board_is_reset_under_a_piece(self, chance: int) -> None:
        """A piece has hardly come down, told or not, when the board boots anew: the piece counts once."""
        rng = Random(chance)
        told = self.meaning.told
        clear = [c for c in told.choices if told.due and not self.meaning.ambiguous(told.due, c)]
        if not clear or told.due is None:
            return
        spaces = rng.choice(clear)
        self.lay(told.due, spaces, rng)
        self.evening.run(rng.choice([0, 10, 100, 400, 800]))
        self.evening.do("reset")
        self.meaning.mean(told.due, spaces)
        self.heal_everything()

    @precondition(lambda self: self.may_break and "unplugged" not in self.trouble)
    @rule()
    def the_cable_is_pulled(self) -> None:
        """The port is gone."""
        self.hand("unplug")
        self.trouble.add("unplugged")

    @precondition(lambda self: self.may_break)
    @rule(chance=CHANCE)
    def the_line_is_bad(self, chance: int) -> None:
        """Bytes vanish, change, appear, come twice, come late."""
        rng = Random(chance)
        fault = rng.choice(LINE_FAULTS)
        self.hand(f"fault {fault}")
        self.trouble.add(fault.split()[0])

    @precondition(lambda self: self.may_break and "off" not in self.trouble)
    @rule()
    def the_disk_is_full(self) -> None:
        """Nothing can be kept, so nothing is acknowledged, and a button says so."""
        self.evening.disk.full = True
        self.trouble.add("full")
        before = self.record()
        status, answer = self.evening.act("ruling", points={self.meaning.players[0]: 5}, note="a coffee cup")
        assert (status, answer["reason"]) == (503, "store")
        assert self.record() == before

    @precondition(lambda self: self.begun and self.trouble)
    @rule()
    def everything_is_mended(self) -> None:
        """What was broken works again."""
        self.heal_everything()
