"""Every error that a system can give is one line that a person can act on, and has its cause."""

import errno
import grp
import os
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from tests.link.pty_board import PtyBoard
from tests.store.unprivileged import run_unprivileged

from tablewire.link.faults import Cause, error_number, lost, refused
from tablewire.link.port_rights import group_of, rights_on, words_for
from tablewire.link.port_users import NAME_CHARS_MAX, User, users_by_path, users_of

IMPORTS = """
import sys
from tablewire.link.faults import LinkRefused
from tablewire.link.serial_port import SerialLink
"""
OPEN = """
try:
    SerialLink(sys.argv[1]).open()
except LinkRefused as error:
    print(error.cause.name, error)
"""


@pytest.mark.parametrize("number", errno.errorcode, ids=errno.errorcode.get)
def test_every_error_of_the_system_is_one_line_with_a_cause(number: int) -> None:
    for error in (OSError(number, "x"), termios.error(number, "x"), serial.SerialException(number, "x")):
        refusal = refused("/dev/ttyACM0", error)
        assert str(refusal).startswith("cannot open /dev/ttyACM0: ")
        assert str(refusal).isprintable()
        assert len(str(refusal)) < 240
        assert isinstance(refusal.cause, Cause)
        loss = str(lost("/dev/ttyACM0", error))
        assert loss.startswith("lost the board at /dev/ttyACM0 (")
        assert loss.isprintable()


CAUSES = [
    (OSError(errno.EACCES, "x"), Cause.FORBIDDEN, "permission denied"),
    (OSError(errno.EPERM, "x"), Cause.FORBIDDEN, "permission denied"),
    (OSError(errno.EBUSY, "x"), Cause.BUSY, "another program uses it"),
    (OSError(errno.EAGAIN, "x"), Cause.BUSY, "another program uses it"),
    (OSError(errno.ENOENT, "x"), Cause.ABSENT, "nothing is plugged in there"),
    (OSError(errno.ENXIO, "x"), Cause.ABSENT, "nothing is plugged in there"),
    (termios.error(errno.EIO, "x"), Cause.ABSENT, "nothing is plugged in there"),
    (OSError(errno.ETIMEDOUT, "x"), Cause.HANGS, "it does not answer"),
    (OSError(errno.EPROTO, "x"), Cause.OTHER, "try another cable"),
    (OSError(errno.EMFILE, "x"), Cause.OTHER, "no room for more open files"),
    (OSError(errno.ENOTTY, "x"), Cause.OTHER, "it is not a serial port"),
    (ValueError("Invalid baud rate: -5"), Cause.OTHER, "give another with --baud"),
    (ValueError("Failed to set custom baud rate (7)"), Cause.OTHER, "give another with --baud"),
    (serial.SerialException("could not configure"), Cause.OTHER, "could not configure; it is tried again"),
    (KeyError(13), Cause.OTHER, "it is tried again"),
]


@pytest.mark.parametrize(("error", "cause", "words"), CAUSES, ids=[repr(row[0]) for row in CAUSES])
def test_the_cause_says_when_it_is_worth_trying_again(error: Exception, cause: Cause, words: str) -> None:
    refusal = refused("/dev/ttyACM77", error)
    assert refusal.cause is cause
    assert words in str(refusal)


def test_the_number_is_found_however_deep_pyserial_hides_it() -> None:
    error = serial.SerialException("Could not configure port")
    error.__context__ = termios.error(errno.EIO, "Input/output error")
    assert error_number(error) == errno.EIO
    assert error_number(KeyError(13)) is None
    assert error_number(None) is None


WINDOWS = [
    ("could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)", Cause.BUSY),
    (
        "could not open port 'COM3': FileNotFoundError(2, "
        "'The system cannot find the file specified.', None, 2)",
        Cause.ABSENT,
    ),
    (
        "could not open port 'COM3': OSError(22, 'Das Zeitlimit wurde erreicht.', None, 121)",
        Cause.HANGS,
    ),
    (
        "Cannot configure port, something went wrong. Original message: "
        "OSError(22, 'A device attached to the system is not functioning.', None, 31)",
        Cause.ABSENT,
    ),
    (
        "Cannot configure port, something went wrong. Original message: "
        "OSError(22, 'The parameter is incorrect.', None, 87)",
        Cause.OTHER,
    ),
]


