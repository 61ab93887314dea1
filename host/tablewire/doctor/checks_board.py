"""What a board, its line and its sensors come to.

Owns these judgements and their words. Must not know how anything was asked. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tablewire import __version__
from tablewire.doctor.checks_readers import has_readers
from tablewire.doctor.finding import Check, Finding, Level, note, ok, parted, skipped, trouble
from tablewire.doctor.seen import Board, BoardLeftAlone, BoardSeen, NoBoard, PageSeen
from tablewire.errors import one_line
from tablewire.link.faults import Tried, without_promise
from tablewire.wire.account import Account
from tablewire.wire.messages import MINOR, ResetCause, Settings

SUPPLY_LEAST_MV = 4500
"""An ATmega2560 at 16 MHz needs 4.5 V by its data sheet."""
SUPPLY_WEAK_MV = 4750
"""What a USB socket must give at least (USB 2.0, 7.2.2): below it a cable or hub loses too much."""
SUPPLY_MOST_MV = 5500
"""More than the chip is made for."""
GRAVE_COUNT = 3
"""So much trouble in the seconds of one look is no chance; one or two may be a plug that was touched."""
NOT_A_PLACE = "Bluetooth"
"""Where a search says that there is no Bluetooth, which has a check of its own."""
NAMED_MAX = 4
"""Places in one line: who looks for one more finds all of them with `tablewire ports`."""
COUNTER_SPAN = 1 << 16
"""The board's counters wrap."""
STACK_LEAST_BYTES = 64
"""An interrupt and its calls take about half of this."""

NEWER_FIRMWARE = "bring its firmware up: tablewire flash"
ANOTHER_CABLE = "try another, shorter cable without a hub; over Bluetooth bring the board nearer"
OTHER_SPEED = "the board and this program may run at different speeds (--baud), or the computer is too busy"


class Counter(NamedTuple):
    """One kind of trouble that is counted: where, what happened so many times, and what to do."""

    where: str
    name: str
    words: str
    do: str


COUNTERS = (
    Counter("status", "rx_bad_crc", "frames damaged on the way to the board", ANOTHER_CABLE),
    Counter("status", "rx_bad_cobs", "frames cut on the way to the board", ANOTHER_CABLE),
    Counter("status", "rx_bad_length", "frames of a wrong length on the way to the board", ANOTHER_CABLE),
    Counter("status", "rx_lost", "frames lost on the way to the board", ANOTHER_CABLE),
    Counter("status", "rx_unknown", "messages the board did not understand", NEWER_FIRMWARE),
    Counter("status", "rx_overrun", "bytes the board was too late for", OTHER_SPEED),
    Counter("status", "tx_retries", "messages the board had to say again", ANOTHER_CABLE),
    Counter("status", "ring_overflows", "times more happened than the board can keep", OTHER_SPEED),
    Counter("status", "tx_dropped", "answers dropped because the line was full", OTHER_SPEED),
    Counter("status", "scan_overruns", "rows of the scan lost", NEWER_FIRMWARE),
    Counter("dropped", "checksum", "frames damaged on the way to this computer", ANOTHER_CABLE),
    Counter("dropped", "byte stuffing", "frames cut on the way to this computer", ANOTHER_CABLE),
    Counter("dropped", "too short", "scraps of frames on the way to this computer", ANOTHER_CABLE),
    Counter("dropped", "too long", "long runs of bytes that were no frame", OTHER_SPEED),
    Counter("counts", "unknown message types", "messages this program does not know", "update tablewire"),
    Counter("counts", "payloads that fit no message", "messages not understood here", "update tablewire"),
    Counter("counts", "batches after a gap", "times changes were missing", ANOTHER_CABLE),
    Counter("counts", "batches that contradict what is known", "contradictions", "switch it off and on"),
    Counter("counts", "times far ahead of the one before", "leaps of the board's clock", ANOTHER_CABLE),
    Counter("counts", "times the board fell silent", "times the board fell silent", ANOTHER_CABLE),
)
"""Every counter that tells of trouble; the others count what any session does."""


