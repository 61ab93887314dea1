"""What every link to a board promises, whatever it goes over.

Owns the contract, which one suite of tests holds every kind of link to. Must not know any of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from tablewire.link.faults import Tried


class Link(Protocol):
    """A way to one board, opened and closed any number of times. Bytes in order, or lost; never changed.

    One thread opens, reads, writes and closes; `wake` and `give_up` may be called from any, at any time.
    `name` is what a person calls the place ("/dev/ttyACM0", "ble:tablewire"); a link that has to find its
    board first is called otherwise once it is open. `kind` says what it goes over: "serial", "ble", "memory".
    """

    name: str
    kind: str

    def open(self) -> None:
        """Reach the board, within a limit of the link's own. LinkRefused; then nothing is held any more.

        Closes first whatever was open. Nothing heard before belongs to what is heard from now on.
        """

    def read(self, limit_s: float, /) -> bytes:
        """The bytes that have come, as soon as there are any; none when `limit_s` passes or `wake` is called.

        LinkLost when the link is gone or was never open, whatever the system calls that.
        """

    def write(self, data: bytes) -> bool:
        """Send `data`, best effort, in a bounded time; False when the line did not take it. LinkLost."""

    def wake(self) -> None:
        """Make a `read` that waits, or the next one, return now. Does nothing to a link that is closed."""

    def give_up(self) -> None:
        """The program ends: `open` and `read`, also one that waits, end soon by LinkRefused or LinkLost."""

    def close(self) -> None:
        """Let go of everything that is held, also what has failed. Never fails, may be called twice."""


@runtime_checkable
class Seeking(Protocol):
    """What a link has besides, that has to find its board first.

    `tried`: where else a board was looked for, and why none is used there; true after each `open`, also after
    one that was refused. `tell` is called, on the thread that opens, with where is looked now; whoever drives
    the link sets it.
    """

    tried: tuple[Tried, ...]
    tell: Callable[[str], None]
