"""Which serial ports there are, which of them are likely a board's, and in which order to ask.

Owns the list of ports, the known USB ids, and a link by serial number. Must not know what a board says.
Listing may hang in a driver, so it has a thread and a time limit; one that hangs is never doubled.
"""

from __future__ import annotations

import os
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from serial.tools.list_ports import comports
from serial.tools.list_ports_common import ListPortInfo

from tablewire.errors import short_line
from tablewire.link.address import DEFAULT_BAUD, is_same_number, is_same_path
from tablewire.link.faults import Cause, LinkRefused, Tried, port_words
from tablewire.link.no_boards import why_no_board
from tablewire.link.serial_port import Opener, SerialLink, open_with_pyserial

LIST_LIMIT_S = 2.0
"""Listing takes a few milliseconds, on Windows up to 300; a driver that hangs is not waited for."""
POLL_S = 0.05
"""How soon a wait for the list ends when it is given up."""
WORDS_CHARS_MAX = 80
"""What a device says of itself may have 126 characters; this many tell it apart from others."""

KNOWN_USB: Mapping[tuple[int, int], str] = {
    # The Mega's own ids: boards.txt of Arduino's AVR core, sections mega and megaADK.
    (0x2341, 0x0010): "Arduino Mega 2560",
    (0x2341, 0x0042): "Arduino Mega 2560 R3",
    (0x2341, 0x003F): "Arduino Mega ADK",
    (0x2341, 0x0044): "Arduino Mega ADK R3",
    (0x2341, 0x0210): "Arduino Mega 2560",
    (0x2341, 0x0242): "Arduino Mega 2560 R3",
    # The same boards under the number of Arduino S.r.l. (the same file).
    (0x2A03, 0x0010): "Arduino Mega 2560",
    (0x2A03, 0x0042): "Arduino Mega 2560 R3",
    # Bridges on boards by others, and on adapters for bare chips. Linux: drivers/usb/serial/ch341.c.
    (0x1A86, 0x7523): "CH340 bridge",
    (0x1A86, 0x5523): "CH341 bridge",
    # These two speak as USB modems do and need no driver; WCH's data sheets CH343DS1 and CH9102DS1.
    (0x1A86, 0x55D3): "CH343 bridge",
    (0x1A86, 0x55D4): "CH9102 bridge",
    # Linux: drivers/usb/serial/cp210x.c.
    (0x10C4, 0xEA60): "CP210x bridge",
    # Linux: drivers/usb/serial/ftdi_sio_ids.h, FTDI_8U232AM_PID and FTDI_FTX_PID.
    (0x0403, 0x6001): "FT232R bridge",
    (0x0403, 0x6015): "FT231X bridge",
}
"""USB ids (vendor, product) of boards like ours and of the bridges on their copies. The packaged udev rule
has the same."""

Lister = Callable[[], Iterable[ListPortInfo]]


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A serial port that may be a board's.

    `description`: what it says of itself, on one line; `location`: the USB socket; `aliases`: other names of
    the same port that stay the same when it is plugged in elsewhere, such as those in /dev/serial/by-id.
    """

    path: str
    usb_id: tuple[int, int] | None = None
    serial_number: str | None = None
    description: str = ""
    location: str | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """The ports that may be boards, in order; and those that cannot be, with why."""

    ports: tuple[SerialPort, ...]
    left_out: tuple[Tried, ...]


def is_known(port: SerialPort) -> bool:
    """Whether boards like ours have this USB id. Others with the same bridge have it too."""
    return port.usb_id in KNOWN_USB


def what_it_is(port: SerialPort) -> str:
    """What is plugged in there, for people."""
    make = KNOWN_USB.get(port.usb_id) if port.usb_id is not None else None
    return make or port.description or ("USB serial port" if port.usb_id else "serial port")


# ---- listing ----


class _Listing:
    """The calls of one lister: at most one at a time, whoever asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun_s = 0.0
        self._running: _Call | None = None

    def result(self, lister: Lister, limit_s: float, stop: threading.Event | None) -> list[ListPortInfo]:
        with self._lock:
            if self._running is None or self._running.done.is_set():
                self._running = _Call(lister)
                self._begun_s = time.monotonic()
            call, until_s = self._running, self._begun_s + limit_s
        while not call.done.wait(max(0.0, min(POLL_S, until_s - time.monotonic()))):
            if stop is not None and stop.is_set():
                raise LinkRefused("the serial ports are not listed: the program ends")
            if time.monotonic() >= until_s:
                raise LinkRefused(
                    "listing the serial ports hangs in a driver; unplug what was plugged in last, "
                    "or name the port with --port",
                    Cause.HANGS,
                )
        if call.error is not None:
            raise LinkRefused(
                f"cannot list the serial ports: {short_line(call.error, WORDS_CHARS_MAX)}"
            ) from call.error
        return call.found