def check_board(board: Board, page: PageSeen, told: str | None = None) -> Iterator[Finding]:
    """Whether there is a board that answers. `told`: why there can be none, when another check tells it."""
    match board:
        case BoardSeen(port, kind, first):
            over = "over Bluetooth" if kind == "ble" else "by cable"
            what = f"{len(first.readers)} readers" if has_readers(first) else f"{first.sensor_count} sensors"
            text = f"a board with {what} answers at {one_line(port)}, {over}"
            yield ok(Check.BOARD, text)
            for other in board.others:
                yield note(Check.BOARD, f"{one_line(other.port)}: {one_line(other.why)}")
        case BoardLeftAlone() if page.link_state == "up":
            yield ok(Check.BOARD, f"the table that plays has its board, at {one_line(page.port)}")
        case BoardLeftAlone() if page.who == "tablewire" and not page.link_state:
            yield skipped(Check.BOARD, f"the table that runs does not tell: {one_line(page.text or '')}")
        case BoardLeftAlone() if page.who == "tablewire":
            text = f"the table that runs has no board: {one_line(page.text or 'it looks for one')}"
            yield trouble(Check.BOARD, text, _where(page.tried))
        case BoardLeftAlone(why):
            yield skipped(Check.BOARD, why)
        case NoBoard(_, _, tried) if told is not None:
            others = tuple(one for one in tried if one.port != NOT_A_PLACE)
            yield Finding(Check.BOARD, Level.SKIPPED, told, _where(others))
        case NoBoard(text, _, tried):
            what, do = (
                parted(one_line(text)) if not tried else (without_promise(one_line(text)), _where(tried))
            )
            yield trouble(Check.BOARD, what, do)


def _where(tried: tuple[Tried, ...]) -> str | None:
    by_reason: dict[str, list[str]] = {}
    for one in tried:
        by_reason.setdefault(without_promise(one_line(one.why)), []).append(one_line(one.port))
    lines = [f"{_some(ports)}: {why}" for why, ports in by_reason.items()]
    return f"looked at {'; '.join(lines)}" if lines else None


def _some(ports: list[str]) -> str:
    """A few of them by name, ttyS2 before ttyS10: some computers name 32 ports that are not there."""
    ports = sorted(ports, key=lambda port: (len(port), port))
    more = len(ports) - NAMED_MAX
    return ", ".join(ports[:NAMED_MAX]) + (f" and {more} more" if more > 0 else "")


def accounts_of(board: Board, page: PageSeen) -> tuple[Account, Account, float] | None:
    """What is told of a board and its line, by itself or by the table that plays on it."""
    if isinstance(board, BoardSeen):
        return board.first, board.last, board.window_s
    if page.first is not None and page.last is not None:
        return page.first, page.last, page.window_s
    return None


def why_none(board: Board, page: PageSeen) -> str:
    """Why nothing is told of a board."""
    if page.link_state == "up":
        return "the table that plays does not tell: stop it, and the board is asked"
    return "no board was asked" if isinstance(board, BoardLeftAlone) else "no board answers"


def check_firmware(board: Board, page: PageSeen) -> Iterator[Finding]:
    """The board's firmware against this program."""
    told = accounts_of(board, page)
    if told is None:
        yield skipped(Check.FIRMWARE, why_none(board, page))
        return
    account = told[1]
    firmware = one_line(account.firmware) or "without a name"
    order = _order(account.firmware, __version__)
    if account.minor < MINOR or order < 0:
        text = f"the board's firmware {firmware} is older than this program ({__version__})"
        yield note(Check.FIRMWARE, text, "it plays; tablewire flash brings it up")
    elif account.minor > MINOR or order > 0:
        text = f"the board's firmware {firmware} is newer than this program ({__version__})"
        yield note(Check.FIRMWARE, text, "it plays; update tablewire on this computer")
    else:
        same = ", as this program" if account.firmware == __version__ else ""
        yield ok(Check.FIRMWARE, f"firmware {firmware}{same}")
    stack = account.status.get("stack_free", STACK_LEAST_BYTES)
    if 0 < stack < STACK_LEAST_BYTES:
        text = f"the board has had only {stack} bytes of memory left"
        yield trouble(Check.FIRMWARE, text, "report this, with its firmware")
    if account.reset_cause == ResetCause.WATCHDOG:
        text = "the board's firmware hung, and its watchdog started it again"
        yield trouble(Check.FIRMWARE, text, "tablewire flash; if it comes again, report it")


