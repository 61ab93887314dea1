"""A link to whichever board is there: it looks for one, asks who is there, and keeps the link that answered.

Owns the order of looking, the threads that ask, and what is told of it. Must not know what a greeting says,
nor how any port is opened. The places and their delays are in `places.py`.

The order: where a board answered last; known USB ids; other ports; by radio, only what calls itself ours.
Within one of these all are asked at once, each on a thread ("find"); what is plugged in meanwhile is asked
beside them. The link over which a board answered stays open and is used, for opening it again would reset
many a board again. A cable that comes while the radio is asked does not end that: whichever answers first is
used, and of both within a moment the cable, which somebody has just plugged in.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tablewire.errors import one_line
from tablewire.link.address import DEFAULT_BAUD
from tablewire.link.asking import Asked
from tablewire.link.contract import Link
from tablewire.link.faults import Cause, LinkRefused, Tried, lost
from tablewire.link.home import Home
from tablewire.link.places import TRIED_MAX_COUNT, Attempts, Place, nothing_found, radio_place
from tablewire.link.ports import SerialPort, in_order
from tablewire.link.scanning import Scan
from tablewire.link.sockets import serial_place, unlisted_place
from tablewire.link.sources import Limits, Memory, Sources
from tablewire.link.stranger import Greet, greet_over

__all__ = ["FoundLink", "Limits", "Memory", "Sources"]

LOOK_S = 1.0
"""How often the ports are looked at while others, or the radio, are asked."""

NOT_YET = "it does not answer yet; it is asked again"
"""Of what is left while it is still being asked, for another place is more likely."""

NAMED_COUNT = 3
"""So many places fit into a line."""


@dataclass(slots=True)
class _Round:
    """One round of a search: the ports as they were listed, and what is told beside the attempts."""

    ports: Sequence[SerialPort] = ()
    places: dict[str, Place] = field(default_factory=dict)
    beside: list[Tried] = field(default_factory=list)
    late: Sequence[Place] = ()
    """Asked only when the radio has had its time."""


class FoundLink:
    """A link for whichever board answers. Each `open` is one round; `tried` says where none is used, and why.

    `name` and `kind` are those of the board found. `tell` is told where is looked, on the thread of `open`.
    """

    def __init__(
        self,
        baud: int = DEFAULT_BAUD,
        *,
        greet: Greet,
        last_good: Memory | None = None,
        tell: Callable[[str], None] = lambda _: None,
        sources: Sources | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.name = "auto"
        self.kind = "serial"
        self.tried: tuple[Tried, ...] = ()
        self.tell = tell
        self._baud = baud
        self._greet = greet
        self._memory = last_good
        self._sources = sources or Sources()
        self._limits = limits or Limits()
        self._last = None if last_good is None else last_good.load()
        self._home: Home | None = None
        self._attempts = Attempts(random.random)
        radio = self._sources.radio
        self._scan = None if radio is None else Scan(radio, self._limits.scan_s)
        self._link: Link | None = None
        self._lock = threading.Lock()
        self._asked: dict[str, Asked] = {}
        self._links: dict[tuple[str, str], Link] = {}
        self._said: set[str] = set()
        self._given_up = threading.Event()
        self._done: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()

    # ---- the contract ----

    def open(self) -> None:
        """One round of looking, at what is due; LinkRefused with `tried` when no board answers."""
        self.close()
        # A search goes over ports first, whatever it found last.
        self.kind = "serial"
        self._end_if_given_up()
        found = _Round()
        for tier in self._tiers(found):
            winner = self._ask_all(tier, found)
            if winner is not None and self._given_up.is_set():
                winner.let_go()
            self._end_if_given_up()
            if winner is not None:
                self._keep(winner, found)
                return
        self._end_if_given_up()
        seen = () if self._scan is None else self._scan.others
        # One that was asked and is seen by radio too is one place; what came of asking says more.
        said = {tried.port: tried for tried in reversed((*self._attempts.tried(), *found.beside, *seen))}
        self.tried = tuple(reversed(said.values()))[:TRIED_MAX_COUNT]
        raise nothing_found(self.tried)

    def read(self, limit_s: float, /) -> bytes:
        """See `Link.read`."""
        return self._open_link().read(limit_s)

    def write(self, data: bytes) -> bool:
        """See `Link.write`."""
        return self._open_link().write(data)

    def wake(self) -> None:
        """See `Link.wake`."""
        link = self._link
        if link is not None:
            link.wake()

    def give_up(self) -> None:
        """See `Link.give_up`: a search ends at once, and what it has opened closes itself."""
        self._given_up.set()
        with self._lock:
            links = [asked.link for asked in self._asked.values()]
            for asked in self._asked.values():
                asked.is_let_go = True
        current = self._link
        if current is not None:
            links.append(current)
        for link in links:
            link.give_up()
        self._done.put(None)
        if self._scan is not None:
            self._scan.wake()

    def close(self) -> None:
        """See `Link.close`."""
        link, self._link = self._link, None
        if link is not None:
            link.close()

    # ---- where to look ----

    def _tiers(self, found: _Round) -> Iterator[Sequence[Place]]:
        """What to ask, best first; whoever comes later is made up only when nobody answered before."""
        ports = found.ports = self._listed(found)
        serial = {port.path: serial_place(port) for port in ports}
        found.places = dict(serial)
        home = self._home
        if home is not None and home.is_waited_for(time.monotonic()):
            found.late = [serial[port.path] for port in home.came_since(ports)]
            yield [serial[port.path] for port in home.may_be_at(ports)] or [home.place]
            return
        self._home = None
        last = self._last
        tiers = [[serial[port.path] for port in tier] for tier in in_order(ports, last)]
        unlisted = None
        if last is not None and last.kind == "ble" and self._sources.radio is not None:
            unlisted = radio_place(last.port, last.name)
        elif last is not None and last.kind == "serial" and not tiers[0] and last.port not in serial:
            unlisted = unlisted_place(last)
        if unlisted is not None:
            found.places[unlisted.name] = unlisted
        if self._scan is not None:
            found.places |= {place.name: place for place in self._scan.places}
        if not found.beside:  # where nothing could be listed, nobody knows what is gone
            self._attempts.keep_only(found.places)
            kept = {_key(place) for place in found.places.values()}
            self._links = {key: link for key, link in self._links.items() if key in kept}
        if unlisted is not None:
            yield [unlisted]
        yield from tiers
        yield from self._on_the_radio(found)

    def _listed(self, found: _Round) -> Sequence[SerialPort]:
        try:
            return self._sources.ports(stop=self._given_up)
        except LinkRefused as exc:
            found.beside.append(Tried("serial ports", str(exc)))
            return ()

    def _on_the_radio(self, found: _Round) -> Iterator[Sequence[Place]]:
        """Ours among what can be seen by radio, when it is time to look there again."""
        scan = self._scan
        if scan is None or not scan.begin_if_due():
            return
        self._say("looking for a board by Bluetooth")
        while not scan.take(LOOK_S):
            if self._given_up.is_set():
                return
            yield self._news(found)
        found.places |= {place.name: place for place in scan.places}
        yield scan.places

    def _news(self, found: _Round) -> list[Place]:
        """What was plugged in since the ports were looked at last, as far as it may be asked now."""
        if found.beside:  # who could not list them once is not asked every second
            return []
        ports = self._listed(found)
        if found.beside:
            return []
        found.ports, home = ports, self._home
        may_be = ports if home is None or home.place.board.kind == "ble" else home.may_be_at(ports)
        new = []
        for place in map(serial_place, may_be):
            before = found.places.get(place.name)
            # One that is still asked is in the hands of its thread; it is looked at when that has ended.
            if (before is None or before.mark != place.mark) and place.name not in self._asked:
                found.places[place.name] = place
                new.append(place)
        return new

    def _may_be_on_a_cable(self, found: _Round) -> bool:
        """Whether there is a port that is to be asked in this round."""
        now_s = time.monotonic()
        serial = (place for place in found.places.values() if place.board.kind == "serial")
        return any(self._attempts.is_due(place, now_s) for place in serial)

    # ---- asking ----

    def _ask_all(self, tier: Sequence[Place], found: _Round) -> Asked | None:
        """Ask all of a tier that are due, at once; the first of those that answered, the others let go."""
        asked = self._begin(tier)
        if not asked:
            return None
        answered, left = self._hear(asked, found)
        for one in left:
            self._leave(one)
        for one in answered[1:]:
            one.let_go()
        self.tried = tuple(
            Tried(one.place.name, f"another board answers there; --port {one_line(one.place.name)} takes it")
            for one in answered[1:]
        )
        return answered[0] if answered else None

    def _begin(self, places: Iterable[Place]) -> list[Asked]:
        """Begin to ask those that are due and not asked yet, each on a thread."""
        now_s, is_home = time.monotonic(), self._home is not None
        with self._lock:
            due = [
                place
                for place in places
                if place.name not in self._asked and (is_home or self._attempts.is_due(place, now_s))
            ]
            asked = [Asked(place, self._link_to(place), self._greet_at) for place in due]
            self._asked.update((one.place.name, one) for one in asked)
        if asked:
            self._say(f"looking for a board at {_named(place.name for place in due)}")
        for one in asked:
            one.start(self._ended)
        return asked

    def _hear(self, asked: list[Asked], found: _Round) -> tuple[list[Asked], list[Asked]]:
        """Wait for those that are asked: those that answered, in order, and those that may still do so.

        What is plugged in meanwhile is asked as well, and added to `asked`.
        """
        now_s = time.monotonic()
        open_ones, answered, until_s = list(asked), list[Asked](), float("inf")
        look_s, late_s = now_s + LOOK_S, now_s + self._limits.radio_first_s
        if self._home is None and asked[0].is_radio and self._may_be_on_a_cable(found):
            until_s = late_s
        while open_ones and not self._given_up.is_set():
            now_s = time.monotonic()
            if now_s >= until_s:
                break
            more = list[Place]()
            if found.late and now_s >= late_s:
                more, found.late = [*found.late], ()
            if not answered and now_s >= look_s:
                more, look_s = [*more, *self._news(found)], time.monotonic() + LOOK_S
            if begun := self._begin(more):
                asked += begun
                open_ones += begun
                # The radio may go on meanwhile.
                until_s = until_s if answered else float("inf")
            ended = self._next_done(min(LOOK_S, until_s - now_s))
            if ended is None or ended not in open_ones:
                continue
            open_ones.remove(ended)
            if ended.refusal is not None:
                self._attempts.failed(ended.place, ended.refusal, time.monotonic())
            else:
                answered.append(ended)
                until_s = min(until_s, time.monotonic() + self._limits.grace_s)
            if any(not one.is_radio for one in answered) and all(one.is_radio for one in open_ones):
                break
        # A cable comes before the radio: see above.
        return sorted(answered, key=lambda one: (one.is_radio, asked.index(one))), open_ones

    def _leave(self, asked: Asked) -> None:
        """Ask no longer at a place; it is asked again."""
        asked.let_go()
        if asked.place.board.kind == "ble":
            # A radio that is still looking is stopped, for others need it; the next link is a new one.
            self._links.pop(_key(asked.place), None)
            asked.link.give_up()
        refusal = LinkRefused(NOT_YET, Cause.ABSENT)
        self._attempts.failed(asked.place, refusal, time.monotonic())

    def _link_to(self, place: Place) -> Link:
        # The same one each time: it knows of a call that still hangs, and does not make a second.
        known = self._links.get(_key(place))
        if known is not None:
            return known
        radio = self._sources.radio
        if place.board.kind == "ble" and radio is not None:
            link = radio.link(place.board.port)
        else:
            link = self._sources.serial(place.board.port, self._baud)
        self._links[_key(place)] = link
        return link

    def _say(self, text: str) -> None:
        """Tell where is looked, once in a search: it may go round for days."""
        if text not in self._said:
            self._said.add(text)
            self.tell(text)

    def _greet_at(self, asked: Asked) -> None:
        """On the thread of one that is asked: wait until a board answers."""
        greet_over(asked.link, self._greet, self._limits.greet_s, lambda: asked.is_let_go)

    def _ended(self, asked: Asked) -> None:
        """On the thread of one that was asked: its place may be asked again."""
        with self._lock:
            if self._asked.get(asked.place.name) is asked:
                del self._asked[asked.place.name]
        self._done.put(asked)

    def _next_done(self, limit_s: float) -> Asked | None:
        try:
            return self._done.get(timeout=limit_s)
        except queue.Empty:
            return None

    def _keep(self, winner: Asked, found: _Round) -> None:
        """Use the link over which a board answered."""
        place = winner.place
        listed = frozenset(port.path for port in found.ports)
        self._home = Home(place, listed, self._limits.replug_s)
        self._attempts.forget()
        if self._scan is not None:
            self._scan.forget()
        self._link = winner.link
        self.name, self.kind = place.name, place.board.kind
        self._last = place.board
        self._said.clear()
        if self._memory is not None:
            self._memory.save(place.board)
        if self._given_up.is_set():  # given up between the answer and now, when nobody knew of this link
            winner.link.give_up()

    def _open_link(self) -> Link:
        if self._link is None:
            raise lost(self.name, OSError("it is closed"))
        return self._link

    def _end_if_given_up(self) -> None:
        if self._given_up.is_set():
            raise LinkRefused("no board is looked for: the program ends", Cause.OTHER)


def _key(place: Place) -> tuple[str, str]:
    return place.board.kind, place.board.port


def _named(names: Iterable[str]) -> str:
    known = [one_line(name) for name in names]
    more = len(known) - NAMED_COUNT
    return ", ".join(known[:NAMED_COUNT]) + (f" and {more} more" if more > 0 else "")