class _Call:
    """One call of a lister on a thread of its own."""

    def __init__(self, lister: Lister) -> None:
        self.done = threading.Event()
        self.found: list[ListPortInfo] = []
        self.error: Exception | None = None
        # A daemon thread: a driver that hangs must not keep the program from ending.
        threading.Thread(target=self._run, args=(lister,), name="ports", daemon=True).start()

    def _run(self, lister: Lister) -> None:
        try:
            self.found = list(lister())
        except Exception as exc:
            # pyserial lets OSError, ValueError, TypeError and WinError through, as the drivers please.
            self.error = exc
        finally:
            self.done.set()


_LISTINGS: weakref.WeakKeyDictionary[Lister, _Listing] = weakref.WeakKeyDictionary()
_LISTINGS_LOCK = threading.Lock()


def look_for_ports(
    limit_s: float = LIST_LIMIT_S,
    lister: Lister = comports,
    *,
    dev: Path = Path("/dev"),
    sys: Path = Path("/sys"),
    stop: threading.Event | None = None,
) -> Listed:
    """The ports there are now. LinkRefused (HANGS) when that takes longer than `limit_s`; `stop` ends it."""
    with _LISTINGS_LOCK:
        listing = _LISTINGS.setdefault(lister, _Listing())
    aliases = _aliases(dev)
    ports: list[SerialPort] = []
    left_out: list[Tried] = []
    for info in listing.result(lister, limit_s, stop):
        port = _port_of(info, aliases)
        if any(is_same_path(port.path, other.path) for other in ports):
            continue  # the same port under another name
        hardware = f"{info.hwid} {info.description}"
        why = why_no_board(port.path, is_usb=port.usb_id is not None, hardware=hardware, sys=sys)
        if why is None:
            ports.append(port)
        else:
            left_out.append(Tried(port_words(port.path), why))
    return Listed(
        tuple(sorted(ports, key=lambda port: _natural(port.path))),
        tuple(sorted(left_out, key=lambda tried: _natural(tried.port))),
    )


def list_serial_ports(
    limit_s: float = LIST_LIMIT_S, lister: Lister = comports, *, stop: threading.Event | None = None
) -> tuple[SerialPort, ...]:
    """The ports that may be a board's, in a stable order. LinkRefused as `look_for_ports`."""
    return look_for_ports(limit_s, lister, stop=stop).ports


def _port_of(info: ListPortInfo, aliases: Mapping[str, Sequence[str]]) -> SerialPort:
    path = os.path.realpath(info.device) if info.device.startswith("/") else info.device
    usb_id = (info.vid, info.pid) if info.vid is not None and info.pid is not None else None
    said = [text for text in (info.product, info.description) if text and text != "n/a"]
    return SerialPort(
        path,
        usb_id,
        _number(info.serial_number),
        short_line(said[0], WORDS_CHARS_MAX) if said else "",
        info.location or None,
        tuple(aliases.get(path, ())),
    )


def _number(text: str | None) -> str | None:
    """A serial number that a person could type; some devices give rubbish."""
    text = (text or "").strip()
    return text if text and text.isprintable() else None


