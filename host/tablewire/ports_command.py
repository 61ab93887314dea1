"""`tablewire ports`: where a board could be, and what speaks for and against each place.

Owns the command, its options, and both forms of its output. Must not know how ports are listed, opened or
asked, nor what a greeting is made of. Changes nothing; only --ask opens a port.

With --json one object: {"ports": [{"path", "what", "usb_id", "serial_number", "location", "aliases",
"is_known", "is_last_good", "is_usable", "why_not", "users": [{"pid", "name"}], "answer"}], "left_out":
[{"port", "why"}], "bluetooth"}. `answer` is null without --ask, else {"is_board", "words", "firmware",
"board_kind"}; `bluetooth` is null without --ble, else {"boards": [{"address", "name", "rssi_dbm", "flavour",
"is_taken", "is_last_good"}], "trouble"}.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tablewire.errors import BoardError, one_line, short_line
from tablewire.options import baud_option

if TYPE_CHECKING:
    # Every command of tablewire reads this file; only this one needs the ports.
    from tablewire.link.faults import Tried
    from tablewire.link.last_good import KnownBoard
    from tablewire.link.port_users import User
    from tablewire.link.ports import SerialPort

SCAN_LIMIT_S = 5.0
"""A module advertises at least once a second; five chances, in a house full of them."""
ASK_LIMIT_S = 12.0
"""Opening takes 3 s at most, greeting 6; a port that takes longer is left to its thread."""

CELL_CHARS_MAX = 40
"""What a device calls itself may be longer, and would push the rest out of the line. JSON has it whole."""

NOTHING = (
    "no serial port is there that could be a board's: plug the board in.",
    "If that changes nothing, try another cable: many only charge.",
)
LOOK_BY_RADIO = "A board behind Bluetooth: tablewire ports --ble"
HOW_TO_TAKE = "tablewire run finds the board; --port PATH, or a serial number, takes one of these"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came when a port was asked. `words`: who answers, or why nobody does."""

    is_board: bool
    words: str
    firmware: str = ""
    board_kind: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One port, with all that was found out. `why_not` is None when it can be used, as far as can be seen."""

    port: SerialPort
    what: str
    is_known: bool
    is_last_good: bool
    why_not: str | None
    users: tuple[User, ...]
    answer: Answer | None = None

    def to_json(self) -> dict[str, Any]:
        """As the module's docstring has it."""
        return {
            "path": self.port.path,
            "what": self.what,
            "usb_id": _usb_id(self.port.usb_id),
            "serial_number": self.port.serial_number,
            "location": self.port.location,
            "aliases": list(self.port.aliases),
            "is_known": self.is_known,
            "is_last_good": self.is_last_good,
            "is_usable": self.why_not is None,
            "why_not": self.why_not,
            "users": [asdict(user) for user in self.users],
            "answer": None if self.answer is None else asdict(self.answer),
        }


@dataclass(frozen=True, slots=True)
class Radio:
    """What was seen by Bluetooth, or why nothing could be."""

    boards: tuple[dict[str, Any], ...] = ()
    trouble: str | None = None


@click.command("ports")
@click.option(
    "--ask", is_flag=True, help="Greet whatever is at each port. Opening a port resets many boards."
)
@baud_option
@click.option("--ble", is_flag=True, help="Look for boards by Bluetooth too, for 5 s.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, readable=False),
    help="The folder that keeps the games, and which board was last (default: your user data folder).",
)
def ports(ask: bool, baud: int, ble: bool, as_json: bool, data: Path | None) -> None:
    """List the serial ports that a board could be at.

    For each: what it is, its USB id and serial number, and whether it can be used, or why not.
    """
    from tablewire.link.faults import LinkRefused
    from tablewire.link.ports import look_for_ports

    try:
        listed = look_for_ports()
    except LinkRefused as exc:
        raise BoardError(str(exc)) from exc
    radio: list[Radio] = []
    last = _last_board(data)
    scanning = threading.Thread(target=lambda: radio.append(look_by_radio(last)), name="scan", daemon=True)
    if ble:
        scanning.start()
    rows = port_rows(listed.ports, last)
    if ask and rows:
        click.echo(f"asking {len(rows)} ports, for some seconds ...", err=True)
        rows = ask_all(rows, partial(greet_at, baud=baud))
    if ble:
        scanning.join(4 * SCAN_LIMIT_S)
    seen = (radio[0] if radio else Radio(trouble="Bluetooth does not answer")) if ble else None
    if as_json:
        click.echo(json.dumps(as_object(rows, listed.left_out, seen)))
        return
    for line in lines_of(rows, listed.left_out, seen):
        click.echo(line)


