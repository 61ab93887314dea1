"""What the ports, and what meddles with them, come to.

Owns these judgements and their words. Must not know how anything was looked at. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablewire.doctor.finding import Check, Finding, note, ok, parted, skipped, trouble
from tablewire.doctor.seen import Board, BoardSeen, PageSeen, PortSeen, PortsSeen, RadioSeen, UsbId
from tablewire.errors import one_line

LISTED_MAX = 4
"""Ports in one line: more than a computer with a board usually has."""

PLUG_IN = (
    "plug the board in; if it is, try another cable (some only charge) and another socket, and look whether "
    "its lamp is lit. No board yet? tablewire demo plays on a simulated one"
)


def check_ports(
    seen: PortsSeen, board: Board, page: PageSeen, *, is_wanted: bool = True
) -> Iterator[Finding]:
    """Whether there is a port that a board can be at. `is_wanted`: the board may be at one."""
    there = [port for port in seen.ports if port.is_there and port.is_port]
    for port in seen.ports:
        if not port.is_there:
            yield trouble(Check.PORTS, f"{one_line(port.path)}: nothing is plugged in there", PLUG_IN)
    if seen.trouble is not None:
        yield trouble(Check.PORTS, *parted(seen.trouble))
    elif any(port.matters for port in there):
        yield ok(Check.PORTS, _names(there))
    elif isinstance(board, BoardSeen) or page.link_state == "up" or not is_wanted:
        without = "no serial port; a board over Bluetooth needs none"
        yield ok(Check.PORTS, _names(there) if there else without)
    elif there:
        yield note(Check.PORTS, f"no port of a known make; there is {_names(there)}", PLUG_IN)
    elif not all(port.is_port for port in seen.ports):
        yield skipped(Check.PORTS, "what was named is no port")
    elif all(port.is_there for port in seen.ports):
        yield trouble(Check.PORTS, "no board is plugged in: this computer has no serial port", PLUG_IN)


def _names(ports: list[PortSeen]) -> str:
    ports = sorted(ports, key=lambda port: not port.matters)
    names = [f"{one_line(port.path)}{f' ({port.make})' if port.make else ''}" for port in ports[:LISTED_MAX]]
    more = len(ports) - LISTED_MAX
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def check_rights(seen: PortsSeen) -> Iterator[Finding]:
    """Whether we may use the ports that matter, or any where none does."""
    looked = _that_matter(seen)
    if not looked:
        yield skipped(Check.RIGHTS, "there is no port to have rights on")
    for port in looked:
        if not port.missing_right:
            continue
        text, do = parted(port.missing_right.removeprefix("permission denied; "))
        grave = trouble if port.matters else note
        yield grave(Check.RIGHTS, f"you may not use {one_line(port.path)}: {text}", do)
    if looked and not any(port.missing_right for port in looked):
        yield ok(Check.RIGHTS, f"you may use {_names(looked)}")


def check_use(seen: PortsSeen, page: PageSeen) -> Iterator[Finding]:
    """Who has the ports open."""
    looked = [port for port in _that_matter(seen) if port.is_port]
    held = [port for port in looked if port.holders]
    for port in held:
        yield _use_of(port, page)
    if not looked:
        yield skipped(Check.IN_USE, "there is no port that could be in use")
    elif not held:
        yield ok(Check.IN_USE, f"no program that may be seen uses {_names(looked)}")


def _use_of(port: PortSeen, page: PageSeen) -> Finding:
    who = ", ".join(f"{one_line(holder.name)} (process {holder.pid})" for holder in port.holders)
    path = one_line(port.path)
    others = [holder for holder in port.holders if not holder.is_tablewire]
    if len(port.holders) > 1:
        return trouble(
            Check.IN_USE,
            f"{path} is used by several programs, which take each other's bytes: {who}",
            "end all but one of them",
        )
    if others and others[0].name.startswith("tablewire "):
        # A board whose firmware is half written would not start again.
        do = "wait until that has ended, or stop it with Ctrl-C where it runs"
        return trouble(Check.IN_USE, f"{path} is used by {who}", do)
    if others:
        pid = others[0].pid
        do = f"close that program (kill {pid} ends it); tablewire takes the port as soon as it is free"
        return trouble(Check.IN_USE, f"{path} is used by {who}", do)
    if page.who == "tablewire":
        return ok(Check.IN_USE, f"{path} is used by {who}, whose page was asked")
    return note(
        Check.IN_USE,
        f"{path} is used by {who}, and no page of it answers at {page.address}",
        "say with --listen where its page is, and it is asked how its board fares",
    )


def check_modem_manager(seen: PortsSeen) -> Iterator[Finding]:
    """Whether ModemManager talks to the board as if it were a modem."""
    fix = "tablewire doctor --fix writes the rule that keeps it away (or: sudo systemctl stop ModemManager)"
    if not seen.modem_manager_runs:
        yield ok(Check.MODEM_MANAGER, "ModemManager does not run")
        return
    open_to_it = [port for port in seen.ports if port.make and port.modem_ignored is False]
    for port in open_to_it:
        # Its usual policy leaves bridges alone, but takes what calls itself a modem, as most Arduinos do.
        grave = trouble if "ttyACM" in port.path else note
        text = f"ModemManager runs and may send modem commands to {one_line(port.path)} when it is plugged in"
        yield grave(Check.MODEM_MANAGER, text, fix)
    if open_to_it:
        return
    if seen.has_modem_rule or any(port.make and port.modem_ignored for port in seen.ports):
        yield ok(Check.MODEM_MANAGER, "ModemManager runs, and is told to leave boards alone")
    else:
        text = "ModemManager runs, and nothing tells it to leave boards alone when one is plugged in"
        yield note(Check.MODEM_MANAGER, text, fix)


def check_udev_rule(seen: PortsSeen) -> Iterator[Finding]:
    """Whether the rule that is in place is the one of this version."""
    rule = one_line(seen.rule)
    if not rule:
        yield ok(Check.UDEV_RULE, "no udev rule of tablewire is in place; not every computer needs one")
    elif seen.is_rule_off:
        yield ok(Check.UDEV_RULE, f"{rule} turns the rule off")
    elif seen.is_rule_ours:
        yield ok(Check.UDEV_RULE, f"{rule} is the rule of this version")
    else:
        text = f"{rule} is not the rule of this version: an older one, or somebody has changed it"
        do = "tablewire doctor --fix puts this version's there and keeps it; changed on purpose, it may stay"
        yield note(Check.UDEV_RULE, text, do)


def check_brltty(seen: PortsSeen) -> Iterator[Finding]:
    """Whether brltty takes a board for a Braille display, which makes its port vanish."""
    do = (
        "if nobody here reads Braille: sudo apt remove brltty; otherwise put # in front of the line with "
        "{} in {}; then plug the board in again"
    )
    grabbed = [device for device in seen.usb if not device.has_port and device.usb_id in seen.brltty_rules]
    for device in grabbed:
        file = seen.brltty_rules[device.usb_id]
        text = f"brltty takes a board ({device.make}) for a Braille display, so it has no port"
        yield trouble(Check.BRLTTY, text, do.format(_product(device.usb_id), file))
    lost = [device for device in seen.usb if not device.has_port and device not in grabbed]
    for device in lost:
        text = f"a board ({device.make}) is plugged in, but the system has made no port of it"
        yield trouble(
            Check.BRLTTY, text, "its driver is missing, or a program took it: sudo dmesg tells more"
        )
    for port in seen.ports:
        if port.usb_id is not None and port.usb_id in seen.brltty_rules:
            text = (
                f"brltty may take {one_line(port.path)} for a Braille display the next time it is plugged in"
            )
            yield note(Check.BRLTTY, text, do.format(_product(port.usb_id), seen.brltty_rules[port.usb_id]))
            return
    if not grabbed and not lost:
        rules = "brltty has rules for such boards" if seen.brltty_rules else "brltty has no rule for boards"
        yield ok(Check.BRLTTY, f"{rules}; none has been taken")


def _product(usb_id: UsbId) -> str:
    """The id as udev's PRODUCT has it: hexadecimal without leading zeros."""
    return f"{usb_id[0]:x}/{usb_id[1]:x}"


def check_bluetooth(seen: RadioSeen, *, is_wanted: bool, is_found: bool) -> Iterator[Finding]:
    """Whether Bluetooth can be used.

    `is_wanted`: the board is to be reached over it; `is_found`: it is reached already.
    """
    if seen.trouble is None:
        yield ok(Check.BLUETOOTH, "Bluetooth is on")
        return
    text, do = parted(seen.trouble)
    if seen.blocked == "soft":
        text, do = "Bluetooth is blocked", "rfkill unblock bluetooth, or switch it on in the settings"
    elif seen.blocked == "hard":
        text, do = "Bluetooth is blocked by a switch or key of this computer", "press that"
    if is_wanted:
        yield trouble(Check.BLUETOOTH, text, do)
    elif is_found:
        yield skipped(Check.BLUETOOTH, f"the board is reached without it ({text})")
    else:
        yield note(Check.BLUETOOTH, f"{text} (only a board without a cable needs it)", do)


def _that_matter(seen: PortsSeen) -> list[PortSeen]:
    """The ports that a board may well be at; all of them where there is none such."""
    there = [port for port in seen.ports if port.is_there]
    return [port for port in there if port.matters] or there
