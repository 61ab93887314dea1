"""Which board over Bluetooth LE to connect to: the wanted one, or the first that answers.

Owns the order of looking, hearing, connecting and greeting, and why each board is not used. Must not know
frames, or what is done with the connection. Runs on the thread that opens a link.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tablewire.link import ble_connection, radio_bleak
from tablewire.link.ble_boards import SERVICES, in_order, is_wanted, label
from tablewire.link.ble_claim import Claim
from tablewire.link.ble_connection import TAKEN, Connection, ConnectLimits
from tablewire.link.faults import Cause, LinkLost, LinkRefused, Tried
from tablewire.link.last_good import KnownBoard
from tablewire.link.places import Attempts, Place
from tablewire.link.radio import Lease
from tablewire.link.radio_bleak import Found
from tablewire.link.stranger import Greet, Greeting

SCAN_OVERHEAD_S = radio_bleak.START_LIMIT_S + radio_bleak.STOP_LIMIT_S

FIND_LIMIT_S = 5.0
"""Boards advertise every 0.1 to 1.3 s, and every other packet is missed: four chances for the slowest."""


@dataclass(frozen=True, slots=True)
class BleLimits:
    """How long each step of an open may take."""

    find_s: float = FIND_LIMIT_S
    find_any_s: float = 2.0
    """After that, everything is listened to: a board may leave its service out of what it advertises."""
    gather_s: float = 1.5
    """When any board will do: how much longer than to the first one, so that the nearest is heard too."""
    greet_s: float = 4.0
    """Twice the two seconds of a board that boots when it is connected to."""
    state_s: float = 8.0
    """The system is asked in milliseconds; it may have to start its Bluetooth service first."""
    connect: ConnectLimits = field(default_factory=ConnectLimits)

    @property
    def turn_s(self) -> float:
        """How long another search of this process may have the radio first."""
        return self.find_s + SCAN_OVERHEAD_S + self.connect.total_s


GREET_STEP_S = 0.05
"""Between two looks whether a greeting wants to send something."""

SAID_COUNT_MAX = 3
"""Places whose trouble one line can hold; the others are in what was tried."""

NOT_HEARD = "it may be off, too far away, or connected to another computer or phone; it is tried again"


@dataclass(frozen=True, slots=True)
class Reached:
    """An open connection, what a person calls its place, its address, and where else was tried."""

    connection: Connection
    name: str
    address: str
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """One search, on one lease. `made` is told of every connection as soon as it is there."""

    lease: Lease
    limits: BleLimits
    made: Callable[[Connection], None]

    def wanted(self, wanted: str) -> Reached:
        """Connect to the board of this name or address. LinkRefused."""

        def matches(found: Found) -> bool:
            return is_wanted(wanted, found.address, found.name)

        adapter: str | None = None
        seen: dict[str, Found] = {}
        for services, limit_s in ((SERVICES, self.limits.find_s), (None, self.limits.find_any_s)):
            # Each time: it may have been connected by another program meanwhile, and so be heard no more.
            adapter, known = self.look()
            match = next(filter(matches, known), None)
            seen.update((found.address, found) for found in known)
            if match is None:
                heard = self._scan(adapter, services, limit_s, None, matches)
                match = next(filter(matches, heard), None)
                seen.update((found.address, found) for found in heard)
            if match is not None:
                others = [found.name for found in seen.values() if found.address != match.address]
                return self._connect(adapter, match, others)
        tried = [
            Tried(label(found.address, found.name), "it is there, but it is not the one that is wanted")
            for found in seen.values()
            if found.board is not None
        ]
        by = f" by the Bluetooth adapter {adapter}" if adapter else ""
        raise LinkRefused(f"it is not heard{by}: {NOT_HEARD}", Cause.ABSENT, tried)

    def again(self, address: str, greet: Greet | None) -> Reached:
        """Connect to the board that answered last, and to no other. LinkRefused."""
        return self._greeted(self.wanted(address), greet)

    def any_board(self, greet: Greet | None, strangers: Attempts, last: str | None = None) -> Reached:
        """Connect to the first that answers `greet`, the strongest first. LinkRefused.

        `strangers` remembers those that did not, each of which is then left in peace for a while; but never
        the one at `last`, the address of the board that answered last.
        """
        adapter, found = self.everything(self.limits.find_s, self.limits.gather_s)
        if not found:
            raise LinkRefused(f"no board is heard: {NOT_HEARD}", Cause.ABSENT)
        tried: list[Tried] = []
        causes: set[Cause] = set()
        for one in found:
            others = tuple(other.name for other in found if other is not one)
            place = Place(label(one.address, one.name, others), KnownBoard("ble", one.address, name=one.name))
            if not strangers.is_due(place, time.monotonic()):
                tried.append(Tried(place.name, strangers.why(place)))
                continue
            try:
                reached = self._greeted(self._connect(adapter, one, others), greet)
                return replace(reached, tried=tuple(tried))
            except LinkRefused as exc:
                if exc.cause is Cause.OFF:
                    raise
                tried.append(Tried(place.name, str(exc)))
                causes.add(exc.cause)
                # One that others have is not asked anything, so it costs nothing to see it become free.
                if exc.cause is not Cause.TAKEN and one.address != last:
                    strangers.failed(place, exc, time.monotonic())
        if len(found) < len(strangers):
            strangers.keep_only(place.port for place in tried)
        said = "; ".join(f"{place.port}: {place.why}" for place in tried[:SAID_COUNT_MAX])
        more = "; ..." if len(tried) > SAID_COUNT_MAX else ""
        cause = causes.pop() if len(causes) == 1 else Cause.SILENT
        raise LinkRefused(f"no board answers: {said}{more}", cause, tried)

    def look(self) -> tuple[str | None, tuple[Found, ...]]:
        """The adapter to use, and the boards that are there without looking for them. LinkRefused."""
        state = self.lease.run(radio_bleak.state, self.limits.state_s)
        if state is None:
            return None, ()
        return state.adapter, tuple(map(radio_bleak.at_hand, state.known))

    def everything(self, limit_s: float, gather_s: float | None) -> tuple[str | None, tuple[Found, ...]]:
        """The adapter, and every board that is heard or connected, the strongest first. LinkRefused."""
        adapter, known = self.look()
        if gather_s is not None and any(found.board and not found.board.is_taken for found in known):
            limit_s = gather_s  # the first one is there already
        heard = self._scan(adapter, SERVICES, limit_s, gather_s, lambda _: False)
        # What is connected says more than what a scan still remembers of it.
        by_address = {found.address: found for found in (*heard, *known)}
        boards = {found.board: found for found in by_address.values() if found.board is not None}
        return adapter, tuple(boards[board] for board in in_order(boards))

    def _scan(
        self,
        adapter: str | None,
        services: tuple[str, ...] | None,
        limit_s: float,
        gather_s: float | None,
        is_enough: Callable[[Found], bool],
    ) -> Iterable[Found]:
        turn = self.lease.turn
        heard = self.lease.run(
            lambda: radio_bleak.scan(adapter, services, limit_s, gather_s, is_enough, turn),
            limit_s + SCAN_OVERHEAD_S + self.limits.turn_s,
        )
        return heard.values()

    def _connect(self, adapter: str | None, found: Found, others: Sequence[str | None]) -> Reached:
        if found.board is not None and found.board.is_taken:
            raise LinkRefused(TAKEN, Cause.TAKEN)
        limits, turn, claim = self.limits.connect, self.lease.turn, Claim(found.address)
        if not claim.take():
            raise LinkRefused(TAKEN, Cause.TAKEN)
        connection = None
        try:
            connection = self.lease.run(
                lambda: ble_connection.connect(found, adapter, limits, turn, claim, self.made),
                limits.total_s + self.limits.turn_s,
            )
        finally:
            if connection is None:
                claim.release()
        return Reached(connection, label(found.address, found.name, others), found.address)

    def _greeted(self, reached: Reached, greet: Greet | None) -> Reached:
        """`reached`, when a board answers there, or nobody asks. LinkRefused otherwise; then it is closed."""
        why = None if greet is None else self._why_no_board(reached.connection, greet())
        if why is None:
            return reached
        let_go(self.lease, reached.connection)
        raise LinkRefused(why, Cause.SILENT)

    def _why_no_board(self, connection: Connection, greeting: Greeting) -> str | None:
        end_s = time.monotonic() + self.limits.greet_s
        try:
            while (now_s := time.monotonic()) < end_s:
                data = greeting.data_to_send(int(now_s * 1000))
                if data:
                    connection.write(data)
                self.lease.check()
                chunk = connection.inbox.take(GREET_STEP_S)
                answer = greeting.receive_data(chunk, int(time.monotonic() * 1000)) if chunk else None
                if answer is not None:
                    return None if answer.is_usable else answer.words
        except LinkLost as exc:
            return str(exc)
        return greeting.silence


def let_go(lease: Lease, connection: Connection) -> None:
    """Disconnect, and let others have the board. Never fails; what hangs is left behind."""
    lease.run_last(connection.close, ble_connection.CLOSE_LIMIT_S)
    connection.claim.release()
