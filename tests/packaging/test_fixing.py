"""What `doctor --fix` does to the system, in a folder of its own: nothing before it was agreed to."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest
from tests.store.unprivileged import run_unprivileged

from tablewire.doctor.finding import Check, Finding, note, ok, skipped, trouble
from tablewire.doctor.fixing import NOTHING, REPLUG, UNCHANGED, by_hand, offer_fixes
from tablewire.doctor.limits import within
from tablewire.packaging import UDEV_RULE

MODEM_MANAGER = trouble(Check.MODEM_MANAGER, "ModemManager will talk to the board", "doctor --fix")
RULE = UDEV_RULE.read_bytes()


class Person:
    """Who is asked, and what was there when that was."""

    def __init__(self, folder: Path, *, agrees: bool) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.asked: list[str] = []
        self.seen: list[str] = []
        self._agrees = agrees

    def ask(self, question: str) -> bool:
        self.asked.append(question)
        self.seen = sorted(one.name for one in self.folder.glob("*"))
        return self._agrees

    def offered(self, *findings: Finding) -> int:
        return offer_fixes(findings, self.ask, self.said.append, self.folder)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Where the rules are; the folder itself is not there yet."""
    (tmp_path / "udev").mkdir()
    return tmp_path / "udev" / "rules.d"


@pytest.fixture
def target(rules: Path) -> Path:
    """The rule, of another version or another's."""
    rules.mkdir()
    target = rules / UDEV_RULE.name
    target.write_text("# mine\n", "utf-8")
    return target


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is looked into first for programs."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def program(folder: Path, name: str, *lines: str) -> None:
    path = folder / name
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), "utf-8")
    path.chmod(0o755)


def test_the_rule_is_written_and_udev_told_once_that_is_agreed_to(
    rules: Path, programs: Path, tmp_path: Path
) -> None:
    program(programs, "udevadm", f'echo "$@" >> {tmp_path}/told')
    person = Person(rules, agrees=True)
    before = os.umask(0o077)
    try:
        assert person.offered(MODEM_MANAGER, trouble(Check.DISK, "the disk is full")) == 1
    finally:
        os.umask(before)
    written = rules / UDEV_RULE.name
    assert (len(person.asked), person.seen) == (1, [])
    assert written.read_bytes() == RULE
    assert stat.S_IMODE(written.stat().st_mode) == 0o644
    assert person.said[0].startswith(f"to be written: {written}: ModemManager leaves boards alone")
    assert (tmp_path / "told").read_text() == (
        "control --reload\ntrigger --subsystem-match=usb --subsystem-match=tty\n"
    )
    assert person.said[-1] == "udev has been told; ports that are plugged in follow the rule now"


def test_whoever_says_no_keeps_the_system_as_it_is(target: Path) -> None:
    person = Person(target.parent, agrees=False)
    assert person.offered(MODEM_MANAGER) == 0
    assert person.said[-1] == UNCHANGED
    assert [one.name for one in target.parent.iterdir()] == [target.name]
    assert target.read_text() == "# mine\n"


@pytest.mark.parametrize(
    "finding",
    [
        ok(Check.MODEM_MANAGER, "it leaves the board alone"),
        skipped(Check.RIGHTS, "there is no port"),
        trouble(Check.CLOCK, "the clock is not set"),
    ],
    ids=lambda finding: finding.name,
)
def test_nobody_is_asked_when_the_rule_would_not_help(rules: Path, finding: Finding) -> None:
    person = Person(rules, agrees=True)
    assert person.offered(finding) == 0
    assert (person.said, person.asked) == ([NOTHING], [])
    assert not rules.exists()


def test_a_note_about_rights_is_enough_to_be_asked(rules: Path, programs: Path) -> None:
    program(programs, "udevadm")
    person = Person(rules, agrees=True)
    assert person.offered(note(Check.RIGHTS, "only root may use the port")) == 1


def test_another_file_of_that_name_is_said_and_kept(target: Path, programs: Path) -> None:
    program(programs, "udevadm")
    for kept in (Path(f"{target}.bak"), Path(f"{target}.bak1")):
        before = target.read_bytes()
        person = Person(target.parent, agrees=True)
        assert person.offered(MODEM_MANAGER) == 1
        assert f"it would be kept as {kept}" in person.said[0]
        assert (target.read_bytes(), kept.read_bytes()) == (RULE, before)
        target.write_text("# mine again\n", "utf-8")
    assert Path(f"{target}.bak").read_text() == "# mine\n"
    assert not [one for one in target.parent.iterdir() if one.suffix == ".rules" and one != target]


def test_a_rule_that_is_there_already_is_not_written_again(target: Path) -> None:
    target.write_bytes(RULE)
    person = Person(target.parent, agrees=True)
    assert person.offered(MODEM_MANAGER) == 0
    assert (person.said, person.asked) == ([f"{target} is there already; {REPLUG}"], [])