def _aliases(dev: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    try:
        for link in sorted((dev / "serial" / "by-id").iterdir()):
            found.setdefault(os.path.realpath(link), []).append(str(link))
    except OSError:
        return found  # only udev makes them
    return found


def _natural(path: str) -> tuple[tuple[int, str], ...]:
    """ttyACM2 before ttyACM10."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,9})", path))


# ---- the order to ask in ----


class LastPort(Protocol):
    """The board that answered last, as far as a serial port can be it."""

    @property
    def kind(self) -> str: ...
    @property
    def port(self) -> str: ...
    @property
    def serial_number(self) -> str | None: ...
    @property
    def usb_id(self) -> tuple[int, int] | None: ...


def in_order(ports: Iterable[SerialPort], last: LastPort | None) -> tuple[tuple[SerialPort, ...], ...]:
    """Four tiers: where the last good board is; known USB ids; other USB; without USB. Each may be empty.

    Copies of one bridge often bear one serial number: then all of them are the last good one, the one at its
    old place first.
    """
    tiers: tuple[list[SerialPort], ...] = ([], [], [], [])
    for port in ports:
        if last is not None and is_last(port, last):
            tiers[0].append(port)
        else:
            tiers[1 if is_known(port) else 2 if port.usb_id is not None else 3].append(port)
    if last is not None:
        tiers[0].sort(key=lambda port: not is_same_path(port.path, last.port))
    return tuple(map(tuple, tiers))


def is_last(port: SerialPort, last: LastPort) -> bool:
    """Whether the port may be the last good board: by its serial number, or else by its place."""
    if last.kind != "serial" or (last.usb_id is not None and port.usb_id != last.usb_id):
        return False
    if last.serial_number is None:
        return is_same_path(port.path, last.port)
    return port.serial_number is not None and is_same_number(port.serial_number, last.serial_number)


# ---- by serial number ----


class SerialNumberLink:
    """A link to the USB port with this serial number, which is looked for at each opening."""

    kind = "serial"

    def __init__(
        self,
        number: str,
        baud: int = DEFAULT_BAUD,
        *,
        ports: Callable[..., Sequence[SerialPort]] = list_serial_ports,
        opener: Opener = open_with_pyserial,
    ) -> None:
        self.name = f"serial number {port_words(number)}"
        self._number = number
        self._baud = baud
        self._ports = ports
        self._opener = opener
        # Kept, so that an opener which hangs is not called again at the same place.
        self._links: dict[str, SerialLink] = {}
        self._link: SerialLink | None = None
        self._given_up = threading.Event()

    def open(self) -> None:
        """Find the port and open it. LinkRefused."""
        self.close()
        self._still_wanted()
        ports = self._ports(stop=self._given_up)
        refusals: list[tuple[SerialPort, LinkRefused]] = []
        for port in self._candidates(ports):
            link = self._link = self._links.setdefault(
                port.path, SerialLink(port.path, self._baud, self._opener)
            )
            # After the link is there for `give_up` to see: one of the two ends the wait.
            self._still_wanted()
            try:
                link.open()
            except LinkRefused as exc:
                refusals.append((port, exc))
            else:
                self.name = port.path
                return
        if len(refusals) == 1:
            raise refusals[0][1]
        if refusals:
            tried = [Tried(port_words(port.path), str(exc)) for port, exc in refusals]
            raise LinkRefused(str(refusals[0][1]), refusals[0][1].cause, tried)
        raise self._not_there(ports)

    def _still_wanted(self) -> None:
        if self._given_up.is_set():
            raise LinkRefused(f"{self.name} is not opened: the program ends")

    def _candidates(self, ports: Iterable[SerialPort]) -> list[SerialPort]:
        found = [p for p in ports if p.serial_number and is_same_number(p.serial_number, self._number)]
        return sorted(found, key=lambda port: port.path != self.name)

    def _not_there(self, ports: Iterable[SerialPort]) -> LinkRefused:
        return LinkRefused(
            f"no USB port has the serial number {port_words(self._number)}; plug the board in, it is tried "
            "again (tablewire ports lists the numbers)",
            Cause.ABSENT,
            [Tried(port_words(port.path), _its_number(port)) for port in ports],
        )

    def _open_link(self) -> SerialLink:
        # A link that was never open says so itself.
        return self._link or SerialLink(self.name, self._baud, self._opener)

    def read(self, limit_s: float, /) -> bytes:
        """As a serial port reads."""
        return self._open_link().read(limit_s)

    def write(self, data: bytes) -> bool:
        """As a serial port writes."""
        return self._open_link().write(data)

    def wake(self) -> None:
        """Make a `read` that waits return now. Any thread may call it."""
        link = self._link
        if link is not None:
            link.wake()

    def give_up(self) -> None:
        """Make what waits end soon, and refuse what comes later. Any thread may call it."""
        self._given_up.set()
        link = self._link
        if link is not None:
            link.give_up()

    def close(self) -> None:
        """Close the port; never fails."""
        if self._link is not None:
            self._link.close()


def _its_number(port: SerialPort) -> str:
    number = port.serial_number
    return (
        f"its serial number is {short_line(number, WORDS_CHARS_MAX)}" if number else "it has no serial number"
    )
