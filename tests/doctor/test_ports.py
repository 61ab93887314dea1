"""Ports that are missing, forbidden, in use or meddled with: each is named, with what to do."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo
from tests.doctor.looks import CH340, Computer, hold, let_go, only, wanted
from tests.link.pty_board import PtyBoard
from tests.store.unprivileged import run_unprivileged

from tablewire.doctor.checks_ports import (
    check_bluetooth,
    check_brltty,
    check_modem_manager,
    check_ports,
    check_udev_rule,
    check_use,
)
from tablewire.doctor.examination import look
from tablewire.doctor.facts_ports import look_at_ports
from tablewire.doctor.facts_radio import blocked
from tablewire.doctor.finding import Check, Finding, Level
from tablewire.doctor.limits import within
from tablewire.doctor.roots import Roots
from tablewire.doctor.seen import NoBoard, PageSeen, PortsSeen, RadioSeen
from tablewire.link.address import Address, AnyBoard, SerialNumber, SerialPath
from tablewire.link.ports import SerialPort, list_serial_ports
from tablewire.packaging import UDEV_RULE

MEGA = (0x2341, 0x0042)
NOBODY = NoBoard("no board answers")
NOWHERE = PageSeen("127.0.0.1:8750")
BRLTTY = "usr/lib/udev/rules.d/85-brltty.rules"
CLAIM = 'ENV{PRODUCT}=="1a86/7523/*", ENV{BRLTTY_BRAILLE_DRIVER}="bm", GOTO="brltty_usb_run"\n'
"""As Ubuntu 22.04 has it."""


def ports_of(
    computer: Computer, *listed: SerialPort, address: Address | None = None, trouble: str | None = None
) -> PortsSeen:
    return look_at_ports(address or AnyBoard(), listed, computer.roots, trouble)


# ---- whether there are any ----


def test_with_nothing_plugged_in_the_cable_is_thought_of(computer: Computer) -> None:
    finding = only(check_ports(ports_of(computer), NOBODY, NOWHERE), Check.PORTS)
    assert finding.level is Level.TROUBLE
    assert finding.text == "no board is plugged in: this computer has no serial port"
    assert "some only charge" in str(finding.do)
    assert "tablewire demo" in str(finding.do)


def test_a_board_of_a_known_make_is_named(computer: Computer) -> None:
    seen = ports_of(computer, SerialPort("/dev/ttyS0"), SerialPort("/dev/ttyACM0", MEGA))
    finding = only(check_ports(seen, NOBODY, NOWHERE), Check.PORTS)
    assert finding == Finding(Check.PORTS, Level.OK, "/dev/ttyACM0 (Arduino Mega 2560 R3), /dev/ttyS0")


def test_ports_of_no_known_make_are_worth_knowing(computer: Computer) -> None:
    seen = ports_of(computer, *(SerialPort(f"/dev/ttyS{n}") for n in range(6)))
    finding = only(check_ports(seen, NOBODY, NOWHERE), Check.PORTS)
    assert finding.level is Level.NOTE
    assert "/dev/ttyS3 and 2 more" in finding.text


def test_no_port_is_no_trouble_while_the_table_plays_without_one(computer: Computer) -> None:
    page = PageSeen("127.0.0.1:8750", "tablewire", "up", "ble:tablewire")
    assert only(check_ports(ports_of(computer), NOBODY, page), Check.PORTS).level is Level.OK


def test_a_port_that_was_named_and_is_not_there(computer: Computer) -> None:
    seen = ports_of(computer, address=SerialPath("/dev/ttyNOPE"))
    finding = only(check_ports(seen, NOBODY, NOWHERE), Check.PORTS)
    assert (finding.level, finding.text) == (Level.TROUBLE, "/dev/ttyNOPE: nothing is plugged in there")


def test_a_port_named_by_its_serial_number_or_a_link_is_the_port(computer: Computer, board: PtyBoard) -> None:
    port = os.path.realpath(board.path)
    listed = SerialPort(port, MEGA, "5573932")
    for address in (SerialNumber("5573932"), SerialPath(str(board.path)), SerialPath(port)):
        seen = ports_of(computer, listed, address=address)
        assert [(one.path, one.is_named) for one in seen.ports] == [(port, True)]


def test_a_list_of_ports_that_hangs_is_said_and_keeps_nothing_else(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No board is looked for by a real radio.
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={computer.folder}/no-bus")
    released = threading.Event()

    def never() -> Sequence[ListPortInfo]:
        released.wait(60)
        return ()

    def hang() -> Sequence[SerialPort]:
        return list_serial_ports(limit_s=0.05, lister=never)

    try:
        looked = look(wanted(computer.folder), lambda _: None, computer.roots, hang)
    finally:
        released.set()
    findings = list(check_ports(looked.of(PortsSeen), looked.board, looked.of(PageSeen)))
    assert only(findings, Check.PORTS).level is Level.TROUBLE
    assert "serial ports" in only(findings, Check.PORTS).text


# ---- rights ----

LOOK = """
seen = look_at_ports(SerialPath(sys.argv[1]), (), Roots())
for finding in (*check_rights(seen), *check_use(seen, PageSeen("127.0.0.1:8750"))):
    print(json.dumps(finding.to_json()))
