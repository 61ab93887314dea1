"""One examination: everything is looked at, each within its limit, and judged check by check.

Owns the order of looks, their limits, the table of checks, and what becomes of one that breaks. Must not know
how anything is looked at or judged, nor how it is shown. Ends by itself within TOTAL_LIMIT_S.

| thread | what it does |
|---|---|
| "look" | one look each, side by side; left to itself when it does not come back |
| whoever calls | waits for them, judges |
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tablewire.doctor import facts_board, facts_computer, facts_page, facts_radio, facts_store
from tablewire.doctor.checks_board import check_board, check_firmware, check_line, check_supply
from tablewire.doctor.checks_computer import (
    check_clock,
    check_disk,
    check_page,
    check_power,
    check_program,
    check_settings,
    check_store,
)
from tablewire.doctor.checks_ports import (
    check_bluetooth,
    check_brltty,
    check_modem_manager,
    check_ports,
    check_rights,
    check_udev_rule,
    check_use,
)
from tablewire.doctor.checks_sensors import check_sensors
from tablewire.doctor.facts_ports import look_at_ports
from tablewire.doctor.finding import Check, Finding, skipped
from tablewire.doctor.limits import Late, Started, within
from tablewire.doctor.roots import Roots
from tablewire.doctor.seen import (
    Board,
    BoardLeftAlone,
    BoardSeen,
    ClockSeen,
    DiskSeen,
    NoBoard,
    PageSeen,
    PortsSeen,
    PowerSeen,
    ProgramSeen,
    RadioSeen,
    StoreSeen,
)
from tablewire.errors import one_line
from tablewire.link.address import BLE, Address, AnyBoard, BleBoard, SerialNumber, SerialPath
from tablewire.link.contract import Link
from tablewire.link.faults import Cause, LinkRefused
from tablewire.link.finding import FoundLink, Sources
from tablewire.link.finding import Limits as SearchLimits
from tablewire.link.last_good import FILE_NAME
from tablewire.link.opening import Bluetooth, link_for
from tablewire.link.ports import SerialPort, list_serial_ports
from tablewire.wire.greeting import Greeting

TOTAL_LIMIT_S = 25.0
"""As long as a person waits who was told so."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long each thing may take."""

    look_s: float = 7.0
    """A look at this computer takes milliseconds; the games of many years, on a memory card, seconds."""
    board_s: float = 14.0
    """What is left for the board: a port is asked for 6 s at most, one that answers is watched for 3."""
    end_s: float = 1.0
    """A link that was given up ends its search within this, and lets go within as long again."""
    search: SearchLimits = field(default_factory=SearchLimits)
    """Of a board that is looked for; within `board_s`."""

    @property
    def total_s(self) -> float:
        """All of it: looks come first, the board after them."""
        return self.look_s + self.board_s + 2 * self.end_s