PORTS_COMMANDS = ports
"""The command for the command line."""


# ---- finding out ----


def port_rows(listed: Iterable[SerialPort], last: KnownBoard | None) -> list[Row]:
    """What is so of each port, likely ones first. Opens none."""
    from tablewire.link.port_rights import rights_on
    from tablewire.link.port_users import users_by_path
    from tablewire.link.ports import in_order, is_known, is_last, what_it_is

    rows = []
    ordered = [port for tier in in_order(listed, last) for port in tier]
    users_at = users_by_path(port.path for port in ordered)
    for port in ordered:
        users = users_at[port.path]
        why_not = rights_on(port.path).why_not or (f"in use: {_names(users)}" if users else None)
        is_last_good = last is not None and is_last(port, last)
        rows.append(Row(port, what_it_is(port), is_known(port), is_last_good, why_not, users))
    return rows


def ask_all(
    rows: Sequence[Row], answer_at: Callable[[str], Answer], limit_s: float = ASK_LIMIT_S
) -> list[Row]:
    """The rows with what answers at each port; all are asked at once."""
    answers: dict[str, Answer] = {}

    def ask(path: str) -> None:
        answers[path] = answer_at(path)

    asking = [threading.Thread(target=ask, args=(row.port.path,), name="ask", daemon=True) for row in rows]
    for thread in asking:
        thread.start()
    until_s = time.monotonic() + limit_s
    for thread in asking:
        thread.join(max(0.0, until_s - time.monotonic()))
    hangs = Answer(False, "it does not answer; unplug it and plug it in again")
    return [_with_answer(row, answers.get(row.port.path, hangs)) for row in rows]


def _with_answer(row: Row, answer: Answer) -> Row:
    return Row(row.port, row.what, row.is_known, row.is_last_good, row.why_not, row.users, answer)


def greet_at(path: str, baud: int, limit_s: float | None = None) -> Answer:
    """Open the port, greet, close it; what came of that."""
    from tablewire.link.faults import LinkLost, LinkRefused, port_words
    from tablewire.link.serial_port import SerialLink
    from tablewire.link.stranger import GREET_LIMIT_S, greet_over
    from tablewire.wire.greeting import Greeted, Greeting

    link = SerialLink(path, baud)
    try:
        link.open()
        greeted = greet_over(link, Greeting, GREET_LIMIT_S if limit_s is None else limit_s)
    except (LinkRefused, LinkLost) as exc:
        place = port_words(path)
        return Answer(False, str(exc).removeprefix(f"cannot open {place}: ").removeprefix(f"{place}: "))
    finally:
        link.close()
    if isinstance(greeted, Greeted):
        return Answer(True, greeted.words, greeted.firmware, greeted.board_kind)
    return Answer(True, greeted.words)


def _last_board(data: Path | None) -> KnownBoard | None:
    from tablewire.link.last_good import FILE_NAME, read_known_board
    from tablewire.store.folder import data_folder

    try:
        return read_known_board(data_folder(data) / FILE_NAME)
    except (OSError, ValueError):
        return None  # `tablewire run` says what is wrong with it; here it is only a mark in a list