"""
IMPORTS = """
import grp, json, pwd, sys
from tablewire.doctor.checks_ports import check_rights, check_use
from tablewire.doctor.facts_ports import look_at_ports
from tablewire.doctor.roots import Roots
from tablewire.doctor.seen import PageSeen
from tablewire.link.address import SerialPath
"""


def told_unprivileged(path: Path | str) -> dict[str, dict[str, str]]:
    """The findings on a port, of a user without special rights, by name."""
    found = map(json.loads, run_unprivileged(IMPORTS, LOOK, str(path)).splitlines())
    return {finding["name"]: finding for finding in found}


@pytest.fixture
def port_file(open_folder: Path) -> Path:
    """A file where anybody gets, for a port."""
    file = open_folder / "ttyUSB0"
    file.touch()
    return file


def test_a_port_of_a_group_names_the_group_and_the_command(port_file: Path) -> None:
    port_file.chmod(0o060)
    if os.getuid() == 0:
        os.chown(port_file, 0, 20)
    finding = told_unprivileged(port_file)["rights"]
    assert finding["level"] == "trouble"
    assert f"you may not use {port_file}: " in finding["text"]
    if os.getuid() == 0:
        assert "it belongs to the group " in finding["text"]
        assert "sudo usermod -aG " in finding["do"]
        assert "log out and in again" in finding["do"]


def test_a_port_that_may_be_used(port_file: Path) -> None:
    port_file.chmod(0o666)
    assert told_unprivileged(port_file)["rights"]["level"] == "ok"


# ---- in use ----


@pytest.fixture
def holder(board: PtyBoard) -> Iterator[subprocess.Popen[str]]:
    """Another program that has the board's port open."""
    process = hold(board.path)
    yield process
    let_go(process)


def test_a_port_in_use_names_the_program(board: PtyBoard, holder: subprocess.Popen[str]) -> None:
    seen = look_at_ports(SerialPath(str(board.path)), (), Roots())
    finding = only(check_use(seen, NOWHERE), Check.IN_USE)
    assert finding.level is Level.TROUBLE
    assert f"(process {holder.pid})" in finding.text
    assert "python" in finding.text
    assert f"kill {holder.pid}" in str(finding.do)


def test_two_programs_on_one_port(board: PtyBoard, holder: subprocess.Popen[str]) -> None:
    other = hold(board.path)
    try:
        seen = look_at_ports(SerialPath(str(board.path)), (), Roots())
        finding = only(check_use(seen, NOWHERE), Check.IN_USE)
    finally:
        let_go(other)
    assert finding.level is Level.TROUBLE
    assert "take each other's bytes" in finding.text
    assert str(holder.pid) in finding.text
    assert str(other.pid) in finding.text


def test_another_users_program_is_known_by_its_lock(port_file: Path) -> None:
    port_file.chmod(0o666)
    process = hold(port_file, "lock")
    try:
        assert f"(process {process.pid})" in told_unprivileged(port_file)["in_use"]["text"]
    finally:
        let_go(process)