LIMITS = Limits()
Lister = Callable[..., Sequence[SerialPort]]
"""How ports are listed, as `list_serial_ports` is called."""
Seen = TypeVar("Seen")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be examined: the board at `address`, the data `folder`, the page at host and port."""

    address: Address
    baud: int
    folder: Path
    host: str
    http_port: int


class Unseen(Exception):  # noqa: N818 - the word says what happened
    """What a check needs could not be looked at; one line."""


@dataclass(slots=True)
class Looked:
    """What was seen, by its type, and why other things were not."""

    wanted: Wanted
    seen: dict[type, Any] = field(default_factory=dict)
    failed: dict[type, str] = field(default_factory=dict)
    board: Board = field(default_factory=lambda: BoardLeftAlone("no board was asked"))

    def of(self, kind: type[Seen]) -> Seen:
        """What was seen of this kind. Unseen."""
        if kind not in self.seen:
            raise Unseen(self.failed.get(kind, "it was not looked at"))
        found: Seen = self.seen[kind]
        return found

    def take(self, kind: type[Seen], look: Callable[[], Seen]) -> None:
        """Note what a look gives, or why it gives nothing."""
        try:
            self.seen[kind] = look()
        except Late as exc:
            self.failed[kind] = str(exc)
        except Exception as exc:
            # Whatever breaks here is no reason to keep the rest from a person.
            self.failed[kind] = one_line(f"{type(exc).__name__}: {exc}")


def _board_check(looked: Looked) -> Iterable[Finding]:
    return check_board(looked.board, looked.of(PageSeen), _told_elsewhere(looked))


def _told_elsewhere(looked: Looked) -> str | None:
    """Why there can be no board, where the checks of ports or Bluetooth tell it: one cause is told once."""
    ports = looked.of(PortsSeen)
    there = [port for port in ports.ports if port.is_there]
    if isinstance(looked.wanted.address, BleBoard) or (_is_by_radio(looked) and not there):
        return None if looked.of(RadioSeen).trouble is None else "Bluetooth cannot be used"
    if ports.trouble is not None:
        return None
    asked = [port for port in there if port.is_named] or there
    if not asked:
        return "there is no port to ask at"
    is_closed = all(port.missing_right or port.holders for port in asked)
    return "the port cannot be used" if is_closed else None


def _is_by_radio(looked: Looked) -> bool:
    """Whether the board needs no cable: it is named so, was reached so last, or one was asked so now."""
    if not isinstance(looked.wanted.address, AnyBoard):
        return isinstance(looked.wanted.address, BleBoard)
    tried = looked.board.tried if isinstance(looked.board, NoBoard) else ()
    if any(one.port.startswith(f"{BLE}:") for one in tried):
        return True
    last = facts_board.Unchanged(looked.wanted.folder / FILE_NAME).load()
    return last is not None and last.kind == "ble"


def _ports_check(looked: Looked) -> Iterable[Finding]:
    is_wanted = not _is_by_radio(looked)
    return check_ports(looked.of(PortsSeen), looked.board, looked.of(PageSeen), is_wanted=is_wanted)


def _bluetooth(looked: Looked) -> Iterable[Finding]:
    """Bluetooth is wanted for a board that is named so, or was reached so last and is not found now."""
    is_found = isinstance(looked.board, BoardSeen) or looked.of(PageSeen).link_state == "up"
    is_named = isinstance(looked.wanted.address, BleBoard)
    is_wanted = is_named or (not is_found and _is_by_radio(looked))
    return check_bluetooth(looked.of(RadioSeen), is_wanted=is_wanted, is_found=is_found)


CHECKS: Mapping[Check, Callable[[Looked], Iterable[Finding]]] = {
    Check.BOARD: _board_check,
    Check.PORTS: _ports_check,
    Check.RIGHTS: lambda s: check_rights(s.of(PortsSeen)),
    Check.IN_USE: lambda s: check_use(s.of(PortsSeen), s.of(PageSeen)),
    Check.MODEM_MANAGER: lambda s: check_modem_manager(s.of(PortsSeen)),
    Check.UDEV_RULE: lambda s: check_udev_rule(s.of(PortsSeen)),
    Check.BRLTTY: lambda s: check_brltty(s.of(PortsSeen)),
    Check.BLUETOOTH: _bluetooth,
    Check.FIRMWARE: lambda s: check_firmware(s.board, s.of(PageSeen)),
    Check.LINE: lambda s: check_line(s.board, s.of(PageSeen)),
    Check.SUPPLY: lambda s: check_supply(s.board, s.of(PageSeen)),
    Check.SENSORS: lambda s: check_sensors(s.board, s.of(PageSeen)),
    Check.PAGE: lambda s: check_page(s.of(PageSeen)),
    Check.STORE: lambda s: check_store(s.of(StoreSeen)),
    Check.SETTINGS: lambda s: check_settings(s.of(StoreSeen)),
    Check.DISK: lambda s: check_disk(s.of(DiskSeen)),
    Check.CLOCK: lambda s: check_clock(s.of(ClockSeen), s.seen.get(StoreSeen, StoreSeen(""))),
    Check.POWER: lambda s: check_power(s.of(PowerSeen)),
    Check.PROGRAM: lambda s: check_program(s.of(ProgramSeen)),
}
"""Every check, in the order in which they are told."""


def examine(
    wanted: Wanted,
    tell: Callable[[str], None] = lambda _: None,
    roots: Roots | None = None,
    lister: Lister = list_serial_ports,
    limits: Limits = LIMITS,
) -> list[Finding]:
    """Look at everything and judge it. Never fails: what breaks becomes a finding.

    `tell` is told where a board is looked for.
    """
    looked = look(wanted, tell, roots or Roots(), lister, limits)
    return [finding for check, judge in CHECKS.items() for finding in _judged(check, judge, looked)]


def _judged(check: Check, judge: Callable[[Looked], Iterable[Finding]], looked: Looked) -> Iterable[Finding]:
    try:
        return list(judge(looked))
    except Unseen as exc:
        return [skipped(check, f"could not be looked at: {exc}")]
    except Exception as exc:
        return [skipped(check, one_line(f"could not be judged: {type(exc).__name__}: {exc}"))]


def look(
    wanted: Wanted, tell: Callable[[str], None], roots: Roots, lister: Lister, limits: Limits = LIMITS
) -> Looked:
    """Look at everything, side by side; at the board last, when it is known who uses it."""
    looked = Looked(wanted)
    until_s = time.monotonic() + limits.look_s
    looks: dict[type, Callable[[], Any]] = {
        PortsSeen: lambda: _ports(wanted, roots, lister),
        PageSeen: lambda: facts_page.look_at_page(wanted.host, wanted.http_port),
        RadioSeen: lambda: facts_radio.look_at_radio(roots),
        StoreSeen: lambda: facts_store.look_at_store(wanted.folder),
        DiskSeen: lambda: facts_computer.look_at_disk(wanted.folder),
        ClockSeen: lambda: facts_computer.look_at_clock(roots),
        PowerSeen: lambda: facts_computer.look_at_power(roots),
        ProgramSeen: facts_computer.look_at_program,
    }
    started = {kind: Started(one) for kind, one in looks.items()}

    def take(*kinds: type) -> None:
        for kind in kinds:
            looked.take(kind, partial(_result, started[kind], until_s))

    take(PortsSeen, PageSeen)
    looked.board = _board(looked, tell, lister, limits)
    take(*(started.keys() - {PortsSeen, PageSeen}))
    return looked


def _result(started: Started[Any], until_s: float) -> Any:
    return started.result(until_s - time.monotonic())


def _ports(wanted: Wanted, roots: Roots, lister: Lister) -> PortsSeen:
    listed: Sequence[SerialPort] = ()
    trouble = None
    try:
        listed = lister()
    except LinkRefused as exc:
        trouble = one_line(exc)
    last = facts_board.Unchanged(wanted.folder / FILE_NAME).load()
    return look_at_ports(wanted.address, listed, roots, trouble, last)


def _board(looked: Looked, tell: Callable[[str], None], lister: Lister, limits: Limits) -> Board:
    """The board, unless somebody uses it."""
    wanted = looked.wanted
    page, ports = looked.seen.get(PageSeen, PageSeen("")), looked.seen.get(PortsSeen, PortsSeen())
    why = _who_uses(wanted.address, page, ports)
    if why is not None:
        return BoardLeftAlone(why)
    try:
        return visit(_link(wanted, ports, tell, lister, limits.search), limits)
    except Exception as exc:
        return NoBoard(one_line(f"the board could not be asked: {type(exc).__name__}: {exc}"))


def _link(
    wanted: Wanted, ports: PortsSeen, tell: Callable[[str], None], lister: Lister, limits: SearchLimits
) -> Link:
    """The link to the board that is wanted. A search leaves out the ports that some program has open.

    Not every program locks its port, and one that did not would lose bytes to the greeting.
    """
    if not isinstance(wanted.address, AnyBoard):
        return link_for(wanted.address, wanted.baud, greet=Greeting)
    held = {port.path for port in ports.ports if port.holders}
    memory = facts_board.Unchanged(wanted.folder / FILE_NAME, without=held)
    free = Sources(
        ports=lambda **how: [port for port in lister(**how) if port.path not in held],
        radio=Bluetooth(Greeting),
    )
    return FoundLink(wanted.baud, greet=Greeting, last_good=memory, tell=tell, sources=free, limits=limits)


def visit(link: Link, limits: Limits = LIMITS) -> Board:
    """Look at the board at the other end within the limit, and let go of it in any case."""
    visiting: Started[Board] | None = None
    try:
        visiting = Started(facts_board.Visit(link).look)
        return visiting.result(limits.board_s)
    except Late:
        _end(link, visiting, limits.end_s)
    except KeyboardInterrupt:
        # A radio that is left connected would keep the board from the next program.
        _end(link, visiting, limits.end_s)
        raise
    tried = getattr(link, "tried", ())
    return NoBoard(f"no board answered within {limits.board_s:.0f} s", Cause.SILENT, tuple(tried))


def _end(link: Link, visiting: Started[Board] | None, limit_s: float) -> None:
    """End a visit from outside, within the limit and as long again; what hangs is left to itself."""
    with suppress(Exception):
        within(limit_s, lambda: facts_board.give_up(link))
    if visiting is not None:
        with suppress(Exception):
            visiting.result(limit_s)


def _who_uses(address: Address, page: PageSeen, ports: PortsSeen) -> str | None:
    """Why the board must not be opened: a table plays on it, or looks for one, or another program has it."""
    named = next((port for port in ports.ports if port.is_named), None)
    if page.who == "tablewire" and _is_meant(address, page, named.path if named else None):
        return f"the table at http://{page.address}/ uses it"
    if named is not None and named.holders:
        holder = named.holders[0]
        return f"{one_line(named.path)} is used by {one_line(holder.name)} (process {holder.pid})"
    if isinstance(address, AnyBoard) and page.who != "tablewire":
        playing = [h for port in ports.ports if port.matters for h in port.holders if h.is_tablewire]
        if playing:
            return f"{one_line(playing[0].name)} (process {playing[0].pid}) uses it"
    return None


def _is_meant(address: Address, page: PageSeen, path: str | None) -> bool:
    """Whether the table that runs is at the board that is asked for, or may be, since it looks for one."""
    match address:
        case AnyBoard():
            return True
        case SerialPath() | SerialNumber():
            return path is not None and os.path.realpath(path) == os.path.realpath(page.port)
        case BleBoard():
            return page.port.startswith("ble")
