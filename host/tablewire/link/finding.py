"""A link to whichever board is there: it looks for one, asks who is there, and keeps the link that answered.

Owns the order of looking, the threads that ask, and what is told of it. Must not know what a greeting says,
nor how any port is opened. The places and their delays are in `places.py`.

The order: where a board answered last; known USB ids; other ports; by radio, only what calls itself ours.
Within one of these all are asked at once, each on a thread ("find"). The link over which a board answered
stays open and is used, for opening it again would reset many a board again.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tablewire.errors import one_line
from tablewire.link.address import DEFAULT_BAUD
from tablewire.link.asking import Asked
from tablewire.link.contract import Link
from tablewire.link.faults import Cause, LinkRefused, Tried, lost
from tablewire.link.home import Home
from tablewire.link.last_good import KnownBoard
from tablewire.link.places import TRIED_MAX_COUNT, Attempts, Place, nothing_found, radio_place
from tablewire.link.ports import SerialPort, in_order, list_serial_ports
from tablewire.link.scanning import Radio, Scan
from tablewire.link.serial_port import SerialLink
from tablewire.link.stranger import GREET_LIMIT_S, Greet, greet_over

LOOK_S = 1.0
"""How often the ports are looked at while the radio is asked."""

NOT_YET = "it does not answer yet; it is asked again"
"""Of what is left while it is still being asked, for another place is more likely."""

NAMED_COUNT = 3
"""So many places fit into a line."""


class Memory(Protocol):
    """What remembers the last board over restarts; `last_good.LastGood` is one."""

    def load(self) -> KnownBoard | None: ...
    def save(self, board: KnownBoard, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Sources:
    """Where boards come from: the list of ports, how one is opened, and the radio, if there is one."""

    ports: Callable[..., Sequence[SerialPort]] = list_serial_ports
    serial: Callable[[str, int], Link] = SerialLink
    radio: Radio | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search waits for what."""

    greet_s: float = GREET_LIMIT_S
    """How long one place is asked."""
    grace_s: float = 0.6
    """Once a board answers, how long the others are given that come before it: three greetings."""
    radio_first_s: float = 3.0
    """How long a board that answered last by radio is waited for while ports are there that may be asked."""
    scan_s: float = 4.0
    """How long is looked by radio: a module advertises at least once a second."""
    replug_s: float = 5.0
    """After a loss, how long only the same board is waited for: a reset, a knocked plug, a new number.
    Whoever takes another board has let go of this one by then."""


@dataclass(slots=True)
class _Round:
    """One round of a search: the ports as they were listed, and what is told beside the attempts."""

    ports: Sequence[SerialPort] = ()
    places: dict[str, Place] = field(default_factory=dict)
    beside: list[Tried] = field(default_factory=list)


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

    def _tiers(self, found: _Round) -> Iterator[list[Place]]:
        """What to ask, best first; whoever comes later is made up only when nobody answered before."""
        ports = found.ports = self._listed(found)
        serial = {port.path: _serial_place(port) for port in ports}
        home = self._home
        if home is not None and home.is_waited_for(time.monotonic()):
            yield [serial[port.path] for port in home.may_be_at(ports)] or [home.place]
            return
        self._home = None
        last = self._last
        tiers = [[serial[port.path] for port in tier] for tier in in_order(ports, last)]
        found.places = {place.name: place for place in serial.values()}
        unlisted = None
        if last is not None and last.kind == "ble" and self._sources.radio is not None:
            unlisted = radio_place(last.port, last.name)
        elif last is not None and last.kind == "serial" and not tiers[0] and last.port not in serial:
            # A pseudo-terminal, or a link that somebody made: in no list, but there.
            unlisted = Place(last.port, last, _mark(last.port)) if _mark(last.port) is not None else None
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
        yield self._on_the_radio(found)

    def _listed(self, found: _Round) -> Sequence[SerialPort]:
        try:
            return self._sources.ports(stop=self._given_up)
        except LinkRefused as exc:
            found.beside.append(Tried("serial ports", str(exc)))
            return ()

    def _on_the_radio(self, found: _Round) -> list[Place]:
        """Ours among what can be seen by radio, when it is time to look there again."""
        scan = self._scan
        if scan is None or not scan.begin_if_due():
            return []
        self._say("looking for a board by Bluetooth")
        while not scan.take(LOOK_S):
            if self._given_up.is_set() or self._has_news(found):
                return []
        found.places |= {place.name: place for place in scan.places}
        return list(scan.places)

    def _has_news(self, found: _Round) -> bool:
        """Whether another port is there than when the round began: it is asked first."""
        return {port.path for port in self._listed(_Round())} != {port.path for port in found.ports}

    def _may_be_on_a_cable(self, found: _Round) -> bool:
        """Whether there is a port that is to be asked in this round."""
        now_s = time.monotonic()
        serial = (place for place in found.places.values() if place.board.kind == "serial")
        return any(self._attempts.is_due(place, now_s) for place in serial)

    # ---- asking ----

    def _ask_all(self, tier: Sequence[Place], found: _Round) -> Asked | None:
        """Ask all of a tier that are due, at once; the first of those that answered, the others let go."""
        now_s = time.monotonic()
        waits_for_home = self._home is not None
        with self._lock:
            due = [
                place
                for place in tier
                if place.name not in self._asked and (waits_for_home or self._attempts.is_due(place, now_s))
            ]
            asked = [Asked(place, self._link_to(place), self._greet_at) for place in due]
            self._asked.update((one.place.name, one) for one in asked)
        if not asked:
            return None
        self._say(f"looking for a board at {_named(place.name for place in due)}")
        for one in asked:
            one.start(self._ended)
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

    def _hear(self, asked: Sequence[Asked], found: _Round) -> tuple[list[Asked], list[Asked]]:
        """Wait for those that are asked: those that answered, in order, and those that may still do so."""
        is_radio = asked[0].place.board.kind == "ble" and self._home is None
        open_ones, answered, until_s = list(asked), list[Asked](), float("inf")
        if is_radio and self._may_be_on_a_cable(found):
            until_s = time.monotonic() + self._limits.radio_first_s
        while open_ones and not self._given_up.is_set():
            wait_s = min(LOOK_S, until_s - time.monotonic())
            if wait_s <= 0:
                break
            ended = self._next_done(wait_s)
            if ended is None and is_radio and self._has_news(found):
                break
            if ended is None or ended not in open_ones:
                continue
            open_ones.remove(ended)
            if ended.refusal is not None:
                self._attempts.failed(ended.place, ended.refusal, time.monotonic())
            else:
                answered.append(ended)
                until_s = min(until_s, time.monotonic() + self._limits.grace_s)
        return sorted(answered, key=asked.index), open_ones

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


def _serial_place(port: SerialPort) -> Place:
    board = KnownBoard("serial", port.path, port.serial_number, port.usb_id, port.description or None)
    return Place(port.path, board, (_mark(port.path), port.usb_id, port.serial_number))


def _key(place: Place) -> tuple[str, str]:
    return place.board.kind, place.board.port


def _mark(path: str) -> object:
    """Changes when the system makes the port anew, and when its rights change."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_ctime_ns


def _named(names: Iterable[str]) -> str:
    known = [one_line(name) for name in names]
    more = len(known) - NAMED_COUNT
    return ", ".join(known[:NAMED_COUNT]) + (f" and {more} more" if more > 0 else "")
