"""What is told where the board needs no cable: it was reached by Bluetooth last, and is not to be had now."""

from __future__ import annotations

from tests.ble.bluez import FakeBluez
from tests.doctor.looks import PATIENT, Computer, only, troubles, wanted

from tablewire.doctor.examination import examine
from tablewire.doctor.finding import Check, Finding, Level
from tablewire.link.last_good import KnownBoard, LastGood

ADDRESS = "C1:22:33:44:55:F7"


def looked_at(computer: Computer) -> list[Finding]:
    """The findings on a computer without serial ports, whose board was on the radio last."""
    folder = computer.folder / "data"
    folder.mkdir()
    LastGood(folder / "board.json").save(KnownBoard("ble", ADDRESS, name="tablewire"))
    return examine(wanted(folder), roots=computer.roots, lister=lambda **_: (), limits=PATIENT)


def test_a_board_that_another_program_has_is_the_trouble_and_no_cable_is_missed(
    computer: Computer, bluez: FakeBluez
) -> None:
    bluez.take(bluez.add_bridge("tablewire", ADDRESS))
    findings = looked_at(computer)
    assert only(findings, Check.PORTS).level is Level.OK
    (found,) = [one for one in troubles(findings) if one.check in (Check.PORTS, Check.BOARD)]
    assert found.check is Check.BOARD
    assert "ble:tablewire" in f"{found.text} {found.do}"


def test_a_board_that_is_away_is_the_trouble_without_a_promise_to_try_again(
    computer: Computer, bluez: FakeBluez
) -> None:
    finding = only(looked_at(computer), Check.BOARD)
    assert finding.level is Level.TROUBLE
    assert "ble:tablewire" in f"{finding.text} {finding.do}"
    assert "again" not in f"{finding.text} {finding.do}"


def test_bluetooth_that_is_off_is_told_once_and_no_cable_is_missed(
    computer: Computer, bluez: FakeBluez
) -> None:
    bluez.power(False)
    findings = looked_at(computer)
    assert [one.check for one in troubles(findings) if one.check is not Check.CLOCK] == [Check.BLUETOOTH]
