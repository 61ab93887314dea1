"""Looks at serial ports: which there are, what we may do with them, who has them, who meddles with them.

Owns these looks into /proc, /sys and udev's files. Must not know what is good or bad. Opens no port.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tablewire.doctor.facts_users import holders_of
from tablewire.doctor.roots import (
    Roots,
    entries,
    programs,
    read_text,
    rule_files,
    rule_lines,
)
from tablewire.doctor.seen import Holder, PortSeen, PortsSeen, UsbId, UsbSeen
from tablewire.link.address import Address, AnyBoard, SerialNumber, SerialPath, is_same_number, is_same_path
from tablewire.link.last_good import KnownBoard
from tablewire.link.port_rights import rights_on
from tablewire.link.ports import KNOWN_USB, SerialPort
from tablewire.packaging import UDEV_RULE

PORTS_MAX = 32
"""Ports looked at: more than that are a server's."""
IGNORED = ("ID_MM_DEVICE_IGNORE", "ID_MM_PORT_IGNORE")
"""The tags by which ModemManager leaves a device, or one port of it, alone."""
NO_PORT = "it is no serial port; name the one the board is plugged into: tablewire ports lists them"
ANCESTORS_MAX = 6
"""From a port to its USB device are two or three steps in /sys."""

_PRODUCT = re.compile(r'ENV\{PRODUCT\}=="([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/')


def look_at_ports(
    address: Address,
    listed: Sequence[SerialPort],
    roots: Roots,
    trouble: str | None = None,
    last: KnownBoard | None = None,
) -> PortsSeen:
    """What is so of the ports listed, of the one that `address` names, and of the one where a board was last.

    `trouble`: why none is listed.
    """
    rules = rule_files(roots)
    ports = {port.path: port for port in listed[:PORTS_MAX]}
    named = _named(address, listed)
    paths = [*([named] if named and named not in ports else []), *ports]
    if last is not None and last.kind == "serial" and isinstance(address, AnyBoard):
        # A link that somebody made, or a simulated board: in no list, but asked first by a search.
        before = _listed_as(last.port, listed)
        if before not in paths and Path(before).exists():
            paths.insert(0, before)
    holders = holders_of([path for path in paths if path in ports or _may_be_port(path, roots)], roots)
    return PortsSeen(
        ports=tuple(
            _port(path, ports.get(path), roots, holders.get(path), is_named=path == named) for path in paths
        ),
        usb=tuple(_usb(roots)),
        trouble=trouble,
        modem_manager_runs=any(name == "ModemManager" for _, name in programs(roots)),
        has_modem_rule=_has_modem_rule(rules),
        **_rule(rules.get(UDEV_RULE.name)),
        brltty_rules=_brltty_rules(rules),
    )


def _named(address: Address, listed: Sequence[SerialPort]) -> str | None:
    """The path of the port that a person named."""
    match address:
        case SerialPath(path):
            return _listed_as(path, listed)
        case SerialNumber(number):
            found = (p.path for p in listed if p.serial_number and is_same_number(p.serial_number, number))
            return next(found, None)
        case _:
            return None


def _listed_as(path: str, listed: Sequence[SerialPort]) -> str:
    """The path under which a port is listed: it may be called by a link to it, as in /dev/serial/by-id."""
    real = os.path.realpath(path)
    same = (p.path for p in listed if is_same_path(p.path, path) or os.path.realpath(p.path) == real)
    return next(same, path)


def _port(
    path: str, listed: SerialPort | None, roots: Roots, holders: tuple[Holder, ...] | None, *, is_named: bool
) -> PortSeen:
    usb_id = listed.usb_id if listed else None
    return PortSeen(
        path=path,
        is_named=is_named,
        make=KNOWN_USB.get(usb_id) if usb_id else None,
        usb_id=usb_id,
        is_there=listed is not None or Path(path).exists(),
        is_port=holders is not None,
        missing_right=rights_on(path).why_not if holders is not None else NO_PORT,
        modem_ignored=_modem_ignored(path, roots),
        holders=holders or (),
    )


def _may_be_port(path: str, roots: Roots) -> bool:
    """Whether it may be a serial port, as far as one sees without opening it.

    What is not there may be one; that a file is none is said when it is opened.
    """
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return True
    number = f"{os.major(found.st_rdev)}:{os.minor(found.st_rdev)}"
    subsystem = roots.sys / "dev" / "char" / number / "subsystem"
    is_other = os.path.lexists(subsystem) and Path(os.path.realpath(subsystem)).name != "tty"
    return stat.S_ISREG(found.st_mode) or (stat.S_ISCHR(found.st_mode) and not is_other)


def _modem_ignored(path: str, roots: Roots) -> bool | None:
    """Whether udev has tagged the port, or its device, for ModemManager to leave alone."""
    data = roots.run / "udev" / "data"
    device = roots.sys / "class" / "tty" / Path(os.path.realpath(path)).name
    number = read_text(device / "dev")
    if number is None or not data.is_dir():
        return None
    tags = [read_text(data / f"c{number}")]
    above = Path(os.path.realpath(device / "device"))
    for folder in [above, *above.parents][:ANCESTORS_MAX]:
        if (folder / "idVendor").exists():
            tags.append(read_text(data / f"c{read_text(folder / 'dev')}"))
            break
    return any(_is_tagged(text or "") for text in tags)


def _is_tagged(text: str) -> bool:
    told = dict(line[2:].partition("=")[::2] for line in text.splitlines() if line.startswith("E:"))
    return any(told.get(tag, "0") not in ("", "0") for tag in IGNORED)


def _usb(roots: Roots) -> Iterator[UsbSeen]:
    """The USB devices of a known make, with or without a port."""
    for folder in entries(roots.sys / "bus" / "usb" / "devices"):
        usb_id = _usb_id(read_text(folder / "idVendor"), read_text(folder / "idProduct"))
        if usb_id in KNOWN_USB:
            has_port = any(entries(folder, "*:*/ttyUSB*")) or any(entries(folder, "*:*/tty/tty*"))
            yield UsbSeen(usb_id, KNOWN_USB[usb_id], has_port)


def _usb_id(vendor: str | None, product: str | None) -> UsbId:
    try:
        return int(vendor or "", 16), int(product or "", 16)
    except ValueError:
        return 0, 0


def _has_modem_rule(rules: Mapping[str, Path]) -> bool:
    ours = (file for name, file in rules.items() if "tablewire" in name)
    return any(tag in line for file in ours for line in rule_lines(file) for tag in IGNORED)


def _rule(file: Path | None) -> dict[str, Any]:
    """What is so of our own rule: udev takes the first of its name."""
    if file is None:
        return {}
    text = read_text(file)
    # An empty one, or a link to /dev/null, is how one is turned off.
    return {
        "rule": str(file),
        "is_rule_ours": text is not None and text == read_text(UDEV_RULE),
        "is_rule_off": os.path.realpath(file) == os.devnull or text == "",
    }


def _brltty_rules(rules: Mapping[str, Path]) -> dict[UsbId, str]:
    """The known ids that brltty claims by the id alone, with the file that says so."""
    found: dict[UsbId, str] = {}
    for name, file in rules.items():
        if "brltty" not in name:
            continue
        for line in rule_lines(file):
            told = _PRODUCT.search(line)
            # With a maker's name beside the id it is a Braille display indeed.
            if told is not None and "ATTR" not in line:
                usb_id = int(told[1], 16), int(told[2], 16)
                if usb_id in KNOWN_USB:
                    found.setdefault(usb_id, str(file))
    return found