def test_a_port_that_nobody_uses(board: PtyBoard) -> None:
    seen = look_at_ports(SerialPath(str(board.path)), (), Roots())
    assert only(check_use(seen, NOWHERE), Check.IN_USE).level is Level.OK


def test_locks_of_other_files_are_nobodys_business(computer: Computer, tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    with port.open() as opened:
        fcntl.flock(opened, fcntl.LOCK_SH)
        lines = [
            "1: POSIX  ADVISORY  WRITE 77 00:2b:99 0 EOF",
            "2: FLOCK  ADVISORY  WRITE 78 00:2b:99 0 EOF",
            "?",
        ]
        computer.write("proc/locks", "\n".join(lines))
        (seen,) = ports_of(computer, address=SerialPath(str(port))).ports
    assert seen.holders == ()


# ---- ModemManager ----


def with_modem_manager(computer: Computer, tty: str, *tags: str) -> Finding:
    computer.run(812, "ModemManager")
    computer.plug("1-1", MEGA, tty)
    computer.tag("166:0" if tty.startswith("ttyACM") else "188:0", "ID_MM_CANDIDATE=1")
    computer.tag("189:4", *tags)
    seen = ports_of(computer, SerialPort(f"/dev/{tty}", MEGA))
    return only(check_modem_manager(seen), Check.MODEM_MANAGER)


def test_modem_manager_that_was_not_told(computer: Computer) -> None:
    finding = with_modem_manager(computer, "ttyACM0")
    assert finding.level is Level.TROUBLE
    assert "send modem commands to /dev/ttyACM0" in finding.text
    assert "tablewire doctor --fix" in str(finding.do)


def test_modem_manager_that_was_told(computer: Computer) -> None:
    assert with_modem_manager(computer, "ttyACM0", "ID_MM_DEVICE_IGNORE=1").level is Level.OK


def test_modem_manager_that_was_told_the_opposite(computer: Computer) -> None:
    assert with_modem_manager(computer, "ttyACM0", "ID_MM_DEVICE_IGNORE=0").level is Level.TROUBLE


def test_modem_manager_and_a_bridge_that_calls_itself_no_modem(computer: Computer) -> None:
    assert with_modem_manager(computer, "ttyUSB0").level is Level.NOTE


@pytest.mark.parametrize(
    ("rule", "level"),
    [
        ('ENV{ID_MM_DEVICE_IGNORE}="1"\n', Level.OK),
        ('# ENV{ID_MM_DEVICE_IGNORE}="1"\n', Level.NOTE),
        (None, Level.NOTE),
    ],
)
def test_modem_manager_before_a_board_is_plugged_in(
    computer: Computer, rule: str | None, level: Level
) -> None:
    computer.run(812, "ModemManager")
    if rule is not None:
        computer.write("etc/udev/rules.d/70-tablewire.rules", rule)
    assert only(check_modem_manager(ports_of(computer)), Check.MODEM_MANAGER).level is level


def test_without_modem_manager_nothing_has_to_be_told(computer: Computer) -> None:
    computer.run(1, "systemd")
    assert only(check_modem_manager(ports_of(computer)), Check.MODEM_MANAGER).level is Level.OK


# ---- our own rule ----


@pytest.mark.parametrize(
    ("rule", "level", "word"),
    [
        (None, Level.OK, "no udev rule"),
        (UDEV_RULE.read_text("utf-8"), Level.OK, "of this version"),
        ('ATTRS{idVendor}=="2341", ENV{ID_MM_DEVICE_IGNORE}="1"\n', Level.NOTE, "an older one"),
        ("", Level.OK, "turns the rule off"),
    ],
)
def test_a_rule_of_another_version_is_noticed(
    computer: Computer, rule: str | None, level: Level, word: str
) -> None:
    if rule is not None:
        computer.write("etc/udev/rules.d/70-tablewire.rules", rule)
    finding = only(check_udev_rule(ports_of(computer)), Check.UDEV_RULE)
    assert (finding.level, word in finding.text) == (level, True)
    assert level is Level.OK or "tablewire doctor --fix" in str(finding.do)


def test_a_rule_that_is_turned_off_by_a_link_hides_the_older_one(computer: Computer) -> None:
    computer.write("usr/lib/udev/rules.d/70-tablewire.rules", "# old\n")
    (computer.folder / "etc/udev/rules.d").mkdir(parents=True)
    (computer.folder / "etc/udev/rules.d/70-tablewire.rules").symlink_to("/dev/null")
    finding = only(check_udev_rule(ports_of(computer)), Check.UDEV_RULE)
    assert (finding.level, "turns the rule off" in finding.text) == (Level.OK, True)


def test_a_pipe_among_the_rules_holds_nothing_up(computer: Computer) -> None:
    folder = computer.folder / "etc/udev/rules.d"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "70-tablewire.rules")
    os.mkfifo(folder / "85-brltty.rules")
    assert within(60.0, lambda: ports_of(computer)).rule.endswith("70-tablewire.rules")


