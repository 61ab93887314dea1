"""A board behind Bluetooth LE as a link: found, connected, read and written like any other.

Owns the link, and what else a program asks of Bluetooth: what boards are heard, and whether it can be used.
Must not know frames or the Bluetooth library. One thread opens, reads, writes and closes; the radio has a
thread of its own that nobody waits for without a limit.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence

from tablewire.link import radio_bleak
from tablewire.link.ble_boards import PLATFORM, BleSeen, plain, unusable_on
from tablewire.link.ble_connection import Connection
from tablewire.link.ble_search import FIND_LIMIT_S, BleLimits, Reached, Search, let_go
from tablewire.link.faults import Cause, LinkLost, LinkRefused, Tried
from tablewire.link.places import Attempts
from tablewire.link.radio import RADIO, Lease, Radio, RadioSilent
from tablewire.link.stranger import Greet

__all__ = ["BleLimits", "BleLink", "BleSeen", "bluetooth_trouble", "scan_for_boards"]

_ENDS = "the program ends"
_TELL_ANY = "looking for a board by Bluetooth"


class BleLink:
    """The board called `wanted`, a name or an address; None: the first that answers `greet`, strongest first.

    `address` is that of the board once it is open; `dropped_count` counts writes that were not taken. `tried`
    and `tell`: see `contract.Seeking`.
    """

    kind = "ble"

    def __init__(
        self,
        wanted: str | None = None,
        *,
        greet: Greet | None = None,
        limits: BleLimits | None = None,
        radio: Radio = RADIO,
    ) -> None:
        self.name = "ble" if wanted is None else f"ble:{plain(wanted)}"
        self.address: str | None = None
        self.dropped_count = 0
        self.tried: tuple[Tried, ...] = ()
        self.tell: Callable[[str], None] = lambda _: None
        self._wanted = wanted
        self._asked_name = self.name
        self._greet = greet
        self._limits = limits or BleLimits()
        self._radio = radio
        self._given_up = threading.Event()
        self._guard = threading.Lock()
        self._lease: Lease | None = None
        self._connection: Connection | None = None
        self._made: list[Connection] = []
        # Of a search for any board: which one it was last, whether only that one is looked for now, and who
        # did not answer.
        self._last: str | None = None
        self._is_home = False
        self._has_looked = False
        self._strangers = Attempts(random.random)

    def open(self) -> None:
        """Find the board, connect and subscribe. LinkRefused with what to do; then nothing is held."""
        self.close()
        self.name, self.address, self.tried = self._asked_name, None, ()
        try:
            reached = self._reach()
        except RadioSilent as exc:
            self.close()
            if self._given_up.is_set():
                raise self._refusal(_ENDS, Cause.OTHER) from None
            raise self._refusal(f"{exc}; it is tried again", Cause.HANGS) from exc
        except LinkRefused as exc:
            self.close()
            self.tried = exc.tried
            raise self._refusal(str(exc), self._cause_of(exc), exc.tried) from exc
        except BaseException:
            self.close()
            raise
        self.name, self.address = reached.name, reached.address
        self._connection, self.tried = reached.connection, reached.tried
        self._last, self._is_home = reached.address, True

    def _reach(self) -> Reached:
        unusable = unusable_on(PLATFORM, self._wanted)
        if unusable is not None:
            raise LinkRefused(unusable)
        radio_bleak.check_library()
        lease = self._radio.lease()
        with self._guard:
            self._lease = lease
            if self._given_up.is_set():
                lease.cancel()
        self.tell(_TELL_ANY if self._wanted is None else f"looking for {plain(self._wanted)} by Bluetooth")
        search = Search(lease, self._limits, self._made.append)
        if self._wanted is not None:
            return search.wanted(self._wanted)
        # The first look after a loss is for the same board alone.
        is_home, self._is_home = self._is_home, False
        if is_home and self._last is not None:
            return search.again(self._last, self._greet)
        return search.any_board(self._greet, self._strangers, self._last)

    def _cause_of(self, refusal: LinkRefused) -> Cause:
        """What decides when any board is looked for again: that ours is not there, once others are known.

        Each of them has a pace of its own; a lamp that does not answer must not slow the search for a board.
        """
        has_looked, self._has_looked = self._has_looked, True
        if self._wanted is not None or not has_looked or refusal.cause in (Cause.OFF, Cause.FORBIDDEN):
            return refusal.cause
        return Cause.ABSENT

    def _refusal(self, why: str, cause: Cause, tried: Sequence[Tried] = ()) -> LinkRefused:
        return LinkRefused(f"cannot open {self._asked_name}: {why}", cause, tried)

    def read(self, limit_s: float) -> bytes:
        """The bytes that have come; none when `limit_s` passes or `wake` is called. LinkLost."""
        connection = self._open_connection()
        try:
            data = connection.inbox.take(limit_s)
        except LinkLost as exc:
            raise self._loss(str(exc)) from None
        if self._given_up.is_set():
            raise self._loss(_ENDS)
        return data

    def write(self, data: bytes) -> bool:
        """Hand `data` to the radio; False when too much waits for it already. LinkLost. Never waits."""
        connection = self._open_connection()
        if connection.inbox.lost is not None:
            raise self._loss(connection.inbox.lost)
        if connection.write(data):
            return True
        self.dropped_count += 1
        return False

    def _open_connection(self) -> Connection:
        if self._given_up.is_set():
            raise self._loss(_ENDS)
        if self._connection is None:
            raise self._loss("it is closed")
        return self._connection

    def _loss(self, why: str) -> LinkLost:
        return LinkLost(f"lost the board at {self.name} ({why}); the game is kept and the board tried again")

    @property
    def failed_count(self) -> int:
        """How many writes the radio did not do on this connection."""
        connection = self._connection
        return 0 if connection is None else connection.failed_count

    def wake(self) -> None:
        """Make a `read` that waits, or the next one, return now. Any thread may call it."""
        connection = self._connection
        if connection is not None:
            connection.inbox.wake()

    def give_up(self) -> None:
        """End what waits, and refuse what comes later. Any thread may call it."""
        self._given_up.set()
        with self._guard:
            if self._lease is not None:
                self._lease.cancel()
        self.wake()

    def close(self) -> None:
        """Disconnect, and give the radio back. Never fails; what hangs is left behind."""
        self._connection = None
        with self._guard:
            lease, self._lease = self._lease, None
        if lease is None:
            return
        # Also those that nobody waited for in the end.
        while self._made:
            let_go(lease, self._made.pop())
        lease.release()


def scan_for_boards(
    limit_s: float = FIND_LIMIT_S, *, radio: Radio = RADIO, limits: BleLimits | None = None
) -> tuple[BleSeen, ...]:
    """Everything that offers a UART, heard or connected, the strongest first.

    LinkRefused when Bluetooth cannot be used.
    """
    radio_bleak.check_library()
    lease = radio.lease()
    try:
        _, found = Search(lease, limits or BleLimits(), _no_connection).everything(limit_s, None)
    except RadioSilent as exc:
        raise LinkRefused(f"Bluetooth cannot be used: {exc}", Cause.HANGS) from exc
    finally:
        lease.release()
    return tuple(one.board for one in found if one.board is not None)


def bluetooth_trouble(*, radio: Radio = RADIO) -> LinkRefused | None:
    """Why Bluetooth cannot be used on this computer, with what to do; None when it can."""
    try:
        radio_bleak.check_library()
        lease = radio.lease()
        try:
            Search(lease, BleLimits(), _no_connection).look()
        finally:
            lease.release()
    except LinkRefused as exc:
        return exc
    except RadioSilent as exc:
        return LinkRefused(f"Bluetooth cannot be used: {exc}", Cause.HANGS)
    return None


def _no_connection(_: Connection) -> None:
    """Whoever only looks makes none."""