def _order(firmware: str, program: str) -> int:
    """-1, 0 or 1 as the firmware's version is lower, the same, or higher; 0 when one is no version."""
    try:
        a, b = (tuple(map(int, version.split("."))) for version in (firmware, program))
    except ValueError:
        return 0
    return (a > b) - (a < b)


def check_line(board: Board, page: PageSeen) -> Iterator[Finding]:
    """What both ends count of trouble: in the seconds of the look, and before."""
    told = accounts_of(board, page)
    if told is None:
        yield skipped(Check.LINE, why_none(board, page))
        return
    first, last, window_s = told
    if _has_restarted(first, last):
        yield trouble(
            Check.LINE,
            "the board began anew while it was looked at",
            "look at its power: another cable or socket, a supply of its own",
        )
        return
    clean, old = True, []
    for counter in COUNTERS:
        before, now = (_count(account, counter) for account in (first, last))
        risen = (now - before) % COUNTER_SPAN
        if risen:
            clean = False
            grave = trouble if risen >= GRAVE_COUNT else note
            yield grave(Check.LINE, f"{risen} {counter.words} in {window_s:.0f} s", counter.do)
        elif before:
            old.append(f"{before} {counter.words}")
    if clean and old:
        yield note(Check.LINE, f"no trouble in {window_s:.0f} s; before that {', '.join(old)}")
    elif clean:
        yield ok(Check.LINE, f"no trouble in {window_s:.0f} s")


def _count(account: Account, counter: Counter) -> int:
    table: Mapping[str, int] = getattr(account, counter.where)
    return table.get(counter.name, 0)


def _has_restarted(first: Account, last: Account) -> bool:
    return first.nonce != last.nonce


def check_supply(board: Board, page: PageSeen) -> Iterator[Finding]:
    """The board's supply, as it measures it."""
    told = accounts_of(board, page)
    if told is None:
        yield skipped(Check.SUPPLY, why_none(board, page))
        return
    account = told[1]
    if account.reset_cause == ResetCause.BROWN_OUT:
        text = "the board began anew because its supply broke down"
        yield trouble(Check.SUPPLY, text, "another cable or socket, or a supply of its own")
    supply_mv = account.status.get("supply_mv", 0)
    volts = f"the board's supply is {supply_mv / 1000:.2f} V"
    if not supply_mv:
        yield skipped(Check.SUPPLY, "the board does not tell")
    elif supply_mv < SUPPLY_LEAST_MV:
        do = "another cable or socket, without a hub, or a supply of its own"
        yield trouble(Check.SUPPLY, f"{volts}; below {SUPPLY_LEAST_MV / 1000} V it misreads", do)
    elif supply_mv > SUPPLY_MOST_MV:
        yield trouble(Check.SUPPLY, f"{volts}: too much for its chip", "unplug it, and look at its supply")
    elif supply_mv < SUPPLY_WEAK_MV:
        yield note(Check.SUPPLY, f"{volts}, which is low", "a shorter cable, or a socket without a hub")
    else:
        yield ok(Check.SUPPLY, volts)


SETTINGS_WORDS = {
    Settings.NONE: ("was never calibrated: it goes by typical levels", "tablewire calibrate"),
    Settings.DAMAGED: ("has lost its calibration: what it had stored is damaged", "tablewire calibrate"),
    Settings.OTHER_VERSION: (
        "cannot read its calibration: another version of its firmware stored it",
        "tablewire calibrate, or flash that version again",
    ),
}
"""By what the board found stored: what that means, and what to do."""


def check_calibration(account: Account) -> Iterator[Finding]:
    """What the board says of its stored calibration; nothing when it has one."""
    settings = account.status.get("settings", Settings.STORED)
    if settings in set(Settings) and settings != Settings.STORED:
        text, do = SETTINGS_WORDS[Settings(settings)]
        grave = note if settings == Settings.NONE else trouble
        yield grave(Check.SENSORS, f"the board {text}", do)
