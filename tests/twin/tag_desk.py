"""The compiled firmware of a board with readers: a chip, its line, and a host that acknowledges at once.

For tests and figures in the chip's own microseconds: no cable, no faults of the line, no clock on the wall.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.twin.desk import PATIENCE_US, WAITING_STEP_US, Wired

from tablewire.wire.frame import Sender
from tablewire.wire.messages import (
    BoardKind,
    BoardMessage,
    HostMessage,
    Param,
    ParamKey,
    ParamOp,
    Result,
    ResultCode,
    Sight,
    Status,
    StatusReq,
)
from tablewire.wire.observed import Sighting, Sightings
from tablewire.wire.session import Told

BOOT_US = 500_000
"""The self-tests of all readers, and the host finds the board."""


class TagDesk(Wired):
    """`told`: what the session told, and when."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(BoardKind.LIGRETTO, seed)
        self.told: list[tuple[int, Sighting]] = []

    def boot(self) -> None:
        """Until the board has been found and its readers scan."""
        self.run(BOOT_US)
        assert self.session.synced, "the board was not found"

    def take(self, at_us: int, one: Told) -> None:
        """Sightings are kept."""
        if isinstance(one, Sightings):
            self.told += [(at_us, sighting) for sighting in one.sightings]
            self.session.acknowledge(one.sightings[-1].number, one.nonce)

    def ask(self, message: HostMessage) -> BoardMessage:
        """Say something beside the session; the first message that is no status, tag or greeting."""
        seen = len(self.sent)
        self.chip.rx(Sender().encode(message.TYPE, message.encode()))
        self.run(20_000)
        wanted = (Status,) if isinstance(message, StatusReq) else (Result,)
        return next(one for _, one in self.sent[seen:] if isinstance(one, wanted))

    def adjust(self, key: ParamKey, value: int) -> None:
        """A parameter; it is stored, and the readers begin anew."""
        done = self.ask(Param(200 + key, ParamOp.SET, key, value))
        assert isinstance(done, Result)
        assert done.code == ResultCode.OK
        self.run(BOOT_US)

    def status(self) -> Status:
        """What the board counts now."""
        now = self.ask(StatusReq())
        assert isinstance(now, Status)
        return now

    def wait_for(self, count: int, what: Sight, patience_us: int = PATIENCE_US) -> list[tuple[int, Sighting]]:
        """Let time pass until so many more of a kind have been told than before; those."""
        seen = len(self.told)
        end_us = self.chip.now_us + patience_us
        while len(found := [one for one in self.told[seen:] if one[1].what == what]) < count:
            assert self.chip.now_us < end_us, f"{len(found)} of {count} {what!r} in time"
            self.run(WAITING_STEP_US, WAITING_STEP_US)
        return found

    def lay(self, uids: Iterable[str], *readers: int) -> None:
        """Tags come to lie over these readers; over none: they go."""
        for uid in uids:
            self.chip.tag(bytes.fromhex(uid), readers)

    def lying(self) -> set[tuple[int, str]]:
        """What the host believes to lie there, by what it was told."""
        there: set[tuple[int, str]] = set()
        for _, one in self.told:
            place = (one.source, one.uid)
            match one.what:
                case Sight.ANEW:
                    there.clear()
                case Sight.CAME | Sight.FOUND:
                    there.add(place)
                case Sight.GONE:
                    there.discard(place)
        return there


def uid_of(number: int) -> str:
    """A sticker's UID of seven bytes, 04 being its maker."""
    return f"04{number * 0x9E3779B1 % 2**32:08X}{number % 2**16:04X}"