def look_by_radio(last: KnownBoard | None, limit_s: float = SCAN_LIMIT_S) -> Radio:
    """What is seen by Bluetooth within `limit_s`. Never fails."""
    from tablewire.link.ble import bluetooth_trouble, scan_for_boards
    from tablewire.link.faults import LinkRefused

    try:
        trouble = bluetooth_trouble()
        if trouble is not None:
            return Radio(trouble=str(trouble))
        seen = scan_for_boards(limit_s)
    except LinkRefused as exc:
        return Radio(trouble=str(exc))
    last_address = last.port if last is not None and last.kind == "ble" else None
    return Radio(tuple({**asdict(one), "is_last_good": one.address == last_address} for one in seen))


# ---- telling ----


def as_object(rows: Iterable[Row], left_out: Iterable[Tried], radio: Radio | None) -> dict[str, Any]:
    """The object that --json prints."""
    return {
        "ports": [row.to_json() for row in rows],
        "left_out": [{"port": tried.port, "why": tried.why} for tried in left_out],
        "bluetooth": None if radio is None else {"boards": list(radio.boards), "trouble": radio.trouble},
    }


def lines_of(rows: Sequence[Row], left_out: Sequence[Tried], radio: Radio | None) -> Iterator[str]:
    """The same for a person: two lines for each port, likely ones first."""
    cells = [("PORT", "WHAT", "USB ID", "SERIAL NUMBER"), *map(_cells, rows)]
    heading, *table = _columns(cells)
    if rows:
        yield heading
    for row, line in zip(rows, table, strict=True):
        yield line
        yield f"    {_state(row)}"
    if not rows:
        yield from NOTHING
    if not rows and radio is None:
        yield LOOK_BY_RADIO
    yield from _left_out(left_out)
    if radio is not None:
        yield from _radio_lines(radio)
    if rows:
        yield ""
        yield HOW_TO_TAKE


def _cells(row: Row) -> tuple[str, ...]:
    port = row.port
    return (
        one_line(port.path),
        _short(row.what),
        _usb_id(port.usb_id) or "-",
        _short(port.serial_number or "-"),
    )


def _state(row: Row) -> str:
    marks = "the last good board: " if row.is_last_good else ""
    if row.answer is not None:
        return marks + one_line(row.answer.words)
    state = row.why_not or "can be used"
    return marks + one_line(state) + ("" if row.is_known else " (not of a known make)")


def _left_out(left_out: Sequence[Tried]) -> Iterator[str]:
    """One line for each reason: Linux names up to 32 ports that are not there."""
    by_reason: dict[str, list[str]] = {}
    for tried in left_out:
        by_reason.setdefault(tried.why, []).append(tried.port)
    for why, paths in by_reason.items():
        names = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        yield f"left out: {one_line(names)} ({why})"


def _radio_lines(radio: Radio) -> Iterator[str]:
    from tablewire.link.ble_boards import UNKNOWN_RSSI_DBM

    yield ""
    if radio.trouble is not None:
        yield f"no Bluetooth: {one_line(radio.trouble)}"
        return
    if not radio.boards:
        yield "Bluetooth: nothing with a UART service is in reach; a board that is in use elsewhere hides"
    cells = [("BLUETOOTH", "ADDRESS", "SIGNAL", "MODULE")]
    for board in radio.boards:
        name = f"ble:{board['name'] or board['address']}"
        more = ", the last good board" if board["is_last_good"] else ""
        more += ", connected to another program here" if board["is_taken"] else ""
        # A board that is connected says nothing that could be measured.
        signal = "-" if board["rssi_dbm"] == UNKNOWN_RSSI_DBM else f"{board['rssi_dbm']} dBm"
        cells.append((_short(name), one_line(board["address"]), signal, board["flavour"] + more))
    yield from _columns(cells) if radio.boards else ()


def _columns(cells: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    padded = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in cells)
    return ["  ".join(row).rstrip() for row in padded]


def _short(text: str) -> str:
    return short_line(text, CELL_CHARS_MAX)


def _names(users: Iterable[User]) -> str:
    return ", ".join(map(str, users))


def _usb_id(usb_id: tuple[int, int] | None) -> str | None:
    return None if usb_id is None else f"{usb_id[0]:04x}:{usb_id[1]:04x}"