# ---- brltty ----


def test_a_board_that_brltty_has_taken(computer: Computer) -> None:
    computer.write(BRLTTY, f"# Device: 1A86:7523\n{CLAIM}")
    computer.plug("1-2", CH340, None)
    finding = only(check_brltty(ports_of(computer)), Check.BRLTTY)
    assert finding.level is Level.TROUBLE
    assert "CH340" in finding.text
    assert "sudo apt remove brltty" in str(finding.do)
    assert f"1a86/7523 in {computer.folder}/{BRLTTY}" in str(finding.do)


def test_a_board_that_brltty_may_take(computer: Computer) -> None:
    computer.write(BRLTTY, CLAIM)
    computer.plug("1-2", CH340, "ttyUSB0")
    seen = ports_of(computer, SerialPort("/dev/ttyUSB0", CH340))
    assert only(check_brltty(seen), Check.BRLTTY).level is Level.NOTE


@pytest.mark.parametrize(
    "rule",
    [
        f"# {CLAIM}",
        'ENV{PRODUCT}=="1a86/7523/*", ATTRS{manufacturer}=="Baum", ENV{BRLTTY_BRAILLE_DRIVER}="bm"\n',
        'ENV{PRODUCT}=="403/f208/*", ENV{BRLTTY_BRAILLE_DRIVER}="pm", GOTO="brltty_usb_run"\n',
    ],
)
def test_rules_of_brltty_for_other_things(computer: Computer, rule: str) -> None:
    computer.write(BRLTTY, rule)
    computer.plug("1-2", CH340, "ttyUSB0")
    seen = ports_of(computer, SerialPort("/dev/ttyUSB0", CH340))
    assert only(check_brltty(seen), Check.BRLTTY).level is Level.OK


def test_a_rule_that_the_administrator_has_turned_off(computer: Computer) -> None:
    computer.write(BRLTTY, CLAIM)
    off = computer.write("etc/udev/rules.d/85-brltty.rules", "")
    off.unlink()
    off.symlink_to("/dev/null")
    computer.plug("1-2", CH340, "ttyUSB0")
    seen = ports_of(computer, SerialPort("/dev/ttyUSB0", CH340))
    assert only(check_brltty(seen), Check.BRLTTY).level is Level.OK


def test_a_board_without_a_driver(computer: Computer) -> None:
    computer.plug("1-2", CH340, None)
    finding = only(check_brltty(ports_of(computer)), Check.BRLTTY)
    assert finding.level is Level.TROUBLE
    assert "the system has made no port of it" in finding.text


# ---- Bluetooth that is blocked ----


@pytest.mark.parametrize(
    ("hard", "soft", "do"), [("0", "1", "rfkill unblock bluetooth"), ("1", "1", "press that")]
)
def test_bluetooth_that_a_switch_blocks(computer: Computer, hard: str, soft: str, do: str) -> None:
    for name, text in (("type", "bluetooth"), ("hard", hard), ("soft", soft)):
        computer.write(f"sys/class/rfkill/rfkill0/{name}", f"{text}\n")
    seen = RadioSeen("Bluetooth is switched off", blocked(computer.roots))
    finding = only(check_bluetooth(seen, is_wanted=True, is_found=False), Check.BLUETOOTH)
    assert finding.level is Level.TROUBLE
    assert str(finding.do).startswith(do)
