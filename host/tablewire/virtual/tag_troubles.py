"""The faults of reading and of hands that are on at a simulated table of cards, from beginning to end.

Owns each fault of tag_fault_table.py: what it does to the next cards, to those that lie there, or to readers.
Must not know bytes, ports, power or the game; the table's time in milliseconds is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from tablewire.virtual.fault_kinds import OWN_SEED, Fault, FaultError, Span, seed_of
from tablewire.virtual.grid import neighbours
from tablewire.virtual.pads import Misread, Pads
from tablewire.virtual.printed import Tag
from tablewire.virtual.surface import Timed
from tablewire.virtual.tag_fault_table import BETWEEN_MS, TURN
from tablewire.virtual.tray import Laying, Tray

RETRY_MS = 25  # a pass and a little more: the next time that the pad is called

LASTING = ("missed-reads", "deaf-reader")
"""The faults that are over by themselves after `ms`."""


@dataclass(frozen=True, slots=True)
class _On:
    """A fault that is on, its chance, cards that it still hits, and when it is over by itself."""

    fault: Fault
    rng: Random
    left: int = 0
    until_ms: int | None = None


class TagTroubles:
    """What is wrong with the readers and the hands of one table."""

    def __init__(self, pads: Pads, tray: Tray, seed: int) -> None:
        self._pads = pads
        self._tray = tray
        self._seed = seed
        self._chance = Random(f"troubles {seed}")  # noqa: S311 - repeatable on purpose
        self._on: dict[str, _On] = {}
        self._together_ms: dict[int, int] = {}  # pad -> when the cards that collide there come into its field
        self._begin: Mapping[str, Callable[[_On], tuple[Iterable[Timed], str]]] = {
            "missed-reads": self._miss,
            "late-reads": lambda _: ((), ""),
            "collide": lambda _: ((), ""),
            "between": lambda _: ((), ""),
            "cross-read": self._cross,
            "deaf-reader": self._deafen,
            "nudge": self._nudge,
            "sweep": self._sweep,
        }

    @property
    def faults(self) -> dict[str, Fault]:
        """Those that are on, by name."""
        return {name: one.fault for name, one in self._on.items()}

    # ---- their beginning and end ----

    def turn_on(self, fault: Fault, now_ms: int) -> tuple[Iterable[Timed], str]:
        """Begin a fault: what happens, and what there is to say. FaultError: not as the cards lie."""
        own = fault.settings.get("seed", OWN_SEED) != OWN_SEED
        rng = Random(seed_of(fault, self._seed)) if own else self._chance  # noqa: S311
        lasts_ms = fault.whole("ms") if fault.name in LASTING else 0
        left = fault.whole("count") if "count" in fault.settings else 0
        one = _On(fault, rng, left, now_ms + lasts_ms if lasts_ms else None)
        steps, text = self._begin[fault.name](one)
        if fault.name not in ("nudge", "sweep"):
            self._on[fault.name] = one
        return steps, text

    def turn_off(self, name: str) -> None:
        """End a fault, if it is on: readers read as they should. What lies between two pads does so still."""
        if self._on.pop(name, None) is None:
            return
        match name:
            case "missed-reads":
                self._pads.spoil(Misread())
            case "deaf-reader":
                self._pads.deafen(())
            case "cross-read":
                self._tray.cross(None, ())

    def settle(self, now_ms: int) -> None:
        """End what is over."""
        for name, one in list(self._on.items()):
            if one.until_ms is not None and one.until_ms <= now_ms:
                self.turn_off(name)

    def next_due_ms(self) -> int | None:
        """When `settle` must be called next; None when nothing is due."""
        return min((one.until_ms for one in self._on.values() if one.until_ms is not None), default=None)

    # ---- readers ----

    def _miss(self, one: _On) -> tuple[Iterable[Timed], str]:
        fault = one.fault
        in_turn = fault.word("how") == TURN
        self._pads.spoil(Misread(fault.share("percent") * 100, fault.share("garbled") * 100, in_turn))
        return (), ""

    def _deafen(self, one: _On) -> tuple[Iterable[Timed], str]:
        pads = _told(one.fault, "pad") or (one.rng.randrange(len(self._pads)),)
        self._pads.deafen(pads)
        return (), f"the reader under {_say(pads)}"

    def _cross(self, one: _On) -> tuple[Iterable[Timed], str]:
        """What lies on a pad that is named is read by others at once; otherwise what is laid from now on."""
        pads = _told(one.fault, "pad")
        if not pads or one.fault.share("percent") < 1:
            return (), ""
        words = []
        for pad in pads:
            readers = self._readers_beside(one, pad)
            self._tray.cross(pad, readers)
            words.append(f"{pad} is read by {_say(readers)} too")
        return (), "; ".join(words)

    def _readers_beside(self, one: _On, pad: int) -> tuple[int, ...]:
        told = tuple(other for other in _told(one.fault, "by") if other != pad)
        if told:
            return told
        return (one.rng.choice(neighbours(pad, len(self._pads))),) if len(self._pads) > 1 else ()

    # ---- the next cards ----

    def lay(self, tag: Tag, pads: tuple[int, ...], at_ms: int) -> tuple[Laying, str]:
        """How a card that is laid at that time comes to lie, and what there is to say of it."""
        laying, words = Laying(tag, pads, BETWEEN_MS), []
        if (one := self._on.get("between")) is not None and len(pads) == 1 and len(self._pads) > 1:
            pads = (*pads, one.rng.choice(neighbours(pads[0], len(self._pads))))
            laying = replace(laying, pads=pads, turns_ms=_span(one.fault, "ms"))
            words.append(f"between: {tag.name} rests between {_say(pads)}")
            self._count_down("between", one)
        if (one := self._on.get("cross-read")) is not None and self._hits(one, pads[0]):
            readers = self._readers_beside(one, pads[0])
            laying = replace(laying, crossed=readers)
            words.append(f"cross-read: {tag.name} is read by {_say(readers)} too")
        if (one := self._on.get("late-reads")) is not None and one.rng.random() < one.fault.share("percent"):
            late_ms = one.fault.drawn("ms", one.rng)
            laying = replace(laying, late_ms=late_ms)
            words.append(f"late-reads: {tag.name} by {late_ms} ms")
        if (one := self._on.get("collide")) is not None:
            late_ms = laying.late_ms + self._held_ms(one, pads[0], at_ms)
            laying = replace(laying, late_ms=late_ms)
        return laying, "; ".join(words)

    def _hits(self, one: _On, pad: int) -> bool:
        pads = _told(one.fault, "pad")
        return (not pads or pad in pads) and one.rng.random() < one.fault.share("percent")

    def _held_ms(self, one: _On, pad: int, at_ms: int) -> int:
        """How long a card is kept out of the field, so that it comes together with the next on its pad."""
        together_ms = self._together_ms.get(pad, at_ms)
        if together_ms <= at_ms:
            together_ms = self._together_ms[pad] = at_ms + one.fault.whole("ms")
            return together_ms - at_ms
        retried = one.rng.random() < one.fault.share("percent")
        return together_ms - at_ms + (RETRY_MS if retried else 0)

    def _count_down(self, name: str, one: _On) -> None:
        if one.left > 1:
            self._on[name] = replace(one, left=one.left - 1)
        else:
            del self._on[name]

    # ---- the cards that lie there ----

    def _nudge(self, one: _On) -> tuple[Iterable[Timed], str]:
        lying = self._tray.lying()
        pads = _told(one.fault, "pad") or tuple(one.rng.sample(sorted(lying), min(1, len(lying))))
        bare = [pad for pad in pads if pad not in lying]
        if bare or not pads:
            raise FaultError(f"no card lies on {_say(bare) or 'any pad'}: lay one first")
        tops = [self._tray.tags_on(pad)[-1] for pad in pads]
        steps = [Timed(0, partial(self._tray.hide, tag, one.fault.drawn("ms", one.rng))) for tag in tops]
        return steps, f"out of the field for a moment: {', '.join(tag.name for tag in tops)}"

    def _sweep(self, one: _On) -> tuple[Iterable[Timed], str]:
        tags = [tag for pad in self._tray.lying() for tag in self._tray.tags_on(pad)]
        if not tags:
            raise FaultError("no card lies on any pad: lay one first")
        within_ms = one.fault.drawn("ms", one.rng)
        steps = [Timed(one.rng.randint(0, within_ms), partial(self._tray.leave, tag)) for tag in tags]
        return steps, f"swept off: {len(tags)} cards"


def _told(fault: Fault, key: str) -> tuple[int, ...]:
    """The pads that a fault was told; none: chance picks."""
    value = fault.settings[key]
    return value if isinstance(value, tuple) else ()


def _span(fault: Fault, key: str) -> Span:
    value = fault.settings[key]
    return value if isinstance(value, Span) else BETWEEN_MS


def _say(pads: Iterable[int]) -> str:
    return ", ".join(map(str, pads))