def test_a_rule_that_an_administrator_has_turned_off_stays_off(target: Path) -> None:
    target.unlink()
    target.symlink_to("/dev/null")
    person = Person(target.parent, agrees=True)
    assert person.offered(MODEM_MANAGER) == 0
    assert person.asked == []
    assert target.readlink() == Path("/dev/null")


def test_an_older_rule_that_is_noticed_is_offered_to_be_replaced(target: Path) -> None:
    person = Person(target.parent, agrees=True)
    assert person.offered(note(Check.UDEV_RULE, "not the rule of this version")) == 1
    assert target.read_bytes() == RULE
    assert Path(f"{target}.bak").read_text("utf-8") == "# mine\n"


def test_a_pipe_or_a_folder_under_the_rules_name_is_said_and_left(target: Path) -> None:
    for make in (os.mkfifo, os.mkdir):
        target.unlink()
        make(target)
        person = Person(target.parent, agrees=True)
        assert within(60.0, lambda person=person: person.offered(MODEM_MANAGER)) == 0  # type: ignore[misc]
        assert person.said == [f"{target} is no file: move it out of the way, then ask again"]
        assert person.asked == []


def test_a_link_under_the_name_of_the_draft_is_not_written_through(rules: Path, tmp_path: Path) -> None:
    rules.mkdir()
    other = tmp_path / "precious"
    other.write_text("precious\n", "utf-8")
    (rules / f"{UDEV_RULE.name}.new").symlink_to(other)
    assert Person(rules, agrees=True).offered(MODEM_MANAGER) == 1
    assert other.read_text("utf-8") == "precious\n"
    assert not (rules / UDEV_RULE.name).is_symlink()
    assert (rules / UDEV_RULE.name).read_bytes() == RULE


@pytest.mark.parametrize("is_there", [False, True])
def test_what_appears_while_a_person_thinks_is_not_overwritten(rules: Path, *, is_there: bool) -> None:
    rules.mkdir()
    target = rules / UDEV_RULE.name
    if is_there:
        target.write_text("# mine\n", "utf-8")

    def ask(_question: str) -> bool:
        target.write_text("# written meanwhile\n", "utf-8")
        return True

    said: list[str] = []
    assert offer_fixes([MODEM_MANAGER], ask, said.append, rules) == 0
    assert target.read_text("utf-8") == "# written meanwhile\n"
    assert said[-1] == f"{target} has changed meanwhile: {UNCHANGED}; ask again"


def test_a_system_without_udev_is_said(tmp_path: Path) -> None:
    person = Person(tmp_path / "none" / "rules.d", agrees=True)
    assert person.offered(MODEM_MANAGER) == 0
    assert person.said == [f"this system has no {tmp_path}/none: without udev there is no rule to write"]


def test_a_folder_that_cannot_be_written_is_one_line(rules: Path) -> None:
    rules.write_text("a file\n")
    person = Person(rules, agrees=True)
    assert person.offered(MODEM_MANAGER) == 0
    assert person.said == [f"the udev rule cannot be put into {rules}: Not a directory"]


def test_without_udevadm_or_when_it_fails_the_board_is_to_be_plugged_in_again(
    rules: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(programs, "udevadm", "exit 1")
    person = Person(rules, agrees=True)
    assert person.offered(MODEM_MANAGER) == 1
    assert person.said[-1] == REPLUG
    (rules / UDEV_RULE.name).unlink()
    monkeypatch.setenv("PATH", str(rules))
    assert person.offered(MODEM_MANAGER) == 1
    assert person.said[-1] == REPLUG


IMPORTS = """
from pathlib import Path
from tablewire.doctor.finding import Check, trouble
from tablewire.doctor.fixing import offer_fixes
"""
OFFER = """
findings = [trouble(Check.MODEM_MANAGER, "ModemManager will talk to the board")]
offer_fixes(findings, lambda _: sys.exit("it asked"), print, Path(sys.argv[1]))
"""


def test_without_the_right_the_command_to_type_is_said_and_does_it(programs: Path, tmp_path: Path) -> None:
    program(programs, "sudo", 'exec "$@"')
    program(programs, "udevadm", f'echo "$@" >> {tmp_path}/told')
    with tempfile.TemporaryDirectory() as open_folder:  # tmp_path lies where nobody may look
        Path(open_folder).chmod(0o755)
        rules = Path(open_folder) / "rules.d"
        rules.mkdir()
        target = rules / UDEV_RULE.name
        target.write_text("# mine\n", "utf-8")
        rules.chmod(0o555)
        said = run_unprivileged(IMPORTS, OFFER, rules).splitlines()
        rules.chmod(0o755)
        assert said[0] == "the udev rule has to be written by root. Type:"
        command = said[1].strip()
        assert command == by_hand(target, is_there=True)
        subprocess.run(["/bin/sh", "-c", command], check=True, timeout=60)
        assert target.read_bytes() == RULE
        (kept,) = [one for one in rules.iterdir() if one != target]
        assert kept.read_text() == "# mine\n"
    assert re.fullmatch(r"control --reload\ntrigger .*\n", (tmp_path / "told").read_text())
