"""The table of a simulated Ligretto board: cards with tags on pads, and stop buttons.

Keeps the contract of surface.py. Must not know bytes, ports, power, the rules or who wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from random import Random

from tablewire.virtual.fault_kinds import Fault
from tablewire.virtual.language import CommandError
from tablewire.virtual.magnets import Magnets
from tablewire.virtual.pads import BUTTONS_MAX, READERS_MAX, Pads
from tablewire.virtual.printed import Tag
from tablewire.virtual.surface import Timed, Work
from tablewire.virtual.tag_commands import Clear, Command, Lay, Move, PressButton, Take, tag_language
from tablewire.virtual.tag_troubles import TagTroubles
from tablewire.virtual.tray import Tray

PADS_PER_PLAYER = 4
"""At most as many piles are begun as there are ones."""


class TagSurface:
    """The table, with so many pads and a button for each player they serve.

    Everything that chance picks repeats with `seed`. ValueError: too many pads, or none.
    """

    def __init__(self, seed: int, pad_count: int) -> None:
        if not 1 <= pad_count <= READERS_MAX:
            raise ValueError(f"{pad_count} pads: from 1 to {READERS_MAX}")
        button_count = min(BUTTONS_MAX, -(-pad_count // PADS_PER_PLAYER))
        self.magnets = Magnets(0)
        self.pads = Pads(pad_count, button_count, seed)
        self.language = tag_language(pad_count, button_count)
        self._tray = Tray(self.pads, seed)
        self._troubles = TagTroubles(self.pads, self._tray, seed)
        self._now_ms = 0
        self._chance = Random(f"hands {seed}")  # noqa: S311 - repeatable on purpose

    @property
    def faults(self) -> Mapping[str, Fault]:
        """Those that are on, by name."""
        return self._troubles.faults

    def plan(self, command: Command, now_ms: int) -> Work | None:
        """What a hand does for a command. CommandError: not as the cards lie."""
        match command:
            case Lay(tags, pads, over_ms):
                return self._plan_lay(tags, pads, over_ms, now_ms)
            case Take(tags, pad, over_ms):
                for tag in tags:
                    self._expect_lying(tag, pad)
                return self._plan_leave(tags, over_ms)
            case Clear(pad, over_ms):
                cleared = sorted(self._tray.lying()) if pad is None else [pad]
                lying = [tag for one in cleared for tag in reversed(self._tray.tags_on(one))]
                if pad is not None and not lying:
                    raise CommandError(f"no card lies on pad {pad}")
                return self._plan_leave(lying, over_ms)
            case Move(tag, pad, over_ms):
                self._expect_lying(tag, None)
                laying, text = self._troubles.lay(tag, (pad,), now_ms + over_ms)
                leave = Timed(0, partial(self._tray.leave, tag))
                return Work((leave, Timed(over_ms, partial(self._tray.land, laying))), over_ms, text)
            case PressButton(button, held_ms):
                down = Timed(0, lambda _: self.pads.hold(button, down=True))
                up = Timed(held_ms, lambda _: self.pads.hold(button, down=False))
                return Work((down, up), held_ms)
        return None

    def _plan_lay(self, tags: Sequence[Tag], pads: tuple[int, ...], over_ms: int, now_ms: int) -> Work:
        for tag in tags:
            where = self._tray.pad_of(tag)
            if where is not None:
                raise CommandError(f"{tag.name} lies on pad {where} already: take it first")
        steps, texts = [], []
        for tag, after_ms in zip(tags, self._times(len(tags), over_ms), strict=True):
            laying, text = self._troubles.lay(tag, pads, now_ms + after_ms)
            steps.append(Timed(after_ms, partial(self._tray.land, laying)))
            texts += [text] if text else []
        return Work(tuple(steps), over_ms, "; ".join(texts))

    def _plan_leave(self, tags: Sequence[Tag], over_ms: int) -> Work:
        times = self._times(len(tags), over_ms)
        steps = (Timed(ms, partial(self._tray.leave, tag)) for tag, ms in zip(tags, times, strict=True))
        return Work(tuple(steps), over_ms)

    def _times(self, count: int, over_ms: int) -> list[int]:
        """When each of so many cards moves: the first at once, the last after `over_ms`."""
        if count < 2:
            return [0] * count
        between = sorted(self._chance.randint(0, over_ms) for _ in range(count - 2))
        return [0, *between, over_ms]

    def _expect_lying(self, tag: Tag, pad: int | None) -> None:
        where = self._tray.pad_of(tag)
        if where is None:
            raise CommandError(f"{tag.name} lies on no pad")
        if pad not in (None, where):
            raise CommandError(f"{tag.name} lies on pad {where}, not on {pad}")

    def do_at_once(self, command: Command, now_ms: int) -> str:
        """There is no such command here: every hand takes its time."""
        raise CommandError(f"nothing does {command} at {now_ms} ms")

    def turn_on(self, fault: Fault, now_ms: int) -> tuple[Iterable[Timed], str]:
        """Begin a fault. FaultError."""
        return self._troubles.turn_on(fault, now_ms)

    def turn_off(self, name: str, now_ms: int) -> None:
        """End a fault, if it is on."""
        del now_ms
        self._troubles.turn_off(name)

    def due(self, now_ms: int) -> Iterable[Timed]:
        """Let cards be seen that were not, or by the other reader; end faults that are over."""
        self._troubles.settle(now_ms)
        self._tray.settle(now_ms)
        return ()

    def next_due_ms(self) -> int | None:
        """When `due` must be called next."""
        due = (self._troubles.next_due_ms(), self._tray.next_due_ms())
        return min((ms for ms in due if ms is not None), default=None)

    def state(self) -> Mapping[str, object]:
        """Which cards lie on which pads, bottom first; between which they rest; which buttons are down."""
        return {
            "pads": {str(pad): names for pad, names in self._tray.lying().items()},
            "between": self._tray.between(),
            "buttons": sorted(self.pads.held),
        }