@pytest.mark.parametrize(("text", "cause"), WINDOWS)
def test_what_windows_says_in_any_language_is_understood_by_its_number(text: str, cause: Cause) -> None:
    refusal = refused("COM3", serial.SerialException(text))
    assert refusal.cause is cause
    assert "Error(" not in str(refusal)
    assert "None" not in str(refusal)


UNPLUGGED = [
    "device reports readiness to read but returned no data (device disconnected or multiple access on port?)",
    "ClearCommError failed (PermissionError(13, 'The device does not recognize the command.', None, 22))",
    "GetOverlappedResult failed (PermissionError(13, 'Access is denied.', None, 5))",
    "WriteFile failed (OSError(22, 'A device which does not exist was specified.', None, 433))",
]


@pytest.mark.parametrize(
    "error",
    [
        *map(serial.SerialException, UNPLUGGED),
        OSError(errno.EIO, "Input/output error"),
        termios.error(errno.EIO, "Input/output error"),
        OSError(errno.ENODEV, "No such device"),
        OSError(errno.ENXIO, "No such device or address"),
        BrokenPipeError(errno.EPIPE, "Broken pipe"),
    ],
    ids=str,
)
def test_a_pulled_cable_and_a_computer_that_slept_are_told_in_the_same_words(error: Exception) -> None:
    said = str(lost("COM3", error))
    assert "it was unplugged, or another program reads the port" in said
    assert "Error(" not in said
    assert "device reports" not in said


def test_a_name_from_outside_neither_breaks_the_line_nor_fills_the_screen() -> None:
    for said in (
        refused("x\n\x1b[31my" + "z" * 5000, OSError(errno.ENOENT, "")),
        lost("\u202e" * 900, OSError()),
    ):
        assert str(said).isprintable()
        assert len(str(said)) < 400


def test_the_words_of_a_driver_are_cut_short() -> None:
    assert len(str(refused("/dev/ttyACM0", serial.SerialException("bla " * 500)))) < 300


# ---- rights ----


def owned(uid: int, gid: int, mode: int) -> os.stat_result:
    return os.stat_result((0o020000 | mode, 1, 1, 1, uid, gid, 0, 0, 0, 0))


def a_group_without_us() -> grp.struct_group:
    ours = {0, os.getegid(), *os.getgroups()}
    return next(group for group in grp.getgrall() if group.gr_gid not in ours)


def test_the_group_that_the_port_really_has_is_named_with_the_command() -> None:
    group = a_group_without_us()
    found = owned(0, group.gr_gid, 0o660)
    said = words_for(found, group_of(found), "/dev/ttyACM0")
    assert f"the group {group.gr_name}: sudo usermod -aG {group.gr_name} $USER" in said
    assert "log out and in again" in said


def test_a_group_without_a_name_is_told_by_its_number() -> None:
    found = owned(0, 54_321, 0o660)
    assert group_of(found) == "54321"


@pytest.mark.parametrize(("gid", "mode"), [(54_321, 0o600), (54_321, 0o640), (0, 0o660)])
def test_where_no_group_helps_a_udev_rule_is_named(gid: int, mode: int) -> None:
    found = owned(0, gid, mode)
    assert group_of(found) is None
    assert "tablewire doctor --fix" in words_for(found, None, "/dev/ttyACM0")


def test_a_port_of_another_user_names_that_user() -> None:
    found = owned(54_321, 0, 0o600)
    assert "belongs to the user 54321" in words_for(found, group_of(found), "/dev/ttyACM0")


def test_in_the_group_and_denied_all_the_same_is_called_a_policy() -> None:
    found = owned(0, os.getegid() or 54_321, 0o660)
    group = group_of(found)
    if found.st_gid == os.getegid():
        assert "policy" in words_for(found, group, "/dev/ttyACM0")
    # Open to everybody, and the system said no.
    said = str(refused(os.devnull, OSError(errno.EACCES, "x")))
    assert "a container or a security policy" in said


def test_a_port_that_may_be_used_or_is_not_there_lacks_no_rights(tmp_path: Path) -> None:
    assert rights_on(os.devnull).is_allowed
    assert rights_on(str(tmp_path / "nothing")).is_allowed
    assert rights_on("a\0b").is_allowed


