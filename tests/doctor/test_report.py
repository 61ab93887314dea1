"""The report as it is read: by a newcomer on a terminal of 80 columns, and by a program line by line."""

from __future__ import annotations

from tablewire.doctor.finding import Check, Finding, Level, is_faultless, note, ok, skipped, trouble
from tablewire.doctor.report import TITLES, report_lines

FINDINGS = [
    skipped(Check.BOARD, "there is no port to ask at"),
    trouble(
        Check.PORTS,
        "no board is plugged in: this computer has no serial port",
        "plug the board in; if it is, try another cable (some only charge) and another socket",
    ),
    note(
        Check.BLUETOOTH, "Bluetooth is switched off (only a board without a cable needs it)", "switch it on"
    ),
    skipped(Check.LINE, "no board answers"),
    skipped(Check.SUPPLY, "no board answers"),
    ok(Check.DISK, "80,000 MB free"),
]


def test_what_is_wrong_comes_first_with_what_to_do_under_it() -> None:
    assert "\n".join(report_lines(FINDINGS, 80)) == (
        """\
1 thing to put right.

To put right:
! ports      no board is plugged in: this computer has no serial port
             -> plug the board in; if it is, try another cable (some only
                charge) and another socket

Worth knowing:
- bluetooth  Bluetooth is switched off (only a board without a cable needs it)
             -> switch it on

In order:
  disk       80,000 MB free

Not looked at:
? board: there is no port to ask at
? line, supply: no board answers"""
    )


def test_lines_fit_the_terminal_and_no_word_is_lost() -> None:
    for width in (40, 60, 80, 200):
        lines = list(report_lines(FINDINGS, width))
        assert max(map(len, lines)) <= width
        assert " ".join(" ".join(lines).split()) == " ".join(" ".join(report_lines(FINDINGS, None)).split())


def test_a_path_is_never_broken() -> None:
    path = "/dev/serial/by-id/usb-Arduino__www.arduino.cc__0042_85431303736351D0B1F0-if00"
    lines = list(report_lines([trouble(Check.RIGHTS, f"you may not use {path}")], 60))
    assert any(path in line for line in lines)


def test_a_program_gets_each_finding_on_one_line() -> None:
    lines = list(report_lines(FINDINGS, None))
    assert any(line.endswith("and another socket") and "plug the board in" in line for line in lines)


def test_the_first_line_says_how_it_stands() -> None:
    first = [
        next(report_lines(findings, 80)) for findings in ([FINDINGS[-1]], [FINDINGS[2]], FINDINGS[1:2] * 3)
    ]
    assert first == [
        "Nothing is wrong.",
        "Nothing is wrong; 1 thing worth knowing.",
        "3 things to put right.",
    ]


def test_only_trouble_is_a_fault() -> None:
    assert not is_faultless(FINDINGS)
    assert is_faultless(one for one in FINDINGS if one.level is not Level.TROUBLE)


def test_every_check_has_a_title_that_fits_its_column() -> None:
    assert set(TITLES) == set(Check)
    assert max(map(len, TITLES.values())) <= 9


def test_the_names_in_json_stay() -> None:
    assert [check.value for check in Check] == [
        *("ports", "rights", "in_use", "modem_manager", "udev_rule", "brltty", "bluetooth", "page", "board"),
        *("firmware", "line", "supply", "sensors", "store", "settings", "disk", "clock", "power", "program"),
    ]
    assert [level.value for level in Level] == ["ok", "note", "trouble", "skipped"]
    finding = Finding(Check.IN_USE, Level.TROUBLE, "it is used", "close that program")
    assert finding.to_json() == {
        "name": "in_use",
        "level": "trouble",
        "text": "it is used",
        "do": "close that program",
    }
