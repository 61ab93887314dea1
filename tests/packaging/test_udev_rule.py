"""The udev rule: read strictly, and run for boards, for modems and for other ports."""

from __future__ import annotations

import re

import pytest
from tests.packaging.udev_rules import Device, Outcome, RulesError, Term, parse_rules, run_rules

from tablewire.link.ports import KNOWN_USB
from tablewire.packaging import UDEV_RULE

TEXT = UDEV_RULE.read_text("utf-8")
HUB = {"idVendor": "05e3", "idProduct": "0608"}
"""Between a port and the computer there may be one."""


def outcome(subsystem: str, usb_id: tuple[int, int] | None, action: str = "add") -> Outcome:
    """What the rule does to a device of, or below, the USB device with this id."""
    usb = () if usb_id is None else ({"idVendor": f"{usb_id[0]:04x}", "idProduct": f"{usb_id[1]:04x}"}, HUB)
    interface = {"bInterfaceNumber": "00"}
    above = ({}, interface, *usb) if subsystem == "tty" else usb
    return run_rules(parse_rules(TEXT), Device(subsystem, action, above))


@pytest.mark.parametrize("usb_id", KNOWN_USB)
def test_whoever_sits_there_may_use_the_port_of_a_board_and_no_modem_is_looked_for(
    usb_id: tuple[int, int],
) -> None:
    port = outcome("tty", usb_id)
    assert port.env == {"ID_MM_DEVICE_IGNORE": "1", "ID_MM_PORT_IGNORE": "1"}
    assert port.tags == {"uaccess"}
    assert outcome("usb", usb_id) == Outcome({"ID_MM_DEVICE_IGNORE": "1"}, set())


def test_the_rule_and_the_program_know_the_same_boards() -> None:
    named = set()
    for rule in parse_rules(TEXT):
        ids = {term.attribute: term.value for term in rule if term.key == "ATTRS"}
        if ids:
            assert set(ids) == {"idVendor", "idProduct"}
            named |= {(int(ids["idVendor"], 16), int(one, 16)) for one in ids["idProduct"].split("|")}
    assert named == set(KNOWN_USB)


@pytest.mark.parametrize(
    ("subsystem", "usb_id"),
    [
        ("tty", (0x12D1, 0x1001)),  # a modem
        ("tty", (0x2341, 0x8036)),  # an Arduino of another class
        ("tty", None),  # a serial port of the computer's own
        ("net", (0x2341, 0x0042)),
    ],
)
def test_other_devices_are_left_as_they_are(subsystem: str, usb_id: tuple[int, int] | None) -> None:
    assert outcome(subsystem, usb_id) == Outcome()


def test_unplugging_does_nothing() -> None:
    assert outcome("tty", (0x2341, 0x0042), action="remove") == Outcome()


def test_it_comes_after_the_group_is_set_and_before_the_tag_is_looked_at() -> None:
    assert "50-udev-default.rules" < UDEV_RULE.name < "73-seat-late.rules"


def test_it_makes_no_device_starts_nothing_and_changes_no_group() -> None:
    assert {term.key for rule in parse_rules(TEXT) for term in rule if not term.is_match} == {
        "GOTO",
        "LABEL",
        "ENV",
        "TAG",
    }


def test_it_says_that_a_modem_behind_a_bridge_would_be_hidden() -> None:
    assert "modem" in TEXT.split('ATTRS{idVendor}=="1a86"')[0]


def test_every_seeded_mistake_is_found() -> None:
    """Each way to spoil a line of the real file."""
    mistakes = {
        r"ATTRS\{idVendor\}": ("ATTR5{idVendor}", "ATTRS", "ATTRS{idVendor"),
        r'=="2341"': ('="2341"', "==2341", '=="2341', '==""', '=="23[41"', '=="2341|"'),
        r'"2341", ATTRS': ('"2341" ATTRS', '"2341",, ATTRS'),
        r'GOTO="tablewire_board"': ('GOTO="tablewire_bord"', 'GOTO=="tablewire_board"', "", 'GOTO=""'),
        r'LABEL="tablewire_board"': ('LABEL="tablewire_bord"', 'LABEL+="tablewire_board"', "#"),
        r'LABEL="tablewire_end"': ('LABEL="tablewire_board"', "#"),
        r'ENV\{ID_MM_DEVICE_IGNORE\}="1"': ('ENV="1"', 'ENV{ID_MM_DEVICE_IGNORE}=="1"'),
        r'TAG\+="uaccess"': ('TAG+="UACCESS"', 'TAG{x}+="uaccess"', "TAG+=uaccess", 'TAGS+="uaccess"', ""),
        r'TAG\+="uaccess"\n': (
            'TAG+="uaccess",\n',
            'TAG+="uaccess" # mine\n',
            'TAG+="uaccess", MODE="666"\n',
        ),
    }
    for pattern, spoilt in mistakes.items():
        for one in spoilt:
            text = re.sub(pattern, one.replace("\\", r"\\"), TEXT, count=1)
            assert text != TEXT, pattern
            with pytest.raises(RulesError):
                parse_rules(text)


def test_a_rule_is_read_as_udev_reads_it() -> None:
    assert parse_rules('KERNEL=="tty[A-Z]*|tty0", ENV{A b}="x y", RUN{builtin}+="kmod"\n') == [
        (
            Term("KERNEL", None, "==", "tty[A-Z]*|tty0"),
            Term("ENV", "A b", "=", "x y"),
            Term("RUN", "builtin", "+=", "kmod"),
        )
    ]