def test_without_the_rights_a_pseudo_terminal_names_its_user(board: PtyBoard) -> None:
    board.path.chmod(0o600 if os.getuid() == 0 else 0)
    said = run_unprivileged(IMPORTS, OPEN, board.path.readlink())
    assert said.startswith(
        f"FORBIDDEN cannot open {board.path.readlink()}: permission denied; it belongs to the user "
    )
    assert said.count("\n") == 1


def test_without_the_rights_a_port_names_its_group_and_the_command(board: PtyBoard) -> None:
    group = a_group_without_us()
    port = board.path.readlink()
    if os.getuid() == 0:  # others may not give a port to a group
        os.chown(port, -1, group.gr_gid)
    port.chmod(0o660 if os.getuid() == 0 else 0)
    said = run_unprivileged(IMPORTS, OPEN, port)
    assert said.startswith(f"FORBIDDEN cannot open {port}: permission denied; it belongs to ")
    if os.getuid() == 0:
        assert f"the group {group.gr_name}: sudo usermod -aG {group.gr_name} $USER, then log out" in said


# ---- who uses it ----


@pytest.fixture
def holder(board: PtyBoard) -> Iterator[int]:
    """The pid of another program that has the port for itself."""
    program = (
        "import fcntl, os, sys\n"
        "port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)\n"
        "fcntl.flock(port, fcntl.LOCK_EX)\nprint('open', flush=True)\nsys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, board.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "open\n"
        yield started.pid
        started.communicate()


def test_the_program_that_has_the_port_is_named_with_its_pid(board: PtyBoard, holder: int) -> None:
    assert holder in [user.pid for user in users_of(str(board.path))]
    said = str(refused(str(board.path), OSError(errno.EBUSY, "x")))
    assert f"(pid {holder})" in said
    assert "close that program" in said


def test_a_port_that_nobody_has_has_no_users(tmp_path: Path) -> None:
    assert users_of(str(tmp_path)) == ()
    assert users_of(str(tmp_path / "nothing")) == ()
    assert users_of("a\0b") == ()
    assert users_of(os.devnull, proc=tmp_path / "no proc") == ()


def test_a_program_of_another_user_is_known_by_its_lock(board: PtyBoard, holder: int) -> None:
    # Whose files nobody else may see; its name and its lock everybody may.
    if os.getuid() == 0:
        said = run_unprivileged(
            "import sys\nfrom tablewire.link.port_users import users_of",
            "print(*(user.pid for user in users_of(sys.argv[1], 60)))",
            board.path.readlink(),
        )
        assert str(holder) in said.split()
    assert holder in [user.pid for user in users_of(str(board.path), limit_s=-1.0)]


def test_many_ports_are_looked_at_in_one_pass(tmp_path: Path) -> None:
    ports = [tmp_path / f"port{n}" for n in range(3)]
    for n, port in enumerate(ports):
        port.touch()
        proc_with(tmp_path / "proc", 10 + n, f"user{n}\n", port)
    (tmp_path / "alias").symlink_to(ports[0])
    asked = [*map(str, ports), str(tmp_path / "alias"), str(tmp_path / "gone"), "a\0b"]
    found = users_by_path(asked, 60, tmp_path / "proc")
    assert list(found) == asked
    assert [[user.name for user in users] for users in found.values()] == [
        ["user0"],
        ["user1"],
        ["user2"],
        ["user0"],
        [],
        [],
    ]


def proc_with(folder: Path, pid: int, comm: str, port: Path) -> None:
    (folder / str(pid) / "fd").mkdir(parents=True)
    (folder / str(pid) / "fd" / "3").symlink_to(port)
    (folder / str(pid) / "comm").write_text(comm)


def test_a_name_made_to_confuse_is_cut_and_cleaned(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.touch()
    proc_with(tmp_path / "proc", 20, "\x1b[31mevil\n" + "x" * 200, port)
    proc_with(tmp_path / "proc", 3, "ModemManager\n", port)
    proc_with(tmp_path / "proc", 4, "other\n", tmp_path / "another port")
    first, second = users_of(str(port), proc=tmp_path / "proc")
    assert first == User(3, "ModemManager")
    assert str(first) == "ModemManager (pid 3)"
    assert second.pid == 20
    assert second.name.isprintable()
    assert len(second.name) == NAME_CHARS_MAX


def test_looking_for_users_ends_when_its_time_is_up(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.touch()
    proc_with(tmp_path / "proc", 3, "late\n", port)
    assert users_of(str(port), limit_s=-1.0, proc=tmp_path / "proc") == ()
