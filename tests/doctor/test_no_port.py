"""Ports that are none, or not for us now: said so, in few words, and without blaming anybody."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.doctor.looks import Computer, only

from tablewire.doctor.checks_board import check_board
from tablewire.doctor.checks_ports import check_ports, check_rights, check_use
from tablewire.doctor.facts_ports import look_at_ports
from tablewire.doctor.finding import Check, Level
from tablewire.doctor.seen import Holder, NoBoard, PageSeen, PortSeen, PortsSeen
from tablewire.link.address import SerialPath
from tablewire.link.faults import Cause, Tried

NOBODY = NoBoard("no board answers")
NOWHERE = PageSeen("127.0.0.1:8750")


@pytest.mark.parametrize("place", ["/dev/null", "/dev/urandom", "pipe", "folder"])
def test_what_is_named_and_no_port_is_said_and_nobody_is_to_be_ended(
    computer: Computer, tmp_path: Path, place: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    roots = replace(computer.roots, sys=Path("/sys"), proc=Path("/proc"))
    path = str(tmp_path / place)
    with Path("/dev/null").open("rb"):
        seen = look_at_ports(SerialPath(path), (), roots)
    rights = only(check_rights(seen), Check.RIGHTS)
    assert rights.level is Level.TROUBLE
    assert f"{path}: it is no serial port" in rights.text
    assert "tablewire ports" in str(rights.do)
    assert only(check_use(seen, NOWHERE), Check.IN_USE).level is Level.SKIPPED
    assert only(check_ports(seen, NOBODY, NOWHERE), Check.PORTS).level is Level.SKIPPED


def test_a_command_of_ours_is_waited_for_and_never_to_be_killed() -> None:
    port = PortSeen("/dev/ttyACM0", is_named=True, holders=(Holder(77, "tablewire flash"),))
    finding = only(check_use(PortsSeen((port,)), NOWHERE), Check.IN_USE)
    assert finding.level is Level.TROUBLE
    assert "tablewire flash (process 77)" in finding.text
    assert str(finding.do).startswith("wait until that has ended")
    assert "kill" not in str(finding.do)


def test_many_places_with_one_reason_are_one_line() -> None:
    tried = [Tried(f"/dev/ttyS{number}", "nothing is plugged in there") for number in range(32)]
    board = NoBoard("no board is found", Cause.SILENT, (*reversed(tried), Tried("/dev/ttyUSB0", "silent")))
    assert only(check_board(board, NOWHERE), Check.BOARD).do == (
        "looked at /dev/ttyS0, /dev/ttyS1, /dev/ttyS2, /dev/ttyS3 and 28 more: nothing is plugged in there; "
        "/dev/ttyUSB0: silent"
    )
