"""What changes while the doctor looks, and what others call themselves: the report is one to read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.ble.bluez import FakeBluez
from tests.doctor.looks import CH340, PATIENT, Computer, only, troubles, wanted
from tests.link.pty_board import PtyBoard

from tablewire.doctor.examination import examine
from tablewire.doctor.finding import Check, Finding, Level
from tablewire.doctor.report import report_lines
from tablewire.link.address import Address, BleBoard
from tablewire.link.ports import SerialPort

EVIL = (
    "\x1b[2J\x1b[31mtablewire",
    "tablewire\n! sensors    all of them are broken",
    "tablewire\r\u202eeriwelbat\u2028",
    "tablewire" + "\u0301" * 100,
    "tablewire " + "x" * 238,
    " ",
)
"""What a Bluetooth device may call itself: anything of up to 248 bytes."""


def readable(findings: Sequence[Finding]) -> str:
    """The whole report, of which every line can be printed and none was made by somebody else."""
    lines = list(report_lines(findings, None))
    assert all(line.isprintable() for line in lines), [line for line in lines if not line.isprintable()]
    assert max(map(len, lines)) < 1_500
    assert not any(line.startswith("! sensors") for line in lines)
    return "\n".join(lines)


@pytest.mark.parametrize("address", [None, BleBoard()])
def test_names_made_to_confuse_neither_break_nor_fill_the_report(
    address: Address | None, computer: Computer, bluez: FakeBluez
) -> None:
    for name in EVIL:
        bluez.take(bluez.add_bridge(name))
    findings = examine(
        wanted(computer.folder, address), roots=computer.roots, lister=lambda **_: (), limits=PATIENT
    )
    assert only(findings, Check.BOARD).level is Level.TROUBLE
    assert only(findings, Check.PORTS).level is Level.OK  # a board is there, and no cable is missed
    assert "another program" in readable(findings)


def test_a_bus_that_dies_in_the_middle_is_said_and_nothing_else_is_lost(
    computer: Computer, bluez: FakeBluez
) -> None:
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        bluez.kill_bus()

    findings = examine(
        wanted(computer.folder), tell, roots=computer.roots, lister=lambda **_: (), limits=PATIENT
    )
    assert told == ["looking for a board by Bluetooth"]
    assert {finding.check for finding in findings} == set(Check)
    assert only(findings, Check.DISK).level is Level.OK
    readable(findings)


def test_a_bus_that_dies_before_the_board_is_asked_is_the_trouble(
    computer: Computer, bluez: FakeBluez
) -> None:
    def lister(**_: object) -> Sequence[SerialPort]:
        bluez.kill_bus()
        return ()

    asked = wanted(computer.folder, BleBoard("tablewire"))
    findings = examine(asked, roots=computer.roots, lister=lister, limits=PATIENT)
    found = [f"{one.text} {one.do}" for one in troubles(findings)]
    assert [one for one in found if "D-Bus" in one]
    readable(findings)


def test_a_port_that_goes_while_it_is_looked_at_is_not_there(
    computer: Computer, bluez: FakeBluez, tmp_path: Path
) -> None:
    # By a name of its own: the number of a pseudo-terminal that is gone may be another's at once.
    board = PtyBoard(tmp_path / "port")
    port = SerialPort(str(board.path), CH340, "S1")
    looks: list[Path] = []

    def lister(**_: object) -> Sequence[SerialPort]:
        board.unplug()
        looks.append(board.path)
        return [port]

    findings = examine(wanted(computer.folder), roots=computer.roots, lister=lister, limits=PATIENT)
    assert looks
    assert not looks[0].exists()
    assert [one for one in findings if "could not be" in one.text] == []
    assert only(findings, Check.BOARD).level is Level.TROUBLE
    assert "nothing is plugged in there" in only(findings, Check.BOARD).text
    readable(findings)
