"""The places where a board is looked for, and what came of each: when to ask there again.

Owns the memory of a search over its rounds. Must not know how a place is opened, asked, or found. Pure: time
and chance are arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from tablewire.errors import one_line
from tablewire.link.faults import Cause, LinkRefused, Tried
from tablewire.link.last_good import KnownBoard
from tablewire.link.reconnect import Delay, delay_after

TRIED_MAX_COUNT = 32
"""More places than any home has; a list that goes on and on helps nobody."""

SCAN_AGAIN = Delay("scan again", 10.0, 60.0)
"""Looking by radio takes seconds, keeps the radio from others, and while it lasts no other board is found."""


class SeenBoard(Protocol):
    """A thing with a UART service that was seen by radio; `link.ble.BleSeen` is one."""

    @property
    def address(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def rssi_dbm(self) -> int | None: ...
    @property
    def is_taken(self) -> bool: ...


BLUETOOTH = "Bluetooth"
"""What stands for the whole radio among the places tried, when it cannot be asked."""

OUR_NAME = "tablewire"
"""How a board's radio name begins, in any case: other UART things in the house belong to others."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place. `name`: what a person calls it; `board`: the board it would be, to be noted when it answers.

    `mark` changes when something else is plugged in there.
    """

    name: str
    board: KnownBoard
    mark: object = None


def radio_place(address: str, name: str | None) -> Place:
    """A place on the radio."""
    return Place(f"ble:{name or address}", KnownBoard("ble", address, name=name))


def sort_seen(seen: Iterable[SeenBoard]) -> tuple[list[Place], list[Tried]]:
    """What was seen by radio: those to ask, the nearest first; and the others, with why not."""
    seen = tuple(seen)
    names = Counter(one.name for one in seen)
    ours: list[tuple[int, Place]] = []
    others: list[Tried] = []
    for one in seen:
        # Two that bear the same name are told apart by their addresses.
        place = radio_place(one.address, one.name if names[one.name] == 1 else None)
        if one.is_taken:
            others.append(Tried(place.name, "another program of this computer is connected to it"))
        elif (one.name or "").lower().startswith(OUR_NAME):
            ours.append((-(one.rssi_dbm if one.rssi_dbm is not None else -999), place))
        else:
            why = f"not tried, it does not call itself {OUR_NAME}; --port {one_line(place.name)} takes it"
            others.append(Tried(place.name, why))
    ours.sort(key=lambda pair: (pair[0], pair[1].board.port))
    return [place for _, place in ours], sorted(others, key=lambda one: one.port)


@dataclass(frozen=True, slots=True)
class _Attempt:
    mark: object
    cause: Cause
    why: str
    count: int
    due_s: float


class Attempts:
    """What was tried, by the name of the place. `draw` gives chance from 0 up to 1."""

    def __init__(self, draw: Callable[[], float]) -> None:
        self._draw = draw
        self._attempts: dict[str, _Attempt] = {}

    def is_due(self, place: Place, now_s: float) -> bool:
        """Whether to ask there: never asked, something else is there now, or long enough ago."""
        attempt = self._attempts.get(place.name)
        return attempt is None or attempt.mark != place.mark or now_s >= attempt.due_s

    def failed(self, place: Place, refusal: LinkRefused, now_s: float) -> None:
        """Note why no board is used at a place."""
        before = self._attempts.get(place.name)
        again = before is not None and before.mark == place.mark and before.cause is refusal.cause
        count = before.count + 1 if before is not None and again else 0
        due_s = now_s + delay_after(refusal.cause, place.board.kind).after(count, self._draw)
        attempt = _Attempt(place.mark, refusal.cause, why_at(place, refusal), count, due_s)
        self._attempts[place.name] = attempt

    def keep_only(self, names: Iterable[str]) -> None:
        """Forget what is not there any more: when it comes again it is asked at once."""
        kept = set(names)
        self._attempts = {name: one for name, one in self._attempts.items() if name in kept}

    def forget(self) -> None:
        """Forget all: a board was found, and the next search is another one."""
        self._attempts.clear()

    def __len__(self) -> int:
        return len(self._attempts)

    def why(self, place: Place) -> str:
        """Why no board was used there when it was last asked."""
        return self._attempts[place.name].why

    def tried(self) -> list[Tried]:
        """Each place with why no board is used there, in the order in which they were first asked."""
        return [Tried(name, one.why) for name, one in self._attempts.items()]


def why_at(place: Place, refusal: LinkRefused) -> str:
    """A refusal's words without the place, which is named beside them."""
    for tried in refusal.tried:
        if tried.port == place.name and len(refusal.tried) == 1:
            return tried.why
    text = str(refusal)
    # A thing on the radio may be called by its name here, and by its address where it is opened.
    for name in (place.name, f"ble:{place.board.port}"):
        for start in (f"cannot open {one_line(name)}: ", f"{one_line(name)}: "):
            text = text.removeprefix(start)
    return text


def nothing_found(tried: Iterable[Tried]) -> LinkRefused:
    """The refusal of a whole search."""
    told = tuple(tried)[:TRIED_MAX_COUNT]
    # That there is no Bluetooth is seldom the reason: most people have a cable.
    match [one for one in told if one.port != BLUETOOTH]:
        case []:
            text = "no board is found: nothing is plugged in that could be one; plug it in, it is looked for"
        case [only]:
            text = f"no board is found; {one_line(only.port)}: {one_line(only.why)}"
        case several:
            text = f"no board is found at any of {len(several)} places; it is looked for again and again"
    return LinkRefused(text, Cause.ABSENT, told)
